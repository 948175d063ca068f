#pragma once

#include <atomic>
#include <filesystem>
#include <string>

#include "progress_bar.h"
#include "verification/verify.h"

namespace carom {

// The model treats contact by this method from now on; an empty name leaves it as it is. Throws InputError when the
// model and the method do not fit.
void choose_method(Model& model, const std::string& method);

// Set by the first Ctrl-C (or SIGTERM) from now on; the second one ends the program.
const std::atomic<bool>& watch_interrupts();

// Runs a model into a result file and reports its progress; saves contact problems where that is asked for. The first
// Ctrl-C ends the run at its next step, the second one the program.
RunSummary run_with_progress(const Model& model, const std::filesystem::path& output, ProgressStyle progress,
                             const std::optional<ProblemSaving>& problems = {});

// Verifies a model and reports how far the runs are. The first Ctrl-C ends them, and what was computed is judged.
Verification verify_with_progress(const Model& model, VerificationOptions options, ProgressStyle progress);

// What to say on standard error of a run that did not come to its end; nothing of one that did.
void report_end(const RunSummary& summary, const std::filesystem::path& output);

}  // namespace carom
