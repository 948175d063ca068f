#include "verification_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "text_columns.h"

namespace carom {
namespace {

constexpr std::size_t text_width = 150;  // columns, in which verdicts are wrapped

std::string outcome_text(const VerificationRun& run) {
  const std::string name = name_of(run.outcome);
  return run.reason.empty() ? name : name + ": " + run.reason;
}

std::string residual_text(double residual) {
  return std::isfinite(residual) ? fmt::format("{:.1e}", residual) : "–";
}

void add_runs(const Verification& verification, std::string& text) {
  std::size_t names = 0, changes = 0;
  for (const VerificationRun& run : verification.runs) {
    names = std::max(names, width_of(run.name) + 4);
    changes = std::max(changes, width_of(run.change) + 2);
  }
  text += padded("  runs", names) + padded("", changes) + fmt::format("{:>9} {:>9}  {}\n", "steps", "residual", "");
  for (const VerificationRun& run : verification.runs) {
    const bool ran = run.outcome != VariantOutcome::impossible;
    const std::string start =
        padded("  " + run.name, names) + padded(run.change, changes) +
        fmt::format("{:>9} {:>9}  ", ran ? fmt::format("{}", run.steps) : "–", residual_text(run.relative_residual));
    text += wrapped(outcome_text(run), start, std::string(names, ' '), text_width) + "\n";
  }
}

std::string shown_value(const VerifiedAnswer& row) {
  return held_text(row.answer, row.readings, row.judgement);
}

void add_answers(const Verification& verification, std::size_t most, std::string& text) {
  const std::vector<const VerifiedAnswer*> rows = table_rows(verification);
  const std::size_t first = rows.size() > most ? rows.size() - most : 0;
  std::size_t titles = 0, values = 0;
  for (std::size_t k = first; k < rows.size(); ++k) {
    titles = std::max(titles, width_of(rows[k]->answer.title()) + 4);
    values = std::max(values, width_of(shown_value(*rows[k])) + 2);
  }
  text += "  answers, the most trusted first\n";
  if (first > 0) text += fmt::format("  … {} more that are trusted as much or more; --all shows them\n", first);
  for (std::size_t k = first; k < rows.size(); ++k) {
    const std::string start = padded("  " + rows[k]->answer.title(), titles) + padded(shown_value(*rows[k]), values);
    text += wrapped(rows[k]->judgement.text, start, std::string(titles + values, ' '), text_width) + "\n";
  }
  if (verification.zeros > 0)
    text += fmt::format("  {} left out as zero\n",
                        verification.zeros == 1 ? "1 number is" : fmt::format("{} numbers are", verification.zeros));
}

// A number, or null where there is none.
nlohmann::ordered_json number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

nlohmann::ordered_json number(const std::optional<double>& value) {
  return value ? number(*value) : nlohmann::ordered_json();
}

nlohmann::ordered_json json_of(const VerificationRun& run) {
  return {{"name", run.name},
          {"change", run.change},
          {"outcome", name_of(run.outcome)},
          {"reason", run.reason},
          {"integrator", run.integrator},
          {"t", number(run.t)},
          {"steps", run.steps},
          {"samples", run.samples},
          {"energy_residual", number(run.relative_residual)},
          {"wall_seconds", number(run.wall_seconds)}};
}

nlohmann::ordered_json json_of(const MotionAgreement& motion) {
  nlohmann::ordered_json json = {{"text", motion.text}, {"chaotic", motion.chaotic}, {"growth", number(motion.growth)}};
  json["lyapunov_exponent"] = motion.exponent ? number(motion.exponent->exponent) : nlohmann::ordered_json();
  json["lyapunov_error"] = motion.exponent ? number(motion.exponent->error) : nlohmann::ordered_json();
  if (!motion.no_exponent.empty()) json["no_exponent"] = motion.no_exponent;
  json["separations"] = nlohmann::ordered_json::array();
  for (const SeparationCurve& curve : motion.curves)
    json["separations"].push_back({{"run", curve.run},
                                   {"largest", number(curve.largest)},
                                   {"at", number(curve.largest_at)},
                                   {"in", curve.coordinate},
                                   {"parts_at", number(curve.parts_at)}});
  return json;
}

nlohmann::ordered_json json_of(const VerifiedAnswer& row, const std::vector<VerificationRun>& runs) {
  const Judgement& judgement = row.judgement;
  nlohmann::ordered_json json = {{"subject", row.answer.subject},
                                 {"what", row.answer.what},
                                 {"part", row.answer.part},
                                 {"unit", row.answer.unit},
                                 {"standing", name_of(judgement.standing)},
                                 {"digits", judgement.digits},
                                 {"error", number(judgement.error)},
                                 {"scale", number(judgement.scale)},
                                 {"change", number(judgement.change)},
                                 {"order", number(judgement.order)},
                                 {"estimate", number(judgement.estimate)},
                                 {"sampling", number(judgement.sampling)},
                                 {"integrator", number(judgement.integrator)},
                                 {"method", number(judgement.method)},
                                 {"verdict", judgement.text}};
  for (const VerificationRun& run : runs) json["values"][run.name] = number(of_role(row.readings, run.role).value);
  for (const Statistic& each : judgement.statistics)
    json["statistics"][each.name] = {{"value", number(each.value)}, {"spread", number(each.spread)}};
  return json;
}

}  // namespace

std::string to_text(const Verification& verification, std::size_t most) {
  std::string text = fmt::format("{}: {} analysis, {:g} … {:g} s, by the {} method\n", verification.model,
                                 verification.analysis, verification.start, verification.end, verification.method);
  add_runs(verification, text);
  if (!verification.motion.text.empty())
    text += "\n" + wrapped(verification.motion.text, "  motion: ", "          ", text_width) + "\n";
  text += "\n";
  add_answers(verification, most, text);
  return text;
}

nlohmann::ordered_json to_json(const Verification& verification) {
  nlohmann::ordered_json json = {{"model", verification.model},
                                 {"file", verification.file},
                                 {"analysis", verification.analysis},
                                 {"method", verification.method},
                                 {"start", verification.start},
                                 {"end", verification.end},
                                 {"refined", name_of(verification.refinement)},
                                 {"runs", nlohmann::ordered_json::array()},
                                 {"motion", json_of(verification.motion)},
                                 {"answers", nlohmann::ordered_json::array()}};
  for (const VerificationRun& run : verification.runs) json["runs"].push_back(json_of(run));
  for (const VerifiedAnswer& row : verification.answers) json["answers"].push_back(json_of(row, verification.runs));
  return json;
}

}  // namespace carom
