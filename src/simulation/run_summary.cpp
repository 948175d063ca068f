#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "recording/result_reader.h"
#include "simulation/run_in_progress.h"

// What a run tells when it is over, and why it is.
namespace carom {
namespace {

// Above this part of the largest energy a residual is worth a word.
constexpr double noticeable_residual = 1e-6;

// A contact that began too deep has got energy for nothing.
std::string contact_suspect(const ContactStatistics& contacts) {
  if (contacts.too_deep == 0) {
    if (contacts.strongest_contact.empty()) return "";
    return "; the largest contact force acted in " + contacts.strongest_contact;
  }
  return fmt::format("; {} contact{} began deeper than penetration_tolerance, {} by {:.3g} m", contacts.too_deep,
                     contacts.too_deep == 1 ? "" : "s", contacts.deepest_beginning_contact, contacts.deepest_beginning);
}

}  // namespace

void RunInProgress::warn(const std::vector<std::string>& warnings) {
  summary_.warnings.insert(summary_.warnings.end(), warnings.begin(), warnings.end());
}

void RunInProgress::fail(const std::string& reason) {
  summary_.status = RunStatus::failed;
  summary_.reason = reason;
  // A law that ceases to be finite is the commonest cause and easily named.
  const double shortest = 1e-6 * (model_.solver.end - model_.solver.start);
  const std::string laws = not_finite_text(functions_, state_.t, std::min(model_.solver.end, state_.t + shortest));
  if (!laws.empty()) summary_.reason += ". Cause: " + laws;
}

void RunInProgress::check_energy() {
  if (model_.solver.analysis != "dynamic" || model_.solver.constraints != "projection") return;
  if (model_.solver.method == "nonsmooth") return;  // of first order in the step; the summary tells it
  const double residual = recorder_->largest_residual(), largest = recorder_->largest_energy();
  // Rounding of a large potential may exceed any part of a motion that hardly is one.
  const double rounding = 1e-12 * std::max(std::abs(recorder_->ledger().potential), largest);
  if (residual <= std::max(noticeable_residual * largest, rounding)) return;
  const bool damped = model_.solver.integrator == "generalized-alpha";
  warn(
      fmt::format("the energy balance is off by {:.1e} of the largest energy: {}a tolerance ({:g}) or step that is "
                  "too coarse, a law or force with jumps "
                  "that are not written as t < … or step(), or a singular position on the way{}",
                  largest > 0 ? residual / largest : 1.0,
                  damped ? fmt::format("numerical damping (rho_infinity = {:g}), ", model_.solver.rho_infinity) : "",
                  model_.solver.tolerance, contact_suspect(summary_.contacts)));
}

void RunInProgress::summarise() {
  summary_.t = state_.t;
  summary_.samples = recorder_->samples();
  summary_.energy = recorder_->ledger();
  summary_.largest_residual = recorder_->largest_residual();
  summary_.largest_energy = recorder_->largest_energy();
  summary_.position_drift = std::max(summary_.position_drift, summary_.statistics.largest_position_drift);
  summary_.velocity_drift = std::max(summary_.velocity_drift, summary_.statistics.largest_velocity_drift);
  const auto names = system_->work_names();
  summary_.works.clear();
  for (std::size_t k = 0; k < names.size(); ++k)
    summary_.works.emplace_back(names[k],
                                projected_.work.size() > 0 ? projected_.work[static_cast<Eigen::Index>(k)] : 0);
}

void RunInProgress::finish() {
  summarise();
  const std::string status = summary_.status == RunStatus::complete      ? "complete"
                             : summary_.status == RunStatus::interrupted ? "interrupted"
                                                                         : "failed: " + summary_.reason;
  recorder_->finish(to_json(summary_), status);
}

// What a run that was stopped by its result file has left there.
long RunInProgress::samples_on_disk() const {
  try {
    return static_cast<long>(ResultReader(*options_.output).sample_count());
  } catch (const ResultError&) {
    return 0;
  }
}

}  // namespace carom
