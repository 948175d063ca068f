#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "control/block.h"

namespace carom::inline control {
namespace {

// ẋ = A x + B u, y = C x + D u, with all matrices by rows.
class StateSpace final : public BlockOf<StateSpace> {
 public:
  struct Matrices {
    std::size_t inputs = 1;
    std::vector<double> a, b, c, d;
  };
  StateSpace(Matrices matrices, std::vector<double> initial)
      : m_(std::move(matrices)), n_(m_.b.size() / m_.inputs), initial_(std::move(initial)) {
    initial_.resize(n_);
    m_.d.resize(std::max(m_.d.size(), static_cast<std::size_t>(outputs()) * m_.inputs));
    through_ = std::any_of(m_.d.begin(), m_.d.end(), [](double each) { return each != 0; });
  }
  int states() const override { return static_cast<int>(n_); }
  void initial_states(double* x) const override { std::copy(initial_.begin(), initial_.end(), x); }
  bool feeds_through() const override { return through_; }
  int outputs() const override {
    return static_cast<int>(n_ > 0 ? m_.c.size() / n_ : std::max<std::size_t>(1, m_.d.size() / m_.inputs));
  }
  // The relative degree: C Aᵏ B is the first that does not vanish.
  int added_rates() const override {
    if (through_) return 0;
    std::vector<double> column = m_.b, next(column.size());
    for (int degree = 1; degree <= states(); ++degree) {
      if (!vanishes(m_.c, column)) return degree;
      for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t j = 0; j < m_.inputs; ++j) {
          next[i * m_.inputs + j] = 0;
          for (std::size_t k = 0; k < n_; ++k) next[i * m_.inputs + j] += m_.a[i * n_ + k] * column[k * m_.inputs + j];
        }
      }
      column.swap(next);
    }
    return all_rates;
  }
  bool is_linear() const override { return true; }

  template <class Number>
  Number output_of(const Number&, const Number* u, const Number* x) const {
    return row(0, u, x);
  }
  double output_at(int number, double, const double* u, const double* x) const override { return row(number, u, x); }
  Jet output_at(int number, const Jet&, const Jet* u, const Jet* x) const override { return row(number, u, x); }
  template <class Number>
  void rates_of(const Number&, const Number* u, const Number* x, Number* rates) const {
    for (std::size_t i = 0; i < n_; ++i) {
      Number sum = m_.b[i * m_.inputs] * u[0];
      for (std::size_t k = 1; k < m_.inputs; ++k) sum += m_.b[i * m_.inputs + k] * u[k];
      for (std::size_t k = 0; k < n_; ++k) sum += m_.a[i * n_ + k] * x[k];
      rates[i] = sum;
    }
  }

 private:
  template <class Number>
  Number row(int number, const Number* u, const Number* x) const {
    const auto first = static_cast<std::size_t>(number);
    Number sum(0);
    for (std::size_t k = 0; k < m_.inputs && through_; ++k) sum += m_.d[first * m_.inputs + k] * u[k];
    for (std::size_t k = 0; k < n_; ++k) sum += m_.c[first * n_ + k] * x[k];
    return sum;
  }
  // All products of rows of C with the columns.
  bool vanishes(const std::vector<double>& c, const std::vector<double>& columns) const {
    for (int i = 0; i < outputs(); ++i) {
      for (std::size_t j = 0; j < m_.inputs; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < n_; ++k)
          sum += c[static_cast<std::size_t>(i) * n_ + k] * columns[k * m_.inputs + j];
        if (sum != 0) return false;
      }
    }
    return true;
  }

  Matrices m_;
  std::size_t n_;
  std::vector<double> initial_;
  bool through_ = false;
};

std::size_t input_count(const Settings& settings) {
  return settings.has("inputs") ? settings.functions("inputs").size() : 1;
}

std::unique_ptr<Block> make_state_space(const Settings& settings) {
  return std::make_unique<StateSpace>(
      StateSpace::Matrices{input_count(settings), settings.numbers("a"), settings.numbers("b"), settings.numbers("c"),
                           settings.numbers("d")},
      settings.numbers("initial"));
}

std::string check_state_space(const Settings& settings) {
  const std::size_t inputs = input_count(settings), n = settings.numbers("b").size() / std::max<std::size_t>(inputs, 1);
  const std::size_t initial = settings.numbers("initial").size(), given = settings.numbers("d").size();
  if (n == 0 || settings.numbers("b").size() != n * inputs)
    return fmt::format("`b` has {} numbers; it has a row for each state, of {} inputs", settings.numbers("b").size(),
                       inputs);
  if (settings.numbers("a").size() != n * n)
    return fmt::format("`a` has {} numbers and `b` has {}; of {} states `a` has {}", settings.numbers("a").size(),
                       n * inputs, n, n * n);
  const std::size_t outputs = settings.numbers("c").size() / n;
  if (outputs == 0 || settings.numbers("c").size() != outputs * n)
    return fmt::format("`c` has {} numbers; it has a row for each output, of {} states", settings.numbers("c").size(),
                       n);
  if (given != 0 && given != outputs * inputs && !(given == 1 && settings.numbers("d").front() == 0))
    return fmt::format("`d` has {} numbers; {} outputs and {} inputs make {}", given, outputs, inputs,
                       outputs * inputs);
  if (initial != 0 && initial != n) return fmt::format("`initial` has {} numbers for {} states", initial, n);
  if (settings.has("input") == settings.has("inputs"))
    return settings.has("input") ? "both `input` and `inputs`" : "neither `input` nor `inputs`";
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
  return std::make_unique<StateSpace>(StateSpace::Matrices{1, std::move(a), std::move(b), std::move(c), {above[0]}},
                                      std::vector<double>{});
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
  ParameterDescription input = input_row(), inputs = input_row("inputs", "several inputs, instead of `input`");
  input.required = inputs.required = false;
  inputs.kind = ParameterKind::functions;
  return {
      {.name = "state-space",
       .summary = "dx/dt = A x + B u, y = C x + D u. Its value is the first output; signals of type output give out "
                  "the others.",
       .reference = "Åström and Murray, Feedback Systems, 2nd ed., 2021, sec. 6.1",
       .parameters = {input,
                      inputs,
                      matrix("a", "A, row by row"),
                      matrix("b", "B, row by row: for each state a number for each input"),
                      matrix("c", "C, row by row: for each output a number for each state"),
                      {.name = "d",
                       .kind = ParameterKind::numbers,
                       .unit = "*",
                       .meaning = "D, row by row: for each output a number for each input",
                       .default_text = "0"},
                      {.name = "initial",
                       .kind = ParameterKind::numbers,
                       .unit = "*",
                       .meaning = "states at the start",
                       .default_text = "0"}}},
      {"input"},
      OutputUnit::own,
      make_state_space,
      check_state_space,
      "inputs"};
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
