#include "joints/constraint_set.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace carom::inline joints {
namespace {

constexpr std::array<const char*, 3> position_labels = {"position x", "position y", "position z"};

Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
  Eigen::Matrix3d matrix;
  matrix << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return matrix;
}

}  // namespace

template <int D>
void ConstraintSet<D>::begin_joint() {
  next_row_ = (next_row_ + D - 1) / D * D;
  joint_starts_.push_back(next_row_ / D);
}

template <int D>
int ConstraintSet<D>::take_rows(int count, const std::string& what) {
  if (count == D) next_row_ = (next_row_ + D - 1) / D * D;
  const int row = next_row_;
  next_row_ += count;
  labels_.resize((next_row_ + D - 1) / D * D);
  for (int k = row; k < next_row_; ++k) {
    labels_[k] = {static_cast<int>(joint_starts_.size()) - 1, count == 1 ? what : position_labels[k - row], true};
  }
  used_rows_ += count;
  return row;
}

template <int D>
int ConstraintSet<D>::slot_of(int row, int body) {
  if (body == 0) return -1;
  const int block = row / D;
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    const std::size_t from_end = slots_.size() - 1 - k;
    if (slots_[from_end].block == block && slots_[from_end].body == body) return static_cast<int>(from_end);
    if (k > 64) break;  // slots of one block are added within the few of its joint
  }
  slots_.push_back({block, body});
  return static_cast<int>(slots_.size()) - 1;
}

template <int D>
void ConstraintSet<D>::coincide(int body_i, const Vector& point_i, int body_j, const Vector& point_j) {
  if (muted_) return;
  const int row = take_rows(D, "");
  coincidences_.push_back({body_i, body_j, point_i, point_j, row / D, slot_of(row, body_i), slot_of(row, body_j)});
}

template <int D>
void ConstraintSet<D>::hold_coordinate(const Coordinate<D>& coordinate, const std::string& what) {
  if (muted_) return;
  const int row = take_rows(1, what);
  held_.push_back({coordinate.body_i, coordinate.body_j, coordinate, row, slot_of(row, coordinate.body_i),
                   slot_of(row, coordinate.body_j)});
}

template <int D>
void ConstraintSet<D>::hold_perpendicular(int body_i, const Vector& direction_i, int body_j, const Vector& direction_j,
                                          const std::string& what) {
  static_assert(D == 2 || D == 3);
  if (muted_) return;
  const int row = take_rows(1, what);
  perpendiculars_.push_back(
      {body_i, body_j, direction_i, direction_j, row, slot_of(row, body_i), slot_of(row, body_j)});
}

template <int D>
void ConstraintSet<D>::hold_distance(int body_i, const Vector& point_i, int body_j, const Vector& point_j,
                                     double length) {
  if (muted_) return;
  const int row = take_rows(1, "distance");
  distances_.push_back({body_i, body_j, point_i, point_j, length, row, slot_of(row, body_i), slot_of(row, body_j)});
}

template <int D>
void ConstraintSet<D>::hold_row(int body_i, int body_j, std::shared_ptr<const PairRow<D>> row,
                                const std::string& what) {
  if (muted_) return;
  const int number = take_rows(1, what);
  own_.push_back({body_i, body_j, std::move(row), number, slot_of(number, body_i), slot_of(number, body_j)});
}

template <int D>
int ConstraintSet<D>::add_coordinate(const Coordinate<D>& coordinate) {
  coordinates_.push_back(coordinate);
  return static_cast<int>(coordinates_.size()) - 1;
}

template <int D>
void ConstraintSet<D>::hold_combination(std::vector<Term> terms, const Function& target, const std::string& what) {
  if (muted_) return;
  Combination combination{std::move(terms), target, take_rows(1, what), {}};
  for (const Term& term : combination.terms) {
    const Coordinate<D>& coordinate = coordinates_[term.coordinate];
    combination.slots.push_back(slot_of(combination.row, coordinate.body_i));
    combination.slots.push_back(slot_of(combination.row, coordinate.body_j));
  }
  combinations_.push_back(std::move(combination));
}

template <int D>
std::pair<int, int> ConstraintSet<D>::slots_of(int joint) const {
  const auto before = [](const Slot& slot, int block) { return slot.block < block; };
  const auto first = std::lower_bound(slots_.begin(), slots_.end(), first_block(joint), before);
  const auto last = std::lower_bound(first, slots_.end(), end_block(joint), before);
  return {static_cast<int>(first - slots_.begin()), static_cast<int>(last - slots_.begin())};
}

