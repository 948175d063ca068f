#include "parts/force_batch.h"

#include <algorithm>
#include <cstring>

#include "parts/guarded_call.h"

namespace carom::inline parts {
namespace {

void pack(const v1::ForceState& state, double* row) {
  for (int k = 0; k < 2; ++k) {
    const v1::End& end = state.ends[k];
    std::copy(end.position.begin(), end.position.end(), row + 3 * k);
    std::copy(end.velocity.begin(), end.velocity.end(), row + 6 + 3 * k);
    std::copy(end.axes.begin(), end.axes.end(), row + 12 + 9 * k);
    std::copy(end.angular_velocity.begin(), end.angular_velocity.end(), row + 30 + 3 * k);
  }
}

}  // namespace

std::size_t ForceBatch::join(v1::KeyValues keys) {
  keys_.push_back(std::move(keys));
  law_.reset();
  known_ = false;
  return keys_.size() - 1;
}

BatchLaw& ForceBatch::law() {
  if (!law_) {
    law_ = make_(keys_);
    row_.resize(batch_state_size);
    for (auto* states : {&states_, &trial_states_}) states->assign(batch_state_size * size(), 0.0);
    for (auto* loads : {&loads_, &trial_loads_}) loads->assign(batch_load_size * size(), 0.0);
  }
  return *law_;
}

bool ForceBatch::is_known(std::size_t place, const v1::ForceState& state) {
  law();
  pack(state, row_.data());
  // Bit by bit: a state that is no number is known, too.
  return known_ && state.time == t_ &&
         std::memcmp(row_.data(), states_.data() + batch_state_size * place, batch_state_size * sizeof(double)) == 0;
}

void ForceBatch::put(const v1::ForceState& state, std::size_t place) {
  pack(state, states_.data() + batch_state_size * place);
}

void ForceBatch::put_trial(const v1::ForceState& state, std::size_t place) {
  law();
  pack(state, trial_states_.data() + batch_state_size * place);
}

// What fails is NaN for all until one of them has moved: the function is asked once, not once an element.
void ForceBatch::work_out(double t) {
  std::fill(loads_.begin(), loads_.end(), unknown);
  t_ = t, known_ = true;
  law().evaluate(t, states_, loads_);
}

std::span<const double> ForceBatch::trial_loads(double t) {
  std::fill(trial_loads_.begin(), trial_loads_.end(), unknown);
  law().evaluate(t, trial_states_, trial_loads_);
  return trial_loads_;
}

v1::ForceAction ForceBatch::action_of(std::size_t place, const v1::ForceState& state) const {
  return action_of(loads_.data() + batch_load_size * place, state);
}

// The opposite force acts at the same place: its lever from the first end is a torque there.
v1::ForceAction ForceBatch::action_of(const double* load, const v1::ForceState& state) {
  v1::ForceAction result;
  const v1::Vector3 f = {load[0], load[1], load[2]}, &a = state.ends[0].position, &b = state.ends[1].position;
  const v1::Vector3 lever = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const v1::Vector3 turned = {lever[1] * f[2] - lever[2] * f[1], lever[2] * f[0] - lever[0] * f[2],
                              lever[0] * f[1] - lever[1] * f[0]};
  result.other[1] = {f, {load[3], load[4], load[5]}};
  for (int k = 0; k < 3; ++k) {
    result.other[0].force[k] = -f[k];
    result.other[0].torque[k] = -load[3 + k] - turned[k];
  }
  return result;
}

}  // namespace carom::inline parts
