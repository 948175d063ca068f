#include "math/function.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "base/jet.h"
#include "base/problem.h"

namespace carom::inline math {

class Function::Implementation {
 public:
  virtual ~Implementation() = default;
  virtual double value(std::span<const double> arguments) const = 0;
  virtual Jet derivatives(std::span<const double> arguments, int with_respect_to) const = 0;
  virtual Jet along(const Jet& x, const Jet*) const {
    const Jet by_argument = derivatives(std::span(&x.value, 1), 0);
    return chain(x, by_argument.value, by_argument.first, by_argument.second);
  }
  virtual bool depends_on(int argument) const { return argument == 0; }
  virtual std::vector<double> breakpoints() const = 0;
  virtual std::string description() const = 0;
  virtual std::optional<Function::Table> table_points() const { return std::nullopt; }
  virtual const GivenFunction* given() const { return nullptr; }
  virtual const std::vector<std::string>& signals() const {
    static const std::vector<std::string> none;
    return none;
  }
  virtual std::shared_ptr<const Implementation> bound(const double*, const std::vector<int>&) const { return nullptr; }
  // The integral in closed form, if there is one.
  virtual std::shared_ptr<const Implementation> closed_antiderivative(double, double) const { return nullptr; }
};

namespace {

class ExpressionFunction final : public Function::Implementation {
 public:
  explicit ExpressionFunction(Expression expression) : expression_(std::move(expression)) {}
  double value(std::span<const double> arguments) const override { return expression_.value(arguments); }
  Jet derivatives(std::span<const double> arguments, int with_respect_to) const override {
    return expression_.derivatives(arguments, with_respect_to);
  }
  bool depends_on(int argument) const override { return expression_.uses_argument(argument); }
  std::vector<double> breakpoints() const override { return expression_.switching_points(0); }
  std::string description() const override { return "expression `" + expression_.text() + "`"; }

 private:
  Expression expression_;
};

class SignalFunction final : public Function::Implementation {
 public:
  SignalFunction(Expression expression, std::vector<std::string> signals)
      : expression_(std::move(expression)),
        signals_(std::move(signals)),
        own_(static_cast<std::size_t>(expression_.argument_count()) - signals_.size()) {}

  double value(std::span<const double> arguments) const override {
    Arguments all;
    return expression_.value(gather(arguments, all));
  }
  Jet derivatives(std::span<const double> arguments, int with_respect_to) const override {
    Arguments all;
    return expression_.derivatives(gather(arguments, all), with_respect_to);
  }
  Jet along(const Jet& x, const Jet* signals) const override {
    std::array<Jet, Function::most_arguments> all;
    if (own_ > 0) all[0] = x;
    for (std::size_t k = 0; k < signals_.size(); ++k) all[own_ + k] = signals[places_[k]];
    return expression_.along({all.data(), own_ + signals_.size()});
  }
  bool depends_on(int argument) const override { return expression_.uses_argument(argument); }
  std::vector<double> breakpoints() const override { return expression_.switching_points(0); }
  std::string description() const override { return "expression `" + expression_.text() + "`"; }
  const std::vector<std::string>& signals() const override { return signals_; }
  std::shared_ptr<const Implementation> bound(const double* values, const std::vector<int>& places) const override {
    auto copy = std::make_shared<SignalFunction>(*this);
    copy->values_ = values, copy->places_ = places;
    return copy;
  }

 private:
  using Arguments = std::array<double, Function::most_arguments>;
  std::span<const double> gather(std::span<const double> arguments, Arguments& all) const {
    const std::size_t given = std::min(arguments.size(), own_);
    std::copy_n(arguments.begin(), given, all.begin());
    std::fill(all.begin() + given, all.begin() + own_, 0.0);
    for (std::size_t k = 0; k < signals_.size(); ++k) all[own_ + k] = values_ ? values_[places_[k]] : 0;
    return {all.data(), own_ + signals_.size()};
  }

  Expression expression_;
  std::vector<std::string> signals_;
  std::size_t own_;  // arguments before the signals
  const double* values_ = nullptr;
  std::vector<int> places_;
};

class SplineFunction final : public Function::Implementation {
 public:
  SplineFunction(Spline spline, std::string description, std::optional<Interpolation> table = std::nullopt)
      : spline_(std::move(spline)), description_(std::move(description)), table_(table) {}
  double value(std::span<const double> arguments) const override { return spline_.value(arguments[0]); }
  Jet derivatives(std::span<const double> arguments, int with_respect_to) const override {
    if (with_respect_to != 0) return {value(arguments), 0, 0};
    return spline_.derivatives(arguments[0]);
  }
  std::vector<double> breakpoints() const override { return spline_.breakpoints(); }
  std::string description() const override { return description_; }
  std::optional<Function::Table> table_points() const override {
    if (!table_) return std::nullopt;
    return Function::Table{{spline_.knots().begin(), spline_.knots().end()}, spline_.ordinates(), *table_};
  }
  std::shared_ptr<const Implementation> closed_antiderivative(double from, double initial_value) const override {
    return std::make_shared<SplineFunction>(spline_.antiderivative(from, initial_value), "integral of " + description_);
  }

