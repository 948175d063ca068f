#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "control/block.h"

// Blocks that bend their input: limits, dead band, the smaller or larger of two, and a limited rate.
namespace carom::inline control {
namespace {

constexpr double no_bound = std::numeric_limits<double>::infinity();

class Limiter final : public BlockOf<Limiter> {
 public:
  explicit Limiter(const Settings& settings)
      : lower_(settings.number("lower", -no_bound)), upper_(settings.number("upper", no_bound)) {}
  template <class Number>
  Number output_of(const Number&, const Number* u, const Number*) const {
    const double now = value_of(u[0]);
    return now < lower_ ? Number(lower_) : now > upper_ ? Number(upper_) : u[0];
  }
  int most_rates() const override { return 1; }

 private:
  double lower_, upper_;
};

// 0 within half the width of zero; beyond, the input less that.
class DeadBand final : public BlockOf<DeadBand> {
 public:
  explicit DeadBand(const Settings& settings) : half_(0.5 * settings.number("width")) {}
  template <class Number>
  Number output_of(const Number&, const Number* u, const Number*) const {
    const double now = value_of(u[0]);
    return now > half_ ? u[0] - half_ : now < -half_ ? u[0] + half_ : Number(0);
  }
  int most_rates() const override { return 1; }

 private:
  double half_;
};

template <bool larger>
class Extreme final : public BlockOf<Extreme<larger>> {
 public:
  template <class Number>
  Number output_of(const Number&, const Number* u, const Number*) const {
    return (value_of(u[0]) > value_of(u[1])) == larger ? u[0] : u[1];
  }
  int most_rates() const override { return 1; }
};

// ż = (u − z) / T within the bounds of the rate, y = z.
class RateLimiter final : public BlockOf<RateLimiter> {
 public:
  explicit RateLimiter(const Settings& settings)
      : rise_(settings.number("rise", no_bound)),
        fall_(settings.number("fall", settings.number("rise", no_bound))),
        follow_(1 / settings.number("time_constant", 1e-3)),
        initial_(settings.number("initial")) {}
  int states() const override { return 1; }
  void initial_states(double* z) const override { z[0] = initial_; }
  bool feeds_through() const override { return false; }
  int added_rates() const override { return 1; }
  template <class Number>
  Number output_of(const Number&, const Number*, const Number* z) const {
    return z[0];
  }
  template <class Number>
  void rates_of(const Number&, const Number* u, const Number* z, Number* rates) const {
    const Number wanted = follow_ * (u[0] - z[0]);
    rates[0] = value_of(wanted) > rise_ ? Number(rise_) : value_of(wanted) < -fall_ ? Number(-fall_) : wanted;
  }

 private:
  double rise_, fall_, follow_, initial_;
};

std::string check_limits(const Settings& settings) {
  if (settings.has("lower") && settings.has("upper") && !(settings.number("lower") < settings.number("upper")))
    return fmt::format("`lower` = {:g} is not below `upper` = {:g}", settings.number("lower"),
                       settings.number("upper"));
  if (!settings.has("lower") && !settings.has("upper")) return "neither `lower` nor `upper`: add one of them";
  return "";
}

}  // namespace

BlockDescription describe_limiter() {
  return {{.name = "limiter",
           .summary = "The input, held between a lower and an upper bound.",
           .reference = "Åström and Murray, Feedback Systems, 2nd ed., 2021, sec. 11.4",
           .parameters = {input_row(),
                          {.name = "lower", .unit = "*", .meaning = "smallest output", .default_text = "no bound"},
                          {.name = "upper", .unit = "*", .meaning = "largest output", .default_text = "no bound"}}},
          {"input"},
          OutputUnit::input,
          [](const Settings& settings) { return std::make_unique<Limiter>(settings); },
          check_limits};
}

BlockDescription describe_dead_band() {
  return {{.name = "dead-band",
           .summary = "0 for inputs within half the width of zero; beyond, the input less that.",
           .reference = "Khalil, Nonlinear Systems, 3rd ed., 2002, sec. 1.2",
           .parameters = {input_row(),
                          {.name = "width",
                           .unit = "*",
                           .meaning = "of the band, half of it on each side of 0",
                           .required = true,
                           .minimum = 0}}},
          {"input"},
          OutputUnit::input,
          [](const Settings& settings) { return std::make_unique<DeadBand>(settings); }};
}

BlockDescription describe_minimum() {
  return {{.name = "minimum",
           .summary = "The smaller of two inputs.",
           .reference = "",
           .parameters = {input_row("input", "the first"), input_row("other", "the second")}},
          {"input", "other"},
          OutputUnit::input,
          [](const Settings&) { return std::make_unique<Extreme<false>>(); }};
}

BlockDescription describe_maximum() {
  return {{.name = "maximum",
           .summary = "The larger of two inputs.",
           .reference = "",
           .parameters = {input_row("input", "the first"), input_row("other", "the second")}},
          {"input", "other"},
          OutputUnit::input,
          [](const Settings&) { return std::make_unique<Extreme<true>>(); }};
}

BlockDescription describe_rate_limiter() {
  const auto bound = [](const std::string& name, const std::string& meaning, const std::string& usual, bool required) {
    return ParameterDescription{.name = name,
                                .unit = "*",
                                .meaning = meaning,
                                .required = required,
                                .default_text = usual,
                                .minimum = 0,
                                .minimum_allowed = false};
  };
  return {{.name = "rate-limiter",
           .summary = "Follows the input, no faster than its rates allow: dy/dt = (u − y) / T within them.",
           .reference = "Khalil, Nonlinear Systems, 3rd ed., 2002, sec. 1.2",
           .parameters = {input_row(),
                          bound("rise", "largest rate upwards, unit of the input per second", "", true),
                          bound("fall", "largest rate downwards", "as `rise`", false),
                          {.name = "time_constant",
                           .unit = "s",
                           .meaning = "T, by which it lags behind an input that it can follow",
                           .default_text = "1 ms",
                           .minimum = 0,
                           .minimum_allowed = false},
                          initial_row()}},
          {"input"},
          OutputUnit::input,
          [](const Settings& settings) { return std::make_unique<RateLimiter>(settings); }};
}

}  // namespace carom::inline control
