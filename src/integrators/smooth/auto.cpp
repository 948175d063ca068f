#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "integrators/smooth/integrator.h"
#include "integrators/smooth/stiffness_estimate.h"

// Chooses among the other integrators, by the model and by how it goes, and changes over where another one is cheaper.
//
// Cost is counted in evaluations of the equations of motion, so that no clock enters a result. The pace of a method is
// the time of motion per evaluation. An explicit method whose steps are as long as the fastest part of the motion lets
// them be (ρ h near the bound of stability) is limited by stability, not by accuracy: then an implicit one is tried.
// An implicit method that is slower than stability alone would let an explicit one be is compared in the same way. What
// was tried is kept only if its pace, measured, is better; after a trial in vain the next one waits twice as long.
// Petzold, SIAM J. Sci. Stat. Comput. 4 (1983) 136–148, changes by estimates alone.
namespace carom::inline smooth_integrators {
namespace {

constexpr long look_every = 120;        // evaluations between looks at the stiffness, which cost three
constexpr int first_patience = 3;       // looks in a row that must speak for a trial
constexpr int longest_patience = 512;   // the same, after many trials in vain
constexpr int first_look_pairs = 8;     // of iterations at the start
constexpr double hopeless_steps = 3e5;  // more of them, by stability alone, and the first method is an implicit one
constexpr double worth_changing = 1.2;  // gain of pace for which a method is kept
constexpr double same_trouble = 1e-3;   // of the time span: a second failure that near is the end
constexpr std::size_t most_named = 4;   // changes that the summary names

struct Candidate {
  std::string name;
  bool implicit = false;
  double stable = 0;       // ρ h up to which its steps are stable; of explicit methods
  double evaluations = 0;  // per step, about; of explicit methods
  std::unique_ptr<Integrator> integrator = {};
  int patience = first_patience;  // before this one is tried
};

struct Change {
  double t = 0;
  int from = 0, to = 0;
  double fastest = 0, step = 0, gain = 0;  // 1/s; s, of the method left; in pace. gain 0: the method left had failed
};

class AutoIntegrator final : public Integrator {
 public:
  AutoIntegrator(System& system, const SolverSettings& settings)
      : span_(settings.end - settings.start),
        size_(system.position_size() + system.velocity_size()),
        stiffness_(system) {
    SolverSettings own = settings;
    // A step that is given bounds those of all methods.
    if (settings.step > 0) own.max_step = own.max_step > 0 ? std::min(own.max_step, own.step) : own.step;
    own.step = 0;
    const ContactPoints* contacts = system.contacts();
    if (settings.constraints != ConstraintTreatment::index2) {
      // Restarts at every begin and end of a contact are cheap with a one-step method.
      if (contacts) {
        add(system, own, {.name = "rk", .stable = 3.3, .evaluations = 6});
      } else {
        add(system, own, {.name = "adams", .stable = 0.5, .evaluations = 2});
      }
    }
    // Pairs that come and go are many: no implicit method takes them.
    if (!contacts || !contacts->pairs_change()) add(system, own, {.name = "bdf", .implicit = true});
  }

  void start(const State& state) override {
    if (first_start_) choose_first(state);
    active().start(state);
    sum_statistics();
  }

  StepOutcome step(double t_limit) override {
    if (!(t_limit > state().t)) return {};
    consider_change();
    StepOutcome outcome = active().step(t_limit);
    if (!outcome.accepted()) outcome = try_the_other(outcome, t_limit);
    if (!outcome.accepted()) outcome.reason = "auto, " + outcome.reason;
    sum_statistics();
    return outcome;
  }

  const State& state() const override { return active().state(); }
  double step_begin() const override { return active().step_begin(); }
  void interpolate(double t, State& out) override { active().interpolate(t, out); }
  const StepMotion* motion() const override { return active().motion(); }
  bool can_repeat() const override { return active().can_repeat(); }
  bool repeat_step(double t_end) override {
    const bool done = active().repeat_step(t_end);
    sum_statistics();
    return done;
  }

