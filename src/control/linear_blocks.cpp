#include <cmath>

#include <fmt/format.h>

#include "control/block.h"

namespace carom::inline control {
namespace {

// ẋ = A x + B u, y = C x + D u, with A by rows.
class StateSpace final : public BlockOf<StateSpace> {
 public:
  StateSpace(std::vector<double> a, std::vector<double> b, std::vector<double> c, double d, std::vector<double> initial)
      : a_(std::move(a)), b_(std::move(b)), c_(std::move(c)), d_(d), initial_(std::move(initial)) {
    initial_.resize(b_.size());
  }
  int states() const override { return static_cast<int>(b_.size()); }
  void initial_states(double* x) const override { std::copy(initial_.begin(), initial_.end(), x); }
  bool feeds_through() const override { return d_ != 0; }
  bool is_linear() const override { return true; }

  template <class Number>
  Number output_of(const Number&, const Number* u, const Number* x) const {
    Number sum = d_ == 0 ? Number(0) : d_ * u[0];
    for (std::size_t k = 0; k < c_.size(); ++k) sum += c_[k] * x[k];
    return sum;
  }
  template <class Number>
  void rates_of(const Number&, const Number* u, const Number* x, Number* rates) const {
    const double* row = a_.data();
    for (std::size_t i = 0; i < b_.size(); ++i, row += b_.size()) {
      Number sum = b_[i] * u[0];
      for (std::size_t k = 0; k < b_.size(); ++k) sum += row[k] * x[k];
      rates[i] = sum;
    }
  }

 private:
  std::vector<double> a_, b_, c_;
  double d_;
  std::vector<double> initial_;
};

std::unique_ptr<Block> make_state_space(const Settings& settings) {
  return std::make_unique<StateSpace>(settings.numbers("a"), settings.numbers("b"), settings.numbers("c"),
                                      settings.number("d"), settings.numbers("initial"));
}

std::string check_state_space(const Settings& settings) {
  const std::size_t n = settings.numbers("b").size(), initial = settings.numbers("initial").size();
  if (settings.numbers("a").size() != n * n)
    return fmt::format("`a` has {} numbers and `b` has {}; of {} states `a` has {}", settings.numbers("a").size(), n, n,
                       n * n);
  if (settings.numbers("c").size() != n)
    return fmt::format("`c` has {} numbers and `b` has {}; both have one for each state", settings.numbers("c").size(),
                       n);
  if (initial != 0 && initial != n) return fmt::format("`initial` has {} numbers for {} states", initial, n);
  return "";
}

// y = (b₀ sᵐ + … + bₘ) / (a₀ sⁿ + … + aₙ) u in companion form. States are scaled by powers of ω = ⁿ√|aₙ/a₀|, so that
// they are about as large as each other.
std::unique_ptr<Block> make_transfer_function(const Settings& settings) {
  std::vector<double> above = settings.numbers("numerator"), below = settings.numbers("denominator");
  const std::size_t n = below.size() - 1;
  above.insert(above.begin(), below.size() - above.size(), 0.0);
  const double lead = below.front();
  for (double& each : above) each /= lead;
  for (double& each : below) each /= lead;
  double scale = n > 0 ? std::pow(std::abs(below.back()), 1.0 / static_cast<double>(n)) : 1;
  if (!(scale > 0)) scale = 1;
  std::vector<double> a(n * n, 0.0), b(n, 0.0), c(n);
  // ẋ_k = ω x_{k+1}; the last: ω (u' − Σ …), with x_k = ω^{n-k} y^{(k)} of the denominator alone.
  for (std::size_t k = 0; k + 1 < n; ++k) a[k * n + k + 1] = scale;
  for (std::size_t k = 0; k < n; ++k) {
    const double power = std::pow(scale, static_cast<double>(n - k));
    a[(n - 1) * n + k] = -scale * below[n - k] / power;
    c[k] = (above[n - k] - below[n - k] * above[0]) / power;
  }
  if (n > 0) b[n - 1] = scale;
  return std::make_unique<StateSpace>(std::move(a), std::move(b), std::move(c), above[0], std::vector<double>{});
}

std::string check_transfer_function(const Settings& settings) {
  const std::vector<double> above = settings.numbers("numerator"), below = settings.numbers("denominator");
  if (below.empty() || below.front() == 0) return "the first number of `denominator`, of the highest power, is 0";
  if (above.size() > below.size())
    return fmt::format("`numerator` is of degree {} and `denominator` of {}: derivatives of the input are not known",
                       above.size() - 1, below.size() - 1);
  return "";
}

}  // namespace

BlockDescription describe_state_space() {
  const auto matrix = [](const std::string& name, const std::string& meaning) {
    return ParameterDescription{
        .name = name, .kind = ParameterKind::numbers, .unit = "*", .meaning = meaning, .required = true};
  };
  return {{.name = "state-space",
           .summary = "dx/dt = A x + B u, y = C x + D u, with one input and one output.",
           .reference = "Åström and Murray, Feedback Systems, 2nd ed., 2021, sec. 6.1",
           .parameters = {input_row(),
                          matrix("a", "A, row by row"),
                          matrix("b", "B, one number for each state"),
                          matrix("c", "C, one number for each state"),
                          {.name = "d", .unit = "*", .meaning = "D", .default_text = "0"},
                          {.name = "initial",
                           .kind = ParameterKind::numbers,
                           .unit = "*",
                           .meaning = "states at the start",
                           .default_text = "0"}}},
          {"input"},
          OutputUnit::own,
          make_state_space,
          check_state_space};
}

BlockDescription describe_transfer_function() {
  const auto polynomial = [](const std::string& name) {
    return ParameterDescription{.name = name,
                                .kind = ParameterKind::numbers,
                                .unit = "*",
                                .meaning = "its coefficients, that of the highest power of s first, in SI",
                                .required = true};
  };
  return {{.name = "transfer-function",
           .summary = "Y(s) = numerator(s) / denominator(s) · U(s), from rest.",
           .reference = "Åström and Murray, Feedback Systems, 2nd ed., 2021, sec. 9.2",
           .parameters = {input_row(), polynomial("numerator"), polynomial("denominator")}},
          {"input"},
          OutputUnit::own,
          make_transfer_function,
          check_transfer_function};
}

}  // namespace carom::inline control
