#include "bearings/rolling_bearing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "bearings/contact_figures.h"
#include "bearings/quasi_static.h"
#include "model/ring_frames.h"

namespace carom::inline bearings {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Palmgren's torque against the rotation, smoothed around standstill.
struct Friction {
  bool acts = false;
  double load_arm = 0;       // f₁ D_pw, m
  double rib_arm = 0;        // f₂ D_pw, m
  double still = 0;          // M₀ while ν n < 2000, N m
  double by_speed = 0;       // M₀/|Ω|^(2/3) above
  double turning_point = 0;  // rad/s, where the two meet

  static constexpr double smooth_speed = 0.1;  // rad/s, at which friction is 76 % of itself

  // M and its derivatives by the spin, by the resultant force and by the sum of the loads of ribs.
  struct Torque {
    double value = 0, by_spin = 0, by_force = 0, by_ribs = 0;
  };
  Torque at(double spin, double force, double ribs) const {
    if (!acts) return {};
    const double speed = std::abs(spin);
    const bool fast = speed > turning_point && by_speed > 0;
    const double oil = fast ? by_speed * std::cbrt(speed * speed) : still;
    const double oil_by_spin = fast ? 2.0 / 3 * oil / speed * (spin < 0 ? -1 : 1) : 0;
    const double direction = std::tanh(spin / smooth_speed), slope = (1 - direction * direction) / smooth_speed;
    const double size = oil + load_arm * force + rib_arm * ribs;
    return {size * direction, oil_by_spin * direction + size * slope, load_arm * direction, rib_arm * direction};
  }
};

Friction friction_of(const Settings& settings, const RollingGeometry& geometry) {
  Friction friction;
  if (settings.text("friction") != name_of(BearingFriction::palmgren)) return friction;
  std::array<double, 3> factors = usual_friction_factors(geometry.type);
  if (const auto given = settings.numbers("friction_factors"); given.size() >= 2)
    std::copy_n(given.begin(), given.size(), factors.begin());
  constexpr double mm = 1e-3, mm2_per_s = 1e-6, per_minute = 2 * M_PI / 60, N_mm = 1e-3;
  const double viscosity = settings.number("viscosity") / mm2_per_s;
  const double rows = static_cast<double>(geometry.rows.size());
  const double size = factors[0] * 1e-7 * std::pow(geometry.pitch_diameter / mm, 3) * N_mm * rows;
  friction.acts = true;
  friction.load_arm = factors[1] * geometry.pitch_diameter, friction.rib_arm = factors[2] * geometry.pitch_diameter;
  if (!(viscosity > 0)) return friction;  // dry: the load alone
  friction.still = 160 * size;
  friction.by_speed = size * std::pow(viscosity / per_minute, 2.0 / 3);
  friction.turning_point = 2000 / viscosity * per_minute;
  return friction;
}

// Its rollers press ribs with their ends.
bool loads_ribs(const RollingGeometry& geometry) {
  return geometry.has_ribs() || geometry.type == BearingType::tapered_roller;
}

class RollingBearing final : public ForceElement<3> {
 public:
  RollingBearing(const Model& model, const BearingModel& bearing)
      : bearing_(rolling_geometry(model, bearing)), figures_(bearing_.geometry()) {
    const Settings& settings = bearing.element.settings;
    const AttachmentPair pair = attach_rings(model, settings);
    for (int side = 0; side < 2; ++side) {
      body_[side] = pair.at[side].body, point_[side] = pair.at[side].point, frame_[side] = pair.at[side].frame;
    }
    damping_ = settings.number("damping");
    rotational_damping_ = settings.number("rotational_damping");
    friction_ = friction_of(settings, bearing_.geometry());
    outputs_ = rolling_bearing_outputs(stated_geometry(settings));
    loads_ribs_ = loads_ribs(bearing_.geometry());
    if (settings.has("speed")) given_speed_ = settings.number("speed");
  }

  std::vector<int> bodies() const override {
    std::vector<int> result;
    for (const int body : body_) {
      if (body > 0) result.push_back(body);
    }
    return result;
  }

  double apply(const Bodies<3>& bodies, double, Loads<3>& loads) const override {
    const Motion motion = look(bodies);
    const RingForces resisting = bearing_.forces(motion.place, motion.speeds);
    const Action action = act(motion, resisting.all, resisting.ribs);
    loads.add_force(bodies, body_[1], motion.lever[1], -action.force);
    loads.add_force(bodies, body_[0], motion.lever[0] + motion.apart, action.force);
    loads.add_torque(bodies, body_[1], -action.torque);
    loads.add_torque(bodies, body_[0], action.torque);
    // Of all forces, less the rate of the energy of the standing bearing.
    double power = -action.force.dot(motion.drift) - action.torque.dot(motion.turning);
    return power + resisting.standing.dot(motion.rate);
  }

