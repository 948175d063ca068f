#include "integrators/smooth/stiffness_estimate.h"

#include <cmath>

#include "integrators/smooth/step_control.h"

namespace carom::inline smooth_integrators {
namespace {

constexpr double nudge = 1e-8;  // of the scale of an entry: far above rounding, below the depth of contacts at work

Eigen::VectorXd scale_of_entries(System& system) {
  Eigen::VectorXd scale = absolute_tolerances(system, 1);
  scale.segment(system.position_size() + system.velocity_size(), system.work_size()).setZero();
  return scale;
}

}  // namespace

StiffnessEstimate::StiffnessEstimate(System& system)
    : system_(system),
      nq_(system.position_size()),
      nv_(system.velocity_size()),
      nw_(system.work_size()),
      nz_(system.internal_size()),
      scale_(scale_of_entries(system)) {
  for (auto* vector : {&direction_, &here_, &there_}) vector->setZero(nq_ + nv_ + nw_ + nz_);
}

// Any direction will do that is at right angles to nothing; this one has no pattern that a mechanism could share.
void StiffnessEstimate::begin() {
  for (Eigen::Index k = 0; k < direction_.size(); ++k)
    direction_[k] = scale_[k] > 0 ? std::sin(1.0 + 2.3 * static_cast<double>(k * k % 101)) : 0;
  direction_.normalize();
  begun_ = true;
}

bool StiffnessEstimate::rates_at(const State& state, double share, Eigen::VectorXd& rate) {
  ++evaluations_;
  moved_ = state;
  if (share != 0) {
    moved_.q += share * direction_.head(nq_).cwiseProduct(scale_.head(nq_));
    moved_.v += share * direction_.segment(nq_, nv_).cwiseProduct(scale_.segment(nq_, nv_));
    moved_.internal += share * direction_.tail(nz_).cwiseProduct(scale_.tail(nz_));
  }
  if (nz_ > 0) system_.set_internal(moved_.internal.data());
  return system_.rates(state.t, moved_.q.data(), moved_.v.data(), rate.data(), rate.data() + nq_,
                       rate.data() + nq_ + nv_, rate.data() + nq_ + nv_ + nw_) != SolveStatus::failed &&
         all_finite(rate.data(), nq_ + nv_ + nw_ + nz_);
}

// By how much one application of the linearised rates makes the direction longer; 0: nothing is left of it.
double StiffnessEstimate::advance_direction(const State& state) {
  if (!rates_at(state, nudge, there_)) return 0;
  there_ = (there_ - here_) / nudge;
  for (Eigen::Index k = 0; k < there_.size(); ++k) there_[k] = scale_[k] > 0 ? there_[k] / scale_[k] : 0;
  const double length = there_.norm();
  if (!(length > 0) || !std::isfinite(length)) return 0;
  direction_ = there_ / length;
  return length;
}

double StiffnessEstimate::look(const State& state, int pairs) {
  if (!begun_) begin();
  if (!rates_at(state, 0, here_)) return 0;
  double fastest = 0;
  for (int k = 0; k < pairs; ++k) {
    const double first = advance_direction(state), second = first > 0 ? advance_direction(state) : 0;
    if (!(first > 0 && second > 0)) {
      begun_ = false;
      break;
    }
    fastest = std::sqrt(first * second);
  }
  return fastest;
}

}  // namespace carom::inline smooth_integrators
