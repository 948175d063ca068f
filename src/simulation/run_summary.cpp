#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/part_fault.h"
#include "recording/result_reader.h"
#include "simulation/run_in_progress.h"

// What a run reports when it is over, and why it is.
namespace carom::inline simulation {
namespace {

// Above this part of the largest energy a residual is worth a word.
constexpr double noticeable_residual = 1e-3;

constexpr std::size_t most_listed_works = 200;  // elements whose work the summary lists

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

void RunInProgress::fail(const std::string& given) {
  const std::string reason = with_part_fault(given);
  summary_.status = RunStatus::failed;
  summary_.reason = reason;
  // A law that ceases to be finite is the commonest cause and easily named.
  const double shortest = 1e-6 * (model_.solver.end - model_.solver.start);
  const std::string laws = not_finite_text(functions_, state_.t, std::min(model_.solver.end, state_.t + shortest));
  if (!laws.empty()) summary_.reason += ". Cause: " + laws;
  drop_part_fault();
}

// One rule for both methods; what may be done about it differs.
void RunInProgress::check_energy() {
  if (model_.solver.analysis != Analysis::dynamic) return;
  const double residual = recorder_->largest_residual(), largest = recorder_->largest_energy();
  if (std::isinf(residual)) {
    return warn(
        "energies are not finite, and numbers of the result are none: check the exponents and units of masses, "
        "forces, velocities and gravity");
  }
  // Rounding of a large potential may exceed any part of a motion that hardly is one.
  if (residual <= std::max(noticeable_residual * largest, recorder_->energy_rounding())) return;
  warn(fmt::format("the energy balance is off by {:.1e} of the largest energy: {}",
                   largest > 0 ? residual / largest : 1.0, energy_remedy()));
}

std::string RunInProgress::energy_remedy() const {
  const SolverSettings& solver = model_.solver;
  if (solver.method == ContactMethod::nonsmooth) {
    std::string text = fmt::format(
        "its error is of first order in the step ({:.3g} s): halve the step until what you look at no longer changes",
        summary_.statistics.largest_step);
    if (summary_.hardest && summary_.hardest->duration > summary_.statistics.largest_step)
      text += fmt::format("; impacts in {} last longer than a step, the compliant method would follow them",
                          summary_.hardest->contact);
    return text;
  }
  if (solver.constraints == ConstraintTreatment::baumgarte)
    return "constraints = \"baumgarte\" lets the constraints drift; \"projection\" keeps them";
  if (solver.integrator == "generalized-alpha")
    return fmt::format(
        "numerical damping (rho_infinity = {:g}) takes energy out of fast vibrations; a smaller {} or rho_infinity = 1 "
        "leaves it in{}",
        solver.rho_infinity, solver.step > 0 ? "step" : fmt::format("tolerance ({:g})", solver.tolerance),
        contact_suspect(summary_.contacts));
  return fmt::format(
      "a smaller tolerance ({:g}) helps, unless a law or force has jumps that are not written as t < … or step(), or "
      "the mechanism passes a singular position{}",
      solver.tolerance, contact_suspect(summary_.contacts));
}

// Contacts that were to begin within the tolerance and did not. Without control, or by interpolation, that is what was
// asked for.
void RunInProgress::check_depths() {
  const SolverSettings& solver = model_.solver;
  const ContactStatistics& contacts = summary_.contacts;
  if (contacts.too_deep == 0 || (solver.penetration_control != PenetrationControl::reject &&
                                 solver.penetration_control != PenetrationControl::locate))
    return;
  std::string remedy = "penetration_control = \"locate\" finds their instants";
  if (solver.penetration_control == PenetrationControl::locate) {
    remedy = "give a max_step that is short against the way between them";
  } else if (solver.smallest_step > 0) {
    remedy = fmt::format("smallest_step = {:g} s is too long for their speeds: leave it out; or {}",
                         solver.smallest_step, remedy);
  }
  warn(
      fmt::format("{} contact{} began deeper than penetration_tolerance = {:g} m, {} by {:.3g} m, and got energy for "
                  "nothing; {}",
                  contacts.too_deep, contacts.too_deep == 1 ? "" : "s", solver.penetration_tolerance,
                  contacts.deepest_beginning_contact, contacts.deepest_beginning, remedy));
}

// A search that came to no end in time.
void RunInProgress::check_searches() {
  const ContactStatistics& contacts = summary_.contacts;
  if (!(contacts.coarsest_search > 0)) return;
  warn(fmt::format(
      "the search for contacts of {} inside a step became so long that overlaps below {:.3g} m were no longer looked "
      "for (penetration_tolerance = {:g} m); give a max_step in which its bodies turn and move less, or a larger "
      "penetration_tolerance",
      contacts.coarsest_searched, contacts.coarsest_search, model_.solver.penetration_tolerance));
}

void RunInProgress::summarise() {
  summary_.t = state_.t;
  summary_.samples = recorder_->samples();
  summary_.energy.at_end = recorder_->ledger();
  summary_.energy.largest_residual = recorder_->largest_residual();
  summary_.energy.largest = recorder_->largest_energy();
  summary_.energy.rounding = recorder_->energy_rounding();
  summary_.drift.position = std::max(summary_.drift.position, summary_.statistics.largest_position_drift);
  summary_.drift.velocity = std::max(summary_.drift.velocity, summary_.statistics.largest_velocity_drift);
  list_works();
}

// In the order of the model. Nobody reads through the lines of a heap, and readers of the statistics would take a time
// that grows with their square.
void RunInProgress::list_works() {
  const auto names = system_->work_names();
  const auto work = [&](std::size_t k) {
    return now_.state.work.size() > 0 ? now_.state.work[static_cast<Eigen::Index>(k)] : 0.0;
  };
  std::vector<std::size_t> listed(names.size());
  std::iota(listed.begin(), listed.end(), std::size_t{0});
  EnergySummary& energy = summary_.energy;
  energy.works.clear();
  energy.others = 0, energy.work_of_others = 0;
  if (listed.size() > most_listed_works) {
    const auto last = listed.begin() + most_listed_works;
    std::stable_sort(listed.begin(), listed.end(),
                     [&](std::size_t a, std::size_t b) { return std::abs(work(a)) > std::abs(work(b)); });
    energy.others = listed.end() - last;
    for (auto each = last; each != listed.end(); ++each) energy.work_of_others += work(*each);
    listed.erase(last, listed.end());
    std::sort(listed.begin(), listed.end());
  }
  for (const std::size_t k : listed) energy.works.emplace_back(names[k], work(k));
}

void RunInProgress::finish() {
  summarise();
  const std::string status = summary_.status == RunStatus::complete      ? "complete"
                             : summary_.status == RunStatus::interrupted ? "interrupted"
                                                                         : "failed: " + summary_.reason;
  const std::string failure = recorder_->finish(to_json(summary_), status);
  if (!failure.empty())
    warn(fmt::format("the result is whole but not compressed: {}; make room, or run without output.compress", failure));
  report_place();
}

// What a run that was stopped by its result file has left there; an older one may still have the name.
long RunInProgress::samples_on_disk() const {
  if (!recorder_->is_in_place()) return 0;
  try {
    return static_cast<long>(ResultReader(*options_.output).sample_count());
  } catch (const ResultError&) {
    return 0;
  }
}

}  // namespace carom::inline simulation