  bool tangents(const Bodies<3>& bodies, double, ForceTangents<3>& result) const override {
    if (body_[0] == body_[1]) return false;
    const Motion motion = look(bodies);
    RingLoad load = bearing_.load(motion.place, motion.speeds);
    if (given_speed_) {
      load.by_spin.setZero(), load.by_outer.setZero();
      load.ribs_by_spin = load.ribs_by_outer = 0;
    }
    int column = 0;
    for (int moved = 0; moved < 2; ++moved) {
      if (body_[moved] == 0) continue;
      for (int k = 0; k < 6; ++k) {
        const Vector3d unit = k < 3 ? Vector3d(Vector3d::Unit(k))
                                    : bodies[body_[moved]].orientation.angular_to_world(Vector3d::Unit(k - 3));
        Shift shift;
        (k < 3 ? shift.position : shift.rotation) = unit;
        put(bodies, motion, load, change_by_place(bodies, motion, load, moved, shift), moved, shift, column, k,
            result.stiffness);
        Shift none;
        put(bodies, motion, load, change_by_speed(motion, load, moved, shift), moved, none, column, k, result.damping);
      }
      ++column;
    }
    return true;
  }

  double energy(const Bodies<3>& bodies, double) const override { return bearing_.standing_energy(look(bodies).place); }

  // The speed alone makes it lose what a gradient would keep.
  bool is_conservative() const override { return false; }

  std::vector<OutputDescription> outputs() const override { return outputs_; }
  void output(const Bodies<3>& bodies, double t, double* values) const override;

 private:
  // Of the inner ring against the outer one.
  struct Motion {
    Matrix3d frame;  // axes of the outer ring in the world
    std::array<Vector3d, 2> lever;
    Vector3d axis;          // of the inner ring, world
    Vector3d apart, drift;  // m, m/s: of the centres, world; the rate as the rotating outer ring sees it
    Vector3d turning;       // rad/s, world: relative angular velocity
    RingPlace place, rate;
    double spin = 0;    // rad/s
    RingSpeeds speeds;  // with which the elements settle: that, or what the model says
  };
  // What the bearing does to the outer ring, at the centre of the inner one; the opposite to the inner ring. World.
  struct Action {
    Vector3d force, torque;
  };
  // A small displacement of one body.
  struct Shift {
    Vector3d position = Vector3d::Zero(), rotation = Vector3d::Zero();
  };

  Motion look(const Bodies<3>& bodies) const {
    const BodyState<3>&outer = bodies[body_[0]], &inner = bodies[body_[1]];
    Motion motion;
    motion.frame = outer.orientation.matrix() * frame_[0];
    motion.lever = {outer.lever(point_[0]), inner.lever(point_[1])};
    motion.axis = inner.orientation * Vector3d(frame_[1].col(2));
    motion.apart = inner.position + motion.lever[1] - outer.position - motion.lever[0];
    motion.turning = inner.angular_velocity - outer.angular_velocity;
    motion.drift = inner.velocity_at(motion.lever[1]) - outer.velocity_at(motion.lever[0]) -
                   outer.angular_velocity.cross(motion.apart);
    const Vector3d tilt_rate = motion.turning.cross(motion.axis);
    motion.place << motion.frame.transpose() * motion.apart, motion.frame.leftCols<2>().transpose() * motion.axis;
    motion.rate << motion.frame.transpose() * motion.drift, motion.frame.leftCols<2>().transpose() * tilt_rate;
    motion.speeds.outer = outer.angular_velocity.dot(motion.frame.col(2));
    motion.spin = motion.speeds.spin = inner.angular_velocity.dot(motion.axis) - motion.speeds.outer;
    if (given_speed_) motion.speeds = {.outer = 0, .spin = *given_speed_};
    return motion;
  }

  // Forces along the axes of the outer ring; the moments work on the tilt of the inner ring's axis.
  Action act(const Motion& motion, const RingPlace& resisting, double ribs) const {
    const Vector3d along = resisting.head<3>();
    const Vector3d on_axis = motion.frame.leftCols<2>() * resisting.tail<2>();
    const double spinning = motion.turning.dot(motion.axis);
    Action action;
    action.force = motion.frame * along + damping_ * motion.drift;
    action.torque = motion.axis.cross(on_axis) + rotational_damping_ * (motion.turning - spinning * motion.axis) +
                    friction_.at(motion.spin, along.norm(), ribs).value * motion.axis;
    return action;
  }

