#include "impact/block_methods.h"
#include "impact/contact_solver.h"

namespace carom::inline impact {
namespace {

constexpr int usual_interior_iterations = 100;
constexpr int warm_factorisations = 4;  // of Newton's method from a first guess

// The interior point method on sparse blocks (interior_point.h), which Newton's method brings to its end.
class InteriorPointSolver final : public ContactSolver {
 public:
  explicit InteriorPointSolver(int most_iterations) : most_iterations_(most_iterations) {}

  void limit(double tolerance, int most_iterations) override {
    tolerance_ = tolerance, most_iterations_ = most_iterations;
  }

  void solve(const ContactProblem& problem, ContactSolution& solution) override {
    SolverOutcome& outcome = solution.outcome = {};
    solution.impulses.resize(problem.rows, 0.0);
    methods_.with(problem, [&](auto& methods) { solve_by(methods, problem, solution); });
    set_velocities(problem, solution);
    const NaturalMapResidual residual = natural_map_residual(problem, solution.impulses);
    outcome.residual = residual.relative;
    outcome.converged = residual.relative <= tolerance_ || residual.velocity <= problem.negligible;
    set_statuses(problem, solution);
  }

 private:
  template <class Methods>
  void solve_by(Methods& methods, const ContactProblem& problem, ContactSolution& solution) {
    int& iterations = solution.outcome.iterations;
    if (methods.pose(problem, solution.impulses, tolerance_)) return;
    const bool guessed = std::any_of(solution.impulses.begin(), solution.impulses.end(), [](double l) { return l != 0; });
    if (guessed) iterations += methods.newton(warm_factorisations).iterations;
    iterations += methods.interior(most_iterations_).iterations;
    methods.to_impulses(solution.impulses);
  }

  static void set_velocities(const ContactProblem& problem, ContactSolution& solution) {
    solution.velocities = problem.offset;
    for (int i = 0; i < problem.rows; ++i) {
      const double* w = problem.delassus_row(i);
      for (int j = 0; j < problem.rows; ++j) solution.velocities[i] += w[j] * solution.impulses[j];
    }
  }

  double tolerance_ = 1e-10;
  int most_iterations_;
  AnyBlockMethods methods_;
};

}  // namespace

ContactSolverDescription describe_interior_point_solver() {
  return {{.name = "interior-point",
           .summary = "Primal-dual interior point method on the friction cones, with Coulomb's law as it stands, in "
                      "sparse blocks; Newton's method brings it to its end. For many contacts that can carry their load "
                      "in many ways. In a step, problems that it leaves unsolved are handed over to `direct`.",
           .reference = "Acary, Armand, Nguyen, Shpakovych, Optim. Methods Softw. 39 (2024) 634–663; Nesterov, Todd, "
                        "SIAM J. Optim. 8 (1998) 324–364",
           .parameters = {{.name = "contact_iterations",
                           .kind = ParameterKind::integer,
                           .meaning = "most iterations on a contact problem of a step",
                           .default_text = "100",
                           .minimum = 1,
                           .maximum = 1e6}}},
          {},
          ContactForm::assembled,
          usual_interior_iterations,
          false,
          [](const Settings& keys) -> std::unique_ptr<ContactSolver> {
            return std::make_unique<InteriorPointSolver>(
                static_cast<int>(keys.number("contact_iterations", usual_interior_iterations)));
          }};
}

}  // namespace carom::inline impact
