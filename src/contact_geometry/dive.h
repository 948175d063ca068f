#pragma once

#include <algorithm>

namespace carom::inline contact_geometry {

// Whether a straight way that enters a solid at `from` leads deeper into it than `depth`, m, before it ends. `below`
// tells how far a point is below the surface, m, less than zero outside; it is no steeper than 1. Looks are as far
// apart as half of their distance from the entry, so that no part of the way inside is missed, however short.
template <typename Vector, typename Below>
bool dives(const Vector& from, const Vector& to, double depth, const Below& below) {
  constexpr double farther = 1.5;
  const double length = (to - from).norm();
  if (!(length > depth)) return false;
  const Vector along = (to - from) / length;
  double at = 2 * depth;
  while (true) {
    at = std::min(at, length);
    const double here = below(Vector(from + at * along));
    if (here > depth) return true;
    if (at >= length) return false;
    at = std::max(farther * at, at + depth - here);
  }
}

// Where an edge comes through a flat wall: from the end that is farther above it, at the height `high`, to the other
// one, at `low`. An end that touches, or is no deeper than `depth`, counts as above.
struct Entry {
  bool enters = false;
  double part = 0;  // of the edge, from its upper end
  Entry(double high, double low, double depth)
      : enters(low < 0 && high > -depth), part(high > 0 ? high / (high - low) : 0) {}
};

}  // namespace carom::inline contact_geometry
