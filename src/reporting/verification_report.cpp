#include "reporting/verification_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "base/version.h"
#include "recording/quantity_label.h"
#include "reporting/html.h"
#include "reporting/page.h"

namespace carom::inline reporting {
namespace {

constexpr double least_drawn = 1e-16;  // separations below it, zero as well, are not drawn

std::string number_of(double value, bool is_count) {
  return is_count && std::isfinite(value) ? fmt::format("{:.0f}", value) : value_text(value, "", 7);
}

// What an answer depends on, in one or two words.
std::string standing_text(const Verification& verification, Standing standing) {
  switch (standing) {
    case Standing::holds:
      return "holds";
    case Standing::samples:
      return "on the samples";
    case Standing::refinement:
      return "on the " + name_of(verification.refinement);
    case Standing::integrator:
      return "on the integrator";
    case Standing::start:
      return "on the start";
    case Standing::method:
      return "on the method";
    case Standing::chaotic:
      return "chaotic";
    default:
      return "unknown";
  }
}

std::size_t count_of(const std::vector<const VerifiedAnswer*>& rows, Standing standing) {
  return static_cast<std::size_t>(std::count_if(
      rows.begin(), rows.end(), [&](const VerifiedAnswer* row) { return row->judgement.standing == standing; }));
}

std::string lead_of(const Verification& verification, const std::vector<const VerifiedAnswer*>& rows) {
  const std::size_t held = count_of(rows, Standing::holds);
  const bool all = held == rows.size() && verification.complete();
  return fmt::format(
      "<p class=\"lead\"><span class=\"status{}\">{} of {} answers hold</span> · {} runs · {} analysis from {:g} to "
      "{:g} s · model {} · carom {}</p>\n",
      all ? " complete" : "", held, rows.size(), verification.runs.size(), escaped_html(verification.analysis),
      verification.start, verification.end, escaped_html(std::filesystem::path(verification.file).filename().string()),
      carom_version);
}

PageSection answers_section(const Verification& verification, const std::vector<const VerifiedAnswer*>& rows) {
  std::vector<std::vector<std::string>> cells;
  for (const VerifiedAnswer* row : rows) {
    const Judgement& judgement = row->judgement;
    cells.push_back({row->answer.title(), held_text(row->answer, row->readings, judgement),
                     standing_text(verification, judgement.standing), fmt::format("{}", judgement.digits),
                     judgement.text});
  }
  std::string html;
  for (const VerificationRun& run : verification.runs)
    if (run.outcome != VariantOutcome::complete && run.outcome != VariantOutcome::impossible)
      html += paragraph(fmt::format("The run “{}” is missing, {}: {}", run.name, name_of(run.outcome), run.reason),
                        "warning");
  html += paragraph(
      "The most trusted first. An answer holds to n digits if finer runs, another integrator and denser samples change "
      "it by less than 10⁻ⁿ of itself; of the parts of a position or a velocity the worst is shown.");
  html += table({"answer", "value", "depends", "digits", "verdict"}, cells, 5);
  if (verification.zeros > 0)
    html += paragraph(fmt::format("{} numbers are zero and left out.", verification.zeros), "note");
  return {"verified", "Which answers hold", html};
}

std::optional<PageSection> separation_section(const MotionAgreement& motion) {
  if (motion.curves.empty()) return std::nullopt;
  Panel panel{.x_label = "time [s]", .y_label = "separation, of the range", .log_y = true};
  for (const SeparationCurve& curve : motion.curves) {
    Series series{.label = curve.run, .x = curve.t, .y = curve.distance};
    for (double& distance : series.y)
      if (distance < least_drawn) distance = std::numeric_limits<double>::quiet_NaN();
    panel.series.push_back(std::move(series));
  }
  std::string html = paragraph(motion.text, motion.chaotic ? "warning" : "");
  html += inline_figure({.panels = {panel}, .width = 560},
                        "Largest difference of a coordinate from the finest run, as a part of its range. "
                        "A straight rise is exponential growth.");
  return PageSection{"separation", "How the runs part", html};
}

PageSection numbers_section(const Verification& verification) {
  std::vector<std::string> head = {"answer"};
  for (const VerificationRun& run : verification.runs) head.push_back(run.name);
  head.insert(head.end(), {"change", "samples", "order"});
  std::vector<std::vector<std::string>> cells;
  for (const VerifiedAnswer& each : verification.answers) {
    const Judgement& judgement = each.judgement;
    const std::string name = each.answer.title() + (each.answer.part.empty() ? "" : " (" + each.answer.part + ")");
    std::vector<std::string>& row = cells.emplace_back(std::vector{with_unit(name, each.answer.unit)});
    for (const VerificationRun& run : verification.runs)
      row.push_back(number_of(of_role(each.readings, run.role).value, each.answer.is_count));
    row.push_back(share_text(judgement.change));
    row.push_back(share_text(judgement.sampling));
    row.push_back(judgement.order ? fmt::format("{:.2f}", *judgement.order) : "–");
  }
  return {"verified-numbers", "What each run says",
          paragraph("Change: with the first refinement, at the same samples. Samples: what denser ones change. Order: "
                    "observed, of fixed steps.") +
              table(head, cells, 1),
          true};
}

PageSection verified_runs_section(const Verification& verification) {
  std::vector<std::vector<std::string>> cells;
  for (const VerificationRun& run : verification.runs)
    cells.push_back({run.name, run.change, name_of(run.outcome) + (run.reason.empty() ? "" : ": " + run.reason),
                     fmt::format("{}", run.steps), fmt::format("{}", run.samples),
                     std::isfinite(run.relative_residual) ? fmt::format("{:.1e}", run.relative_residual) : "–"});
  return {"verified-runs", "Runs of the verification",
          table({"run", "what it does", "outcome", "steps", "samples", "energy residual"}, cells, 3)};
}

}  // namespace

std::vector<PageSection> verification_sections(const Verification& verification) {
  std::vector<PageSection> sections = {answers_section(verification, table_rows(verification))};
  if (auto motion = separation_section(verification.motion)) sections.push_back(std::move(*motion));
  sections.push_back(verified_runs_section(verification));
  sections.push_back(numbers_section(verification));
  return sections;
}

std::string verification_report(const Verification& verification, const std::string& model_text) {
  const std::vector<const VerifiedAnswer*> rows = table_rows(verification);
  const std::string name =
      verification.model.empty() ? std::filesystem::path(verification.file).stem().string() : verification.model;
  Page page{.title = "Verification: " + name, .lead = lead_of(verification, rows)};
  page.sections = verification_sections(verification);
  page.sections.push_back({"model", "Model", listing(model_text), true});
  return html_of(page);
}

}  // namespace carom::inline reporting
