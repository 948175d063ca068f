#include "viewing/quantity_curves.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/expression.h"
#include "base/problem.h"
#include "base/units.h"
#include "model/contact_names.h"
#include "recording/select_quantities.h"

namespace carom::inline viewing {
namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// An expression in which quantities, whose names are none to the compiler, have got names of their own.
struct NamedExpression {
  std::string text;
  std::vector<std::string> quantities;  // in the order of their names

  static std::string name(std::size_t index) { return fmt::format("quantity{}_", index + 1); }

  // A message of the compiler in the words of the user.
  std::string in_own_words(std::string message) const {
    for (std::size_t k = quantities.size(); k-- > 0;) {
      const std::string from = name(k);
      for (std::size_t at = 0; (at = message.find(from, at)) != std::string::npos; at += quantities[k].size())
        message.replace(at, from.size(), quantities[k]);
    }
    return message;
  }
};

// The longest names first: contact:a.fx is none inside joint:contact:a.fx_rate.
NamedExpression name_quantities(const std::string& text, const std::vector<std::string>& known) {
  NamedExpression result;
  for (std::size_t at = 0; at < text.size();) {
    const std::string* longest = nullptr;
    for (const std::string& name : known) {
      if ((longest && name.size() <= longest->size()) || text.compare(at, name.size(), name) != 0) continue;
      const bool begins = at == 0 || !is_name_character(text[at - 1]);
      const bool ends = at + name.size() == text.size() || !is_name_character(text[at + name.size()]);
      if (begins && ends) longest = &name;
    }
    if (!longest) {
      result.text += text[at++];
      continue;
    }
    const auto place = std::find(result.quantities.begin(), result.quantities.end(), *longest);
    const auto index = static_cast<std::size_t>(place - result.quantities.begin());
    if (place == result.quantities.end()) result.quantities.push_back(*longest);
    result.text += NamedExpression::name(index);
    at += longest->size();
  }
  return result;
}

// Whether a value is of the kind of the quantities that it is computed of. Angles are numbers to the compiler; here
// they stand for something that is none: a difference of two is one again, a sine of one is refused.
bool is_one_of_these(const NamedExpression& named, std::size_t count) {
  const Dimension stand_in = *dimension_of_unit("cd");
  std::vector<std::string> arguments = {"t"};
  KnownDimensions dimensions{.meant = {{"t", *dimension_of_unit("s")}}, .written = {}};
  for (std::size_t k = 0; k < count; ++k) {
    arguments.push_back(NamedExpression::name(k));
    dimensions.written[arguments.back()] = stand_in;
  }
  const auto compiled = Expression::compile(named.text, arguments, {}, dimensions);
  const auto* expression = std::get_if<Expression>(&compiled);
  return expression && expression->dimension() == stand_in;
}

// Of a value that is computed of quantities in these units: theirs, where it is of the same kind (rad stays rad), else
// that of the dimension.
std::string unit_of(const Expression& expression, const NamedExpression& named, const std::vector<std::string>& units) {
  const auto dimension = expression.dimension();
  const bool alike = !units.empty() && std::all_of(units.begin(), units.end(),
                                                   [&](const std::string& unit) { return unit == units.front(); });
  if (alike && units.front() == "rad" && is_one_of_these(named, units.size())) return "rad";
  if (!dimension) return "";
  if (alike && dimension_of_unit(units.front()) == dimension) return units.front();
  return dimension->is_one() ? "" : dimension->text();
}

// A stretch of time in which a contact is closed, with the largest force in it.
struct Episode {
  double begin = 0, end = 0, peak_time = 0, peak = 0;  // s, s, s, N
};

// Episodes of all points of a contact, by their beginning; none from files that do not tell when the force was largest.
std::vector<Episode> episodes_of(const ResultReader& result, const std::string& group) {
  std::optional<std::size_t> begin, peak, peak_time;
  for (const EventKind& kind : result.header().event_kinds) {
    if (kind.name != "contact") continue;
    for (std::size_t k = 0; k < kind.values.size(); ++k) {
      if (kind.values[k].name == "begin") begin = k;
      if (kind.values[k].name == "peak_force") peak = k;
      if (kind.values[k].name == "peak_time") peak_time = k;
    }
  }
  std::vector<Episode> episodes;
  if (!begin || !peak || !peak_time) return episodes;
  for (const EventRecord& event : result.events()) {
    if (event.kind != "contact" || contact_group(event.subject) != group) continue;
    episodes.push_back({event.values[*begin], event.time, event.values[*peak_time], event.values[*peak]});
  }
  std::sort(episodes.begin(), episodes.end(), [](const Episode& a, const Episode& b) { return a.begin < b.begin; });
  return episodes;
}

struct TimedValue {
  double time = 0, value = 0;
};

}  // namespace

QuantityCurves::QuantityCurves(const ResultReader& result)
    : result_(result), quantities_(result.quantities()), times_(result.times()) {}

