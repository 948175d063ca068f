#include "comparison_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "recording/quantity_label.h"
#include "text_columns.h"

namespace carom {
namespace {

constexpr std::size_t label_width = 28, side_width = 26;

const char* const unknown = "–";

std::string number(double value, const char* unit = "") {
  if (std::isnan(value)) return unknown;
  return *unit ? fmt::format("{:.6g} {}", value, unit) : fmt::format("{:.6g}", value);
}

std::string percent(double share) {
  const double value = 100 * share;
  return value < 0.01 || value >= 10000 ? fmt::format("{:.1e} %", value) : fmt::format("{:.3g} %", value);
}

// A row with what A and B say, and by how much B says more.
class SideBySide {
 public:
  explicit SideBySide(std::string& text) : text_(text) {}

  void head(const std::string& title, bool differences) const { row(title, "A", "B", differences ? "B − A" : "", ""); }
  void words(const std::string& label, const std::string& a, const std::string& b) const { row(label, a, b, ""); }
  // Left out where neither knows it.
  void numbers(const std::string& label, double a, double b) const {
    if (std::isnan(a) && std::isnan(b)) return;
    row(label, number(a), number(b), std::isnan(a) || std::isnan(b) ? "" : number(b - a));
  }

 private:
  void row(const std::string& label, const std::string& a, const std::string& b, const std::string& difference,
           const std::string& indent = "  ") const {
    std::string line = padded(indent + label, label_width) + padded(a, side_width) + padded(b, side_width) + difference;
    line.erase(line.find_last_not_of(' ') + 1);
    text_ += line + "\n";
  }

