#include "control/block.h"

namespace carom::inline control {
namespace {

class Held final : public BlockOf<Held> {
 public:
  explicit Held(const Settings& settings) : initial_(settings.number("initial")) {}
  int states() const override { return 1; }
  void initial_states(double* z) const override { z[0] = initial_; }
  bool feeds_through() const override { return false; }
  int added_rates() const override { return all_rates; }
  bool jumps() const override { return true; }
  bool is_linear() const override { return true; }
  template <class Number>
  Number output_of(const Number&, const Number*, const Number* z) const {
    return z[0];
  }

 private:
  double initial_;
};

}  // namespace

BlockDescription describe_held() {
  return {{.name = held_type,
           .summary = "A number that stays what it is until an event sets it: a mode, a counter, a parameter that "
                      "changes on the way.",
           .reference = "",
           .parameters = {initial_row("value at the start")}},
          {},
          OutputUnit::own,
          [](const Settings& settings) { return std::make_unique<Held>(settings); }};
}

}  // namespace carom::inline control
