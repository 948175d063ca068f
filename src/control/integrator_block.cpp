#include "control/block.h"

namespace carom::inline control {
namespace {

// y = z, ż = gain · u.
class Integrator final : public BlockOf<Integrator> {
 public:
  explicit Integrator(const Settings& settings)
      : gain_(settings.number("gain", 1)), initial_(settings.number("initial")) {}
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
  void rates_of(const Number&, const Number* u, const Number*, Number* rates) const {
    rates[0] = gain_ * u[0];
  }

 private:
  double gain_, initial_;
};

}  // namespace

BlockDescription describe_integrator() {
  return {{.name = "integrator",
           .summary = "y = initial + gain · ∫ u dt.",
           .reference = "Åström and Murray, Feedback Systems, 2nd ed., 2021, sec. 3.2",
           .parameters = {input_row(), gain_row(), initial_row()}},
          {"input"},
          OutputUnit::seconds,
          [](const Settings& settings) { return std::make_unique<Integrator>(settings); }};
}

}  // namespace carom::inline control
