#include "progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "terminal.h"
#include "text_columns.h"

namespace carom {
namespace {

std::string duration(double seconds) {
  if (!(seconds < 360000)) return "–";
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  if (seconds < 3600)
    return fmt::format("{}:{:02} min", static_cast<int>(seconds) / 60, static_cast<int>(seconds) % 60);
  return fmt::format("{}:{:02} h", static_cast<int>(seconds) / 3600, static_cast<int>(seconds) / 60 % 60);
}

}  // namespace

ProgressBar::ProgressBar(ProgressStyle style)
    : style_(style == ProgressStyle::bar && isatty(STDERR_FILENO) != 1 ? ProgressStyle::none : style) {}

ProgressBar::~ProgressBar() {
  clear();
}

// A terminal that became narrower has broken the line that was there into several.
std::string ProgressBar::erased(int columns) const {
  const int rows_above = drawn_ > 0 ? (drawn_ - 1) / std::max(columns, 1) : 0;
  return (rows_above > 0 ? fmt::format("\r\033[{}A", rows_above) : std::string("\r")) + "\033[J";
}

void ProgressBar::clear() {
  if (drawn_ > 0) fmt::print(stderr, "{}", erased(terminal_columns()));
  drawn_ = 0;
}

// `elapsed` s took the part `passed` of the whole; the rest will go on like that.
void ProgressBar::draw(double done, const std::string& text, double passed) {
  const int columns = terminal_columns();
  const std::string line =
      progress_line(done, text, duration(passed > 0 ? elapsed() * (1 - done) / passed : 1e9) + " left", columns);
  fmt::print(stderr, "{}{}", erased(columns), line);
  std::fflush(stderr);
  drawn_ = static_cast<int>(width_of(line));
}

double ProgressBar::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void ProgressBar::show(const Progress& progress) {
  if (style_ == ProgressStyle::none) return;
  if (style_ == ProgressStyle::lines) {
    fmt::print(stderr, "{{\"progress\": {{\"t\": {}, \"start\": {}, \"end\": {}, \"steps\": {}}}}}\n", progress.t,
               progress.start, progress.end, progress.steps);
    std::fflush(stderr);
    return;
  }
  const double span = progress.end - progress.start, done = span > 0 ? (progress.t - progress.start) / span : 1;
  const double seconds = elapsed();
  draw(done,
       fmt::format("t = {:.4g} s  {:.3g} s/s", progress.t, seconds > 0 ? (progress.t - progress.start) / seconds : 0.0),
       done);
}

void ProgressBar::show_result(const std::filesystem::path& file) {
  if (style_ != ProgressStyle::lines) return;
  const nlohmann::json line = {{"result", file.string()}};
  fmt::print(stderr, "{}\n", line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  std::fflush(stderr);
}

void ProgressBar::show_runs(std::size_t done, std::size_t found, std::size_t runs, std::size_t failed) {
  const auto now = std::chrono::steady_clock::now();
  if (style_ != ProgressStyle::bar || (done < runs && now - shown_ < std::chrono::milliseconds(100))) return;
  shown_ = now;
  const double all = static_cast<double>(runs), lately = static_cast<double>(done - found), seconds = elapsed();
  draw(static_cast<double>(done) / all,
       fmt::format("{} of {} runs  {:.3g} runs/min{}", done, runs, seconds > 0 ? 60 * lately / seconds : 0.0,
                   failed > 0 ? fmt::format("  {} failed", failed) : ""),
       lately / all);
}

void ProgressBar::show_share(double share, std::size_t done, std::size_t runs) {
  const auto now = std::chrono::steady_clock::now();
  if (style_ != ProgressStyle::bar || now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  draw(share, fmt::format("{} of {} runs", done, runs), share);
}

}  // namespace carom
