#pragma once

#include <chrono>

#include "simulation/run.h"

namespace carom {

// How progress is told: to nobody, to people at a terminal, or to another program.
enum class ProgressStyle { none, bar, lines };

inline ProgressStyle bar_unless(bool silent) {
  return silent ? ProgressStyle::none : ProgressStyle::bar;
}

// Simulated time, rate and time left on one line of a terminal, silent elsewhere; or lines of JSON on standard error.
class ProgressBar {
 public:
  explicit ProgressBar(ProgressStyle style);
  ~ProgressBar();
  void show(const Progress& progress);

 private:
  ProgressStyle style_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace carom
