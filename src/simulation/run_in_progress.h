#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyses/statics.h"
#include "simulation/motion_sample.h"
#include "simulation/run.h"
#include "simulation/simulation.h"

namespace carom::inline simulation {

// One run: a simulation, or an analysis that needs none, with a recorder; a file for each part.
class RunInProgress : private StepObserver {
 public:
  RunInProgress(const Model& model, const RunOptions& options);
  RunSummary execute();

 private:
  using Clock = std::chrono::steady_clock;

  // run.cpp
  void begin();
  void analyse();

  // run_dynamics.cpp: the simulation, and what is recorded of it.
  void follow_motion();
  bool record_start();
  void step_settled(Integrator& integrator, double until) override;
  void breakpoint_passed(const State& state) override;
  void record_output(const State& state);
  void record_step(const State& state, double time);
  void record_events();
  void save_problems(ProblemSaver& saver);
  void close_books();

  // run_analyses.cpp: what needs no integrator.
  void analyse_kinematics();
  void analyse_statics();
  StaticEquilibrium equilibrium_at(double t);
  void analyse_modes();
  double residual_force();

  // between_steps.cpp: samples and progress.
  double next_output() const;  // s
  void record(const State& state, const Eigen::VectorXd& v_rate, const Eigen::VectorXd& lambda);
  bool sample(const State& raw, double time);
  void note_drift();  // of now_
  void look_for_singularity();
  bool stopped_or_shown(double t);
  void report_place();  // of the result file

  // run_summary.cpp: what the run reports.
  void fail(const std::string& given);
  void warn(const std::string& warning) { summary_.warnings.push_back(warning); }
  void warn(const std::vector<std::string>& warnings);
  void check_energy();
  std::string energy_remedy() const;
  void check_depths();
  void check_searches();
  void summarise();
  void list_works();
  void finish();
  long samples_on_disk() const;

  const Model& model_;
  const RunOptions& options_;
  std::optional<Simulation> simulation_;    // of dynamics
  std::unique_ptr<System> resting_system_;  // of the other analyses
  System* system_ = nullptr;                // that of one of them
  std::vector<TimeFunction> functions_;
  double last_ = 0;  // s, until which is computed: the end, or just before it
  std::optional<Recorder> recorder_;
  RunSummary summary_;
  double every_ = 0;             // s, between samples
  long samples_ = 0;             // output times that are done
  double last_sample_ = -1e300;  // s
  State state_, sample_;
  MotionSample now_;               // that was recorded last
  std::size_t known_remarks_ = 0;  // of contacts, that have been reported
  Eigen::VectorXd load_;
  bool singular_ = false, placed_ = false;
  int steps_since_look_ = 0, steps_between_looks_ = 1;
  Clock::time_point looked_ = Clock::now(), shown_ = looked_, flushed_ = looked_;
  Clock::duration flush_time_ = {};
};

}  // namespace carom::inline simulation
