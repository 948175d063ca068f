#pragma once

#include <chrono>

#include "simulation/run.h"

namespace carom {

// Simulated time, rate and time left on one line of a terminal; silent elsewhere.
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar();
  void show(const Progress& progress);

 private:
  bool active_ = false, drawn_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace carom
