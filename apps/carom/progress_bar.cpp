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
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::show(const Progress& progress) {
  if (style_ == ProgressStyle::none) return;
  if (style_ == ProgressStyle::lines) {
    fmt::print(stderr, "{{\"progress\": {{\"t\": {}, \"start\": {}, \"end\": {}, \"steps\": {}}}}}\n", progress.t,
               progress.start, progress.end, progress.steps);
    std::fflush(stderr);
    return;
  }
  drawn_ = true;
  const double span = progress.end - progress.start, done = span > 0 ? (progress.t - progress.start) / span : 1;
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  constexpr int width = 30;
  const int filled = static_cast<int>(done * width);
  std::string bar;
  for (int k = 0; k < width; ++k) bar += k < filled ? "█" : "░";
  fmt::print(stderr, "\r{} {:5.1f} %  t = {:.4g} s  {:.3g} s/s  {} left\033[K", bar, 100 * done, progress.t,
             elapsed > 0 ? (progress.t - progress.start) / elapsed : 0.0,
             duration(done > 0 ? elapsed * (1 - done) / done : 1e9));
  std::fflush(stderr);
}

}  // namespace carom
