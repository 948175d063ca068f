// The loose slider-crank in its two minimal coordinates, rod angle and slider position, written by hand for this one
// mechanism: the yardstick for the cost of a run. Dormand and Prince's method with error control; the steps end where
// the contact begins or ends.
#include <algorithm>
#include <array>
#include <cmath>

#include "contact_scenes.h"

namespace carom::benchmarks {
namespace {

using Coordinates = std::array<double, 4>;  // rod angle, slider position, and their rates

class Mechanics {
 public:
  struct Gap {
    double penetration, rate;  // m, m/s; negative where open
  };

  Coordinates start() const { return {0, data_.links.crank_length + rod_, data_.start_angular_velocity(), 0}; }

  Gap gap(double t, const Coordinates& y) const {
    const Pin pin = place(t, y);
    const double distance = std::hypot(pin.x, pin.y);
    return {distance - data_.clearance, (pin.x * pin.rate_x + pin.y * pin.rate_y) / std::max(distance, 1e-300)};
  }

  double normal_force(Gap gap) const {
    if (gap.penetration <= 0) return 0;
    const double elastic = stiffness_ * gap.penetration * std::sqrt(gap.penetration);
    return std::max(0.0, elastic * (1 + hysteresis_ / approach_ * gap.rate));
  }

  Coordinates rates(double t, const Coordinates& y) {
    ++evaluations_;
    const Pin pin = place(t, y);
    double moment = pull_ * (pin.cosine * pin.knee_y - pin.sine * pin.knee_x);
    double push = 0;
    const double square = pin.x * pin.x + pin.y * pin.y;
    if (touching_ && square > data_.clearance * data_.clearance) {
      const double distance = std::sqrt(square);
      const double nx = pin.x / distance, ny = pin.y / distance;
      const double force = normal_force({distance - data_.clearance, pin.rate_x * nx + pin.rate_y * ny});
      const double slip = pin.rate_y * nx - pin.rate_x * ny - y[2] * data_.bearing_radius;
      const double friction = data_.friction * force * std::tanh(slip / data_.slip_scale);
      // On the journal, and its moment about the knee; the rod feels the opposite at the same point.
      const double fx = -force * nx + friction * ny, fy = -force * ny - friction * nx;
      const double x = rod_ * pin.cosine + data_.bearing_radius * nx, z = rod_ * pin.sine + data_.bearing_radius * ny;
      moment -= x * fy - z * fx;
      push = fx;
    }
    return {y[2], y[3], moment / inertia_, push / data_.links.slider_mass};
  }

  bool touching() const { return touching_; }
  void begin(double approach) { touching_ = true, approach_ = std::max(approach, 1e-6); }
  void end() { touching_ = false; }
  long evaluations() const { return evaluations_; }

 private:
  struct Pin {
    double knee_x, knee_y, cosine, sine;  // of the rod
    double x, y, rate_x, rate_y;          // journal relative to bearing
  };

  Pin place(double t, const Coordinates& y) const {
    Pin pin;
    pin.cosine = std::cos(y[0]), pin.sine = std::sin(y[0]);
    pin.knee_x = data_.links.crank_length * std::cos(data_.speed * t);
    pin.knee_y = data_.links.crank_length * std::sin(data_.speed * t);
    pin.x = y[1] - pin.knee_x - rod_ * pin.cosine;
    pin.y = -pin.knee_y - rod_ * pin.sine;
    pin.rate_x = y[3] + data_.speed * pin.knee_y + rod_ * pin.sine * y[2];
    pin.rate_y = -data_.speed * pin.knee_x - rod_ * pin.cosine * y[2];
    return pin;
  }

  LooseSliderCrankData data_;
  double rod_ = data_.links.rod_length;
  double inertia_ = data_.links.rod_inertia + data_.links.rod_mass * rod_ * rod_ / 4;  // about the knee
  double pull_ = data_.links.rod_mass * rod_ / 2 * data_.speed * data_.speed;
  double stiffness_ = data_.stiffness(), hysteresis_ = data_.hysteresis();
  bool touching_ = false;
  double approach_ = 1;  // m/s
  long evaluations_ = 0;
};

class Stepper {
 public:
  Stepper(Mechanics& mechanics, double tolerance) : mechanics_(mechanics), tolerance_(tolerance) {
    y_ = mechanics.start();
    rates_[0] = mechanics.rates(0, y_);
  }

  double t() const { return t_; }
  const Coordinates& y() const { return y_; }

