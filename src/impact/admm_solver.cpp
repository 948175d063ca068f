#include <Eigen/Core>

#include "impact/contact_solver.h"

namespace carom::inline impact {
namespace {

constexpr double first_penalty = 0.1;  // of the largest diagonal entry, which the scaling makes one
constexpr double least_penalty = 1e-6, most_penalty = 1e6;
constexpr int between_looks = 10;        // iterations, at the residual and at the penalty
constexpr double worthwhile_change = 3;  // of the penalty: less is not worth a factorisation
constexpr int most_iterations_of_a_step = 2000;

// The alternating direction method of multipliers with an adaptive penalty (Carpentier, Le Lidec, Montaut, From
// Compliant to Rigid Contact Simulation: a Unified and Efficient Approach, Robotics: Science and Systems, 2024), with
// the friction of Coulomb by the shift of De Saxcé and Feng, taken anew in each iteration:
//   (W + ρ I) x = ρ y − z − b − s,   y' = P_K(x + z/ρ),   z' = z + ρ (x − y'),   s_N = Σ_B r_B |z_B|,
// in rows that are scaled by the roots of their weights, such that the metric is that of the energy. P_K is the
// projection on the friction cones. Over-relaxation, usual for convex problems, loses solutions with much friction. y
// tends to the impulses, −z to the velocities with their shift. The matrix is factorised once, and again where the
// penalty ρ has to change by much, to balance the two residuals x − y and ρ (y' − y); redundant contacts and large
// ratios of masses do not make it singular. Nothing is allocated once the largest problem has been seen.
class AdmmSolver final : public ContactSolver {
 public:
  explicit AdmmSolver(int most_iterations) : most_iterations_(most_iterations) {}

  void limit(double tolerance, int most_iterations) override {
    tolerance_ = tolerance, most_iterations_ = most_iterations;
  }

  void solve(const ContactProblem& problem, ContactSolution& solution) override {
    SolverOutcome& outcome = solution.outcome = {};
    solution.impulses.resize(problem.rows, 0.0);
    scale_rows(problem);
    start(problem, solution.impulses);
    factor(problem);
    for (;;) {
      judge(problem, solution);
      if (outcome.converged || outcome.iterations >= most_iterations_ || !std::isfinite(outcome.residual)) break;
      const int until = std::min(outcome.iterations + between_looks, most_iterations_);
      for (; outcome.iterations < until; ++outcome.iterations) iterate(problem);
      adapt_penalty(problem);
    }
    set_statuses(problem, solution);
  }

 private:
  Eigen::Map<Eigen::VectorXd> vector(std::vector<double>& values) const {
    return {values.data(), static_cast<Eigen::Index>(values.size())};
  }
  double* row(int k) { return matrix_.data() + static_cast<std::ptrdiff_t>(k) * rows_; }
  // Of a ball in scaled rows.
  static double radius(const ProblemContact& contact, const FrictionBall& ball) {
    return ball.radius * std::sqrt(contact.weight / ball.weight);
  }
  double size_of(const FrictionBall& ball, const std::vector<double>& values) const {
    double square = 0;
    for (int k = ball.row; k < ball.row + ball.size; ++k) square += values[k] * values[k];
    return std::sqrt(square);
  }

  void scale_rows(const ContactProblem& problem) {
    rows_ = problem.rows;
    penalty_ = first_penalty;
    for (auto* values : {&scale_, &free_, &x_, &y_, &z_, &before_}) values->assign(rows_, 0.0);
    for (const ProblemContact& contact : problem.contacts) {
      scale_[contact.row] = std::sqrt(contact.weight);
      for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
        const FrictionBall& ball = problem.balls[b];
        std::fill_n(scale_.begin() + ball.row, ball.size, std::sqrt(ball.weight));
      }
    }
    for (int k = 0; k < rows_; ++k) free_[k] = scale_[k] * problem.offset[k];
    first_.resize(rows_);
    for (int k = 0; k < rows_; ++k) {
      const double* w = problem.delassus_row(k);
      first_[k] = static_cast<int>(std::find_if(w, w + k, [](double each) { return each != 0; }) - w);
    }
  }

  // From the impulses, and the velocities that they make.
  void start(const ContactProblem& problem, const std::vector<double>& impulses) {
    for (int k = 0; k < rows_; ++k) {
      const Eigen::Map<const Eigen::VectorXd> w(problem.delassus_row(k), rows_), all(impulses.data(), rows_);
      y_[k] = impulses[k] / scale_[k];
      z_[k] = -free_[k] - scale_[k] * w.dot(all);
    }
    project(problem, y_);
    for (const ProblemContact& contact : problem.contacts) z_[contact.row] -= shift(problem, contact);
  }

  // W + ρ I = L Lᵀ. A row has zeros before its first entry, and so has that of L.
  void factor(const ContactProblem& problem) {
    matrix_.resize(static_cast<std::size_t>(rows_) * rows_);
    for (int i = 0; i < rows_; ++i) {
      const double* w = problem.delassus_row(i);
      double* own = row(i);
      for (int j = first_[i]; j <= i; ++j) own[j] = scale_[i] * w[j] * scale_[j];
      own[i] += penalty_;
      for (int j = first_[i]; j <= i; ++j) {
        const int first = std::max(first_[i], first_[j]);
        const Eigen::Map<const Eigen::VectorXd> a(own + first, j - first), b(row(j) + first, j - first);
        own[j] -= j > first ? a.dot(b) : 0;
        own[j] = j < i ? own[j] / row(j)[j] : std::sqrt(own[j]);
      }
    }
  }

