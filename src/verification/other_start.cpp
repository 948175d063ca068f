#include "verification/other_start.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analyses/statics.h"
#include "simulation/recorder.h"
#include "simulation/start.h"

namespace carom::inline verification {
namespace {

// In no special direction; the same every time.
void move_a_little(System& system, bool planar, State& state) {
  const int coordinates = planar ? 3 : 6, translations = planar ? 2 : 3;
  Eigen::VectorXd increment(system.velocity_size());
  for (int k = 0; k < increment.size(); ++k) {
    const double size = moved_by * (k % coordinates < translations ? system.length_scale() : 1);
    increment[k] = size * std::sin(1 + 2 * k * std::numbers::phi);
  }
  Eigen::VectorXd moved(state.q.size());
  system.retract(state.q.data(), increment.data(), moved.data());
  state.q = moved;
  if (system.active_constraints() > 0)
    system.project_position(state.t, state.q.data(), 1e-14 * std::max(1.0, system.length_scale()));
  system.normalise(state.q.data());
}

}  // namespace

RunSummary equilibrium_from_beside(const Model& model, RecordedRun& recorded) {
  const auto system = System::create(model);
  RunSummary summary;
  State state;
  summary.assembly = assemble_start(*system, model, state);
  Recorder recorder(*system, model, std::nullopt, &recorded);
  if (system->contacts()) system->contacts()->act_elastically();
  move_a_little(*system, model.planar, state);
  const StaticEquilibrium found = find_static_equilibrium(*system, state);
  if (!found.outcome) summary.status = RunStatus::failed, summary.reason = found.outcome.reason;
  recorder.record(found.state, Eigen::VectorXd::Zero(system->velocity_size()), found.multipliers);
  summary.t = found.state.t;
  summary.samples = recorder.samples();
  return summary;
}

}  // namespace carom::inline verification
