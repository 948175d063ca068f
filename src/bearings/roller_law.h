#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include "bearings/ball_law.h"
#include "bearings/slice_series.h"

// One roller between both races, cut into slices along its length. Two numbers say how its races have moved: w, by
// which they have come closer at its middle along the normal of contact, in m, and ψ, by which the inner one is tilted
// in the plane of the axis and the roller, in rad. A slice at x is pressed by D(x) = w + x ψ − 2P(x), with the crowning
// P.
//
// Slices do not know their neighbours, and the roller stands in the middle between both races. The force of a slice is
// Palmgren's in the numbers of ISO/TS 16281, c D^(10/9) with c = 35 948 N/mm^(10/9) · L^(8/9)/n for steel (L and D in
// mm), in proportion to E*. Valid for lines of contact, elastic, of rollers about as long as thick.
namespace carom::inline bearings {

struct RollerLaw {
  double slice_stiffness = 0;  // c of one slice between both races, N/m^(10/9)
  double centrifugal = 0;      // F_c/ω_m² along the normal, ½ m D_pw cos α, kg m
  double orbit_share = 0;      // of the spin, by which the rollers go round: (1 − γ)/2
  int slices = 0;
  double half_length = 0;     // m
  std::vector<double> place;  // x of the slices, m; filled up to packets (base/packed.h)
  std::vector<double> drop;   // P(x), m
};

RollerLaw roller_law(const RollingGeometry& geometry);

// P(x), by how much the radius of the roller is smaller at x than in its middle, m.
double crown_drop(const RollingGeometry& geometry, double x);

struct RollerForce {
  Eigen::Vector2d force = Eigen::Vector2d::Zero();  // that resists w and ψ: N, N m, at the inner race
  Eigen::Matrix2d stiffness = Eigen::Matrix2d::Zero();
  Eigen::Vector2d by_round = Eigen::Vector2d::Zero();  // by ω_m
  double energy = 0;                                   // J, of the standing roller
  double outer_load = 0;                               // N
};

// With speed the centrifugal force F_c shifts the roller outwards, by s, until the outer race carries that much more.
// Where it settled last, and how s changes with the depths of its slices and with F_c: from there Newton's method
// mostly needs one look at the slices, and most looks are at the series of where they were last.
struct RollerRest {
  bool known = false;
  SliceDepths at;                // half of the approach of the races, and of their tilt
  double shift = 0, thrown = 0;  // m, N
  PackedPair by_depths{};        // of the shift, by the middle depth and by the tilt: 1, m
  double by_thrown = 0;          // m/N

  bool seen = false;
  SliceDepths last;  // at the last look
  bool has_series = false;
  int wait = 0;        // looks, until one is built again
  double share = 0.5;  // of F_c over the stiffness of the standing roller's contacts, that is the shift; a half nearly
  SliceSeries series;
};

// The force at the inner race, and that of the standing roller.
struct RollerLoads {
  Eigen::Vector2d force = Eigen::Vector2d::Zero(), standing = Eigen::Vector2d::Zero();
};
RollerLoads roller_loads(const RollerLaw& law, const Eigen::Vector2d& approach, const RingSpeeds& speeds,
                         RollerRest& rest);

// All of it, with derivatives.
RollerForce roller_force(const RollerLaw& law, const Eigen::Vector2d& approach, const RingSpeeds& speeds);

// Loads of the slices at the inner and at the outer race, N. `inner` and `outer` have a place for each.
void slice_loads(const RollerLaw& law, const Eigen::Vector2d& approach, const RingSpeeds& speeds, double* inner,
                 double* outer);

}  // namespace carom::inline bearings
