#include "bearings/ball_law.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include "contact_laws/elliptic_contact.h"

namespace carom::inline bearings {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

// A contact pulls the ball towards the centre of its groove while that is farther away than its arm.
struct Pull {
  Vector2d normal;  // from the ball's side to the groove's centre, or the other way round: along the line of contact
  double length = 0, load = 0, slope = 0;  // m, N, N/m

  Pull(const Vector2d& line, double arm, double stiffness) : normal(line), length(line.norm()) {
    normal /= std::max(length, std::numeric_limits<double>::min());
    const double depth = length - arm;
    if (!(depth > 0)) return;
    const double root = std::sqrt(depth);
    load = stiffness * depth * root, slope = 1.5 * stiffness * root;
  }
  // ∂(load · normal)/∂line.
  Matrix2d stiffness() const {
    const double across = length > 0 ? load / length : 0;
    return (slope - across) * normal * normal.transpose() + across * Matrix2d::Identity();
  }
  // ∂(angle)/∂line, the angle being that of the line against the radial direction.
  Vector2d turning() const { return {normal.y() / length, -normal.x() / length}; }
};

// What the speed does to a ball, with its derivatives by the angles of contact.
struct Drift {
  Vector2d force, by_inner, by_outer;
};

struct Orbit {
  double share, by_inner, by_outer;  // of the spin, by which the ball goes round
};

Orbit orbit(const BallLaw& law, const Vector2d& inner, const Vector2d& outer) {
  const double sine_i = inner.x(), cosine_i = inner.y(), sine_o = outer.x(), cosine_o = outer.y();
  const double free = 1 - law.diameter_ratio * cosine_i, both = 1 + cosine_i * cosine_o + sine_i * sine_o;
  // A ball that is not between both centres touches nothing inside: it rolls as if both angles were that of the outer
  // race.
  if (both < 1) return {(1 - law.diameter_ratio * cosine_o) / 2, 0, law.diameter_ratio * sine_o / 2};
  const double difference = sine_i * cosine_o - cosine_i * sine_o, bend = free * difference / (both * both);
  return {free / both, law.diameter_ratio * sine_i / both + bend, -bend};
}

Drift drift(const BallLaw& law, const RingSpeeds& speeds, const Vector2d& inner, const Vector2d& outer) {
  const Orbit share = orbit(law, inner, outer);
  const double round = speeds.outer + speeds.spin * share.share;
  const double sine = outer.x(), cosine = outer.y();
  const double moment = law.gyroscopic * speeds.spin * share.share * sine;  // 2 M_g/(D_w ω_m)
  const Vector2d across(-cosine, sine);
  // By ω_m, and by the share that stands in front of it in the moment.
  const double centrifugal = law.centrifugal * round * round;
  const auto change = [&](double share_change) {
    const double round_change = speeds.spin * share_change;
    const double moment_change = law.gyroscopic * speeds.spin * sine * share_change * round + moment * round_change;
    return Vector2d(Vector2d(0, 2 * law.centrifugal * round * round_change) + moment_change * across);
  };
  Drift result;
  result.force = Vector2d(0, centrifugal) + moment * round * across;
  result.by_inner = change(share.by_inner);
  result.by_outer = change(share.by_outer) + law.gyroscopic * speeds.spin * share.share * cosine * round * across +
                    moment * round * Vector2d(sine, cosine);
  return result;
}

// Of the force, by the speeds.
struct DriftBySpeeds {
  Vector2d by_spin, by_outer;
};

DriftBySpeeds drift_by_speeds(const BallLaw& law, const RingSpeeds& speeds, const Vector2d& inner,
                              const Vector2d& outer) {
  const double share = orbit(law, inner, outer).share, round = speeds.outer + speeds.spin * share;
  const Vector2d across = law.gyroscopic * share * outer.x() * Vector2d(-outer.y(), outer.x());
  const Vector2d by_round = Vector2d(0, 2 * law.centrifugal * round) + speeds.spin * across;
  return {share * by_round + round * across, by_round};
}

// The ball at a place: the forces on it, and how they change with it and with the inner groove.
struct Balance {
  Vector2d rest;
  Matrix2d by_place, by_centres;
};

Balance balance(const BallLaw& law, const Vector2d& centres, const RingSpeeds& speeds, const Vector2d& place) {
  const Pull inner(centres - place, law.inner_arm, law.inner_stiffness),
      outer(place, law.outer_arm, law.outer_stiffness);
  const Drift moved = drift(law, speeds, inner.normal, outer.normal);
  Balance result;
  result.rest = inner.load * inner.normal - outer.load * outer.normal + moved.force;
  const Matrix2d turned = moved.by_inner * inner.turning().transpose();
  result.by_centres = inner.stiffness() + turned;
  result.by_place = -result.by_centres - outer.stiffness() + moved.by_outer * outer.turning().transpose();
  return result;
}

Vector2d solve(const Matrix2d& matrix, const Vector2d& right) {
  const double determinant = matrix(0, 0) * matrix(1, 1) - matrix(0, 1) * matrix(1, 0);
  return Vector2d(matrix(1, 1) * right.x() - matrix(0, 1) * right.y(),
                  matrix(0, 0) * right.y() - matrix(1, 0) * right.x()) /
         determinant;
}

double centrifugal_force(const BallLaw& law, const RingSpeeds& speeds) {
  const double round = speeds.outer + speeds.spin * (1 - law.diameter_ratio) / 2;
  return law.centrifugal * round * round;
}

// Where a ball would stand, or where the centrifugal force alone would press it.
Vector2d first_place(const BallLaw& law, const Vector2d& centres, const RingSpeeds& speeds) {
  const double length = centres.norm(), depth = length - law.distance();
  const double thrown = std::pow(centrifugal_force(law, speeds) / law.outer_stiffness, 2.0 / 3);
  if (!(depth > 0)) return {0, law.outer_arm + thrown};
  const double outer = depth * std::pow(law.series_stiffness / law.outer_stiffness, 2.0 / 3);
  return (law.outer_arm + std::max(outer, 0.5 * thrown)) / length * centres;
}

}  // namespace

