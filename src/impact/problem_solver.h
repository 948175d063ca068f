#pragma once

#include <string>
#include <vector>

#include "impact/contact_problem.h"
#include "impact/contact_solution.h"
#include "impact/coulomb_residual.h"

// A contact problem and the name of a solver, for problems that come from files. What comes out is judged by Coulomb's
// law alone, whatever the solver thinks of it.
namespace carom::inline impact {

struct ProblemSolverSettings {
  std::string solver = "auto";  // of the catalogue
  double tolerance = 1e-8;      // of the natural map of Coulomb's law, relative; what rounding leaves is accepted
  int max_iterations = 0;       // no further attempt begins after so many; 0: as the solver has it
};

struct SolvedProblem {
  std::vector<double> impulses, velocities;  // λ and u
  CoulombResidual residual;
  int iterations = 0;               // of all attempts
  std::vector<SolverStage> stages;  // of a solver that tries several methods
  bool converged = false;
};

// `guess`: the first impulses; empty for zeros.
SolvedProblem solve_problem(const ContactProblem& problem, const ProblemSolverSettings& settings,
                            const std::vector<double>& guess = {});

}  // namespace carom::inline impact
