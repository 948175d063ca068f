#include "progress_bar.h"

#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

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

void ProgressBar::clear() {
  if (drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

// `elapsed` s took the part `passed` of the whole; the rest will go on like that.
void ProgressBar::draw(double done, const std::string& text, double passed) {
  drawn_ = true;
  constexpr int width = 30;
  const int filled = static_cast<int>(done * width);
  std::string bar;
  for (int k = 0; k < width; ++k) bar += k < filled ? "█" : "░";
  fmt::print(stderr, "\r{} {:5.1f} %  {}  {} left\033[K", bar, 100 * done, text,
             duration(passed > 0 ? elapsed() * (1 - done) / passed : 1e9));
  std::fflush(stderr);
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
