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
    found.impulses = tried.impulses;
    judge(found);
  }
  // Another attempt from where the last one stopped. True: it came much nearer.
  bool attempt(ContactSolver& solver) {
    constexpr double worthwhile = 0.5;
    tried.stages.clear();
    solver.solve(problem_, tried);
    found.iterations += std::max(1, tried.outcome.iterations);
    SolvedProblem next;
    next.impulses = tried.impulses;
    judge(next);
    const double before = residual();
    if (next.residual.relative < before) {
      found.residual = next.residual;
      found.impulses.swap(next.impulses);
      found.velocities.swap(next.velocities);
    }
    found.stages.insert(found.stages.end(), tried.stages.begin(), tried.stages.end());
    return residual() <= worthwhile * before;
  }
  void go_back() { tried.impulses = found.impulses; }
  double residual() const { return found.residual.relative; }

  ContactSolution tried;
  SolvedProblem found;

 private:
  void judge(SolvedProblem& solved) const {
    solved.velocities = local_velocities(problem_, solved.impulses);
    solved.residual = coulomb_residual(problem_, solved.impulses, solved.velocities);
  }

  const ContactProblem& problem_;
};

// A solver for steps has tolerances of its own and gives up early. It goes on from where it stopped as long as that
// helps, and from where some iterations of Gauss–Seidel lead where it does not.
void solve_with_smoothing(ContactSolver& solver, double tolerance, int most, Best& best) {
  constexpr int rounds = 10, smoothing = 500;
  GaussSeidelSolver smoother;
  smoother.tolerance = 0, smoother.most_iterations = smoothing;
  for (int round = 0; round < rounds && best.residual() > tolerance && best.found.iterations < most;) {
    if (best.attempt(solver)) continue;
    best.go_back();
    const int before = best.found.iterations;
    best.attempt(smoother);
    best.found.iterations = before;
    ++round;
  }
}

// It judges itself by another map; where that is content too early, it goes on with a smaller tolerance.
void solve_ever_stricter(ContactSolver& solver, double tolerance, int most, Best& best) {
  constexpr double stricter = 0.1, strictest = 1e-16;
  for (double its_own = tolerance; best.residual() > tolerance && best.found.iterations < most; its_own *= stricter) {
    solver.limit(its_own, most - best.found.iterations);
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
  SolvedProblem solved = std::move(best.found);
  solved.converged = solved.residual.relative <= std::max(settings.tolerance, solved.residual.rounding);
  return solved;
}

}  // namespace carom::inline impact
