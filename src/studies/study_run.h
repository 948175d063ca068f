#pragma once

#include <atomic>
#include <filesystem>
#include <optional>

#include "simulation/run.h"
#include "studies/journal.h"
#include "studies/sampling.h"
#include "studies/study.h"

// One run of a study.
namespace carom::inline studies {

// The model with the values and the method of a run; problems where they do not fit.
Model model_of_run(const Study& study, const StudyPlan& plan, std::size_t index, ProblemList& problems);

// Name of a value that reads back to the same number: what --set would be given.
std::string parameter_text(double value);

// Runs and reduces it; in memory, unless a file is given for all it records. None: it was interrupted. What goes wrong
// is in the record. May be called from several threads.
std::optional<RunRecord> execute_run(const Study& study, const StudyPlan& plan, std::size_t index,
                                     const std::optional<std::filesystem::path>& file,
                                     const std::atomic<bool>* interrupted);

}  // namespace carom::inline studies
