#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "studies/journal.h"
#include "studies/ranks.h"
#include "studies/sampling.h"
#include "studies/study.h"

// All runs of a study, by several workers.
namespace carom::inline studies {

struct StudyProgress {
  std::size_t runs = 0, done = 0, failed = 0;
  std::size_t found = 0;  // of those done, before this time
};

struct StudyOptions {
  std::size_t workers = 0;                             // threads; 0: as many as the machine has cores
  std::filesystem::path journal = {};                  // beside the table
  std::filesystem::path folder = {};                   // for the result files of a study that keeps them
  bool fresh = false;                                  // begin anew, whatever the journal holds
  bool retry = false;                                  // run failed ones again
  std::function<void(const StudyProgress&)> progress;  // after every run, by one thread at a time
  const std::atomic<bool>* interrupted = nullptr;      // set it to stop; finished runs are kept
};

struct StudyOutcome {
  std::vector<RunRecord> records;  // by index; complete unless interrupted
  std::size_t found = 0;           // in the journal
  bool interrupted = false;
};

// Where the result file of a run lies.
std::filesystem::path kept_file(const std::filesystem::path& folder, std::size_t index);

// The records do not depend on the workers or on how often the study was stopped. Throws ResultError when the journal
// cannot be written or is that of another study.
StudyOutcome run_study(const Study& study, const StudyPlan& plan, const StudyOptions& options, Ranks& ranks);

// What the processes of an MPI study do but for the first: runs that the first one gives out.
void work_for_study(const Study& study, const StudyPlan& plan, const StudyOptions& options, Ranks& ranks);

}  // namespace carom::inline studies
