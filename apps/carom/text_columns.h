#pragma once

#include <string>

namespace carom {

// Columns a UTF-8 text takes on a terminal: its characters without those that combine with the one before.
std::size_t width_of(const std::string& text);

// Filled up with spaces; a text that is too long gets one.
std::string padded(const std::string& text, std::size_t width);

// Broken between words into lines of at most `width` columns, the first after `start`, the others after `indent`.
std::string wrapped(const std::string& text, const std::string& start, const std::string& indent, std::size_t width);

}  // namespace carom
