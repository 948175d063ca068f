#include "joints/constraint_set.h"

#include <array>
#include <cassert>

namespace carom {
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
  const int row = take_rows(D, "");
  coincidences_.push_back({body_i, body_j, point_i, point_j, row / D, slot_of(row, body_i), slot_of(row, body_j)});
}

template <int D>
void ConstraintSet<D>::hold_coordinate(const Coordinate<D>& coordinate, const std::string& what) {
  const int row = take_rows(1, what);
  held_.push_back({coordinate, row, slot_of(row, coordinate.body_i), slot_of(row, coordinate.body_j)});
}

template <int D>
void ConstraintSet<D>::hold_perpendicular(int body_i, const Vector& direction_i, int body_j, const Vector& direction_j,
                                          const std::string& what) {
  static_assert(D == 2 || D == 3);
  const int row = take_rows(1, what);
  perpendiculars_.push_back({body_i, body_j, direction_i, direction_j, row, slot_of(row, body_i), slot_of(row, body_j)});
}

template <int D>
void ConstraintSet<D>::hold_distance(int body_i, const Vector& point_i, int body_j, const Vector& point_j, double length) {
  const int row = take_rows(1, "distance");
  distances_.push_back({body_i, body_j, point_i, point_j, length, row, slot_of(row, body_i), slot_of(row, body_j)});
}

template <int D>
int ConstraintSet<D>::add_coordinate(const Coordinate<D>& coordinate) {
  coordinates_.push_back(coordinate);
  return static_cast<int>(coordinates_.size()) - 1;
}

template <int D>
void ConstraintSet<D>::hold_combination(std::vector<Term> terms, const Function& target, const std::string& what) {
  Combination combination{std::move(terms), target, take_rows(1, what), {}};
  for (const Term& term : combination.terms) {
    const Coordinate<D>& coordinate = coordinates_[term.coordinate];
    combination.slots.push_back(slot_of(combination.row, coordinate.body_i));
    combination.slots.push_back(slot_of(combination.row, coordinate.body_j));
  }
  combinations_.push_back(std::move(combination));
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
void ConstraintSet<D>::linearise(const Bodies<D>& bodies, double t) {
  for (const Coincidence& c : coincidences_) {
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
  for (const Held& h : held_) {
    const CoordinateRow<D> row = coordinate_row(h.coordinate, bodies);
    const int r = h.row % D;
    if (h.slot_i >= 0) jacobian_[h.slot_i].row(r) = row.gradient_i;
    if (h.slot_j >= 0) jacobian_[h.slot_j].row(r) = row.gradient_j;
    bias_[h.row / D][r] = -row.bias;
  }
  if constexpr (D == 3) {
    for (const Perpendicular& p : perpendiculars_) {
      const BodyState<3>&i = bodies[p.body_i], &j = bodies[p.body_j];
      const Eigen::Vector3d a = i.orientation * p.direction_i, b = j.orientation * p.direction_j, turn = b.cross(a);
      const Eigen::Vector3d a_rate = i.spin.cross(a), b_rate = j.spin.cross(b);
      const int r = p.row % D;
      if (p.slot_i >= 0) jacobian_[p.slot_i].template rightCols<3>().row(r) = -i.orientation.spin_to_body(turn).transpose();
      if (p.slot_j >= 0) jacobian_[p.slot_j].template rightCols<3>().row(r) = j.orientation.spin_to_body(turn).transpose();
      bias_[p.row / D][r] = -(i.spin.cross(a_rate).dot(b) + 2 * a_rate.dot(b_rate) + a.dot(j.spin.cross(b_rate)));
    }
  }
  for (const Distance& d : distances_) {
    const BodyState<D>&i = bodies[d.body_i], &j = bodies[d.body_j];
    const Vector lever_i = i.lever(d.point_i), lever_j = j.lever(d.point_j);
    const Vector between = j.position + lever_j - i.position - lever_i;
    const double length = between.norm();
    const Vector direction = between / length;
    const Vector relative = j.velocity_at(lever_j) - i.velocity_at(lever_i);
    const double along = direction.dot(relative);
    const int r = d.row % D;
    if (d.slot_i >= 0) {
      jacobian_[d.slot_i].row(r) << -direction.transpose(), -i.orientation.spin_to_body(cross(lever_i, direction)).transpose();
    }
    if (d.slot_j >= 0) {
      jacobian_[d.slot_j].row(r) << direction.transpose(), j.orientation.spin_to_body(cross(lever_j, direction)).transpose();
    }
    bias_[d.row / D][r] = direction.dot(i.centripetal(lever_i) - j.centripetal(lever_j)) -
                          (relative.squaredNorm() - along * along) / length;
  }
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
    g[h.row] = h.coordinate.kind == CoordinateKind::rotation && D == 3 ? std::remainder(value, 2 * M_PI) : value;
  }
  for (const Perpendicular& p : perpendiculars_) {
    g[p.row] = (bodies[p.body_i].orientation * p.direction_i).dot(bodies[p.body_j].orientation * p.direction_j);
  }
  for (const Distance& d : distances_) {
    g[d.row] = (bodies[d.body_j].point_position(d.point_j) - bodies[d.body_i].point_position(d.point_i)).norm() - d.length;
  }
  for (const Combination& c : combinations_) {
    double value = -c.target.value(t);
    for (const Term& term : c.terms) value += term.coefficient * coordinate_value(coordinates_[term.coordinate], bodies);
    g[c.row] = value;
  }
}

template <int D>
void ConstraintSet<D>::time_rate(double t, Eigen::VectorXd& g_t) const {
  g_t.setZero(row_count());
  for (const Combination& c : combinations_) g_t[c.row] = -c.target.derivatives(t).first;
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

}  // namespace carom
