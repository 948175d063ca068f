#include "integrators/nonsmooth/nonsmooth_integrator.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "integrators/nonsmooth/nonsmooth_step.h"
#include "integrators/smooth/step_control.h"

namespace carom::inline nonsmooth_integrators {
namespace {

constexpr int max_halvings = 8;
constexpr int calm_steps = 4;       // that succeed, before one twice as long is tried
constexpr int most_for_sides = 16;  // the same, of steps in which bodies are pushed through each other

template <int D>
class NonsmoothOf final : public NonsmoothIntegrator {
 public:
  NonsmoothOf(BodySystem<D>& system, const SolverSettings& settings)
      : system_(system), length_(settings.step), step_(system, settings, statistics_, contact_statistics_) {}

  void start(const State& state) override {
    ++statistics_.restarts;
    state_ = previous_ = state;
    grid_begin_ = grid_end_ = state.t;
    grid_steps_ = 0;
    started_ = step_.start(state);
  }

  void change_internal(const State& state) override {
    state_ = state;
    if (started_) started_ = step_.change_internal(state);
  }

  StepOutcome step(double t_limit) override {
    if (!started_) return {StepStatus::failed, step_.failure()};
    if (!(t_limit > state_.t)) return {};
    // A step that was cut is completed before the next one, so that steps stay on their grid.
    // Limits that are summed up elsewhere miss the grid by their rounding: what is left of a step then is none.
    if (!(grid_end_ > state_.t + std::max(smallest_step(state_.t, t_limit), 1e-6 * length_)))
      grid_end_ = grid_begin_ + static_cast<double>(++grid_steps_) * length_;
    double h = std::min(trial_, grid_end_ - state_.t);
    const long rejected = statistics_.rejected;
    for (int halvings = 0;; ++halvings, h *= 0.5) {
      const Landing landing = land(state_.t, h, t_limit, true);
      const double whole =
          std::abs(state_.t + landing.h - grid_end_) < 1e-9 * length_ ? grid_end_ : state_.t + landing.h;
      const double t_end = landing.on_limit ? t_limit : whole;
      const bool shortest = 0.5 * h < smallest_step(state_.t, t_limit) || halvings == most_for_sides;
      const bool last = shortest || halvings >= max_halvings;
      if (step_.advance(t_end, last, shortest)) break;
      ++statistics_.rejected;
      ++contact_statistics_.halved_steps;
      if (last && !step_.passes_through()) return failure(h);
    }
    choose_trial(h, statistics_.rejected > rejected);
    std::swap(previous_, state_);
    step_.commit(events_);
    const AlphaPoint& now = step_.begin();
    count_step(now.t - previous_.t);
    state_.t = now.t;
    state_.q = now.q, state_.v = now.v, state_.work = now.work, state_.internal = now.internal;
    remark_on_speed();
    remark_on_reduction();
    remark_on_solver();
    remark_on_torques();
    remark_on_passages();
    remark_on_left();
    return {};
  }

  const State& state() const override { return state_; }
  double step_begin() const override { return previous_.t; }

  // Straight between the ends of the step: inside it nothing more is known.
  void interpolate(double t, State& out) override {
    if (t >= state_.t || !(state_.t > previous_.t)) {
      out = state_;
      return;
    }
    const double part = (t - previous_.t) / (state_.t - previous_.t);
    out.t = t;
    out.q.resize(state_.q.size());
    increment_.resize(state_.v.size());
    system_.increment(previous_.q.data(), state_.q.data(), increment_.data());
    increment_ *= part;
    system_.retract(previous_.q.data(), increment_.data(), out.q.data());
    out.v = previous_.v + part * (state_.v - previous_.v);
    out.work = previous_.work + part * (state_.work - previous_.work);
    out.internal = previous_.internal + part * (state_.internal - previous_.internal);
  }

  void observe_problems(ProblemObserver observer) override { step_.observe_problems(std::move(observer)); }
  const NonsmoothStatistics& contact_statistics() const override { return contact_statistics_; }
  void continue_counts(const NonsmoothStatistics& counts) override { contact_statistics_ = counts; }
  std::vector<ImpactEvent>& impacts() override { return events_; }
  const Eigen::VectorXd& accelerations() const override { return step_.accelerations(); }
  const Eigen::VectorXd& multipliers() const override { return step_.multipliers(); }
  const std::vector<std::string>& remarks() const override { return remarks_; }

  void forget_contacts() override { system_.contact_set().begin_nonsmooth_step(); }

  std::vector<InitialOverlap> initial_overlaps(const State& state, double tolerance) override {
    Bodies<D> bodies;
    std::vector<NonsmoothContact<D>> deep;
    std::vector<InitialOverlap> overlaps;
    ContactSet<D>& contacts = system_.contact_set();
    system_.place(state.q.data(), state.v.data(), bodies);
    contacts.refresh(bodies);
    contacts.find_nonsmooth(bodies, -tolerance, deep);
    for (const NonsmoothContact<D>& contact : deep) {
      if (!contacts.allows_initial_penetration(contact.point))
        overlaps.push_back({contacts.point_name(contact.point), -contact.gap});
    }
    return overlaps;
  }

