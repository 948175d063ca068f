#include "validation/value_panels.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "recording/quantity_label.h"
#include "recording/result_reader.h"

namespace carom::inline validation {
namespace {

constexpr std::size_t most_panels = 4;    // of each of the two kinds
constexpr std::size_t most_variants = 6;  // in a panel of episodes
constexpr std::size_t most_named = 6;     // values named below their axis

bool is_kind(const Finding& finding, CheckKind kind) {
  return finding.kind == name_of(kind);
}

bool is_known(const Finding& finding) {
  return std::isfinite(finding.reference) && std::isfinite(finding.computed);
}

// Values that stand for themselves; of a single sample so do those of a reference table.
bool is_value(const Finding& finding, bool single_sample) {
  const std::initializer_list<CheckKind> kinds = {CheckKind::final_value, CheckKind::extreme, CheckKind::period,
                                                  CheckKind::sum, CheckKind::mode};
  return std::any_of(kinds.begin(), kinds.end(), [&](CheckKind kind) { return is_kind(finding, kind); }) ||
         (single_sample && is_kind(finding, CheckKind::reference));
}

// Unit of the axis that a value belongs to; empty: it is not known or has none.
std::string axis_of(const Finding& finding, const ResultReader* reader) {
  if (is_kind(finding, CheckKind::period)) return "period [s]";
  if (is_kind(finding, CheckKind::mode))
    return finding.quantity.ends_with("frequency") ? "frequency [Hz]" : "damping ratio";
  if (reader) {
    const auto all = reader->quantities();
    if (std::find(all.begin(), all.end(), finding.quantity) != all.end())
      return with_unit("value", reader->component(finding.quantity).unit);
  }
  return "value";
}

std::string label_of(const Finding& finding) {
  const bool mode = is_kind(finding, CheckKind::mode);
  std::string text = mode ? finding.quantity.substr(0, finding.quantity.find(' ', 5)) : finding.quantity;
  if (!finding.variant.empty()) text += ", " + finding.variant;
  return text;
}

Panel panel_of(const std::string& axis, const std::vector<const Finding*>& findings) {
  Panel panel{.x_label = "number of the value", .y_label = axis};
  Series computed{.label = "computed", .color = 0},
      expected{.label = "reference", .style = Series::Style::points, .color = 1};
  std::string names;
  double at = 0;
  for (const Finding* finding : findings) {
    ++at;
    for (const double x : {at - 0.4, at + 0.4, std::nan("")}) {
      computed.x.push_back(x);
      computed.y.push_back(finding->computed);
    }
    expected.x.push_back(at);
    expected.y.push_back(finding->reference);
    names += fmt::format("{}{:g}: {}", names.empty() ? "" : "; ", at, label_of(*finding));
  }
  if (findings.size() <= most_named) panel.x_label = names;
  panel.series = {std::move(computed), std::move(expected)};
  return panel;
}

// All rows of the tables of a contact that have this column, for one variant: number and value.
std::map<int, double> expected_episodes(const Case& the_case, const std::string& contact, const std::string& column,
                                        const std::string& variant) {
  std::map<int, double> values;
  for (const Check& check : the_case.checks) {
    const std::size_t at = check.episodes.find(column);
    if (check.kind != CheckKind::episodes || check.contact != contact || at == check.episodes.columns.size()) continue;
    if (!check.holds_for(variant)) continue;
    for (const EpisodeTable::Row* row : check.episodes.rows_of(variant)) {
      if (std::isfinite(row->values[at])) values[row->number] = row->values[at];
    }
  }
  return values;
}

Panel episode_panel(const CaseResult& result, const std::string& contact, const std::string& column) {
  Panel panel{.title = contact, .x_label = "episode", .y_label = with_unit(column, episode_unit(column))};
  int color = 0;
  for (const CaseRun& run : result.runs) {
    const auto expected = expected_episodes(result.the_case, contact, column, run.variant);
    const auto found = run.episodes.find(contact);
    if (expected.empty() || found == run.episodes.end()) continue;
    Series curve{.label = run.variant.empty() ? "computed" : run.variant, .color = color},
        points{.label = run.variant.empty() ? "reference" : "", .style = Series::Style::points, .color = color};
    for (std::size_t k = 0; k < found->second.size(); ++k) {
      // As far as the reference goes.
      if (static_cast<int>(k) >= expected.rbegin()->first) break;
      curve.x.push_back(static_cast<double>(k) + 1);
      curve.y.push_back(episode_value(found->second[k], column));
    }
    for (const auto& [number, value] : expected) {
      points.x.push_back(number);
      points.y.push_back(value);
    }
    panel.series.push_back(std::move(curve));
    panel.series.push_back(std::move(points));
    if (static_cast<std::size_t>(++color) == most_variants) break;
  }
  return panel;
}

}  // namespace

std::string shown_name(const std::string& variant, const std::string& quantity) {
  return fmt::format("{}/{}", variant, quantity);
}

Series expected_points(const CaseResult& result, const std::string& variant, const std::string& quantity) {
  Series series{.style = Series::Style::points};
  for (const Finding& finding : result.findings) {
    const bool fits = finding.quantity == quantity && finding.variant == variant && is_known(finding);
    if (!fits || !std::isfinite(finding.time)) continue;
    if (!is_kind(finding, CheckKind::final_value) && !is_kind(finding, CheckKind::extreme)) continue;
    series.x.push_back(finding.time);
    series.y.push_back(finding.reference);
  }
  return series;
}

std::vector<Series> limit_lines(const CaseResult& result, const std::string& variant, const std::string& quantity,
                                const Series& curve) {
  std::vector<Series> lines;
  double largest = 0;
  for (const double value : curve.y) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  for (const Check& check : result.the_case.checks) {
    const bool limits = check.kind == CheckKind::bound || check.kind == CheckKind::reaches;
    const auto& all = check.quantities;
    if (!limits || !check.holds_for(variant) || std::find(all.begin(), all.end(), quantity) == all.end()) continue;
    if (curve.x.empty() || std::abs(check.limit) > 3 * largest) continue;
    const auto add = [&](double limit) {
      lines.push_back({.x = {std::max(curve.x.front(), check.begin), curve.x.back()},
                       .y = {limit, limit},
                       .style = Series::Style::dashed,
                       .color = color_ink});
    };
    add(check.limit);
    const bool below = std::any_of(curve.y.begin(), curve.y.end(), [](double value) { return value < 0; });
    if (check.kind == CheckKind::bound && below) add(-check.limit);
  }
  return lines;
}

std::vector<Panel> value_panels(const CaseResult& result, const std::set<std::string>& shown) {
  if (result.runs.empty()) return {};
  const ResultReader reader(result.runs.front().result_file);
  const bool single_sample = result.runs.front().summary.samples < 2;
  std::vector<std::pair<std::string, std::vector<const Finding*>>> groups;  // by their axis, in the order of the case
  for (const Finding& finding : result.findings) {
    if (!is_known(finding) || !is_value(finding, single_sample)) continue;
    const bool on_a_curve = is_kind(finding, CheckKind::final_value) || is_kind(finding, CheckKind::extreme);
    if (on_a_curve && shown.contains(shown_name(finding.variant, finding.quantity))) continue;
    const std::string axis = axis_of(finding, &reader);
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.first == axis; });
    if (group == groups.end()) {
      groups.push_back({axis, {&finding}});
    } else {
      group->second.push_back(&finding);
    }
  }
  std::vector<Panel> panels;
  for (const auto& [axis, findings] : groups) {
    // Ratios that are all zero say nothing.
    const auto zero = [](const Finding* finding) { return finding->reference == 0; };
    if (axis == "damping ratio" && std::all_of(findings.begin(), findings.end(), zero)) continue;
    if (panels.size() < most_panels) panels.push_back(panel_of(axis, findings));
  }
  return panels;
}

std::vector<Panel> episode_panels(const CaseResult& result) {
  std::vector<Panel> panels;
  std::set<std::string> done;
  for (const Check& check : result.the_case.checks) {
    if (check.kind != CheckKind::episodes) continue;
    for (const std::string& column : check.columns.empty() ? check.episodes.columns : check.columns) {
      if (panels.size() == most_panels || !done.insert(shown_name(check.contact, column)).second) continue;
      Panel panel = episode_panel(result, check.contact, column);
      if (!panel.series.empty()) panels.push_back(std::move(panel));
    }
  }
  return panels;
}

}  // namespace carom::inline validation
