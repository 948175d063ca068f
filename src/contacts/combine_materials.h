#pragma once

#include <cmath>

#include "model/model.h"

// How the properties of two materials combine where they touch; a contact description that gives a value itself goes
// before.
//
//   stiffness    E* = 1 / (σ_a + σ_b), σ = (1 − ν²)/E: the compliances add (composite_modulus)
//   restitution  e² = (σ_a e_a² + σ_b e_b²) / (σ_a + σ_b): each partner stores energy in proportion to its compliance
//                and loses the part 1 − e² of its own share
//   friction     μ = √(μ_a μ_b)
//
// Where only one partner has a value, that value counts.
namespace carom::inline contacts {

namespace detail {
inline double only_one(double a, double b) {
  return a >= 0 ? a : b;
}
}  // namespace detail

// < 0: none of the materials has one.
inline double combined_restitution(const Material* a, const Material* b) {
  const double ea = a ? a->restitution : -1, eb = b ? b->restitution : -1;
  if (ea < 0 || eb < 0) return detail::only_one(ea, eb);
  const auto compliance = [](const Material& m) { return m.young > 0 ? (1 - m.poisson * m.poisson) / m.young : 0; };
  const double sa = compliance(*a), sb = compliance(*b);
  if (!(sa + sb > 0)) return std::sqrt((ea * ea + eb * eb) / 2);
  return std::sqrt((sa * ea * ea + sb * eb * eb) / (sa + sb));
}

inline double combined_friction(const Material* a, const Material* b) {
  const double ma = a ? a->friction : -1, mb = b ? b->friction : -1;
  if (ma < 0 || mb < 0) return detail::only_one(ma, mb);
  return std::sqrt(ma * mb);
}

}  // namespace carom::inline contacts
