#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace carom {

// What is wrong with the words of a command line that CLI11 has refused, in one line, with the nearest command or
// option.
std::string explain(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& words);

}  // namespace carom