BallLaw ball_law(const RollingGeometry& geometry) {
  const double ball = geometry.element_diameter / 2, pitch = geometry.pitch_diameter / 2;
  const double cosine = std::cos(geometry.contact_angle);
  BallLaw law;
  for (int race = 0; race < 2; ++race) {
    // 1/ρ along the way: cos α/(D_pw/2 ∓ D_w/2 cos α), convex inside, concave outside; flat at 90°.
    const double along = race == 0 ? pitch - ball * cosine : -(pitch + ball * cosine);
    const double radius = cosine > 1e-9 ? along / cosine : std::numeric_limits<double>::infinity();
    const auto contact = elliptic_contact({ball, ball}, {-geometry.groove_radius[race], radius}, 0);
    assert(contact);
    (race == 0 ? law.inner_stiffness : law.outer_stiffness) = contact->stiffness(geometry.composite_modulus[race]);
  }
  law.series_stiffness =
      std::pow(std::pow(law.inner_stiffness, -2.0 / 3) + std::pow(law.outer_stiffness, -2.0 / 3), -1.5);
  law.inner_arm = geometry.groove_radius[0] - ball, law.outer_arm = geometry.groove_radius[1] - ball;
  law.diameter_ratio = ball / pitch;
  law.centrifugal = geometry.mass * pitch;
  law.gyroscopic = geometry.inertia / (ball * law.diameter_ratio);
  return law;
}

double standing_energy(const BallLaw& law, const Vector2d& centres) {
  const double depth = centres.norm() - law.distance();
  return depth > 0 ? 0.4 * law.series_stiffness * depth * depth * std::sqrt(depth) : 0;
}

Vector2d standing_force(const BallLaw& law, const Vector2d& centres) {
  const Pull pull(centres, law.distance(), law.series_stiffness);
  return pull.load * pull.normal;
}

