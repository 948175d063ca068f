#pragma once

#include <array>

#include "math/space.h"

// Impact at one point with Coulomb's friction, followed as a process (Routh 1860; Keller, J. Appl. Mech. 53 (1986)
// 1–4): positions stand while the normal impulse p grows from zero, and with it
//   du/dp = W (1, τ),   τ = −μ u_T/|u_T| while the contact slides,   τ = −W_TT⁻¹ W_TN while it sticks, if |τ| ≤ μ.
// Slip may vanish; then the contact sticks, or slides on in the only direction that leads away from rest. While it
// slides the normal velocity may first fall (jamming), where μ W_TN·u_T/|u_T| > W_NN.
//
// Compression lasts while u_N < 0. Restitution ends the process:
//   Newton    u_N = −e u_N⁻,
//   Poisson   impulse of restitution = e times that of compression,
//   Stronge   work of the normal impulse in restitution = −e² times that in compression ("energetic").
// The three agree where the direction of slip does not change. Stronge's end never gains energy, Newton's does
// (Stronge, Proc. R. Soc. Lond. A 431 (1990) 169–181); Poisson's was not seen to, in the plane nor in space.
//
// In the plane the process is piecewise linear. In space the direction of slip turns, and with dp = |u_T| dσ the
// equations are polynomials in its cosine and sine: series of Taylor follow them to rounding, also towards the end of
// slip, which is at σ = ∞.
namespace carom::inline impact {

enum class ImpactEnd { newton, poisson, energetic };

// `reversed_slide`: sliding that sets in after slip has vanished; in the plane against the slip before.
enum class ImpactRegime { slide, jam, stick, reversed_slide };

// Rows: the normal first, then tangents. u is the velocity of b against a, impulses act on b.
template <int D>
struct OnePointImpact {
  Eigen::Matrix<double, D, D> delassus = Eigen::Matrix<double, D, D>::Zero();  // W in 1/kg, symmetric, not negative
  VectorOf<D> before = VectorOf<D>::Zero();                                    // u⁻ in m/s
  double friction = 0;                                                         // μ ≥ 0
  double restitution = 0;                                                      // 0 ≤ e ≤ 1
  ImpactEnd end = ImpactEnd::energetic;
};

template <int D>
struct OnePointOutcome {
  static constexpr int most_regimes = 8;

  VectorOf<D> impulse = VectorOf<D>::Zero();  // N s
  VectorOf<D> after = VectorOf<D>::Zero();    // u⁺ in m/s
  double compression_impulse = 0;             // N s, along the normal
  double compression_work = 0;                // J, of the normal impulse; not positive
  double restitution_work = 0;                // J, not negative
  double friction_work = 0;                   // J, not positive
  // The last state of the contact is the last regime.
  std::array<ImpactRegime, most_regimes> regimes{};
  int regime_count = 0;
  // The contact came to rest and no impulse inside the cone of friction moves it any more (a self-locking wedge).
  bool locked = false;

  double work() const { return compression_work + restitution_work + friction_work; }
};

// An impact needs u_N⁻ < 0; otherwise there is no impulse. Nothing is allocated.
template <int D>
OnePointOutcome<D> follow_impact(const OnePointImpact<D>& impact);

extern template OnePointOutcome<2> follow_impact<2>(const OnePointImpact<2>&);
extern template OnePointOutcome<3> follow_impact<3>(const OnePointImpact<3>&);

}  // namespace carom::inline impact
