#include "exports/export_gltf.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "base/write_file.h"
#include "exports/glb.h"
#include "exports/shaded_mesh.h"
#include "plotting/canvas.h"
#include "viewing/drawn_parts.h"

namespace carom::inline exports {
namespace {

using Json = Glb::Json;

constexpr double arrow_share = 0.25;  // of the size of the scene: the arrow of the largest force
constexpr double layer_share = 1e-3;  // of the size of the scene: between the bodies of a planar model, which lie flat
constexpr int arrow_sides = 12, bar_sides = 24;

// Colours of glTF are linear, those of files and palettes sRGB.
double linear(double part) {
  return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
}

Rgb color_of(const DrawnPart& part, int look) {
  if (part.color) return rgb_of(*part.color);
  return look == 0 ? Rgb{0.6, 0.6, 0.6} : palette_color((look - 1) % palette_size);
}

// By body: its own number, of nodes of a beam that of the first, so that a beam looks like one part.
std::vector<int> looks_of(const Model& model) {
  std::vector<int> looks(model.bodies.size() + 1);
  std::iota(looks.begin(), looks.end(), 0);
  for (const BeamModel& beam : model.beams) {
    for (const int node : beam.nodes) looks[node] = looks[beam.nodes.front()];
  }
  return looks;
}

Solid arrow_solid() {
  Solid arrow = cylinder_solid(0.02, 0.8, arrow_sides);
  place(arrow, {0, 0, 0.4}, Eigen::Quaterniond::Identity());
  Solid tip;
  for (int k = 0; k < arrow_sides; ++k) {
    const double angle = 2 * std::numbers::pi * k / arrow_sides;
    tip.points.emplace_back(0.06 * std::cos(angle), 0.06 * std::sin(angle), 0.8);
    tip.faces.push_back({k, (k + 1) % arrow_sides, arrow_sides});
  }
  tip.points.emplace_back(0, 0, 1);
  append(arrow, tip);
  arrow.edges.clear();
  return arrow;
}

/// Fills a glTF with the bodies of a result and their motion.
class GltfScene {
 public:
  GltfScene(const Viewed& viewed, const SampleRange& samples)
      : viewed_(viewed), layout_(lay_out_frames(viewed)), looks_(looks_of(viewed.model)) {
    const bool recorded = std::any_of(layout_.bodies.begin(), layout_.bodies.end(),
                                      [](const FrameLayout::Body& body) { return body.position_recorded; });
    if (!viewed.drawable || !recorded)
      throw ResultError(fmt::format("{} holds no positions of bodies; add \"body:*\" to output.record", viewed.file));
    rows_ = read_frames(viewed, layout_, samples.first, samples.last, samples.stride);
    for (std::size_t at = samples.first; at < samples.last; at += samples.stride)
      times_.push_back(viewed.samples->times()[at]);
    box_ = scene_box(viewed.model, layout_, rows_);
  }

