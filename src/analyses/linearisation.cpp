#include "analyses/linearisation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include "analyses/reduced_space.h"
#include "math/dense_decompositions.h"

namespace carom::inline analyses {
namespace {

using Complex = std::complex<double>;

// Relative errors of tangents made by differences, with a margin, and of all others by rounding, in the search for
// eigenvalues as well.
constexpr double tangent_error = 1e-8, matrix_rounding = 1e-11;

// What errors of the entries of a matrix amount to for this shape if they do not cancel.
double magnitude(const Eigen::MatrixXd& errors, const Eigen::VectorXcd& shape) {
  const Eigen::VectorXd size = shape.cwiseAbs();
  return size.dot(errors * size);
}

class ModeFinder {
 public:
  // Tangents, and the share of differences in them.
  struct Tangents {
    Eigen::SparseMatrix<double> stiffness, damping, rough_stiffness, rough_damping;
  };
  ModeFinder(const Linearisation& linear, const Tangents& full)
      : linear_(linear),
        stiffness_error_(tangent_error * Eigen::MatrixXd(full.rough_stiffness).cwiseAbs() +
                         matrix_rounding * Eigen::MatrixXd(full.stiffness).cwiseAbs()),
        damping_error_(tangent_error * Eigen::MatrixXd(full.rough_damping).cwiseAbs() +
                       matrix_rounding * Eigen::MatrixXd(full.damping).cwiseAbs()) {}

  std::vector<Mode> find() {
    const Eigen::MatrixXd &stiffness = linear_.stiffness, &damping = linear_.damping;
    const bool symmetric =
        (stiffness - stiffness.transpose()).cwiseAbs().maxCoeff() <= tangent_error * stiffness.cwiseAbs().maxCoeff();
    if (symmetric && damping.isZero(0)) {
      undamped();
    } else {
      general();
    }
    std::stable_sort(modes_.begin(), modes_.end(),
                     [](const Mode& a, const Mode& b) { return a.frequency < b.frequency; });
    return modes_;
  }

 private:
  void undamped() {
    const SymmetricSpectrum spectrum = symmetric_spectrum(0.5 * (linear_.stiffness + linear_.stiffness.transpose()));
    for (Eigen::Index k = 0; k < spectrum.values.size(); ++k) {
      const Eigen::VectorXcd shape = spectrum.vectors.col(k).cast<Complex>();
      const Complex root = std::sqrt(Complex(-spectrum.values[k]));
      const bool free = is_free(root, shape, 0);
      add(root, shape, free);
      // Without stiffness to call it back, what grows along +√ decays along −√.
      if (!free && root.imag() == 0) add(-root, shape, false);
    }
  }

  void general() {
    const Eigen::Index n = linear_.stiffness.rows();
    Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(2 * n, 2 * n);
    // Time is counted in units of the fastest motion, so that the two halves of the matrix are alike.
    const double rate =
        std::max({std::sqrt(linear_.stiffness.cwiseAbs().maxCoeff()), linear_.damping.cwiseAbs().maxCoeff(), 1e-300});
    companion.topRightCorner(n, n).setIdentity();
    companion.bottomLeftCorner(n, n) = -linear_.stiffness / (rate * rate);
    companion.bottomRightCorner(n, n) = -linear_.damping / rate;
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(companion);
    const double split = 4 * std::numeric_limits<double>::epsilon() * rate * rate;  // of a double root at zero
    int free_roots = 0;
    for (Eigen::Index k = 0; k < 2 * n; ++k) {
      const Complex root = rate * solver.eigenvalues()[k];
      Eigen::VectorXcd shape = solver.eigenvectors().col(k).head(n);
      shape.normalize();
      if (is_free(root, shape, split)) {
        // A motion that nothing holds has zero twice: once at rest, once drifting.
        if (free_roots++ % 2 == 0) add(0, shape, true);
      } else if (root.imag() >= 0) {
        add(root, shape, false);
      }
    }
  }

  bool is_free(const Complex& root, const Eigen::VectorXcd& reduced_shape, double solver_error) const {
    const Eigen::VectorXcd shape = linear_.basis * reduced_shape;
    const double size = std::abs(root);
    return size * size <= magnitude(stiffness_error_, shape) + size * magnitude(damping_error_, shape) + solver_error;
  }

  void add(const Complex& root, const Eigen::VectorXcd& reduced_shape, bool free) {
    Mode mode;
    mode.shape = linear_.basis * reduced_shape;
    Eigen::Index largest = 0;
    mode.shape.cwiseAbs().maxCoeff(&largest);
    mode.shape *= std::conj(mode.shape[largest]) / std::abs(mode.shape[largest]);
    if (!free) {
      mode.eigenvalue = root;
      mode.frequency = std::abs(root) / (2 * M_PI);
      mode.damping_ratio = 0.0 - root.real() / std::abs(root);  // not −0
    }
    modes_.push_back(std::move(mode));
  }

  const Linearisation& linear_;
  const Eigen::MatrixXd stiffness_error_, damping_error_;  // of each entry
  std::vector<Mode> modes_;
};

}  // namespace

Linearisation linearise(System& system, const State& state, const Eigen::VectorXd& multipliers) {
  Linearisation result;
  const ReducedSpace space(system, state.t, state.q.data());
  ModeFinder::Tangents full;
  system.tangents(state.t, state.q.data(), state.v.data(), multipliers, full.stiffness, full.damping);
  system.tangents_by_differences(state.t, state.q.data(), state.v.data(), full.rough_stiffness, full.rough_damping);
  result.basis = space.basis();
  result.stiffness = space.reduce(full.stiffness);
  result.damping = space.reduce(full.damping);
  // Differences leave traces of rounding where there is no damping at all.
  const double trace =
      tangent_error *
      std::sqrt(std::max(0.0, result.stiffness.size() > 0 ? result.stiffness.cwiseAbs().maxCoeff() : 0.0));
  if (result.damping.size() > 0 && result.damping.cwiseAbs().maxCoeff() <= 1e-3 * trace) result.damping.setZero();
  if (space.dofs() > 0) result.modes = ModeFinder(result, full).find();
  return result;
}

}  // namespace carom::inline analyses
