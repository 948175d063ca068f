#include "validation/report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace carom::inline validation {
namespace {

constexpr const char* row_format = "{:<24} {:<38} {:<38} {:>14} {:>14} {:>9} {:>9}  {}\n";

// At most `width` characters; the width of fmt counts characters, too.
std::string shortened(const std::string& text, std::size_t width) {
  std::vector<std::size_t> begins;  // bytes at which characters begin
  for (std::size_t k = 0; k < text.size(); ++k) {
    if ((static_cast<unsigned char>(text[k]) & 0xc0) != 0x80) begins.push_back(k);
  }
  return begins.size() <= width ? text : text.substr(0, begins[width - 1]) + "…";
}

nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json finding_json(const Finding& finding) {
  nlohmann::ordered_json json = {{"check", finding.check},
                                 {"kind", finding.kind},
                                 {"variant", finding.variant},
                                 {"quantity", finding.quantity},
                                 {"reference", number_or_null(finding.reference)},
                                 {"computed", number_or_null(finding.computed)},
                                 {"error", number_or_null(finding.error)},
                                 {"tolerance", number_or_null(finding.allowed)},
                                 {"time", number_or_null(finding.time)},
                                 {"passed", finding.passed}};
  if (finding.variant.empty()) json.erase("variant");
  if (!finding.note.empty()) json["note"] = finding.note;
  return json;
}

struct Iterations {
  SubproblemStatistics smooth, position, velocity;
  bool any = false;
};

Iterations iterations_of(const CaseResult& result) {
  Iterations sum;
  const auto add = [](SubproblemStatistics& to, const SubproblemStatistics& each) {
    to.solved += each.solved, to.iterations += each.iterations;
    to.most = std::max(to.most, each.most);
  };
  for (const CaseRun& run : result.runs) {
    if (!run.summary.nonsmooth) continue;
    sum.any = true;
    add(sum.smooth, run.summary.nonsmooth->smooth);
    add(sum.position, run.summary.nonsmooth->position);
    add(sum.velocity, run.summary.nonsmooth->velocity);
  }
  return sum;
}

double mean_of(const SubproblemStatistics& problem) {
  return problem.solved > 0 ? static_cast<double>(problem.iterations) / static_cast<double>(problem.solved) : 0;
}

}  // namespace

std::string iteration_line(const CaseResult& result) {
  const Iterations sum = iterations_of(result);
  if (!sum.any) return "";
  return fmt::format(
      "Newton iterations a step: {:.2f} / {:.2f} / {:.2f}, at the most {} / {} / {} (smooth motion / position / "
      "velocity)",
      mean_of(sum.smooth), mean_of(sum.position), mean_of(sum.velocity), sum.smooth.most, sum.position.most,
      sum.velocity.most);
}

std::string short_number(double value, int digits) {
  return std::isnan(value) ? "–" : fmt::format("{:.{}g}", value, digits);
}

std::vector<CheckLine> check_lines(const CaseResult& result) {
  std::vector<CheckLine> lines;
  for (const Finding& finding : result.findings) {
    const bool same =
        !lines.empty() && lines.back().worst->check == finding.check && lines.back().worst->kind == finding.kind;
    if (!same) lines.push_back({&finding, 0, true});
    CheckLine& line = lines.back();
    ++line.quantities;
    line.passed = line.passed && finding.passed;
    if (finding.use() > line.worst->use()) line.worst = &finding;
  }
  return lines;
}

std::string table_header() {
  return fmt::format(row_format, "case", "check", "quantity (worst)", "reference", "computed", "error", "tolerance",
                     "verdict");
}

std::string table_rows(const CaseResult& result) {
  std::string text;
  std::string name = result.the_case.name;
  for (const CheckLine& line : check_lines(result)) {
    const Finding& worst = *line.worst;
    const std::string quantity = (worst.variant.empty() ? "" : worst.variant + ": ") + worst.quantity;
    text += fmt::format(row_format, shortened(name, 24), shortened(worst.check, 38), shortened(quantity, 38),
                        short_number(worst.reference, 8), short_number(worst.computed, 8), short_number(worst.error, 2),
                        short_number(worst.allowed, 2), line.passed ? "pass" : "FAIL");
    if (!worst.note.empty()) text += fmt::format("{:<24} {}: {}\n", "", quantity, worst.note);
    name.clear();
  }
  if (const std::string line = iteration_line(result); !line.empty()) text += fmt::format("{:<24} {}\n", "", line);
  if (!result.failure.empty()) text += fmt::format("{:<24} the run failed: {}\n", name, result.failure);
  return text;
}

std::string count_line(const std::vector<CaseResult>& results) {
  std::size_t cases = 0, checks = 0, checks_passed = 0, quantities = 0;
  double seconds = 0;
  for (const CaseResult& result : results) {
    cases += result.passed() ? 1 : 0;
    for (const CheckLine& line : check_lines(result)) {
      ++checks;
      checks_passed += line.passed ? 1 : 0;
    }
    quantities += result.findings.size();
    seconds += result.wall_seconds;
  }
  return fmt::format("{} of {} cases passed, {} of {} checks of {} quantities, {:.1f} s\n", cases, results.size(),
                     checks_passed, checks, quantities, seconds);
}

std::string to_json(const std::vector<CaseResult>& results) {
  auto json = nlohmann::ordered_json::array();
  for (const CaseResult& result : results) {
    nlohmann::ordered_json entry = {{"case", result.the_case.name},
                                    {"title", result.the_case.title},
                                    {"source", result.the_case.source},
                                    {"passed", result.passed()},
                                    {"wall_seconds", result.wall_seconds}};
    for (const Variant& variant : result.the_case.variants) entry["variants"].push_back(variant.name);
    if (!result.failure.empty()) entry["failure"] = result.failure;
    if (const Iterations sum = iterations_of(result); sum.any) {
      const auto json_of = [](const SubproblemStatistics& problem) {
        return nlohmann::ordered_json{{"mean", mean_of(problem)}, {"most", problem.most}};
      };
      entry["iterations"] = {
          {"smooth", json_of(sum.smooth)}, {"position", json_of(sum.position)}, {"velocity", json_of(sum.velocity)}};
    }
    entry["checks"] = nlohmann::ordered_json::array();
    for (const Finding& finding : result.findings) entry["checks"].push_back(finding_json(finding));
    for (const ConvergenceCurves& curves : result.convergences) {
      nlohmann::ordered_json errors;
      for (std::size_t k = 0; k < curves.groups.size(); ++k) errors[curves.groups[k]] = curves.errors[k];
      entry["convergence"].push_back({{"name", curves.name},
                                      {"order", curves.order},
                                      {"steps", curves.steps},
                                      {"errors", errors},
                                      {"measured", curves.slopes}});
    }
    json.push_back(std::move(entry));
  }
  return json.dump(2) + "\n";
}

}  // namespace carom::inline validation