 private:
  // Where halves were needed, the next steps will hardly do with a whole one: a step that is tried in vain costs as
  // much as several that are not.
  void choose_trial(double h, bool halved) {
    if (halved) {
      trial_ = h, calm_ = 0;
    } else if (trial_ < length_ && ++calm_ >= calm_steps) {
      trial_ = std::min(length_, 2 * trial_), calm_ = 0;
    }
  }

  StepOutcome failure(double h) const {
    return {StepStatus::failed,
            fmt::format("nonsmooth: {} (t = {:.9g} s, step {:.3g} s). A shorter step, less friction or other positions "
                        "may help; forces between rigid bodies with friction need not exist or be unique (Painlevé)",
                        step_.failure(), state_.t, h)};
  }

  void remark_on_speed() {
    const int body = step_.fast_body();
    if (body == 0 || warned_of_speed_) return;
    warned_of_speed_ = true;
    remarks_.push_back(
        fmt::format("body {} moved farther in the step to t = {:.6g} s, in which it touched another, than the size of "
                    "its shapes: its impacts are found, but only one in a step with each of the others; take a shorter "
                    "step",
                    system_.body_name(body), state_.t));
  }

  void remark_on_reduction() {
    const NonsmoothStatistics& n = contact_statistics_;
    if (n.reduced_impacts == 0 || warned_of_reduction_) return;
    warned_of_reduction_ = true;
    remarks_.push_back(fmt::format(
        "{} at t = {:.6g} s: {} {}, and restitution was reduced so that nothing is gained; {}", n.reduced_contact,
        n.reduced_time,
        n.reduced_newton ? "Newton's restitution with friction" : "restitution of several contacts at once",
        n.avoided_gain > 0 ? fmt::format("would have gained {:.3g} J", n.avoided_gain) : "has no solution",
        n.reduced_newton ? "restitution_law = \"energetic\" follows impacts through friction and never gains"
                         : "a shorter step parts impacts that are not at the same time"));
  }

  void remark_on_solver() {
    if (contact_statistics_.unsettled == 0 || warned_of_solver_) return;
    warned_of_solver_ = true;
    remarks_.push_back(
        fmt::format("in the step to t = {:.6g} s the iterative contact solver did not settle at its tolerance: bodies "
                    "may sink or jitter; take a shorter step, or contact_solver = \"direct\"",
                    state_.t));
  }

  void remark_on_torques() {
    if (contact_statistics_.left_torques == 0 || warned_of_torques_) return;
    warned_of_torques_ = true;
    remarks_.push_back(fmt::format(
        "in the step to t = {:.6g} s an impact changed the gyroscopic torque of a body that turns far in a step, and "
        "the change acts from the next step on: its rotation is of first order there; take a shorter step",
        state_.t));
  }

  void remark_on_passages() {
    if (contact_statistics_.passages == 0 || warned_of_passages_) return;
    warned_of_passages_ = true;
    remarks_.push_back(fmt::format(
        "in the step to t = {:.6g} s bodies that had no room were pushed through each other in {}; take a shorter step",
        state_.t, contact_statistics_.passed_contact));
  }

  void remark_on_left() {
    if (contact_statistics_.left_overlaps == 0 || warned_of_left_) return;
    warned_of_left_ = true;
    remarks_.push_back(fmt::format(
        "in the step to t = {:.6g} s bodies of a heap could not be moved apart at once: overlaps of up to a "
        "twentieth of half their thickness stay and are removed in the next steps (\"largest penetration\" "
        "reports the deepest); a shorter step leaves less",
        state_.t));
  }

  BodySystem<D>& system_;
  const double length_;
  double trial_ = length_;  // s, that is tried first
  int calm_ = 0;            // steps since it was halved or doubled
  NonsmoothStatistics contact_statistics_;
  NonsmoothStep<D> step_;
  State state_, previous_;
  Eigen::VectorXd increment_;
  double grid_begin_ = 0, grid_end_ = 0;  // s, of the whole grid and of the step under way: counted, since sums drift
  long grid_steps_ = 0;
  std::vector<ImpactEvent> events_;
  std::vector<std::string> remarks_;
  bool started_ = false, warned_of_speed_ = false, warned_of_reduction_ = false;
  bool warned_of_solver_ = false, warned_of_torques_ = false, warned_of_passages_ = false;
  bool warned_of_left_ = false;
};

}  // namespace

std::unique_ptr<NonsmoothIntegrator> make_nonsmooth_integrator(System& system, const SolverSettings& settings) {
  if (BodySystem<2>* planar = system.planar()) return std::make_unique<NonsmoothOf<2>>(*planar, settings);
  return std::make_unique<NonsmoothOf<3>>(*system.spatial(), settings);
}

}  // namespace carom::inline nonsmooth_integrators
