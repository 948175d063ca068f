#include "impact/restitution_share.h"

#include <cmath>

namespace carom::inline impact {
namespace {

constexpr double solver_rounding = 1e-10;  // of the size: what solvers leave
constexpr double close = 1e-8;             // of the size: as near to no loss as is worth a further solve
constexpr double narrow = 1e-10;           // of the factor
constexpr int most_solves = 60;

}  // namespace

// By the rule of false position (Illinois); where the gain jumps, halves get there.
void RestitutionShare::choose() {
  factor_ = low_ - gain_low_ * (high_ - low_) / (gain_high_ - gain_low_);
  if (!(factor_ > low_ && factor_ < high_) || solves_ > most_solves / 2) factor_ = 0.5 * (low_ + high_);
}

bool RestitutionShare::settle(double gain, double size, double unsure) {
  ++solves_;
  switch (stage_) {
    case Stage::whole:
      if (gain <= solver_rounding * size + unsure) return true;
      stage_ = Stage::none;
      avoided_ = gain_high_ = gain;
      factor_ = 0;
      return false;
    case Stage::none:
      if (!(gain <= 0)) return true;  // rounding: nothing is left to be taken back
      stage_ = Stage::between;
      gain_low_ = gain;
      choose();
      return false;
    case Stage::between:
      break;
    case Stage::last:
      return true;
  }
  if (gain <= 0) {
    low_ = factor_, gain_low_ = gain;
    if (gain > -close * size) return true;
    if (side_ < 0) gain_high_ *= 0.5;
    side_ = -1;
  } else {
    high_ = factor_, gain_high_ = gain;
    if (side_ > 0) gain_low_ *= 0.5;
    side_ = 1;
  }
  if (high_ - low_ > narrow && solves_ < most_solves) {
    choose();
    return false;
  }
  if (factor_ == low_) return true;
  stage_ = Stage::last;
  factor_ = low_;
  return false;
}

}  // namespace carom::inline impact
