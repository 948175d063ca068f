#pragma once

#include <optional>
#include <string_view>

namespace carom::inline base {

/// 0xRRGGBB of a text such as "#4080c0"; none if it is no colour.
std::optional<int> parse_color(std::string_view text);

}  // namespace carom::inline base
