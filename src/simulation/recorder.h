#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "dynamics/system.h"
#include "force_recovery/impact_force.h"
#include "integrators/nonsmooth/nonsmooth_integrator.h"
#include "integrators/smooth/contact_stepper.h"
#include "recording/recorded_run.h"
#include "recording/result_writer.h"
#include "simulation/step_events.h"

namespace carom::inline simulation {

// Where the work of an element since the start stands in the books. Drives and given loads feed the system, or take out
// what they have fed; contacts and beams dissipate. Other elements may do either: a damper takes out, a motor whose
// torque is a function of angle and speed feeds. They count by what they have given more than taken until now.
enum class WorkBook { supplied, dissipated, by_balance };

// By the name of the entry, "motion:drive", "force:spring", "contact:knock".
WorkBook work_book(const Model& model, const std::string& name);
bool is_supplied(WorkBook book, double work);

// What is recorded of energies, and what events say, of runs by this method.
const ChannelDescription& energy_channel();
const std::vector<EventKind>& event_kinds(ContactMethod method);

// Energy bookkeeping of a run, J. residual = total − total at the start − supplied + dissipated.
struct EnergyLedger {
  double kinetic = 0, potential = 0, contact = 0, supplied = 0, dissipated = 0, residual = 0;
  double total() const { return kinetic + potential + contact; }
};

// Of the energies that a balance sums: less is rounding, of them and of the work that is added up step by step.
inline constexpr double rounding_share = 1e-12;

// As a result file keeps them.
EventRecord to_record(const ContactEvent& event);
EventRecord to_record(const ImpactEvent& event, const ImpactPulse& pulse);
EventRecord to_record(const HappenedEvent& event);

// s, between samples.
double sample_interval(const Model& model);

// Turns states of the system into rows of the result file: the quantities that the model asks to record, and the
// energies.
class Recorder {
 public:
  // Without a path nothing is written, without a memory nothing kept; the ledger always is.
  Recorder(System& system, const Model& model, const std::optional<std::filesystem::path>& path,
           RecordedRun* memory = nullptr);

  void record(const State& state, const Eigen::VectorXd& v_rate, const Eigen::VectorXd& lambda);
  void record_event(const ContactEvent& event);
  void record_event(const ImpactEvent& event, const ImpactPulse& pulse);
  void record_event(const HappenedEvent& event);
  void flush();
  bool is_in_place() const { return writer_ && writer_->is_in_place(); }  // what is written has its name
  // Why a result that was asked to be compressed is not; else empty.
  std::string finish(const std::string& statistics_json, const std::string& status);
  // Goes on with another system of the same model.
  void rebind(System& system) { system_ = &system; }

  const EnergyLedger& ledger() const { return ledger_; }
  double largest_residual() const { return largest_residual_; }
  // J, of the motion: kinetic, changes of what is stored, supplied, dissipated.
  double largest_energy() const { return largest_energy_; }
  // J, that the balance may be off by because large energies are summed, also those that never change.
  double energy_rounding() const { return rounding_; }
  long samples() const { return samples_; }

 private:
  void balance(const State& state);
  bool keeps() const { return writer_ || memory_; }
  void add(EventRecord event);

  System* system_;
  std::vector<WorkBook> books_;    // per entry of work
  std::vector<std::size_t> kept_;  // indices of all values that are recorded
  std::vector<double> all_, row_;
  EnergyLedger ledger_;
  double first_total_ = 0, largest_residual_ = 0, largest_energy_ = 0, rounding_ = 0;
  Energy first_;
  long samples_ = 0;
  const bool follows_work_;  // from load step to load step nobody does
  std::unique_ptr<ResultWriter> writer_;
  std::optional<std::filesystem::path> compressed_path_;  // that is to be compressed when it is finished
  RecordedRun* memory_;
};

}  // namespace carom::inline simulation
