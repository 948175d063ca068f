#pragma once

#include "impact/restitution_share.h"
#include "integrators/nonsmooth/jump_dynamics.h"

namespace carom::inline nonsmooth_integrators {

// Solves problems of a velocity jump so that none gains energy: where the impulses of contacts that hang together would
// do positive work, ½ Λᵀ (γ⁺ + γ⁻) > 0, their restitution is reduced by a common factor.
template <int D>
class EnergyGuard {
 public:
  // As JumpDynamics::solve; targets of the problem are those that were solved in the end. Without restitution, where
  // there is no solution with it and no shorter step.
  void solve(JumpDynamics<D>& dynamics, int group, JumpProblem& problem, const Eigen::VectorXd& v, bool last_attempt,
             Eigen::VectorXd& jump, ContactSolution& solution);

  // Of the last problem: the contact that would have gained most, −1: none, and what its group would have gained, J; 0:
  // there was no solution.
  int reduced_contact() const { return reduced_contact_; }
  double avoided() const { return avoided_; }

 private:
  // Of each contact.
  void measure(const JumpDynamics<D>& dynamics, const JumpProblem& problem, const ContactSolution& solution);
  bool any_gains() const;
  void solve_without_restitution(JumpDynamics<D>& dynamics, JumpProblem& problem, const Eigen::VectorXd& v,
                                 Eigen::VectorXd& jump, ContactSolution& solution);
  void find_islands(const JumpDynamics<D>& dynamics, int group, const JumpProblem& problem);
  bool settle(bool converged);
  void scale(const JumpDynamics<D>& dynamics, JumpProblem& problem) const;
  int root(int k);

  // J: gain, sum of the magnitudes that make it up, and what the error of the velocities may be worth.
  struct Work {
    double gain = 0, size = 0, unsure = 0;
  };
  struct Island {
    RestitutionShare share;
    Work work;
    bool settled = false;
  };
  std::vector<Work> works_;      // of the chosen contacts
  std::vector<int> island_of_;   // of the chosen contacts: first of its island
  std::vector<int> place_of_;    // among the chosen ones, by contact; −1: not chosen
  std::vector<Island> islands_;  // at the place of their first contact
  std::vector<double> asked_;    // targets before they were scaled
  Eigen::VectorXd before_;       // the jump without this problem
  int reduced_contact_ = -1;
  double avoided_ = 0;
};

extern template class EnergyGuard<2>;
extern template class EnergyGuard<3>;

}  // namespace carom::inline nonsmooth_integrators
