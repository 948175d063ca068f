#pragma once

#include <vector>

#include "impact/contact_problem.h"
#include "math/space.h"

namespace carom::inline impact {

// A contact problem whose Delassus operator is not assembled: bodies with their inertia, and contacts with their
// levers. The state of the bodies is that of the impulses of the contacts, so that local velocities are always at hand.
//
// World axes. A body moves by velocity and angular velocity (or, for positions, by a displacement and a small turn).
template <int D>
struct ProblemBody {
  VectorOf<D> velocity = VectorOf<D>::Zero();
  AngularOf<D> angular_velocity = AngularOf<D>::Zero();
  double inverse_mass = 0;  // zero: does not move, unless it is constrained
  int constrained = -1;     // its place among the constrained bodies; −1: free, or does not move
  bool is_round = false;    // its inertia is the same about all axes
  double stirred = 0;       // sum of the changes that its contacts have made, as velocities
  Eigen::Matrix<double, Space<D>::rotational_dofs, Space<D>::rotational_dofs> inverse_inertia =
      Eigen::Matrix<double, Space<D>::rotational_dofs, Space<D>::rotational_dofs>::Zero();

  bool moves() const { return inverse_mass > 0 || constrained >= 0; }
};

template <int D>
struct BodyContact {
  int a = 0, b = 0;
  bool takes_part = true;
  VectorOf<D> normal, tangent;   // the second tangent in space is normal × tangent
  VectorOf<D> lever_a, lever_b;  // m
  VectorOf<D> offset;            // added to the local velocity: gap, restitution; normal, tangents
  VectorOf<D> impulse;           // in these directions
  double friction = 0;
  double normal_weight = 0, slip_weight = 0;
  int turning = -1;      // number of its resistance to turning
  bool settles = false;  // by one visit: normal impulses and slips do not act on each other
  double seen = 0;       // how much its bodies had been stirred when it was last visited
};

// Rolling and spinning resistance of a contact; with `lever` > 0 spinning shares the bound of sliding.
template <int D>
struct TurningResistance {
  double rolling = 0, spinning = 0;  // m, torque per normal force
  double lever = 0;                  // m, spinning / friction where they are coupled
  double rolling_weight = 0, spinning_weight = 0;
  AngularOf<D> impulse = AngularOf<D>::Zero();  // N m s, world axes on b
};

template <int D>
struct BodyContactProblem {
  std::vector<ProblemBody<D>> bodies;
  std::vector<BodyContact<D>> contacts;
  std::vector<TurningResistance<D>> turnings;
  // Bodies of a mechanism, constrained by joints and forces, move together: all their velocities and angular
  // velocities to a force and a torque on each. They are few, and belong to one island.
  std::vector<int> constrained_bodies;
  Eigen::MatrixXd constrained_response;

  using Wrench = Eigen::Matrix<double, Space<D>::dofs, 1>;  // impulse and its moment, or velocity and angular velocity
  static constexpr int most_rows = D == 2 ? 3 : 6;          // of a contact

  void clear() { contacts.clear(), turnings.clear(); }
  // After a contact is filled in but for its weights.
  void set_weights(BodyContact<D>& contact);
  // An impulse at the contact, and a moment, on b and against a.
  void apply(const BodyContact<D>& contact, const VectorOf<D>& impulse);
  void twist(const BodyContact<D>& contact, const AngularOf<D>& torque);

  VectorOf<D> relative_velocity(const BodyContact<D>& contact) const;
  static VectorOf<D> second_tangent(const BodyContact<D>& contact);
  // An impulse in the directions of a contact, on b; its own.
  static VectorOf<D> world(const BodyContact<D>& contact, const VectorOf<D>& impulse);
  static VectorOf<D> world(const BodyContact<D>& contact) { return world(contact, contact.impulse); }
  bool is_constrained(const BodyContact<D>& contact) const {
    return bodies[contact.a].constrained >= 0 || bodies[contact.b].constrained >= 0;
  }

  // The rows of a contact, as in a ContactProblem: normal, slip, then (where the law has them) spin coupled to the
  // slip, rolling, spinning.
  int row_count(const BodyContact<D>& contact) const;
  // Local velocities of a relative velocity and angular velocity of b against a.
  void local_velocity(const BodyContact<D>& contact, const VectorOf<D>& relative, const AngularOf<D>& angular_velocity,
                      double* u) const;
  void local_impulse(const BodyContact<D>& contact, double* impulses) const;
  // World axes on b, of the rows of a contact after normal and slip.
  AngularOf<D> turning_moment(const BodyContact<D>& contact, const double* impulses) const;
  // Squared, of 1: how far a normal impulse at one contact is taken up by another one that it closes. None where it
  // opens it.
  double coupling(const BodyContact<D>& contact, const BodyContact<D>& other) const;
  // 1/kg, W of normal and slip of one contact.
  Eigen::Matrix<double, D, D> sliding_delassus(const BodyContact<D>& contact) const;
  // Writes the contacts chosen with their Delassus operator, offsets at the velocities of no impulse, and first guess.
  void assemble(const std::vector<int>& chosen, ContactProblem& problem, std::vector<double>& impulses) const;

