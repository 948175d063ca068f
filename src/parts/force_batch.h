#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carom/parts.h"

// Forces of all elements of one kind in a system, worked out by one call: for functions whose call costs more than what
// they do.
namespace carom::inline parts {

// Of one element: positions and velocities of both ends, axes of both bodies row by row, angular velocities.
inline constexpr std::size_t batch_state_size = 36;
// Force on the second end, N, and torque, N m. The first end gets the opposite at the same place.
inline constexpr std::size_t batch_load_size = 6;

// Each load depends on the state of its own element alone.
class BatchLaw {
 public:
  virtual ~BatchLaw() = default;
  virtual void evaluate(double t, std::span<const double> states, std::span<double> loads) = 0;
};

// A force part (`make` is not used) whose elements are worked out together; made with the keys of each.
struct BatchedForcePart : v1::ForcePart {
  std::function<std::unique_ptr<BatchLaw>(const std::vector<v1::KeyValues>& keys)> make_batch = nullptr;
};

// The elements of one kind in a system. What was worked out last is kept: whoever is where it was then gets its part of
// it. So a pass over all elements makes one call, in whatever order and for whatever reason they are asked.
class ForceBatch {
 public:
  explicit ForceBatch(const BatchedForcePart& part) : make_(part.make_batch) {}

  // A further element; returns its place.
  std::size_t join(v1::KeyValues keys);
  std::size_t size() const { return keys_.size(); }

  // The load on an element in its state. state_of(k) tells where element k is.
  template <class StateOf>
  v1::ForceAction action(std::size_t place, const v1::ForceState& state, StateOf state_of) {
    if (!is_known(place, state)) {
      for (std::size_t k = 0; k < size(); ++k) put(state_of(k), k);
      work_out(state.time);
    }
    return action_of(place, state);
  }

  // Tangents are differences of the loads of all elements at once. These rows are apart from what is kept.
  void put_trial(const v1::ForceState& state, std::size_t place);
  std::span<const double> trial_loads(double t);
  static v1::ForceAction action_of(const double* load, const v1::ForceState& state);

 private:
  bool is_known(std::size_t place, const v1::ForceState& state);
  void put(const v1::ForceState& state, std::size_t place);
  void work_out(double t);
  v1::ForceAction action_of(std::size_t place, const v1::ForceState& state) const;
  BatchLaw& law();

  std::function<std::unique_ptr<BatchLaw>(const std::vector<v1::KeyValues>&)> make_;
  std::vector<v1::KeyValues> keys_;
  std::unique_ptr<BatchLaw> law_;
  bool known_ = false;
  double t_ = 0;
  std::vector<double> states_, loads_, row_, trial_states_, trial_loads_;
};

}  // namespace carom::inline parts
