#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace carom::inline exports {

/// A file of polygons, lines and points as VTK reads it (XML, .vtp): arrays are binary, in base64.
/// https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html
struct Vtp {
  /// Numbers that belong to the points, as many each as it has components.
  struct Array {
    std::string name;
    int components = 1;
    std::vector<float> values = {};
  };
  std::vector<float> points = {};  // x y z of each, m
  std::vector<std::vector<std::int64_t>> vertices = {}, lines = {}, polygons = {};
  std::vector<Array> arrays = {};

  std::int64_t point_count() const { return static_cast<std::int64_t>(points.size() / 3); }
};

std::string vtp_text(const Vtp& vtp);

/// One file of a moment.
struct PvdEntry {
  double time = 0;  // s
  int part = 0;
  std::string file;  // relative to the collection
};

/// The text of a collection (.pvd), which ParaView opens as a motion.
std::string pvd_text(const std::vector<PvdEntry>& entries);

}  // namespace carom::inline exports
