#include "simulation/kink_list.h"

#include <algorithm>

namespace carom {

KinkList::KinkList(const Model& model, double start, double end)
    : functions_(time_functions(model)), kinks_(find_kinks(functions_, start, end)) {}

double KinkList::limit(double until) const {
  return passed_ == kinks_.size() ? until : std::min(until, kinks_[passed_].before);
}

bool KinkList::pass(System& system, State& state) {
  if (passed_ == kinks_.size() || state.t < kinks_[passed_].before) return false;
  const Kink& kink = kinks_[passed_++];
  state.t = kink.after;
  if (std::any_of(kink.functions.begin(), kink.functions.end(),
                  [&](int k) { return functions_[static_cast<std::size_t>(k)].motion >= 0; }))
    system.project_velocity(state.t, state.q.data(), state.v.data());
  return true;
}

}  // namespace carom
