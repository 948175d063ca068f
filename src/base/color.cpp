#include "base/color.h"

#include <charconv>

namespace carom::inline base {

std::optional<int> parse_color(std::string_view text) {
  constexpr std::size_t digits = 6;
  if (text.size() != digits + 1 || text[0] != '#' || text[1] == '-') return std::nullopt;
  const char* const end = text.data() + text.size();
  int value = 0;
  const auto [stop, failure] = std::from_chars(text.data() + 1, end, value, 16);
  if (failure != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace carom::inline base
