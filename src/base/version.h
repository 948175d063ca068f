#pragma once

namespace carom::inline base {

inline constexpr const char* carom_version = "0.1.0";

}  // namespace carom::inline base
