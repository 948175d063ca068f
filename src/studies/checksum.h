#pragma once

#include <cstdint>
#include <string_view>

namespace carom::inline studies {

// FNV-1a of 64 bits (Fowler, Noll and Vo): tells texts apart that differ by accident, not by intent.
constexpr std::uint64_t checksum(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace carom::inline studies