  GltfFile build(Glb& glb, double seconds) {
    GltfFile made{.samples = times_.size()};
    const double span = times_.back() - times_.front();
    made.slower = seconds > 0 && span > 0 ? seconds / span : 1;
    std::vector<float> clock;
    for (const double time : times_) clock.push_back(static_cast<float>((time - times_.front()) * made.slower));
    if (times_.size() > 1) clock_ = glb.add_vectors(clock, 1);
    add_bodies(glb);
    add_arrows(glb, made);
    // y is up in glTF; in space z is in Carom.
    Json root = {{"name", viewed_.model.name}, {"children", top_}};
    if (!viewed_.model.planar) root["rotation"] = {-std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
    const std::size_t scene_root = glb.add("nodes", std::move(root));
    glb.add("scenes", {{"name", viewed_.model.name}, {"nodes", {scene_root}}});
    glb.description()["scene"] = 0;
    glb.description()["asset"]["extras"] = {
        {"start", times_.front()}, {"end", times_.back()}, {"slower_than_real_time", made.slower}};
    if (!channels_.empty())
      glb.add("animations", {{"name", "motion"}, {"samplers", samplers_}, {"channels", channels_}});
    return made;
  }

 private:
  const float* row(std::size_t sample) const { return &rows_[sample * layout_.columns.size()]; }

  std::size_t material(Glb& glb, const Rgb& color, double alpha) {
    Json entry = {{"pbrMetallicRoughness",
                   {{"baseColorFactor", {linear(color.red), linear(color.green), linear(color.blue), alpha}},
                    {"metallicFactor", 0.1},
                    {"roughnessFactor", 0.7}}},
                  {"doubleSided", viewed_.model.planar || alpha < 1}};
    if (alpha < 1) entry["alphaMode"] = "BLEND";
    const std::string key = entry.dump();
    const auto known = std::find(materials_.begin(), materials_.end(), key);
    if (known != materials_.end()) return static_cast<std::size_t>(known - materials_.begin());
    materials_.push_back(key);
    return glb.add("materials", std::move(entry));
  }

  // Null where there is nothing to draw.
  Json mesh_of(Glb& glb, const Solid& solid, const Rgb& color) {
    const ShadedMesh mesh = shaded_mesh(solid);
    Json primitives = Json::array();
    if (!mesh.triangles.empty())
      primitives.push_back(
          {{"attributes",
            {{"POSITION", glb.add_vectors(mesh.points, 3)}, {"NORMAL", glb.add_vectors(mesh.normals, 3)}}},
           {"indices", glb.add_indices(mesh.triangles)},
           {"material", material(glb, color, solid.hollow ? 0.25 : 1)}});
    if (!mesh.lines.empty())
      primitives.push_back({{"attributes", {{"POSITION", glb.add_vectors(mesh.line_points, 3)}}},
                            {"indices", glb.add_indices(mesh.lines)},
                            {"mode", 1},
                            {"material", material(glb, {0.15, 0.15, 0.15}, 1)}});
    if (primitives.empty()) return {};
    return glb.add("meshes", {{"primitives", std::move(primitives)}});
  }

  void add_bodies(Glb& glb) {
    std::vector<DrawnPart> parts = drawn_parts(viewed_.model, box_, 32);
    add_beams(parts);
    std::vector<std::vector<std::size_t>> children(viewed_.model.bodies.size() + 1);
    for (const DrawnPart& part : parts) {
      const Json mesh = mesh_of(glb, part.solid, color_of(part, looks_[part.body]));
      if (!mesh.is_null()) children[part.body].push_back(glb.add("nodes", {{"mesh", mesh}}));
    }
    for (std::size_t body = 0; body < children.size(); ++body) {
      if (children[body].empty()) continue;
      const std::size_t node = glb.add("nodes", {{"name", body == 0 ? "ground" : viewed_.model.bodies[body - 1].name},
                                                 {"children", children[body]}});
      top_.push_back(node);
      if (body > 0) move(glb, node, static_cast<int>(body));
    }
  }

  // Half of every element goes with each of its nodes, as it lies in the first sample.
  void add_beams(std::vector<DrawnPart>& parts) const {
    for (const BeamModel& beam : viewed_.model.beams) {
      const double radius = beam_radius(beam);
      for (std::size_t e = 0; e < beam.elements.size(); ++e) {
        const Pose a = pose_of(layout_, row(0), beam.nodes[e]), b = pose_of(layout_, row(0), beam.nodes[e + 1]);
        const std::vector<Eigen::Vector3d> line = element_line(beam, e, a, b, 2);
        const auto add = [&](int body, const Pose& pose, const Eigen::Vector3d& end) {
          const auto local = [&](const Eigen::Vector3d& point) -> Eigen::Vector3d {
            return pose.turn.conjugate() * (point - pose.origin);
          };
          parts.push_back(
              {.body = body, .color = {}, .solid = bar_solid(local(end), local(line[1]), radius, bar_sides)});
          parts.back().solid.edges.clear();
        };
        add(beam.nodes[e], a, line.front());
        add(beam.nodes[e + 1], b, line.back());
      }
    }
  }

  // m, in front of the ground: flat bodies in one plane would flicker.
  double layer(int body) const {
    return viewed_.model.planar ? layer_share * looks_[body] * box_.diagonal().norm() : 0;
  }

  // Where it stands, and how it moves if it does.
  void move(Glb& glb, std::size_t node, int body) {
    std::vector<float> places, turns;
    Eigen::Quaterniond last = Eigen::Quaterniond::Identity();
    for (std::size_t sample = 0; sample < times_.size(); ++sample) {
      const Pose pose = pose_of(layout_, row(sample), body);
      const Eigen::Vector4d sign = pose.turn.coeffs().dot(last.coeffs()) < 0 ? -pose.turn.coeffs() : pose.turn.coeffs();
      last.coeffs() = sign;
      const Eigen::Vector3d place = pose.origin + layer(body) * Eigen::Vector3d::UnitZ();
      for (const double value : place) places.push_back(static_cast<float>(value));
      for (const double value : sign) turns.push_back(static_cast<float>(value));
    }
    animate(glb, node, "translation", places, 3, "LINEAR");
    animate(glb, node, "rotation", turns, 4, "LINEAR");
  }

  void animate(Glb& glb, std::size_t node, const char* path, const std::vector<float>& values, int components,
               const char* interpolation) {
    const auto width = static_cast<std::size_t>(components);
    Json& entry = glb.entry("nodes", node);
    entry[path] = std::vector<float>(values.begin(), values.begin() + components);
    const bool moves = !std::equal(values.begin() + components, values.end(), values.begin());
    if (!moves || values.size() == width) return;
    samplers_.push_back(
        {{"input", clock_}, {"output", glb.add_vectors(values, components)}, {"interpolation", interpolation}});
    channels_.push_back({{"sampler", samplers_.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  }

  struct Arrow {
    std::size_t contact = 0;
    double largest = 0;  // N
  };

  void add_arrows(Glb& glb, GltfFile& made) {
    std::vector<Arrow> arrows;
    for (std::size_t k = 0; k < layout_.contacts.size(); ++k) {
      Arrow arrow{.contact = k};
      for (std::size_t sample = 0; sample < times_.size(); ++sample)
        arrow.largest = std::max(arrow.largest, force_at(sample, k).norm());
      if (arrow.largest > 0) arrows.push_back(arrow);
    }
    if (arrows.empty()) return;
    std::stable_sort(arrows.begin(), arrows.end(),
                     [](const Arrow& a, const Arrow& b) { return a.largest > b.largest; });
    if (arrows.size() > most_gltf_arrows) {
      made.left_out = arrows.size() - most_gltf_arrows;
      arrows.resize(most_gltf_arrows);
    }
    const double scale = arrow_share * box_.diagonal().norm() / arrows.front().largest;
    const Json mesh = mesh_of(glb, arrow_solid(), {0.85, 0.1, 0.1});
    for (const Arrow& arrow : arrows) add_arrow(glb, arrow.contact, mesh, scale);
  }

  // N, none where nothing touches.
  Eigen::Vector3d force_at(std::size_t sample, std::size_t contact) const {
    const float* at = row(sample) + layout_.contacts[contact].place;
    const Eigen::Vector3d force(at[4], at[5], at[6]);
    return at[0] > 0.5F && force.allFinite() ? force : Eigen::Vector3d::Zero();
  }

  // It jumps from sample to sample: a contact that has ended must not fade away.
  void add_arrow(Glb& glb, std::size_t contact, const Json& mesh, double scale) {
    const std::size_t node = glb.add("nodes", {{"name", layout_.contacts[contact].group}, {"mesh", mesh}});
    top_.push_back(node);
    std::vector<float> places, turns, sizes;
    for (std::size_t sample = 0; sample < times_.size(); ++sample) {
      const float* at = row(sample) + layout_.contacts[contact].place;
      const Eigen::Vector3d force = force_at(sample, contact);
      const Eigen::Quaterniond turn = force.norm() > 0
                                          ? Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), force)
                                          : Eigen::Quaterniond::Identity();
      for (int k = 0; k < 3; ++k) places.push_back(force.norm() > 0 && std::isfinite(at[1 + k]) ? at[1 + k] : 0);
      places.back() += static_cast<float>(layer(static_cast<int>(viewed_.model.bodies.size())) * 1.5);
      for (const double value : turn.coeffs()) turns.push_back(static_cast<float>(value));
      sizes.insert(sizes.end(), 3, static_cast<float>(scale * force.norm()));
    }
    animate(glb, node, "translation", places, 3, "STEP");
    animate(glb, node, "rotation", turns, 4, "STEP");
    animate(glb, node, "scale", sizes, 3, "STEP");
  }

  const Viewed& viewed_;
  FrameLayout layout_;
  std::vector<int> looks_;
  std::vector<float> rows_;
  std::vector<double> times_;
  Eigen::AlignedBox3d box_;
  std::size_t clock_ = 0;
  std::vector<std::size_t> top_;
  std::vector<std::string> materials_;
  Json samplers_ = Json::array(), channels_ = Json::array();
};

}  // namespace

GltfFile export_gltf(const Viewed& viewed, const SampleRange& samples, double seconds,
                     const std::filesystem::path& file) {
  Glb glb;
  GltfFile made = GltfScene(viewed, samples).build(glb, seconds);
  const std::string bytes = glb.bytes();
  made.bytes = bytes.size();
  write_file(file, bytes);
  return made;
}

}  // namespace carom::inline exports
