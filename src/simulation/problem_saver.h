#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "contact_problem_io/stored_problem.h"
#include "integrators/nonsmooth/nonsmooth_integrator.h"

namespace carom::inline simulation {

// Every n-th step, from the first one on, into a folder that holds nothing yet.
struct ProblemSaving {
  std::filesystem::path folder;
  long every = 1;
};

struct SavedProblems {
  long files = 0;
  long left_out = 0;  // problems for which FCLIB has no place: rolling or spinning resistance, or too many rows
};

// Writes the contact problems of velocity jumps as FCLIB files, with the solution that the step took. A step has one
// problem per group of contacts that touch each other, and several where impacts follow one another or where forces
// depend on the velocity.
class ProblemSaver {
 public:
  // Throws InputError where the folder has something in it: nothing is overwritten.
  ProblemSaver(const ProblemSaving& saving, const Model& model);

  // Before each step; looks at its problems when its turn has come.
  void watch(NonsmoothIntegrator& integrator);
  // After a step that was accepted and ended at t (s): writes what was seen. Throws ResultError.
  void write(double t);

  const SavedProblems& saved() const { return saved_; }

 private:
  struct Seen {
    double t = 0;
    StoredProblem problem;
  };
  void note(const ContactProblem& problem, const ContactSolution& solution, double t);

  const ProblemSaving saving_;
  const std::string model_;
  const int dimension_;
  long steps_ = 0;  // begun
  std::vector<Seen> seen_;
  SavedProblems saved_;
};

}  // namespace carom::inline simulation
