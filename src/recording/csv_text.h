#pragma once

#include <charconv>
#include <string>

// Pieces of CSV tables.
namespace carom::inline recording {

/// A title or a text, in quotes where it needs them.
inline std::string csv_quoted(const std::string& title) {
  if (title.find_first_of(",\"\n\r") == std::string::npos) return title;
  std::string text = "\"";
  for (const char c : title) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

/// "name [unit]", or the name alone.
inline std::string csv_title(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
}

/// The shortest form that reads back to the same value, wherever the program runs.
inline void add_csv_number(std::string& line, double value) {
  char digits[32];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, value);
  line.append(digits, end.ptr);
}

}  // namespace carom::inline recording
