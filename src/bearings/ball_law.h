#pragma once

#include <Eigen/Core>

#include "bearings/geometry.h"

// One ball between the grooves of both rings, in the section through the axis of the bearing and the ball: first
// component axial, second radial. The centres of the grooves' arcs, c of the inner one seen from that of the outer one,
// give the force; the ball settles between them. Distances in m.
//
// Both contacts are Hertz' (contact_laws/elliptic_contact.h), with the curvatures of the unloaded contact angle:
// Q = K δ^1.5. Valid for small patches, elastic, smooth; the angles themselves are free.
namespace carom::inline bearings {

// Angular velocities about the axis, rad/s: that of the outer ring, and of the inner one against it.
struct RingSpeeds {
  double outer = 0, spin = 0;
  bool standing() const { return outer == 0 && spin == 0; }
};

struct BallLaw {
  double inner_stiffness = 0, outer_stiffness = 0;  // K, N/m^1.5
  double series_stiffness = 0;                      // of both, one behind the other
  double inner_arm = 0, outer_arm = 0;  // r_i − D_w/2, r_e − D_w/2: centre of the groove to that of the ball
  double diameter_ratio = 0;            // D_w/D_pw
  double centrifugal = 0;               // F_c/ω_m², ½ m D_pw, kg m
  double gyroscopic = 0;                // 2 J/(D_w · D_w/D_pw), kg m
  double distance() const { return inner_arm + outer_arm; }
};

BallLaw ball_law(const RollingGeometry& geometry);

// Where the ball is and what it does. The angles are those of the lines of contact against the radial plane.
struct BallState {
  Eigen::Vector2d place = Eigen::Vector2d::Zero();  // of the ball, from the centre of the outer groove
  double inner_load = 0, outer_load = 0;            // N
  double inner_angle = 0, outer_angle = 0;          // rad
};

// What the ball does to the rings: the force that resists a growth of c, its derivatives, and the energy of the
// standing ball.
struct BallForce {
  Eigen::Vector2d force = Eigen::Vector2d::Zero();
  Eigen::Matrix2d stiffness = Eigen::Matrix2d::Zero();
  Eigen::Vector2d by_spin = Eigen::Vector2d::Zero(), by_outer = Eigen::Vector2d::Zero();  // N s
};

// Without speed both lines of contact are one, through both centres, and all is closed:
//   Q = K (|c| − A)^1.5 along c, with K^(−2/3) = K_i^(−2/3) + K_e^(−2/3), energy ⅖ K (|c| − A)^2.5.
double standing_energy(const BallLaw& law, const Eigen::Vector2d& centres);
Eigen::Vector2d standing_force(const BallLaw& law, const Eigen::Vector2d& centres);
Eigen::Matrix2d standing_stiffness(const BallLaw& law, const Eigen::Vector2d& centres);
BallState standing_ball(const BallLaw& law, const Eigen::Vector2d& centres);

// With speed (Jones 1960; Harris, Rolling Bearing Analysis): centrifugal force F_c = ½ m D_pw ω_m² and gyroscopic
// moment, which friction on the outer race alone takes up (outer race control, where the ball does not spin), so that
//   Q_i n_i − Q_e n_e + (0, F_c) + 2M_g/D_w (−cos α_e, sin α_e) = 0,
//   ω_m = ω_e + Ω (1 − γ' cos α_i)/(1 + cos(α_i − α_e)),  M_g = J Ω ω_m (1 − γ' cos α_i) sin α_e/(γ' (1 + cos(α_i −
//   α_e))).
// Newton's method with exact derivatives from where the ball settled last and what the way of the centres has made of
// that since, or from the standing ball where that is no good. False if it did not settle.
struct BallRest {
  Eigen::Vector2d place = Eigen::Vector2d::Zero(), centres = Eigen::Vector2d::Zero();
  Eigen::Matrix2d by_centres = Eigen::Matrix2d::Zero();  // ∂place/∂centres there
};
bool settle_ball(const BallLaw& law, const Eigen::Vector2d& centres, const RingSpeeds& speeds, BallRest& rest);

// Of the settled ball; the derivatives take account of how it settles anew.
Eigen::Vector2d ball_force(const BallLaw& law, const Eigen::Vector2d& centres, const Eigen::Vector2d& place);
BallForce ball_tangents(const BallLaw& law, const Eigen::Vector2d& centres, const RingSpeeds& speeds,
                        const Eigen::Vector2d& place);
BallState ball_state(const BallLaw& law, const Eigen::Vector2d& centres, const Eigen::Vector2d& place);

// Angular velocity by which the ball goes round, ω_m, rad/s.
double orbital_speed(const BallLaw& law, const RingSpeeds& speeds, double inner_angle, double outer_angle);

}  // namespace carom::inline bearings
