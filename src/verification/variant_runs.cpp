#include "verification/variant_runs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <thread>

#include <fmt/format.h>

#include "base/interruption.h"
#include "base/problem.h"
#include "verification/deadline.h"
#include "verification/other_start.h"

namespace carom::inline verification {
namespace {

constexpr std::size_t usual_runs = 6;  // until it is known how many there are

VerificationRun facts_of(const ModelVariant& variant) {
  return {.role = variant.role, .name = variant.name, .change = variant.change, .integrator = {}};
}

std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void take_summary(const RunSummary& summary, double limit, bool stopped, VerificationRun& facts) {
  facts.integrator = summary.integrator;
  facts.t = summary.t;
  facts.steps = summary.statistics.steps;
  facts.samples = summary.samples;
  facts.wall_seconds = summary.wall_seconds;
  if (summary.energy.largest > 0) facts.relative_residual = summary.energy.largest_residual / summary.energy.largest;
  facts.reason = one_line(summary.reason);
  if (summary.status == RunStatus::complete) {
    facts.outcome = VariantOutcome::complete;
  } else if (summary.status == RunStatus::failed) {
    facts.outcome = VariantOutcome::failed;
  } else if (stopped) {
    facts.outcome = VariantOutcome::stopped;
    facts.reason = fmt::format(
        "at t = {:.4g} s, after {:.3g} s: too slow beside the model's own run; --patience lets "
        "it go on",
        summary.t, limit);
  } else {
    facts.outcome = VariantOutcome::interrupted;
    facts.reason = fmt::format("at t = {:.4g} s", summary.t);
  }
}

}  // namespace

VariantRuns::VariantRuns(const VerificationOptions& options, std::vector<ModelAnswer> answers,
                         std::vector<std::string> followed)
    : options_(options),
      answers_(std::move(answers)),
      followed_(std::move(followed)),
      limit_(std::numeric_limits<double>::infinity()) {}

MadeRun VariantRuns::make_own(const ModelVariant& variant) {
  shares_.assign(usual_runs, 0);
  MadeRun made = run_one(variant, 0);
  if (made.facts.outcome == VariantOutcome::failed)
    throw ComputationError(
        fmt::format("the run of the model itself fails at t = {:g} s: {}", made.facts.t, made.facts.reason));
  limit_ = std::max(least_patience, options_.patience * made.facts.wall_seconds);
  return made;
}

std::vector<MadeRun> VariantRuns::make(const std::vector<ModelVariant>& variants) {
  shares_.assign(variants.size() + 1, 0);
  shares_.front() = 1;
  std::vector<MadeRun> made(variants.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t index = next++; index < variants.size(); index = next++)
      made[index] = run_one(variants[index], index + 1);
  };
  const std::size_t cores = options_.threads > 0 ? options_.threads : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::jthread> threads;
  for (std::size_t k = 0; k < std::min(cores, variants.size()); ++k) threads.emplace_back(work);
  threads.clear();
  return made;
}

void VariantRuns::report(std::size_t index, double share) {
  const std::lock_guard lock(mutex_);
  shares_.at(index) = share;
  if (!options_.progress) return;
  double sum = 0;
  for (const double each : shares_) sum += each;
  options_.progress({.share = sum / static_cast<double>(shares_.size()),
                     .runs = shares_.size(),
                     .done = static_cast<std::size_t>(std::count(shares_.begin(), shares_.end(), 1.0))});
}

MadeRun VariantRuns::run_one(const ModelVariant& variant, std::size_t index) {
  MadeRun made{.facts = facts_of(variant), .variant = variant};
  if (!variant.impossible.empty()) {
    made.facts.outcome = VariantOutcome::impossible;
    made.facts.reason = variant.impossible;
    report(index, 1);
    return made;
  }
  if (options_.interrupted && *options_.interrupted) {
    interruption_noticed() = true;
    made.facts.reason = "before it began";
    return made;
  }
  const Deadline deadline(limit_, options_.interrupted);
  const auto watch = [&](const Progress& now) {
    const double span = now.end - now.start;
    report(index, span > 0 ? std::clamp((now.t - now.start) / span, 0.0, 0.999) : 0);
  };
  try {
    Model model = variant.model;
    model.output.record = needed_columns(answers_, model.solver.method);
    model.output.record.insert(model.output.record.end(), followed_.begin(), followed_.end());
    made.summary =
        variant.role == Role::other_start
            ? equilibrium_from_beside(model, made.recorded)
            : run(model, {.output = {}, .memory = &made.recorded, .progress = watch, .interrupted = deadline.flag()});
    take_summary(made.summary, limit_, deadline.too_long(), made.facts);
    // Where patience has ended, and not that of the user, a later Ctrl-C is still to be noticed.
    if (made.facts.outcome == VariantOutcome::stopped) interruption_noticed() = false;
  } catch (const InputError& error) {
    if (index == 0) throw;
    made.facts.outcome = VariantOutcome::impossible;
    made.facts.reason = one_line(error.problems().text());
  } catch (const ComputationError& error) {
    made.facts.outcome = VariantOutcome::failed;
    made.facts.reason = error.what();
  } catch (const std::bad_alloc&) {
    made.facts.outcome = VariantOutcome::failed;
    made.facts.reason = "not enough memory";
  }
  report(index, 1);
  return made;
}

}  // namespace carom::inline verification
