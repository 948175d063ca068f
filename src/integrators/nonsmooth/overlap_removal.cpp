#include "integrators/nonsmooth/overlap_removal.h"

#include <algorithm>

namespace carom::inline nonsmooth_integrators {
namespace {

constexpr double most_round_turn = 0.3;  // rad, of a round: beyond it directions are others
constexpr double nearby = 3;             // times the deepest overlap: what multipliers may bring together

}  // namespace

template <int D>
void OverlapRemoval<D>::find(const Bodies<D>& bodies, double within) {
  context_.contacts.find_nonsmooth(bodies, within, contacts_);
  if (context_.contacts.crossed_count() == 0) return;
  context_.contacts.find_crossed_as_they_are(bodies, within, others_);
  contacts_.insert(contacts_.end(), others_.begin(), others_.end());
}

template <int D>
double OverlapRemoval<D>::deepest(const Bodies<D>& bodies) {
  find(bodies, 0);
  double most = 0;
  for (const NonsmoothContact<D>& contact : contacts_) most = std::max(most, -contact.gap);
  return most;
}

template <int D>
bool OverlapRemoval<D>::run(double tolerance, Effort effort, const StepStart<D>& start, const SmoothState<D>& smooth,
                            CorrectedState<D>& state) {
  CorrectionEquations<D>& e = equations_;
  if (context_.constrained && !e.mechanism.factor_for_positions(start, smooth)) return false;
  double first = 0;
  for (int round = 0; round < effort.rounds; ++round) {
    const double deep = deepest(state.bodies);
    first = std::max(first, deep);
    e.find_joint_residual(smooth, state);
    const bool joined =
        context_.rows == 0 || e.residual.template lpNorm<Eigen::Infinity>() <= 0.1 * context_.gap_tolerance;
    if (joined && deep <= tolerance) {
      context_.system.increment(smooth.end.q.data(), state.q.data(), state.correction.data());
      close(tolerance, nearby * first, state);
      return true;
    }
    find(state.bodies, nearby * deep);
    if (contacts_.size() > effort.contacts || !separate(tolerance, state)) return false;
  }
  return false;
}

template <int D>
void OverlapRemoval<D>::set_rows(const Bodies<D>& bodies) {
  rows_.setZero(context_.nv, static_cast<Eigen::Index>(contacts_.size()));
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const NonsmoothContact<D>& contact = contacts_[c];
    auto column = rows_.col(static_cast<Eigen::Index>(c));
    if (contact.a > 0)
      column.template segment<dofs>(dofs * (contact.a - 1)) +=
          ContactRows<D>::slide_of_a(contact, contact.normal, bodies).transpose();
    if (contact.b > 0)
      column.template segment<dofs>(dofs * (contact.b - 1)) +=
          ContactRows<D>::slide_of_b(contact, contact.normal, bodies).transpose();
  }
}

template <int D>
void OverlapRemoval<D>::set_changes() {
  constexpr int rotational_dofs = Space<D>::rotational_dofs;
  CorrectionEquations<D>& e = equations_;
  changes_.resize(context_.nv + context_.rows, rows_.cols());
  for (Eigen::Index c = 0; c < rows_.cols(); ++c) {
    if (context_.constrained) {
      e.right.setZero();
      e.right.head(context_.nv) = rows_.col(c);
      e.mechanism.solve(e.right);
      changes_.col(c) = e.right;
      continue;
    }
    for (std::size_t b = 0; b < context_.system.inertia().size(); ++b) {
      const BodyInertia<D>& body = context_.system.inertia()[b];
      const auto row = rows_.col(c).template segment<dofs>(dofs * b);
      auto change = changes_.col(c).template segment<dofs>(dofs * b);
      change.template head<D>() = body.inverse_mass * row.template head<D>();
      change.template tail<rotational_dofs>() = body.inverse_tensor * row.template tail<rotational_dofs>();
    }
  }
}

// Bodies without joints turn no farther than directions stay what they are, and go as far as they should; those of a
// mechanism do less of all.
template <int D>
double OverlapRemoval<D>::bound_turns() {
  double part = 1;
  for (Eigen::Index k = D; k < context_.nv; k += dofs) {
    auto turn = change_.template segment<Space<D>::rotational_dofs>(k);
    const double angle = turn.norm();
    if (!(angle > most_round_turn)) continue;
    if (context_.constrained) {
      part = std::min(part, most_round_turn / angle);
    } else {
      turn *= most_round_turn / angle;
    }
  }
  return part;
}

template <int D>
bool OverlapRemoval<D>::separate(double tolerance, CorrectedState<D>& state) {
  CorrectionEquations<D>& e = equations_;
  set_rows(state.bodies);
  set_changes();
  delassus_.noalias() = rows_.transpose() * changes_.topRows(context_.nv);
  change_.setZero(context_.nv);
  if (context_.rows > 0) {
    e.right.setZero();
    e.right.tail(context_.rows) = -e.residual;
    e.mechanism.solve(e.right);
    change_ = e.right.head(context_.nv);
  }
  gaps_.noalias() = rows_.transpose() * change_;
  for (std::size_t c = 0; c < contacts_.size(); ++c) gaps_[static_cast<Eigen::Index>(c)] += contacts_[c].gap;
  if (!solver_.solve(static_cast<int>(contacts_.size()), delassus_.data(), gaps_.data(), 0.1 * tolerance, multipliers_))
    return false;
  for (std::size_t c = 0; c < multipliers_.size(); ++c) {
    if (multipliers_[c] > 0) change_ += multipliers_[c] * changes_.col(static_cast<Eigen::Index>(c)).head(context_.nv);
  }
  const double part = bound_turns();
  const Eigen::VectorXd& weight = context_.system.weight();
  for (std::size_t c = 0; c < multipliers_.size(); ++c) {
    if (!(multipliers_[c] > 0)) continue;
    state.pressed.push_back(contacts_[c]);
    const auto change = changes_.col(static_cast<Eigen::Index>(c)).head(context_.nv);
    state.lift_work.push_back(-part * multipliers_[c] * weight.dot(change));
  }
  change_ *= part;
  q_ = state.q;
  context_.system.retract(q_.data(), change_.data(), state.q.data());
  context_.system.normalise(state.q.data());
  context_.system.place(state.q.data(), nullptr, state.bodies);
  ++state.iterations;
  return true;
}

// What bears a multiplier stays closed, else its bodies would go on as if nothing had happened; but not what has come
// far away.
template <int D>
void OverlapRemoval<D>::close(double tolerance, double far, CorrectedState<D>& state) {
  const auto by_point = [](const NonsmoothContact<D>& a, const NonsmoothContact<D>& b) { return a.point < b.point; };
  find(state.bodies, tolerance);
  others_ = state.closed;
  others_.insert(others_.end(), state.pressed.begin(), state.pressed.end());
  std::stable_sort(others_.begin(), others_.end(), by_point);
  context_.contacts.update_nonsmooth(state.bodies, others_);
  for (const NonsmoothContact<D>& contact : others_) {
    if (contact.gap <= far) contacts_.push_back(contact);
  }
  std::stable_sort(contacts_.begin(), contacts_.end(), by_point);
  contacts_.erase(
      std::unique(contacts_.begin(), contacts_.end(), [](const auto& a, const auto& b) { return a.point == b.point; }),
      contacts_.end());
  state.closed = contacts_;
}

template class OverlapRemoval<2>;
template class OverlapRemoval<3>;

}  // namespace carom::inline nonsmooth_integrators