template <int D>
void ConstraintSet<D>::finish() {
  const int blocks = (next_row_ + D - 1) / D;
  labels_.resize(blocks * D);
  jacobian_.assign(slots_.size(), Block::Zero());
  bias_.assign(blocks, Vector::Zero());
  for (const Coincidence& c : coincidences_) {
    if (c.slot_i >= 0) jacobian_[c.slot_i].template leftCols<D>() = -Eigen::Matrix<double, D, D>::Identity();
    if (c.slot_j >= 0) jacobian_[c.slot_j].template leftCols<D>() = Eigen::Matrix<double, D, D>::Identity();
  }
}

template <int D>
void ConstraintSet<D>::set_aside(const std::vector<int>& joints) {
  std::vector<bool> aside(block_count(), false);
  for (const int joint : joints) {
    for (int k = first_block(joint); k < end_block(joint); ++k) aside[k] = true;
  }
  const auto keep_first = [&](auto& primitives, const auto& block_of) {
    const auto split = std::stable_partition(primitives.begin(), primitives.end(),
                                             [&](const auto& primitive) { return !aside[block_of(primitive)]; });
    return static_cast<std::size_t>(split - primitives.begin());
  };
  const auto row_block = [](const auto& primitive) { return primitive.row / D; };
  kept_coincidences_ = keep_first(coincidences_, [](const Coincidence& c) { return c.block; });
  kept_held_ = keep_first(held_, row_block);
  kept_perpendiculars_ = keep_first(perpendiculars_, row_block);
  kept_distances_ = keep_first(distances_, row_block);
  kept_own_ = keep_first(own_, row_block);
}

template <int D>
std::optional<std::vector<typename ConstraintSet<D>::Coincidence>> ConstraintSet<D>::kept_pins(int combinations) const {
  if (kept_held_ + kept_perpendiculars_ + kept_distances_ + kept_own_ > 0 || combination_count() != combinations)
    return std::nullopt;
  return std::vector<Coincidence>(coincidences_.begin(),
                                  coincidences_.begin() + static_cast<std::ptrdiff_t>(kept_coincidences_));
}

template <int D>
CoordinateRow<D> ConstraintSet<D>::row_of(const Perpendicular& p, const Bodies<D>& bodies) {
  CoordinateRow<D> row;
  if constexpr (D == 3) {
    const BodyState<3>&i = bodies[p.body_i], &j = bodies[p.body_j];
    const Eigen::Vector3d a = i.orientation * p.direction_i, b = j.orientation * p.direction_j, turn = b.cross(a);
    const Eigen::Vector3d a_rate = i.angular_velocity.cross(a), b_rate = j.angular_velocity.cross(b);
    row.gradient_i << 0, 0, 0, -i.orientation.angular_to_body(turn).transpose();
    row.gradient_j << 0, 0, 0, j.orientation.angular_to_body(turn).transpose();
    row.bias =
        i.angular_velocity.cross(a_rate).dot(b) + 2 * a_rate.dot(b_rate) + a.dot(j.angular_velocity.cross(b_rate));
  } else {
    assert(false && "directions are held perpendicular only in space");
    row.gradient_i.setZero();
    row.gradient_j.setZero();
  }
  return row;
}

template <int D>
CoordinateRow<D> ConstraintSet<D>::row_of(const Distance& d, const Bodies<D>& bodies) {
  const BodyState<D>&i = bodies[d.body_i], &j = bodies[d.body_j];
  const Vector lever_i = i.lever(d.point_i), lever_j = j.lever(d.point_j);
  const Vector between = j.position + lever_j - i.position - lever_i;
  const double length = between.norm();
  const Vector direction = between / length;
  const Vector relative = j.velocity_at(lever_j) - i.velocity_at(lever_i);
  const double along = direction.dot(relative);
  CoordinateRow<D> row;
  row.gradient_i << -direction.transpose(), -i.orientation.angular_to_body(cross(lever_i, direction)).transpose();
  row.gradient_j << direction.transpose(), j.orientation.angular_to_body(cross(lever_j, direction)).transpose();
  row.bias = direction.dot(j.centripetal(lever_j) - i.centripetal(lever_i)) +
             (relative.squaredNorm() - along * along) / length;
  return row;
}

