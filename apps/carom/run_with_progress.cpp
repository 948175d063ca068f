#include "run_with_progress.h"

#include <atomic>
#include <csignal>

#include <fmt/format.h>

#include "model_io/validate.h"

namespace carom {
namespace {

std::atomic<bool> interrupt_requested = false;

void request_interrupt(int) {
  interrupt_requested = true;
  std::signal(SIGINT, SIG_DFL);  // a second Ctrl-C stops at once
}

}  // namespace

void choose_method(Model& model, const std::string& method) {
  if (method.empty() || method == model.solver.method) return;
  model.solver.method = method;
  ProblemList problems;
  validate(model, problems);
  if (problems.errors() > 0) throw InputError(problems);
}

const std::atomic<bool>& watch_interrupts() {
  std::signal(SIGINT, request_interrupt);
  std::signal(SIGTERM, request_interrupt);
  return interrupt_requested;
}

RunSummary run_with_progress(const Model& model, const std::filesystem::path& output, ProgressStyle progress,
                             const std::optional<ProblemSaving>& problems) {
  const std::atomic<bool>& interrupted = watch_interrupts();
  ProgressBar bar(progress);
  return run(model, {.output = output,
                     .progress = [&](const Progress& now) { bar.show(now); },
                     .interrupted = &interrupted,
                     .problems = problems});
}

void report_end(const RunSummary& summary, const std::filesystem::path& output) {
  if (summary.status == RunStatus::complete) return;
  const bool failed = summary.status == RunStatus::failed;
  fmt::print(stderr, "carom: run {} at t = {:g} s; the {} samples until then are saved in {}\n",
             failed ? "failed" : "interrupted", summary.t, summary.samples, output.string());
  if (failed) fmt::print(stderr, "carom: {}\n", summary.reason);
}

}  // namespace carom
