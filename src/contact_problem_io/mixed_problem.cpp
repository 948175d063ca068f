#include "contact_problem_io/mixed_problem.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <Eigen/SparseLU>

#include "base/problem.h"

namespace carom::inline contact_problem_io {
namespace {

constexpr double dependent_pivot = 1e-10;  // of the largest: smaller ones belong to constraints that others imply
constexpr double contradiction = 1e-8;     // of what a constraint asks for, that none of the others explains
constexpr int columns_at_once = 64;        // of M⁻¹ H, which is dense

[[noreturn]] void refuse(const std::filesystem::path& file, std::string key, std::string found, std::string expected,
                         std::string remedy) {
  ProblemList problems;
  problems.add({.file = file.string(),
                .key = std::move(key),
                .found = std::move(found),
                .expected = std::move(expected),
                .remedy = std::move(remedy)});
  throw InputError(problems);
}

// How much of `wanted` the range of R leaves out.
double unexplained(const Eigen::MatrixXd& r, const Eigen::MatrixXd& solved, const Eigen::MatrixXd& wanted) {
  return wanted.size() == 0 ? 0 : (r * solved - wanted).cwiseAbs().maxCoeff();
}

}  // namespace

MixedProblem mixed_problem(const GlobalProblem& global, const std::filesystem::path& file) {
  Eigen::SparseLU<Eigen::SparseMatrix<double>> mass(global.mass);
  if (mass.info() != Eigen::Success)
    refuse(file, "/fclib_global/M", "a singular matrix", "the masses of all degrees of freedom",
           "write the problem in its local form (W, q) where some have none");
  const Eigen::Index m = global.contacts.cols(), p = global.constraints.cols();
  MixedProblem mixed;
  mixed.delassus.resize(m, m);
  mixed.coupling_transposed.resize(p, m);
  for (Eigen::Index first = 0; first < m; first += columns_at_once) {
    const Eigen::Index count = std::min<Eigen::Index>(columns_at_once, m - first);
    const Eigen::MatrixXd right = global.contacts.middleCols(first, count);
    const Eigen::MatrixXd moved = mass.solve(right);
    mixed.delassus.middleCols(first, count) = global.contacts.transpose() * moved;
    if (p > 0) mixed.coupling_transposed.middleCols(first, count) = global.constraints.transpose() * moved;
  }
  const Eigen::MatrixXd held =
      p > 0 ? Eigen::MatrixXd(mass.solve(Eigen::MatrixXd(global.constraints))) : Eigen::MatrixXd(global.mass.rows(), 0);
  const Eigen::VectorXd pulled = mass.solve(global.load);
  mixed.coupling = global.contacts.transpose() * held;
  mixed.constraints = global.constraints.transpose() * held;
  mixed.free_velocity = global.contacts.transpose() * pulled + global.contact_offset;
  mixed.constraint_offset = global.constraints.transpose() * pulled + global.constraint_offset;
  if (!mixed.delassus.allFinite() || !mixed.free_velocity.allFinite())
    refuse(file, "/fclib_global/M", "a matrix so near to a singular one that Hᵀ M⁻¹ H is not finite",
           "the masses of all degrees of freedom", "check the units of M");
  return mixed;
}

void eliminate_constraints(const MixedProblem& mixed, const std::filesystem::path& file, StoredProblem& stored) {
  stored.delassus = mixed.delassus;
  stored.free_velocity = mixed.free_velocity;
  stored.form.constraints = static_cast<int>(mixed.constraint_offset.size());
  if (stored.form.constraints == 0) return;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> r;
  r.setThreshold(dependent_pivot);
  r.compute(mixed.constraints);
  const Eigen::MatrixXd by_impulses = r.solve(mixed.coupling_transposed);
  const Eigen::MatrixXd by_offset = r.solve(mixed.constraint_offset);
  stored.form.dependent = stored.form.constraints - static_cast<int>(r.rank());
  const double wrong = unexplained(mixed.constraints, by_offset, mixed.constraint_offset);
  const double left = unexplained(mixed.constraints, by_impulses, mixed.coupling_transposed);
  if (wrong > contradiction * mixed.constraint_offset.cwiseAbs().maxCoeff() ||
      left > contradiction * mixed.coupling_transposed.cwiseAbs().maxCoeff())
    refuse(file, stored.form.global ? "/fclib_global/G" : "/fclib_local/R",
           fmt::format("equality constraints of rank {} that contradict each other", r.rank()),
           fmt::format("{} constraints that can be met together", stored.form.constraints),
           "take out those that others imply, or correct their offsets");
  stored.delassus -= mixed.coupling * by_impulses;
  stored.free_velocity -= mixed.coupling * by_offset;
}

}  // namespace carom::inline contact_problem_io
