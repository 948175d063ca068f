#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace carom {

// Indented, and valid whatever bytes file names hold: those that are not UTF-8 become U+FFFD.
inline std::string to_utf8(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace carom
