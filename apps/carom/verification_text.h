#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "verification/verify.h"

namespace carom {

// The table for a terminal; of more rows than `most`, those that are trusted least.
std::string to_text(const Verification& verification, std::size_t most);
nlohmann::ordered_json to_json(const Verification& verification);

}  // namespace carom
