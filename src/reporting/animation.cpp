#include "reporting/animation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "plotting/canvas.h"
#include "viewing/drawn_parts.h"
#include "viewing/mechanism_drawing.h"
#include "viewing/scene.h"

namespace carom::inline reporting {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_contacts = 300;  // whose forces are shown
constexpr std::size_t most_turning = 1000;  // bodies; of more, balls do not show how they turn
constexpr std::uint16_t not_a_number = 65535;
constexpr float steps_of_range = 65534;

// Lengths to a part in a million of the scene: shorter text, same picture.
double rounded(double value, double extent) {
  const double step = std::pow(10, std::floor(std::log10(extent)) - 6);
  return std::round(value / step) * step + 0.0;
}

Json rounded(const Eigen::Vector3d& point, double extent) {
  Json list = Json::array();
  for (const double value : point) list.push_back(std::stod(fmt::format("{:.7g}", rounded(value, extent))));
  return list;
}

// Of balls only the lines that are drawn on them remain.
Json describe_mesh(const Solid& solid, double extent) {
  const bool ball = solid.ball_radius > 0;
  std::vector<std::vector<int>> edges = solid.edges;
  if (ball && !edges.empty()) edges.erase(edges.begin());
  std::map<int, int> places;
  Json points = Json::array();
  const auto renamed = [&](const std::vector<std::vector<int>>& lists) {
    Json json = Json::array();
    for (const std::vector<int>& list : lists) {
      Json line = Json::array();
      for (const int index : list) {
        const auto [at, is_new] = places.emplace(index, static_cast<int>(places.size()));
        if (is_new) points.push_back(rounded(solid.points[static_cast<std::size_t>(index)], extent));
        line.push_back(at->second);
      }
      json.push_back(std::move(line));
    }
    return json;
  };
  Eigen::Vector3d center = solid.center;
  if (!ball && !solid.points.empty()) {
    center.setZero();
    for (const Eigen::Vector3d& point : solid.points) center += point / static_cast<double>(solid.points.size());
  }
  Json json = {{"center", rounded(center, extent)}};
  if (ball) json["ball"] = rounded(solid.ball_radius, extent);
  if (solid.hollow) json["hollow"] = true;
  json["faces"] = ball ? Json::array() : renamed(solid.faces);
  json["edges"] = renamed(edges);
  json["points"] = std::move(points);
  return json;
}

// Equal shapes are written once.
void describe_parts(const std::vector<DrawnPart>& parts, double extent, Json& scene) {
  std::map<std::string, std::size_t> known;
  scene["meshes"] = Json::array();
  scene["parts"] = Json::array();
  for (const DrawnPart& part : parts) {
    Json mesh = describe_mesh(part.solid, extent);
    const auto [at, is_new] = known.emplace(mesh.dump(), known.size());
    if (is_new) scene["meshes"].push_back(std::move(mesh));
    Json json = {{"mesh", at->second}, {"body", part.body}};
    if (part.color) json["color"] = fmt::format("#{:06x}", *part.color);
    scene["parts"].push_back(std::move(json));
  }
}

const char* name_of(DrawnSpring::Kind kind) {
  return kind == DrawnSpring::Kind::coil ? "coil" : kind == DrawnSpring::Kind::torsion ? "torsion" : "line";
}

// What the page draws of the viewer's scene besides bodies.
void describe_elements(const Viewed& viewed, const FrameLayout& layout, double extent, Json& scene) {
  Json described = describe_scene(viewed, layout);
  scene["springs"] = Json::array();
  for (const DrawnSpring& spring : drawn_springs(viewed.model)) {
    Json bodies = Json::array(), points = Json::array();
    for (const SpringEnd& end : spring.ends) {
      bodies.push_back(end.body);
      points.push_back(rounded(end.point, extent));
    }
    scene["springs"].push_back({{"kind", name_of(spring.kind)}, {"bodies", bodies}, {"points", points}});
  }
  scene["pins"] = Json::array();
  for (const Json& joint : described["joints"]) {
    if (!joint.contains("bodies")) continue;
    scene["pins"].push_back({joint["bodies"][1], joint["points"][1][0], joint["points"][1][1], joint["points"][1][2]});
  }
  scene["beams"] = std::move(described["beams"]);
  int color = 0;
  for (Json& beam : scene["beams"]) beam["color"] = color++ % palette_size;
}

std::string hex_of(const Rgb& color) {
  const auto byte = [](double part) { return static_cast<int>(std::lround(255 * part)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(color.red), byte(color.green), byte(color.blue));
}

// Bodies and contacts only, which come first in a row.
FrameLayout shown_layout(const Viewed& viewed, bool& has_forces) {
  FrameLayout layout = lay_out_frames(viewed);
  has_forces = !layout.contacts.empty() && layout.contacts.size() <= most_contacts;
  const std::size_t bodies = layout.bodies.empty() ? 0 : layout.bodies.back().place + 7;
  layout.columns.resize(has_forces ? layout.contacts.back().place + 7 : bodies);
  if (!has_forces) layout.contacts.clear();
  layout.reactions.clear();
  layout.eccentricities.clear();
  layout.stresses.clear();
  if (layout.bodies.size() > most_turning) {
    for (std::size_t k = 0; k < layout.bodies.size(); ++k) {
      const auto& shapes = viewed.model.bodies[k].geometry;
      const bool ball = shapes.size() == 1 && shapes[0].shape == "sphere" && shapes[0].position.isZero();
      for (std::size_t c = 3; ball && c < 7; ++c)
        layout.columns[layout.bodies[k].place + c] = {.value = c == 6 ? 1.0F : 0.0F};
    }
  }
  return layout;
}

template <class Number>
void add_bytes(std::string& bytes, const std::vector<Number>& numbers) {
  static_assert(std::endian::native == std::endian::little, "the page expects little-endian numbers");
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

// The layout is that of readFrames in animation.js. Columns that never change are written once.
std::string pack_frames(const std::vector<double>& times, const std::vector<float>& rows, std::size_t width) {
  std::vector<float> row(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(width)), low, step;
  std::vector<std::uint32_t> columns;
  for (std::size_t c = 0; c < width; ++c) {
    float least = std::numeric_limits<float>::infinity(), largest = -least;
    bool varies = false;
    for (std::size_t r = 0; r < times.size(); ++r) {
      const float value = rows[r * width + c];
      varies = varies || value != row[c];
      if (!std::isfinite(value)) continue;
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
    if (!std::isfinite(row[c])) row[c] = 0;
    if (!varies) continue;
    columns.push_back(static_cast<std::uint32_t>(c));
    low.push_back(std::isfinite(least) ? least : 0);
    step.push_back(largest > least ? largest / steps_of_range - least / steps_of_range : 0);
  }
  std::vector<std::uint16_t> values;
  for (std::size_t r = 0; r < times.size(); ++r) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const float value = rows[r * width + columns[k]];
      const float place = step[k] > 0 ? (value - low[k]) / step[k] : 0;
      values.push_back(std::isfinite(value)
                           ? static_cast<std::uint16_t>(std::clamp(std::round(place), 0.0F, steps_of_range))
                           : not_a_number);
    }
  }
  std::string bytes;
  const auto size = [](std::size_t count) { return static_cast<std::uint32_t>(count); };
  add_bytes(bytes, std::vector<std::uint32_t>{size(times.size()), size(width), size(columns.size()), 0});
  add_bytes(bytes, times);
  add_bytes(bytes, row);
  add_bytes(bytes, columns);
  add_bytes(bytes, low);
  add_bytes(bytes, step);
  add_bytes(bytes, values);
  return bytes;
}

double largest_force(const FrameLayout& layout, const std::vector<float>& rows) {
  double largest = 0;
  for (std::size_t row = 0; row < rows.size(); row += layout.columns.size()) {
    for (const FrameLayout::Contact& contact : layout.contacts) {
      const float* at = &rows[row + contact.place];
      const double force = std::hypot(at[4], at[5], at[6]);
      if (at[0] > 0.5F && std::isfinite(force)) largest = std::max(largest, force);
    }
  }
  return largest;
}

}  // namespace

Animation make_animation(const Viewed& viewed) {
  Animation animation;
  const FrameLayout layout = shown_layout(viewed, animation.has_forces);
  const auto& all_times = viewed.samples->times();
  const std::size_t width = layout.columns.size();
  const auto varying = static_cast<std::size_t>(
      std::count_if(layout.columns.begin(), layout.columns.end(),
                    [](const FrameColumn& column) { return column.rule != FrameColumn::Rule::constant; }));
  const std::size_t room = std::max<std::size_t>(most_frame_bytes / (2 * varying + sizeof(double)), 1);
  const std::size_t wanted = std::min({most_frames, room, all_times.size()});
  animation.stride = (all_times.size() + wanted - 1) / wanted;
  std::vector<double> times;
  for (std::size_t k = 0; k < all_times.size(); k += animation.stride) times.push_back(all_times[k]);
  const std::vector<float> rows = read_frames(viewed, layout, 0, all_times.size(), animation.stride);
  animation.shown = times.size();

  const Eigen::AlignedBox3d box = scene_box(viewed.model, layout, rows);
  const double extent = box.diagonal().norm();
  const Outlook outlook = outlook_on(viewed.model);
  const Eigen::Vector3d& gravity = viewed.model.gravity;
  const auto list = [](const Eigen::Vector3d& vector) { return Json{vector.x(), vector.y(), vector.z()}; };
  Json scene = {{"planar", viewed.model.planar},
                {"box", {rounded(box.min(), extent), rounded(box.max(), extent)}},
                {"right", list(outlook.right)},
                {"up", list(outlook.up)},
                {"vertical", list(gravity.norm() > 0 ? Eigen::Vector3d(-gravity.normalized())
                                                     : Eigen::Vector3d(Eigen::Vector3d::UnitZ()))},
                {"largest_force", largest_force(layout, rows)}};
  scene["palette"] = Json::array();
  for (int k = 0; k < palette_size; ++k) scene["palette"].push_back(hex_of(palette_color(k)));
  for (const char* key : {"bodies", "contacts"}) scene[key] = Json::array();
  for (const FrameLayout::Body& body : layout.bodies) scene["bodies"].push_back(body.place);
  for (const FrameLayout::Contact& contact : layout.contacts) scene["contacts"].push_back(contact.place);
  describe_parts(drawn_parts(viewed.model, box, 24), extent, scene);
  describe_elements(viewed, layout, extent, scene);
  animation.scene = scene.dump(-1, ' ', false, Json::error_handler_t::replace);
  animation.frames = to_base64(pack_frames(times, rows, width));
  return animation;
}

}  // namespace carom::inline reporting
