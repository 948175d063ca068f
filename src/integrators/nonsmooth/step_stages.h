#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/body_system.h"
#include "impact/contact_solver.h"
#include "integrators/nonsmooth/nonsmooth_integrator.h"
#include "integrators/smooth/alpha_step.h"

// What the stages of a step know, take in and hand on: smooth motion, position correction, velocity jump, books.
namespace carom::inline nonsmooth_integrators {

// What stages have to know of the scheme that they belong to.
struct SchemeTraits {
  AlphaCoefficients coefficients;  // of the smooth motion, where that is implicit
  bool contacts_last = true;       // contacts that stay closed take part in the smooth motion, with forces
  // Contacts and impulses are those of a place half a step ahead, loads are explicit, and positions follow the jump.
  bool at_midpoint = false;
};

// Known to all stages: the system, its settings, and where to report.
template <int D>
struct StepContext {
  StepContext(BodySystem<D>& system, const SolverSettings& settings, const SchemeTraits& scheme,
              IntegratorStatistics& counts, NonsmoothStatistics& statistics);
  bool fail(std::string reason) {
    failure = std::move(reason);
    return false;
  }

  BodySystem<D>& system;
  ContactSet<D>& contacts;
  IntegratorStatistics& counts;
  NonsmoothStatistics& statistics;
  const int nv, rows, nw;  // velocities, rows of joints, works
  const SchemeTraits scheme;
  const bool sequential;
  const ContactForm contact_form;
  StepSolver solver;  // of assembled problems
  // Of the iterations, as a part of what the weight does in a step: what was asked for, and the one of the step.
  const double asked_contact_tolerance;
  double contact_tolerance;
  const bool constrained, forces_vary;  // bodies by joints or forces; forces by more than the weight
  const bool driven;                    // by others than gravity
  const double length;                  // m
  const double gap_scale;               // m, smallest clearance or shape
  const double gap_tolerance;           // m: gaps below it are closed
  std::string failure;
  double t_end = 0;           // s, of the step under way
  bool last_attempt = false;  // there will be no shorter step
  bool in_heap = false;       // the last position correction had many contacts
  ProblemObserver observer;   // of the problems of velocity jumps; empty: nobody looks
};

// Its inertia is the same about all axes.
template <int D>
bool is_isotropic(const BodyInertia<D>& body) {
  const auto& tensor = body.tensor;
  return (tensor - tensor(0, 0) * BodyInertia<D>::AngularMatrix::Identity()).isZero(1e-12 * tensor(0, 0));
}

// Where the step under way starts.
template <int D>
struct StepStart {
  AlphaPoint point;
  Bodies<D> bodies;
  double h = 0;  // s, of the step
  // Closed contacts whose surfaces neither approach nor part, sorted by point; none where they are not loaded.
  std::vector<NonsmoothContact<D>> resting;
  bool loaded = false;     // one of them bears a force whose direction may change
  bool disturbed = false;  // impacts have changed velocities since the accelerations were found
};

// The force of a contact at one instant.
template <int D>
struct ContactForce {
  VectorOf<D> force = VectorOf<D>::Zero();     // N on b, world axes
  double normal = 0, tangential = 0;           // N
  VectorOf<D> relative = VectorOf<D>::Zero();  // m/s, of b against a, world axes
  double turning_power = 0;                    // W, of rolling and spinning resistance
  ContactStatus status = ContactStatus::stick;
};

// A contact that took part in the smooth motion of a step.
template <int D>
struct PersistentContact {
  NonsmoothContact<D> contact;  // at q̃
  ContactForce<D> before, after;
  VectorOf<D> impulse = VectorOf<D>::Zero();  // N s on b: what its force has made of the velocities in the step
  double work = 0;                            // J
  // It stayed closed.
  bool holds() const { return after.normal > 0; }
};

// Without changes of contact: q̃, ṽ, λ̃ and what is needed of them.
template <int D>
struct SmoothState {
  AlphaPoint end;
  Eigen::VectorXd load, reaction;  // f(q̃, ṽ) and G̃ᵀ λ̃
  Eigen::VectorXd travel;          // q̃ ⊖ q of the start
  Bodies<D> bodies;
  std::vector<PersistentContact<D>> persistent;  // sorted by point
  double rest_speed = 0;                         // m/s, what the loads alone would do in the step
  double negligible_speed = 0;                   // m/s, by which persistent contacts may miss rest
  int iterations = 0;
};

// Null: the point is not one of a persistent contact.
template <int D>
const PersistentContact<D>* find_persistent(const SmoothState<D>& smooth, int point) {
  const auto place = std::lower_bound(smooth.persistent.begin(), smooth.persistent.end(), point,
                                      [](const auto& each, int number) { return each.contact.point < number; });
  return place == smooth.persistent.end() || place->contact.point != point ? nullptr : &*place;
}

// Whether the point stayed closed in the smooth motion.
template <int D>
bool is_held(const SmoothState<D>& smooth, int point) {
  const PersistentContact<D>* found = smooth.persistent.empty() ? nullptr : find_persistent(smooth, point);
  return found && found->holds();
}

// Without overlap: q, and the velocity that the jump starts from.
template <int D>
struct CorrectedState {
  Eigen::VectorXd q, v;        // ṽ, but for bodies that the correction has turned
  Eigen::VectorXd start_v;     // of the start of the step, turned likewise: goes with the geometry of q
  Eigen::VectorXd correction;  // U, q = q̃ ⊕ U
  Bodies<D> bodies;
  std::vector<NonsmoothContact<D>> pressed, closed;  // that were pushed apart, at q̃; that are closed, at q
  std::vector<std::pair<int, double>> smooth_gaps;   // m, of the pressed contacts at q̃, by point
  std::vector<double> lift_work;                     // J, of the pressed contacts, against gravity
  int iterations = 0;
};

// What came out at a closed contact.
template <int D>
struct ContactNote {
  VectorOf<D> impulse = VectorOf<D>::Zero();  // N s on b, world axes
  double normal = 0;                          // N s
  double approach = 0, by_load = 0;           // m/s, before the jump, and what the loads of the step alone did
  double after = 0;                           // m/s
  double entry = 0, smooth = 0;               // m/s, along the normal, at the start and after the smooth motion
  double mass = 0;                            // kg, that it feels along the normal
  double squeeze = 0;                         // m/s, with which the neighbours of a squeezed body came together
  int backing = -1;                           // the closed contact at the other side of it, −1: none
  double work = 0;                            // J, of its impulses
  NonsmoothStatus status = NonsmoothStatus::open;
};

// With the impulses of contacts: v.
template <int D>
struct JumpedState {
  Eigen::VectorXd v, jump;            // jump: v minus that of the correction
  Eigen::VectorXd joint_impulses;     // N s, of the joints
  std::vector<ContactNote<D>> notes;  // of the closed contacts
  double negligible_speed = 0;        // m/s
  int iterations = 0;
};

extern template struct StepContext<2>;
extern template struct StepContext<3>;

}  // namespace carom::inline nonsmooth_integrators
