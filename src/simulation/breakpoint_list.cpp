#include "simulation/breakpoint_list.h"

#include <algorithm>

namespace carom::inline simulation {

BreakpointList::BreakpointList(const Model& model, double start, double end)
    : functions_(time_functions(model)), breakpoints_(find_breakpoints(functions_, start, end)) {}

double BreakpointList::limit(double until) const {
  return passed_ == breakpoints_.size() ? until : std::min(until, breakpoints_[passed_].before);
}

bool BreakpointList::pass(System& system, State& state) {
  if (passed_ == breakpoints_.size() || state.t < breakpoints_[passed_].before) return false;
  const Breakpoint& breakpoint = breakpoints_[passed_++];
  state.t = breakpoint.after;
  if (std::any_of(breakpoint.functions.begin(), breakpoint.functions.end(),
                  [&](int k) { return functions_[static_cast<std::size_t>(k)].motion >= 0; }))
    system.project_velocity(state.t, state.q.data(), state.v.data());
  return true;
}

}  // namespace carom::inline simulation
