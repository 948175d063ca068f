#pragma once

#include "math/bodies.h"
#include "model/enumerations.h"

// Contact of rigid bodies by impulses: what the non-smooth method needs to know of a point, and what is kept of it.
namespace carom::inline contacts {

struct NonsmoothLaw {
  double restitution = 1;  // e_N
  RestitutionLaw restitution_law = RestitutionLaw::newton;
  double tangential_restitution = 0;  // e_T
  double friction = 0;                // μ
  double rolling = 0, spinning = 0;   // m, resisting torque per normal force
  bool coupled = false;               // sliding and spinning share one bound (Contensou)
  double stiffness = 0;               // K of f_e ≈ K δⁿ, for forces that are recovered; 0: not known
  double axis_ratio = 1;              // b/a of the ellipse of contact, for stresses
};

// A point where two bodies touch or may touch, world axes.
template <int D>
struct NonsmoothContact {
  int point = 0, law = 0;                                        // their numbers in the contact set
  int a = 0, b = 0;                                              // bodies; 0 is the ground
  double gap = 0;                                                // m
  VectorOf<D> normal = VectorOf<D>::UnitX();                     // in which it acts on b
  VectorOf<D> lever_a = VectorOf<D>::Zero(), lever_b = lever_a;  // m, from the mass centres to the surfaces
};

// A contact of one state at another one by its material points and the direction that it had, whatever the features of
// the surfaces do there.
template <int D>
NonsmoothContact<D> carried(const NonsmoothContact<D>& contact, const Bodies<D>& from, const Bodies<D>& to) {
  NonsmoothContact<D> there = contact;
  there.lever_a = to[contact.a].orientation * from[contact.a].orientation.back(contact.lever_a);
  there.lever_b = to[contact.b].orientation * from[contact.b].orientation.back(contact.lever_b);
  there.gap = contact.normal.dot(to[contact.b].position + there.lever_b - to[contact.a].position - there.lever_a);
  return there;
}

// A round body in a round hole of a: between which bounds the centre of the one moves about that of the other.
template <int D>
struct NonsmoothClearance {
  double clearance = 0;                    // m, radial
  double radius_a = 0, radius_b = 0;       // m, of the hole and of what is in it
  VectorOf<D> axis = VectorOf<D>::Zero();  // along which it slides freely; zero: there is none
};

enum class NonsmoothStatus {
  open = 0,
  stick = 1,
  slip = 2,
  rolling = 3
};  // rolling: no slip, but spin across the normal

template <int D>
struct NonsmoothMemory {
  long step = -1;  // that it is of; of another one: open
  NonsmoothStatus status = NonsmoothStatus::open;
  bool lasting = false;                          // it was closed in the step before, too
  int mark = 0;                                  // by which it is found again when points get other numbers
  VectorOf<D> impulse = VectorOf<D>::Zero();     // N s on b, of the last step
  VectorOf<D> correction = VectorOf<D>::Zero();  // kg m on b, of its position correction
  double force = 0;  // N, normal impulse over the step, of a contact that was closed before as well
  // Since they were last recorded.
  VectorOf<D> recent = VectorOf<D>::Zero();         // N s on b
  double recent_normal = 0, recent_tangential = 0;  // N s, sums of magnitudes
};

}  // namespace carom::inline contacts
