#pragma once

#include <memory>
#include <string>
#include <vector>

#include "impact/contact_solution.h"
#include "model/description.h"
#include "model/settings.h"

namespace carom::inline impact {

// Solves contact problems, and knows nothing of where they come from.
class ContactSolver {
 public:
  virtual ~ContactSolver() = default;
  // From the first guess in solution.impulses; fills all but the residual of the natural map.
  virtual void solve(const ContactProblem& problem, ContactSolution& solution) = 0;
  // From the next problem on: relative tolerance of the natural map in the energy norm, and most iterations. Solvers
  // that converge to rounding, or to the tolerance of the problem, have no use for it.
  virtual void limit(double /*tolerance*/, int /*most_iterations*/) {}
};

// How contacts are put to the solver in a step.
enum class ContactForm {
  assembled,  // as a ContactProblem per island
  by_bodies,  // as bodies and levers, by projected Gauss–Seidel (SweepSolver), wherever that can be
  by_size     // by bodies where there are many contacts
};

// A solver by name. One file each; catalogue.cpp lists them.
struct ContactSolverDescription : TypeDescription {
  std::vector<std::string> aliases = {};  // other names on the command line
  ContactForm form = ContactForm::assembled;
  int usual_iterations = 0;  // on problems from files, where no other number is asked for
  // On problems from files: some iterations of Gauss–Seidel lead on from where it gives up. Else it is called again
  // with a smaller tolerance.
  bool goes_on_after_smoothing = false;
  // For assembled problems; `keys` are those of its table.
  std::unique_ptr<ContactSolver> (*make)(const Settings& keys) = nullptr;
};

// All of them, by name.
const std::vector<ContactSolverDescription>& contact_solver_catalogue();
// By name or alias; null: there is none.
const ContactSolverDescription* find_contact_solver(const std::string& name);

// For steps: the solver of that name where it works on assembled problems, else Newton's method. What the solver leaves
// unsolved is handed over to Newton's method, from where it stopped.
class StepSolver final : public ContactSolver {
 public:
  StepSolver(const std::string& name, const Settings& keys);
  void solve(const ContactProblem& problem, ContactSolution& solution) override;
  long handed_over() const { return handed_over_; }  // problems

 private:
  std::unique_ptr<ContactSolver> chosen_;  // null: Newton's method at once
  std::unique_ptr<ContactSolver> newton_;
  std::vector<double> guess_;
  long handed_over_ = 0;
};

// Solves a problem by any solver, from solution.impulses as the first guess (zeros where it has another size), and
// judges what came out by the natural map.
void solve(const ContactProblem& problem, ContactSolver& solver, ContactSolution& solution);

// Statuses of contacts and balls from impulses and velocities.
void set_statuses(const ContactProblem& problem, ContactSolution& solution);

}  // namespace carom::inline impact
