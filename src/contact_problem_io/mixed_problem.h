#pragma once

#include <filesystem>

#include <Eigen/Sparse>

#include "contact_problem_io/stored_problem.h"

// The forms of a contact problem that FCLIB knows besides the local one, and the way to it.
namespace carom::inline contact_problem_io {

// Bodies, joints and contacts, nothing eliminated:
//   M v = H r + G λ + f,   Gᵀ v + b = 0,   u = Hᵀ v + w.
struct GlobalProblem {
  Eigen::SparseMatrix<double> mass, contacts, constraints;  // M, H, G; without constraints G has no columns
  Eigen::VectorXd load, contact_offset, constraint_offset;  // f, w, b
};

// Local velocities with the equality constraints still in it:
//   u = W r + V λ + q,   Vᵀ r + R λ + s = 0.
struct MixedProblem {
  Eigen::MatrixXd delassus, coupling, coupling_transposed, constraints;  // W, V, Vᵀ, R
  Eigen::VectorXd free_velocity, constraint_offset;                      // q, s
};

// W = Hᵀ M⁻¹ H, V = Hᵀ M⁻¹ G, R = Gᵀ M⁻¹ G, q = Hᵀ M⁻¹ f + w, s = Gᵀ M⁻¹ f + b. Throws InputError for `file` where M is
// singular.
MixedProblem mixed_problem(const GlobalProblem& global, const std::filesystem::path& file);

// W − V R⁺ Vᵀ and q − V R⁺ s → `stored`, with the number of dependent constraints. Throws InputError for `file` where
// constraints contradict each other.
void eliminate_constraints(const MixedProblem& mixed, const std::filesystem::path& file, StoredProblem& stored);

}  // namespace carom::inline contact_problem_io
