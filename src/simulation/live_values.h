#pragma once

#include <map>
#include <span>
#include <string>

#include "simulation/motion_sample.h"
#include "simulation/recorder.h"
#include "simulation/simulation.h"

namespace carom::inline simulation {

// What a result file would record of a simulation, at the instant where it stands.
class LiveValues {
 public:
  // The energies are balanced from here on. The simulation must outlive it.
  explicit LiveValues(Simulation& simulation);

  const std::vector<std::string>& names() const { return names_; }
  const std::vector<ChannelGroup>& groups() const { return row_.header.groups; }
  const std::vector<EventKind>& event_kinds() const { return row_.header.event_kinds; }
  // Throws ResultError with near names where there is none of that name.
  double value(const std::string& name) { return all()[index_of(name)]; }
  std::span<const double> all();
  // The state has changed.
  void forget() { fresh_ = false; }
  // J, which changes from outside have brought in: the residual of the energy balance leaves it out.
  double allowance() const { return allowance_; }
  void set_allowance(double energy) { allowance_ = energy, forget(); }
  // The simulation has another system now.
  void rebind() { recorder_->rebind(simulation_.system()), forget(); }

 private:
  std::size_t index_of(const std::string& name) const;

  Simulation& simulation_;
  RecordedRun row_;  // one sample
  std::optional<Recorder> recorder_;
  MotionSample now_;
  std::vector<std::string> names_;
  std::map<std::string, std::size_t, std::less<>> places_;
  double allowance_ = 0;
  bool fresh_ = false;
};

}  // namespace carom::inline simulation
