#pragma once

#include <vector>

#include "bearings/ball_law.h"
#include "bearings/roller_law.h"

// A whole rolling bearing whose elements are in equilibrium: the forces between its rings by where they stand.
namespace carom::inline bearings {

// Where the inner ring is in the frame of the outer one (z the axis): displacement x, y, z of its centre in m, and the
// first two components of its axis, which for small tilts are the rotations about y and, negative, about x. The
// elements see both in first order: the error is of the order of the tilt squared.
using RingPlace = Eigen::Matrix<double, 5, 1>;

// The forces and moments that resist a growth of these, and their derivatives.
struct RingLoad {
  RingPlace force = RingPlace::Zero();
  Eigen::Matrix<double, 5, 5> stiffness = Eigen::Matrix<double, 5, 5>::Zero();
  RingPlace by_spin = RingPlace::Zero(), by_outer = RingPlace::Zero();  // ∂force/∂(speeds), N s, N m s
  double ribs = 0, ribs_by_spin = 0, ribs_by_outer = 0;                 // of their loads: N, N s
  RingPlace ribs_by_place = RingPlace::Zero();
};

// The force, and that of the standing bearing.
struct RingForces {
  RingPlace all = RingPlace::Zero(), standing = RingPlace::Zero();
  double ribs = 0;  // N, the sum of the loads of all ribs
};

// One element, for results.
struct ElementResult {
  double inner_load = 0, outer_load = 0;    // N
  double inner_angle = 0, outer_angle = 0;  // rad, of the lines of contact
  double moment = 0;                        // N m, on a roller, of its load along its length
  double orbital_speed = 0;                 // rad/s
  double rib_load = 0;                      // N, of its end on a rib
};

// The elements keep their azimuths in the frame of the outer ring. Every row is a potential of two numbers per element
// that depend linearly on the place of the inner ring, so that without speed forces are a gradient and the stiffness is
// symmetric, at any place.
class QuasiStaticBearing {
 public:
  explicit QuasiStaticBearing(const RollingGeometry& geometry);

  const RollingGeometry& geometry() const { return geometry_; }
  // Of the elements, all rows; of four-point bearings, of their lines of contact: two for each ball.
  int count() const { return static_cast<int>(seats_.size()); }
  // Displacement by which the rings of every row have been pushed together, m.
  double preload_displacement() const { return preload_displacement_; }

  // Forces alone. With speed elements start to settle from where they were; `settled` tells whether all did.
  RingForces forces(const RingPlace& place, const RingSpeeds& speeds) const;
  RingPlace force(const RingPlace& place, const RingSpeeds& speeds) const { return forces(place, speeds).all; }
  RingLoad load(const RingPlace& place, const RingSpeeds& speeds) const;
  bool settled() const { return settled_; }
  // Of the standing bearing; its force is the gradient: the conservative part of the force.
  double standing_energy(const RingPlace& place) const;

  ElementResult element(int index, const RingPlace& place, const RingSpeeds& speeds) const;
  double azimuth(int index) const;  // rad, of an element
  const BallLaw& balls() const { return ball_; }
  const RollerLaw& rollers() const { return roller_; }
  // The two numbers of an element: the groove centres' distance, axial and radial, or a roller's w and ψ.
  Eigen::Vector2d numbers(int index, const RingPlace& place) const;

 private:
  // Where an element sits: cosine and sine of its azimuth, and the row that it belongs to.
  struct Seat {
    double cosine = 1, sine = 0;
    int row = 0;
  };
  // The numbers of an element: start + by_radial u_r + by_axial u_a + by_tilt ν, with the displacement of the inner
  // ring along the azimuth and along the axis and the component of its axis along the azimuth.
  struct Row {
    Eigen::Vector2d start = Eigen::Vector2d::Zero();
    Eigen::Vector2d by_radial, by_axial, by_tilt;
  };

  // What its ribs do to a ring of cylindrical rollers, which stand between them in equal parts.
  struct Ribs {
    double load = 0, energy = 0;  // of a roller: N, with the sign of the direction, and J
    RingPlace force = RingPlace::Zero(), closing = RingPlace::Zero();  // on the ring; the unit of it, by place
    double stiffness = 0;                                              // ∂load/∂(closing)
  };
  Ribs ribs(const Seat& seat, const RingPlace& place) const;
  double tapered_rib(double inner_load, const RingSpeeds& speeds) const;
  void add_ribs(int index, const RingPlace& place, const RingSpeeds& speeds, const RollerForce& roller,
                RingLoad& sum) const;

  void build_rows();
  void find_preload();
  RingPlace spread(const Seat& seat, const Eigen::Vector2d& force) const;
  RollingGeometry geometry_;
  BallLaw ball_;
  RollerLaw roller_;
  std::vector<Row> rows_;
  std::vector<Seat> seats_;
  double preload_displacement_ = 0;
  double taper_ = 0;  // sine of half the angle of a tapered roller
  // Where the elements settled last.
  mutable std::vector<BallRest> balls_at_rest_;
  mutable std::vector<RollerRest> rollers_at_rest_;
  mutable bool settled_ = true;
};

}  // namespace carom::inline bearings
