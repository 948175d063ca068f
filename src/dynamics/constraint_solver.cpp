#include "dynamics/constraint_solver.h"

#include <algorithm>

namespace carom::inline dynamics {

template <int D>
void ConstraintSolver<D>::build(const ConstraintSet<D>& constraints, const std::vector<BodyInertia<D>>& inertia,
                                std::vector<GroundedBody<D>> grounded) {
  inertia_ = &inertia;
  grounded_ = std::move(grounded);
  direction_.assign(grounded_.size(), Dofs::Zero());
  Graph graph = find_graph(constraints);
  order_blocks(graph);
  list_slots(graph);
  list_pairs(graph);
  find_fill();
  find_spare_rows(constraints);
  weighted_.assign(slots_.size(), Block::Zero());
  column_.assign(slots_.size(), Vector::Zero());
  weighted_column_ = column_;
  unknown_.assign(blocks_.size(), Vector::Zero());
}

// Without the blocks of joints that hold grounded bodies.
template <int D>
auto ConstraintSolver<D>::find_graph(const ConstraintSet<D>& constraints) const -> Graph {
  const std::size_t bodies = inertia_->size() + 1;
  Graph graph{.constraints = constraints,
              .grounded_of = std::vector<int>(bodies, -1),
              .kept = {},
              .index = std::vector<int>(constraints.block_count(), -1),
              .slots_of_body = std::vector<std::vector<int>>(bodies),
              .slots_of_kept = {}};
  std::vector<bool> left_out(constraints.block_count(), false);
  for (std::size_t g = 0; g < grounded_.size(); ++g) {
    graph.grounded_of[grounded_[g].body] = static_cast<int>(g);
    for (int k = constraints.first_block(grounded_[g].joint); k < constraints.end_block(grounded_[g].joint); ++k)
      left_out[k] = true;
  }
  for (int k = 0; k < constraints.block_count(); ++k) {
    if (left_out[k]) continue;
    graph.index[k] = static_cast<int>(graph.kept.size());
    graph.kept.push_back(k);
  }
  graph.slots_of_kept.resize(graph.kept.size());
  const auto& slots = constraints.slots();
  for (int s = 0; s < static_cast<int>(slots.size()); ++s) {
    if (left_out[slots[s].block]) continue;
    graph.slots_of_body[slots[s].body].push_back(s);
    graph.slots_of_kept[graph.index_of(s)].push_back(s);
  }
  return graph;
}

// Blocks are coupled where they meet in a body.
template <int D>
void ConstraintSolver<D>::order_blocks(const Graph& graph) {
  std::vector<std::pair<int, int>> couplings;
  for (const auto& list : graph.slots_of_body) {
    for (const int a : list) {
      for (const int b : list) {
        if (graph.block(a) < graph.block(b)) couplings.emplace_back(graph.index_of(a), graph.index_of(b));
      }
    }
  }
  const int count = static_cast<int>(graph.kept.size());
  ldlt_.analyse(count, couplings);
  blocks_.assign(count, 0);
  for (int k = 0; k < count; ++k) blocks_[ldlt_.position(k)] = graph.kept[k];
}

template <int D>
void ConstraintSolver<D>::list_slots(Graph& graph) {
  const auto& all = graph.constraints.slots();
  graph.entry_of.assign(all.size(), -1);
  slot_start_.assign(1, 0);
  slots_.clear();
  for (const int block : blocks_) {
    for (const int s : graph.slots_of_kept[graph.index[block]]) {
      const int body = all[s].body;
      graph.entry_of[s] = static_cast<int>(slots_.size());
      slots_.push_back({s, body, graph.grounded_of[body], (*inertia_)[body - 1].inverse_mass});
    }
    slot_start_.push_back(static_cast<int>(slots_.size()));
  }
}

template <int D>
void ConstraintSolver<D>::list_pairs(const Graph& graph) {
  pairs_.clear();
  for (std::size_t body = 0; body < graph.slots_of_body.size(); ++body) {
    const int g = graph.grounded_of[body];
    for (const int a : graph.slots_of_body[body]) {
      for (const int b : graph.slots_of_body[body]) {
        if (graph.block(a) == graph.block(b)) continue;
        const auto place = ldlt_.place(graph.index_of(a), graph.index_of(b));
        if (place.transposed) continue;
        pairs_.push_back(
            {graph.entry_of[a], graph.entry_of[b], place.index, false, g >= 0 ? grounded_[g].inverse_inertia : 0, g});
      }
    }
  }
  std::stable_sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) { return a.target < b.target; });
}

// Which pairs come first in their block of the matrix, and blocks that have none.
template <int D>
void ConstraintSolver<D>::find_fill() {
  std::vector<bool> assembled(ldlt_.fill(), false);
  for (Pair& pair : pairs_) {
    pair.first = !assembled[pair.target];
    assembled[pair.target] = true;
  }
  fill_.clear();
  for (std::size_t k = 0; k < assembled.size(); ++k) {
    if (!assembled[k]) fill_.push_back(static_cast<int>(k));
  }
}

template <int D>
void ConstraintSolver<D>::find_spare_rows(const ConstraintSet<D>& constraints) {
  spare_.clear();
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    for (int r = 0; r < D; ++r) {
      if (!constraints.label(D * blocks_[k] + r).used) spare_.push_back(static_cast<int>(D * k) + r);
    }
  }
}

