#pragma once

#include "model/model.h"

// Models that tests, benchmarks and examples share, built in code.
namespace carom::scenes {

// The slider-crank of the clearance studies with ideal joints (Flores, Nonlinear Dynamics 61 (2010) 633–653), undriven,
// starting stretched out along x with the crank at 50 rad/s, under gravity.
Model slider_crank();

// The same mechanism at constant crank speed, with a loose pin between rod and slider and without gravity: the scene of
// the parametric study. Clearance diametric, m; speed in rad/s; two turns.
Model loose_slider_crank(double clearance = 0.05e-3, double speed = 5000 * 2 * 3.14159265358979323846 / 60);

// A ball of 1 kg and 0.1 m radius that falls from a height of 1 m (its centre) onto the ground.
Model bouncing_ball(const std::string& law, double restitution);

// n spheres of 5 cm radius, 1000 kg/m³, that fall on a lattice into a box without a lid: Hertz contact with E* = 1e8
// Pa, damping 5 s/m, friction 0.3.
Model spheres_box(int count);

// Andrews' squeezing mechanism (Schiehlen 1990; Hairer and Wanner II, sec. VII.7), from the model file of its
// validation case.
Model andrews(const std::string& cases_folder);

// N square loops side by side: N + 1 uprights of 1 m and 1 kg pinned to the ground, N couplers; starts upright with the
// tops at 1 m/s.
Model four_bars(int loops);

// N links of 1 m and 1 kg in the plane, pinned to the ground at one end, released from the horizontal.
Model chain(int links);

}  // namespace carom::scenes
