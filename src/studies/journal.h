#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "recording/result_types.h"
#include "studies/reductions.h"

// What is known of the finished runs of a study, on the disk as they finish.
namespace carom::inline studies {

// One finished run. Nothing in it depends on the clock or on the worker.
struct RunRecord {
  std::size_t index = 0;  // from 0
  bool failed = false;
  std::string reason = {};  // of a failure
  ReducedRun reduced = {};
  std::vector<double> statistics = {};  // in the order of statistics_columns()
};

const std::vector<Component>& statistics_columns();

// One line of text for a record, and back: to the last bit. False: it is none.
std::string to_line(const RunRecord& record);
bool from_line(const std::string& line, RunRecord& record);

// A text file of one line a run, each with its checksum. A line is with the operating system when append() returns, so
// that killing the program does not lose it, and on the disk within a second or so, or after sync().
//
// A line that a killed program left half-written is dropped; its run was not finished. While it lives the file is
// locked against a second study. Failures throw ResultError.
class Journal {
 public:
  // Begins a journal or goes on with one. One of another study or of another number of runs is refused, unless `fresh`
  // says to begin anew.
  Journal(const std::filesystem::path& path, std::uint64_t mark, std::size_t runs, bool fresh = false);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // Records found in the file when it was opened; of one run the first.
  const std::vector<RunRecord>& found() const { return found_; }
  void append(const RunRecord& record);
  void sync();

 private:
  void begin(const std::string& header);
  void read(const std::string& text, std::size_t runs);
  void write(const std::string& text);
  [[noreturn]] void fail(const std::string& what) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::vector<RunRecord> found_;
  std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();
};

}  // namespace carom::inline studies