 private:
  Spline spline_;
  std::string description_;
  std::optional<Interpolation> table_;  // a table, interpolated so; else an integral
};

class ForeignFunction final : public Function::Implementation {
 public:
  explicit ForeignFunction(std::shared_ptr<const GivenFunction> function) : function_(std::move(function)) {}
  double value(std::span<const double> arguments) const override { return function_->derivatives(arguments[0]).value; }
  Jet derivatives(std::span<const double> arguments, int with_respect_to) const override {
    const Jet jet = function_->derivatives(arguments[0]);
    return with_respect_to == 0 ? jet : Jet{jet.value, 0, 0};
  }
  std::vector<double> breakpoints() const override { return function_->breakpoints(); }
  std::string description() const override { return function_->description(); }
  const GivenFunction* given() const override { return function_.get(); }

 private:
  std::shared_ptr<const GivenFunction> function_;
};

using Gauss = boost::math::quadrature::gauss<double, 10>;

// ∫ from a to b; negative where b < a.
template <typename Integrand>
double gauss_legendre(const Integrand& f, double a, double b) {
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  double sum = 0;
  for (std::size_t i = 0; i < Gauss::abscissa().size(); ++i) {
    const double offset = half * Gauss::abscissa()[i];
    sum += Gauss::weights()[i] * (f(middle - offset) + f(middle + offset));
  }
  return half * sum;
}

// A row of panels on each of which ten Gauss points resolve the integrand.
class PanelBuilder {
 public:
  struct Panels {
    std::vector<double> borders;
    std::vector<double> integrals;  // from the first border to each border
  };

  PanelBuilder(const Function& integrand, double low, double high)
      : integrand_(integrand), low_(low), high_(high), panels_{{low}, {0.0}} {}

  Panels build() {
    const std::vector<double> starts = first_borders();
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) magnitude_ += measure(starts[i], starts[i + 1]).magnitude;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) resolve(starts[i], starts[i + 1], {}, 0);
    return std::move(panels_);
  }

 private:
  static constexpr int first_panels = 64;  // enough to notice what happens between them
  static constexpr std::size_t most_panels = 500000;
  static constexpr double tolerance = 4e-15;       // of the integral of |f|
  static constexpr double smallest_panel = 1e-14;  // of the range: ends the search for a hidden jump
  static constexpr double plausible_noise = 1e-8;  // of the integral of |f|

  struct Measure {
    double integral = 0;
    double magnitude = 0;  // integral of |f|
    double variation = 0;  // integral of |f'|
  };

  // Errors per unit of length of the panels from which this one was cut, the nearest first.
  using Ancestors = std::array<double, 3>;

  // The integrand's own switching points, and an even division between them.
  std::vector<double> first_borders() const {
    std::vector<double> marks = {low_};
    for (const double breakpoint : integrand_.breakpoints()) {
      if (low_ < breakpoint && breakpoint < high_) marks.push_back(breakpoint);
    }
    marks.push_back(high_);
    std::vector<double> borders = {low_};
    for (std::size_t i = 0; i + 1 < marks.size(); ++i) {
      const double width = marks[i + 1] - marks[i];
      const int parts = std::max(1, static_cast<int>(std::ceil(first_panels * width / (high_ - low_))));
      for (int part = 1; part < parts; ++part) borders.push_back(marks[i] + width * part / parts);
      borders.push_back(marks[i + 1]);
    }
    return borders;
  }

  Measure measure(double a, double b) const {
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    Measure result;
    for (std::size_t i = 0; i < Gauss::abscissa().size(); ++i) {
      const double offset = half * Gauss::abscissa()[i], weight = half * Gauss::weights()[i];
      const Jet left = integrand_.derivatives(middle - offset), right = integrand_.derivatives(middle + offset);
      result.integral += weight * (left.value + right.value);
      result.magnitude += weight * (std::abs(left.value) + std::abs(right.value));
      result.variation += weight * (std::abs(left.first) + std::abs(right.first));
    }
    if (!std::isfinite(result.integral)) {
      throw ComputationError(
          fmt::format("{} cannot be integrated: it is not finite between {} and {}", integrand_.description(), a, b));
    }
    return result;
  }

