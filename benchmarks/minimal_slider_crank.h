// The slider-crank in its one minimal coordinate, the crank angle, written by hand: the yardstick for the cost of a
// right-hand side and, integrated to convergence, the reference for accuracy.
//
// With s = sin(theta), c = cos(theta) and lambda = crank/rod, the rod angle phi has sin(phi) = -lambda s, and
// k = d(phi)/d(theta) = -lambda c / cos(phi). The kinetic energy is M(theta) omega^2 / 2 with
//   M = a0 + s^2 (a1 + k (b1 + b2 k)) + rod_inertia k^2,
// and the motion follows from M omega' = -(dM/dtheta) omega^2 / 2 - dV/dtheta.
#pragma once

#include <array>
#include <cmath>

#include "mechanisms.h"

namespace carom::benchmarks {

template <class Real>
class BasicMinimalSliderCrank {
 public:
  using state = std::array<Real, 2>;  // crank angle and speed

  explicit constexpr BasicMinimalSliderCrank(const SliderCrankData& m = {})
      : data_(m),
        lambda_(Real(m.crank_length) / Real(m.rod_length)),
        rod_inertia_(m.rod_inertia),
        weight_(Real(m.gravity) * Real(m.crank_length) / 2 * (Real(m.crank_mass) + Real(m.rod_mass))) {
    const Real square = Real(m.crank_length) * Real(m.crank_length);
    const Real rod = Real(m.rod_mass) * square;
    const Real slider = Real(m.slider_mass) * square;
    a0_ = Real(m.crank_inertia) + Real(m.crank_mass) * square / 4 + rod / 4;
    a1_ = rod * 3 / 4 + slider;
    b1_ = -(rod + 2 * slider);
    b2_ = rod / 4 + slider;
  }

  constexpr state start() const { return {Real(data_.initial_angle), Real(data_.initial_speed)}; }

  // Right-hand side: the rates of crank angle and speed.
  state operator()(const state& y) const {
    using std::cos, std::sin, std::sqrt;
    const Real s = sin(y[0]);
    const Real c = cos(y[0]);
    const Real t = lambda_ * s;
    const Real f = lambda_ / sqrt(1 - t * t);
    const Real k = -(f * c);
    const Real slope = f * s * (1 - k * k);  // dk/dtheta
    const Real bracket = a1_ + k * (b1_ + b2_ * k);
    const Real inertia = rod_inertia_ * k;
    const Real square = s * s;
    const Real mass = a0_ + square * bracket + inertia * k;
    const Real half_slope = s * c * bracket + slope * (square * (b1_ / 2 + b2_ * k) + inertia);
    return {y[1], -(half_slope * y[1] * y[1] + weight_ * c) / mass};
  }

  // Total energy, potential energy zero with all centres of mass on the x axis.
  Real energy(const state& y) const {
    using std::cos, std::sin, std::sqrt;
    const Real s = sin(y[0]);
    const Real t = lambda_ * s;
    const Real k = -lambda_ * cos(y[0]) / sqrt(1 - t * t);
    const Real mass = a0_ + s * s * (a1_ + k * (b1_ + b2_ * k)) + rod_inertia_ * k * k;
    return mass * y[1] * y[1] / 2 + weight_ * s;
  }

  // Crank, rod and slider.
  std::array<BodyCoordinates, 3> coordinates(Real theta) const {
    using std::asin, std::cos, std::sin, std::sqrt;
    const Real s = sin(theta);
    const Real c = cos(theta);
    const Real t = lambda_ * s;
    const Real x = Real(data_.crank_length) * c;
    const Real y = Real(data_.crank_length) * s;
    const Real reach = Real(data_.rod_length) * sqrt(1 - t * t);
    return {{{static_cast<double>(x / 2), static_cast<double>(y / 2), static_cast<double>(theta)},
             {static_cast<double>(x + reach / 2), static_cast<double>(y / 2), static_cast<double>(-asin(t))},
             {static_cast<double>(x + reach), 0, 0}}};
  }

 private:
  SliderCrankData data_;
  Real lambda_, rod_inertia_, weight_;
  Real a0_ = 0, a1_ = 0, b1_ = 0, b2_ = 0;
};

using MinimalSliderCrank = BasicMinimalSliderCrank<double>;

}  // namespace carom::benchmarks
