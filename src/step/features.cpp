#include "step/features.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace carom::inline step {
namespace {

constexpr double same_place = 1e-8;  // m, of faces on one cylinder or sphere: the precision of STEP files
constexpr double same_turn = 1e-7;   // rad, of their axes

// Faces of one surface, in the axes of the part.
struct Group {
  bool ball, hollow;
  Eigen::Vector3d position, axis;
  double radius;
  struct Stretch {
    double low, high, area;
  };
  std::vector<Stretch> stretches;

  bool holds(const StepFace& face) const {
    if (ball != (face.kind == FaceKind::sphere) || hollow != face.hollow) return false;
    if (std::abs(radius - face.radius) > same_place) return false;
    const Eigen::Vector3d away = face.position - position;
    if (ball) return away.norm() < same_place;
    return axis.cross(face.axis).norm() < same_turn && axis.cross(away).norm() < same_place;
  }
  void add(const StepFace& face) {
    const double shift = ball ? 0 : axis.dot(face.position - position);
    const bool along = axis.dot(face.axis) > 0;
    stretches.push_back({shift + (along ? face.low : -face.high), shift + (along ? face.high : -face.low), face.area});
  }
  // Joins stretches that touch, so that pieces around the axis become one.
  void join() {
    std::sort(stretches.begin(), stretches.end(), [](const Stretch& a, const Stretch& b) { return a.low < b.low; });
    std::vector<Stretch> joined;
    for (const Stretch& each : stretches) {
      if (!joined.empty() && (ball || each.low < joined.back().high + same_place)) {
        joined.back().high = std::max(joined.back().high, each.high);
        joined.back().area += each.area;
      } else {
        joined.push_back(each);
      }
    }
    stretches = std::move(joined);
  }
};

std::vector<Group> groups_of(const StepPart& part) {
  std::vector<Group> groups;
  for (const StepFace& face : part.faces) {
    const bool ball = face.kind == FaceKind::sphere;
    if ((!ball && face.kind != FaceKind::cylinder) || !(face.radius > 0)) continue;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& each) { return each.holds(face); });
    if (group == groups.end()) {
      groups.push_back({ball, face.hollow, face.position, face.axis, face.radius, {}});
      group = groups.end() - 1;
    }
    group->add(face);
  }
  for (Group& group : groups) group.join();
  return groups;
}

void add_round(const std::vector<Group>& groups, const StepPlacement& placement, int place, Features& features) {
  const auto to_file = [&](const Eigen::Vector3d& point) -> Eigen::Vector3d {
    return placement.position + placement.orientation * point;
  };
  for (const Group& group : groups) {
    for (const Group::Stretch& stretch : group.stretches) {
      RoundFeature feature;
      feature.place = place;
      feature.ball = group.ball, feature.hollow = group.hollow;
      feature.axis = placement.orientation * group.axis;
      feature.radius = group.radius;
      feature.length = stretch.high - stretch.low;
      const double middle = (stretch.low + stretch.high) / 2;
      feature.centre = to_file(group.ball ? group.position : Eigen::Vector3d(group.position + middle * group.axis));
      const double whole =
          group.ball ? 4 * M_PI * group.radius * group.radius : 2 * M_PI * group.radius * feature.length;
      feature.cover = whole > 0 ? stretch.area / whole : 0;
      features.round.push_back(feature);
    }
  }
}

void add_flat(const StepPart& part, const StepPlacement& placement, int place, Features& features) {
  std::vector<int> number(part.faces.size(), -1);
  for (std::size_t k = 0; k < part.faces.size(); ++k) {
    if (part.faces[k].kind != FaceKind::plane) continue;
    number[k] = static_cast<int>(features.flat.size());
    FlatFeature flat;
    flat.place = place;
    flat.normal = placement.orientation * part.faces[k].axis;
    features.flat.push_back(std::move(flat));
  }
  for (std::size_t k = 0; k < part.triangles.size(); ++k) {
    const int flat = number[static_cast<std::size_t>(part.face_of_triangle[k])];
    if (flat < 0) continue;
    for (const int corner : part.triangles[k]) {
      features.flat[static_cast<std::size_t>(flat)].points.push_back(
          placement.position + placement.orientation * part.points[static_cast<std::size_t>(corner)]);
    }
  }
}

}  // namespace

double FlatFeature::low(const Eigen::Vector3d& along) const {
  double least = std::numeric_limits<double>::infinity();
  for (const Eigen::Vector3d& point : points) least = std::min(least, along.dot(point));
  return least;
}

double FlatFeature::high(const Eigen::Vector3d& along) const {
  return -low(-along);
}

Features find_features(const StepAssembly& assembly) {
  std::vector<std::vector<Group>> groups;
  for (const StepPart& part : assembly.parts) groups.push_back(groups_of(part));
  Features features;
  for (std::size_t k = 0; k < assembly.placements.size(); ++k) {
    const StepPlacement& placement = assembly.placements[k];
    const auto part = static_cast<std::size_t>(placement.part);
    add_round(groups[part], placement, static_cast<int>(k), features);
    add_flat(assembly.parts[part], placement, static_cast<int>(k), features);
  }
  std::erase_if(features.flat, [](const FlatFeature& flat) { return flat.points.empty(); });
  for (FlatFeature& flat : features.flat) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const Eigen::Vector3d& point : flat.points) sum += point;
    flat.centre = sum / static_cast<double>(flat.points.size());
  }
  return features;
}

std::vector<NamedFace> named_faces(const StepPart& part) {
  constexpr double whole_cylinder = 0.7, half_ball = 0.5;  // of their areas
  Features features;
  add_round(groups_of(part), {}, 0, features);
  std::map<std::string, int> counts;
  std::vector<NamedFace> named;
  for (const RoundFeature& feature : features.round) {
    if (feature.cover < (feature.ball ? half_ball : whole_cylinder)) continue;
    const std::string kind = feature.ball ? feature.hollow ? "socket" : "ball" : feature.hollow ? "hole" : "pin";
    named.push_back({kind + " " + std::to_string(++counts[kind]), feature});
  }
  return named;
}

}  // namespace carom::inline step