std::vector<std::string> QuantityCurves::names(const std::string& text) const {
  if (text.starts_with("=")) return {text};
  try {
    return select_quantities(quantities_, {text});
  } catch (const ResultError&) {
    // Blanks, signs and parentheses are in names of contacts, too: only what is no name may be an expression.
    if (name_quantities(text, quantities_).quantities.empty()) throw;
    return {text};
  }
}

QuantityCurve QuantityCurves::curve(const std::string& name, bool peaks) const {
  if (std::find(quantities_.begin(), quantities_.end(), name) == quantities_.end()) return expression(name);
  const std::string unit = result_.component(name).unit;
  QuantityCurve curve{name, unit == "1" ? "" : unit, times_, result_.column(name)};
  if (peaks && name.ends_with(".normal_force")) add_peaks(curve);
  return curve;
}

QuantityCurve QuantityCurves::expression(const std::string& text) const {
  const std::string formula = text.starts_with("=") ? text.substr(1) : text;
  const NamedExpression named = name_quantities(formula, quantities_);
  std::vector<std::string> arguments = {"t"}, units;
  KnownDimensions dimensions{.meant = {{"t", *dimension_of_unit("s")}}, .written = {}};
  std::vector<std::vector<double>> columns;
  for (std::size_t k = 0; k < named.quantities.size(); ++k) {
    arguments.push_back(NamedExpression::name(k));
    units.push_back(result_.component(named.quantities[k]).unit);
    if (const auto dimension = dimension_of_unit(units.back())) dimensions.written[arguments.back()] = *dimension;
    columns.push_back(result_.column(named.quantities[k]));
  }
  const auto compiled = Expression::compile(named.text, arguments, {}, dimensions);
  if (const auto* error = std::get_if<ExpressionError>(&compiled)) {
    const std::string remedy = named.in_own_words(error->remedy);
    throw ResultError(fmt::format("cannot compute {}: {}{}", carom::quoted(formula), named.in_own_words(error->message),
                                  remedy.empty() ? "; `carom info RESULT` lists the quantities" : "; " + remedy));
  }
  const auto& program = std::get<Expression>(compiled);
  const std::size_t start = formula.find_first_not_of(' ');
  QuantityCurve curve{
      formula.substr(start == std::string::npos ? 0 : start), unit_of(program, named, units), times_, {}};
  std::vector<double> values(arguments.size());
  for (std::size_t i = 0; i < times_.size(); ++i) {
    values[0] = times_[i];
    for (std::size_t k = 0; k < columns.size(); ++k) values[k + 1] = columns[k][i];
    curve.values.push_back(program.value(values));
  }
  return curve;
}

// A pulse between two samples is drawn from its beginning over its peak to its end. The force of a group is the sum of
// its points, so that the peak of one of them is a lower bound: it is drawn where the curve lies lower.
void QuantityCurves::add_peaks(QuantityCurve& curve) const {
  const std::vector<Episode> episodes = episodes_of(result_, curve.name.substr(0, curve.name.rfind('.')));
  const auto interpolated = [&](double time) {
    const auto after = std::upper_bound(times_.begin(), times_.end(), time);
    if (after == times_.begin() || after == times_.end())
      return after == times_.begin() ? curve.values.front() : curve.values.back();
    const auto k = static_cast<std::size_t>(after - times_.begin());
    const double share = (time - times_[k - 1]) / (times_[k] - times_[k - 1]);
    return (1 - share) * curve.values[k - 1] + share * curve.values[k];
  };
  std::vector<TimedValue> more;
  double closed_until = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < episodes.size(); ++k) {
    const Episode& one = episodes[k];
    const auto inside = [&](double time) { return time > times_.front() && time < times_.back(); };
    if (inside(one.begin) && one.begin > closed_until) more.push_back({one.begin, 0});
    closed_until = std::max(closed_until, one.end);
    const bool open_after = k + 1 == episodes.size() || episodes[k + 1].begin > closed_until;
    if (inside(one.peak_time) && one.peak > interpolated(one.peak_time)) more.push_back({one.peak_time, one.peak});
    if (inside(one.end) && one.end >= closed_until && open_after) more.push_back({one.end, 0});
  }
  std::stable_sort(more.begin(), more.end(), [](const TimedValue& a, const TimedValue& b) { return a.time < b.time; });
  QuantityCurve merged{curve.name, curve.unit, {}, {}};
  std::size_t next = 0;
  for (std::size_t i = 0; i < times_.size(); ++i) {
    for (; next < more.size() && more[next].time < times_[i]; ++next) {
      merged.times.push_back(more[next].time);
      merged.values.push_back(more[next].value);
    }
    merged.times.push_back(times_[i]);
    merged.values.push_back(curve.values[i]);
  }
  curve = std::move(merged);
}

}  // namespace carom::inline viewing
