// The contact scenes every contestant of this folder runs: data, start, published results, and the face of a
// contestant.
//
// Plain numbers without any engine, like mechanisms.h. SI units and radians.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <vector>

#include "mechanisms.h"

namespace carom::benchmarks {

// Seconds of one processor, which mean more on a busy machine than those of the wall; no contestant uses more than one.
class Stopwatch {
 public:
  double seconds() const { return static_cast<double>(std::clock() - begin_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t begin_ = std::clock();
};

// The slider-crank with a crank at constant speed, without gravity, and with a loose pin between rod and slider: the
// bearing is the rod's, the journal the slider's. It starts stretched out with the centres of both in one point, the
// rod turning as with an ideal pin. Contact after Lankarani and Nikravesh, friction mu tanh(v/v0).
struct LooseSliderCrankData {
  SliderCrankData links;
  double speed = 5000 * 2 * M_PI / 60;
  double bearing_radius = 10e-3;
  double clearance = 0.025e-3;  // radial
  double young = 207e9, poisson = 0.3;
  double restitution = 0.9;
  double friction = 0.01, slip_scale = 0.01;

  double turn() const { return 2 * M_PI / speed; }
  double start_angular_velocity() const { return -speed * links.crank_length / links.rod_length; }
  double hysteresis() const { return 0.75 * (1 - restitution * restitution); }
  // Of the force K delta^1.5, both partners of one material.
  double stiffness() const {
    const double journal_radius = bearing_radius - clearance;
    return 2 / 3.0 * young / (1 - poisson * poisson) * std::sqrt(bearing_radius * journal_radius / clearance);
  }
};

// After two turns, from two independent programs that agree in these digits.
inline constexpr double loose_slider_velocity = 0.00265577;  // m/s
inline constexpr double loose_peak_force = 16905.2;          // N
inline constexpr long loose_onsets = 4;

struct LooseSliderCrankResult {
  double seconds = 0;  // of stepping, without set-up
  long steps = 0, right_hand_sides = 0, onsets = 0;
  double peak_force = 0, late_force = 0, penetration = 0;  // N, N after a quarter of the time, m
  double slider_position = 0, slider_velocity = 0, rod_angle = 0, rod_angular_velocity = 0;
};

// Spheres in a box without a lid, walls and floor being planes: F = 4/3 E* sqrt(R*) delta^1.5 (1 + 1.5 c delta') with
// one E* and one c for all pairs, friction below the transition speed proportional to the slip.
//   falling: on a loose lattice 0.3 m above the floor, slightly disordered. First contacts after 0.247 s.
//   packed:  on a tight lattice from the floor upwards, disordered by as much as the spheres overlap on the mean, the
//            walls moved in: about three contacts for each sphere from the first step on.
enum class SpheresStart { falling, packed };

struct SpheresBoxData {
  double radius = 0.05;
  double density = 1000;
  double contact_modulus = 1e8;
  double damping = 5;
  double friction = 0.3, transition_speed = 0.01;
  double gravity = 9.81;
  double largest_step = 1e-3;

  double mass() const { return density * 4 / 3 * M_PI * radius * radius * radius; }
  double inertia() const { return 0.4 * mass() * radius * radius; }
};

struct SpheresBoxStart {
  double width = 0;
  std::vector<std::array<double, 3>> centres;
};

inline SpheresBoxStart spheres_box_start(int count, SpheresStart start) {
  const bool packed = start == SpheresStart::packed;
  const double radius = SpheresBoxData{}.radius;
  const double pitch = packed ? 2 * radius - 1e-4 : 0.11;
  const double bottom = packed ? pitch / 2 : 0.3 + radius;
  const double disorder = packed ? 1e-4 : 0.002;
  int side = 1;
  while (side * side * side < count) ++side;
  std::uint64_t seed = 12345;
  const auto jitter = [&] {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return disorder * (2 * (static_cast<double>(seed >> 11) * 0x1p-53) - 1);
  };
  SpheresBoxStart result;
  result.width = side * pitch;
  for (int q = 0; q < count; ++q) {
    const int column = q % side, row = q / side % side, layer = q / (side * side);
    const double dx = jitter(), dy = jitter(), dz = jitter();
    result.centres.push_back({-result.width / 2 + (column + 0.5) * pitch + dx,
                              -result.width / 2 + (row + 0.5) * pitch + dy, bottom + layer * pitch + dz});
  }
  return result;
}

struct SpheresBoxRun {
  int count = 1000;
  SpheresStart start = SpheresStart::falling;
  double end = 2;
  double tolerance = 1e-3;
  double patience = INFINITY;  // s, after which Carom stops early
};

struct SpheresBoxResult {
  double seconds = 0, end = 0;  // s: of stepping; simulated time reached
  long steps = 0, right_hand_sides = 0, overlaps = 0;
  double kinetic = 0, mean_height = 0;         // J, m at the end
  double mean = 0, deepest = 0;                // m, penetrations at the end; Carom only, as overlaps
  std::vector<std::array<double, 3>> centres;  // at the end
};

// Who runs the scenes; no function where a contestant does not know the scene.
struct Contestant {
  const char* name;
  const char* program;  // that runs it alone
  LooseSliderCrankResult (*loose_slider_crank)(double tolerance, double turns);
  SpheresBoxResult (*spheres_box)(const SpheresBoxRun& run);
};

const Contestant& carom_contestant();
const Contestant& by_hand_contestant();
const Contestant& simbody_contestant();

}  // namespace carom::benchmarks
