#include "simulation/model_lyapunov.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>

#include "base/problem.h"
#include "simulation/breakpoint_list.h"
#include "simulation/simulation.h"
#include "simulation/start.h"

namespace carom::inline simulation {
namespace {

constexpr double finest_tolerance = 1e-13;
constexpr double least_difference = 1e-15;  // relative: rounding
constexpr int parts_to_wait = 20;           // of half an interval, at the most
constexpr double probe = 1e-5;              // half width of differences: truncation and rounding are both near 1e-10

// A small difference between two states, in increments and velocities.
struct Difference {
  Eigen::VectorXd q, v;
};

// How large it is, without units.
class Measure {
 public:
  Measure(const Model& model, const System& system, double interval)
      : weights_(system.velocity_size()), time_(interval / (2 * std::numbers::pi)) {
    const int dofs = model.planar ? 3 : 6, translations = model.planar ? 2 : 3;
    for (int k = 0; k < weights_.size(); ++k) weights_[k] = k % dofs < translations ? 1 / system.length_scale() : 1;
  }

  double of(const Difference& difference) const {
    return std::hypot(weights_.cwiseProduct(difference.q).norm(), time_ * weights_.cwiseProduct(difference.v).norm());
  }

  // Of this size and in no special direction; the same every time.
  Difference any(double size) const {
    Difference difference{Eigen::VectorXd(weights_.size()), Eigen::VectorXd(weights_.size())};
    for (int k = 0; k < weights_.size(); ++k) {
      difference.q[k] = std::sin(1 + 2 * k * std::numbers::phi) / weights_[k];
      difference.v[k] = std::cos(2 + 2 * k * std::numbers::phi) / (weights_[k] * time_);
    }
    const double scale = size / of(difference);
    difference.q *= scale;
    difference.v *= scale;
    return difference;
  }

 private:
  Eigen::VectorXd weights_;
  double time_;  // s
};

void put_on_constraints(System& system, State& state) {
  if (system.active_constraints() > 0) {
    system.set_internal(state.internal.data());
    system.project_position(state.t, state.q.data(), 1e-14 * std::max(1.0, system.length_scale()));
    system.project_velocity(state.t, state.q.data(), state.v.data());
  }
  system.normalise(state.q.data());
}

State moved(System& system, const State& from, const Difference& by, double share) {
  State state = from;
  const Eigen::VectorXd increment = share * by.q;
  system.retract(from.q.data(), increment.data(), state.q.data());
  state.v += share * by.v;
  put_on_constraints(system, state);
  return state;
}

Difference between(const System& system, const State& from, const State& to) {
  Difference difference{Eigen::VectorXd(from.v.size()), to.v - from.v};
  system.increment(from.q.data(), to.q.data(), difference.q.data());
  return difference;
}

[[noreturn]] void refuse_rigid() {
  throw ComputationError(
      "the Lyapunov exponent reports how fast motions part that begin near each other, and in this model nothing can "
      "move otherwise than its drives say");
}

// Intervals from the start of the run on; those before `from` are not counted.
LyapunovSettings counted(const Model& model, const ModelLyapunovSettings& settings) {
  const double start = model.solver.start;
  const auto intervals = [&](double t) { return std::max(0.0, (t - start) / settings.interval); };
  const double before = std::ceil(intervals(settings.from) - 1e-9), all = std::floor(intervals(settings.to) + 1e-9);
  if (all - before < fewest_intervals)
    throw ComputationError(fmt::format(
        "the Lyapunov exponent needs at least {} intervals of {:g} s after {:g} s, and the run ends at {:g} "
        "s: let it run longer, or give a shorter `interval`",
        fewest_intervals, settings.interval, settings.from, settings.to));
  return {.interval = settings.interval,
          .transient = static_cast<std::size_t>(before),
          .count = static_cast<std::size_t>(all - before),
          .separation = settings.separation};
}

// The equations of motion and those of a small difference, as one system of first order in (q, v, δq, δv), where δq are
// increments.
class TangentMotion {
 public:
  using Numbers = std::vector<double>;

  TangentMotion(System& system, bool planar)
      : system_(system), planar_(planar), nq_(system.position_size()), nv_(system.velocity_size()) {
    work_.resize(system.work_size());
    for (auto* each : {&q_, &q_rate_}) each->resize(nq_);
    for (auto* each : {&v_, &increment_, &rate_}) each->resize(nv_);
  }

