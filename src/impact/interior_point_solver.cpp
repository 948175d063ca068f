#include "impact/block_methods.h"
#include "impact/contact_solver.h"

namespace carom::inline impact {
namespace {

constexpr int usual_interior_iterations = 1000, interior_iterations_of_a_step = 100;
constexpr int warm_factorisations = 4;  // of Newton's method from a first guess

// The interior point method on sparse blocks (interior_point.h), which Newton's method brings to its end.
class InteriorPointSolver final : public ContactSolver {
 public:
  void limit(double tolerance, int most_iterations) override {
    tolerance_ = tolerance, most_iterations_ = most_iterations;
  }

  void solve(const ContactProblem& problem, ContactSolution& solution) override {
    solution.outcome = {};
    solution.impulses.resize(problem.rows, 0.0);
    if (!methods_.with(problem, [&](auto& methods) { solve_by(methods, problem, solution); }))
      leave_unsolved(problem, solution);
  }

 private:
  template <class Methods>
  void solve_by(Methods& methods, const ContactProblem& problem, ContactSolution& solution) {
    int& iterations = solution.outcome.iterations;
    if (!methods.pose(problem, solution.impulses, tolerance_)) {
      const auto any = [](double impulse) { return impulse != 0; };
      if (std::any_of(solution.impulses.begin(), solution.impulses.end(), any))
        iterations += methods.newton(warm_factorisations).iterations;
      iterations += methods.interior(most_iterations_).iterations;
    }
    methods.report(problem, solution);
  }

  double tolerance_ = 1e-10;
  int most_iterations_ = interior_iterations_of_a_step;
  AnyBlockMethods methods_;
};

}  // namespace

ContactSolverDescription describe_interior_point_solver() {
  return {
      {.name = "interior-point",
       .summary = "Primal-dual interior point method on the friction cones, with Coulomb's law as it stands, in "
                  "sparse blocks; Newton's method brings it to its end. For many contacts that can carry their load "
                  "in many ways. In a step, problems that it leaves unsolved are handed over to `direct`.",
       .reference = "Acary, Armand, Nguyen, Shpakovych, Optim. Methods Softw. 39 (2024) 634–663; Nesterov, Todd, "
                    "SIAM J. Optim. 8 (1998) 324–364"},
      {},
      ContactForm::assembled,
      usual_interior_iterations,
      false,
      [](const Settings&) -> std::unique_ptr<ContactSolver> { return std::make_unique<InteriorPointSolver>(); }};
}

}  // namespace carom::inline impact
