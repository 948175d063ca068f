#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "validation/compare_results.h"

namespace carom {

// A comparison as tables for people; of the quantities the first `most`.
std::string to_text(const Comparison& comparison, std::size_t most);

// All of it for other programs. Numbers that are not known are null.
nlohmann::ordered_json to_json(const Comparison& comparison);

}  // namespace carom
