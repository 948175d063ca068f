#include "exports/glb.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "base/protected_files.h"

namespace carom::inline exports {
namespace {

static_assert(std::endian::native == std::endian::little, "glTF is little-endian");

constexpr int float_type = 5126, unsigned_type = 5125;

void append_word(std::string& bytes, std::uint32_t word) {
  bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
}

// Chunks are multiples of four bytes.
void append_chunk(std::string& bytes, const char* type, std::string content, char padding) {
  content.resize((content.size() + 3) / 4 * 4, padding);
  append_word(bytes, static_cast<std::uint32_t>(content.size()));
  bytes.append(type, 4);
  bytes += content;
}

}  // namespace

Glb::Glb() {
  description_["asset"] = {{"version", "2.0"}, {"generator", std::string(written_mark)}};
}

std::size_t Glb::add(const char* list, Json entry) {
  Json& all = description_[list];
  all.push_back(std::move(entry));
  return all.size() - 1;
}

std::size_t Glb::add_view(const void* data, std::size_t size) {
  const std::size_t view = add("bufferViews", {{"buffer", 0}, {"byteOffset", numbers_.size()}, {"byteLength", size}});
  numbers_.append(static_cast<const char*>(data), size);
  return view;
}

std::size_t Glb::add_vectors(std::span<const float> values, int components) {
  assert(!values.empty() && values.size() % static_cast<std::size_t>(components) == 0);
  static constexpr std::array<const char*, 4> types = {"SCALAR", "VEC2", "VEC3", "VEC4"};
  const auto width = static_cast<std::size_t>(components);
  std::vector<float> least(values.begin(), values.begin() + components), greatest = least;
  for (std::size_t k = 0; k < values.size(); ++k) {
    least[k % width] = std::min(least[k % width], values[k]);
    greatest[k % width] = std::max(greatest[k % width], values[k]);
  }
  return add("accessors", {{"bufferView", add_view(values.data(), values.size_bytes())},
                           {"componentType", float_type},
                           {"count", values.size() / width},
                           {"type", types[width - 1]},
                           {"min", least},
                           {"max", greatest}});
}

std::size_t Glb::add_indices(std::span<const std::uint32_t> indices) {
  return add("accessors", {{"bufferView", add_view(indices.data(), indices.size_bytes())},
                           {"componentType", unsigned_type},
                           {"count", indices.size()},
                           {"type", "SCALAR"}});
}

std::string Glb::bytes() const {
  Json description = description_;
  description["buffers"] = Json::array({{{"byteLength", numbers_.size()}}});
  std::string chunks;
  append_chunk(chunks, "JSON", description.dump(-1, ' ', false, Json::error_handler_t::replace), ' ');
  append_chunk(chunks, std::string("BIN\0", 4).c_str(), numbers_, '\0');
  std::string bytes = "glTF";
  append_word(bytes, 2);
  append_word(bytes, static_cast<std::uint32_t>(12 + chunks.size()));
  return bytes + chunks;
}

}  // namespace carom::inline exports