  Numbers packed(const State& state, const Difference& difference) const {
    Numbers x(static_cast<std::size_t>(nq_ + 3 * nv_));
    all(x) << state.q, state.v, difference.q, difference.v;
    return x;
  }
  void unpack(const Numbers& x, State& state, Difference& difference) const {
    const auto numbers = Eigen::Map<const Eigen::VectorXd>(x.data(), nq_ + 3 * nv_);
    state.q = numbers.head(nq_), state.v = numbers.segment(nq_, nv_);
    difference.q = numbers.segment(nq_ + nv_, nv_), difference.v = numbers.tail(nv_);
  }

  void operator()(const Numbers& x, Numbers& rates, double t) {
    unpack(x, state_, difference_);
    const double size = std::max(difference_.q.lpNorm<Eigen::Infinity>(), difference_.v.lpNorm<Eigen::Infinity>());
    const double width = size > 0 ? probe / size : 0;
    auto out = all(rates);
    Eigen::VectorXd::Map(rates.data() + nq_ + 2 * nv_, nv_).setZero();
    for (const double side : {1.0, -1.0}) {
      increment_ = side * width * difference_.q;
      v_ = state_.v + side * width * difference_.v;
      system_.retract(state_.q.data(), increment_.data(), q_.data());
      evaluate(t, q_, v_);
      if (width > 0) out.tail(nv_) += side / (2 * width) * rate_;
    }
    evaluate(t, state_.q, state_.v);
    out.head(nq_) = q_rate_;
    out.segment(nq_, nv_) = rate_;
    out.segment(nq_ + nv_, nv_) = difference_.v;
    // Angular velocities are in body axes: δφ' = δω − ω × δφ.
    for (int k = 3; !planar_ && k < nv_; k += 6) {
      out.segment<3>(nq_ + nv_ + k) -=
          Eigen::Vector3d(state_.v.segment<3>(k)).cross(Eigen::Vector3d(difference_.q.segment<3>(k)));
    }
  }

 private:
  static Eigen::Map<Eigen::VectorXd> all(Numbers& x) { return {x.data(), static_cast<Eigen::Index>(x.size())}; }

  void evaluate(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    if (system_.rates(t, q.data(), v.data(), q_rate_.data(), rate_.data(), work_.data()) == SolveStatus::failed)
      throw ComputationError(fmt::format("the equations of motion cannot be solved at t = {:g} s", t));
  }

  System& system_;
  const bool planar_;
  const int nq_, nv_;
  State state_;
  Difference difference_;
  Eigen::VectorXd q_, v_, q_rate_, rate_, work_, increment_;
};

auto stepper_with(double tolerance) {
  return boost::numeric::odeint::make_controlled(tolerance, tolerance,
                                                 boost::numeric::odeint::runge_kutta_dopri5<TangentMotion::Numbers>());
}

// A motion from the start of the model, with a small difference from it.
class VariedMotion {
 public:
  VariedMotion(System& system, const Model& model, const ModelLyapunovSettings& settings)
      : system_(system),
        interval_(settings.interval),
        breakpoints_(model, model.solver.start, settings.to),
        tangent_(system, model.planar),
        method_(stepper_with(model.solver.tolerance)),
        step_(settings.interval / 100) {
    assemble_start(system, model, state_);
  }

  // Both ends of the difference are put on the constraints.
  Difference on_constraints(const Difference& difference) const {
    const double width =
        probe / std::max({1e-300, difference.q.lpNorm<Eigen::Infinity>(), difference.v.lpNorm<Eigen::Infinity>()});
    Difference result =
        between(system_, moved(system_, state_, difference, -width), moved(system_, state_, difference, width));
    result.q /= 2 * width;
    result.v /= 2 * width;
    return result;
  }

  void advance(Difference& difference, double until, const std::atomic<bool>* interrupted) {
    TangentMotion::Numbers x = tangent_.packed(state_, difference);
    method_.reset();
    while (state_.t < until) {
      if (interrupted && interrupted->load()) throw Interrupted{};
      const double limit = breakpoints_.limit(until);
      if (limit > state_.t && !try_step(x, limit, difference)) continue;
      breakpoints_.pass(system_, state_);
      x = tangent_.packed(state_, difference);
      method_.reset();
    }
  }

 private:
  // False: to be tried again with another length.
  bool try_step(TangentMotion::Numbers& x, double limit, Difference& difference) {
    const double left = limit - state_.t;
    const bool last = step_ >= left;
    double t = state_.t, h = last ? left : step_;
    const auto outcome = method_.try_step(std::ref(tangent_), x, t, h);
    if (!last || outcome == boost::numeric::odeint::fail || h > step_) step_ = h;
    if (!(h > 1e-14 * interval_))
      throw ComputationError(fmt::format("the linearised equations cannot be integrated at t = {:g} s", t));
    if (outcome == boost::numeric::odeint::fail) return false;
    tangent_.unpack(x, state_, difference);
    state_.t = last ? limit : t;
    put_on_constraints(system_, state_);
    system_.accept(state_.t, state_.q.data(), state_.v.data());
    return true;
  }