  // How force and torque change while one body moves.
  Action change_by_place(const Bodies<3>& bodies, const Motion& motion, const RingLoad& load, int moved,
                         const Shift& shift) const;
  Action change_by_speed(const Motion& motion, const RingLoad& load, int moved, const Shift& shift) const;
  Action change(const Motion& motion, const RingLoad& load, const RingPlace& place_change, double spin_change,
                double outer_change) const;
  // Into a column of the tangents: the loads on both bodies, with their levers.
  void put(const Bodies<3>& bodies, const Motion& motion, const RingLoad& load, const Action& change, int moved,
           const Shift& shift, int column, int k, ForceTangents<3>::Block (&blocks)[2][2]) const;

  QuasiStaticBearing bearing_;
  ContactFigures figures_;
  std::array<int, 2> body_{};
  std::array<Vector3d, 2> point_;
  std::array<Matrix3d, 2> frame_;
  double damping_ = 0, rotational_damping_ = 0;
  Friction friction_;
  std::optional<double> given_speed_;  // rad/s
  bool loads_ribs_ = false;
  std::vector<OutputDescription> outputs_;
};

// By the elements and by friction, in the axes that there are.
RollingBearing::Action RollingBearing::change(const Motion& motion, const RingLoad& load, const RingPlace& place_change,
                                              double spin_change, double outer_change) const {
  const RingPlace growth = load.stiffness * place_change + load.by_spin * spin_change + load.by_outer * outer_change;
  const Vector3d along = load.force.head<3>();
  const double size = along.norm();
  const Friction::Torque torque = friction_.at(motion.spin, size, load.ribs);
  const double ribs_change =
      load.ribs_by_place.dot(place_change) + load.ribs_by_spin * spin_change + load.ribs_by_outer * outer_change;
  const double size_change = size > 0 ? along.dot(growth.head<3>()) / size : 0;
  Action action;
  action.force = motion.frame * growth.head<3>();
  action.torque =
      motion.axis.cross(Vector3d(motion.frame.leftCols<2>() * growth.tail<2>())) +
      (torque.by_spin * spin_change + torque.by_force * size_change + torque.by_ribs * ribs_change) * motion.axis;
  return action;
}

// Angular velocities keep to the axes of their bodies: they turn with them in the world, so that spins stay.
RollingBearing::Action RollingBearing::change_by_place(const Bodies<3>& bodies, const Motion& motion,
                                                       const RingLoad& load, int moved, const Shift& shift) const {
  const BodyState<3>& body = bodies[body_[moved]];
  const double side = moved == 1 ? 1 : -1;
  const bool outer = moved == 0;
  const Vector3d& turn = shift.rotation;
  const Vector3d apart = side * (shift.position + turn.cross(motion.lever[moved]));
  // The frame turns with the outer body: what it sees turns back.
  const Vector3d seen = outer ? Vector3d(apart - turn.cross(motion.apart)) : apart;
  const Vector3d axis_change = outer ? Vector3d(Vector3d::Zero()) : Vector3d(turn.cross(motion.axis));
  const Vector3d axis_seen = outer ? Vector3d(-turn.cross(motion.axis)) : axis_change;
  RingPlace place;
  place << motion.frame.transpose() * seen, motion.frame.leftCols<2>().transpose() * axis_seen;
  Action action = change(motion, load, place, 0, 0);

  const Vector3d along = load.force.head<3>(), force = motion.frame * along,
                 on_axis = motion.frame.leftCols<2>() * load.force.tail<2>();
  if (outer) {
    action.force += turn.cross(force);
    action.torque += motion.axis.cross(turn.cross(on_axis));
  }
  const Vector3d angular_change = turn.cross(body.angular_velocity);
  Vector3d drift = side * turn.cross(body.angular_velocity.cross(motion.lever[moved]));
  const Vector3d& outer_velocity = bodies[body_[0]].angular_velocity;
  drift -= outer_velocity.cross(apart);
  if (outer) drift -= angular_change.cross(motion.apart);
  action.force += damping_ * drift;
  const Vector3d turning = side * angular_change;
  const double spinning = motion.turning.dot(motion.axis);
  action.torque += axis_change.cross(on_axis);
  action.torque +=
      rotational_damping_ *
      (turning - (turning.dot(motion.axis) + motion.turning.dot(axis_change)) * motion.axis - spinning * axis_change);
  action.torque += friction_.at(motion.spin, along.norm(), load.ribs).value * axis_change;
  return action;
}

// `shift` is a change of velocities here.
RollingBearing::Action RollingBearing::change_by_speed(const Motion& motion, const RingLoad& load, int moved,
                                                       const Shift& shift) const {
  const double side = moved == 1 ? 1 : -1;
  const Vector3d& turn = shift.rotation;
  const double outer = moved == 0 ? turn.dot(motion.frame.col(2)) : 0;
  const double spin = moved == 1 ? turn.dot(motion.axis) : -outer;
  Action action = change(motion, load, RingPlace::Zero(), spin, outer);
  Vector3d drift = side * (shift.position + turn.cross(motion.lever[moved]));
  if (moved == 0) drift -= turn.cross(motion.apart);
  action.force += damping_ * drift;
  action.torque += rotational_damping_ * side * (turn - turn.dot(motion.axis) * motion.axis);
  return action;
}

void RollingBearing::put(const Bodies<3>& bodies, const Motion& motion, const RingLoad& load, const Action& change,
                         int moved, const Shift& shift, int column, int k,
                         ForceTangents<3>::Block (&blocks)[2][2]) const {
  const Action now = act(motion, load.force, load.ribs);
  int row = 0;
  for (int side = 0; side < 2; ++side) {
    if (body_[side] == 0) continue;
    // Both feel the force at the centre of the inner ring; the outer one the opposite of what is said of the inner.
    const double sign = side == 1 ? -1 : 1;
    const Vector3d lever = motion.lever[side] + (side == 0 ? motion.apart : Vector3d(Vector3d::Zero()));
    Vector3d lever_change = Vector3d::Zero();
    if (moved == 1) lever_change = shift.position + shift.rotation.cross(motion.lever[1]);
    if (side == 1) lever_change -= moved == 1 ? shift.position : Vector3d(Vector3d::Zero());
    if (side == 0 && moved == 0) lever_change -= shift.position;
    Vector3d torque = lever.cross(change.force) + lever_change.cross(now.force) + change.torque;
    if (side == moved) torque -= shift.rotation.cross(lever.cross(now.force) + now.torque);
    auto entries = blocks[row][column].col(k);
    entries.head<3>() = -sign * change.force;
    entries.tail<3>() = -sign * bodies[body_[side]].orientation.angular_to_body(torque);
    ++row;
  }
}

// Tilts are rotations about x and y: the axis leans by (tilt_y, −tilt_x).
void RollingBearing::output(const Bodies<3>& bodies, double, double* values) const {
  const Motion motion = look(bodies);
  const RingLoad load = bearing_.load(motion.place, motion.speeds);
  Eigen::Matrix<double, 5, 5> tilts = Eigen::Matrix<double, 5, 5>::Identity();
  tilts.bottomRightCorner<2, 2>() << 0, 1, -1, 0;
  const RingPlace place = tilts.transpose() * motion.place, force = -tilts.transpose() * load.force;
  const Eigen::Matrix<double, 5, 5> stiffness = tilts.transpose() * load.stiffness * tilts;
  double* out = values;
  const auto put_all = [&](const RingPlace& each) { out = std::copy_n(each.data(), 5, out); };
  put_all(force), put_all(place);
  *out++ = motion.speeds.spin;
  *out++ = motion.speeds.outer;
  *out++ = friction_.at(motion.spin, load.force.head<3>().norm(), load.ribs).value;

  const int count = bearing_.count();
  double *const each = out + 9 + 25, *const ribs = each + static_cast<std::ptrdiff_t>(6) * count;
  if (loads_ribs_) ribs[0] = 0;
  ContactFigure worst;
  double largest = 0, loaded = 0, round = 0;
  for (int k = 0; k < count; ++k) {
    const ElementResult element = bearing_.element(k, motion.place, motion.speeds);
    const ContactFigure figure = figures_.worse(bearing_, k, motion.place, motion.speeds, element);
    if (figure.pressure > worst.pressure) worst = figure;
    largest = std::max({largest, element.inner_load, element.outer_load});
    loaded += element.inner_load > 0 ? 1 : 0;
    round += element.orbital_speed / count;
    double* const mine = each + static_cast<std::ptrdiff_t>(6) * k;
    mine[0] = element.inner_load, mine[1] = element.outer_load;
    mine[2] = element.inner_angle, mine[3] = element.outer_angle, mine[4] = figure.pressure;
    mine[5] = figures_.shear(figure);
    if (!loads_ribs_) continue;
    ribs[0] = std::max(ribs[0], element.rib_load), ribs[k + 1] = element.rib_load;
  }
  const StressSummary stress = summary_of(worst, bearing_.geometry().poisson);
  for (const double value : {largest, loaded, worst.pressure, worst.major_axis, worst.minor_axis, stress.shear,
                             stress.shear_depth, stress.orthogonal_shear, round})
    *out++ = value;
  for (int row = 0; row < 5; ++row) {
    for (int column = 0; column < 5; ++column) *out++ = stiffness(row, column);
  }
}

}  // namespace

