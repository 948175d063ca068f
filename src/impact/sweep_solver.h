#pragma once

#include <vector>

#include "impact/islands.h"
#include "math/space.h"

namespace carom {

// Contact with friction between many bodies, by Gauss–Seidel sweeps: one contact after the other is brought into
// agreement with its law while the others stand. Nothing is assembled, and a contact whose bodies have hardly been
// stirred since it was last visited is passed over, so that the work follows what changes.
//
// Islands of bodies that touch are solved for themselves, on several threads where there are many contacts. Each island
// is one thread's alone, so that results do not depend on their number.
//
// World axes. A body moves by velocity and spin (or, for positions, by a displacement and a small turn).
template <int D>
struct SweepBody {
  VectorOf<D> velocity = VectorOf<D>::Zero();
  SpinOf<D> spin = SpinOf<D>::Zero();
  double inverse_mass = 0;  // zero: does not move, unless it is tied
  int tied = -1;            // its place among the tied bodies; −1: free, or does not move
  bool is_round = false;    // its inertia is the same about all axes
  double stirred = 0;       // sum of the changes that its contacts have made, as velocities
  Eigen::Matrix<double, Space<D>::spins, Space<D>::spins> inverse_inertia =
      Eigen::Matrix<double, Space<D>::spins, Space<D>::spins>::Zero();

  bool moves() const { return inverse_mass > 0 || tied >= 0; }
};

template <int D>
struct SweepContact {
  int a = 0, b = 0;
  bool takes_part = true;
  VectorOf<D> normal, tangent;   // the second tangent in space is normal × tangent
  VectorOf<D> lever_a, lever_b;  // m
  VectorOf<D> offset;            // added to the local velocity: gap, restitution; normal, tangents
  VectorOf<D> impulse;           // in these directions
  double friction = 0;
  double normal_weight = 0, slip_weight = 0;
  int turning = -1;      // number of its resistance to turning
  bool settles = false;  // by one visit: pushes and slips do not act on each other
  double seen = 0;       // how much its bodies had been stirred when it was last visited
};

// Rolling and spinning resistance of a contact; with `lever` > 0 spinning shares the bound of sliding.
template <int D>
struct SweepTurning {
  double rolling = 0, spinning = 0;  // m, torque per normal force
  double lever = 0;                  // m, spinning / friction where they are coupled
  double rolling_weight = 0, spinning_weight = 0;
  SpinOf<D> impulse = SpinOf<D>::Zero();  // N m s, world axes on b
};

struct SweepOutcome {
  int sweeps = 0;       // of the island that needed most
  long visits = 0;      // of contacts
  double residual = 0;  // largest change of a local velocity in the last sweep
};

template <int D>
class SweepSolver {
 public:
  std::vector<SweepBody<D>> bodies;
  std::vector<SweepContact<D>> contacts;
  std::vector<SweepTurning<D>> turnings;
  // Bodies of a mechanism, tied by joints and forces, answer together: all their velocities and spins to a force and a
  // torque on each. They are few, and belong to one island.
  std::vector<int> tied_bodies;
  Eigen::MatrixXd tied_response;

  void clear() { contacts.clear(), turnings.clear(); }
  // After a contact is filled in but for its weights.
  void set_weights(SweepContact<D>& contact);
  // Lets the impulses that contacts begin with act on their bodies.
  void apply_first_guess();
  // Sweeps until no local velocity changes by more than `tolerance`, or `most` times. `threads` = 0: as many as the
  // machine has.
  SweepOutcome solve(double tolerance, int most, int threads = 0);

  VectorOf<D> relative_velocity(const SweepContact<D>& contact) const;
  static VectorOf<D> second_tangent(const SweepContact<D>& contact);
  static VectorOf<D> world(const SweepContact<D>& contact);  // its impulse on b
  // How far contacts are from their laws, judged by bodies and impulses alone: largest and mean.
  struct Error {
    double largest = 0, mean = 0;
  };
  Error law_error() const;

 private:
  double visit(SweepContact<D>& contact);
  double turn(SweepContact<D>& contact);
  void push(const SweepContact<D>& contact, const VectorOf<D>& impulse);
  void twist(const SweepContact<D>& contact, const SpinOf<D>& torque);
  using Wrench = Eigen::Matrix<double, Space<D>::freedoms, 1>;  // impulse and its moment, or velocity and spin
  bool is_tied(const SweepContact<D>& contact) const;
  Wrench answer_of(int body, int pushed, const Wrench& by) const;  // where one of both is tied, or both are one
  void push_tied(const SweepContact<D>& contact, const Wrench& on_a, const Wrench& on_b);
  void set_tied_weights(SweepContact<D>& contact);
  void stir(const SweepContact<D>& contact, double change);
  void find_islands();
  SweepOutcome solve_island(int island, double tolerance, int most);

  Islands islands_;
  std::vector<SweepOutcome> outcomes_;
};

extern template class SweepSolver<2>;
extern template class SweepSolver<3>;

}  // namespace carom
