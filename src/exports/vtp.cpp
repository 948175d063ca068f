#include "exports/vtp.h"

#include <bit>

#include <fmt/format.h>

#include "base/base64.h"

namespace carom::inline exports {
namespace {

template <class Number>
std::string data_array(const char* type, const std::string& name, int components, const std::vector<Number>& values) {
  static_assert(std::endian::native == std::endian::little, "the files say LittleEndian");
  const std::uint64_t size = values.size() * sizeof(Number);
  std::string bytes(reinterpret_cast<const char*>(&size), sizeof size);
  if (size > 0) bytes.append(reinterpret_cast<const char*>(values.data()), size);
  return fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">{}</DataArray>\n",
                     type, name, components, to_base64(bytes));
}

std::string cells(const char* tag, const std::vector<std::vector<std::int64_t>>& lists) {
  std::vector<std::int64_t> connectivity, offsets;
  for (const auto& list : lists) {
    connectivity.insert(connectivity.end(), list.begin(), list.end());
    offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
  }
  return fmt::format("<{0}>\n{1}{2}</{0}>\n", tag, data_array("Int64", "connectivity", 1, connectivity),
                     data_array("Int64", "offsets", 1, offsets));
}

// Names of arrays are those of components, but files must be well formed whatever they are.
std::string attribute(const std::string& text) {
  std::string result;
  for (const char c : text)
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  return result;
}

constexpr const char* head =
    "<?xml version=\"1.0\"?>\n<!-- Written by Carom -->\n<VTKFile type=\"{}\" version=\"1.0\" "
    "byte_order=\"LittleEndian\" "
    "header_type=\"UInt64\">\n";

}  // namespace

std::string vtp_text(const Vtp& vtp) {
  std::string text = fmt::format(fmt::runtime(head), "PolyData");
  text += fmt::format(
      "<PolyData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n<PointData>\n",
      vtp.point_count(), vtp.vertices.size(), vtp.lines.size(), vtp.polygons.size());
  for (const Vtp::Array& array : vtp.arrays)
    text += data_array("Float32", attribute(array.name), array.components, array.values);
  text += "</PointData>\n<Points>\n" + data_array("Float32", "Points", 3, vtp.points) + "</Points>\n";
  text += cells("Verts", vtp.vertices) + cells("Lines", vtp.lines) + cells("Polys", vtp.polygons);
  return text + "</Piece>\n</PolyData>\n</VTKFile>\n";
}

std::string pvd_text(const std::vector<PvdEntry>& entries) {
  std::string text = fmt::format(fmt::runtime(head), "Collection") + "<Collection>\n";
  for (const PvdEntry& entry : entries)
    text += fmt::format("<DataSet timestep=\"{}\" part=\"{}\" file=\"{}\"/>\n", entry.time, entry.part,
                        attribute(entry.file));
  return text + "</Collection>\n</VTKFile>\n";
}

}  // namespace carom::inline exports
