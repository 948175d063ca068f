#pragma once

#include "impact/elimination_cost.h"
#include "impact/impulse_solver.h"
#include "impact/least_split.h"
#include "integrators/nonsmooth/contact_system.h"
#include "integrators/nonsmooth/step_stages.h"

namespace carom::inline nonsmooth_integrators {

// Workspace of the inclusion for forces of contacts, by island.
struct ContactInclusion {
  ContactProblem problem;
  ContactSolution solution;
  ImpulseSolver solver;
  LeastSplit split;
  std::vector<double> impulses;  // N s: forces times the step, by row
  std::vector<ContactStatus> statuses;
  std::vector<double> local;  // of one contact
  std::vector<int> chosen;
  Eigen::VectorXd predicted, update, ahead;
};

// Contacts that stay closed during a step take part in its smooth motion, with forces instead of impulses:
//   M v̇₁ + Gᵀ λ₁ = f₁ + H₁ᵀ r₁,   0 ≤ u_N ⊥ r_N ≥ 0,   friction on u_T,   u = H₁ v₁,
// at the end of the step, as generalized-α treats joints at the velocity level (Capobianco, Harsch, Eugster, Leine,
// Int. J. Numer. Methods Eng. 122 (2021) 6497–6526, do so for the non-smooth generalized-α method). Only changes of
// contact are left to the jump of the velocity: rolling, sliding and rest are of second order, and what rests does so
// without impacts.
//
// Contacts whose forces never turn gain nothing by it (balls on a plane), those in the holes of loose joints have their
// own treatment in the position correction, light balls between the races of a bearing are squeezed by impulses: they
// are left to the jump. So are many contacts that change from step to step, as in a heap that flows; once they are
// calm, a stack or a heap comes to rest, too.
template <int D>
class PersistentContacts final : public StepCoupling {
 public:
  static constexpr std::size_t few_contacts = 64, most_contacts = 20000;

  PersistentContacts(StepContext<D>& context, const AlphaCoefficients& coefficients);

  void restart();
  bool empty() const { return contacts_.empty(); }

  // Takes those of the resting contacts that persist in the coming step; where they are others than before, or an
  // impact has disturbed them, the accelerations of the start are made consistent with their forces. False: the
  // equations of motion cannot be solved there.
  bool choose(StepStart<D>& start);
  // Goes on without any of them.
  bool give_up(StepStart<D>& start);
  // What they did in the step, whose motion has been found.
  void hand_on(const StepStart<D>& start, SmoothState<D>& state);
  // Whether their forces have driven the bodies, which no contact does: in several contacts with much friction forces
  // need not exist (Painlevé), and what was found instead is an impulse.
  bool gains(const StepStart<D>& start, const SmoothState<D>& state);
  // The step is done: its end is the start of the next.
  void accept();
  // Points have got other numbers: from those of `old_points` to those of start.resting.
  void renumber(const std::vector<int>& old_points, const StepStart<D>& start, SmoothState<D>& state);

  // StepCoupling.
  void add_loads(const Eigen::VectorXd& q, double h, Eigen::VectorXd& load) override;
  bool correct(const Eigen::VectorXd& v, KktSolver& matrix, Eigen::VectorXd& update) override;

 private:
  // Of many contacts, which are taken once they have been calm for a while.
  struct Calm {
    std::vector<int> watched = {};  // points that rested when they were last looked at
    int steps = 0;                  // in which these were the same, and nothing hit them
    int patience = 0;               // steps before they are taken
    int lasted = 0;                 // steps for which they were
  };

  bool begin(StepStart<D>& start);
  double fastest_of(const Eigen::VectorXd& v) const;
  bool are_calm(bool disturbed);
  bool are_cheap();
  void lose_patience();
  bool solve_at_start(StepStart<D>& start);
  bool solve(const Eigen::VectorXd& v, Eigen::VectorXd& update);
  bool solve_island(int island, const Eigen::VectorXd& v, Eigen::VectorXd& update);
  bool jams() const;
  void note(double h, const Eigen::VectorXd& v, std::vector<ContactForce<D>>& forces);

  StepContext<D>& context_;
  BodySystem<D>& system_;
  const AlphaCoefficients coefficients_;
  std::vector<NonsmoothContact<D>> contacts_, resting_;
  std::vector<ContactForce<D>> forces_, before_;  // at the end of the step and at its start
  // N, as the pseudo-acceleration of generalized-α has them, for the step and from the one before, of its length.
  std::vector<VectorOf<D>> pseudo_, pseudo_before_;
  double step_ = 1, last_step_ = 1;  // s
  bool started_ = false;             // accelerations are consistent with the contacts
  bool at_start_ = false;            // forces of the start are sought
  bool lost_ = false;                // a contact has gone from its features
  Calm calm_;
  double free_acceleration_ = 0;  // m/s², largest without contacts
  EliminationCost cost_;
  // Of the inclusion.
  Bodies<D> bodies_;
  ContactSystem<D> contact_system_;
  KktSolver matrix_;  // of a vanishing step
  ContactInclusion inclusion_;
};

extern template class PersistentContacts<2>;
extern template class PersistentContacts<3>;

}  // namespace carom::inline nonsmooth_integrators