  // How far contacts are from their laws, judged by bodies and impulses alone: largest |F|/w of the natural map over
  // normal and slip rows, and its mean.
  struct Error {
    double largest = 0, mean = 0;
  };
  Error law_error() const;
  // Of one contact with the local velocities u, whose first D are those of normal and slip.
  double law_error(const BodyContact<D>& contact, const double* u) const;

 private:
  Wrench change_of(int body, int loaded, const Wrench& by) const;  // where one of both is constrained, or both are one
  void push_constrained(const BodyContact<D>& contact, const Wrench& on_a, const Wrench& on_b);
  void set_constrained_weights(BodyContact<D>& contact);
  // What impulses on a (its negative) and b in one contact do to a row of another one.
  double row_response(const BodyContact<D>& of, const Wrench& of_a, const Wrench& of_b, const BodyContact<D>& by,
                      const Wrench& by_a, const Wrench& by_b) const;
  void wrenches(const BodyContact<D>& contact, Wrench* on_a, Wrench* on_b) const;  // of unit impulses in its rows
};

// Of an impulse at the end of a lever, and of a moment alone.
template <int D>
Eigen::Matrix<double, Space<D>::dofs, 1> wrench(const VectorOf<D>& lever, const VectorOf<D>& impulse) {
  Eigen::Matrix<double, Space<D>::dofs, 1> result;
  result.template head<D>() = impulse;
  result.template tail<Space<D>::rotational_dofs>() = AngularOf<D>(cross(lever, impulse));
  return result;
}

template <int D>
Eigen::Matrix<double, Space<D>::dofs, 1> moment(const AngularOf<D>& torque) {
  Eigen::Matrix<double, Space<D>::dofs, 1> result;
  result.template head<D>().setZero();
  result.template tail<Space<D>::rotational_dofs>() = torque;
  return result;
}

template <int D>
inline VectorOf<D> BodyContactProblem<D>::second_tangent(const BodyContact<D>& contact) {
  if constexpr (D == 3) {
    return contact.normal.cross(contact.tangent);
  } else {
    return contact.tangent;
  }
}

template <int D>
inline VectorOf<D> BodyContactProblem<D>::world(const BodyContact<D>& contact, const VectorOf<D>& impulse) {
  VectorOf<D> sum = impulse[0] * contact.normal + impulse[1] * contact.tangent;
  if constexpr (D == 3) sum += impulse[2] * second_tangent(contact);
  return sum;
}

template <int D>
inline VectorOf<D> BodyContactProblem<D>::relative_velocity(const BodyContact<D>& contact) const {
  const ProblemBody<D>&a = bodies[contact.a], &b = bodies[contact.b];
  return b.velocity - a.velocity + cross(b.angular_velocity, contact.lever_b) -
         cross(a.angular_velocity, contact.lever_a);
}

// What does not move is not written to: other threads read it.
template <int D>
inline void BodyContactProblem<D>::apply(const BodyContact<D>& contact, const VectorOf<D>& impulse) {
  ProblemBody<D>&a = bodies[contact.a], &b = bodies[contact.b];
  if (a.constrained >= 0 || b.constrained >= 0)
    return push_constrained(contact, wrench<D>(contact.lever_a, impulse), wrench<D>(contact.lever_b, impulse));
  const auto turned = [](const ProblemBody<D>& body, const AngularOf<D>& torque) -> AngularOf<D> {
    return body.is_round ? AngularOf<D>(body.inverse_inertia(0, 0) * torque)
                         : AngularOf<D>(body.inverse_inertia * torque);
  };
  if (a.inverse_mass > 0) {
    a.velocity -= a.inverse_mass * impulse;
    a.angular_velocity -= turned(a, cross(contact.lever_a, impulse));
  }
  if (b.inverse_mass > 0) {
    b.velocity += b.inverse_mass * impulse;
    b.angular_velocity += turned(b, cross(contact.lever_b, impulse));
  }
}

template <int D>
inline void BodyContactProblem<D>::twist(const BodyContact<D>& contact, const AngularOf<D>& torque) {
  ProblemBody<D>&a = bodies[contact.a], &b = bodies[contact.b];
  if (a.constrained >= 0 || b.constrained >= 0) return push_constrained(contact, moment<D>(torque), moment<D>(torque));
  if (a.inverse_mass > 0) a.angular_velocity -= a.inverse_inertia * torque;
  if (b.inverse_mass > 0) b.angular_velocity += b.inverse_inertia * torque;
}

extern template struct BodyContactProblem<2>;
extern template struct BodyContactProblem<3>;

}  // namespace carom::inline impact
