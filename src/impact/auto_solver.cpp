#include <limits>

#include "impact/block_methods.h"
#include "impact/contact_solver.h"

namespace carom::inline impact {
namespace {

constexpr int usual_auto_iterations = 1000;
constexpr int sweeps_to_begin_with = 10, most_sweeps = 60, sweeps_in_sight = 20;
constexpr int newton_to_begin_with = 6;  // factorisations
constexpr int last_rounds = 5, last_sweeps = 1000, last_newton = 10;

// For problems from files: what is cheap comes first, and what solves nearly everything next. Sweeps of Gauss–Seidel,
// as long as they promise to arrive soon; some steps of Newton's method from there; the interior point method;
// and where that leaves something, sweeps and Newton's method in turn.
class AutoSolver final : public ContactSolver {
 public:
  void limit(double tolerance, int most_iterations) override {
    tolerance_ = tolerance, most_iterations_ = most_iterations;
  }

  void solve(const ContactProblem& problem, ContactSolution& solution) override {
    solution.outcome = {};
    solution.stages.clear();
    solution.impulses.resize(problem.rows, 0.0);
    if (!methods_.with(problem, [&](auto& methods) { solve_by(methods, problem, solution); }))
      leave_unsolved(problem, solution);
  }

 private:
  template <class Methods>
  void solve_by(Methods& methods, const ContactProblem& problem, ContactSolution& solution) {
    const auto note = [&](const char* name, const MethodRun& run) {
      solution.outcome.iterations += run.iterations;
      solution.stages.push_back({name, run.iterations, methods.residual()});
      return run.solved;
    };
    const auto solved = [&] {
      if (methods.pose(problem, solution.impulses, tolerance_)) return true;
      if (note("gauss-seidel", methods.sweep(sweeps_to_begin_with, most_sweeps, sweeps_in_sight))) return true;
      if (note("newton", methods.newton(newton_to_begin_with)) ||
          note("interior-point", methods.interior(most_iterations_)))
        return true;
      double before = std::numeric_limits<double>::infinity();
      for (int round = 0; round < last_rounds && methods.residual() < before; ++round) {
        before = methods.residual();
        if (note("gauss-seidel", methods.sweep(last_sweeps, last_sweeps, 0)) ||
            note("newton", methods.newton(last_newton)))
          return true;
      }
      return false;
    };
    solved();
    methods.report(problem, solution);
  }

  double tolerance_ = 1e-10;
  int most_iterations_ = usual_auto_iterations;
  AnyBlockMethods methods_;
};

}  // namespace

ContactSolverDescription describe_auto_solver() {
  return {{.name = "auto",
           .summary = "By size: projected Gauss–Seidel for many contacts that do not bounce, Newton's method for few, "
                      "and for what the former leaves unsettled. For problems from files: sweeps of Gauss–Seidel, "
                      "Newton's method from there and the interior point method, as far as need be.",
           .reference = {}},
          {},
          ContactForm::by_size,
          usual_auto_iterations,
          false,
          [](const Settings&) -> std::unique_ptr<ContactSolver> { return std::make_unique<AutoSolver>(); }};
}

}  // namespace carom::inline impact