  std::string methods_used() const override {
    std::string text = candidates_[static_cast<std::size_t>(first_)].name;
    const std::vector<Change> changes = changes_so_far();
    for (std::size_t k = 0; k < changes.size() && k < most_named; ++k)
      text += fmt::format(", {} from t = {:.4g} s", name(changes[k].to), changes[k].t);
    if (changes.size() > most_named) text += fmt::format(", {} further changes", changes.size() - most_named);
    return text;
  }

  std::vector<std::string> method_remarks() const override {
    const std::vector<Change> changes = changes_so_far();
    if (changes.empty()) return {};
    const Change& change = changes.front();
    std::string text = fmt::format("integrator auto changed from {} to {} at t = {:.6g} s: ", name(change.from),
                                   name(change.to), change.t);
    if (change.gain > 0) {
      text += candidates_[static_cast<std::size_t>(change.to)].implicit
                  ? fmt::format("the fastest part of the motion ({:.2g} 1/s) held the steps at {:.2g} s, ",
                                change.fastest, change.step)
                  : fmt::format("nothing in the motion was fast any more ({:.2g} 1/s), ", change.fastest);
      text += fmt::format("and {} is {:.2g} times as fast", name(change.to), change.gain);
    } else {
      text += "it could not go on";
    }
    if (changes.size() > 1) text += fmt::format("; {} changes in all", changes.size());
    return {text};
  }

 private:
  // A method at work for a while: what it has cost and how far it came.
  struct Stretch {
    long evaluations = 0, steps = 0;
    double t = 0;
  };

  Integrator& active() { return *candidates_[static_cast<std::size_t>(active_)].integrator; }
  const Integrator& active() const { return *candidates_[static_cast<std::size_t>(active_)].integrator; }
  const std::string& name(int candidate) const { return candidates_[static_cast<std::size_t>(candidate)].name; }
  int other() const { return candidates_.size() == 2 ? 1 - active_ : -1; }

  void add(System& system, SolverSettings settings, Candidate candidate) {
    settings.integrator = candidate.name;
    candidate.integrator = make_integrator(system, settings);
    candidates_.push_back(std::move(candidate));
  }

  // Beams, strong dampers and contacts at rest show in the rates at the start.
  void choose_first(const State& state) {
    first_start_ = false;
    if (candidates_.size() == 2) {
      const double fastest = stiffness_.look(state, first_look_pairs);
      if (fastest * span_ / candidates_[0].stable > hopeless_steps) active_ = first_ = 1;
    }
    begin_stretch(state.t);
  }

  Stretch now() const {
    const IntegratorStatistics& statistics = active().statistics();
    return {statistics.evaluations, statistics.steps, active().state().t};
  }
  // With a trial that the end of the run has cut short, as far as it came.
  std::vector<Change> changes_so_far() const {
    std::vector<Change> changes = changes_;
    const Stretch present = now();
    if (trying_ == 0 || present.evaluations == begin_.evaluations) return changes;
    changes.push_back(trial_);
    const double pace = (present.t - begin_.t) / static_cast<double>(present.evaluations - begin_.evaluations);
    changes.back().gain = pace / std::max(pace_before_, 1e-300);
    return changes;
  }
  void begin_stretch(double t) {
    begin_ = now();
    begin_.t = t;
  }

  void consider_change() {
    if (candidates_.size() < 2) return;
    const Stretch present = now();
    const long spent = present.evaluations - begin_.evaluations;
    if (spent < (trying_ ? trial_length() : look_every)) return;
    const double passed = present.t - begin_.t;
    const long steps = std::max(1L, present.steps - begin_.steps);
    const double pace = passed / static_cast<double>(spent), step = passed / static_cast<double>(steps);
    if (trying_) {
      judge_trial(pace);
    } else {
      look_around(pace, step);
    }
    begin_stretch(state().t);
  }

  // Long enough for an implicit method to have found its order and its step, and to have renewed its matrix.
  long trial_length() const { return look_every + 4 * size_; }

