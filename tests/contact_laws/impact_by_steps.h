#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "contact_laws/normal_law.h"

namespace carom {

struct SteppedImpact {
  double restitution = 0, max_penetration = 0, max_force = 0, compression_time = 0, duration = 0, loss = 0;
};

// Integrates m δ̈ = −F(δ, δ̇) from first touch to release by the law's own force, Dormand–Prince 5(4) with error control,
// stopping exactly at the largest penetration and at the release.
class ImpactStepper {
 public:
  ImpactStepper(const NormalLaw& law, double mass, double speed, double time_scale, double tolerance = 1e-12)
      : law_(law), mass_(mass), speed_(speed), time_scale_(time_scale), tolerance_(tolerance) {}

  SteppedImpact run() {
    contact_ = {.impact_speed = speed_};
    State state{0, speed_};
    SteppedImpact result;
    double t = 0;
    advance(state, t, result, [](const State& s, const NormalContact&) { return s[1]; });
    state[1] = 0;
    result.compression_time = t;
    result.max_penetration = state[0];
    contact_.deepest = state[0];
    advance(state, t, result, [&](const State& s, const NormalContact& contact) {
      NormalContact here = contact;
      here.penetration = s[0];
      here.rate = s[1];
      return s[0] - law_.release_penetration(here);
    });
    result.duration = t;
    result.restitution = -state[1] / speed_;
    result.loss = mass_ / 2 * (speed_ * speed_ - state[1] * state[1]);
    return result;
  }

 private:
  using State = std::array<double, 2>;

  State rates(const State& state) const {
    NormalContact contact = contact_;
    contact.penetration = std::max(0.0, state[0]);
    contact.rate = state[1];
    return {state[1], -law_.force(contact) / mass_};
  }

  // One step; returns the error estimate relative to the tolerance.
  double step(const State& y, double h, State& next) const {
    static constexpr double a[7][6] = {{},
                                       {1. / 5},
                                       {3. / 40, 9. / 40},
                                       {44. / 45, -56. / 15, 32. / 9},
                                       {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
                                       {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
                                       {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
    static constexpr double e[7] = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};
    std::array<State, 7> k;
    for (int stage = 0; stage < 7; ++stage) {
      next = y;
      for (int j = 0; j < stage; ++j)
        for (int c = 0; c < 2; ++c) next[c] += h * a[stage][j] * k[j][c];
      k[stage] = rates(next);
    }
    const double scale[2] = {speed_ * time_scale_, speed_};
    double error = 0;
    for (int c = 0; c < 2; ++c) {
      double sum = 0;
      for (int stage = 0; stage < 7; ++stage) sum += h * e[stage] * k[stage][c];
      error = std::max(error, std::abs(sum) / (tolerance_ * scale[c]));
    }
    return error;
  }

  // To the first sign change of `event` from positive.
  template <class Event>
  void advance(State& y, double& t, SteppedImpact& result, const Event& event) {
    double h = 1e-6 * time_scale_;
    for (int count = 0; count < 2000000; ++count) {
      State next;
      const double error = step(y, h, next);
      if (error > 1 && h > 1e-13 * time_scale_) {
        h *= std::max(0.2, 0.9 * std::pow(error, -0.2));
        continue;
      }
      if (event(next, contact_) <= 0) {
        double low = 0, high = h;
        for (int k = 0; k < 100 && high - low > 1e-16 * t; ++k) {
          const double middle = (low + high) / 2;
          step(y, middle, next);
          (event(next, contact_) > 0 ? low : high) = middle;
        }
        step(y, low, next);
        y = next;
        t += low;
        note(y, result);
        return;
      }
      // A parabola through three points of the force would do; steps this short leave 1e-9.
      y = next;
      t += h;
      note(y, result);
      h = std::min(h * std::min(5.0, 0.9 * std::pow(std::max(error, 1e-10), -0.2)), time_scale_ / 20000);
    }
  }

  void note(const State& y, SteppedImpact& result) {
    NormalContact contact = contact_;
    contact.penetration = y[0];
    contact.rate = y[1];
    result.max_force = std::max(result.max_force, law_.force(contact));
    contact_.deepest = std::max(contact_.deepest, y[0]);
  }

  const NormalLaw& law_;
  double mass_, speed_, time_scale_, tolerance_;
  NormalContact contact_;
};

}  // namespace carom
