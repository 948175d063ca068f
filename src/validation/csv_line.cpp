#include "validation/csv_line.h"

#include <charconv>
#include <istream>

namespace carom::inline validation {

std::vector<std::string> split_csv(const std::string& line) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t comma = line.find(','); comma != std::string::npos; comma = line.find(',', begin)) {
    parts.push_back(line.substr(begin, comma - begin));
    begin = comma + 1;
  }
  parts.push_back(line.substr(begin));
  return parts;
}

std::vector<std::string> next_csv_line(std::istream& stream, int& line_number) {
  std::string line;
  while (std::getline(stream, line)) {
    ++line_number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty() && line.front() != '#') return split_csv(line);
  }
  return {};
}

bool csv_number(const std::string& text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace carom::inline validation
