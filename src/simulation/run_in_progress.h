#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyses/statics.h"
#include "simulation/impact_forces.h"
#include "simulation/run.h"
#include "simulation/time_functions.h"

namespace carom {

// One run: the objects that live as long as it does, and what happens to them, a file for each part.
class RunInProgress {
 public:
  RunInProgress(const Model& model, const RunOptions& options);
  RunSummary execute();

 private:
  using Clock = std::chrono::steady_clock;

  // run.cpp
  void analyse();

  // run_by_forces.cpp: dynamics with an integrator that chooses its steps; contacts push.
  void integrate_forces();
  void follow_forces(Integrator& integrator, ContactStepper* stepper);
  void sample_step(Integrator& integrator, double until);
  void record_events(const ContactStepper& stepper);

  // run_by_impulses.cpp: dynamics with fixed steps; velocities jump.
  void integrate_impulses();
  void record_output(const NonsmoothIntegrator& integrator, double tolerance);
  void record_step(const NonsmoothIntegrator& integrator, const State& state, double time);
  void record_impacts(NonsmoothIntegrator& integrator);
  void save_problems(ProblemSaver& saver);

  // run_analyses.cpp: what needs no integrator.
  void analyse_kinematics();
  void analyse_statics();
  StaticEquilibrium equilibrium_at(double t);
  void analyse_modes();
  double residual_force();

  // between_steps.cpp: samples, kinks of the laws, progress.
  double next_output() const;  // s
  bool sample(const State& raw, double time);
  void note_drift(double position, double velocity);
  void note_drift(const State& state);
  void look_for_singularity();
  double next_limit() const;  // s, until which the laws of the time are smooth
  bool pass_kink(Integrator& integrator);
  bool jump(const Kink& kink);
  bool stopped_or_shown(double t);

  // run_summary.cpp: what the run tells.
  void fail(const std::string& reason);
  void warn(const std::string& warning) { summary_.warnings.push_back(warning); }
  void warn(const std::vector<std::string>& warnings);
  void check_energy();
  std::string energy_remedy() const;
  void check_depths();
  void check_searches();
  void summarise();
  void finish();
  long samples_on_disk() const;

  const Model& model_;
  const RunOptions& options_;
  std::unique_ptr<System> system_;
  std::vector<TimeFunction> functions_;
  std::vector<Kink> kinks_;
  std::size_t passed_kinks_ = 0;
  double last_;  // s, until which is computed: the end, or just before it
  std::optional<Recorder> recorder_;
  RunSummary summary_;
  double every_ = 0;             // s, between samples
  long samples_ = 0;             // output times that are done
  double last_sample_ = -1e300;  // s
  State state_, sample_, projected_;
  std::vector<ContactEvent> events_;
  ImpactForces forces_;
  Eigen::VectorXd q_rate_, v_rate_, power_, residual_, load_;
  bool singular_ = false;
  int speed_jumps_ = 0, steps_since_look_ = 0, steps_between_looks_ = 1;
  Clock::time_point looked_ = Clock::now(), shown_ = looked_, flushed_ = looked_;
};

}  // namespace carom