  // Halves the panel until it is resolved. The depth is bounded by smallest_panel.
  void resolve(double a, double b, const Ancestors& ancestors, int depth) {
    const auto f = [this](double x) { return integrand_.value(x); };
    const double width = b - a;
    const Measure whole = measure(a, b);
    // An uneven cut: about the middle, odd integrands look resolved when they are not.
    const double cut = a + 0.382 * width;
    const double error = std::abs(whole.integral - gauss_legendre(f, a, cut) - gauss_legendre(f, cut, b));
    const double scale = std::max(whole.magnitude, magnitude_ * width / (high_ - low_));
    // Rounding of x alone changes f by this much.
    const double rounding = 2 * std::numeric_limits<double>::epsilon() * std::max(std::abs(a), std::abs(b)) *
                            (std::isfinite(whole.variation) ? whole.variation : 0);
    const bool resolved = error <= tolerance * scale + rounding;
    const bool noise = depth >= 3 && error > 0.5 * ancestors[2] * width && error <= plausible_noise * scale;
    if (resolved || noise || width <= smallest_panel * std::max({high_ - low_, std::abs(a), std::abs(b)})) {
      append(b, whole.integral);
      return;
    }
    const double middle = 0.5 * (a + b);
    const Ancestors next = {error / width, ancestors[0], ancestors[1]};
    resolve(a, middle, next, depth + 1);
    resolve(middle, b, next, depth + 1);
  }

  // Compensated summation: rounding must not grow with the number of panels.
  void append(double border, double integral) {
    if (panels_.borders.size() > most_panels) {
      throw ComputationError(
          fmt::format("{} changes too quickly to be integrated from {} to {}", integrand_.description(), low_, high_));
    }
    const double term = integral + carry_;
    const double sum = panels_.integrals.back() + term;
    carry_ = term - (sum - panels_.integrals.back());
    panels_.borders.push_back(border);
    panels_.integrals.push_back(sum);
  }

  const Function& integrand_;
  double low_, high_;
  double magnitude_ = 0;  // of the whole range
  Panels panels_;
  double carry_ = 0;
};

class IntegralFunction final : public Function::Implementation {
 public:
  IntegralFunction(Function integrand, double from, double initial_value, double until)
      : integrand_(std::move(integrand)), switches_(integrand_.breakpoints()) {
    if (from == until) {
      borders_ = {from};
      values_ = {initial_value};
      width_before_ = width_behind_ = 1e-3 * std::max(1.0, std::abs(from));
      return;
    }
    PanelBuilder::Panels panels = PanelBuilder(integrand_, std::min(from, until), std::max(from, until)).build();
    borders_ = std::move(panels.borders);
    values_ = std::move(panels.integrals);
    const double shift = initial_value - (from < until ? values_.front() : values_.back());
    for (double& value : values_) value += shift;
    width_before_ = extension_width(true);
    width_behind_ = extension_width(false);
  }

  double value(std::span<const double> arguments) const override {
    const double x = arguments[0];
    if (x < borders_.front()) return values_.front() + beyond(borders_.front(), x, width_before_);
    if (x >= borders_.back()) return values_.back() + beyond(borders_.back(), x, width_behind_);
    const auto panel = std::upper_bound(borders_.begin(), borders_.end(), x) - borders_.begin() - 1;
    return values_[panel] + integral(borders_[panel], x);
  }

  Jet derivatives(std::span<const double> arguments, int with_respect_to) const override {
    if (with_respect_to != 0) return {value(arguments), 0, 0};
    const Jet integrand = integrand_.derivatives(arguments[0]);
    return {value(arguments), integrand.value, integrand.first};
  }

  std::vector<double> breakpoints() const override { return switches_; }
  std::string description() const override { return "integral of " + integrand_.description(); }

 private:
  double integral(double a, double b) const {
    return gauss_legendre([this](double x) { return integrand_.value(x); }, a, b);
  }

  // Half the widest of the panels next to an end: narrower ones may only surround a corner.
  double extension_width(bool at_front) const {
    const std::size_t count = std::min<std::size_t>(borders_.size() - 1, 64);
    const std::size_t first = at_front ? 0 : borders_.size() - 1 - count;
    double widest = 0;
    for (std::size_t i = first; i < first + count; ++i) widest = std::max(widest, borders_[i + 1] - borders_[i]);
    return widest / 2;
  }

  // ∫ from an end of the range to x outside it, in either direction, cut at the switching points on the way.
  double beyond(double end, double x, double width) const {
    if (x == end) return 0;
    double sum = 0, reached = end;
    if (x > end) {
      for (auto mark = std::upper_bound(switches_.begin(), switches_.end(), end); mark != switches_.end() && *mark < x;
           reached = *mark++) {
        sum += in_panels(reached, *mark, width);
      }
    } else {
      for (auto mark = std::lower_bound(switches_.begin(), switches_.end(), end);
           mark != switches_.begin() && *std::prev(mark) > x; reached = *--mark) {
        sum += in_panels(reached, *std::prev(mark), width);
      }
    }
    return sum + in_panels(reached, x, width);
  }

