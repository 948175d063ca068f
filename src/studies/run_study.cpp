#include "studies/run_study.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "studies/study_run.h"

namespace carom::inline studies {
namespace {

std::optional<RunRecord> execute(const Study& study, const StudyPlan& plan, std::size_t index,
                                 const StudyOptions& options) {
  const auto file = study.keep ? std::optional(kept_file(options.folder, index)) : std::nullopt;
  return execute_run(study, plan, index, file, options.interrupted);
}

// What the workers share: the runs to do, and the records of those done.
class Workshop {
 public:
  Workshop(const Study& study, const StudyPlan& plan, const StudyOptions& options)
      : study_(study),
        plan_(plan),
        options_(options),
        journal_(options.journal, fingerprint(study), plan.size(), options.fresh) {
    std::vector<bool> done(plan.size(), false);
    for (const RunRecord& record : journal_.found()) {
      if (options.retry && record.failed) continue;
      done[record.index] = true;
      take(record);
    }
    progress_.runs = plan.size();
    progress_.found = records_.size();
    for (std::size_t index = 0; index < plan.size(); ++index)
      if (!done[index]) waiting_.push_back(index);
  }

  std::size_t waiting() const { return waiting_.size(); }

  void work() {
    try {
      for (std::size_t index = 0; next(index);) {
        if (const auto record = execute(study_, plan_, index, options_)) finish(*record);
      }
    } catch (...) {
      note_error();
    }
  }

  // Another process works for this one: what it was doing is done, or was interrupted; the index of its next run.
  std::optional<std::size_t> exchange(const RankMessage& message) {
    std::size_t index = 0;
    try {
      RunRecord record;
      if (message.failed) throw ResultError(message.text);
      if (from_line(message.text, record)) finish(record);
    } catch (...) {
      note_error();
    }
    return next(index) ? std::optional(index) : std::nullopt;
  }

  StudyOutcome outcome() {
    if (error_) std::rethrow_exception(error_);
    journal_.sync();
    std::sort(records_.begin(), records_.end(),
              [](const RunRecord& a, const RunRecord& b) { return a.index < b.index; });
    return {.records = std::move(records_), .found = progress_.found, .interrupted = progress_.done < progress_.runs};
  }

 private:
  void note_error() {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }

  bool next(std::size_t& index) {
    const std::lock_guard lock(mutex_);
    if (error_ || taken_ == waiting_.size() || (options_.interrupted && *options_.interrupted)) return false;
    index = waiting_[taken_++];
    return true;
  }

  void finish(const RunRecord& record) {
    const std::lock_guard lock(mutex_);
    journal_.append(record);
    take(record);
    if (options_.progress) options_.progress(progress_);
  }

  void take(const RunRecord& record) {
    ++progress_.done;
    progress_.failed += record.failed ? 1 : 0;
    records_.push_back(record);
  }

  const Study& study_;
  const StudyPlan& plan_;
  const StudyOptions& options_;
  std::mutex mutex_;
  Journal journal_;
  std::vector<std::size_t> waiting_;
  std::size_t taken_ = 0;
  std::vector<RunRecord> records_;
  StudyProgress progress_;
  std::exception_ptr error_;
};

}  // namespace

std::filesystem::path kept_file(const std::filesystem::path& folder, std::size_t index) {
  return folder / fmt::format("run_{:06}.h5", index + 1);
}

StudyOutcome run_study(const Study& study, const StudyPlan& plan, const StudyOptions& options, Ranks& ranks) {
  Workshop workshop(study, plan, options);
  if (study.keep) std::filesystem::create_directories(options.folder);
  // Under MPI the cores have their own processes.
  const std::size_t cores = ranks.size() > 1 ? 1 : std::max(1u, std::thread::hardware_concurrency());
  const std::size_t workers = std::min(options.workers > 0 ? options.workers : cores, workshop.waiting());
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 0; k < workers; ++k) threads.emplace_back([&] { workshop.work(); });
    ranks.serve([&](const RankMessage& message) { return workshop.exchange(message); });
  }
  return workshop.outcome();
}

void work_for_study(const Study& study, const StudyPlan& plan, const StudyOptions& options, Ranks& ranks) {
  RankMessage message;
  while (const auto index = ranks.ask(message)) {
    message = {};
    try {
      if (const auto record = execute(study, plan, *index, options)) {
        message.text = to_line(*record);
        message.text.pop_back();  // the end of the line
      }
    } catch (const std::exception& error) {
      message = {.failed = true, .text = error.what()};
    }
  }
}

}  // namespace carom::inline studies