  std::string& text_;
};

void add_runs(const Comparison& comparison, std::string& text) {
  const RunFacts &a = comparison.a, &b = comparison.b;
  const SideBySide rows(text);
  const auto count = [](const std::optional<long>& value) { return value ? fmt::format("{}", *value) : unknown; };
  const auto both = [&](const std::string& label, const auto& tell) { rows.words(label, tell(a), tell(b)); };
  rows.head("run", false);
  both("method", [](const RunFacts& run) { return run.method; });
  both("integrator", [](const RunFacts& run) { return run.integrator; });
  both("simulated time",
       [](const RunFacts& run) { return fmt::format("{:g} … {:g} s", run.span.begin, run.span.end); });
  both("samples", [](const RunFacts& run) { return fmt::format("{}", run.samples); });
  both("steps", [&](const RunFacts& run) { return count(run.steps); });
  both("rejected steps", [&](const RunFacts& run) { return count(run.rejected); });
  both("step size", [](const RunFacts& run) {
    return std::isnan(run.smallest_step) ? std::string(unknown)
                                         : fmt::format("{:.3g} … {:.3g} s", run.smallest_step, run.largest_step);
  });
  if (!std::isnan(a.wall_seconds) || !std::isnan(b.wall_seconds))
    both("wall time", [](const RunFacts& run) {
      return std::isnan(run.wall_seconds) ? std::string(unknown) : fmt::format("{:.3g} s", run.wall_seconds);
    });
  both("energy residual", [](const RunFacts& run) {
    if (std::isnan(run.largest_residual)) return std::string(unknown);
    const std::string share = std::isnan(run.relative_residual) ? "" : fmt::format(" ({:.1e})", run.relative_residual);
    return fmt::format("{:.2e} J{}", run.largest_residual, share);
  });
}

void add_quantities(const Comparison& comparison, std::size_t most, std::string& text) {
  const std::size_t shown = std::min(most, comparison.quantities.size());
  std::size_t width = label_width;
  for (std::size_t k = 0; k < shown; ++k) {
    const QuantityDifference& each = comparison.quantities[k];
    width = std::max(width, width_of(with_unit(each.quantity, each.unit)) + 4);
  }
  text +=
      padded("quantities, B − A", width) + fmt::format("{:>12} {:>12} {:>12} {:>12} {:>11} {:>14}\n", "rms", "largest",
                                                       "at [s]", "range of A", "rms/range", "largest/range");
  for (std::size_t k = 0; k < shown; ++k) {
    const QuantityDifference& each = comparison.quantities[k];
    const CurveDifference& d = each.difference;
    text += padded("  " + with_unit(each.quantity, each.unit), width) +
            fmt::format("{:>12.4g} {:>12.4g} {:>12.6g} {:>12.4g} {:>11} {:>14}\n", d.rms, d.largest, d.time, d.range,
                        percent(each.relative_rms()), percent(each.relative_largest()));
  }
  if (shown < comparison.quantities.size())
    text += fmt::format("  the {} of {} that differ most; --all shows all\n", shown, comparison.quantities.size());
  text += comparison.interpolated ? "  B is interpolated linearly at the times of A\n"
                                  : "  both have samples at the same times\n";
}

void add_contacts(const Comparison& comparison, std::string& text) {
  const SideBySide rows(text);
  const auto source = [](const ContactTotals& totals) {
    return !totals.present ? "not recorded" : totals.by_impulses ? "sum of impulses" : "integral of force";
  };
  const auto count = [](const ContactTotals& totals) {
    return !totals.present ? std::string(unknown)
                           : fmt::format("{} {}{}", totals.count, totals.by_impulses ? "impact" : "episode",
                                         totals.count == 1 ? "" : "s");
  };
  for (const ContactComparison& contact : comparison.contacts) {
    const ContactTotals &a = contact.a, &b = contact.b;
    text += "\n";
    rows.head(contact.name, true);
    rows.words("transmitted, by", source(a), source(b));
    rows.words("how often", count(a), count(b));
    for (std::size_t k = 0; k < 3; ++k)
      rows.numbers(fmt::format("impulse {} [N s]", "xyz"[k]), a.impulse[k], b.impulse[k]);
    rows.numbers("normal impulse [N s]", a.normal_impulse, b.normal_impulse);
    rows.numbers("mean normal force [N]", a.mean_normal_force, b.mean_normal_force);
  }
}

void add_energies(const Comparison& comparison, std::string& text) {
  const EnergyTotals &a = comparison.energy_a, &b = comparison.energy_b;
  const SideBySide rows(text);
  rows.head(fmt::format("energy at {:g} s", comparison.span.end), true);
  rows.numbers("kinetic [J]", a.kinetic, b.kinetic);
  rows.numbers("potential [J]", a.potential, b.potential);
  rows.numbers("stored in contacts [J]", a.contact, b.contact);
  rows.numbers("supplied [J]", a.supplied, b.supplied);
  rows.numbers("dissipated [J]", a.dissipated, b.dissipated);
  rows.numbers("  by contacts [J]", a.dissipated_by_contacts, b.dissipated_by_contacts);
  rows.numbers("residual [J]", a.residual, b.residual);
}

nlohmann::ordered_json to_json(const RunFacts& run) {
  nlohmann::ordered_json json = {{"file", run.file},     {"model", run.model},           {"status", run.status},
                                 {"method", run.method}, {"integrator", run.integrator}, {"begin", run.span.begin},
                                 {"end", run.span.end},  {"samples", run.samples}};
  json["steps"] = run.steps ? nlohmann::ordered_json(*run.steps) : nlohmann::ordered_json();
  json["rejected_steps"] = run.rejected ? nlohmann::ordered_json(*run.rejected) : nlohmann::ordered_json();
  json["step_size"] = {run.smallest_step, run.largest_step};
  json["wall_seconds"] = run.wall_seconds;
  json["largest_residual"] = run.largest_residual;
  json["relative_residual"] = run.relative_residual;
  return json;
}

nlohmann::ordered_json to_json(const ContactTotals& totals) {
  if (!totals.present) return {};
  return {
      {"by", totals.by_impulses ? "impulses" : "forces"}, {totals.by_impulses ? "impacts" : "episodes", totals.count},
      {"short_episodes", totals.short_episodes},          {"impulse", totals.impulse},
      {"normal_impulse", totals.normal_impulse},          {"mean_normal_force", totals.mean_normal_force}};
}

nlohmann::ordered_json to_json(const EnergyTotals& energy) {
  return {{"kinetic", energy.kinetic},       {"potential", energy.potential},
          {"contact", energy.contact},       {"supplied", energy.supplied},
          {"dissipated", energy.dissipated}, {"dissipated_by_contacts", energy.dissipated_by_contacts},
          {"residual", energy.residual}};
}

}  // namespace

std::string to_text(const Comparison& comparison, std::size_t most) {
  std::string text = fmt::format("A  {}: {}\nB  {}: {}\n\n", comparison.a.file, comparison.a.model, comparison.b.file,
                                 comparison.b.model);
  add_runs(comparison, text);
  text += "\n";
  add_quantities(comparison, most, text);
  add_contacts(comparison, text);
  text += "\n";
  add_energies(comparison, text);
  return text;
}

nlohmann::ordered_json to_json(const Comparison& comparison) {
  nlohmann::ordered_json json = {{"a", to_json(comparison.a)},
                                 {"b", to_json(comparison.b)},
                                 {"begin", comparison.span.begin},
                                 {"end", comparison.span.end},
                                 {"interpolated", comparison.interpolated},
                                 {"quantities", nlohmann::json::array()},
                                 {"contacts", nlohmann::json::array()},
                                 {"energy", {{"a", to_json(comparison.energy_a)}, {"b", to_json(comparison.energy_b)}}},
                                 {"warnings", comparison.warnings}};
  for (const QuantityDifference& each : comparison.quantities) {
    const CurveDifference& d = each.difference;
    json["quantities"].push_back({{"quantity", each.quantity},
                                  {"unit", each.unit},
                                  {"rms", d.rms},
                                  {"largest", d.largest},
                                  {"time", d.time},
                                  {"range", d.range},
                                  {"relative_rms", each.relative_rms()},
                                  {"relative_largest", each.relative_largest()}});
  }
  for (const ContactComparison& contact : comparison.contacts)
    json["contacts"].push_back({{"name", contact.name}, {"a", to_json(contact.a)}, {"b", to_json(contact.b)}});
  return json;
}

}  // namespace carom
