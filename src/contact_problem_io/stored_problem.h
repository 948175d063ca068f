#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "impact/contact_problem.h"

// A contact problem as FCLIB's files have it (Acary, Brémond, Koziara, Pérignon: FCLIB, a collection of discrete 3D
// frictional contact problems, INRIA RT-0444, 2014), in its local form
//   u = W r + q,   K* ∋ u + μ |u_T| n ⊥ r ∈ K,
// with the rows of a contact together: the normal one first, then one tangent in the plane, two in space. r pushes the
// bodies apart where its normal component is positive, and u_N ≥ 0 opens: the signs of ContactProblem.
namespace carom::inline contact_problem_io {

struct StoredSolution {
  std::vector<double> r, u;  // as many as rows of W; u without the shift by μ |u_T|
};

struct StoredInfo {
  std::string title, description, mathematics;
};

// What the file held before it was reduced to its local form.
struct StoredForm {
  bool global = false;         // M v = H r + G λ + f, u = Hᵀ v + w, Gᵀ v + b = 0
  int degrees_of_freedom = 0;  // of a global one
  int constraints = 0;         // equations that were eliminated, λ
  int dependent = 0;           // of these, that others imply
};

struct StoredProblem {
  int dimension = 3;              // 2 or 3, rows per contact
  std::vector<double> friction;   // μ, by contact
  Eigen::MatrixXd delassus;       // W
  Eigen::VectorXd free_velocity;  // q
  StoredInfo info;
  StoredForm form;
  std::optional<StoredSolution> solution;
  std::vector<StoredSolution> guesses;

  int contacts() const { return static_cast<int>(friction.size()); }
  int rows() const { return static_cast<int>(free_velocity.size()); }
};

// With weights.
ContactProblem contact_problem(const StoredProblem& stored);

// None where FCLIB has no place for it: rolling or spinning resistance, or balls that are not of the dimension.
// A contact without a ball gets tangents that nothing couples to the rest, and μ = 0: they bear nothing.
std::optional<StoredProblem> stored_problem(const ContactProblem& problem, int dimension);

// Entries of the rows of `problem` at the places that they have in its stored form.
std::vector<double> stored_rows(const ContactProblem& problem, int dimension, const std::vector<double>& values);

}  // namespace carom::inline contact_problem_io
