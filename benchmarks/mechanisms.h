// The mechanisms every benchmark of this folder is about: their data, start values and published results.
//
// Plain numbers without any engine, so that Carom, the hand-written equations and the peers read the same data.
// SI units and radians throughout. A body is described by the position of its centre of mass and its angle; angles
// are continuous, they are never folded into one turn.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace carom::benchmarks {

enum class Mechanism { slider_crank, andrews };

struct BodyCoordinates {
  double x = 0;
  double y = 0;
  double angle = 0;
};

struct Point {
  double x = 0;
  double y = 0;
};

// Planar slider-crank with ideal joints and an undriven crank. The crank turns about the origin, the slider moves along
// the x axis through it; crank and rod have their centres of mass at mid-length. It starts stretched out along +x.
struct SliderCrankData {
  double crank_length = 0.05;
  double crank_mass = 0.30;
  double crank_inertia = 1e-4;
  double rod_length = 0.12;
  double rod_mass = 0.21;
  double rod_inertia = 2.5e-4;
  double slider_mass = 0.14;
  double slider_inertia = 1e-4;  // the slider does not turn: this never enters the motion
  double gravity = 9.81;         // along -y
  double initial_angle = 0;
  double initial_speed = 50;  // of the crank
  double end_time = 1;
};

// Andrews' squeezing mechanism: seven bodies K1 to K7, one degree of freedom, no gravity.
//   W. Schiehlen (ed.), Multibody Systems Handbook, Springer 1990;
//   E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, Springer 1996, section VII.7;
//   F. Mazzia and C. Magherini, Test Set for Initial Value Problem Solvers, problem "andrews".
//
// The angles are published relative to the neighbour: beta (K1), Theta (K2 to K1), gamma (K3), Phi (K4 to K5),
// delta (K5), Omega (K6 to K7), epsilon (K7). K2, K3, K4 and K6 meet in one point P.
struct AndrewsData {
  std::array<double, 7> mass = {0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498};
  std::array<double, 7> inertia = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};
  Point a = {-0.06934, -0.00227};  // bearing of K5 and K7
  Point b = {-0.03635, 0.03273};   // bearing of K3
  Point c = {0.014, 0.072};        // fixed end of the spring; K1 turns about the origin
  double d = 0.028, da = 0.0115;
  double e = 0.02, ea = 0.01421;
  double rr = 0.007, ra = 0.00092;
  double ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02;
  double ta = 0.02308, tb = 0.00916;
  double u = 0.04, ua = 0.01228, ub = 0.00449;
  double zf = 0.02, zt = 0.04, fa = 0.01421;
  double spring_stiffness = 4530;       // c0
  double spring_free_length = 0.07785;  // l0
  double drive_moment = 0.033;          // mom, on K1
  double end_time = 0.03;
};

using AndrewsAngles = std::array<double, 7>;  // beta, Theta, gamma, Phi, delta, Omega, epsilon

// Start values, at rest; consistent with the constraints in every digit of a double.
inline constexpr AndrewsAngles andrews_start = {-0.0617138900142764496358948458001, 0.0,
                                                0.455279819163070380255912382449,   0.222668390165885884674473185609,
                                                0.487364979543842550225598953530,   -0.222668390165885884674473185609,
                                                1.23054744454982119249735015568};

// Published solution at 0.03 s (Test Set for Initial Value Problem Solvers).
inline constexpr AndrewsAngles andrews_end = {15.81077119629904,   -15.75637105984298, 0.04082224013073101,
                                              -0.5347301163226948, 0.5244099658805304, 0.5347301163226948,
                                              1.048080741042263};

// Points of K1 to K7 in frames with their origins at the bearing or joint nearest the ground and turned by the angle of
// the body: the centre of mass, and the joint to the next body (P for K2, K3, K4 and K6).
struct AndrewsBody {
  Point centre;
  Point outer;
};

constexpr std::array<AndrewsBody, 7> andrews_bodies(const AndrewsData& m = {}) {
  return {{{{m.ra, 0}, {m.rr, 0}},
           {{-m.da, 0}, {-m.d, 0}},
           {{m.sb, -m.sa}, {0, -m.ss}},
           {{0, -(m.e - m.ea)}, {0, -m.e}},
           {{m.ta, m.tb}, {m.zt, 0}},
           {{m.zf - m.fa, 0}, {m.zf, 0}},
           {{-m.ub, -m.ua}, {0, -m.u}}}};
}

// End of the spring on K3, in the frame of K3.
constexpr Point andrews_spring_point(const AndrewsData& m = {}) {
  return {m.sd, -m.sc};
}

constexpr double longest_link(Mechanism which) {
  return which == Mechanism::slider_crank ? SliderCrankData{}.rod_length : AndrewsData{}.zt;
}

// Body coordinates of K1 to K7 from the seven published angles.
inline std::array<BodyCoordinates, 7> andrews_coordinates(const AndrewsAngles& q, const AndrewsData& m = {}) {
  const auto bodies = andrews_bodies(m);
  const auto place = [](Point origin, double angle, Point local) {
    return Point{origin.x + std::cos(angle) * local.x - std::sin(angle) * local.y,
                 origin.y + std::sin(angle) * local.x + std::cos(angle) * local.y};
  };
  const AndrewsAngles angle = {q[0], q[0] + q[1], q[2], q[3] + q[4], q[4], q[5] + q[6], q[6]};
  const std::array<Point, 7> origin = {
      Point{}, place({}, angle[0], bodies[0].outer),  m.b, place(m.a, angle[4], bodies[4].outer),
      m.a,     place(m.a, angle[6], bodies[6].outer), m.a};
  std::array<BodyCoordinates, 7> result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Point centre = place(origin[i], angle[i], bodies[i].centre);
    result[i] = {centre.x, centre.y, angle[i]};
  }
  return result;
}

}  // namespace carom::benchmarks
