#include "impact/problem_solver.h"

#include <cassert>

#include "impact/gauss_seidel_solver.h"

namespace carom::inline impact {
namespace {

// Keeps the best of what solvers find.
class Best {
 public:
  Best(const ContactProblem& problem, std::vector<double> guess) : problem_(problem) {
    tried.impulses = std::move(guess);
    tried.impulses.resize(problem.rows, 0.0);
    impulses_ = tried.impulses;
    residual_ = coulomb_residual(problem, impulses_).relative;
  }
  // Another attempt from where the last one stopped. True: it came much nearer.
  bool attempt(ContactSolver& solver) {
    constexpr double worthwhile = 0.5;
    solver.solve(problem_, tried);
    iterations += std::max(1, tried.outcome.iterations);
    const double residual = coulomb_residual(problem_, tried.impulses).relative, before = residual_;
    if (residual < residual_) residual_ = residual, impulses_ = tried.impulses;
    return residual <= worthwhile * before;
  }
  void go_back() { tried.impulses = impulses_; }
  double residual() const { return residual_; }
  const std::vector<double>& impulses() const { return impulses_; }

  ContactSolution tried;
  int iterations = 0;

 private:
  const ContactProblem& problem_;
  std::vector<double> impulses_;
  double residual_ = 0;
};

// A solver for steps has tolerances of its own and gives up early. It goes on from where it stopped as long as that
// helps, and from where some iterations of Gauss–Seidel lead where it does not.
void solve_with_smoothing(ContactSolver& solver, double tolerance, int most, Best& best) {
  constexpr int rounds = 10, smoothing = 500;
  GaussSeidelSolver smoother;
  smoother.tolerance = 0, smoother.most_iterations = smoothing;
  for (int round = 0; round < rounds && best.residual() > tolerance && best.iterations < most;) {
    if (best.attempt(solver)) continue;
    best.go_back();
    const int before = best.iterations;
    best.attempt(smoother);
    best.iterations = before;
    ++round;
  }
}

// It judges itself by another map; where that is content too early, it goes on with a smaller tolerance.
void solve_ever_stricter(ContactSolver& solver, double tolerance, int most, Best& best) {
  constexpr double stricter = 0.1, strictest = 1e-16;
  for (double its_own = tolerance; best.residual() > tolerance && best.iterations < most; its_own *= stricter) {
    solver.limit(its_own, most - best.iterations);
    best.attempt(solver);
    if (!std::isfinite(best.tried.outcome.residual) || its_own < strictest) return;
  }
}

}  // namespace

SolvedProblem solve_problem(const ContactProblem& problem, const ProblemSolverSettings& settings,
                            const std::vector<double>& guess) {
  Best best(problem, guess);
  const ContactSolverDescription* type = find_contact_solver(settings.solver);
  assert(type);
  const int most = settings.max_iterations > 0 ? settings.max_iterations : type->usual_iterations;
  const std::unique_ptr<ContactSolver> solver = type->make({});
  (type->goes_on_after_smoothing ? solve_with_smoothing : solve_ever_stricter)(*solver, settings.tolerance, most, best);
  SolvedProblem solved;
  solved.impulses = best.impulses();
  solved.iterations = best.iterations;
  solved.velocities = local_velocities(problem, solved.impulses);
  solved.residual = coulomb_residual(problem, solved.impulses, solved.velocities);
  solved.converged = solved.residual.relative <= std::max(settings.tolerance, solved.residual.rounding);
  return solved;
}

}  // namespace carom::inline impact
