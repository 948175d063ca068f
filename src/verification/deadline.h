#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace carom::inline verification {

// Raises a flag when the user wants to stop, or when a computation has taken too long.
class Deadline {
 public:
  Deadline(double seconds, const std::atomic<bool>* interrupted)
      : watch_([this, seconds, interrupted](const std::stop_token& token) {
          const auto begin = std::chrono::steady_clock::now();
          while (!token.stop_requested() && !raised_) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
            if (interrupted && *interrupted) {
              raised_ = true;
            } else if (passed.count() > seconds) {
              too_long_ = true;
              raised_ = true;
            }
          }
        }) {}

  const std::atomic<bool>* flag() const { return &raised_; }
  bool too_long() const { return too_long_; }

 private:
  std::atomic<bool> raised_ = false, too_long_ = false;
  std::jthread watch_;
};

}  // namespace carom::inline verification
