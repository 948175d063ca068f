#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace carom::inline recording {

/// Tells damaged bytes from sound ones: 64 bits, eight bytes at a time, each step one to one, so that every change of
/// up to eight neighbouring bytes is noticed and any other but once in 2⁶⁴. `size` is a multiple of eight, of numbers
/// in the byte order of the file.
inline std::uint64_t block_checksum(const void* bytes, std::size_t size) {
  static_assert(std::endian::native == std::endian::little, "checksums are of numbers as they are in the file");
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15, second = 0xff51afd7ed558ccd;
  std::uint64_t hash = size * factor;
  for (std::size_t k = 0; k + sizeof(std::uint64_t) <= size; k += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, static_cast<const char*>(bytes) + k, sizeof word);
    hash = (std::rotl(hash, 29) ^ word) * factor;
    hash ^= hash >> 32;
  }
  hash = (hash ^ hash >> 33) * second;
  return hash ^ hash >> 33;
}

}  // namespace carom::inline recording
