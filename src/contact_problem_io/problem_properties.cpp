#include "contact_problem_io/problem_properties.h"

#include <algorithm>
#include <cmath>

#include "math/dense_decompositions.h"

namespace carom::inline contact_problem_io {
namespace {

DelassusSpectrum spectrum_of(const Eigen::MatrixXd& w) {
  const Eigen::VectorXd values = symmetric_eigenvalues(0.5 * (w + w.transpose()));
  DelassusSpectrum spectrum{.largest = values[values.size() - 1], .least = values[0]};
  for (const double value : values) {
    if (!(value > redundant_eigenvalue * spectrum.largest)) continue;
    if (spectrum.rank++ == 0) spectrum.least_positive = value;
  }
  return spectrum;
}

}  // namespace

ProblemProperties properties_of(const StoredProblem& problem) {
  ProblemProperties properties;
  const auto [least, largest] = std::minmax_element(problem.friction.begin(), problem.friction.end());
  properties.least_friction = *least, properties.largest_friction = *largest;
  const Eigen::MatrixXd& w = problem.delassus;
  const double size = w.cwiseAbs().maxCoeff();
  properties.density = static_cast<double>((w.array() != 0).count()) / static_cast<double>(w.size());
  properties.asymmetry = size > 0 ? (w - w.transpose()).cwiseAbs().maxCoeff() / size : 0;
  for (int c = 0; c < problem.contacts(); ++c) {
    if (problem.free_velocity[problem.dimension * c] < 0) ++properties.approaching;
  }
  if (problem.rows() <= most_spectrum_rows) properties.spectrum = spectrum_of(w);
  return properties;
}

double fclib_merit(const StoredProblem& problem, double unweighted_residual) {
  return unweighted_residual / (1 + std::sqrt(problem.free_velocity.norm()));
}

}  // namespace carom::inline contact_problem_io
