#pragma once

#include <chrono>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "viewing/parameters.h"

namespace carom::inline viewing {

/// Runs a model in a process of its own, so that neither a crash nor the HDF5 library of the run can touch the viewer.
/// The process hears no Ctrl-C of the terminal: it is stopped by stop() and by the destructor, keeps what it computed,
/// and ends by itself when the viewer is killed. May be used from several threads.
class ModelRun {
 public:
  enum class Phase { idle, running, ended };
  struct State {
    Phase phase = Phase::idle;
    int number = 0;                  // of the run, from 1 on
    double t = 0, from = 0, to = 0;  // s, simulated
    double seconds = 0;              // s, since the start of the run, or that it took
    bool writes = false;             // the file of the result is that of this run, not an older one
    bool stopped = false;            // on request
    int code = 0;                    // exit code of the program; negative: the signal that ended it
    std::string words = {};          // what the program said: warnings, reasons
  };

  /// `command` is the program and its words, to which those of --set are added; it reports its progress on standard
  /// error as `carom run --progress` does.
  ModelRun(RunnableModel model, std::vector<std::string> command, std::filesystem::path result);
  ~ModelRun();
  ModelRun(const ModelRun&) = delete;
  ModelRun& operator=(const ModelRun&) = delete;

  const std::filesystem::path& result() const { return result_; }
  const RunnableModel& model() const { return model_; }
  bool start(const Assignments& chosen = {});  // false: it runs already
  void stop();                                 // the process ends soon after; nothing happens when none runs
  Assignments chosen() const;                  // of the last start
  State state() const;

 private:
  void watch();
  void read_words(int pipe);
  void take_line(const std::string& line);

  const RunnableModel model_;
  const std::vector<std::string> command_;
  const std::filesystem::path result_;
  mutable std::mutex mutex_;
  State state_;
  Assignments chosen_;
  std::chrono::steady_clock::time_point begin_;
  int process_ = 0;  // 0: none
  std::thread watching_;
};

}  // namespace carom::inline viewing
