#include "validation/run_case.h"

#include <algorithm>
#include <chrono>
#include <exception>

#include "model_io/read_model.h"
#include "recording/result_reader.h"

namespace carom {
namespace {

Evidence read_evidence(const Case& the_case, const RunSummary& summary, const std::filesystem::path& file) {
  Evidence evidence;
  const ResultReader reader(file);
  evidence.time = reader.times();
  const std::vector<std::string> present = reader.quantities();
  for (const Check& check : the_case.checks) {
    for (const std::string& quantity : check.quantities) {
      if (std::find(present.begin(), present.end(), quantity) == present.end()) continue;
      if (!evidence.columns.contains(quantity)) evidence.columns[quantity] = reader.column(quantity);
    }
  }
  evidence.largest_residual = summary.largest_residual;
  evidence.largest_energy = summary.largest_energy;
  evidence.position_drift = summary.position_drift;
  for (const ModeSummary& mode : summary.modes) evidence.modes.push_back({mode.frequency, mode.damping_ratio});
  return evidence;
}

void run_and_check(const Case& the_case, const std::filesystem::path& folder, CaseResult& result) {
  ProblemList problems;
  const Model model = read_model(the_case.folder / "model.toml", problems);
  if (problems.errors() > 0) throw InputError(problems);
  result.result_file = folder / (the_case.name + ".h5");
  result.summary = run(model, {.output = result.result_file, .progress = {}});
  if (result.summary.status != RunStatus::complete) {
    result.failure = result.summary.reason;
    return;
  }
  const Evidence evidence = read_evidence(the_case, result.summary, result.result_file);
  for (const Check& check : the_case.checks) {
    const auto findings = evaluate(check, the_case.reference, evidence);
    result.findings.insert(result.findings.end(), findings.begin(), findings.end());
  }
  for (const Convergence& convergence : the_case.convergences) {
    measure_convergence(the_case, model, convergence, folder, result);
  }
}

}  // namespace

bool CaseResult::passed() const {
  return failure.empty() && !findings.empty() &&
         std::all_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.passed; });
}

CaseResult run_case(const Case& the_case, const std::filesystem::path& folder) {
  CaseResult result;
  result.the_case = the_case;
  const auto begin = std::chrono::steady_clock::now();
  try {
    run_and_check(the_case, folder, result);
  } catch (const InputError& error) {
    result.failure = error.problems().text();
    while (!result.failure.empty() && result.failure.back() == '\n') result.failure.pop_back();
  } catch (const std::exception& error) {
    result.failure = error.what();
  }
  result.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace carom
