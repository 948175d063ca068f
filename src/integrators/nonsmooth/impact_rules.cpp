#include "integrators/nonsmooth/impact_rules.h"

#include <algorithm>
#include <cmath>

namespace carom::inline nonsmooth_integrators {
namespace {

constexpr double noticed_approach = 1e-6;  // of the fastest in the group
constexpr std::size_t least_problems = 200, problems_per_contact = 20;
// Of the squared coupling of two contacts of one body, 1/(1 + m/M)² with neighbours of mass M: lighter is squeezed.
constexpr double squeezing = 0.8;
constexpr std::size_t most_contact_rows = 6;  // of a contact

}  // namespace

template <int D>
int ImpactRules<D>::most_problems(std::size_t contacts) {
  return static_cast<int>(std::max(least_problems, problems_per_contact * contacts));
}

template <int D>
double ImpactRules<D>::approach_tolerance(double fastest, double least) {
  return std::max(noticed_approach * fastest, least);
}

template <int D>
bool ImpactRules<D>::all_at_once(std::span<const int> group) const {
  return !context_.sequential ||
         std::none_of(group.begin(), group.end(), [&](int c) { return law(c).restitution > 0; });
}

template <int D>
void ImpactRules<D>::start(const JumpDynamics<D>& dynamics, const CorrectedState<D>& corrected) {
  const std::size_t count = corrected.closed.size();
  measured_ = false;
  laws_.resize(count);
  slips_return_ = false;
  for (std::size_t c = 0; c < count; ++c) {
    laws_[c] = corrected.closed[c].law;
    slips_return_ = slips_return_ || law(static_cast<int>(c)).tangential_restitution != 0;
  }
  approach_.assign(count, 0.0);
  lasting_.assign(count, false);
  backing_.assign(count, -1);
  squeeze_.assign(count, 0.0);
  changed_.resize(most_contact_rows);
  entry_.resize(dynamics.row_count()), smooth_.resize(dynamics.row_count());
}

template <int D>
void ImpactRules<D>::finish() {
  if (measured_) return;
  std::fill(entry_.begin(), entry_.end(), 0.0);
  std::fill(smooth_.begin(), smooth_.end(), 0.0);
}

template <int D>
void ImpactRules<D>::measure(JumpDynamics<D>& dynamics, const StepStart<D>& start, const SmoothState<D>& smooth,
                             const CorrectedState<D>& corrected) {
  if (measured_) return;
  measured_ = true;
  const std::size_t count = corrected.closed.size();
  // A contact that lasts and bounces has its speed before the step with the geometry it had there. One that was open
  // may have had its normal anywhere.
  const long last = context_.contacts.nonsmooth_step();
  before_.clear();
  for (std::size_t c = 0; c < count; ++c) {
    const NonsmoothContact<D>& contact = corrected.closed[c];
    const NonsmoothLaw& own = context_.contacts.nonsmooth_law(contact.law);
    if ((own.restitution > 0 || own.tangential_restitution != 0) && !is_held(smooth, contact.point) &&
        context_.contacts.nonsmooth_memory(contact.point).step == last)
      before_.push_back(contact);
  }
  context_.contacts.update_nonsmooth(start.bodies, before_);
  dynamics.velocities(corrected.v, smooth_);
  measure_entry(dynamics, corrected);
  if (before_.empty() && smooth.persistent.empty()) return;
  std::size_t next = 0;
  for (int c = 0; c < static_cast<int>(count); ++c) {
    const int first = dynamics.first_row(c);
    // What stayed closed in the smooth motion comes to the jump as that has left it.
    if (is_held(smooth, corrected.closed[c].point))
      std::copy_n(smooth_.data() + first, dynamics.row_count(c), entry_.data() + first);
    if (next == before_.size() || before_[next].point != corrected.closed[c].point) continue;
    const NonsmoothContact<D>& was = before_[next++];
    if (!std::isfinite(was.gap)) continue;
    lasting_[c] = true;
    const VectorOf<D> relative =
        start.bodies[was.b].velocity_at(was.lever_b) - start.bodies[was.a].velocity_at(was.lever_a);
    entry_[first] = was.normal.dot(relative);
    if (law(c).friction > 0) {
      for (int k = 1; k < D; ++k) entry_[first + k] = dynamics.tangent(c, k).dot(relative);
    }
  }
}

// Speeds before the step, with the geometry of the end; of contacts without work of loads and without restitution of
// the slip those along the normal are enough.
template <int D>
void ImpactRules<D>::measure_entry(JumpDynamics<D>& dynamics, const CorrectedState<D>& corrected) {
  if (context_.driven || slips_return_) return dynamics.velocities(corrected.start_v, entry_);
  normals_.resize(laws_.size());
  dynamics.normal_velocities(corrected.start_v, normals_);
  for (int c = 0; c < static_cast<int>(laws_.size()); ++c) entry_[dynamics.first_row(c)] = normals_[c];
}

template <int D>
void ImpactRules<D>::choose(const JumpDynamics<D>& dynamics, int group, double tolerance, bool all,
                            JumpProblem& problem) {
  problem.chosen.clear();
  for (const int c : dynamics.group(group)) {
    if (all || problem.local[dynamics.first_row(c)] < -tolerance) problem.chosen.push_back(c);
  }
  if (!problem.all_at_once) add_squeezed(dynamics, group, problem);
}

// Finds the second contacts of squeezed bodies, and adds those that do not approach to the chosen ones.
template <int D>
void ImpactRules<D>::add_squeezed(const JumpDynamics<D>& dynamics, int group, JumpProblem& problem) {
  const auto normal = [&](int c) { return problem.local[dynamics.first_row(c)]; };
  const std::size_t approaching = problem.chosen.size();
  for (std::size_t k = 0; k < approaching; ++k) {
    const int c = problem.chosen[k];
    const double own = normal(c);
    double closest = squeezing;
    for (const int other : dynamics.neighbours(group, c)) {
      if (other == c || own + normal(other) >= 0) continue;
      const double coupling = dynamics.coupling(c, other);
      if (coupling < closest) continue;
      closest = coupling;
      backing_[c] = other;
    }
    if (closest == squeezing) continue;
    const int other = backing_[c];
    const double speed = -own - normal(other);
    backing_[other] = c;
    squeeze_[c] = std::max(squeeze_[c], speed), squeeze_[other] = std::max(squeeze_[other], speed);
    if (std::find(problem.chosen.begin(), problem.chosen.end(), other) == problem.chosen.end())
      problem.chosen.push_back(other);
  }
}

// Restitution of the slip. A contact that closes in this step has the slip after the smooth motion, which goes with the
// geometry of the end; one that was closed, that before the step, unless the loads have slowed it down: what they do in
// a step does not come back.
template <int D>
void ImpactRules<D>::set_slip_targets(const JumpProblem& problem, int contact, int first, double* target) const {
  double before = 0, now = 0;
  for (int k = 1; k < D; ++k) {
    before += std::pow(entry_[first + k] + changed_[k], 2);
    now += std::pow(problem.local[first + k], 2);
  }
  const bool of_start = lasting_[contact] && before < now;
  for (int k = 1; k < D; ++k) {
    target[k] =
        law(contact).tangential_restitution * (of_start ? entry_[first + k] + changed_[k] : problem.local[first + k]);
  }
}

// Poisson's and energetic restitution follow an impact. What the loads of a step press together is none.
template <int D>
bool ImpactRules<D>::follows(const JumpDynamics<D>& dynamics, const JumpProblem& problem, int contact,
                             double approach) const {
  const NonsmoothLaw& own = law(contact);
  return own.restitution_law != RestitutionLaw::newton && own.friction > 0 && backing_[contact] < 0 &&
         dynamics.row_count(contact) == D && problem.local[dynamics.first_row(contact)] < 0 &&
         -approach > 2 * by_load(dynamics, contact) + problem.negligible;
}

template <int D>
void ImpactRules<D>::follow(const JumpDynamics<D>& dynamics, int contact, double approach, JumpProblem& problem) {
  const NonsmoothLaw& own = law(contact);
  const int first = dynamics.first_row(contact);
  OnePointImpact<D> impact;
  impact.delassus = dynamics.delassus(contact);
  for (int k = 0; k < D; ++k) impact.before[k] = problem.local[first + k];
  impact.friction = own.friction;
  impact.restitution = own.restitution * std::min(1.0, approach / impact.before[0]);
  impact.end = own.restitution_law == RestitutionLaw::poisson ? ImpactEnd::poisson : ImpactEnd::energetic;
  const OnePointOutcome<D> outcome = follow_impact(impact);
  problem.target[first] = -std::max(0.0, outcome.after[0]);
  if (problem.chosen.size() > 1) return;
  problem.followed = true;
  problem.impulses.assign(outcome.impulse.data(), outcome.impulse.data() + D);
  const bool sticks = outcome.regime_count > 0 && outcome.regimes[outcome.regime_count - 1] == ImpactRegime::stick;
  problem.status = sticks ? ContactStatus::stick : ContactStatus::slip;
}

template <int D>
void ImpactRules<D>::set_targets(const JumpDynamics<D>& dynamics, const Eigen::VectorXd* jump, bool plastic,
                                 JumpProblem& problem) {
  problem.followed = false;
  if (!jump) std::fill(changed_.begin(), changed_.end(), 0.0);
  for (const int c : problem.chosen) {
    const int first = dynamics.first_row(c);
    const NonsmoothLaw& own = law(c);
    double* target = problem.target.data() + first;
    std::fill_n(target, dynamics.row_count(c), 0.0);
    if (jump) dynamics.velocity(c, *jump, changed_.data());
    approach_[c] = std::max(approach_[c], -(entry_[first] + changed_[0]));
    const bool returns = own.restitution > 0 || own.tangential_restitution != 0;
    if (plastic || (!returns && own.restitution_law == RestitutionLaw::newton)) continue;
    // What elastic bodies have slowed down during the step does not come back: energy would grow.
    double approach = std::max(entry_[first] + changed_[0], problem.local[first]);
    if (backing_[c] >= 0 && problem.local[first] < 0)
      approach += std::max(0.0, problem.local[dynamics.first_row(backing_[c])]);
    target[0] = own.restitution * std::min(0.0, approach);
    if (follows(dynamics, problem, c, approach)) follow(dynamics, c, approach, problem);
    if (own.friction > 0 && own.tangential_restitution != 0) set_slip_targets(problem, c, first, target);
  }
}

template <int D>
double ImpactRules<D>::by_load(const JumpDynamics<D>& dynamics, int contact) const {
  const auto change = [&](int c) {
    const int row = dynamics.first_row(c);
    return std::abs(smooth_[row] - entry_[row]);
  };
  return change(contact) + (backing_[contact] >= 0 ? change(backing_[contact]) : 0);
}

template class ImpactRules<2>;
template class ImpactRules<3>;

}  // namespace carom::inline nonsmooth_integrators
