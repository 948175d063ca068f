#include "text_columns.h"

#include <sstream>

namespace carom {

std::size_t width_of(const std::string& text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0) == 0x80) continue;
    // U+0300 … U+036F, combining marks: 0xCC 0x80 … 0xCD 0xAF.
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    const bool combines = byte == 0xCC || (byte == 0xCD && next <= 0xAF);
    width += combines ? 0 : 1;
  }
  return width;
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t present = width_of(text);
  return text + std::string(present < width ? width - present : 1, ' ');
}

std::string wrapped(const std::string& text, const std::string& start, const std::string& indent, std::size_t width) {
  std::istringstream words(text);
  std::string result, line = start, word;
  bool is_empty = true;
  while (words >> word) {
    if (!is_empty && width_of(line) + 1 + width_of(word) > width) {
      result += line + "\n";
      line = indent;
      is_empty = true;
    }
    line += (is_empty ? "" : " ") + word;
    is_empty = false;
  }
  return result + line;
}

}  // namespace carom
