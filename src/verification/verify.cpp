#include "verification/verify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/interruption.h"
#include "base/problem.h"
#include "simulation/model_lyapunov.h"
#include "simulation/simulation.h"
#include "studies/reductions.h"
#include "studies/study_channels.h"
#include "verification/deadline.h"
#include "verification/variant_runs.h"

namespace carom::inline verification {
namespace {

constexpr double suspicious = 1e-3;       // separation from which on it is asked whether the motion is chaotic
constexpr double intervals_in_run = 100;  // of the Lyapunov exponent
constexpr double left_out = 0.2;          // of the run, before it
// Motions that part by a power of the time up to the third, over the rest of the run, are not chaotic by that.
const double least_folds = 3 * std::log(1 / left_out);
constexpr double errors_above_zero = 2;    // of the exponent
constexpr double no_motion = 1e-6;         // of what is usual for a position or a velocity
constexpr double rounding_beside = 1e-12;  // of the largest of the same unit
constexpr double poor_balance = 0.1;       // of the energy, from which on a run is not to be compared with
constexpr double percent_shown = 95;

std::vector<std::string> names_in(const Model& model) {
  return find_channels(model).names;
}

bool has_method(const MadeRun& run, ContactMethod method) {
  return run.variant.model.solver.method == method;
}

// The runs of the model's own method that came to their end, its own first.
std::vector<const MadeRun*> own_runs(const std::vector<MadeRun>& runs) {
  std::vector<const MadeRun*> own;
  for (const MadeRun& run : runs)
    if (run.complete() && has_method(run, runs.front().variant.model.solver.method)) own.push_back(&run);
  return own;
}

void find_exponent(const Model& model, double limit, const VerificationOptions& options, MotionAgreement& motion) {
  const double start = model.solver.start, span = model.solver.end - start;
  const ModelLyapunovSettings settings{
      .interval = span / intervals_in_run, .from = start + left_out * span, .to = model.solver.end};
  const Deadline deadline(limit, options.interrupted);
  try {
    motion.exponent = model_lyapunov_by_separation(model, settings, deadline.flag());
  } catch (const Interrupted&) {
    interruption_noticed() = !deadline.too_long();
    motion.no_exponent =
        deadline.too_long() ? "it takes too long beside the run; --patience lets it go on" : "interrupted";
  } catch (const ComputationError& error) {
    motion.no_exponent = error.what();
  } catch (const InputError& error) {
    motion.no_exponent = error.what();
  }
}

// Separations of the model's run and of the others from the finest.
void compare_motions(const std::vector<MadeRun>& runs, MotionAgreement& motion) {
  const std::vector<const MadeRun*> own = own_runs(runs);
  const auto role = [&](Role wanted) {
    const auto found =
        std::find_if(own.begin(), own.end(), [&](const MadeRun* run) { return run->facts.role == wanted; });
    return found == own.end() ? nullptr : *found;
  };
  const MadeRun* reference = role(Role::finest);
  for (const Role next : {Role::finer, Role::other_integrator, Role::other_start})
    if (!reference) reference = role(next);
  if (!reference) return;
  const RecordedRun& times = runs.front().recorded;  // that all have
  const RecordedRun from = at_times_of(reference->recorded, times);
  for (const MadeRun* run : own) {
    if (run == reference) continue;
    SeparationCurve curve = separation(at_times_of(run->recorded, times), from, run->facts.name);
    if (!curve.t.empty()) motion.curves.push_back(std::move(curve));
  }
}

std::string duration_text(double seconds) {
  return seconds < 1e-3  ? fmt::format("{:.3g} µs", 1e6 * seconds)
         : seconds < 0.1 ? fmt::format("{:.3g} ms", 1e3 * seconds)
                         : fmt::format("{:.3g} s", seconds);
}

std::string parting_text(const MotionAgreement& motion) {
  return fmt::format("the runs part after {:.3g} s", *motion.worst()->parts_at);
}

std::string motion_text(const MotionAgreement& motion) {
  const SeparationCurve* worst = motion.worst();
  if (!worst) return "";
  if (!worst->parts_at)
    return fmt::format(
        "the runs agree within {} of the range of the motion until the end; they differ most in {} at {:.4g} s",
        share_text(worst->largest), worst->coordinate, worst->largest_at);
  std::string text = fmt::format("{}{} ({} of the range, in {})", motion.chaotic ? "chaotic: " : "",
                                 parting_text(motion), share_text(parted), worst->first);
  const auto rate = motion.exponent ? std::optional(motion.exponent->exponent) : motion.growth;
  if (motion.chaotic && rate) text += fmt::format("; separation grows e-fold per {}", duration_text(1 / *rate));
  if (motion.exponent)
    text += fmt::format("; Lyapunov exponent {:.3g} ± {:.2g} 1/s", motion.exponent->exponent, motion.exponent->error);
  if (!motion.no_exponent.empty()) text += "; no Lyapunov exponent: " + motion.no_exponent;
  if (!motion.chaotic) text += "; not chaotic: the difference does not grow exponentially";
  return text;
}

void judge_motion(const Model& model, double limit, const VerificationOptions& options, MotionAgreement& motion) {
  const SeparationCurve* worst = motion.worst();
  if (!worst) return;
  motion.growth = growth_rate(*worst);
  const bool moves = model.solver.analysis == Analysis::dynamic;
  if (moves && worst->largest > suspicious) find_exponent(model, limit, options, motion);
  if (moves && worst->parts_at) {
    const double span = (1 - left_out) * (model.solver.end - model.solver.start);
    motion.chaotic = motion.exponent ? motion.exponent->exponent * span > least_folds &&
                                           motion.exponent->exponent > errors_above_zero * motion.exponent->error
                                     : motion.growth.has_value();
  }
  motion.text = motion_text(motion);
}

// What all runs say, by answer.
std::vector<Readings> read_all(const std::vector<ModelAnswer>& answers, const std::vector<MadeRun>& runs) {
  std::vector<Readings> readings(answers.size());
  for (const MadeRun& run : runs) {
    if (!run.complete()) continue;
    const ContactMethod method = run.variant.model.solver.method;
    const std::vector<double> fine = read_answers(answers, run.recorded, run.recorded, method);
    const RecordedRun thinned = at_times_of(run.recorded, runs.front().recorded);
    const std::vector<double> coarse = read_answers(answers, run.recorded, thinned, method);
    for (std::size_t k = 0; k < answers.size(); ++k) {
      // Impulses of samples are those since the sample before: thinned out, some would be missing.
      const bool by_sample = answers[k].unit.starts_with("N s") && method == ContactMethod::nonsmooth;
      readings[k][static_cast<std::size_t>(run.facts.role)] = {fine[k], by_sample ? fine[k] : coarse[k]};
    }
  }
  return readings;
}

// The largest that the runs say, or that samples go through.
double size_of(const Readings& readings, double range) {
  double most = range;
  for (const AnswerReading& each : readings)
    if (std::isfinite(each.value)) most = std::max(most, std::abs(each.value));
  return most;
}

// What counts as a usual number of a unit: the largest of the answers in it, and what a run of this length lets a body
// of this size do.
std::map<std::string, double> usual_sizes(const std::vector<ModelAnswer>& answers,
                                          const std::vector<Readings>& readings, const std::vector<double>& ranges,
                                          const Model& model) {
  std::map<std::string, double> sizes;
  for (std::size_t k = 0; k < answers.size(); ++k) {
    double& largest = sizes[answers[k].unit];
    largest = std::max(largest, size_of(readings[k], ranges[k]));
  }
  const double span = model.solver.end - model.solver.start;
  sizes["rad"] = std::max(sizes["rad"], 1.0);
  sizes["rad/s"] = std::max(sizes["rad/s"], 1 / span);
  sizes["m/s"] = std::max(sizes["m/s"], sizes["m"] / span);
  return sizes;
}

bool is_of_a_state(const ModelAnswer& answer) {
  return answer.unit == "m" || answer.unit == "rad" || answer.unit == "m/s" || answer.unit == "rad/s";
}

// Usual answers that are zero in all runs, or rounding beside others of their unit, say nothing.
std::size_t drop_zeros(std::vector<ModelAnswer>& answers, std::vector<Readings>& readings, std::vector<double>& ranges,
                       const std::map<std::string, double>& sizes) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < answers.size(); ++k) {
    const double own = size_of(readings[k], ranges[k]), usual = sizes.at(answers[k].unit);
    const bool by_contact = answers[k].subject.starts_with("contact:") || answers[k].subject.starts_with("joint:");
    const double nothing = is_of_a_state(answers[k]) && !by_contact ? no_motion : rounding_beside;
    if (own == 0 || own < nothing * usual || !std::isfinite(of_role(readings[k], Role::model).value)) continue;
    if (kept < k) answers[kept] = std::move(answers[k]), readings[kept] = readings[k], ranges[kept] = ranges[k];
    ++kept;
  }
  const std::size_t dropped = answers.size() - kept;
  answers.resize(kept), readings.resize(kept), ranges.resize(kept);
  return dropped;
}