template <int D>
template <class Primitive>
void ConstraintSet<D>::linearise_rows(const std::vector<Primitive>& primitives, std::size_t count,
                                      const Bodies<D>& bodies) {
  for (std::size_t k = 0; k < count; ++k) {
    const Primitive& primitive = primitives[k];
    const CoordinateRow<D> row = row_of(primitive, bodies);
    const int r = primitive.row % D;
    if (primitive.slot_i >= 0) jacobian_[primitive.slot_i].row(r) = row.gradient_i;
    if (primitive.slot_j >= 0) jacobian_[primitive.slot_j].row(r) = row.gradient_j;
    bias_[primitive.row / D][r] = -row.bias;
  }
}

template <int D>
void ConstraintSet<D>::linearise(const Bodies<D>& bodies, double t, Scope scope) {
  const bool all = scope == Scope::all;
  for (std::size_t k = 0; k < (all ? coincidences_.size() : kept_coincidences_); ++k) {
    const Coincidence& c = coincidences_[k];
    const BodyState<D>&i = bodies[c.body_i], &j = bodies[c.body_j];
    const Vector lever_i = i.lever(c.point_i), lever_j = j.lever(c.point_j);
    if constexpr (D == 2) {
      if (c.slot_i >= 0) jacobian_[c.slot_i].col(2) << lever_i.y(), -lever_i.x();
      if (c.slot_j >= 0) jacobian_[c.slot_j].col(2) << -lever_j.y(), lever_j.x();
    } else {
      if (c.slot_i >= 0) jacobian_[c.slot_i].template rightCols<3>() = skew(lever_i) * i.orientation.matrix();
      if (c.slot_j >= 0) jacobian_[c.slot_j].template rightCols<3>() = -skew(lever_j) * j.orientation.matrix();
    }
    bias_[c.block] = i.centripetal(lever_i) - j.centripetal(lever_j);
  }
  linearise_rows(held_, all ? held_.size() : kept_held_, bodies);
  linearise_rows(perpendiculars_, all ? perpendiculars_.size() : kept_perpendiculars_, bodies);
  linearise_rows(distances_, all ? distances_.size() : kept_distances_, bodies);
  linearise_rows(own_, all ? own_.size() : kept_own_, bodies);
  for (const Combination& c : combinations_) {
    const int r = c.row % D;
    for (const int slot : c.slots) {
      if (slot >= 0) jacobian_[slot].row(r).setZero();
    }
    double bias = c.target.derivatives(t).second;
    for (std::size_t k = 0; k < c.terms.size(); ++k) {
      const CoordinateRow<D> row = coordinate_row(coordinates_[c.terms[k].coordinate], bodies);
      const double coefficient = c.terms[k].coefficient;
      if (c.slots[2 * k] >= 0) jacobian_[c.slots[2 * k]].row(r) += coefficient * row.gradient_i;
      if (c.slots[2 * k + 1] >= 0) jacobian_[c.slots[2 * k + 1]].row(r) += coefficient * row.gradient_j;
      bias -= coefficient * row.bias;
    }
    bias_[c.row / D][r] = bias;
  }
}

template <int D>
void ConstraintSet<D>::residual(const Bodies<D>& bodies, double t, Eigen::VectorXd& g) const {
  g.setZero(row_count());
  for (const Coincidence& c : coincidences_) {
    g.template segment<D>(D * c.block) =
        bodies[c.body_j].point_position(c.point_j) - bodies[c.body_i].point_position(c.point_i);
  }
  for (const Held& h : held_) {
    const double value = coordinate_value(h.coordinate, bodies);
    // A rotation that is held does not mind full turns.
    g[h.row] = h.coordinate.kind == CoordinateKind::rotation ? std::remainder(value, 2 * M_PI) : value;
  }
  for (const Perpendicular& p : perpendiculars_) {
    g[p.row] = (bodies[p.body_i].orientation * p.direction_i).dot(bodies[p.body_j].orientation * p.direction_j);
  }
  for (const Distance& d : distances_) {
    g[d.row] =
        (bodies[d.body_j].point_position(d.point_j) - bodies[d.body_i].point_position(d.point_i)).norm() - d.length;
  }
  for (const Own& own : own_) g[own.row] = own.function->value(bodies);
  for (const Combination& c : combinations_) {
    double value = -c.target.value(t);
    for (const Term& term : c.terms)
      value += term.coefficient * coordinate_value(coordinates_[term.coordinate], bodies);
    g[c.row] = value;
  }
}

template <int D>
void ConstraintSet<D>::time_rate(double t, Eigen::VectorXd& g_t) const {
  g_t.setZero(row_count());
  for (const Combination& c : combinations_) g_t[c.row] = -c.target.derivatives(t).first;
}

