#pragma once

#include <mutex>

#include "verification/verify.h"

namespace carom::inline verification {

// A run that was made, with what it recorded.
struct MadeRun {
  VerificationRun facts;
  ModelVariant variant;
  RecordedRun recorded = {};
  RunSummary summary = {};
  bool complete() const { return facts.outcome == VariantOutcome::complete; }
};

// Makes the runs, several at a time, and reports how far they are.
class VariantRuns {
 public:
  VariantRuns(const VerificationOptions& options, std::vector<ModelAnswer> answers, std::vector<std::string> followed);

  // Throws ComputationError where it fails; not complete: it was interrupted.
  MadeRun make_own(const ModelVariant& variant);
  std::vector<MadeRun> make(const std::vector<ModelVariant>& variants);
  // s, that a run may take.
  double limit() const { return limit_; }

 private:
  MadeRun run_one(const ModelVariant& variant, std::size_t index);
  void report(std::size_t index, double share);

  const VerificationOptions& options_;
  const std::vector<ModelAnswer> answers_;
  const std::vector<std::string> followed_;
  double limit_;  // s
  std::mutex mutex_;
  std::vector<double> shares_ = {0};
};

}  // namespace carom::inline verification
