#pragma once

#include <string>

#include "plotting/canvas.h"

namespace carom::inline plotting {

/// Safe between the tags of an SVG file; valid UTF-8 whatever came in.
inline std::string escaped_xml(const std::string& text) {
  std::string result;
  for (const char c : printable(text)) {
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  }
  return result;
}

}  // namespace carom::inline plotting
