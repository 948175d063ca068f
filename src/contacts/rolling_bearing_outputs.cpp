#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "contacts/contact_outputs.h"

// What a ball bearing in space whose balls are bodies reports as a whole: under the names of the one whose balls are in
// equilibrium (bearings/rolling_bearing.cpp), where they mean the same.
namespace carom::inline contacts {
namespace {

using Eigen::Matrix3d, Eigen::Vector3d;

// Of the inner ring against the outer one.
struct RingMotion {
  Matrix3d frame;                // axes of the outer ring in the world
  Vector3d centre, outer, axis;  // of both rings, and the axis of the inner one; world
  Vector3d tilted;               // that axis, as the outer ring sees it
  double spin = 0, outer_speed = 0;
};

RingMotion motion_of(const AttachmentPair& rings, const Bodies<3>& bodies) {
  const BodyState<3>&outer = bodies[rings.at[0].body], &inner = bodies[rings.at[1].body];
  RingMotion motion;
  motion.frame = outer.orientation.matrix() * rings.at[0].frame;
  motion.outer = outer.position + outer.lever(rings.at[0].point);
  motion.centre = inner.position + inner.lever(rings.at[1].point);
  motion.axis = inner.orientation * Vector3d(rings.at[1].frame.col(2));
  motion.tilted = motion.frame.transpose() * motion.axis;
  motion.outer_speed = outer.angular_velocity.dot(motion.frame.col(2));
  motion.spin = inner.angular_velocity.dot(motion.axis) - motion.outer_speed;
  return motion;
}

// rad, from the radial plane of the outer ring towards its axis.
double angle_of_line(const Vector3d& line, const Vector3d& axis) {
  const double along = line.dot(axis);
  return std::atan2(along, (line - along * axis).norm());
}

// A ball on a race.
struct BallLoad {
  double size = 0;  // N
  bool touches = false;
  Vector3d direction = Vector3d::Zero();                                                   // in which it is pushed
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero(), place = Vector3d::Zero();  // with friction, on the ball
};

std::vector<OutputDescription> sums_of_forces() {
  return {{"fx", "N", "force on the inner ring, x of the outer ring"},
          {"fy", "N", "force on the inner ring, y of the outer ring"},
          {"fz", "N", "force on the inner ring along the axis of the outer ring"},
          {"mx", "N m", "moment on the inner ring at its centre, x of the outer ring"},
          {"my", "N m", "moment on the inner ring at its centre, y of the outer ring"},
          {"friction_torque", "N m", "against the spin"}};
}

std::vector<OutputDescription> sums_of_impulses() {
  return {
      {"ix", "N s", "impulse of the balls on the inner ring since the last sample, x of the outer ring"},
      {"iy", "N s", "impulse of the balls on the inner ring since the last sample, y of the outer ring"},
      {"iz", "N s", "impulse of the balls on the inner ring since the last sample, along the axis of the outer ring"}};
}

}  // namespace

std::vector<OutputDescription> bearing_quantities(bool nonsmooth, std::size_t balls, bool pressures) {
  std::vector<OutputDescription> list = nonsmooth ? sums_of_impulses() : sums_of_forces();
  const std::vector<OutputDescription> places = {
      {"dx", "m", "centre of the inner ring from that of the outer, x of the outer ring"},
      {"dy", "m", "centre of the inner ring from that of the outer, y of the outer ring"},
      {"dz", "m", "centre of the inner ring from that of the outer, along its axis"},
      {"tilt_x", "rad", "of the inner ring against the outer, about its x"},
      {"tilt_y", "rad", "of the inner ring against the outer, about its y"},
      {"spin", "rad/s", "of the inner ring against the outer"},
      {"outer_speed", "rad/s", "of the outer ring about its axis"},
      {"cage_speed", "rad/s", "at which the balls go round, mean"},
      {"largest_load", "N",
       nonsmooth ? "of a ball on a race: impulse over the step, no impacts" : "of a ball on a race"},
      {"loaded", "1", "number of contacts of balls with the inner race"}};
  list.insert(list.end(), places.begin(), places.end());
  if (pressures) list.push_back({"largest_pressure", "Pa", "of a ball on a race, in the middle of its contact"});
  for (std::size_t k = 1; k <= balls; ++k) {
    list.push_back({fmt::format("load{}", k), "N", "of the ball on the inner race"});
    list.push_back({fmt::format("outer_load{}", k), "N", "of the ball on the outer race"});
    list.push_back({fmt::format("angle{}", k), "rad", "of contact at the inner race; 0 without contact"});
    list.push_back({fmt::format("outer_angle{}", k), "rad", "of contact at the outer race; 0 without contact"});
  }
  return list;
}

template <>
void ContactOutputs<3>::write_bearing(const BearingGroups& bearing, const Bodies<3>& bodies, double* values) const {
  const RingMotion motion = motion_of(bearing.rings, bodies);
  const Vector3d axis = motion.frame.col(2);
  const auto load_in = [&](int group) {
    BallLoad load;
    pairs_.for_each_point(group, bodies, [&](const Pair& pair, int k, const ContactPoint<3>& contact) {
      load.direction = contact.normal;
      if (nonsmooth_) {
        load.force = impulses_.memory(k).recent;
        load.touches = impulses_.is_closed(k);
        if (load.touches) load.size = impulses_.memory(k).force;
        return;
      }
      CompliantAction<3> action;
      if (!compliant_.act(pair, k, contact, bodies, action)) return;
      load.size = action.normal, load.touches = true;
      load.force = action.force, load.torque = action.torque, load.place = action.place;
    });
    return load;
  };
  const int sums = nonsmooth_ ? 3 : 6, pressed = bearing.pressure_factors[0] > 0 ? 1 : 0;
  double* each = values + sums + 10 + pressed;
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
  double largest = 0, pressure = 0, loaded = 0;
  for (std::size_t k = 0; k < bearing.inner.size(); ++k) {
    const BallLoad inner = load_in(bearing.inner[k]), outer = load_in(bearing.outer[k]);
    force -= inner.force;
    if (!nonsmooth_) torque -= inner.torque + (inner.place - motion.centre).cross(inner.force);
    loaded += inner.touches ? 1 : 0;
    largest = std::max({largest, inner.size, outer.size});
    pressure = std::max({pressure, bearing.pressure_factors[0] * std::cbrt(std::max(0.0, inner.size)),
                         bearing.pressure_factors[1] * std::cbrt(std::max(0.0, outer.size))});
    *each++ = inner.size;
    *each++ = outer.size;
    *each++ = inner.touches ? angle_of_line(inner.direction, axis) : 0;
    *each++ = outer.touches ? angle_of_line(-outer.direction, axis) : 0;
  }
  const Vector3d drift =
      bodies[bearing.rings.at[0].body].velocity_at(motion.outer - bodies[bearing.rings.at[0].body].position);
  double turned = 0;
  for (const int ball : bearing.balls) {
    const Vector3d from = bodies[ball].position - motion.outer, arm = from - axis.dot(from) * axis;
    turned += axis.dot(arm.cross(bodies[ball].velocity - drift)) / arm.squaredNorm();
  }
  const Vector3d along = motion.frame.transpose() * force, about = motion.frame.transpose() * torque,
                 apart = motion.frame.transpose() * (motion.centre - motion.outer);
  for (const double component : along) *values++ = component;
  if (!nonsmooth_) {
    for (const double value : {about.x(), about.y(), -torque.dot(motion.axis)}) *values++ = value;
  }
  for (const double component : apart) *values++ = component;
  // Tilts are rotations about x and y: the axis leans by (tilt_y, −tilt_x).
  for (const double value : {-motion.tilted.y(), motion.tilted.x(), motion.spin, motion.outer_speed,
                             turned / static_cast<double>(bearing.balls.size()), largest, loaded})
    *values++ = value;
  if (pressed > 0) *values++ = pressure;
}

}  // namespace carom::inline contacts
