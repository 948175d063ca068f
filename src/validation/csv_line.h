#pragma once

#include <string>
#include <vector>

// A line of a CSV file without quotes.
namespace carom::inline validation {

std::vector<std::string> split_csv(const std::string& line);

// The next line that is neither empty nor a comment, split; counts all lines. None left: empty.
std::vector<std::string> next_csv_line(std::istream& stream, int& line_number);

// The whole text is a number, also `inf` and `nan`.
bool csv_number(const std::string& text, double& value);

}  // namespace carom::inline validation