  void solve_factored(std::vector<double>& values) {
    for (int i = 0; i < rows_; ++i) {
      const int count = i - first_[i];
      const Eigen::Map<const Eigen::VectorXd> own(row(i) + first_[i], count), others(values.data() + first_[i], count);
      values[i] = (values[i] - (count > 0 ? own.dot(others) : 0)) / row(i)[i];
    }
    for (int i = rows_ - 1; i >= 0; --i) {
      const int count = i - first_[i];
      values[i] /= row(i)[i];
      Eigen::Map<Eigen::VectorXd>(values.data() + first_[i], count) -=
          values[i] * Eigen::Map<const Eigen::VectorXd>(row(i) + first_[i], count);
    }
  }

  // Σ r |u_B|, of the velocities −z.
  double shift(const ContactProblem& problem, const ProblemContact& contact) const {
    double sum = 0;
    for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b)
      sum += radius(contact, problem.balls[b]) * size_of(problem.balls[b], z_);
    return sum;
  }

  // On the cones λ_N ≥ 0, |λ_B| ≤ r λ_N: the nearest point. Its normal part is the root of
  //   n − a = Σ_B r_B max(0, |t_B| − r_B n),
  // whose sides differ by a concave and piecewise linear function: Newton's iteration from the left ends on it.
  void project(const ContactProblem& problem, std::vector<double>& values) const {
    for (const ProblemContact& contact : problem.contacts) {
      double normal = contact.bilateral ? values[contact.row] : 0;
      for (int pass = 0; !contact.bilateral && pass <= contact.balls; ++pass) {
        double value = normal - values[contact.row], slope = 1;
        for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
          const double r = radius(contact, problem.balls[b]);
          const double beyond = size_of(problem.balls[b], values) - r * normal;
          if (beyond > 0) value -= r * beyond, slope += r * r;
        }
        if (value >= 0) break;
        normal -= value / slope;
      }
      values[contact.row] = normal;
      for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
        const FrictionBall& ball = problem.balls[b];
        const double size = size_of(ball, values), bound = radius(contact, ball) * std::max(0.0, normal);
        if (!(size > bound)) continue;
        for (int k = ball.row; k < ball.row + ball.size; ++k) values[k] *= bound / size;
      }
    }
  }

  void iterate(const ContactProblem& problem) {
    for (int k = 0; k < rows_; ++k) x_[k] = penalty_ * y_[k] - z_[k] - free_[k];
    for (const ProblemContact& contact : problem.contacts) x_[contact.row] -= shift(problem, contact);
    solve_factored(x_);
    before_ = y_;
    for (int k = 0; k < rows_; ++k) {
      z_[k] += penalty_ * x_[k];
      y_[k] = z_[k] / penalty_;
    }
    project(problem, y_);
    vector(z_) -= penalty_ * vector(y_);
  }

  // Both residuals in parts of what they are residuals of.
  void adapt_penalty(const ContactProblem& problem) {
    const auto x = vector(x_), y = vector(y_), z = vector(z_), before = vector(before_);
    const double primal = (x - y).norm() * std::max(z.norm(), vector(free_).norm());
    const double dual = penalty_ * (y - before).norm() * std::max(x.norm(), y.norm());
    if (!(primal > 0) || !(dual > 0)) return;
    const double ratio = std::sqrt(primal / dual);
    if (!std::isfinite(ratio) || (ratio < worthwhile_change && ratio > 1 / worthwhile_change)) return;
    const double changed = std::clamp(ratio * penalty_, least_penalty, most_penalty);
    if (changed == penalty_) return;
    penalty_ = changed;
    factor(problem);
  }

  void judge(const ContactProblem& problem, ContactSolution& solution) {
    for (int k = 0; k < rows_; ++k) solution.impulses[k] = scale_[k] * y_[k];
    solution.velocities = problem.offset;
    const Eigen::Map<const Eigen::VectorXd> all(solution.impulses.data(), rows_);
    for (int k = 0; k < rows_; ++k)
      solution.velocities[k] += Eigen::Map<const Eigen::VectorXd>(problem.delassus_row(k), rows_).dot(all);
    const NaturalMapResidual residual = natural_map_residual(problem, solution.impulses);
    solution.outcome.residual = residual.relative;
    solution.outcome.converged = residual.relative <= tolerance_ || residual.velocity <= problem.negligible;
  }

  double tolerance_ = 1e-10;
  int most_iterations_;
  int rows_ = 0;
  double penalty_ = first_penalty;  // ρ
  std::vector<double> matrix_;      // L, row by row
  std::vector<int> first_;          // entry of each row
  std::vector<double> scale_;       // of each row: impulses are scaled ones times it
  std::vector<double> free_;        // b, scaled
  std::vector<double> x_, y_, z_, before_;
};

}  // namespace

ContactSolverDescription describe_admm_solver() {
  return {{.name = "admm",
           .summary = "Alternating direction method of multipliers with an adaptive penalty, on the assembled Delassus "
                      "operator; for contacts that can carry their load in many ways, and for large ratios of masses. "
                      "In a step, problems that it leaves unsolved are handed over to `direct`.",
           .reference = "Carpentier, Le Lidec, Montaut, Robotics: Science and Systems (2024); De Saxcé, Feng, Math. "
                        "Comput. Modelling 28 (1998) 225–245",
           .parameters = {{.name = "contact_iterations",
                           .kind = ParameterKind::integer,
                           .meaning = "most iterations on a contact problem of a step",
                           .default_text = "2000",
                           .minimum = 1,
                           .maximum = 1e6}}},
          {},
          ContactForm::assembled,
          20'000,
          false,
          [](const Settings& keys) -> std::unique_ptr<ContactSolver> {
            return std::make_unique<AdmmSolver>(
                static_cast<int>(keys.number("contact_iterations", most_iterations_of_a_step)));
          }};
}

}  // namespace carom::inline impact
