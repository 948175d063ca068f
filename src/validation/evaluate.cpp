#include "validation/evaluate.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "model/contact_names.h"
#include "signals/curve.h"

namespace carom::inline validation {
namespace {

// Everything a check of one quantity looks at.
struct Question {
  const Check& check;
  const ReferenceTable& reference;
  const std::vector<double>& time;
  const std::string& quantity;
  const std::vector<double>& values;

  double allowed(double scale) const { return check.tolerance_absolute + check.tolerance_relative * std::abs(scale); }
};

void judge(Finding& finding, double computed, double reference, double allowed, double time = not_given) {
  finding.computed = computed;
  finding.reference = reference;
  finding.error = std::abs(computed - reference);
  finding.allowed = allowed;
  finding.time = time;
  finding.passed = finding.error <= allowed;  // false for NaN
}

// Keeps the worse of two; a number that is none is the worst.
class Worst {
 public:
  void look(double computed, double reference, double time) {
    const double error = std::abs(computed - reference);
    if (found_ && !std::isnan(error) && error <= error_) return;
    if (found_ && std::isnan(error_)) return;
    found_ = true;
    error_ = error;
    computed_ = computed;
    reference_ = reference;
    time_ = time;
  }
  void judge_in(Finding& finding, double allowed) const { judge(finding, computed_, reference_, allowed, time_); }

