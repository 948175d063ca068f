#include "simulation/trajectory.h"

#include <algorithm>
#include <cmath>

#include "base/problem.h"
#include "simulation/start.h"

namespace carom {
namespace {

constexpr int halvings = 26;  // of a step, to find an impact in it

}  // namespace

KinkList::KinkList(const Model& model, double start, double end)
    : functions_(time_functions(model)), kinks_(find_kinks(functions_, start, end)) {}

double KinkList::limit(double until) const {
  return passed_ == kinks_.size() ? until : std::min(until, kinks_[passed_].before);
}

bool KinkList::pass(System& system, State& state) {
  if (passed_ == kinks_.size() || state.t < kinks_[passed_].before) return false;
  const Kink& kink = kinks_[passed_++];
  state.t = kink.after;
  if (std::any_of(kink.functions.begin(), kink.functions.end(),
                  [&](int k) { return functions_[static_cast<std::size_t>(k)].motion >= 0; }))
    system.project_velocity(state.t, state.q.data(), state.v.data());
  return true;
}

Trajectory::Trajectory(const Model& model, double piece, double end, const std::atomic<bool>* interrupted)
    : model_(model),
      system_(System::create(model_)),
      kinks_(model_, model_.solver.start, end),
      interrupted_(interrupted) {
  State state;
  assemble_start(*system_, model_, state);
  SolverSettings& settings = model_.solver;
  if (settings.method == "nonsmooth") {
    settings.step = fitting_step(settings, piece);
    auto integrator = make_nonsmooth_integrator(*system_, settings);
    nonsmooth_ = integrator.get();
    integrator_ = std::move(integrator);
  } else {
    integrator_ = make_integrator(*system_, settings);
    if (system_->contacts()) stepper_.emplace(*system_, settings);
  }
  if (stepper_) refuse_overlaps(model_, stepper_->start(state));
  if (nonsmooth_) refuse_overlaps(model_, nonsmooth_->initial_overlaps(state, settings.penetration_tolerance));
  integrator_->start(state);
}

void Trajectory::go_on(double until) {
  while (state().t < until) {
    if (interrupted_ && interrupted_->load()) throw Interrupted{};
    const double limit = kinks_.limit(until);
    const StepOutcome outcome = stepper_ ? stepper_->advance(
                                               *integrator_, limit, [](Integrator&, double) {}, events_)
                                : nonsmooth_ ? step_to_impact(limit)
                                             : integrator_->step(limit);
    events_.clear();
    if (!outcome.accepted()) throw ComputationError(outcome.reason);
    if (State passed = state(); kinks_.pass(*system_, passed)) integrator_->start(passed);
  }
}

// Where there is an impact in a step, one up to it and a very short one over it: the speeds of approach are then those
// of the touch, and not those of the begin of the step.
StepOutcome Trajectory::step_to_impact(double limit) {
  const State begin = state();
  const auto take = [&](double until) {
    nonsmooth_->impacts().clear();
    return nonsmooth_->step(until);
  };
  StepOutcome outcome = take(limit);
  if (!outcome.accepted() || nonsmooth_->impacts().empty()) return outcome;
  double before = begin.t, after = state().t;
  for (int k = 0; k < halvings; ++k) {
    const double middle = 0.5 * (before + after);
    if (!(middle > before && middle < after)) break;
    nonsmooth_->start(begin);
    outcome = take(middle);
    if (!outcome.accepted()) return outcome;
    (nonsmooth_->impacts().empty() ? before : after) = middle;
  }
  nonsmooth_->start(begin);
  if (before > begin.t) outcome = take(before);
  return outcome.accepted() ? take(after) : outcome;
}

bool Trajectory::touches() const {
  const ContactPoints* contacts = stepper_ ? system_->contacts() : nullptr;
  for (int k = 0; contacts && k < contacts->contact_points(); ++k)
    if (contacts->touches(k)) return true;
  return false;
}

void Trajectory::restart() {
  const State state = integrator_->state();
  integrator_->start(state);
  if (stepper_) stepper_->go_on_from(state);
}

void Trajectory::restart_beside(const Trajectory& other, State state, double share) {
  const auto memory = system_->memory_size();
  const Eigen::VectorXd bristles = other.state().work.tail(memory) +
                                   share * (integrator_->state().work.tail(memory) - other.state().work.tail(memory));
  if (stepper_) {
    ContactPoints& contacts = *system_->contacts();
    const ContactPoints& others = *other.system_->contacts();
    for (int k = 0; k < contacts.contact_points(); ++k) {
      if (!others.touches(k)) {
        if (contacts.touches(k)) contacts.end_contact(k, state, {});
        continue;
      }
      const ContactEpisode& episode = others.contact_episode(k);
      contacts.begin_contact(k, state, {.penetration = episode.largest_penetration, .rate = episode.impact_speed});
    }
  }
  state.work.tail(memory) = bristles;
  integrator_->start(state);
  if (stepper_) stepper_->go_on_from(state);
}

}  // namespace carom