  System& system_;
  const double interval_;  // s
  State state_;
  BreakpointList breakpoints_;
  TangentMotion tangent_;
  decltype(stepper_with(0)) method_;
  double step_;  // s, the next one
};

}  // namespace

LyapunovEstimate model_lyapunov_by_separation(const Model& model, const ModelLyapunovSettings& settings,
                                              const std::atomic<bool>* interrupted) {
  const LyapunovSettings intervals = counted(model, settings);
  Model fine = model;
  fine.solver.tolerance =
      std::clamp(1e-4 * settings.separation, finest_tolerance, std::max(finest_tolerance, model.solver.tolerance));
  // Of the nonsmooth method, steps end at their impacts, other than those of a run: where all impacts wait for the end
  // of a step, the instants of those in motions near each other would not differ.
  const SimulationOptions options{.interval = settings.interval,
                                  .end = settings.to + settings.interval,
                                  .interrupted = interrupted,
                                  .stops_at_impacts = true,
                                  .keeps_events = false};
  Simulation motion(fine, options), beside(fine, options);
  System& system = motion.system();
  if (model.solver.method == ContactMethod::compliant && system.contacts() && system.contacts()->pairs_change())
    throw ComputationError(
        "the Lyapunov exponent of a model whose contacts are found as bodies come near each other needs method = "
        "\"nonsmooth\"");
  const Measure measure(model, system, settings.interval);
  double size = 0;
  const auto put_beside = [&](const Difference& difference, double share) {
    const State state = moved(system, motion.state(), difference, share);
    size = measure.of(between(system, motion.state(), state));
    motion.restart();
    beside.restart_beside(motion, state, share);
  };
  put_beside(measure.any(settings.separation), 1);
  if (size < 1e-3 * settings.separation) refuse_rigid();
  double pieces = 0;
  return mean_stretch(intervals, [&] {
    const double until = model.solver.start + ++pieces * settings.interval;
    // Inside a short contact the difference is as large as its forces are, and little of it is left afterwards: if
    // there is a time without soon, that is better.
    for (int part = 0; part < parts_to_wait; ++part) {
      motion.advance_to(until + part * settings.interval / (2 * parts_to_wait));
      beside.advance_to(motion.state().t);
      if (!motion.touches() && !beside.touches()) break;
    }
    const Difference difference = between(system, motion.state(), beside.state());
    const double before = size, after = measure.of(difference);
    if (after > least_difference) {
      put_beside(difference, settings.separation / after);
    } else {  // both have met: begin again
      put_beside(measure.any(settings.separation), 1);
    }
    return std::log(std::max(after, least_difference) / before);
  });
}

std::string not_smooth_because(const Model& model) {
  const auto loose = std::find_if(model.joints.begin(), model.joints.end(),
                                  [](const ElementModel& joint) { return joint.clearance.has_value(); });
  if (loose != model.joints.end()) return "joint " + loose->name + " has clearance";
  if (!model.pairs.empty() || !model.bearings.empty()) return "its bodies can touch";
  const auto slack = std::find_if(model.forces.begin(), model.forces.end(),
                                  [](const ElementModel& force) { return force.type == "ligament"; });
  if (slack != model.forces.end()) return "ligament " + slack->name + " can be slack";
  return "";
}

LyapunovEstimate model_lyapunov_by_variation(const Model& model, const ModelLyapunovSettings& settings,
                                             const std::atomic<bool>* interrupted) {
  const auto system = System::create(model);
  std::string why = not_smooth_because(model);
  if (why.empty() && system->contacts()) why = "its bodies can touch";
  if (!why.empty())
    throw ComputationError("the variational equations hold for smooth motions, and " + why +
                           ": use how = \"separation\"");
  const LyapunovSettings intervals = counted(model, settings);
  VariedMotion motion(*system, model, settings);
  const Measure measure(model, *system, settings.interval);
  Difference difference = motion.on_constraints(measure.any(1));
  if (measure.of(difference) < 1e-3) refuse_rigid();
  double pieces = 0;
  return mean_stretch(intervals, [&] {
    const double until = model.solver.start + ++pieces * settings.interval, size = measure.of(difference);
    difference.q /= size;
    difference.v /= size;
    motion.advance(difference, until, interrupted);
    difference = motion.on_constraints(difference);
    return std::log(measure.of(difference));
  });
}

}  // namespace carom::inline simulation