template <int D>
void ConstraintSet<D>::geometric_stiffness(Bodies<D>& bodies, const Eigen::VectorXd& lambda,
                                           const std::function<void(int, int, const SquareBlock&)>& add) const {
  constexpr int rotational_dofs = Space<D>::rotational_dofs;
  // A coincidence row's force is constant; only its lever arm turns with the body.
  const auto add_lever = [&](int body, const Vector& point, const Vector& force) {
    if (body == 0) return;
    const BodyState<D>& state = bodies[body];
    SquareBlock block = SquareBlock::Zero();
    if constexpr (D == 2) {
      block(2, 2) = -state.lever(point).dot(force);
    } else {
      block.template bottomRightCorner<rotational_dofs, rotational_dofs>() =
          skew(point) * skew(state.orientation.back(force));
    }
    add(body, body, block);
  };
  for (const Coincidence& c : coincidences_) {
    const Vector force = lambda.template segment<D>(D * c.block);
    add_lever(c.body_i, c.point_i, -force);
    add_lever(c.body_j, c.point_j, force);
  }
  // The gradients of single rows are smooth functions of two poses: central differences are exact enough for a tangent.
  const auto add_row = [&](int body_i, int body_j, double multiplier, const auto& row_at) {
    for (const int column : {body_i, body_j}) {
      if (column == 0 || (column == body_i && column == body_j)) continue;
      SquareBlock on_i, on_j;
      const BodyState<D> original = bodies[column];
      for (int k = 0; k < Space<D>::dofs; ++k) {
        constexpr double step = 1e-6;
        bodies[column] = displaced(original, k, step);
        const CoordinateRow<D> ahead = row_at();
        bodies[column] = displaced(original, k, -step);
        const CoordinateRow<D> behind = row_at();
        on_i.col(k) = (ahead.gradient_i - behind.gradient_i).transpose() * (multiplier / (2 * step));
        on_j.col(k) = (ahead.gradient_j - behind.gradient_j).transpose() * (multiplier / (2 * step));
      }
      bodies[column] = original;
      if (body_i > 0) add(body_i, column, on_i);
      if (body_j > 0) add(body_j, column, on_j);
    }
  };
  for (const Held& h : held_) add_row(h.body_i, h.body_j, lambda[h.row], [&] { return row_of(h, bodies); });
  for (const Perpendicular& p : perpendiculars_)
    add_row(p.body_i, p.body_j, lambda[p.row], [&] { return row_of(p, bodies); });
  for (const Distance& d : distances_) add_row(d.body_i, d.body_j, lambda[d.row], [&] { return row_of(d, bodies); });
  for (const Own& o : own_) add_row(o.body_i, o.body_j, lambda[o.row], [&] { return row_of(o, bodies); });
  for (const Combination& c : combinations_) {
    for (const Term& term : c.terms) {
      const Coordinate<D>& x = coordinates_[term.coordinate];
      add_row(x.body_i, x.body_j, term.coefficient * lambda[c.row], [&] { return coordinate_row(x, bodies); });
    }
  }
}

template <int D>
std::vector<std::pair<int, int>> ConstraintSet<D>::coupled_bodies() const {
  std::vector<std::pair<int, int>> pairs;
  for (const Coincidence& c : coincidences_) pairs.insert(pairs.end(), {{c.body_i, c.body_i}, {c.body_j, c.body_j}});
  for (const Held& h : held_) pairs.emplace_back(h.body_i, h.body_j);
  for (const Perpendicular& p : perpendiculars_) pairs.emplace_back(p.body_i, p.body_j);
  for (const Distance& d : distances_) pairs.emplace_back(d.body_i, d.body_j);
  for (const Own& own : own_) pairs.emplace_back(own.body_i, own.body_j);
  for (const Coordinate<D>& x : coordinates_) pairs.emplace_back(x.body_i, x.body_j);
  return pairs;
}

template <int D>
void ConstraintSet<D>::remember_turns(const Bodies<D>& bodies) {
  if constexpr (D == 3) {
    for (Coordinate<D>& coordinate : coordinates_) {
      if (coordinate.kind == CoordinateKind::rotation) coordinate.turn_memory = coordinate_value(coordinate, bodies);
    }
  }
}

template <int D>
void ConstraintSet<D>::forget_turns(const Bodies<D>& bodies) {
  if constexpr (D == 3) {
    for (Coordinate<D>& coordinate : coordinates_) coordinate.turn_memory = 0;
    remember_turns(bodies);
  }
}

template class ConstraintSet<2>;
template class ConstraintSet<3>;

}  // namespace carom::inline joints