 private:
  bool found_ = false;
  double error_ = 0, computed_ = not_given, reference_ = not_given, time_ = not_given;
};

void check_reference(const Question& q, Finding& finding) {
  const std::vector<double>* column = q.reference.find(q.quantity);
  if (!column || column->empty()) {
    finding.note = "no such column in reference.csv";
    return;
  }
  Worst worst;
  for (std::size_t k = 0; k < column->size(); ++k) {
    const std::size_t sample = sample_at(q.time, q.reference.time[k]);
    if (sample == no_sample) {
      finding.note = fmt::format("no sample at t = {:g} s; times of the reference must be multiples of output.every",
                                 q.reference.time[k]);
      return;
    }
    worst.look(q.values[sample], (*column)[k], q.reference.time[k]);
  }
  worst.judge_in(finding, q.allowed(largest_magnitude(*column)));
}

void check_constant(const Question& q, Finding& finding) {
  Worst worst;
  for (std::size_t k = 0; k < q.values.size(); ++k) worst.look(q.values[k], q.values.front(), q.time[k]);
  worst.judge_in(finding, q.allowed(q.check.scale.value_or(q.values.front())));
}

// What a sample lies above the smallest one before it.
void check_falls(const Question& q, Finding& finding) {
  Worst worst;
  double smallest = q.values.front();
  for (std::size_t k = 0; k < q.values.size(); ++k) {
    smallest = std::min(smallest, q.values[k]);
    worst.look(q.values[k], smallest, q.time[k]);
  }
  worst.judge_in(finding, q.allowed(q.values.front()));
}

void check_bound(const Question& q, Finding& finding) {
  Worst worst;
  for (std::size_t k = 0; k < q.values.size(); ++k) {
    if (q.time[k] >= q.check.begin) worst.look(q.values[k], 0, q.time[k]);
  }
  worst.judge_in(finding, q.check.limit);
}

// The lack of what it should reach counts as the error.
void check_reaches(const Question& q, Finding& finding) {
  const auto first = std::lower_bound(q.time.begin(), q.time.end(), q.check.begin) - q.time.begin();
  const CurvePoint found =
      extreme_of({q.time.begin() + first, q.time.end()}, {q.values.begin() + first, q.values.end()}, true);
  judge(finding, found.x, q.check.limit, 0, found.t);
  finding.error = std::isnan(found.x) ? found.x : std::max(0.0, q.check.limit - found.x);
  finding.passed = finding.error <= finding.allowed;
}

void check_period(const Question& q, Finding& finding) {
  const std::vector<double> crossings = upward_crossings(q.time, q.values);
  if (crossings.size() < 2) {
    finding.note = fmt::format("{} upward zero crossings; a period needs two", crossings.size());
    return;
  }
  Worst worst;
  for (std::size_t k = 1; k < crossings.size(); ++k)
    worst.look(crossings[k] - crossings[k - 1], q.check.value, crossings[k]);
  worst.judge_in(finding, q.allowed(q.check.value));
}

void check_quantity(const Question& q, Finding& finding) {
  switch (q.check.kind) {
    case CheckKind::reference:
      return check_reference(q, finding);
    case CheckKind::constant:
      return check_constant(q, finding);
    case CheckKind::falls:
      return check_falls(q, finding);
    case CheckKind::bound:
      return check_bound(q, finding);
    case CheckKind::reaches:
      return check_reaches(q, finding);
    case CheckKind::period:
      return check_period(q, finding);
    case CheckKind::extreme: {
      const CurvePoint found = extreme_of(q.time, q.values, q.check.largest);
      return judge(finding, found.x, q.check.value, q.allowed(q.check.value), found.t);
    }
    case CheckKind::rises:
      finding.computed = q.values.back();
      finding.time = q.time.back();
      return;
    default:
      return judge(finding, q.values.back(), q.check.value, q.allowed(q.check.value), q.time.back());
  }
}

std::vector<Finding> check_mode(const Check& check, const Evidence& evidence, const Finding& blank) {
  std::vector<Finding> findings(2, blank);
  findings[0].quantity = fmt::format("mode {} frequency", check.number);
  findings[1].quantity = fmt::format("mode {} damping ratio", check.number);
  auto modes = evidence.modes;
  std::stable_sort(modes.begin(), modes.end(), [](const auto& a, const auto& b) { return a.frequency < b.frequency; });
  const auto index = static_cast<std::size_t>(check.number - 1);
  if (index >= modes.size()) {
    for (Finding& finding : findings) finding.note = fmt::format("the analysis has {} modes", modes.size());
    return findings;
  }
  judge(findings[0], modes[index].frequency, check.frequency, check.tolerance_relative * check.frequency);
  judge(findings[1], modes[index].damping_ratio, check.damping_ratio, check.tolerance_relative);
  return findings;
}

// |computed − reference| where both may be infinite: an episode that is not over.
double distance(double computed, double reference) {
  return computed == reference ? 0 : std::abs(computed - reference);
}

// One column of the table, at the row that uses most of its limit.
Finding check_column(const Check& check, const std::vector<const EpisodeTable::Row*>& rows, std::size_t column,
                     const std::vector<Episode>& episodes, Finding finding) {
  finding.quantity = check.episodes.columns[column];
  Finding worst = finding;
  bool found = false;
  for (const EpisodeTable::Row* row : rows) {
    const double expected = row->values[column];
    if (std::isnan(expected)) continue;
    const auto index = static_cast<std::size_t>(row->number - 1);
    if (index >= episodes.size()) {
      finding.note =
          fmt::format("the run has {} episodes of {}, none of number {}", episodes.size(), check.contact, row->number);
      return finding;
    }
    const Episode& episode = episodes[index];
    const double scale = std::isinf(expected) ? 0 : expected;
    judge(finding, episode_value(episode, finding.quantity), expected,
          check.tolerance_absolute + check.tolerance_relative * std::abs(scale), episode.begin);
    finding.error = distance(finding.computed, expected);
    finding.passed = finding.error <= finding.allowed;
    if (!found || finding.use() > worst.use()) worst = finding;
    found = true;
  }
  if (!found) worst.note = "the table has no value for it";
  return worst;
}

std::vector<Finding> check_episodes(const Check& check, const Evidence& evidence, const Finding& blank) {
  static const std::vector<Episode> none;
  const auto given = evidence.episodes.find(check.contact);
  const std::vector<Episode>& episodes = given == evidence.episodes.end() ? none : given->second;
  if (given == evidence.episodes.end() && !evidence.episodes.contains(contact_group(check.contact))) {
    std::vector<std::string> names;
    for (const auto& [name, list] : evidence.episodes) names.push_back(name);
    Finding finding = blank;
    finding.quantity = "episodes";
    finding.note = fmt::format("the model has no {}; {}", check.contact, did_you_mean(check.contact, names));
    return {finding};
  }
  std::vector<Finding> findings;
  if (check.count) {
    Finding finding = blank;
    finding.quantity = "number of episodes";
    judge(finding, static_cast<double>(episodes.size()), *check.count, 0);
    findings.push_back(std::move(finding));
  }
  const auto rows = check.episodes.rows_of(blank.variant);
  for (std::size_t k = 0; k < check.episodes.columns.size(); ++k) {
    const auto& wanted = check.columns;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), check.episodes.columns[k]) == wanted.end()) continue;
    findings.push_back(check_column(check, rows, k, episodes, blank));
  }
  return findings;
}

std::string unknown_quantity(const std::string& quantity, const Evidence& evidence) {
  std::vector<std::string> names;
  for (const auto& [name, column] : evidence.columns) names.push_back(name);
  const std::string hint = did_you_mean(quantity, names);
  return "the result holds no such quantity" + (hint.empty() ? "" : "; " + hint);
}

// Σ of the last samples.
Finding check_sum(const Check& check, const Evidence& evidence, Finding finding) {
  double sum = 0;
  for (const std::string& quantity : check.quantities) {
    finding.quantity += (finding.quantity.empty() ? "" : " + ") + quantity;
    const auto column = evidence.columns.find(quantity);
    if (column == evidence.columns.end()) {
      finding.note = unknown_quantity(quantity, evidence);
      return finding;
    }
    sum += column->second.empty() ? not_given : column->second.back();
  }
  judge(finding, sum, check.value, check.tolerance_absolute + check.tolerance_relative * std::abs(check.value),
        evidence.time.empty() ? not_given : evidence.time.back());
  return finding;
}

