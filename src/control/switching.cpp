#include <fmt/format.h>

#include "control/block.h"

// Blocks that jump. Which side they are on is a state that is held; steps end where they change it.
namespace carom::inline control {
namespace {

// On above the upper threshold, off below the lower one, as before in between.
class Hysteresis final : public BlockOf<Hysteresis> {
 public:
  explicit Hysteresis(const Settings& settings)
      : lower_(settings.number("lower")),
        upper_(settings.number("upper")),
        off_(settings.number("off")),
        on_(settings.number("on", 1)),
        starts_on_(settings.boolean("starts_on")) {}
  int states() const override { return 1; }
  void initial_states(double* z) const override { z[0] = starts_on_ ? 1 : 0; }
  bool feeds_through() const override { return false; }
  int added_rates() const override { return all_rates; }
  template <class Number>
  Number output_of(const Number&, const Number*, const Number* z) const {
    return Number(value_of(z[0]) > 0.5 ? on_ : off_);
  }
  bool switches() const override { return true; }
  double until_switch(double, const double* u, const double* z) const override {
    return z[0] > 0.5 ? lower_ - u[0] : u[0] - upper_;
  }
  void switch_over(double, const double*, double* z) const override { z[0] = z[0] > 0.5 ? 0 : 1; }

 private:
  double lower_, upper_, off_, on_;
  bool starts_on_;
};

// `above` where the input is above the threshold, else `below`.
class Switch final : public BlockOf<Switch> {
 public:
  explicit Switch(const Settings& settings) : threshold_(settings.number("threshold")) {}
  int states() const override { return 1; }
  template <class Number>
  Number output_of(const Number&, const Number* u, const Number* z) const {
    return value_of(z[0]) > 0.5 ? u[1] : u[2];
  }
  bool switches() const override { return true; }
  double until_switch(double, const double* u, const double* z) const override {
    return z[0] > 0.5 ? threshold_ - u[0] : u[0] - threshold_;
  }
  void switch_over(double, const double*, double* z) const override { z[0] = z[0] > 0.5 ? 0 : 1; }

 private:
  double threshold_;
};

std::string check_hysteresis(const Settings& settings) {
  if (settings.number("lower") < settings.number("upper")) return "";
  return fmt::format("`lower` = {:g} is not below `upper` = {:g}", settings.number("lower"), settings.number("upper"));
}

}  // namespace

BlockDescription describe_hysteresis() {
  return {{.name = "hysteresis",
           .summary = "A relay: on once the input has gone above `upper`, off once it has gone below `lower`.",
           .reference = "Khalil, Nonlinear Systems, 3rd ed., 2002, sec. 1.2",
           .parameters = {input_row(),
                          {.name = "lower", .unit = "*", .meaning = "below it the relay goes off", .required = true},
                          {.name = "upper", .unit = "*", .meaning = "above it the relay goes on", .required = true},
                          {.name = "on", .unit = "*", .meaning = "output while on", .default_text = "1"},
                          {.name = "off", .unit = "*", .meaning = "output while off", .default_text = "0"},
                          {.name = "starts_on",
                           .kind = ParameterKind::boolean,
                           .meaning = "whether it is on at the start, between the thresholds",
                           .default_text = "false"}}},
          {"input"},
          OutputUnit::own,
          [](const Settings& settings) { return std::make_unique<Hysteresis>(settings); },
          check_hysteresis};
}

BlockDescription describe_switch() {
  return {{.name = "switch",
           .summary = "One of two inputs, by whether a third is above a threshold. Steps end where it changes.",
           .reference = "",
           .parameters = {input_row("input", "what decides"),
                          {.name = "threshold", .unit = "*", .meaning = "of it", .default_text = "0"},
                          input_row("above", "output while the input is above the threshold"),
                          input_row("below", "output while it is not")}},
          {"input", "above", "below"},
          OutputUnit::own,
          [](const Settings& settings) { return std::make_unique<Switch>(settings); }};
}

}  // namespace carom::inline control
