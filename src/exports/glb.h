#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace carom::inline exports {

/// A scene in glTF 2.0 under construction, for one file (.glb): the description and the numbers that it refers to.
/// https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
class Glb {
 public:
  using Json = nlohmann::ordered_json;

  Glb();

  /// Of the lists "nodes", "meshes", "materials" and the like; returns the number of what was added.
  std::size_t add(const char* list, Json entry);
  Json& entry(const char* list, std::size_t number) { return description_[list][number]; }
  Json& description() { return description_; }

  /// Numbers that meshes and animations refer to; return the number of the accessor. Vectors have 1 to 4 components.
  std::size_t add_vectors(std::span<const float> values, int components);
  std::size_t add_indices(std::span<const std::uint32_t> indices);

  /// The whole file.
  std::string bytes() const;

 private:
  std::size_t add_view(const void* data, std::size_t size);

  Json description_;
  std::string numbers_;
};

}  // namespace carom::inline exports