  // One step; true where it ended at a change of the contact.
  bool step(double end) {
    const double side = mechanics_.touching() ? -1 : 1;
    for (;;) {
      h_ = std::min({h_, largest_step, end - t_});
      const double error = attempt(h_);
      if (error > 1) {
        h_ *= std::max(0.2, 0.9 * std::pow(error, -0.2));
        continue;
      }
      const double taken = h_;
      const double from = side * mechanics_.gap(t_, y_).penetration;
      const double to = side * mechanics_.gap(t_ + taken, next_).penetration;
      const bool crossed = to > 0;
      // What has just begun or ended lies on the line but for rounding: it has not left it yet, or left and is back.
      if (crossed && from > -rounding && h_ > shortest_step) {
        h_ /= 8;
        continue;
      }
      if (crossed) {
        locate(side, from, to);
      } else {
        h_ *= std::min(5.0, 0.9 * std::pow(std::max(error, 1e-4), -0.2));
      }
      t_ += crossed ? crossing_ : taken;
      y_ = next_;
      rates_[0] = rates_[6];
      return crossed;
    }
  }

  void restart() {
    rates_[0] = mechanics_.rates(t_, y_);
    h_ = first_step;
  }

 private:
  static constexpr double largest_step = 5e-5, first_step = 1e-7, shortest_step = 1e-13, rounding = 1e-16;  // s, m

  // Sets the coordinates after h; returns the error in units of the tolerance.
  double attempt(double h) {
    static constexpr double nodes[7] = {0, 0.2, 0.3, 0.8, 8 / 9.0, 1, 1};
    static constexpr double a[7][6] = {{},
                                       {0.2},
                                       {3 / 40.0, 9 / 40.0},
                                       {44 / 45.0, -56 / 15.0, 32 / 9.0},
                                       {19372 / 6561.0, -25360 / 2187.0, 64448 / 6561.0, -212 / 729.0},
                                       {9017 / 3168.0, -355 / 33.0, 46732 / 5247.0, 49 / 176.0, -5103 / 18656.0},
                                       {35 / 384.0, 0, 500 / 1113.0, 125 / 192.0, -2187 / 6784.0, 11 / 84.0}};
    static constexpr double e[7] = {71 / 57600.0,      0,          -71 / 16695.0, 71 / 1920.0,
                                    -17253 / 339200.0, 22 / 525.0, -1 / 40.0};
    for (std::size_t stage = 1; stage < 7; ++stage) {
      for (std::size_t i = 0; i < 4; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < stage; ++k) sum += a[stage][k] * rates_[k][i];
        next_[i] = y_[i] + h * sum;
      }
      rates_[stage] = mechanics_.rates(t_ + nodes[stage] * h, next_);
    }
    // One metre per second is worth as much as 10 micrometres, which is what it becomes within one contact vibration.
    static constexpr double unit[4] = {1e-5 / 0.12, 1e-5, 1 / 0.12, 1};
    double worst = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < 7; ++k) sum += e[k] * rates_[k][i];
      worst = std::max(worst, std::abs(h * sum) / (unit[i] * tolerance_));
    }
    return worst;
  }

  // Shortens the step until it ends where the gap closes or opens: false position after Illinois.
  void locate(double side, double from, double to) {
    double low = 0, high = h_, at_low = std::min(from, 0.0), at_high = to;
    for (int k = 0; k < 60; ++k) {
      crossing_ = high - at_high * (high - low) / (at_high - at_low);
      attempt(crossing_);
      const double here = side * mechanics_.gap(t_ + crossing_, next_).penetration;
      if (std::abs(here) < rounding || std::abs(high - low) < 1e-16) return;
      if ((here > 0) == (at_high > 0)) {
        high = crossing_, at_high = here, at_low /= 2;
      } else {
        low = high, at_low = at_high;
        high = crossing_, at_high = here;
      }
    }
  }

  Mechanics& mechanics_;
  double tolerance_, t_ = 0, h_ = first_step, crossing_ = 0;
  Coordinates y_{}, next_{};
  std::array<Coordinates, 7> rates_{};
};

LooseSliderCrankResult run(double tolerance, double turns) {
  const double end = turns * LooseSliderCrankData{}.turn();
  LooseSliderCrankResult result;
  const Stopwatch watch;
  Mechanics mechanics;
  Stepper stepper(mechanics, tolerance);
  while (stepper.t() < end) {
    const bool changes = stepper.step(end);
    ++result.steps;
    const Mechanics::Gap gap = mechanics.gap(stepper.t(), stepper.y());
    const double force = mechanics.touching() ? mechanics.normal_force(gap) : 0;
    result.peak_force = std::max(result.peak_force, force);
    if (stepper.t() > end / 4) result.late_force = std::max(result.late_force, force);
    result.penetration = std::max(result.penetration, gap.penetration);
    if (!changes) continue;
    if (mechanics.touching()) {
      mechanics.end();
    } else {
      mechanics.begin(gap.rate);
      ++result.onsets;
    }
    stepper.restart();
  }
  result.seconds = watch.seconds();
  result.right_hand_sides = mechanics.evaluations();
  result.rod_angle = stepper.y()[0], result.rod_angular_velocity = stepper.y()[2];
  result.slider_position = stepper.y()[1], result.slider_velocity = stepper.y()[3];
  return result;
}

}  // namespace

const Contestant& by_hand_contestant() {
  static const Contestant contestant{"by hand", "contact_scenes_by_hand", run, nullptr};
  return contestant;
}

}  // namespace carom::benchmarks
