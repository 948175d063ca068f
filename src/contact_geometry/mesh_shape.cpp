#include "contact_geometry/mesh_shape.h"

#include <map>
#include <mutex>
#include <tuple>

#include <fmt/format.h>

#include "base/announce.h"

// A closed surface of triangles from a file.
namespace carom::inline contact_geometry {

namespace {

constexpr double suspiciously_large = 3, suspiciously_small = 1e-5;  // m, for a part whose unit is not said
constexpr std::size_t most_checked_for_crossings = 500'000;          // triangles
constexpr std::size_t soon_read = 4'000'000;                         // bytes, a second or two
constexpr double rounded = 1e-3;  // of the size: edges count as rounded by this in searches between instants

std::vector<std::string> remarks_on(const ClosedSurface& surface) {
  std::vector<std::string> remarks = surface.remarks;
  if (surface.triangles.size() > most_checked_for_crossings) {
    remarks.push_back(fmt::format("of {} triangles it was not looked for whether they go through each other",
                                  surface.triangles.size()));
    return remarks;
  }
  constexpr std::size_t most = 1000;
  const std::vector<Eigen::Vector3d> crossings = find_self_crossings(surface, most);
  if (!crossings.empty()) {
    const Eigen::Vector3d& at = crossings.front();
    remarks.push_back(
        fmt::format("the surface goes through itself at {}{} places, the first at ({:.6g}, {:.6g}, {:.6g}) "
                    "in the file's axes: what is inside there is not clear",
                    crossings.size() == most ? "more than " : "", crossings.size(), at.x(), at.y(), at.z()));
  }
  return remarks;
}

// A unit of 0 is none that was said: m.
constexpr double not_said = 0;

std::shared_ptr<const MeshData> make_mesh(const ModelFile& file, double unit) {
  try {
    const std::string_view bytes = file.content();
    const auto tell = [&](const std::string& text) {
      if (bytes.size() > soon_read) announce(fmt::format("{}: {}", file.name, text));
    };
    tell(fmt::format("reading {:.0f} MB", 1e-6 * static_cast<double>(bytes.size())));
    TriangleSoup soup = read_triangles(bytes, file.name);
    tell(fmt::format("closing a surface of {} triangles", soup.triangles.size()));
    const ClosedSurface surface = close_surface(std::move(soup));
    tell("making it ready for contact");
    auto data = std::make_shared<MeshData>(surface, unit > 0 ? unit : 1);
    data->unit_given = unit > 0;
    data->remarks = remarks_on(surface);
    return data;
  } catch (const std::invalid_argument& failure) {
    throw ShapeError({.key = "file",
                      .found = fmt::format("\"{}\": {}", file.name, failure.what()),
                      .expected = "a closed surface of triangles in an STL, OBJ or PLY file",
                      .remedy = ""});
  }
}

// Shapes of one file share its mesh, however often the model is looked at: it is kept as long as the file is in memory,
// also where no shape holds it between two looks, since large ones take minutes to make.
std::shared_ptr<const MeshData> shared_mesh(const ModelFile& file, double unit) {
  struct Entry {
    std::weak_ptr<const std::string> bytes;
    std::shared_ptr<const MeshData> data;
  };
  static std::mutex guard;
  static std::map<std::tuple<const std::string*, double>, Entry> known;
  if (!file.bytes) return make_mesh(file, unit);
  const std::lock_guard lock(guard);
  std::erase_if(known, [](const auto& each) { return each.second.bytes.expired(); });
  Entry& entry = known[{file.bytes.get(), unit}];
  if (!entry.data) entry = {file.bytes, make_mesh(file, unit)};
  return entry.data;
}

void take_mesh(const Settings& keys, Shape<3>& shape) {
  shape.data = shared_mesh(keys.file("file"), keys.number("unit", not_said));
}

std::vector<ShapeRemark> remarks_on_mesh(const Shape<3>& shape) {
  const auto& data = static_cast<const MeshData&>(*shape.data);
  std::vector<ShapeRemark> result;
  for (const std::string& remark : data.remarks)
    result.push_back({.key = "file", .found = remark, .expected = "a clean closed surface", .remedy = ""});
  const double size = data.mesh.size();
  if (!data.unit_given && (size > suspiciously_large || size < suspiciously_small)) {
    const bool large = size > suspiciously_large;
    result.push_back(
        {.key = "file",
         .found = fmt::format("a part of {:.3g} m", size),
         .expected = "a part of the size that is meant",
         .remedy = large ? fmt::format("are its lengths in mm? then add `unit = \"1 mm\"`, and it is {:.3g} mm "
                                       "large; if they are in m, add `unit = \"1 m\"`",
                                       size)
                         : "add the `unit` of its lengths, such as `unit = \"1 m\"`"});
  }
  return result;
}

}  // namespace

double mesh_bounding_radius(const Shape<3>& shape) {
  return mesh_of(shape).bounding_radius();
}

double mesh_thickness(const Shape<3>& shape) {
  return mesh_of(shape).thickness();
}

double mesh_sharpness(const Shape<3>& shape) {
  return 1 / (rounded * mesh_of(shape).size());
}

MassProperties mesh_mass(const Shape<3>& shape) {
  const MeshIntegrals sum = integrals_of(mesh_of(shape));
  return {sum.volume, sum.centre, sum.inertia};
}

// All triangles, and as lines the edges where the surface turns sharply.
ShapeSurface mesh_surface(const Shape<3>& shape, int) {
  constexpr double sharp = 0.4;  // rad
  const TriangleMesh& mesh = mesh_of(shape);
  ShapeSurface surface;
  for (const TriangleMesh::Vertex& vertex : mesh.vertices()) surface.points.push_back(vertex.position);
  for (const TriangleMesh::Face& face : mesh.faces())
    surface.faces.push_back({face.vertex[0], face.vertex[1], face.vertex[2]});
  for (const TriangleMesh::Edge& edge : mesh.edges()) {
    if (std::abs(edge.turn) > sharp) surface.lines.push_back({edge.vertex[0], edge.vertex[1]});
  }
  return surface;
}

ShapeDescription<3> describe_mesh() {
  return {.kind = mesh_kind,
          .name = "mesh",
          .required = {"file"},
          .optional = {"unit"},
          .keys = {{.name = "file",
                    .kind = ParameterKind::file,
                    .meaning = "of a mesh: closed surface of triangles as STL, OBJ or PLY, beside the model"},
                   {.name = "unit",
                    .unit = "m",
                    .meaning = "length of one unit of the file, such as \"1 mm\"",
                    .default_text = "1 m",
                    .minimum = 0,
                    .minimum_allowed = false}},
          .form = ShapeForm::outline,
          .take = take_mesh,
          .remarks = remarks_on_mesh,
          .bounding_radius = mesh_bounding_radius,
          .thickness = mesh_thickness,
          .sharpness = mesh_sharpness,
          .mass = mesh_mass,
          .surface = mesh_surface};
}

}  // namespace carom::inline contact_geometry
