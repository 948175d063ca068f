#include <cmath>
#include <cstdint>
#include <numbers>

#include <fmt/format.h>

#include "control/block.h"

// Blocks of digital controls: they act at instants of their own and hold their output in between.
namespace carom::inline control {
namespace {

// yₖ = Σ bᵢ uₖ₋ᵢ − Σ aᵢ yₖ₋ᵢ, rounded to whole quanta. States: y, then earlier inputs and outputs, the latest first.
class SampleAndHold final : public BlockOf<SampleAndHold> {
 public:
  explicit SampleAndHold(const Settings& settings)
      : sampling_{settings.number("period", 1), settings.number("offset")},
        quantum_(settings.number("quantum")),
        initial_(settings.number("initial")),
        b_(settings.has("numerator") ? settings.numbers("numerator") : std::vector{1.0}),
        a_(settings.has("denominator") ? settings.numbers("denominator") : std::vector{1.0}) {
    for (double& each : b_) each /= a_.front();
    for (std::size_t k = a_.size(); k-- > 0;) a_[k] /= a_.front();
  }
  int states() const override { return 1 + earlier_inputs() + earlier_outputs(); }
  void initial_states(double* z) const override {
    std::fill_n(z, states(), 0.0);
    z[0] = initial_;
  }
  bool feeds_through() const override { return false; }
  int added_rates() const override { return all_rates; }
  bool is_linear() const override { return true; }
  template <class Number>
  Number output_of(const Number&, const Number*, const Number* z) const {
    return z[0];
  }

  Sampling sampling() const override { return sampling_; }
  void sample(long, double, const double* u, double* z) const override {
    double* const before = z + 1;
    double* const earlier = before + earlier_inputs();
    double y = b_[0] * u[0];
    for (int k = 0; k < earlier_inputs(); ++k) y += b_[k + 1] * before[k];
    for (int k = 0; k < earlier_outputs(); ++k) y -= a_[k + 1] * earlier[k];
    shift(before, earlier_inputs(), u[0]);
    shift(earlier, earlier_outputs(), y);
    z[0] = quantum_ > 0 ? quantum_ * std::round(y / quantum_) : y;
  }

 private:
  int earlier_inputs() const { return static_cast<int>(b_.size()) - 1; }
  int earlier_outputs() const { return static_cast<int>(a_.size()) - 1; }
  static void shift(double* row, int count, double first) {
    for (int k = count - 1; k > 0; --k) row[k] = row[k - 1];
    if (count > 0) row[0] = first;
  }

  Sampling sampling_;
  double quantum_, initial_;
  std::vector<double> b_, a_;
};

// Splitmix64 of seed and number: the same numbers whatever else is drawn, on every machine.
double uniform(std::uint64_t seed, std::uint64_t number) {
  std::uint64_t x = seed * 0x9e3779b97f4a7c15ULL + (number + 1) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return (static_cast<double>((x ^ (x >> 31)) >> 11) + 0.5) * 0x1p-53;
}

class Noise final : public BlockOf<Noise> {
 public:
  explicit Noise(const Settings& settings)
      : sampling_{settings.number("period", 1), 0},
        mean_(settings.number("mean")),
        deviation_(settings.number("deviation", 1)),
        seed_(static_cast<std::uint64_t>(settings.number("seed", 1))),
        gaussian_(settings.text("distribution", "gaussian") == "gaussian") {}
  int states() const override { return 1; }
  void initial_states(double* z) const override { z[0] = mean_; }
  bool feeds_through() const override { return false; }
  int added_rates() const override { return all_rates; }
  bool is_linear() const override { return true; }
  template <class Number>
  Number output_of(const Number&, const Number*, const Number* z) const {
    return z[0];
  }
  Sampling sampling() const override { return sampling_; }
  void sample(long k, double, const double*, double* z) const override {
    const auto number = static_cast<std::uint64_t>(k);
    const double one = uniform(seed_, 2 * number), two = uniform(seed_, 2 * number + 1);
    const double drawn = gaussian_ ? std::sqrt(-2 * std::log(one)) * std::cos(2 * std::numbers::pi * two)
                                   : std::sqrt(12.0) * (one - 0.5);
    z[0] = mean_ + deviation_ * drawn;
  }

 private:
  Sampling sampling_;
  double mean_, deviation_;
  std::uint64_t seed_;
  bool gaussian_;
};

ParameterDescription period_row() {
  return {.name = "period",
          .unit = "s",
          .meaning = "from one sample to the next; the first is at the start",
          .required = true,
          .minimum = 0,
          .minimum_allowed = false};
}

std::string check_recursion(const Settings& settings) {
  if (settings.has("denominator") && settings.numbers("denominator").front() == 0)
    return "the first number of `denominator`, of the present output, is 0";
  return "";
}

}  // namespace

BlockDescription describe_sample_and_hold() {
  const auto polynomial = [](const std::string& name, const std::string& meaning) {
    return ParameterDescription{
        .name = name, .kind = ParameterKind::numbers, .unit = "*", .meaning = meaning, .default_text = "1"};
  };
  return {{.name = "sample-and-hold",
           .summary = "Takes its input at exact instants and holds it: a digital control. With coefficients, the "
                      "transfer function numerator / denominator in powers of z⁻¹.",
           .reference = "Åström and Wittenmark, Computer-Controlled Systems, 3rd ed., 1997, ch. 2",
           .parameters = {input_row(),
                          period_row(),
                          {.name = "offset",
                           .unit = "s",
                           .meaning = "of the first sample from the start",
                           .default_text = "0",
                           .minimum = 0},
                          polynomial("numerator", "factors of the present input and of earlier ones"),
                          polynomial("denominator", "factors of the present output and of earlier ones"),
                          {.name = "quantum",
                           .unit = "*",
                           .meaning = "the output is a whole number of these; 0: not rounded",
                           .default_text = "0",
                           .minimum = 0},
                          initial_row("output before the first sample")}},
          {"input"},
          OutputUnit::own,
          [](const Settings& settings) { return std::make_unique<SampleAndHold>(settings); },
          check_recursion};
}

BlockDescription describe_noise() {
  return {{.name = "noise",
           .summary = "Random numbers, each held for a period; the same ones in every run of the same seed.",
           .reference = "Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014",
           .parameters =
               {period_row(),
                {.name = "mean", .unit = "*", .meaning = "of the numbers", .default_text = "0"},
                {.name = "deviation", .unit = "*", .meaning = "standard deviation", .default_text = "1", .minimum = 0},
                {.name = "seed",
                 .kind = ParameterKind::integer,
                 .meaning = "another seed, other numbers",
                 .default_text = "1",
                 .minimum = 0},
                {.name = "distribution",
                 .kind = ParameterKind::choice,
                 .meaning = "of the numbers",
                 .default_text = "gaussian",
                 .choices = {"gaussian", "uniform"}}}},
          {},
          OutputUnit::own,
          [](const Settings& settings) { return std::make_unique<Noise>(settings); }};
}

}  // namespace carom::inline control
