#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "control/block.h"

namespace carom::inline control {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// w = P e + I + D ė, held between the limits: y. İ = K_I e + (y − w) / T_t: where the output is at a limit the integral
// follows it instead of winding up. ė is given, or that of the filtered error, T_f ḟ = e − f.
class Pid final : public BlockOf<Pid> {
 public:
  explicit Pid(const Settings& settings)
      : proportional_(settings.number("proportional")),
        integral_(settings.number("integral")),
        derivative_(settings.number("derivative")),
        initial_(settings.number("initial")),
        lower_(settings.number("lower", -infinite)),
        upper_(settings.number("upper", infinite)),
        rate_given_(settings.has("rate")) {
    if (derivative_ != 0 && !rate_given_) filter_ = 1 / settings.number("filter", 1);
    const double usual = integral_ != 0 && proportional_ != 0 ? std::abs(proportional_ / integral_) : 1;
    tracking_ = 1 / settings.number("tracking", usual);
  }
  int states() const override { return filter_ > 0 ? 2 : 1; }
  bool is_linear() const override { return std::isinf(lower_) && std::isinf(upper_); }
  void initial_states(double* z) const override {
    z[0] = initial_;
    if (filter_ > 0) z[1] = 0;
  }
  int most_rates() const override { return std::isfinite(lower_) || std::isfinite(upper_) ? 1 : all_rates; }

  template <class Number>
  Number output_of(const Number&, const Number* u, const Number* z) const {
    return limited(wanted(u, z));
  }
  template <class Number>
  void rates_of(const Number&, const Number* u, const Number* z, Number* rates) const {
    const Number w = wanted(u, z);
    rates[0] = integral_ * u[0] + tracking_ * (limited(w) - w);
    if (filter_ > 0) rates[1] = filter_ * (u[0] - z[1]);
  }

 private:
  template <class Number>
  Number wanted(const Number* u, const Number* z) const {
    Number w = proportional_ * u[0] + z[0];
    if (rate_given_) w += derivative_ * u[1];
    if (filter_ > 0) w += (derivative_ * filter_) * (u[0] - z[1]);
    return w;
  }
  template <class Number>
  Number limited(const Number& w) const {
    return value_of(w) < lower_ ? Number(lower_) : value_of(w) > upper_ ? Number(upper_) : w;
  }

  double proportional_, integral_, derivative_, initial_, lower_, upper_;
  double filter_ = 0, tracking_;  // 1/s
  bool rate_given_;
};

std::string check_pid(const Settings& settings) {
  if (settings.number("derivative") != 0 && !settings.has("rate") && !settings.has("filter"))
    return "`derivative` without `rate` or `filter`: add `filter`, the time constant of the derivative, or `rate`, the "
           "rate of the input where it is measured";
  if (settings.has("lower") && settings.has("upper") && !(settings.number("lower") < settings.number("upper")))
    return fmt::format("`lower` = {:g} is not below `upper` = {:g}", settings.number("lower"),
                       settings.number("upper"));
  return "";
}

}  // namespace

BlockDescription describe_pid() {
  const auto gain = [](const std::string& name, const std::string& meaning) {
    return ParameterDescription{.name = name, .unit = "*", .meaning = meaning, .default_text = "0"};
  };
  const auto time = [](const std::string& name, const std::string& meaning, const std::string& usual) {
    return ParameterDescription{
        .name = name, .unit = "s", .meaning = meaning, .default_text = usual, .minimum = 0, .minimum_allowed = false};
  };
  ParameterDescription rate = input_row("rate", "rate of the input where it is measured, instead of a filter");
  rate.required = false;
  return {
      {.name = "pid",
       .summary = "P e + I ∫ e dt + D de/dt of the input e, with limits, an integral that does not wind up at them, "
                  "and a filtered or measured derivative.",
       .reference = "Åström and Hägglund, Advanced PID Control, 2006, sec. 3.5",
       .parameters = {input_row("input", "the error e = wanted − measured"),
                      gain("proportional", "factor P"),
                      gain("integral", "factor I of the integral"),
                      gain("derivative", "factor D of the derivative"),
                      rate,
                      time("filter", "time constant of the derivative", ""),
                      {.name = "lower", .unit = "*", .meaning = "smallest output", .default_text = "no bound"},
                      {.name = "upper", .unit = "*", .meaning = "largest output", .default_text = "no bound"},
                      time("tracking", "time constant by which the integral follows an output at its limit", "P / I"),
                      initial_row("integral part at the start")}},
      {"input", "rate"},
      OutputUnit::own,
      [](const Settings& settings) { return std::make_unique<Pid>(settings); },
      check_pid};
}

}  // namespace carom::inline control
