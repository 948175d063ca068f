#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "signals/chaos.h"
#include "verification/judgement.h"
#include "verification/separation.h"

// Runs a model in several ways and reports which of its answers hold.
namespace carom::inline verification {

struct VerificationProgress {
  double share = 0;  // of all runs, 0 … 1
  std::size_t runs = 0, done = 0;
};

struct VerificationOptions {
  std::optional<AskedAnswers> asked = {};          // none: the usual answers
  std::size_t threads = 0;                         // 0: as many as the machine has cores
  double patience = 30;                            // a run may take so many times as long as the model's own
  const std::atomic<bool>* interrupted = nullptr;  // set it to stop; what was computed is judged
  std::function<void(const VerificationProgress&)> progress = {};  // from any thread, one at a time
};

// Shorter runs are never stopped for want of patience.
inline constexpr double least_patience = 30;  // s

enum class VariantOutcome { complete, failed, interrupted, stopped, impossible };
const std::string& name_of(VariantOutcome outcome);

struct VerificationRun {
  Role role = Role::model;
  std::string name, change;
  VariantOutcome outcome = VariantOutcome::interrupted;
  std::string reason = {};      // where it is not complete
  std::string integrator = {};  // as the run reports it
  double t = 0;                 // s, reached
  long steps = 0, samples = 0;
  double relative_residual = not_reported;  // of the energy balance, of the largest energy
  double wall_seconds = 0;
};

// What the runs of the model's own method say of its motion.
struct MotionAgreement {
  std::vector<SeparationCurve> curves = {};       // from the finest run; none: there is nothing to compare
  std::optional<double> growth = {};              // 1/s, of the separation of the runs, where it grows steadily
  std::optional<LyapunovEstimate> exponent = {};  // from two motions kept near each other
  std::string no_exponent = {};                   // why there is none, where it was looked for
  bool chaotic = false;
  std::string text = {};  // one line for people

  // The first to part, or the farthest apart; null without curves.
  const SeparationCurve* worst() const;
};

struct VerifiedAnswer {
  ModelAnswer answer;
  Readings readings;
  Judgement judgement;
};

struct Verification {
  std::string model, file, analysis, method;
  double start = 0, end = 0;  // s
  Refinement refinement = Refinement::tolerance;
  std::vector<VerificationRun> runs = {};
  MotionAgreement motion = {};
  std::vector<VerifiedAnswer> answers = {};  // the most trusted first
  std::size_t zeros = 0;                     // usual answers that are zero in all runs, and left out

  // All runs that are possible came to their end.
  bool complete() const;
  // Answers that hold to fewer digits; those that are not reported count.
  std::vector<const VerifiedAnswer*> below(int digits) const;
};

// Throws InputError where the model cannot be run or the answers are not its own, ComputationError where its own run
// fails. What goes wrong with the others is in their rows.
Verification verify(const Model& model, const VerificationOptions& options = {});

// The worst of the numbers that belong to one answer, for tables; in the order of the answers.
std::vector<const VerifiedAnswer*> table_rows(const Verification& verification);

}  // namespace carom::inline verification
