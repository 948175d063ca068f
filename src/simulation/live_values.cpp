#include "simulation/live_values.h"

#include "base/nearest_name.h"

namespace carom::inline simulation {

LiveValues::LiveValues(Simulation& simulation) : simulation_(simulation) {
  Model model = simulation.model();
  model.output.record = {"*"};
  recorder_.emplace(simulation.system(), model, std::nullopt, &row_);
  for (const ChannelGroup& group : row_.header.groups) {
    for (const Component& component : group.components) {
      places_.emplace(group.name + "." + component.name, names_.size());
      names_.push_back(group.name + "." + component.name);
    }
  }
  all();
}

std::size_t LiveValues::index_of(const std::string& name) const {
  if (const auto found = places_.find(name); found != places_.end()) return found->second;
  std::string message = "there is no quantity `" + name + "` in this simulation";
  if (const std::string remedy = did_you_mean(name, names_); !remedy.empty()) message += ": " + remedy;
  throw ResultError(message);
}

std::span<const double> LiveValues::all() {
  if (fresh_) return row_.values;
  row_.times.clear();
  row_.values.clear();
  System& system = simulation_.system();
  if (const NonsmoothIntegrator* nonsmooth = simulation_.nonsmooth()) {
    now_.state = simulation_.state();
    now_.state.t = simulation_.time();
    recorder_->record(now_.state, nonsmooth->accelerations(), nonsmooth->multipliers());
  } else {
    now_.take(system, simulation_.model().solver, simulation_.state());
    now_.state.t = simulation_.time();
    recorder_->record(now_.state, now_.v_rate, now_.lambda);
  }
  row_.values[index_of("energy.residual")] -= allowance_;
  fresh_ = true;
  return row_.values;
}

}  // namespace carom::inline simulation
