#include "control/block.h"

namespace carom::inline control {
namespace {

// y(t) = u(t − τ), from what the network remembers of the input.
class Delay final : public BlockOf<Delay> {
 public:
  explicit Delay(const Settings& settings) : time_(settings.number("time", 1)), initial_(settings.number("initial")) {}
  bool feeds_through() const override { return false; }
  int most_rates() const override { return 0; }
  double delay() const override { return time_; }
  double before_start() const override { return initial_; }
  template <class Number>
  Number output_of(const Number&, const Number*, const Number*) const {
    return Number(initial_);
  }

 private:
  double time_, initial_;  // s
};

}  // namespace

BlockDescription describe_delay() {
  return {{.name = "delay",
           .summary = "The input as it was a time ago. Steps are not longer than that.",
           .reference = "Bellen and Zennaro, Numerical Methods for Delay Differential Equations, 2003, ch. 3",
           .parameters =
               {input_row(),
                {.name = "time", .unit = "s", .meaning = "τ", .required = true, .minimum = 0, .minimum_allowed = false},
                initial_row("output until the time has passed")}},
          {"input"},
          OutputUnit::input,
          [](const Settings& settings) { return std::make_unique<Delay>(settings); }};
}

}  // namespace carom::inline control