  void look_around(double pace, double step) {
    const double fastest = stiffness_.look(state(), 1);
    const Candidate& explicit_one = candidates_[0];
    const bool implicit = candidates_[static_cast<std::size_t>(active_)].implicit;
    const double reachable = fastest > 0 ? explicit_one.stable / (fastest * explicit_one.evaluations) : 0;
    const bool doubtful =
        implicit ? worth_changing * pace < reachable : fastest * step > limited_by_stability * explicit_one.stable;
    doubts_ = doubtful ? doubts_ + 1 : 0;
    if (doubts_ < candidates_[static_cast<std::size_t>(other())].patience) return;
    trial_ = {.t = state().t, .from = active_, .to = other(), .fastest = fastest, .step = step};
    pace_before_ = pace;
    trying_ = 2;
    change_to(other());
  }

  // The first half of a trial does not count.
  void judge_trial(double pace) {
    if (--trying_ > 0) return;
    doubts_ = 0;
    if (pace > worth_changing * pace_before_) {
      trial_.gain = pace / std::max(pace_before_, 1e-300);
      changes_.push_back(trial_);
      candidates_[static_cast<std::size_t>(trial_.to)].patience = first_patience;
    } else {
      give_up_trial();
      change_to(trial_.from);
    }
  }

  void give_up_trial() {
    int& patience = candidates_[static_cast<std::size_t>(trial_.to)].patience;
    patience = std::min(longest_patience, 2 * patience);
  }

  void change_to(int candidate) {
    changed_ = state();
    active_ = candidate;
    active().start(changed_);
  }

  StepOutcome try_the_other(const StepOutcome& failure, double t_limit) {
    if (candidates_.size() < 2) return failure;
    const int failed = active_;
    const double t = state().t;
    if (t - failed_at_ < same_trouble * span_) return failure;  // the other one had its turn
    failed_at_ = t;
    const bool trial = trying_ > 0;
    change_to(other());
    const StepOutcome outcome = active().step(t_limit);
    if (!outcome.accepted()) {
      active_ = failed;
      return failure;
    }
    if (trial) {
      give_up_trial();
    } else {
      changes_.push_back({.t = t, .from = failed, .to = active_});
    }
    trying_ = doubts_ = 0;
    begin_stretch(state().t);
    return outcome;
  }

  void sum_statistics() {
    statistics_ = {};
    statistics_.evaluations = stiffness_.evaluations();
    for (const Candidate& each : candidates_) {
      const IntegratorStatistics& part = each.integrator->statistics();
      statistics_.add(part);
    }
  }

  static constexpr double limited_by_stability = 0.5;  // of the bound: mean steps this long are held by it

  const double span_;  // s
  const int size_;
  StiffnessEstimate stiffness_;
  std::vector<Candidate> candidates_;  // an explicit one first, where there are two
  int active_ = 0, first_ = 0;
  bool first_start_ = true;
  Stretch begin_;           // of the stretch that is being measured
  int doubts_ = 0;          // looks in a row that spoke for the other method
  int trying_ = 0;          // halves of a trial to go
  double pace_before_ = 0;  // s of motion per evaluation, before the trial
  Change trial_;
  std::vector<Change> changes_;
  State changed_;
  double failed_at_ = -std::numeric_limits<double>::infinity();  // s, where a method could not go on
};

std::unique_ptr<Integrator> make_auto(System& system, const SolverSettings& settings) {
  return std::make_unique<AutoIntegrator>(system, settings);
}

}  // namespace

IntegratorDescription describe_auto() {
  return {
      {.name = "auto",
       .summary = "Chooses: rk with contacts, adams without, bdf where the start is stiff; changes over while it runs "
                  "where the fastest part of the motion holds the steps of an explicit method, or no longer does, and "
                  "reports it. A given step is an upper bound.",
       .reference = "Petzold, SIAM J. Sci. Stat. Comput. 4 (1983) 136–148; stiffness by power iteration: Sommeijer, "
                    "Shampine, Verwer, J. Comput. Appl. Math. 88 (1998) 315–326"},
      {ConstraintTreatment::projection, ConstraintTreatment::baumgarte, ConstraintTreatment::index2},
      make_auto};
}

}  // namespace carom::inline smooth_integrators