std::vector<OutputDescription> rolling_bearing_outputs(const RollingGeometry& geometry) {
  // A ball in four points has two lines of contact.
  const int count =
      geometry.elements * static_cast<int>(geometry.rows.size()) * (geometry.type == BearingType::four_point ? 2 : 1);
  std::vector<OutputDescription> list = {
      {"fx", "N", "force on the inner ring, x of the outer ring"},
      {"fy", "N", "force on the inner ring, y of the outer ring"},
      {"fz", "N", "force on the inner ring along the axis of the outer ring"},
      {"mx", "N m", "moment on the inner ring at its centre, x of the outer ring"},
      {"my", "N m", "moment on the inner ring at its centre, y of the outer ring"},
      {"dx", "m", "centre of the inner ring from that of the outer, x of the outer ring"},
      {"dy", "m", "centre of the inner ring from that of the outer, y of the outer ring"},
      {"dz", "m", "centre of the inner ring from that of the outer, along its axis"},
      {"tilt_x", "rad", "of the inner ring against the outer, about its x"},
      {"tilt_y", "rad", "of the inner ring against the outer, about its y"},
      {"spin", "rad/s", "of the inner ring against the outer; that of the key `speed` where it is given"},
      {"outer_speed", "rad/s", "of the outer ring about its axis"},
      {"friction_torque", "N m", "against the spin"},
      {"largest_load", "N", "of an element on a race"},
      {"loaded", "1", "number of elements that the inner ring presses"},
      {"largest_pressure", "Pa", "of an element on a race, in the middle of its contact"},
      {"major_axis", "m", "half axis of the ellipse of that contact; of a roller half its length"},
      {"minor_axis", "m", "the other half axis, or half the width of a roller's contact"},
      {"shear", "Pa", "largest shear stress below that contact"},
      {"shear_depth", "m", "its depth"},
      {"orthogonal_shear", "Pa", "amplitude of the shear stress parallel to the race below that contact"},
      {"cage_speed", "rad/s", "at which the elements go round, mean"}};
  for (int row = 1; row <= 5; ++row) {
    for (int column = 1; column <= 5; ++column)
      list.push_back({fmt::format("k{}{}", row, column),
                      row <= 3 ? (column <= 3 ? "N/m" : "N/rad") : (column <= 3 ? "N" : "N m/rad"),
                      "stiffness matrix of the elements, by dx, dy, dz, tilt_x, tilt_y"});
  }
  for (int k = 1; k <= count; ++k) {
    list.push_back({fmt::format("load{}", k), "N", "of the element on the inner race"});
    list.push_back({fmt::format("outer_load{}", k), "N", "of the element on the outer race"});
    list.push_back({fmt::format("angle{}", k), "rad", "of contact at the inner race"});
    list.push_back({fmt::format("outer_angle{}", k), "rad", "of contact at the outer race"});
    list.push_back({fmt::format("pressure{}", k), "Pa", "the larger one of both contacts"});
    list.push_back({fmt::format("shear{}", k), "Pa", "largest shear stress below that contact"});
  }
  if (!loads_ribs(geometry)) return list;
  list.push_back({"largest_rib_load", "N", "of the end of a roller on a rib"});
  for (int k = 1; k <= count; ++k)
    list.push_back({fmt::format("rib_load{}", k), "N", "of the end of the roller on a rib"});
  return list;
}

std::array<double, 3> usual_friction_factors(BearingType type) {
  switch (type) {
    case BearingType::deep_groove:
      return {2, 0.0005};
    case BearingType::angular_contact:
      return {3.3, 0.001};
    case BearingType::four_point:
      return {6, 0.001};
    case BearingType::thrust_ball:
      return {1.5, 0.0008};
    case BearingType::cylindrical_roller:
      return {2.5, 0.0003, 0.006};
    case BearingType::tapered_roller:
      return {4, 0.0004};
    case BearingType::needle:
      return {12, 0.0005};
    case BearingType::spherical_roller:
      return {4, 0.0005};
  }
  return {};
}

std::unique_ptr<ForceElement<3>> make_rolling_bearing(const Model& model, const BearingModel& bearing) {
  return std::make_unique<RollingBearing>(model, bearing);
}

}  // namespace carom::inline bearings
