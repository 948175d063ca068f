#pragma once

#include <string>

namespace carom::inline analyses {

// Whether an analysis succeeded, and if not, why: a sentence for the user.
struct AnalysisOutcome {
  bool success = true;
  std::string reason;
  explicit operator bool() const { return success; }
  static AnalysisOutcome failure(std::string why) { return {false, std::move(why)}; }
};

}  // namespace carom::inline analyses