Matrix2d standing_stiffness(const BallLaw& law, const Vector2d& centres) {
  return Pull(centres, law.distance(), law.series_stiffness).stiffness();
}

BallState standing_ball(const BallLaw& law, const Vector2d& centres) {
  const Pull pull(centres, law.distance(), law.series_stiffness);
  BallState state;
  state.inner_load = state.outer_load = pull.load;
  state.inner_angle = state.outer_angle = std::atan2(centres.x(), centres.y());
  state.place = (law.outer_arm + std::pow(pull.load / law.outer_stiffness, 2.0 / 3)) * pull.normal;
  return state;
}

bool settle_ball(const BallLaw& law, const Vector2d& centres, const RingSpeeds& speeds, BallRest& rest) {
  constexpr int steps = 40, halvings = 12;
  // A step that is so small against the depths of contacts is followed by one that rounding would swallow.
  const double small = 1e-8 * law.distance(), least = 1e-15 * law.distance();
  const auto try_from = [&](Vector2d start) {
    Balance now = balance(law, centres, speeds, start);
    for (int k = 0; k < steps; ++k) {
      const Vector2d step = -solve(now.by_place, now.rest);
      const double length = step.norm();
      if (!std::isfinite(length)) return false;
      if (length <= small) {
        rest.place = start + step, rest.centres = centres;
        rest.by_centres << solve(now.by_place, -now.by_centres.col(0)), solve(now.by_place, -now.by_centres.col(1));
        return true;
      }
      const double error = now.rest.squaredNorm();
      double share = 1;
      for (int halving = 0; halving < halvings; ++halving, share *= 0.5) {
        now = balance(law, centres, speeds, start + share * step);
        if (now.rest.squaredNorm() < error || share * length < least) break;
      }
      start += share * step;
    }
    return false;
  };
  const Vector2d expected = rest.place + rest.by_centres * (centres - rest.centres);
  const bool near = expected.y() > 0 && expected.squaredNorm() > law.outer_arm * law.outer_arm;
  if (near && try_from(expected)) return true;
  return try_from(first_place(law, centres, speeds));
}

Vector2d ball_force(const BallLaw& law, const Vector2d& centres, const Vector2d& place) {
  const Pull inner(centres - place, law.inner_arm, law.inner_stiffness);
  return inner.load * inner.normal;
}

BallForce ball_tangents(const BallLaw& law, const Vector2d& centres, const RingSpeeds& speeds, const Vector2d& place) {
  const Pull inner(centres - place, law.inner_arm, law.inner_stiffness),
      outer(place, law.outer_arm, law.outer_stiffness);
  const DriftBySpeeds moved = drift_by_speeds(law, speeds, inner.normal, outer.normal);
  const Balance at = balance(law, centres, speeds, place);
  const Matrix2d stiffness = inner.stiffness(), inverse = at.by_place.inverse();
  BallForce result;
  result.force = inner.load * inner.normal;
  // The ball settles anew: ∂p/∂c = −(∂g/∂p)⁻¹ ∂g/∂c.
  result.stiffness = stiffness + stiffness * inverse * at.by_centres;
  result.by_spin = stiffness * inverse * moved.by_spin;
  result.by_outer = stiffness * inverse * moved.by_outer;
  return result;
}

BallState ball_state(const BallLaw& law, const Vector2d& centres, const Vector2d& place) {
  const Pull inner(centres - place, law.inner_arm, law.inner_stiffness),
      outer(place, law.outer_arm, law.outer_stiffness);
  return {place, inner.load, outer.load, std::atan2(inner.normal.x(), inner.normal.y()),
          std::atan2(outer.normal.x(), outer.normal.y())};
}

double orbital_speed(const BallLaw& law, const RingSpeeds& speeds, double inner_angle, double outer_angle) {
  const auto direction = [](double angle) { return Vector2d(std::sin(angle), std::cos(angle)); };
  return speeds.outer + speeds.spin * orbit(law, direction(inner_angle), direction(outer_angle)).share;
}

}  // namespace carom::inline bearings
