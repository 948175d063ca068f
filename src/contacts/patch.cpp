#include "contacts/patch.h"

#include <cmath>
#include <limits>

#include "contact_laws/elliptic_contact.h"

namespace carom::inline contacts {

template <int D>
Patch patch_of(const PairDescription<D>& pair, const Shape<D>& a, const Shape<D>& b) {
  if (!pair.radii) return {.effective_radius = pair.effective_radius(a, b)};
  const auto radii = pair.radii(a, b);
  const auto ellipse = elliptic_contact({radii[0].along, radii[0].across}, {radii[1].along, radii[1].across}, 0);
  if (!ellipse) return {.effective_radius = std::numeric_limits<double>::quiet_NaN()};
  // K = 4/3 E* √R of a round patch; K of the ellipse is proportional to E* as well.
  const double root = 3.0 / 4 * ellipse->stiffness(1);
  return {.effective_radius = root * root, .axis_ratio = ellipse->axis_ratio};
}

template Patch patch_of<2>(const PairDescription<2>&, const Shape<2>&, const Shape<2>&);
template Patch patch_of<3>(const PairDescription<3>&, const Shape<3>&, const Shape<3>&);

}  // namespace carom::inline contacts