template <int D>
void ConstraintSolver<D>::place_grounded(const Bodies<D>& bodies) {
  for (std::size_t g = 0; g < grounded_.size(); ++g) {
    const GroundedBody<D>& held = grounded_[g];
    Dofs& h = direction_[g];
    if (!held.turns) {
      h.template head<D>() = held.axis.template head<D>();
    } else if constexpr (D == 2) {
      const Vector lever = bodies[held.body].lever(held.pivot);
      h.template head<2>() << lever.y(), -lever.x();
    } else {
      h.template head<3>() = bodies[held.body].lever(held.pivot).cross(held.axis);
    }
    h.template tail<Space<D>::rotational_dofs>() = held.angular_velocity;
  }
}

template <int D>
void ConstraintSolver<D>::hold_grounded(const Bodies<D>& bodies, const Eigen::VectorXd& load, double* v_rate) const {
  for (std::size_t g = 0; g < grounded_.size(); ++g) {
    const GroundedBody<D>& held = grounded_[g];
    const int first = dofs * (held.body - 1);
    // What the angular velocity adds is perpendicular to h in the metric of the masses, so it takes no part in the
    // balance along h.
    const double rate = held.inverse_inertia * direction_[g].dot(load.template segment<dofs>(first));
    Eigen::Map<Dofs> a(v_rate + first);
    a = rate * direction_[g];
    if (held.turns) a.template head<D>() -= bodies[held.body].centripetal(bodies[held.body].lever(held.pivot));
  }
}

template <int D>
int ConstraintSolver<D>::factor(const ConstraintSet<D>& constraints) {
  const auto& jacobian = constraints.jacobian();
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    Eigen::Matrix<double, D, D> diagonal = Eigen::Matrix<double, D, D>::Zero();
    for (int s = slot_start_[k]; s < slot_start_[k + 1]; ++s) {
      const Slot& slot = slots_[s];
      const Block& j = jacobian[slot.slot];
      if (slot.grounded >= 0) {
        column_[s].noalias() = j * direction_[slot.grounded];
        weighted_column_[s] = grounded_[slot.grounded].inverse_inertia * column_[s];
        diagonal.noalias() += weighted_column_[s] * column_[s].transpose();
      } else {
        Block& weighted = weighted_[s];
        weighted.template leftCols<D>() = slot.inverse_mass * j.template leftCols<D>();
        weighted.template rightCols<Space<D>::rotational_dofs>().noalias() =
            j.template rightCols<Space<D>::rotational_dofs>() * (*inertia_)[slot.body - 1].inverse_tensor;
        diagonal.noalias() += weighted * j.transpose();
      }
    }
    ldlt_.diagonal_in_order(static_cast<int>(k)) = diagonal;
  }
  for (const int row : spare_) ldlt_.diagonal_in_order(row / D)(row % D, row % D) += 1;
  for (const int target : fill_) ldlt_.off_diagonal(target).setZero();
  for (const Pair& pair : pairs_) {
    auto& target = ldlt_.off_diagonal(pair.target);
    if (pair.first) target.setZero();
    if (pair.grounded >= 0) {
      target.noalias() += weighted_column_[pair.a] * column_[pair.b].transpose();
    } else {
      target.noalias() += weighted_[pair.a] * jacobian[slots_[pair.b].slot].transpose();
    }
  }
  return ldlt_.factor();
}

template <int D>
std::vector<int> ConstraintSolver<D>::dropped_rows() const {
  std::vector<int> rows;
  for (const int row : ldlt_.dropped_rows_in_order()) rows.push_back(D * blocks_[row / D] + row % D);
  std::sort(rows.begin(), rows.end());
  return rows;
}

template <int D>
void ConstraintSolver<D>::add_product(const ConstraintSet<D>& constraints, const double* a) {
  const auto& jacobian = constraints.jacobian();
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    Vector sum = unknown_[k];
    for (int s = slot_start_[k]; s < slot_start_[k + 1]; ++s) {
      sum.noalias() += jacobian[slots_[s].slot] * Eigen::Map<const Dofs>(a + dofs * (slots_[s].body - 1));
    }
    unknown_[k] = sum;
  }
}

template <int D>
void ConstraintSolver<D>::apply(double* v_rate) const {
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const Vector lambda = unknown_[k];
    for (int s = slot_start_[k]; s < slot_start_[k + 1]; ++s) {
      Eigen::Map<Dofs> rate(v_rate + dofs * (slots_[s].body - 1));
      if (slots_[s].grounded >= 0) {
        rate -= weighted_column_[s].dot(lambda) * direction_[slots_[s].grounded];
      } else {
        rate.noalias() -= weighted_[s].transpose() * lambda;
      }
    }
  }
}

template <int D>
void ConstraintSolver<D>::copy_multipliers(Eigen::VectorXd& lambda) const {
  for (std::size_t k = 0; k < blocks_.size(); ++k) lambda.template segment<D>(D * blocks_[k]) = unknown_[k];
}

template class ConstraintSolver<2>;
template class ConstraintSolver<3>;

}  // namespace carom::inline dynamics