Statistic statistic_of(const std::string& name, const std::vector<double>& values) {
  double mean = 0, squares = 0;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) mean += value / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {name, mean, values.size() > 1 ? std::sqrt(squares / (count - 1)) : 0};
}

// Of the samples behind an answer over all runs of the method; of what has none, of the answer itself.
std::vector<Statistic> statistics_of(const ModelAnswer& answer, const std::vector<const MadeRun*>& runs) {
  std::vector<Statistic> list;
  const auto add = [&](const std::string& name, const ModelAnswer& reduced) {
    std::vector<double> values;
    for (const MadeRun* run : runs) {
      const double value =
          read_answers({reduced}, run->recorded, run->recorded, run->variant.model.solver.method).front();
      if (std::isfinite(value)) values.push_back(value);
    }
    if (!values.empty()) list.push_back(statistic_of(name, values));
  };
  const ContactMethod method = runs.front()->variant.model.solver.method;
  const AnswerSource& source = answer.source(method);
  if (source.kind != AnswerSource::Kind::samples || find_reduction(source.quantity.reduce)->unit != "*") {
    add("over the runs", answer);
    return list;
  }
  add("mean", reduced_by(answer, "mean"));
  add("rms", reduced_by(answer, "rms"));
  if (source.quantity.reduce == "peak")
    add(fmt::format("{:g} % below", percent_shown), reduced_by(answer, "percentile", percent_shown));
  return list;
}

