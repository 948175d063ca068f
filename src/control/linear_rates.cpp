#include "control/linear_rates.h"

#include "base/hot_kernel.h"
#include "base/packed.h"

namespace carom::inline control {

void LinearRates::resize(int states, int first_state) {
  first_state_ = first_state;
  own_.assign(states, 0.0);
  factor_.assign(states, 0.0);
  place_.assign(states, first_state);
  runs_.clear();
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
}

void LinearRates::find_runs() {
  runs_.clear();
  const int count = static_cast<int>(own_.size());
  for (int begin = 0, end = 1; begin < count; begin = end++) {
    while (end < count && place_[end] == place_[end - 1] + 1) ++end;
    const int whole = (end - begin) / packed_width * packed_width;
    if (whole > 0) runs_.push_back({begin, begin + whole, place_[begin]});
  }
}

namespace {

// Inlined into the kernel, since what it calls would stay code for any processor.
struct Rows {
  const double *own, *factor, *states;
  double* rates;
};

[[gnu::always_inline]] inline void set(const Rows rows, int k, const Packed& other) {
  *reinterpret_cast<Packed*>(rows.rates + k) =
      *reinterpret_cast<const Packed*>(rows.own + k) * *reinterpret_cast<const Packed*>(rows.states + k) +
      *reinterpret_cast<const Packed*>(rows.factor + k) * other;
}

[[gnu::always_inline]] inline void set_beside(const Rows rows, int k, const double* others) {
  set(rows, k, *reinterpret_cast<const Packed*>(others + k));
}

[[gnu::always_inline]] inline void gather(const Rows rows, int k, int end, const double* list, const int* place) {
  for (; k + packed_width <= end; k += packed_width)
    set(rows, k, Packed{list[place[k]], list[place[k + 1]], list[place[k + 2]], list[place[k + 3]]});
  for (; k < end; ++k) rows.rates[k] = rows.own[k] * rows.states[k] + rows.factor[k] * list[place[k]];
}

}  // namespace

CAROM_HOT_KERNEL void LinearRates::work_out(const double* list, double* rates) const {
  const Rows rows{own_.data(), factor_.data(), list + first_state_, rates};
  const int* const place = place_.data();
  int done = 0;
  for (const Run& run : runs_) {
    gather(rows, done, run.begin, list, place);
    const double* const others = list + run.place - run.begin;
    int k = run.begin;
    // Four at a time: counting would take a third of the loop.
    for (; k + 4 * packed_width <= run.end; k += 4 * packed_width) {
      for (int part = 0; part < 4; ++part) set_beside(rows, k + part * packed_width, others);
    }
    for (; k < run.end; k += packed_width) set_beside(rows, k, others);
    done = run.end;
  }
  gather(rows, done, static_cast<int>(own_.size()), list, place);
  for (const Further& each : further_) rates[each.state] += each.term.factor * list[each.term.place];
}

}  // namespace carom::inline control
