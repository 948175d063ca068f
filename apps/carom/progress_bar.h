#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "simulation/run.h"

namespace carom {

// How progress is reported: to nobody, to people at a terminal, or to another program.
enum class ProgressStyle { none, bar, lines };

inline ProgressStyle bar_unless(bool silent) {
  return silent ? ProgressStyle::none : ProgressStyle::bar;
}

// Simulated time or runs, rate and time left on one line of a terminal of any width, silent elsewhere; or lines of JSON
// on standard error.
class ProgressBar {
 public:
  explicit ProgressBar(ProgressStyle style);
  ~ProgressBar();
  void show(const Progress& progress);
  // For another program: from now on the file of the name is that of this run.
  void show_result(const std::filesystem::path& file);
  void clear();
  // Runs done, rate, time left and failures; `found` were done before.
  void show_runs(std::size_t done, std::size_t found, std::size_t runs, std::size_t failed);
  // Runs that go on at the same time: those done, and the part of all that is done.
  void show_share(double share, std::size_t done, std::size_t runs);

 private:
  void draw(double done, const std::string& text, double passed);
  std::string erased(int columns) const;  // what removes the line that is there
  double elapsed() const;                 // s

  ProgressStyle style_;
  int drawn_ = 0;  // columns of the line that is there
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), shown_ = {};
};

}  // namespace carom