Circumstances circumstances_of(const Model& model, const std::vector<MadeRun>& runs, const MotionAgreement& motion) {
  Circumstances all{.refinement = refinement_of(model), .method = model.solver.method, .chaotic = motion.chaotic};
  if (motion.chaotic) all.parting = parting_text(motion);
  for (const MadeRun& run : runs) {
    if (!run.complete()) continue;
    if (run.facts.role == Role::other_integrator) {
      const bool kinematic = model.solver.analysis == Analysis::kinematic;
      all.other_integrator = kinematic ? "the dynamic analysis" : run.facts.integrator;
    }
    if (run.facts.role != Role::other_method && run.facts.role != Role::other_method_finer) continue;
    all.other_method_ran = true;
    // The finer of the two comes last.
    all.other_method_poor = run.facts.relative_residual > poor_balance
                                ? fmt::format("its energy residual is {}", share_text(run.facts.relative_residual))
                                : "";
  }
  return all;
}

// Holding answers by their digits, then the others by what they depend on and how much.
bool more_trusted(const VerifiedAnswer& a, const VerifiedAnswer& b) {
  if (a.judgement.standing != b.judgement.standing) return a.judgement.standing < b.judgement.standing;
  if (a.judgement.digits != b.judgement.digits) return a.judgement.digits > b.judgement.digits;
  return false;
}

