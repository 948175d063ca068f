#include "run_with_progress.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string_view>

#include <fmt/format.h>

#include "base/interruption.h"
#include "base/nearest_name.h"
#include "base/protected_files.h"
#include "commands.h"
#include "documents/check_value.h"
#include "model_io/validate.h"
#include "recording/result_reader.h"
#include "terminal.h"

namespace carom {
namespace {

std::atomic<bool> interrupt_requested = false;

constexpr unsigned patience = 1;  // s

void request_interrupt(int) {
  interrupt_requested = true;
  std::signal(SIGINT, SIG_DFL);  // a second Ctrl-C stops at once
  alarm(patience);
}

// Reading, assembling, one long step or a reduction does not look at the flag. Files that have been begun can be read
// as they are: what was flushed until then is on the disk.
void stop_unless_noticed(int) {
  if (interruption_noticed()) return;
  constexpr std::string_view message =
      "carom: interrupted at once; a result or a journal that was begun holds what was saved until then\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message.data(), message.size());
  _exit(exit_failed);
}

}  // namespace

void choose_method(Model& model, const std::string& method) {
  if (method.empty()) return;
  const auto chosen = find_named<ContactMethod>(method);
  if (!chosen) {
    const auto known = choices_of<ContactMethod>();
    refuse("--method", carom::quoted(method), alternatives(known), did_you_mean(method, known));
  }
  if (*chosen == model.solver.method) return;
  model.solver.method = *chosen;
  ProblemList problems;
  validate(model, problems);
  if (problems.errors() > 0) throw InputError(problems);
}

const std::atomic<bool>& watch_interrupts() {
  std::signal(SIGALRM, stop_unless_noticed);
  std::signal(SIGINT, request_interrupt);
  std::signal(SIGTERM, request_interrupt);
  return interrupt_requested;
}

RunSummary run_with_progress(const Model& model, const std::filesystem::path& output, ProgressStyle progress,
                             const std::optional<ProblemSaving>& problems) {
  require_replaceable(output, is_result_file);  // before anything is computed
  const std::atomic<bool>& interrupted = watch_interrupts();
  ProgressBar bar(progress);
  return run(model, {.output = output,
                     .progress = [&](const Progress& now) { bar.show(now); },
                     .placed = [&] { bar.show_result(output); },
                     .interrupted = &interrupted,
                     .problems = problems});
}

Verification verify_with_progress(const Model& model, VerificationOptions options, ProgressStyle progress) {
  ProgressBar bar(progress);
  options.interrupted = &watch_interrupts();
  options.progress = [&](const VerificationProgress& now) { bar.show_share(now.share, now.done, now.runs); };
  return verify(model, options);
}

void report_end(const RunSummary& summary, const std::filesystem::path& output) {
  if (summary.status == RunStatus::complete) return;
  const bool failed = summary.status == RunStatus::failed;
  print_error(fmt::format("run {} at t = {:g} s; the {} samples until then are saved in {}",
                          failed ? "failed" : "interrupted", summary.t, summary.samples, output.string()));
  if (failed) print_error(summary.reason);
}

}  // namespace carom
