#include "step/transfer.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace carom::inline step {
namespace {

using Json = nlohmann::json;

// Bytes that the reader did not write: it was cut short, or is of another version.
struct Garbled {};

Json list_of(const Eigen::Vector3d& vector) {
  return {vector.x(), vector.y(), vector.z()};
}
Eigen::Vector3d vector_of(const Json& list) {
  return {list.at(0).get<double>(), list.at(1).get<double>(), list.at(2).get<double>()};
}

Json json_of(const StepFace& face) {
  return {{"kind", static_cast<int>(face.kind)},
          {"hollow", face.hollow},
          {"tip", face.tip},
          {"position", list_of(face.position)},
          {"axis", list_of(face.axis)},
          {"sizes", {face.radius, face.second, face.low, face.high, face.area, face.chord}},
          {"box", {list_of(face.box_low), list_of(face.box_high)}}};
}

StepFace face_of(const Json& json) {
  StepFace face;
  face.kind = static_cast<FaceKind>(json.at("kind").get<int>());
  face.hollow = json.at("hollow").get<bool>();
  face.tip = json.at("tip").get<bool>();
  face.position = vector_of(json.at("position"));
  face.axis = vector_of(json.at("axis"));
  const Json& sizes = json.at("sizes");
  face.radius = sizes.at(0).get<double>(), face.second = sizes.at(1).get<double>();
  face.low = sizes.at(2).get<double>(), face.high = sizes.at(3).get<double>();
  face.area = sizes.at(4).get<double>(), face.chord = sizes.at(5).get<double>();
  face.box_low = vector_of(json.at("box").at(0)), face.box_high = vector_of(json.at("box").at(1));
  return face;
}

std::vector<double> numbers_of(const std::vector<Eigen::Vector3d>& points) {
  std::vector<double> numbers;
  for (const Eigen::Vector3d& point : points) numbers.insert(numbers.end(), {point.x(), point.y(), point.z()});
  return numbers;
}
std::vector<Eigen::Vector3d> points_of(const Json& json) {
  const auto numbers = json.get<std::vector<double>>();
  std::vector<Eigen::Vector3d> points;
  for (std::size_t k = 0; k + 2 < numbers.size(); k += 3)
    points.emplace_back(numbers[k], numbers[k + 1], numbers[k + 2]);
  return points;
}

Json json_of(const StepEdge& edge) {
  return {{"kind", static_cast<int>(edge.kind)},
          {"faces", {edge.faces[0], edge.faces[1]}},
          {"circle", {list_of(edge.centre), list_of(edge.x), list_of(edge.y)}},
          {"sizes", {edge.sign, edge.radius, edge.angle}},
          {"points", numbers_of(edge.points)},
          {"slopes", numbers_of(edge.slopes)}};
}

StepEdge edge_of(const Json& json) {
  StepEdge edge;
  edge.kind = static_cast<CurveKind>(json.at("kind").get<int>());
  edge.faces = {json.at("faces").at(0).get<int>(), json.at("faces").at(1).get<int>()};
  const Json &circle = json.at("circle"), &sizes = json.at("sizes");
  edge.centre = vector_of(circle.at(0)), edge.x = vector_of(circle.at(1)), edge.y = vector_of(circle.at(2));
  edge.sign = sizes.at(0).get<double>();
  edge.radius = sizes.at(1).get<double>(), edge.angle = sizes.at(2).get<double>();
  edge.points = points_of(json.at("points")), edge.slopes = points_of(json.at("slopes"));
  return edge;
}

Json json_of(const StepPart& part) {
  std::vector<int> corners;
  for (const auto& each : part.triangles) corners.insert(corners.end(), each.begin(), each.end());
  Json faces = Json::array();
  for (const StepFace& face : part.faces) faces.push_back(json_of(face));
  Json edges = Json::array();
  for (const StepEdge& edge : part.edges) edges.push_back(json_of(edge));
  std::vector<double> inertia(part.inertia.data(), part.inertia.data() + 9);
  return {{"name", part.name},       {"material", part.material},
          {"density", part.density}, {"solids", part.solids},
          {"volume", part.volume},   {"centre", list_of(part.centre)},
          {"inertia", inertia},      {"faces", faces},
          {"edges", edges},          {"points", numbers_of(part.points)},
          {"triangles", corners},    {"face_of_triangle", part.face_of_triangle},
          {"chord", part.chord},     {"normals", numbers_of(part.normals)}};
}

StepPart part_of(const Json& json) {
  StepPart part;
  part.name = json.at("name").get<std::string>();
  part.material = json.at("material").get<std::string>();
  part.density = json.at("density").get<double>();
  part.solids = json.at("solids").get<int>();
  part.volume = json.at("volume").get<double>();
  part.centre = vector_of(json.at("centre"));
  const auto inertia = json.at("inertia").get<std::vector<double>>();
  if (inertia.size() != 9) throw Garbled();
  part.inertia = Eigen::Map<const Eigen::Matrix3d>(inertia.data());
  for (const Json& face : json.at("faces")) part.faces.push_back(face_of(face));
  for (const Json& edge : json.at("edges")) part.edges.push_back(edge_of(edge));
  part.points = points_of(json.at("points"));
  const auto corners = json.at("triangles").get<std::vector<int>>();
  for (std::size_t k = 0; k + 2 < corners.size(); k += 3)
    part.triangles.push_back({corners[k], corners[k + 1], corners[k + 2]});
  part.face_of_triangle = json.at("face_of_triangle").get<std::vector<int>>();
  part.chord = json.at("chord").get<double>();
  part.normals = points_of(json.at("normals"));
  return part;
}

// An edge has the numbers that its kind needs, and faces that are there or none.
bool holds_together(const StepEdge& edge, std::size_t faces) {
  const std::size_t points = edge.points.size();
  const bool complete = edge.kind == CurveKind::line     ? points == 2
                        : edge.kind == CurveKind::spline ? points >= 2 && edge.slopes.size() == 2 * (points - 1)
                                                         : edge.kind == CurveKind::circle;
  return complete && std::all_of(edge.faces.begin(), edge.faces.end(),
                                 [&](int face) { return face >= -1 && face < static_cast<int>(faces); });
}

// Every number of a point, face or part names one that is there.
bool holds_together(const StepPart& part) {
  const auto below = [](int number, std::size_t count) {
    return number >= 0 && static_cast<std::size_t>(number) < count;
  };
  return part.face_of_triangle.size() == part.triangles.size() && part.normals.size() == part.points.size() &&
         std::all_of(
             part.faces.begin(), part.faces.end(),
             [](const StepFace& face) { return face.kind >= FaceKind::plane && face.kind <= FaceKind::free_form; }) &&
         std::all_of(part.edges.begin(), part.edges.end(),
                     [&](const StepEdge& edge) { return holds_together(edge, part.faces.size()); }) &&
         std::all_of(part.face_of_triangle.begin(), part.face_of_triangle.end(),
                     [&](int face) { return below(face, part.faces.size()); }) &&
         std::all_of(part.triangles.begin(), part.triangles.end(), [&](const std::array<int, 3>& corners) {
           return std::all_of(corners.begin(), corners.end(),
                              [&](int each) { return below(each, part.points.size()); });
         });
}

StepAssembly assembly_of(const Json& json) {
  StepAssembly assembly;
  for (const Json& part : json.at("parts")) {
    assembly.parts.push_back(part_of(part));
    if (!holds_together(assembly.parts.back())) throw Garbled();
  }
  for (const Json& each : json.at("placements")) {
    const Json& q = each.at("orientation");
    const int part = each.at("part").get<int>();
    if (part < 0 || static_cast<std::size_t>(part) >= assembly.parts.size()) throw Garbled();
    assembly.placements.push_back({each.at("name").get<std::string>(), part, vector_of(each.at("position")),
                                   Eigen::Quaterniond(q.at(0).get<double>(), q.at(1).get<double>(),
                                                      q.at(2).get<double>(), q.at(3).get<double>())});
  }
  assembly.remarks = json.at("remarks").get<std::vector<std::string>>();
  return assembly;
}

[[noreturn]] void fail_garbled() {
  throw StepError("nothing that the reader of STEP files could hand over", "a STEP file that can be read",
                  "open it in a CAD program and export it again");
}

}  // namespace

