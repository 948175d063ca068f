#pragma once

#include <cmath>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "contact_laws/normal_law.h"

// The force behind an impulse. The non-smooth method knows of an impact the speed v₀ of approach, the mass m that the
// contact feels, the impulse Λ = m (1 + e) v₀, and of the contact its elastic force K δⁿ. Under a law of force F(δ, δ̇)
// the two surfaces then move by m δ̈ = P − F, P a steady load, which is a motion of one number.
//
// SI units throughout.
namespace carom::inline force_recovery {

struct Impact {
  double speed = 0;        // m/s, v₀ > 0
  double mass = 0;         // kg, m_eff > 0
  double restitution = 1;  // 0 ≤ e ≤ 1
  double stiffness = 0;    // N/mⁿ, K > 0
  double exponent = 1.5;   // n ≥ 1
  double load = 0;         // N, that presses the bodies together meanwhile: gravity, other forces
  // N/mⁿ, of the contact behind a light body that is squeezed, 0: none. The two are one spring; speed, mass and load
  // are those of their common compression, the penetration that comes out is that of the first.
  double backing = 0;

  // Of the two in a row.
  double series_stiffness() const {
    if (!(backing > 0)) return stiffness;
    return std::pow(std::pow(stiffness, -1 / exponent) + std::pow(backing, -1 / exponent), -exponent);
  }
  double share() const { return std::pow(series_stiffness() / stiffness, 1 / exponent); }  // of the compression
};

struct ImpactPulse {
  double peak_force = 0;       // N
  double duration = 0;         // s
  double compression = 0;      // s, until the deepest penetration
  double max_penetration = 0;  // m
  double impulse = 0;          // N s, ∫F dt
  double restitution = 0;      // that comes out of the law
};

struct PulseSample {
  double time = 0, penetration = 0, rate = 0, force = 0;  // s from the touch, m, m/s, N
};

enum class PulseProfile {
  exact,  // the motion under the law: for the family F = K δⁿ (1 + χ δ̇/v₀) by its phase-plane solution
  cubic  // two cubics for δ̇(t) that keep impulse and restitution, with the same χ (Cavalieri, Sánchez, Cardona 2025)
};

// A law of the catalogue with its own keys. The default of the catalogue returns just the restitution asked for.
struct PulseLaw {
  const NormalLawDescription* description = find_normal_law(default_normal_law);
  Settings settings = {};

  bool operator==(const PulseLaw& other) const { return description == other.description; }
  bool is_family_member() const { return description->factor != nullptr; }
};

// Below this restitution no damping law of the family has a bounded peak: the pulse is then that of the compression of
// the undamped contact, after which the surfaces stay together.
inline constexpr double least_restitution = 0.02;

// Peak, duration and depth. Under the laws of the family they are those of one impact with the same e and n, scaled:
// T ∝ (m/K)^(1/(n+1)) v^((1−n)/(1+n)), δ ∝ v T, F ∝ m v/T. Such impacts are solved once and kept, with
// what a small load P T/(m v) changes; under larger loads they are kept at loads in steps of 10^(1/16), with a cubic
// in between. Impacts under other laws are integrated each.
class PulseTable {
 public:
  // Steps that the compression takes where an impact is integrated by itself. 2000 keep seven digits; 200, which are
  // for runs that cannot wait, four.
  explicit PulseTable(PulseProfile profile, int steps = 2000) : profile_(profile), steps_(steps) {}
  ImpactPulse pulse(const Impact& impact, const PulseLaw& law = {});

 private:
  struct Entry {
    double restitution = 0, exponent = 0;
    const NormalLawDescription* law = nullptr;
    ImpactPulse unit;                           // of v = m = K = 1
    ImpactPulse change, bend;                   // of these with a small load: in proportion to it, and to its square
    std::map<int, ImpactPulse> pressed, drawn;  // of these with larger loads, by the number of the step
  };
  Entry& entry_of(const Impact& impact, const PulseLaw& law, bool cubic);
  static ImpactPulse loaded(Entry& entry, double load, const PulseLaw& law);

  PulseProfile profile_;
  int steps_;
  std::vector<Entry> entries_;
};

// The pulse of an impulse that rigid bodies pass on: that of the impact it comes from, in the ratio of the impulses.
ImpactPulse passed_on(const ImpactPulse& source, double source_impulse, double impulse, double stiffness,
                      double exponent);

// Many impacts, on as many threads as the machine has; `laws[of[k]]` is the law of impact k.
std::vector<ImpactPulse> recover_pulses(std::span<const Impact> impacts, PulseProfile profile,
                                        std::span<const PulseLaw> laws, std::span<const int> of);

// The history of one impact in `count` ≥ 2 samples, from touch to release.
// The law is made for this impact: its restitution, mass and elastic force. What comes out of the exact profile is the
// law's own restitution and impulse.
std::vector<PulseSample> pulse_history(const Impact& impact, PulseProfile profile, int count, const PulseLaw& law = {});
ImpactPulse pulse_of(std::span<const PulseSample> history);

// Impulses of one contact in steps of equal length, separated into what closed contact transmits and what impacts add
// (thesis of Sánchez; Cavalieri et al. 2025, equations C.40, C.41): where an impulse is larger than both its
// neighbours, their mean is transmitted and the rest is an impact.
struct SplitImpulses {
  std::vector<double> continuous, impact;
};
SplitImpulses split_impulses(std::span<const double> impulses);

// The variant with three parts: isolated impacts, between two open steps, and those on a loaded contact.
struct ThreeImpulses {
  std::vector<double> isolated, continuous, on_load;
};
ThreeImpulses split_in_three(std::span<const double> impulses);

}  // namespace carom::inline force_recovery
