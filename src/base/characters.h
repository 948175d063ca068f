#pragma once

// Characters as model files know them, whatever the language of the system.
namespace carom::inline base {

inline bool is_digit(char c) {
  return '0' <= c && c <= '9';
}

}  // namespace carom::inline base
