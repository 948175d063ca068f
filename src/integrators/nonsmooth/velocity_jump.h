#pragma once

#include "integrators/nonsmooth/assembled_jump.h"
#include "integrators/nonsmooth/body_jump.h"
#include "integrators/nonsmooth/energy_guard.h"
#include "integrators/nonsmooth/impact_rules.h"

namespace carom::inline nonsmooth_integrators {

// The third stage of a step: at the final position the smooth velocity ṽ jumps by W,
//   M W − h f* + Gᵀ ν = Hᵀ Λ,   G v + g_t = 0,   v = ṽ + W,
//   f* = f(q, v) − f(q̃, ṽ) − (G − G̃)ᵀ λ̃,
// with Newton's law of impact for contacts that are closed, u_N + e min(0, u_N before the step) ≥ 0, and friction,
// rolling and spinning resistance.
template <int D>
class VelocityJump {
 public:
  VelocityJump(StepContext<D>& context, Mechanism<D>& mechanism, BodyContacts<D>& bodies);

  // Sets sizes, and forgets what earlier steps have taught.
  void restart(JumpedState<D>& state);
  // False: not found, and the context knows why. Bodies of the corrected state get the velocities that come out.
  bool run(const StepStart<D>& start, const SmoothState<D>& smooth, CorrectedState<D>& corrected,
           JumpedState<D>& state);

 private:
  static constexpr int dofs = Space<D>::dofs;
  // The stage under way.
  struct Stage {
    const StepStart<D>& start;
    const SmoothState<D>& smooth;
    const CorrectedState<D>& corrected;
    JumpedState<D>& state;
  };
  // What a second pass over the forces changed, and how many steps ago.
  struct SecondPass {
    double share = 1;
    int age = 0;
  };

  // Of impulses and the forces that change with them.
  enum class Passes { settled, unsettled, failed };

  bool nothing_approaches(const Stage& stage);
  void leave(const Stage& stage);      // velocities as they are
  void note_left(const Stage& stage);  // contacts without impulses
  bool find_impulses(const Stage& stage);
  void clear(const Stage& stage);
  bool gains(const Stage& stage);
  Passes follow_forces(const Stage& stage, bool follows);
  double free_jump(const Stage& stage);  // joints and smooth forces, after the impulses; largest change of a velocity
  bool resolve(const Stage& stage, int group, bool untouched, int pass, bool& moved);
  double fastest_approach(const Stage& stage, std::span<const int> contacts, bool untouched);
  // Sets the negligible speed; m/s, the approach down to which a sequence is followed.
  double set_tolerance(const Stage& stage, double fastest);
  void take_velocities(const Stage& stage, std::span<const int> contacts, bool untouched);
  bool solve(const Stage& stage, int group);
  void note_guard(const Stage& stage);
  bool rolls(const Stage& stage, const NonsmoothContact<D>& closed) const;
  void note(const Stage& stage);
  void note_work(const Stage& stage, int contact, ContactNote<D>& note);
  void weight_response(double h);

  StepContext<D>& context_;
  Mechanism<D>& mechanism_;
  BodyContacts<D>& bodies_;
  AssembledJump<D> assembled_;
  BodyJump<D> by_bodies_;
  JumpDynamics<D>* dynamics_ = nullptr;  // one of both
  ImpactRules<D> rules_;
  EnergyGuard<D> guard_;
  JumpProblem problem_;
  ContactSolution solution_;
  std::vector<double> impulses_;  // of the step, by row
  std::vector<double> work_;      // J, of the impulses, by contact
  std::vector<NonsmoothStatus> status_;
  std::vector<double> normals_;        // m/s, by contact: before the jump, where looked_, and after it
  bool looked_ = false;                // before the first problem
  std::vector<double> after_, other_;  // local velocities of one contact
  Eigen::VectorXd now_;                // ṽ + jump
  Eigen::VectorXd contact_impulse_;    // generalised impulses of contacts
  Eigen::VectorXd load_, right_, residual_, weight_response_;
  SecondPass second_pass_;
};

extern template class VelocityJump<2>;
extern template class VelocityJump<3>;

}  // namespace carom::inline nonsmooth_integrators
