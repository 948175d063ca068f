#include "cad_import/fits.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cad_import/slides.h"

namespace carom::inline cad_import {
namespace {

constexpr double near_tilt = 0.05;       // rad, within which axes nearly agree
constexpr double near_apart = 0.25;      // of the radius, within which they nearly coincide
constexpr double near_clearance = 0.25;  // of the radius, beyond which parts have nothing to do with each other
constexpr double near_overlap = 0.05;   // of the radius, by which a part may be too thick and still be meant for a hole
constexpr double whole_cylinder = 0.7;  // of the wall: oil holes and keyways leave so much
constexpr double half_ball = 0.5;       // of the sphere: less does not hold a ball

std::string millimetres(double length) {
  return fmt::format("{:.7g} mm", 1000 * length);
}

class RoundFits {
 public:
  RoundFits(const Features& features, const FitLimits& limits, Fits& result)
      : features_(features), limits_(limits), result_(result) {}

  void find() {
    for (const RoundFeature& hole : features_.round) {
      if (!hole.hollow) continue;
      for (const RoundFeature& inside : features_.round) {
        if (inside.hollow || inside.place == hole.place || inside.ball != hole.ball) continue;
        const double clearance = hole.radius - inside.radius;
        if (clearance > near_clearance * hole.radius || clearance < -near_overlap * hole.radius) continue;
        hole.ball ? compare_balls(hole, inside) : compare_cylinders(hole, inside);
      }
    }
  }

 private:
  void miss(const RoundFeature& hole, const RoundFeature& inside, const std::string& why) {
    result_.near_misses.push_back(
        {hole.place, inside.place,
         fmt::format("{} of {} in {} of {}: {}", hole.ball ? "a ball" : "a pin", millimetres(2 * inside.radius),
                     hole.ball ? "a socket" : "a hole", millimetres(2 * hole.radius), why)});
  }

  // False, and a near miss, where the clearance is none that a joint could have.
  bool check_clearance(const RoundFeature& hole, const RoundFeature& inside) {
    const double clearance = hole.radius - inside.radius;
    if (clearance < -limits_.none) {
      miss(hole, inside, fmt::format("too thick by {} across", millimetres(-2 * clearance)));
      return false;
    }
    if (clearance > limits_.largest * hole.radius) {
      miss(hole, inside,
           fmt::format("a clearance of {} across, {:.3g} % of the hole", millimetres(2 * clearance),
                       100 * clearance / hole.radius));
      return false;
    }
    return true;
  }

  Fit fit_of(FitKind kind, const RoundFeature& hole, const RoundFeature& inside) const {
    const double clearance = hole.radius - inside.radius;
    Fit fit;
    fit.kind = kind;
    fit.hole = hole.place, fit.inside = inside.place;
    fit.centre = hole.centre;
    fit.axis = hole.axis;
    fit.hole_radius = hole.radius;
    fit.clearance = std::abs(clearance) < limits_.none ? 0 : clearance;
    return fit;
  }

  void compare_balls(const RoundFeature& hole, const RoundFeature& inside) {
    const double apart = (hole.centre - inside.centre).norm();
    if (apart > near_apart * hole.radius) return;
    if (apart > limits_.apart) return miss(hole, inside, fmt::format("the centres are {} apart", millimetres(apart)));
    if (!check_clearance(hole, inside)) return;
    if (hole.cover < half_ball) {
      return miss(hole, inside,
                  fmt::format("the socket is {:.3g} % of a sphere and does not hold the ball", 100 * hole.cover));
    }
    result_.fits.push_back(fit_of(FitKind::ball, hole, inside));
  }

  void compare_cylinders(const RoundFeature& hole, const RoundFeature& inside) {
    const double tilt = std::min(1.0, hole.axis.cross(inside.axis).norm());
    if (tilt > near_tilt) return;
    // What both have in common along the axis of the hole.
    const Eigen::Vector3d away = inside.centre - hole.centre;
    const double shift = hole.axis.dot(away);
    const double low = std::max(-hole.length / 2, shift - inside.length / 2);
    const double high = std::min(hole.length / 2, shift + inside.length / 2);
    if (high - low < limits_.apart) return;
    const double middle = (low + high) / 2, along = hole.axis.dot(inside.axis) > 0 ? 1 : -1;
    const Eigen::Vector3d there = away + (middle - shift) * along * inside.axis;
    const double apart = (there - hole.axis.dot(there) * hole.axis).norm();
    if (apart > near_apart * hole.radius) return;
    if (tilt > limits_.tilt) return miss(hole, inside, fmt::format("the axes differ by {:.3g} deg", tilt * 180 / M_PI));
    if (apart > limits_.apart) return miss(hole, inside, fmt::format("the axes are {} apart", millimetres(apart)));
    if (!check_clearance(hole, inside)) return;
    for (const RoundFeature* each : {&hole, &inside}) {
      if (each->cover >= whole_cylinder) continue;
      return miss(hole, inside,
                  fmt::format("the {} is {:.3g} % of a cylinder", each->hollow ? "hole" : "pin", 100 * each->cover));
    }
    Fit fit = fit_of(FitKind::sleeve, hole, inside);
    fit.centre = hole.centre + middle * hole.axis;
    fit.length = high - low;
    if (is_stopped(fit, 1) && is_stopped(fit, -1)) fit.kind = FitKind::pin;
    result_.fits.push_back(fit);
  }

  // Whether a face of the hole's part is close before one of the part inside, so that it cannot move along the axis.
  bool is_stopped(const Fit& fit, double sense) const {
    const double farthest = std::max(1e-3, 0.1 * fit.length);  // m, from one to the other
    const Eigen::Vector3d ahead = sense * fit.axis;
    for (const FlatFeature& face : features_.flat) {
      if (face.place != fit.inside || (face.normal - ahead).norm() > limits_.tilt) continue;
      for (const FlatFeature& stop : features_.flat) {
        if (stop.place != fit.hole || (stop.normal + ahead).norm() > limits_.tilt) continue;
        const double gap = ahead.dot(stop.centre - face.centre);
        if (gap > -limits_.apart && gap < farthest && face_each_other(face, stop, ahead)) return true;
      }
    }
    return false;
  }

  const Features& features_;
  const FitLimits& limits_;
  Fits& result_;
};

}  // namespace

bool face_each_other(const FlatFeature& one, const FlatFeature& two, const Eigen::Vector3d& across) {
  const Eigen::Vector3d u = across.unitOrthogonal(), v = across.cross(u);
  for (const Eigen::Vector3d& along :
       {u, v, Eigen::Vector3d((u + v) / std::sqrt(2)), Eigen::Vector3d((u - v) / std::sqrt(2))}) {
    if (std::min(one.high(along), two.high(along)) <= std::max(one.low(along), two.low(along))) return false;
  }
  return true;
}

Fits find_fits(const Features& features, const FitLimits& limits) {
  Fits result;
  RoundFits(features, limits, result).find();
  find_slides(features, limits, result);
  return result;
}

}  // namespace carom::inline cad_import
