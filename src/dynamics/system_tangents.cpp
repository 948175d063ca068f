#include "dynamics/system_of.h"

namespace carom::inline dynamics {

template <int D>
void SystemOf<D>::build_matrices() {
  build_mass();
  build_jacobian();
  build_tangents();
  place_beam_tangents();
}

template <int D>
void SystemOf<D>::build_mass() {
  std::vector<Eigen::Triplet<double>> mass;
  for (int b = 0; b < body_count(); ++b) {
    for (int k = 0; k < D; ++k) mass.emplace_back(dofs * b + k, dofs * b + k, inertia_[b].mass);
    for (int r = 0; r < rotational_dofs; ++r) {
      for (int c = 0; c < rotational_dofs; ++c)
        mass.emplace_back(dofs * b + D + r, dofs * b + D + c, inertia_[b].tensor(r, c));
    }
  }
  add_beam_mass(mass);
  mass_matrix_.resize(velocity_size(), velocity_size());
  mass_matrix_.setFromTriplets(mass.begin(), mass.end());
}

// Its pattern, and where the columns of every block begin.
template <int D>
void SystemOf<D>::build_jacobian() {
  std::vector<Eigen::Triplet<double>> jacobian;
  for (const auto& slot : constraints_.slots()) {
    for (int c = 0; c < dofs; ++c) {
      for (int r = 0; r < D; ++r) jacobian.emplace_back(D * slot.block + r, dofs * (slot.body - 1) + c, 1.0);
    }
  }
  jacobian_.matrix.resize(constraint_size(), velocity_size());
  jacobian_.matrix.setFromTriplets(jacobian.begin(), jacobian.end());
  jacobian_.matrix.makeCompressed();
  for (const auto& slot : constraints_.slots()) {
    for (int c = 0; c < dofs; ++c) {
      jacobian_.places.push_back(static_cast<int>(
          &jacobian_.matrix.coeffRef(D * slot.block, dofs * (slot.body - 1) + c) - jacobian_.matrix.valuePtr()));
    }
  }
}

// By a joint, by a force element, by contact, and each with itself; in both orders.
template <int D>
std::set<std::pair<int, int>> SystemOf<D>::interacting_bodies() const {
  std::set<std::pair<int, int>> pairs;
  const auto couple = [&](int a, int b) {
    if (a > 0 && b > 0) pairs.insert({{a, b}, {b, a}});
  };
  for (int b = 1; b <= body_count(); ++b) couple(b, b);
  for (const auto& [a, b] : constraints_.coupled_bodies()) couple(a, b);
  for (const ForceRecord& force : forces_) {
    const std::vector<int>& involved = force.by_signals() ? force.involved : force.bodies;
    for (const int a : involved) {
      for (const int b : involved) couple(a, b);
    }
  }
  for (const BeamElement<D>& element : beams_.elements) couple(element.data().a, element.data().b);
  for (const auto& [a, b] : contacts_.body_pairs()) couple(a, b);
  return pairs;
}

// The pattern of stiffness and damping, and where the columns of every block begin.
template <int D>
void SystemOf<D>::build_tangents() {
  const std::set<std::pair<int, int>> pairs = interacting_bodies();
  std::vector<Eigen::Triplet<double>> tangent;
  for (const auto& [a, b] : pairs) {
    for (int r = 0; r < dofs; ++r) {
      for (int c = 0; c < dofs; ++c) tangent.emplace_back(dofs * (a - 1) + r, dofs * (b - 1) + c, 0.0);
    }
  }
  tangents_.pattern.resize(velocity_size(), velocity_size());
  tangents_.pattern.setFromTriplets(tangent.begin(), tangent.end());
  tangents_.pattern.makeCompressed();
  for (const auto& [a, b] : pairs) {
    std::array<int, 6> columns{};
    for (int c = 0; c < dofs; ++c) {
      columns[c] = static_cast<int>(&tangents_.pattern.coeffRef(dofs * (a - 1), dofs * (b - 1) + c) -
                                    tangents_.pattern.valuePtr());
    }
    tangents_.places[{a, b}] = static_cast<int>(tangents_.columns.size());
    tangents_.columns.push_back(columns);
  }
}

template <int D>
const Eigen::SparseMatrix<double>& SystemOf<D>::constraint_jacobian(double t, const double* q) {
  // Asked for again and again where a step looks for its end.
  if (std::equal(jacobian_.q.begin(), jacobian_.q.end(), q) && !jacobian_.q.empty()) return jacobian_.matrix;
  jacobian_.q.assign(q, q + position_size());
  set_positions(q);
  constraints_.linearise(bodies_, t);
  const int* place = jacobian_.places.data();
  for (const Block& block : constraints_.jacobian()) {
    for (int c = 0; c < dofs; ++c) {
      Eigen::Map<Vector>(jacobian_.matrix.valuePtr() + *place++) = block.col(c);
    }
  }
  return jacobian_.matrix;
}

template <int D>
void SystemOf<D>::tangents(double t, const double* q, const double* v, const Eigen::VectorXd& lambda,
                           Eigen::SparseMatrix<double>& stiffness, Eigen::SparseMatrix<double>& damping) {
  clear_tangents(stiffness, damping);
  set_positions(q);
  set_velocities(v);
  look(t);
  constraints_.geometric_stiffness(bodies_, lambda, [&](int row, int column, const SquareBlock& block) {
    add_tangent(stiffness, row, column, block);
  });

  // Gyroscopic load −ω × Jω: C = ∂(ω × Jω)/∂ω, exact.
  if constexpr (D == 3) {
    for (int b = 0; b < body_count(); ++b) {
      const Eigen::Vector3d angular_velocity = bodies_[b + 1].orientation.back(bodies_[b + 1].angular_velocity),
                            momentum = inertia_[b].tensor * angular_velocity;
      SquareBlock block = SquareBlock::Zero();
      for (int c = 0; c < 3; ++c) {
        const Eigen::Vector3d unit = Eigen::Vector3d::Unit(c);
        block.template block<3, 1>(3, 3 + c) = unit.cross(momentum) + angular_velocity.cross(inertia_[b].tensor.col(c));
      }
      add_tangent(damping, b + 1, b + 1, block);
    }
  }

  add_beam_tangents(stiffness, damping);
  for (const ForceRecord& force : forces_) {
    if (force.by_signals() || !force.element->tangents(bodies_, t, tangents_.of_force)) continue;
    for (std::size_t i = 0; i < force.bodies.size(); ++i) {
      for (std::size_t j = 0; j < force.bodies.size(); ++j) {
        const int place = tangents_.places.at({force.bodies[i], force.bodies[j]});
        add_tangent(stiffness, place, tangents_.of_force.stiffness[i][j]);
        add_tangent(damping, place, tangents_.of_force.damping[i][j]);
      }
    }
  }
  add_differences(t, stiffness, damping);
}

template <int D>
void SystemOf<D>::tangents_by_differences(double t, const double* q, const double* v,
                                          Eigen::SparseMatrix<double>& stiffness,
                                          Eigen::SparseMatrix<double>& damping) {
  clear_tangents(stiffness, damping);
  set_positions(q);
  set_velocities(v);
  look(t);
  add_differences(t, stiffness, damping);
}

template <int D>
void SystemOf<D>::clear_tangents(Eigen::SparseMatrix<double>& stiffness, Eigen::SparseMatrix<double>& damping) const {
  for (auto* matrix : {&stiffness, &damping}) {
    if (matrix->nonZeros() != tangents_.pattern.nonZeros()) *matrix = tangents_.pattern;
    std::fill_n(matrix->valuePtr(), matrix->nonZeros(), 0.0);
  }
}

template <int D>
void SystemOf<D>::add_differences(double t, Eigen::SparseMatrix<double>& stiffness,
                                  Eigen::SparseMatrix<double>& damping) {
  constexpr double force_step = 1e-6;
  Loads<D> sum(load_rate_);
  for (const ForceRecord& force : forces_) {
    if (force.by_signals()) {
      add_differences(
          force.involved, force_step,
          [&] {
            look(t);
            force.element->apply(bodies_, t, sum);
          },
          stiffness, damping);
      continue;
    }
    if (force.element->tangents(bodies_, t, tangents_.of_force)) continue;
    add_differences(
        force.bodies, force_step, [&] { force.element->apply(bodies_, t, sum); }, stiffness, damping);
  }
  // Penetrations are micrometres.
  constexpr double contact_step = 1e-9;
  for (int k = 0; k < contacts_.fixed_pair_count(); ++k) {
    const auto [a, b] = contacts_.pair_bodies(k);
    tangents_.involved.clear();
    if (a > 0) tangents_.involved.push_back(a);
    if (b > 0) tangents_.involved.push_back(b);
    add_differences(
        tangents_.involved, contact_step, [&] { contacts_.apply_pair(k, bodies_, sum); }, stiffness, damping);
  }
}

template <int D>
void SystemOf<D>::add_tangent(Eigen::SparseMatrix<double>& matrix, int row, int column,
                              const SquareBlock& block) const {
  add_tangent(matrix, tangents_.places.at({row, column}), block);
}

template <int D>
void SystemOf<D>::add_tangent(Eigen::SparseMatrix<double>& matrix, int place, const SquareBlock& block) const {
  const auto& columns = tangents_.columns[place];
  for (int c = 0; c < dofs; ++c) Eigen::Map<Dofs>(matrix.valuePtr() + columns[c]) += block.col(c);
}

// Derivatives of the loads of one element on the bodies involved, by central differences, one freedom at a time.
template <int D>
template <class Apply>
void SystemOf<D>::add_differences(const std::vector<int>& involved, double step, Apply apply,
                                  Eigen::SparseMatrix<double>& stiffness, Eigen::SparseMatrix<double>& damping) {
  const auto loads_of = [&](int body) { return load_rate_.template segment<dofs>(dofs * (body - 1)); };
  tangents_.by_position.resize(involved.size());
  tangents_.by_velocity.resize(involved.size());
  for (const int column : involved) {
    const BodyState<D> original = bodies_[column];
    for (int k = 0; k < dofs; ++k) {
      for (const double side : {1.0, -1.0}) {
        const auto store = [&](std::vector<SquareBlock>& blocks) {
          for (const int body : involved) loads_of(body).setZero();
          apply();
          for (std::size_t i = 0; i < involved.size(); ++i) {
            const Dofs change = -side * loads_of(involved[i]) / (2 * step);
            if (side > 0) {
              blocks[i].col(k) = change;
            } else {
              blocks[i].col(k) += change;
            }
          }
        };
        bodies_[column] = displaced(original, k, side * step);
        store(tangents_.by_position);
        bodies_[column] = original;
        if (k < D) {
          bodies_[column].velocity[k] += side * step;
        } else {
          const Angular unit = Angular::Unit(k - D);
          bodies_[column].angular_velocity += side * step * original.orientation.angular_to_world(unit);
        }
        store(tangents_.by_velocity);
        bodies_[column] = original;
      }
    }
    for (std::size_t i = 0; i < involved.size(); ++i) {
      add_tangent(stiffness, involved[i], column, tangents_.by_position[i]);
      add_tangent(damping, involved[i], column, tangents_.by_velocity[i]);
    }
  }
}

template class SystemOf<2>;
template class SystemOf<3>;

}  // namespace carom::inline dynamics
