#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "impact/contact_solver.h"
#include "integrators/nonsmooth/step_stages.h"

namespace carom::inline nonsmooth_integrators {

// One problem of a velocity jump, in the rows of all closed contacts: what all physics is in. Who takes part and what
// restitution asks for is decided before (ImpactRules); a solver only solves.
struct JumpProblem {
  std::vector<int> chosen;     // contacts that take part
  std::vector<double> local;   // m/s, free local velocities
  std::vector<double> target;  // m/s, restitution times the velocity of approach: u + target takes the place of u
  double negligible = 0;       // m/s
  bool all_at_once = true;     // it holds all contacts; a sequence starts each problem from nothing
  bool goes_on = false;        // from the impulses of its own last solution, which stay in it
  // The one contact that takes part was followed through its impact: these are its impulses, nothing is to be solved.
  bool followed = false;
  std::vector<double> impulses;
  ContactStatus status = ContactStatus::stick;
};

// Closed contacts with the inertia behind them, put to a solver: assembled for Newton's method, or as bodies and levers
// for projected Gauss–Seidel. Rows of a contact: normal, slip, then (where the law has them) spin coupled to the slip,
// rolling, spinning.
template <int D>
class JumpDynamics {
 public:
  virtual ~JumpDynamics() = default;

  // Contacts at the end of the step; `v` is the velocity that the jump starts from. The mechanism has its matrix.
  virtual void build(const StepStart<D>& start, const CorrectedState<D>& corrected) = 0;
  // Before anything but normal velocities is asked for: in many steps nothing is.
  virtual void complete(const CorrectedState<D>& corrected) = 0;

  // Before the first problem: how impulses change the velocities. Most steps have none.
  virtual void respond() = 0;

  virtual int row_count() const = 0;
  virtual int first_row(int contact) const = 0;
  virtual int row_count(int contact) const = 0;
  virtual VectorOf<D> tangent(int contact, int k) const = 0;  // k = 1 … D − 1
  // Groups of contacts whose impacts are passed on among themselves.
  virtual int group_count() const = 0;
  virtual std::span<const int> group(int group) const = 0;
  // Contacts that may share a body with this one of the group, in ascending order.
  virtual std::span<const int> neighbours(int group, int contact) const = 0;

  // u = H v, of all rows of a contact.
  virtual void velocity(int contact, const Eigen::VectorXd& v, double* u) const = 0;
  virtual double normal_velocity(int contact, const Eigen::VectorXd& v) const = 0;  // the first of them
  // Of all contacts: by row, and along the normals by contact.
  virtual void velocities(const Eigen::VectorXd& v, std::vector<double>& u) = 0;
  virtual void normal_velocities(const Eigen::VectorXd& v, std::vector<double>& u) = 0;
  virtual double effective_mass(int contact) const = 0;  // kg, along the normal; infinite where nothing can move it
  // Squared, of 1: how far a normal impulse at one contact is taken up by another one that it closes.
  virtual double coupling(int contact, int other) const = 0;
  // 1/kg, W of normal and slip of one contact that has friction.
  virtual Eigen::Matrix<double, D, D> delassus(int contact) const = 0;
  virtual VectorOf<D> world(int contact, const double* impulses) const = 0;  // impulse on b
  // Adds what the impulses of a contact are in generalised ones.
  virtual void add_impulse(int contact, const double* impulses, Eigen::VectorXd& p) const = 0;
  // Adds the reactions of joints to all impulses.
  virtual void add_reactions(const std::vector<double>& impulses, Eigen::VectorXd& reactions) = 0;

  // m/s: slower approaches do not count.
  virtual double negligible_speed() const = 0;
  virtual double least_approach(double negligible, bool all_at_once) const = 0;

  // Solves the problem, from the velocities v = start + jump, and adds to the jump what its impulses do. Rows of the
  // solution are those of the chosen contacts, one after the other; velocities there are without the target.
  virtual void solve(const JumpProblem& problem, const Eigen::VectorXd& v, Eigen::VectorXd& jump,
                     ContactSolution& solution) = 0;
  // A solution that is not exact may give energy: then the impulses of the contacts that hang together are scaled down
  // to where they give none. What they would have given, J.
  virtual double take_back_gain(const JumpProblem&, const Eigen::VectorXd&, Eigen::VectorXd&, ContactSolution&) {
    return 0;
  }
  // Joints and forces have made these velocities of the impulses: largest change of those that the solver has found.
  virtual double note_follow(const Eigen::VectorXd& v) = 0;
  // The velocity at the end of the jump.
  virtual void finish(const Eigen::VectorXd& from, Eigen::VectorXd& jump, Eigen::VectorXd& v) const = 0;
  // Impulses go on from one pass over joints and forces to the next, instead of adding up.
  virtual bool is_iterative() const = 0;
};

// Of one of the contacts that take part.
template <int D>
bool asks_restitution(const JumpDynamics<D>& dynamics, const JumpProblem& problem) {
  return std::any_of(problem.chosen.begin(), problem.chosen.end(), [&](int c) {
    const double* target = problem.target.data() + dynamics.first_row(c);
    return std::any_of(target, target + dynamics.row_count(c), [](double each) { return each != 0; });
  });
}

}  // namespace carom::inline nonsmooth_integrators