std::vector<std::uint8_t> packed(const StepAssembly& assembly) {
  Json parts = Json::array(), placements = Json::array();
  for (const StepPart& part : assembly.parts) parts.push_back(json_of(part));
  for (const StepPlacement& each : assembly.placements) {
    const Eigen::Quaterniond& q = each.orientation;
    placements.push_back({{"name", each.name},
                          {"part", each.part},
                          {"position", list_of(each.position)},
                          {"orientation", {q.w(), q.x(), q.y(), q.z()}}});
  }
  return Json::to_cbor({{"parts", parts}, {"placements", placements}, {"remarks", assembly.remarks}});
}

std::vector<std::uint8_t> packed(const StepError& error) {
  return Json::to_cbor({{"error", {error.what(), error.expected(), error.remedy()}}});
}

StepAssembly unpacked(std::string_view bytes) {
  std::vector<std::string> error;
  try {
    // Even so it throws where a size is beyond all memory.
    const Json json = Json::from_cbor(bytes.begin(), bytes.end(), true, false);
    if (!json.is_object() || !json.contains("error")) return assembly_of(json);
    error = json.at("error").get<std::vector<std::string>>();
  } catch (const Json::exception&) {
    fail_garbled();
  } catch (const Garbled&) {
    fail_garbled();
  }
  if (error.size() != 3) fail_garbled();
  throw StepError(error[0], error[1], error[2]);
}

}  // namespace carom::inline step
