#include "validation/page.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/version.h"
#include "base/write_file.h"
#include "validation/report.h"

namespace carom::inline validation {
namespace {

// Text inside a cell of a table.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

double largest_use(const CaseResult& result) {
  double largest = 0;
  for (const Finding& finding : result.findings) largest = std::max(largest, finding.use());
  return largest;
}

std::string score_of(const CaseResult& result, const MutationScores& scores) {
  const auto found = scores.find(result.the_case.name);
  return found == scores.end() ? "–" : found->second.text();
}

// With a column for the scores, if there are any.
std::string overview(const std::vector<CaseResult>& results, const MutationScores& scores) {
  const bool scored = !scores.empty();
  std::string text =
      fmt::format("| case | what | checks | largest error / tolerance |{} verdict |\n|---|---|---|---|{}---|\n",
                  scored ? " parameters |" : "", scored ? "---|" : "");
  for (const CaseResult& result : results) {
    text += fmt::format(
        "| [{0}](#{0}) | {1} | {2} | {3} |{4} {5} |\n", result.the_case.name, cell(result.the_case.title),
        check_lines(result).size(), result.failure.empty() ? short_number(largest_use(result), 2) : "–",
        scored ? fmt::format(" {} |", score_of(result, scores)) : "", result.passed() ? "pass" : "**FAIL**");
  }
  return text;
}

// How well the checks would see a wrong model: the score of all cases of the page.
std::string score_line(const std::vector<CaseResult>& results, const MutationScores& scores) {
  MutationScore sum;
  int cases = 0;
  for (const CaseResult& result : results) {
    const auto found = scores.find(result.the_case.name);
    if (found == scores.end()) continue;
    sum += found->second;
    ++cases;
  }
  if (cases == 0) return "";
  return fmt::format(
      "Every physical number of the models was changed by 5 %, and restitution, friction, stiffness and masses by more "
      "(`./dev mutate`), to see whether the checks notice. Of {} cases: {}.\n\n",
      cases, sum.text());
}

std::string excuses(const Case& the_case) {
  std::string text;
  for (const Unnoticed& one : the_case.unnoticed) {
    std::string names;
    for (const std::string& name : one.parameters) names += (names.empty() ? "`" : ", `") + name + "`";
    text += fmt::format("- {}: {}\n", names, one.reason);
  }
  return text.empty() ? "" : "No check can notice\n\n" + text + "\n";
}

// Why a limit is what it is, and whether it was chosen with a result in view.
std::string with_chosen(const std::string& reason, const std::string& chosen) {
  return chosen.empty() ? reason : fmt::format("{} (chosen: {})", reason, chosen);
}

std::string reason_of(const Case& the_case, const Finding& finding) {
  for (const Check& check : the_case.checks) {
    if (check.name == finding.check && name_of(check.kind) == finding.kind)
      return with_chosen(check.reason, check.chosen);
  }
  for (const Convergence& convergence : the_case.convergences) {
    if (convergence.name == finding.check) return with_chosen(convergence.reason, convergence.chosen);
  }
  return "";
}

std::string checks_table(const CaseResult& result) {
  // Where there are variants, a column names that of the worst quantity.
  const bool variants = !result.the_case.variants.empty();
  std::string text = fmt::format(
      "| check | kind |{} quantity (worst of) | reference | computed | error | tolerance | verdict | why this "
      "tolerance "
      "|\n"
      "|---|---|{}---|---|---|---|---|---|---|\n",
      variants ? " variant |" : "", variants ? "---|" : "");
  for (const CheckLine& line : check_lines(result)) {
    const Finding& worst = *line.worst;
    const std::string quantity = line.quantities > 1 ? fmt::format("`{}` ({})", worst.quantity, line.quantities)
                                                     : fmt::format("`{}`", worst.quantity);
    const std::string variant = variants ? fmt::format(" {} |", cell(worst.variant)) : "";
    text += fmt::format("| {} | {} |{} {} | {} | {} | {} | {} | {} | {} |\n", cell(worst.check), worst.kind, variant,
                        quantity, short_number(worst.reference, 10), short_number(worst.computed, 10),
                        short_number(worst.error, 2), short_number(worst.allowed, 2), line.passed ? "pass" : "**FAIL**",
                        cell(worst.note.empty() ? reason_of(result.the_case, worst) : worst.note));
  }
  return text;
}

std::string run_line(const CaseResult& result) {
  if (result.runs.size() > 1) {
    long steps = 0;
    std::string names;
    for (const CaseRun& run : result.runs) {
      steps += run.summary.statistics.steps;
      names += (names.empty() ? ": " : "; ") + run.variant;
    }
    constexpr std::size_t most_named = 20;
    if (result.runs.size() > most_named) names.clear();
    return fmt::format("{} variants, {} steps together{}.\n\n", result.runs.size(), steps, names);
  }
  if (result.runs.empty()) return "";
  const RunSummary& summary = result.runs.front().summary;
  if (summary.analysis != "dynamic") return fmt::format("Analysis: {}.\n\n", summary.analysis);
  return fmt::format("Integrator `{}`, {} steps, {} samples.\n\n", summary.integrator, summary.statistics.steps,
                     summary.samples);
}

std::string section(const CaseResult& result, bool has_figure) {
  const Case& c = result.the_case;
  std::string text = fmt::format("## {}\n\n**{}**\n\n{}\n\n*Source:* {}\n\n", c.name, c.title, c.why, c.source);
  if (result.failure.empty()) {
    text += run_line(result);
    if (const std::string line = iteration_line(result); !line.empty()) text += line + ".\n\n";
    text += checks_table(result) + "\n" + excuses(c);
  } else {
    text += fmt::format("**The run failed:** {}\n\n", result.failure);
  }
  if (has_figure) text += fmt::format("![{}]({}.svg)\n\n", c.title, c.name);
  return text;
}

}  // namespace

void write_page(const std::vector<CaseResult>& results, const std::filesystem::path& folder,
                const MutationScores& scores) {
  std::string text = fmt::format(
      "<!-- Written by Carom -->\n# Validation\n\nWritten by `carom cases --page` of carom {}. Every case compares a "
      "run with a reference that "
      "was not made by Carom.\n\n{}\n{}\n{}",
      carom_version, overview(results, scores), count_line(results), score_line(results, scores));
  for (const CaseResult& result : results) {
    const Figure figure = case_figure(result);
    if (!figure.panels.empty()) write_figure(figure, folder / (result.the_case.name + ".svg"));
    text += section(result, !figure.panels.empty());
  }
  write_file(folder / "index.md", text);
}

}  // namespace carom::inline validation
