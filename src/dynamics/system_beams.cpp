#include <cmath>

#include <fmt/format.h>

#include "dynamics/system_of.h"

// Beams: their elements act between nodes, which are bodies, and couple the masses of these.
namespace carom::inline dynamics {
namespace {

template <int D>
Eigen::Matrix<double, D, D> in_space(const Eigen::Matrix3d& frame) {
  return frame.topLeftCorner<D, D>();
}

// A constant shear strain cannot follow the bending of a loaded element. Its flexibility is added to that of shear, so
// that nodes of straight beams move exactly as beam theory says (MacNeal's residual bending flexibility).
double with_bending(double shear, double bending, double length) {
  return 1 / (1 / shear + length * length / (12 * bending));
}

}  // namespace

template <int D>
void SystemOf<D>::build_beams(const Model& model) {
  for (const BeamModel& beam : model.beams) {
    const BeamModel::Section& section = beam.section;
    BeamRecord record{.name = beam.name,
                      .first = static_cast<int>(beams_.elements.size()),
                      .count = static_cast<int>(beam.elements.size()),
                      .mass_damping = beam.mass_damping,
                      .section = section,
                      .shear_stiffness_y = section.shear_y * beam.shear * section.area,
                      .shear_stiffness_z = section.shear_z * beam.shear * section.area};
    if (beam.mass_damping > 0 || beam.stiffness_damping > 0) {
      record.work = static_cast<int>(work_names_.size());
      work_names_.push_back("beam:" + beam.name);
    }
    const double axial = beam.young * section.area, bend_y = beam.young * section.inertia_y,
                 bend_z = beam.young * section.inertia_z;
    for (std::size_t k = 0; k < beam.elements.size(); ++k) {
      const BeamModel::Element& element = beam.elements[k];
      const double length = element.length;
      typename BeamElement<D>::Data data{.a = beam.nodes[k],
                                         .b = beam.nodes[k + 1],
                                         .frame_a = in_space<D>(element.frame_a),
                                         .frame_b = in_space<D>(element.frame_b),
                                         .length = length,
                                         .damping = beam.stiffness_damping};
      const double shear_y = with_bending(record.shear_stiffness_y, bend_z, length);
      BeamMass mass;
      mass.mass = beam.density * section.area * length / 6;
      const double rotary = beam.density * length / 6;
      if constexpr (D == 2) {
        data.stiffness << axial, shear_y, bend_z;
        mass.own_a(0, 0) = mass.own_b(0, 0) = mass.coupling(0, 0) = rotary * section.inertia_z;
      } else {
        data.stiffness << axial, shear_y, with_bending(record.shear_stiffness_z, bend_y, length),
            beam.shear * section.torsion, bend_y, bend_z;
        const Eigen::Vector3d inertia =
            rotary * Eigen::Vector3d(section.inertia_y + section.inertia_z, section.inertia_y, section.inertia_z);
        mass.own_a = element.frame_a * inertia.asDiagonal() * element.frame_a.transpose();
        mass.own_b = element.frame_b * inertia.asDiagonal() * element.frame_b.transpose();
        mass.coupling = element.frame_a * inertia.asDiagonal() * element.frame_b.transpose();
      }
      beams_.elements.emplace_back(data, bodies_);
      beams_.masses.push_back(mass);
    }
    beams_.records.push_back(std::move(record));
  }
}

// Nodes carry half the mass of their elements. A third of that is of both nodes together.
template <int D>
void SystemOf<D>::add_beam_mass(std::vector<Eigen::Triplet<double>>& mass) const {
  for (std::size_t k = 0; k < beams_.elements.size(); ++k) {
    const int a = dofs * (beams_.elements[k].data().a - 1), b = dofs * (beams_.elements[k].data().b - 1);
    const BeamMass& own = beams_.masses[k];
    for (int i = 0; i < D; ++i) {
      mass.emplace_back(a + i, a + i, -own.mass), mass.emplace_back(b + i, b + i, -own.mass);
      mass.emplace_back(a + i, b + i, own.mass), mass.emplace_back(b + i, a + i, own.mass);
    }
    for (int i = 0; i < rotational_dofs; ++i) {
      for (int j = 0; j < rotational_dofs; ++j) {
        mass.emplace_back(a + D + i, a + D + j, -own.own_a(i, j));
        mass.emplace_back(b + D + i, b + D + j, -own.own_b(i, j));
        mass.emplace_back(a + D + i, b + D + j, own.coupling(i, j));
        mass.emplace_back(b + D + j, a + D + i, own.coupling(i, j));
      }
    }
  }
}

template <int D>
void SystemOf<D>::place_beam_tangents() {
  for (const BeamElement<D>& element : beams_.elements) {
    const int a = element.data().a, b = element.data().b;
    beams_.places.push_back({tangents_.places.at({a, a}), tangents_.places.at({a, b}), tangents_.places.at({b, a}),
                             tangents_.places.at({b, b})});
  }
}

template <int D>
void SystemOf<D>::apply_beams(double* power) {
  Loads<D> sum(load_);
  for (const BeamRecord& beam : beams_.records) {
    double lost = 0;
    for (int k = beam.first; k < beam.first + beam.count; ++k) lost += beams_.elements[k].apply(bodies_, sum);
    if (beam.mass_damping > 0) {
      for (int k = beam.first; k < beam.first + beam.count; ++k) {
        // Force against the momentum of the element.
        const BodyState<D>&a = bodies_[beams_.elements[k].data().a], &b = bodies_[beams_.elements[k].data().b];
        const double sixth = beams_.masses[k].mass;
        const Vector on_a = -beam.mass_damping * sixth * (2 * a.velocity + b.velocity),
                     on_b = -beam.mass_damping * sixth * (a.velocity + 2 * b.velocity);
        sum.add(beams_.elements[k].data().a, on_a, Angular::Zero());
        sum.add(beams_.elements[k].data().b, on_b, Angular::Zero());
        lost += on_a.dot(a.velocity) + on_b.dot(b.velocity);
      }
    }
    if (beam.work >= 0 && power) power[beam.work] = lost;
  }
}

// The nodes' own gyroscopic torques are there already; −ω_i × Σ_j M_ij ω_j lacks what the coupling adds.
template <int D>
void SystemOf<D>::add_gyroscopic_coupling() {
  if constexpr (D == 3) {
    for (std::size_t k = 0; k < beams_.elements.size(); ++k) {
      const int a = beams_.elements[k].data().a, b = beams_.elements[k].data().b;
      const BeamMass& own = beams_.masses[k];
      const Eigen::Vector3d angular_velocity_a = bodies_[a].orientation.back(bodies_[a].angular_velocity),
                            angular_velocity_b = bodies_[b].orientation.back(bodies_[b].angular_velocity);
      load_.segment<3>(6 * (a - 1) + 3) -=
          angular_velocity_a.cross(own.coupling * angular_velocity_b - own.own_a * angular_velocity_a);
      load_.segment<3>(6 * (b - 1) + 3) -=
          angular_velocity_b.cross(own.coupling.transpose() * angular_velocity_a - own.own_b * angular_velocity_b);
    }
  }
}

template <int D>
void SystemOf<D>::add_beam_tangents(Eigen::SparseMatrix<double>& stiffness, Eigen::SparseMatrix<double>& damping) {
  typename BeamElement<D>::Blocks by_position, by_velocity;
  for (const BeamRecord& beam : beams_.records) {
    for (int k = beam.first; k < beam.first + beam.count; ++k) {
      beams_.elements[k].tangents(bodies_, by_position, by_velocity);
      const BeamMass& own = beams_.masses[k];
      for (int i = 0; i < D; ++i) {
        const double drag = beam.mass_damping * own.mass;
        by_velocity[0][0](i, i) += 2 * drag, by_velocity[1][1](i, i) += 2 * drag;
        by_velocity[0][1](i, i) += drag, by_velocity[1][0](i, i) += drag;
      }
      if constexpr (D == 3) {
        const auto angular_velocity = [&](int body) {
          return bodies_[body].orientation.back(bodies_[body].angular_velocity);
        };
        const auto crossed = [](const Eigen::Vector3d& u) {
          Eigen::Matrix3d matrix;
          matrix << 0, -u.z(), u.y(), u.z(), 0, -u.x(), -u.y(), u.x(), 0;
          return matrix;
        };
        const Eigen::Vector3d angular_velocity_a = angular_velocity(beams_.elements[k].data().a),
                              angular_velocity_b = angular_velocity(beams_.elements[k].data().b);
        const Eigen::Vector3d extra_a = own.coupling * angular_velocity_b - own.own_a * angular_velocity_a,
                              extra_b = own.coupling.transpose() * angular_velocity_a - own.own_b * angular_velocity_b;
        by_velocity[0][0].template bottomRightCorner<3, 3>() -=
            crossed(angular_velocity_a) * own.own_a + crossed(extra_a);
        by_velocity[1][1].template bottomRightCorner<3, 3>() -=
            crossed(angular_velocity_b) * own.own_b + crossed(extra_b);
        by_velocity[0][1].template bottomRightCorner<3, 3>() += crossed(angular_velocity_a) * own.coupling;
        by_velocity[1][0].template bottomRightCorner<3, 3>() += crossed(angular_velocity_b) * own.coupling.transpose();
      }
      for (int i = 0; i < 4; ++i) {
        add_tangent(stiffness, beams_.places[k][i], by_position[i / 2][i % 2]);
        add_tangent(damping, beams_.places[k][i], by_velocity[i / 2][i % 2]);
      }
    }
  }
}

template <int D>
double SystemOf<D>::strain_energy(const BeamRecord& beam) const {
  double sum = 0;
  for (int k = beam.first; k < beam.first + beam.count; ++k) sum += beams_.elements[k].energy(bodies_);
  return sum;
}

// [M Gᵀ; G 0] [v̇; λ] = [f; γ], loads gathered; by refinement, since the solver yields a little in redundant rows.
template <int D>
SolveStatus SystemOf<D>::coupled_accelerations(double t, const double* q, const double* v, double* v_rate) {
  constexpr int refinements = 3;
  const int n = velocity_size(), rows = constraint_size();
  const Eigen::SparseMatrix<double>& jacobian = constraint_jacobian(t, q);
  if (!coupled_.solver.factor({.mass = 1, .damping = 0, .stiffness = 0}, mass_matrix_, mass_matrix_, mass_matrix_,
                              jacobian))
    return SolveStatus::failed;
  constraints_.linearise(bodies_, t);  // the matrix may be one that was kept, with the bias of other velocities
  coupled_.right.setZero(n + rows);
  coupled_.right.head(n) = load_;
  for (int block = 0; block < constraints_.block_count(); ++block)
    coupled_.right.segment<D>(n + D * block) = constraints_.bias()[block];
  if (baumgarte_.alpha != 0 || baumgarte_.beta != 0) {
    constraints_.residual(bodies_, t, rows_.residual);
    velocity_residual_now(t, v, rows_.time_rate);
    coupled_.right.tail(rows) -=
        2 * baumgarte_.alpha * rows_.time_rate + baumgarte_.beta * baumgarte_.beta * rows_.residual;
  }
  coupled_.solution.setZero(n + rows);
  for (int pass = 0; pass < refinements; ++pass) {
    coupled_.rest = coupled_.right;
    coupled_.rest.head(n).noalias() -= mass_matrix_ * coupled_.solution.head(n);
    coupled_.rest.head(n).noalias() -= jacobian.transpose() * coupled_.solution.tail(rows);
    coupled_.rest.tail(rows).noalias() -= jacobian * coupled_.solution.head(n);
    coupled_.solver.solve(coupled_.rest);
    coupled_.solution += coupled_.rest;
  }
  Eigen::Map<Eigen::VectorXd>(v_rate, n) = coupled_.solution.head(n);
  rows_.lambda = coupled_.solution.tail(rows);
  return checked(0, v_rate);
}

template <int D>
void SystemOf<D>::build_beam_channels() {
  using Component = ChannelDescription::Component;
  static const std::vector<Component> planar = {
      {"normal_force", "N", "in the middle of the element, positive in tension"},
      {"shear_y", "N", "shear force along y of the section, of the sign of shear_strain_y"},
      {"bending_z", "N m", "bending moment about z of the section, of the sign of curvature_z"},
      {"axial_strain", "1", "elongation over length, positive in tension"},
      {"shear_strain_y", "1", "shear angle towards y of the section"},
      {"curvature_z", "1/m", "change of curvature about z of the section"}};
  static const std::vector<Component> spatial = {
      {"normal_force", "N", "in the middle of the element, positive in tension"},
      {"shear_y", "N", "shear force along y of the section, of the sign of shear_strain_y"},
      {"shear_z", "N", "shear force along z of the section, of the sign of shear_strain_z"},
      {"torque", "N m", "torque about the line, of the sign of twist"},
      {"bending_y", "N m", "bending moment about y of the section, of the sign of curvature_y"},
      {"bending_z", "N m", "bending moment about z of the section, of the sign of curvature_z"},
      {"axial_strain", "1", "elongation over length, positive in tension"},
      {"shear_strain_y", "1", "shear angle towards y of the section"},
      {"shear_strain_z", "1", "shear angle towards z of the section"},
      {"twist", "1/m", "change of twist about the line"},
      {"curvature_y", "1/m", "change of curvature about y of the section"},
      {"curvature_z", "1/m", "change of curvature about z of the section"}};
  for (const BeamRecord& beam : beams_.records) {
    channels_.push_back({"beam:" + beam.name,
                         {{"strain_energy", "J", "energy stored by bending, shear, tension and torsion"},
                          {"dissipated", "J", "energy taken out by damping since the start"},
                          {"largest_stress", "Pa", "largest equivalent stress of all elements (von Mises)"}}});
    for (int k = 0; k < beam.count; ++k) {
      ChannelDescription channel{fmt::format("beam:{}-{}", beam.name, k + 1), D == 2 ? planar : spatial};
      channel.components.push_back(
          {"stress", "Pa", "largest equivalent stress in the middle of the element (von Mises)"});
      channels_.push_back(std::move(channel));
    }
  }
}

namespace {

// Von Mises's stress of tension, bending and torsion at the edge. That of shear forces vanishes there.
double edge_stress(const BeamModel::Section& section, const BeamElement<2>::Strains& force) {
  if (!(section.edge_y > 0)) return std::numeric_limits<double>::quiet_NaN();
  return std::abs(force[0]) / section.area + std::abs(force[2]) * section.edge_y / section.inertia_z;
}

double edge_stress(const BeamModel::Section& section, const BeamElement<3>::Strains& force) {
  if (!(section.edge_y > 0)) return std::numeric_limits<double>::quiet_NaN();
  const double by_y = std::abs(force[4]) * section.edge_z / section.inertia_y,
               by_z = std::abs(force[5]) * section.edge_y / section.inertia_z;
  // A round section bends about one resulting axis; others have corners.
  const bool round = std::abs(section.torsion - section.inertia_y - section.inertia_z) < 1e-9 * section.torsion;
  const double normal = std::abs(force[0]) / section.area + (round ? std::hypot(by_y, by_z) : by_y + by_z);
  return std::hypot(normal, std::sqrt(3) * force[3] / section.torsion_modulus);
}

}  // namespace

template <int D>
void SystemOf<D>::record_beams(const State& state, double*& out) {
  for (const BeamRecord& beam : beams_.records) {
    double* const summary = out;
    out += 3;
    summary[0] = strain_energy(beam);
    summary[1] = beam.work >= 0 ? -state.work[beam.work] : 0;
    summary[2] = 0;
    for (int k = beam.first; k < beam.first + beam.count; ++k) {
      const auto force = beams_.elements[k].stress(bodies_);
      auto strain = beams_.elements[k].strain(bodies_);
      // What the element's shear strain holds of bending is not shear.
      strain[1] = force[1] / beam.shear_stiffness_y;
      if constexpr (D == 3) strain[2] = force[2] / beam.shear_stiffness_z;
      for (int i = 0; i < force.size(); ++i) *out++ = force[i];
      for (int i = 0; i < strain.size(); ++i) *out++ = strain[i];
      const double stress = edge_stress(beam.section, force);
      *out++ = stress;
      summary[2] = std::isnan(stress) ? stress : std::max(summary[2], stress);
    }
  }
}

template class SystemOf<2>;
template class SystemOf<3>;

}  // namespace carom::inline dynamics
