#pragma once

#include <cmath>

namespace carom::inline contact_laws {

struct ElasticForce {
  double force = 0, slope = 0, energy = 0;  // N, N/m, J
};

// The conservative part f_e(δ) of a normal force: zero for δ ≤ 0, increasing after that.
//
// Power law: f_e = K δⁿ, K in N/mⁿ, n ≥ 1; n = 3/2 is Hertz (point contact), n = 1 a linear spring.
// Liu's cylindrical law: f_e = ½π E* L δ √(δ / (2(c + δ))), c the radial clearance; as δ^(3/2) for δ ≪ c, linear for
// δ ≫ c. Liu, Zhang, Yang, Mech. Mach. Theory 42 (2007) 183–197; explicit and monotone for every δ.
class ElasticLaw {
 public:
  static ElasticLaw power(double stiffness, double exponent) {
    const Shape shape = exponent == 1.5 ? Shape::hertz : exponent == 1 ? Shape::linear : Shape::power;
    return {shape, stiffness, exponent, 0};
  }
  // A vanishing clearance leaves the linear limit.
  static ElasticLaw liu(double composite_modulus, double length, double radial_clearance) {
    const double linear = M_PI / 2 * composite_modulus * length / std::sqrt(2.0);
    if (radial_clearance <= 0) return power(linear, 1);
    return {Shape::liu, linear / std::sqrt(radial_clearance), 1.5, radial_clearance};
  }

  double force(double penetration) const {
    if (penetration <= 0) return 0;
    switch (shape_) {
      case Shape::hertz:
        return stiffness_ * penetration * std::sqrt(penetration);
      case Shape::linear:
        return stiffness_ * penetration;
      case Shape::power:
        return stiffness_ * std::pow(penetration, exponent_);
      case Shape::liu:
        break;
    }
    return stiffness_ * penetration * std::sqrt(penetration / (1 + penetration / clearance_));
  }

  ElasticForce evaluate(double penetration) const {
    if (penetration <= 0) return {};
    const double f = force(penetration);
    if (shape_ == Shape::liu) return {f, f / penetration * liu_exponent(penetration), liu_energy(penetration)};
    return {f, exponent_ * f / penetration, f * penetration / (exponent_ + 1)};
  }

  // d²f_e/dδ², N/m².
  double curvature(double penetration) const {
    if (penetration <= 0 || shape_ == Shape::linear) return 0;
    const double f = force(penetration);
    const double n = shape_ == Shape::liu ? liu_exponent(penetration) : exponent_;
    const double closure = clearance_ + penetration;
    const double by_exponent = shape_ == Shape::liu ? -clearance_ / (2 * closure * closure) : 0;
    return f / penetration * (n * (n - 1) / penetration + by_exponent);
  }

  // K and n of f_e ≈ K δⁿ at small δ.
  double stiffness() const { return stiffness_; }
  double exponent() const { return exponent_; }
  bool is_power() const { return shape_ != Shape::liu; }

 private:
  enum class Shape { hertz, linear, power, liu };
  ElasticLaw(Shape shape, double stiffness, double exponent, double clearance)
      : shape_(shape), stiffness_(stiffness), exponent_(exponent), clearance_(clearance) {}

  // δ f_e′ / f_e, from 3/2 to 1.
  double liu_exponent(double penetration) const { return 1.5 - penetration / (2 * (clearance_ + penetration)); }

  // With s² = δ/c: U = 2 K c^(5/2) ∫ s⁴/√(1 + s²) ds; the closed form cancels at small s.
  double liu_energy(double penetration) const {
    const double square = penetration / clearance_, s = std::sqrt(square);
    double integral = 0;
    if (square < 0.06) {
      double term = square * square * s;  // of the binomial series
      for (int k = 0; k < 12; ++k) {
        integral += term / (2 * k + 5);
        term *= -square * (2 * k + 1) / (2 * k + 2);
      }
    } else {
      const double root = std::sqrt(1 + square);
      integral = s * square * root / 4 - 3.0 / 8 * (s * root - std::asinh(s));
    }
    return 2 * stiffness_ * clearance_ * clearance_ * std::sqrt(clearance_) * integral;
  }

  Shape shape_;
  double stiffness_, exponent_, clearance_;
};

}  // namespace carom::inline contact_laws