std::vector<Finding> check_wear(const Check& check, const Evidence& evidence, Finding blank) {
  blank.quantity = "wear of " + check.contact;
  const auto found = evidence.wear.find(check.name);
  if (found == evidence.wear.end() || !found->second.missing.empty()) {
    blank.note = found == evidence.wear.end() ? "the run was not asked for it" : found->second.missing;
    return {blank};
  }
  std::vector<Finding> findings;
  const auto add = [&](const std::string& what, double computed, double expected) {
    findings.push_back(blank);
    findings.back().quantity = check.contact + " " + what;
    judge(findings.back(), computed, expected,
          check.tolerance_absolute + check.tolerance_relative * std::abs(expected));
  };
  add("worn off the first body", found->second.volumes[0], check.volumes.at(0));
  add("worn off the second body", found->second.volumes[1], check.volumes.at(1));
  if (check.growth) add("growth of the clearance", found->second.growth, *check.growth);
  return findings;
}

}  // namespace

double Finding::use() const {
  if (!note.empty() || std::isnan(error)) return std::numeric_limits<double>::infinity();
  return error == 0 ? 0 : error / allowed;
}

std::size_t sample_at(const std::vector<double>& time, double t) {
  if (time.empty()) return no_sample;
  const auto above = std::lower_bound(time.begin(), time.end(), t);
  auto nearest = above == time.end() ? above - 1 : above;
  if (above != time.begin() && t - *(above - 1) < *nearest - t) nearest = above - 1;
  // Rounding of the time only: a curve moves less than its own rounding in it.
  const double span = time.back() - time.front();
  return std::abs(*nearest - t) <= 1e-12 * (span + std::abs(t)) ? static_cast<std::size_t>(nearest - time.begin())
                                                                : no_sample;
}

double largest_magnitude(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

std::vector<Finding> evaluate(const Check& check, const ReferenceTable& reference, const Evidence& evidence,
                              const std::string& variant) {
  Finding blank{.check = check.name, .kind = name_of(check.kind), .quantity = {}, .variant = variant};
  if (check.kind == CheckKind::episodes) return check_episodes(check, evidence, blank);
  if (check.kind == CheckKind::mode) return check_mode(check, evidence, blank);
  if (check.kind == CheckKind::wear) return check_wear(check, evidence, blank);
  if (check.kind == CheckKind::sum) return {check_sum(check, evidence, blank)};
  if (check.kind == CheckKind::penetration) {
    blank.quantity = "deepest overlap";
    judge(blank, evidence.largest_penetration, 0, check.limit);
    return {blank};
  }
  if (check.kind == CheckKind::iterations) {
    std::vector<Finding> findings;
    for (const std::size_t k : {0, 1, 2}) {
      findings.push_back(blank);
      findings.back().quantity = std::array{"smooth motion", "position", "velocity"}[k];
      judge(findings.back(), evidence.most_iterations[k], 0, check.most[k]);
    }
    return findings;
  }
  if (check.kind == CheckKind::residual || check.kind == CheckKind::drift) {
    const bool energy = check.kind == CheckKind::residual;
    blank.quantity = energy ? "energy.residual" : "position constraints";
    judge(blank, energy ? evidence.largest_residual : evidence.position_drift, 0,
          energy ? check.tolerance_relative * evidence.largest_energy : check.limit);
    return {blank};
  }
  std::vector<Finding> findings;
  for (const std::string& quantity : check.quantities) {
    Finding finding = blank;
    finding.quantity = quantity;
    const auto column = evidence.columns.find(quantity);
    if (column == evidence.columns.end()) {
      finding.note = unknown_quantity(quantity, evidence);
    } else if (evidence.time.empty()) {
      finding.note = "the run has no samples";
    } else {
      check_quantity({check, reference, evidence.time, quantity, column->second}, finding);
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

void judge_rises(std::vector<Finding>& findings) {
  std::map<std::string, double> before;
  std::vector<Finding> judged;
  for (Finding& finding : findings) {
    const auto [last, first] = before.emplace(finding.quantity, finding.computed);
    if (first && finding.note.empty()) continue;
    judge(finding, finding.computed, last->second, 0, finding.time);
    if (!std::isnan(finding.error)) finding.error = std::max(0.0, last->second - finding.computed);
    finding.passed = finding.computed > last->second;
    last->second = finding.computed;
    judged.push_back(std::move(finding));
  }
  findings = std::move(judged);
}

}  // namespace carom::inline validation