  double in_panels(double a, double b, double width) const {
    constexpr double most_panels = 1e5;  // then wider ones: a bounded effort, far away from the range asked for
    const double count = std::min(std::floor(std::abs(b - a) / width), most_panels);
    const double step = std::abs(b - a) > width * most_panels ? (b - a) / most_panels : std::copysign(width, b - a);
    double sum = 0;
    for (double i = 0; i < count; ++i) sum += integral(a + i * step, a + (i + 1) * step);
    return sum + integral(a + count * step, b);
  }

  Function integrand_;
  std::vector<double> switches_;
  std::vector<double> borders_;  // increasing, one or more
  std::vector<double> values_;   // of the integral at the borders
  double width_before_ = 0, width_behind_ = 0;
};

}  // namespace

Function::Function(std::shared_ptr<const Implementation> implementation) : implementation_(std::move(implementation)) {}

Function Function::constant(double value) {
  Function result;
  result.constant_ = value;
  return result;
}

Function Function::expression(Expression expression) {
  if (expression.is_constant()) {
    const std::vector<double> nothing(static_cast<std::size_t>(expression.argument_count()), 0.0);
    return constant(expression.value(nothing));
  }
  return Function(std::make_shared<ExpressionFunction>(std::move(expression)));
}

Function Function::table(std::vector<double> x, std::vector<double> y, Interpolation interpolation) {
  const std::size_t points = x.size();
  if (points == 1 && table_error(x, y).empty()) return constant(y.front());
  const char* const manner = interpolation == Interpolation::linear ? "linear" : "cubic";
  return Function(std::make_shared<SplineFunction>(Spline::through(std::move(x), y, interpolation),
                                                   fmt::format("{} table of {} points", manner, points),
                                                   interpolation));
}

Function Function::given(std::shared_ptr<const GivenFunction> function) {
  return Function(std::make_shared<ForeignFunction>(std::move(function)));
}

Function Function::of_signals(Expression expression, std::vector<std::string> signals) {
  if (signals.empty()) return Function::expression(std::move(expression));
  return Function(std::make_shared<SignalFunction>(std::move(expression), std::move(signals)));
}

const std::vector<std::string>& Function::signals() const {
  static const std::vector<std::string> none;
  return implementation_ ? implementation_->signals() : none;
}

Function Function::bound(const double* values, const std::vector<int>& places) const {
  auto bound = implementation_ ? implementation_->bound(values, places) : nullptr;
  return bound ? Function(std::move(bound)) : *this;
}

Jet Function::along(const Jet& first_argument, const Jet* signals) const {
  return implementation_ ? implementation_->along(first_argument, signals) : Jet(constant_);
}

const GivenFunction* Function::given() const {
  return implementation_ ? implementation_->given() : nullptr;
}

bool Function::is_constant() const {
  return implementation_ == nullptr;
}

bool Function::depends_on(int argument) const {
  return implementation_ && implementation_->depends_on(argument);
}

double Function::value(double first_argument) const {
  return value(std::span(&first_argument, 1));
}

Jet Function::derivatives(double first_argument) const {
  return derivatives(std::span(&first_argument, 1), 0);
}

double Function::value(std::span<const double> arguments) const {
  return implementation_ ? implementation_->value(arguments) : constant_;
}

Jet Function::derivatives(std::span<const double> arguments, int with_respect_to) const {
  return implementation_ ? implementation_->derivatives(arguments, with_respect_to) : Jet{constant_, 0, 0};
}

std::vector<double> Function::breakpoints() const {
  return implementation_ ? implementation_->breakpoints() : std::vector<double>{};
}

std::optional<Function::Table> Function::table_points() const {
  return implementation_ ? implementation_->table_points() : std::nullopt;
}

Function Function::antiderivative(double from, double initial_value, double until) const {
  if (!implementation_) {
    if (constant_ == 0) return constant(initial_value);
    return Function(
        std::make_shared<SplineFunction>(Spline::line(from, initial_value, constant_), "integral of " + description()));
  }
  if (auto closed = implementation_->closed_antiderivative(from, initial_value)) return Function(std::move(closed));
  if (!std::isfinite(from) || !std::isfinite(until) || !std::isfinite(until - from)) {
    throw ComputationError(fmt::format("{} cannot be integrated from {} to {}", description(), from, until));
  }
  return Function(std::make_shared<IntegralFunction>(*this, from, initial_value, until));
}

std::string Function::description() const {
  return implementation_ ? implementation_->description() : fmt::format("constant {}", constant_);
}

}  // namespace carom::inline math
