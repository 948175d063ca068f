#include "control/block.h"

namespace carom::inline control {
namespace {

ParameterDescription time_constant_row(const std::string& meaning) {
  return {.name = "time_constant",
          .unit = "s",
          .meaning = meaning,
          .required = true,
          .minimum = 0,
          .minimum_allowed = false};
}

// T ẏ + y = gain · u.
class FirstOrderLag final : public BlockOf<FirstOrderLag> {
 public:
  explicit FirstOrderLag(const Settings& settings)
      : gain_(settings.number("gain", 1)),
        rate_(1 / settings.number("time_constant", 1)),
        initial_(settings.number("initial")) {}
  int states() const override { return 1; }
  void initial_states(double* z) const override { z[0] = initial_; }
  bool feeds_through() const override { return false; }
  int added_rates() const override { return 1; }
  bool is_linear() const override { return true; }

  template <class Number>
  Number output_of(const Number&, const Number*, const Number* z) const {
    return z[0];
  }
  template <class Number>
  void rates_of(const Number&, const Number* u, const Number* z, Number* rates) const {
    rates[0] = rate_ * (gain_ * u[0] - z[0]);
  }

 private:
  double gain_, rate_, initial_;
};

// ÿ + 2 ζ ω ẏ + ω² y = ω² gain · u.
class SecondOrderLag final : public BlockOf<SecondOrderLag> {
 public:
  explicit SecondOrderLag(const Settings& settings)
      : gain_(settings.number("gain", 1)),
        frequency_(settings.number("frequency", 1)),
        ratio_(settings.number("damping_ratio", 1)),
        initial_(settings.number("initial")) {}
  int states() const override { return 2; }
  void initial_states(double* z) const override { z[0] = initial_, z[1] = 0; }
  bool feeds_through() const override { return false; }
  int added_rates() const override { return 2; }
  bool is_linear() const override { return true; }

  template <class Number>
  Number output_of(const Number&, const Number*, const Number* z) const {
    return z[0];
  }
  // The second state is ẏ / ω, as large as the output.
  template <class Number>
  void rates_of(const Number&, const Number* u, const Number* z, Number* rates) const {
    rates[0] = frequency_ * z[1];
    rates[1] = frequency_ * (gain_ * u[0] - z[0] - 2 * ratio_ * z[1]);
  }

 private:
  double gain_, frequency_, ratio_, initial_;
};

}  // namespace

BlockDescription describe_first_order_lag() {
  return {{.name = "first-order-lag",
           .summary = "T dy/dt + y = gain · u: a sensor or an actuator that takes its time.",
           .reference = "Åström and Murray, Feedback Systems, 2nd ed., 2021, sec. 9.2",
           .parameters = {input_row(), time_constant_row("T, after which a step is followed to 63 %"), gain_row(),
                          initial_row()}},
          {"input"},
          OutputUnit::input,
          [](const Settings& settings) { return std::make_unique<FirstOrderLag>(settings); }};
}

BlockDescription describe_second_order_lag() {
  return {{.name = "second-order-lag",
           .summary = "d²y/dt² + 2 ζ ω dy/dt + ω² y = ω² gain · u: a filter or an actuator with a natural frequency.",
           .reference = "Åström and Murray, Feedback Systems, 2nd ed., 2021, sec. 7.3",
           .parameters = {input_row(),
                          {.name = "frequency",
                           .unit = "rad/s",
                           .meaning = "ω, undamped natural frequency",
                           .required = true,
                           .minimum = 0,
                           .minimum_allowed = false},
                          {.name = "damping_ratio", .meaning = "ζ", .default_text = "1", .minimum = 0},
                          gain_row(),
                          initial_row("output at the start, with no rate")}},
          {"input"},
          OutputUnit::input,
          [](const Settings& settings) { return std::make_unique<SecondOrderLag>(settings); }};
}

}  // namespace carom::inline control
