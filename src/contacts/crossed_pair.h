#pragma once

#include "contact_geometry/separation.h"

namespace carom::inline contacts {

// Which overlaps are looked for where a step would end: those deeper than `depth`, m. Of these the ones that are no
// deeper than `most_left`, a part of half the thickness of the thinner shape, may stay for a while (0: none may); those
// that are deeper, or also those, become contacts of the step under way, where they are deepest.
struct OverlapSearch {
  double depth = 0, most_left = 0;
  bool adds_deep = false, adds_left = false;
};

// Pairs that overlap where a step would end.
struct FoundOverlap {
  int point = -1;       // one of the points of a pair that may not lie so deep; −1: there is none
  bool added = false;   // contacts were added for others
  double left = 0;      // m, deepest of those that may stay for a while
  int left_point = -1;  // of that pair
};

// Two shapes that meet inside a step and have passed each other at its end. Their gap is that across the direction in
// which they met, so that they can be pushed back to the side they came from.
template <int D>
struct CrossedPair {
  int pair = 0, point = 0;
  bool besides = false;  // other points of the pair: it lies in the other shape where none of them shows it
  bool closed = false;   // whatever its gap: for schemes that look at one state on the way only
  GapKind kind = GapKind::convex;
  Slab<D> slab;                                                        // its normal is that of the first contact
  VectorOf<D> on_a = VectorOf<D>::Zero(), on_b = VectorOf<D>::Zero();  // m, where outlines met, body axes

  ContactPoint<D> contact(const Shape<D>& a, const Shape<D>& b, const BodyState<D>& body_a,
                          const BodyState<D>& body_b) const {
    if (kind == GapKind::convex) return slab.contact(a, b, body_a, body_b);
    ContactPoint<D> contact;
    contact.normal = slab.in_world(body_a, body_b);
    contact.point_a = body_a.point_position(on_a);
    // A disc is touched by its lowest point, whichever that is.
    contact.point_b = b.kind == ShapeKind::sphere ? VectorOf<D>(centre_of<D>(b, body_b) - b.radius * contact.normal)
                                                  : body_b.point_position(on_b);
    contact.gap = contact.normal.dot(contact.point_b - contact.point_a);
    return contact;
  }
};

}  // namespace carom::inline contacts
