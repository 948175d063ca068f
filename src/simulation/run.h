#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analyses/assembly.h"
#include "analyses/state_space.h"
#include "integrators/nonsmooth/nonsmooth_integrator.h"
#include "integrators/smooth/contact_stepper.h"
#include "integrators/smooth/integrator.h"
#include "simulation/problem_saver.h"
#include "simulation/recorder.h"

namespace carom::inline simulation {

struct Progress {
  double t = 0, start = 0, end = 0;  // s, simulated
  long steps = 0;
};

struct RunOptions {
  std::optional<std::filesystem::path> output;     // result file; none: nothing is written
  RecordedRun* memory = nullptr;                   // filled with what a result file would hold
  std::function<void(const Progress&)> progress;   // called a few times a second of wall time
  std::function<void()> placed = {};               // called once, when an older file has made way for the run's own
  const std::atomic<bool>* interrupted = nullptr;  // set it to stop at the next step; what was computed is kept
  std::optional<ProblemSaving> problems = {};      // contact problems of a run of the non-smooth method, as files
};

enum class RunStatus { complete, interrupted, failed };

struct ModeSummary {
  double frequency = 0, damping_ratio = 0;  // Hz, –
};

// The impact by an impulse behind which the largest force stands.
struct HardestImpact {
  std::string contact;
  double t = 0, peak_force = 0, duration = 0;  // s, N, s
};

// Largest violation of the constraints between projections, recorded or not.
struct ConstraintDrift {
  double position = 0, velocity = 0;
};

struct EnergySummary {
  EnergyLedger at_end;
  double largest = 0, largest_residual = 0;                // J
  double rounding = 0;                                     // J, below which a residual is rounding
  std::vector<std::pair<std::string, double>> works = {};  // J, by element; of very many those that did most
  long others = 0;                                         // elements that are not listed
  double work_of_others = 0;                               // J
};

// Events of the model that have happened.
struct EventSummary {
  struct Instant {
    std::string name;
    double t = 0;  // s
  };
  long happened = 0;
  Instant first, last;
  std::string stopped_by;  // the one that ended the run; empty: none did
};

// Of a linear analysis, from inputs to outputs.
struct LinearModel {
  std::vector<std::string> inputs, outputs;
  StateSpace matrices;
};

// What happened, for people and for the statistics of the result file.
struct RunSummary {
  RunStatus status = RunStatus::complete;
  std::string reason;  // of a failure
  std::string model, analysis, method, integrator, constraints;
  double t = 0, end = 0;  // s, reached and asked for
  long samples = 0;
  AssemblyReport assembly;
  IntegratorStatistics statistics;
  ContactStatistics contacts;
  std::optional<NonsmoothStatistics> nonsmooth;  // of a run of that method
  std::optional<HardestImpact> hardest;          // of these; none: there was no impact whose force can be reported
  ConstraintDrift drift;
  EventSummary events;
  double singular_time = -1;  // s, first instant with more dependent rows than at the start; −1: never
  EnergySummary energy;
  std::vector<ModeSummary> modes;         // linear analysis
  std::optional<LinearModel> linear;      // likewise, where inputs or outputs are named
  std::string verdict;                    // static analysis: stable, unstable, …
  std::optional<SavedProblems> problems;  // where they were asked for
  std::vector<std::string> warnings;
  double wall_seconds = 0;
};

// Runs the analysis that the model asks for. Throws InputError when the model cannot be assembled, ResultError when the
// result file cannot be written; a computation that fails on the way is a status, with everything computed so far in
// the file.
RunSummary run(const Model& model, const RunOptions& options = {});

// What the summary says and what about, in the order of the summary; a line of a table has no name.
struct SummaryLine {
  std::string what, value;
};

// From the statistics that a result file keeps, as to_json writes them; none if there are none.
std::vector<SummaryLine> summary_lines(const std::string& statistics_json);

std::string to_text(const RunSummary& summary);  // these lines, and the wall time
std::string to_json(const RunSummary& summary);

}  // namespace carom::inline simulation
