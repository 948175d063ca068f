#include "control/linear_rates.h"

#include "base/hot_kernel.h"
#include "base/packed.h"

namespace carom::inline control {

void LinearRates::resize(int states, int first_state) {
  first_state_ = first_state;
  own_.assign(states, 0.0);
  factor_.assign(states, 0.0);
  place_.assign(states, first_state);
  row_.assign(states / packed_width, -1);
  further_.clear();
}

void LinearRates::set_row(int state, const std::vector<LinearTerm>& terms) {
  bool have_other = false;
  for (const LinearTerm& term : terms) {
    if (term.place == first_state_ + state) {
      own_[state] += term.factor;
    } else if (!have_other) {
      factor_[state] = term.factor, place_[state] = term.place;
      have_other = true;
    } else {
      further_.push_back({state, term});
    }
  }
  // Of blocks one behind the other, each of which reads the one before it.
  const std::size_t group = state / packed_width;
  if (group >= row_.size()) return;
  const int* const four = place_.data() + packed_width * group;
  const bool in_a_row = four[1] == four[0] + 1 && four[2] == four[0] + 2 && four[3] == four[0] + 3;
  row_[group] = in_a_row ? four[0] : -1;
}

CAROM_HOT_KERNEL void LinearRates::work_out(const double* list, double* rates) const {
  const int count = static_cast<int>(own_.size());
  const double *states = list + first_state_, *own = own_.data(), *factor = factor_.data();
  const int *place = place_.data(), *row = row_.data();
  int k = 0;
  for (; k + packed_width <= count; k += packed_width) {
    const int begin = *row++;
    const Packed other = begin >= 0
                             ? *reinterpret_cast<const Packed*>(list + begin)
                             : Packed{list[place[k]], list[place[k + 1]], list[place[k + 2]], list[place[k + 3]]};
    *reinterpret_cast<Packed*>(rates + k) =
        *reinterpret_cast<const Packed*>(own + k) * *reinterpret_cast<const Packed*>(states + k) +
        *reinterpret_cast<const Packed*>(factor + k) * other;
  }
  for (; k < count; ++k) rates[k] = own[k] * states[k] + factor[k] * list[place[k]];
  for (const Further& each : further_) rates[each.state] += each.term.factor * list[each.term.place];
}

}  // namespace carom::inline control
