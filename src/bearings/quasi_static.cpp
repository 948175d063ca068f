#include "bearings/quasi_static.h"

#include <cmath>

namespace carom::inline bearings {

using Eigen::Matrix2d;
using Eigen::Vector2d;

namespace {

// A ball in four points has two lines of contact that cross. Forces along two different directions balance one by one,
// so that each line is a row of its own; half of the centrifugal force belongs to each, and none turns the ball.
RollingGeometry with_crossed_rows(RollingGeometry geometry) {
  if (geometry.type != BearingType::four_point) return geometry;
  std::vector<BearingRow> rows;
  for (const BearingRow& row : geometry.rows) {
    for (const double direction : {1.0, -1.0}) rows.push_back({row.position, direction});
  }
  geometry.rows = rows;
  geometry.mass /= 2, geometry.inertia = 0;
  return geometry;
}

}  // namespace

QuasiStaticBearing::QuasiStaticBearing(const RollingGeometry& given) : geometry_(with_crossed_rows(given)) {
  const RollingGeometry& geometry = geometry_;
  if (geometry.balls()) {
    ball_ = ball_law(geometry);
  } else {
    roller_ = roller_law(geometry);
  }
  for (std::size_t row = 0; row < geometry.rows.size(); ++row) {
    for (int k = 0; k < geometry.elements; ++k) {
      const double angle = geometry.first_angle + 2 * M_PI * k / geometry.elements;
      seats_.push_back({std::cos(angle), std::sin(angle), static_cast<int>(row)});
    }
  }
  if (geometry.balls()) {
    balls_at_rest_.resize(seats_.size());
  } else {
    rollers_at_rest_.resize(seats_.size());
  }
  taper_ = std::sin(geometry.half_taper());
  build_rows();
  find_preload();
}

void QuasiStaticBearing::build_rows() {
  const double sine = std::sin(geometry_.contact_angle), cosine = std::cos(geometry_.contact_angle);
  const double pitch = geometry_.pitch_diameter / 2;
  rows_.clear();
  for (const BearingRow& each : geometry_.rows) {
    Row row;
    if (geometry_.balls()) {
      // The centre of the inner groove's arc: so far from the axis, and there along it.
      const double arm = ball_.inner_arm, radius = pitch + arm * cosine,
                   along = each.position + each.direction * arm * sine;
      row.by_radial = {0, 1}, row.by_axial = {1, 0}, row.by_tilt = {-radius, along};
      row.start = {each.direction * (geometry_.groove_centre_distance() * sine + preload_displacement_),
                   geometry_.groove_centre_distance() * cosine - geometry_.clearance};
    } else {
      const double lean = each.direction * sine;
      row.by_radial = {cosine, 0}, row.by_axial = {lean, 0};
      row.by_tilt = {each.position * cosine - pitch * lean, 1};
      row.start = {preload_displacement_ * sine - geometry_.clearance * cosine, 0};
      // Rollers in a sphere about the centre of the bearing follow any tilt.
      if (geometry_.type == BearingType::spherical_roller) row.by_tilt.setZero();
    }
    rows_.push_back(row);
  }
}

// The displacement under which a row at rest carries the preload: the force grows with it.
void QuasiStaticBearing::find_preload() {
  preload_displacement_ = geometry_.preload_displacement;
  if (geometry_.preload > 0) {
    const double most = geometry_.element_diameter / 2;
    double low = 0, high = most;
    for (int k = 0; k < 100 && high - low > 1e-16 * most; ++k) {
      preload_displacement_ = (low + high) / 2;
      build_rows();
      double axial = 0;
      for (int index = 0; index < geometry_.elements; ++index)
        axial += spread(seats_[index], geometry_.balls() ? bearings::standing_force(ball_, rows_[0].start)
                                                         : roller_force(roller_, rows_[0].start, {}).force)[2];
      (std::abs(axial) < geometry_.preload ? low : high) = preload_displacement_;
    }
  }
  build_rows();
}

Vector2d QuasiStaticBearing::numbers(int index, const RingPlace& place) const {
  const Seat& seat = seats_[index];
  const Row& row = rows_[seat.row];
  const double along = seat.cosine * place[0] + seat.sine * place[1],
               tilt = seat.cosine * place[3] + seat.sine * place[4];
  const Vector2d result = row.start + along * row.by_radial + place[2] * row.by_axial + tilt * row.by_tilt;
  if (!geometry_.balls()) return result;
  // A groove that has left its ball does not come upon it from the other side, however far it goes.
  constexpr double left = 0.5;
  if (result.dot(row.start) < left * row.start.squaredNorm()) return {0, ball_.outer_arm};
  return result;
}

// The force of an element on the numbers of the ring.
RingPlace QuasiStaticBearing::spread(const Seat& seat, const Vector2d& force) const {
  const Row& row = rows_[seat.row];
  const double radial = row.by_radial.dot(force), tilt = row.by_tilt.dot(force);
  RingPlace result;
  result << radial * seat.cosine, radial * seat.sine, row.by_axial.dot(force), tilt * seat.cosine, tilt * seat.sine;
  return result;
}

// The ends of a roller are pressed while the rings have moved along the axis by more than the clearance.
QuasiStaticBearing::Ribs QuasiStaticBearing::ribs(const Seat& seat, const RingPlace& place) const {
  Ribs result;
  const double radius = geometry_.pitch_diameter / 2;
  const double moved = place[2] - radius * (seat.cosine * place[3] + seat.sine * place[4]);
  const bool along = moved > 0;
  const bool held =
      geometry_.ribs == BearingRibs::both || geometry_.ribs == (along ? BearingRibs::along : BearingRibs::against);
  const double depth = std::abs(moved) - geometry_.rib_clearance;
  if (!held || !(depth > 0)) return result;
  result.closing << 0, 0, 1, -radius * seat.cosine, -radius * seat.sine;
  result.stiffness = geometry_.rib_stiffness;
  result.load = (along ? 1 : -1) * result.stiffness * depth;
  result.energy = result.stiffness * depth * depth / 2;
  result.force = result.load * result.closing;
  return result;
}

// A cone between two races is squeezed out towards its thick end: the balance of forces along its axis is
// Q_f = (Q_i + Q_e) sin β, with the centrifugal force in Q_e.
double QuasiStaticBearing::tapered_rib(double inner_load, const RingSpeeds& speeds) const {
  const double round = speeds.outer + roller_.orbit_share * speeds.spin;
  return taper_ * (2 * inner_load + roller_.centrifugal * round * round);
}

RingForces QuasiStaticBearing::forces(const RingPlace& place, const RingSpeeds& speeds) const {
  // Of the force, and of that of the standing bearing: forces along x, y, z and the moments.
  PackedPair sums[5]{};
  RingForces result;
  settled_ = true;
  const bool balls = geometry_.balls(), standing = speeds.standing();
  for (int k = 0; k < count(); ++k) {
    const Vector2d at = numbers(k, place);
    RollerLoads loads;
    if (!balls) {
      loads = roller_loads(roller_, at, speeds, rollers_at_rest_[k]);
    } else {
      loads.force = loads.standing = bearings::standing_force(ball_, at);
      if (!standing) {
        settled_ = settle_ball(ball_, at, speeds, balls_at_rest_[k]) && settled_;
        loads.force = ball_force(ball_, at, balls_at_rest_[k].place);
      }
    }
    const Seat& seat = seats_[k];
    const Row& row = rows_[seat.row];
    const PackedPair first{loads.force[0], loads.standing[0]}, second{loads.force[1], loads.standing[1]};
    const PackedPair radial = row.by_radial[0] * first + row.by_radial[1] * second,
                     tilt = row.by_tilt[0] * first + row.by_tilt[1] * second;
    sums[0] += radial * seat.cosine, sums[1] += radial * seat.sine;
    sums[2] += row.by_axial[0] * first + row.by_axial[1] * second;
    sums[3] += tilt * seat.cosine, sums[4] += tilt * seat.sine;
    if (taper_ > 0) result.ribs += tapered_rib(loads.force[0], speeds);
    if (!geometry_.has_ribs()) continue;
    const Ribs rib = ribs(seat, place);
    result.ribs += std::abs(rib.load);
    for (int i = 0; i < 5; ++i) sums[i] += rib.force[i];
  }
  for (int i = 0; i < 5; ++i) result.all[i] = sums[i][0], result.standing[i] = sums[i][1];
  return result;
}

RingLoad QuasiStaticBearing::load(const RingPlace& place, const RingSpeeds& speeds) const {
  RingLoad sum;
  settled_ = true;
  for (int k = 0; k < count(); ++k) {
    const Vector2d at = numbers(k, place);
    Vector2d force, by_spin = Vector2d::Zero(), by_outer = Vector2d::Zero();
    Matrix2d stiffness;
    if (!geometry_.balls()) {
      const RollerForce roller = roller_force(roller_, at, speeds);
      force = roller.force, stiffness = roller.stiffness;
      by_spin = roller_.orbit_share * roller.by_round, by_outer = roller.by_round;
      add_ribs(k, place, speeds, roller, sum);
    } else if (speeds.standing()) {
      force = bearings::standing_force(ball_, at), stiffness = standing_stiffness(ball_, at);
    } else {
      settled_ = settle_ball(ball_, at, speeds, balls_at_rest_[k]) && settled_;
      const BallForce ball = ball_tangents(ball_, at, speeds, balls_at_rest_[k].place);
      force = ball.force, stiffness = ball.stiffness, by_spin = ball.by_spin, by_outer = ball.by_outer;
    }
    const Seat& seat = seats_[k];
    sum.force += spread(seat, force), sum.by_spin += spread(seat, by_spin), sum.by_outer += spread(seat, by_outer);
    // Two rows that spread to the ring: Bᵀ k B.
    const RingPlace first = spread(seat, Vector2d::UnitX()), second = spread(seat, Vector2d::UnitY());
    sum.stiffness += first * (stiffness(0, 0) * first + stiffness(0, 1) * second).transpose() +
                     second * (stiffness(1, 0) * first + stiffness(1, 1) * second).transpose();
  }
  return sum;
}

void QuasiStaticBearing::add_ribs(int index, const RingPlace& place, const RingSpeeds& speeds,
                                  const RollerForce& roller, RingLoad& sum) const {
  const Seat& seat = seats_[index];
  if (taper_ > 0) {
    sum.ribs += tapered_rib(roller.force[0], speeds);
    sum.ribs_by_place += 2 * taper_ * spread(seat, roller.stiffness.row(0).transpose());
    const double round = speeds.outer + roller_.orbit_share * speeds.spin;
    const double by_round = 2 * taper_ * (roller.by_round[0] + roller_.centrifugal * round);
    sum.ribs_by_spin += roller_.orbit_share * by_round, sum.ribs_by_outer += by_round;
  }
  if (!geometry_.has_ribs()) return;
  const Ribs rib = ribs(seat, place);
  sum.force += rib.force, sum.ribs += std::abs(rib.load);
  sum.stiffness += rib.stiffness * rib.closing * rib.closing.transpose();
  sum.ribs_by_place += (rib.load < 0 ? -1 : 1) * rib.stiffness * rib.closing;
}

double QuasiStaticBearing::standing_energy(const RingPlace& place) const {
  double sum = 0;
  for (int k = 0; k < count(); ++k) {
    const Vector2d at = numbers(k, place);
    sum += geometry_.balls() ? bearings::standing_energy(ball_, at) : roller_force(roller_, at, {}).energy;
    if (geometry_.has_ribs()) sum += ribs(seats_[k], place).energy;
  }
  return sum;
}

double QuasiStaticBearing::azimuth(int index) const {
  return geometry_.first_angle + 2 * M_PI * (index % geometry_.elements) / geometry_.elements;
}

ElementResult QuasiStaticBearing::element(int index, const RingPlace& place, const RingSpeeds& speeds) const {
  const Vector2d at = numbers(index, place);
  ElementResult result;
  if (!geometry_.balls()) {
    const RollerForce roller = roller_force(roller_, at, speeds);
    result.inner_load = roller.force[0], result.outer_load = roller.outer_load, result.moment = roller.force[1];
    const double direction = geometry_.rows[seats_[index].row].direction;
    result.inner_angle = result.outer_angle = direction * geometry_.contact_angle;
    result.orbital_speed = speeds.outer + roller_.orbit_share * speeds.spin;
    if (taper_ > 0) result.rib_load = tapered_rib(roller.force[0], speeds);
    if (geometry_.has_ribs()) result.rib_load = std::abs(ribs(seats_[index], place).load);
    return result;
  }
  BallState state = standing_ball(ball_, at);
  if (!speeds.standing()) {
    BallRest rest = balls_at_rest_[index];
    settle_ball(ball_, at, speeds, rest);
    state = ball_state(ball_, at, rest.place);
  }
  result.inner_load = state.inner_load, result.outer_load = state.outer_load;
  result.inner_angle = state.inner_angle, result.outer_angle = state.outer_angle;
  result.orbital_speed = orbital_speed(ball_, speeds, state.inner_angle, state.outer_angle);
  return result;
}

}  // namespace carom::inline bearings