void judge_answers(const Model& model, const VerificationOptions& options, std::vector<ModelAnswer> answers,
                   const std::vector<MadeRun>& runs, Verification& verification) {
  std::vector<Readings> readings = read_all(answers, runs);
  std::vector<double> ranges = ranges_of(answers, runs.front().recorded, model.solver.method);
  const std::map<std::string, double> sizes = usual_sizes(answers, readings, ranges, model);
  if (!options.asked) verification.zeros = drop_zeros(answers, readings, ranges, sizes);
  const Circumstances circumstances = circumstances_of(model, runs, verification.motion);
  for (std::size_t k = 0; k < answers.size(); ++k) {
    const double least = options.asked ? 0 : no_motion * sizes.at(answers[k].unit);
    VerifiedAnswer verified{answers[k], readings[k], judge(answers[k], readings[k], ranges[k], least, circumstances)};
    if (verified.judgement.standing == Standing::chaotic)
      verified.judgement.statistics = statistics_of(answers[k], own_runs(runs));
    verified.judgement.text = verdict(answers[k], readings[k], verified.judgement, circumstances);
    verification.answers.push_back(std::move(verified));
  }
  std::stable_sort(verification.answers.begin(), verification.answers.end(), more_trusted);
}

}  // namespace

const std::string& name_of(VariantOutcome outcome) {
  static const std::vector<std::string> names = {"complete", "failed", "interrupted", "stopped", "impossible"};
  return names[static_cast<std::size_t>(outcome)];
}

const SeparationCurve* MotionAgreement::worst() const {
  const SeparationCurve* worst = nullptr;
  const auto parting = [](const SeparationCurve& curve) {
    return curve.parts_at.value_or(std::numeric_limits<double>::infinity());
  };
  for (const SeparationCurve& curve : curves) {
    if (!worst || std::pair(parting(curve), -curve.largest) < std::pair(parting(*worst), -worst->largest))
      worst = &curve;
  }
  return worst;
}

bool Verification::complete() const {
  return std::all_of(runs.begin(), runs.end(), [](const VerificationRun& run) {
    return run.outcome == VariantOutcome::complete || run.outcome == VariantOutcome::impossible;
  });
}

std::vector<const VerifiedAnswer*> Verification::below(int digits) const {
  std::vector<const VerifiedAnswer*> list;
  for (const VerifiedAnswer& each : answers)
    if (each.judgement.digits < digits) list.push_back(&each);
  return list;
}

Verification verify(const Model& model, const VerificationOptions& options) {
  if (model.solver.analysis == Analysis::linear)
    refuse("solver.analysis", "linear, which has neither steps nor a tolerance to vary", "dynamic, kinematic or static",
           "verify the motion or the equilibrium about which it is linearised");
  std::vector<ModelAnswer> answers = options.asked ? asked_answers(model, *options.asked) : usual_answers(model);
  VariantRuns workshop(options, answers, followed_columns(names_in(model)));
  std::vector<MadeRun> runs;
  runs.push_back(workshop.make_own(as_it_stands(model)));
  Verification verification{.model = model.name,
                            .file = model.file,
                            .analysis = carom::name_of(model.solver.analysis),
                            .method = carom::name_of(model.solver.method),
                            .start = model.solver.start,
                            .end = model.solver.end,
                            .refinement = refinement_of(model)};
  if (runs.front().complete()) {
    std::vector<MadeRun> others = workshop.make(variants_of(model, runs.front().summary));
    std::move(others.begin(), others.end(), std::back_inserter(runs));
    compare_motions(runs, verification.motion);
    judge_motion(model, workshop.limit(), options, verification.motion);
    judge_answers(model, options, std::move(answers), runs, verification);
  }
  for (const MadeRun& run : runs) verification.runs.push_back(run.facts);
  return verification;
}

std::vector<const VerifiedAnswer*> table_rows(const Verification& verification) {
  // Of the parts of an answer the least trusted stands for all: it comes last.
  std::vector<const VerifiedAnswer*> rows;
  std::set<std::string> taken;
  for (auto each = verification.answers.rbegin(); each != verification.answers.rend(); ++each)
    if (taken.insert(each->answer.title()).second) rows.push_back(&*each);
  std::reverse(rows.begin(), rows.end());
  return rows;
}

}  // namespace carom::inline verification
