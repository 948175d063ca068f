#include "cad_import/slides.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace carom::inline cad_import {
namespace {

constexpr double near_gap = 0.25;  // of the width, beyond which a block has nothing to do with a guide

// Two parallel faces of one part: walls that look at each other, or sides that look away from each other.
struct Sides {
  const FlatFeature *one, *two;  // `two` is the farther one along the normal
  Eigen::Vector3d normal;
  double middle, width;  // m, along the normal
};

// Faces of one part, in pairs; between walls there is room, between sides material.
struct FlatPairs {
  std::vector<Sides> walls, sides;
};

FlatPairs pairs_of(const std::vector<const FlatFeature*>& faces, const FitLimits& limits) {
  FlatPairs pairs;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    for (std::size_t k = i + 1; k < faces.size(); ++k) {
      const FlatFeature &one = *faces[i], &two = *faces[k];
      if ((one.normal + two.normal).norm() > limits.tilt || !face_each_other(one, two, two.normal)) continue;
      const double low = two.normal.dot(one.centre), high = two.normal.dot(two.centre);
      if (high > low) pairs.sides.push_back({&one, &two, two.normal, (low + high) / 2, high - low});
      // Of walls, which look at each other, the first is the farther one along the normal of the second.
      if (high < low) pairs.walls.push_back({&two, &one, two.normal, (low + high) / 2, low - high});
    }
  }
  return pairs;
}

// A block between two walls.
struct Match {
  const Sides *walls, *sides;
  Eigen::Vector3d normal;  // of the walls
  double middle;           // m, along the normal
  double clearance;        // m, on each side
  double apart;            // m, of the middles
};

std::vector<Match> matches_of(const FlatPairs& guide, const FlatPairs& block, const FitLimits& limits) {
  std::vector<Match> matches;
  for (const Sides& walls : guide.walls) {
    for (const Sides& sides : block.sides) {
      const double room = walls.width - sides.width;
      if (room < -limits.none || room > near_gap * walls.width) continue;
      const double sense = walls.normal.dot(sides.normal);
      if (std::abs(std::abs(sense) - 1) > limits.tilt) continue;
      const double middle = sense > 0 ? sides.middle : -sides.middle, apart = std::abs(middle - walls.middle);
      if (apart > near_gap * walls.width) continue;
      const FlatFeature &one = sense > 0 ? *sides.one : *sides.two, &two = sense > 0 ? *sides.two : *sides.one;
      if (!face_each_other(*walls.one, one, walls.normal) || !face_each_other(*walls.two, two, walls.normal)) continue;
      matches.push_back({&walls, &sides, walls.normal, walls.middle, room / 2, apart});
    }
  }
  return matches;
}

class SlideFinder {
 public:
  SlideFinder(int guide, int block, const FitLimits& limits, Fits& result)
      : guide_(guide), block_(block), limits_(limits), result_(result) {}

  // Every two matches across each other.
  void compare(const std::vector<Match>& matches) {
    for (std::size_t i = 0; i < matches.size(); ++i) {
      for (std::size_t k = i + 1; k < matches.size(); ++k) {
        if (std::abs(matches[i].normal.dot(matches[k].normal)) < limits_.tilt) compare(matches[i], matches[k]);
      }
    }
  }

 private:
  void compare(const Match& first, const Match& second) {
    const Eigen::Vector3d axis = first.normal.cross(second.normal).normalized();
    double guide_low = 0, guide_high = 0, block_low = 0, block_high = 0;
    extent({first.walls, second.walls}, axis, guide_low, guide_high);
    extent({first.sides, second.sides}, axis, block_low, block_high);
    const double low = std::max(guide_low, block_low), high = std::min(guide_high, block_high);
    if (high - low < limits_.apart) return;
    const auto miss = [&](const std::string& why) {
      result_.near_misses.push_back(
          {guide_, block_,
           fmt::format("a block of {:.7g} mm by {:.7g} mm in a guide of {:.7g} mm by {:.7g} mm: {}",
                       1000 * first.sides->width, 1000 * second.sides->width, 1000 * first.walls->width,
                       1000 * second.walls->width, why)});
    };
    const double apart = std::max(first.apart, second.apart);
    if (apart > limits_.apart) return miss(fmt::format("the middles are {:.7g} mm apart", 1000 * apart));
    const double larger = std::max(first.clearance, second.clearance);
    if (larger > limits_.largest * std::min(first.walls->width, second.walls->width) / 2)
      return miss(fmt::format("a clearance of {:.7g} mm on each side", 1000 * larger));
    if (std::abs(first.clearance - second.clearance) > limits_.apart) {
      return miss(fmt::format("clearances of {:.7g} mm and {:.7g} mm, of which a slide takes one",
                              1000 * first.clearance, 1000 * second.clearance));
    }
    Fit fit;
    fit.kind = FitKind::slide;
    fit.hole = guide_, fit.inside = block_;
    fit.axis = axis;
    fit.across = first.normal;
    fit.centre = first.middle * first.normal + second.middle * second.normal + (block_low + block_high) / 2 * axis;
    fit.hole_radius = first.walls->width / 2;
    fit.hole_height = second.walls->width;
    fit.clearance = larger < limits_.none ? 0 : first.clearance;
    fit.length = block_high - block_low;
    const bool known = std::any_of(result_.fits.begin(), result_.fits.end(), [&](const Fit& each) {
      return each.kind == FitKind::slide && each.hole == guide_ && each.inside == block_ &&
             (each.centre - fit.centre).norm() < limits_.apart && each.axis.cross(axis).norm() < limits_.tilt;
    });
    if (!known) result_.fits.push_back(fit);
  }

  // What all faces of two pairs have in common along the axis.
  static void extent(std::initializer_list<const Sides*> pairs, const Eigen::Vector3d& axis, double& low,
                     double& high) {
    low = -std::numeric_limits<double>::infinity(), high = -low;
    for (const Sides* each : pairs) {
      for (const FlatFeature* face : {each->one, each->two}) {
        low = std::max(low, face->low(axis));
        high = std::min(high, face->high(axis));
      }
    }
  }

  int guide_, block_;
  const FitLimits& limits_;
  Fits& result_;
};

}  // namespace

void find_slides(const Features& features, const FitLimits& limits, Fits& result) {
  std::map<int, std::vector<const FlatFeature*>> faces;
  for (const FlatFeature& face : features.flat) faces[face.place].push_back(&face);
  std::map<int, FlatPairs> pairs;
  for (const auto& [place, own] : faces) pairs.emplace(place, pairs_of(own, limits));
  for (const auto& [guide, walls] : pairs) {
    if (walls.walls.size() < 2) continue;
    for (const auto& [block, sides] : pairs) {
      if (guide == block || sides.sides.size() < 2) continue;
      SlideFinder(guide, block, limits, result).compare(matches_of(walls, sides, limits));
    }
  }
}

}  // namespace carom::inline cad_import
