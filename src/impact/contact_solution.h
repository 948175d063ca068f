#pragma once

#include <vector>

#include "impact/natural_map.h"

namespace carom::inline impact {

enum class ContactStatus { open, stick, slip };

// How a solver came to its end.
struct SolverOutcome {
  bool converged = true;
  bool closed_form = false;         // solved to rounding, without iterations
  int iterations = 0;               // of Newton, over all attempts, or of projected Gauss–Seidel
  int cuts = 0;                     // of the line search
  int gauss_seidel_iterations = 0;  // projected Gauss–Seidel iterations of the fallback
  double residual = 0;              // relative, as the solver judges it
};

// One of the methods that a solver tried, where it has several.
struct SolverStage {
  const char* method = "";
  int iterations = 0;
  double residual = 0;  // relative, after it
};

// What a solver makes of a contact problem, in the rows of the problem. Vectors keep their room from one problem to the
// next.
struct ContactSolution {
  std::vector<double> impulses;    // λ; the first guess before, zeros for none
  std::vector<double> velocities;  // u = W λ + b
  // Of contacts and of their balls. A contact sticks when its first ball does, or has none.
  std::vector<ContactStatus> statuses, ball_statuses;
  std::vector<SolverStage> stages;  // of a solver that tries several methods
  SolverOutcome outcome;
  NaturalMapResidual residual;  // by code that knows no solver; none of a closed form
};

}  // namespace carom::inline impact
