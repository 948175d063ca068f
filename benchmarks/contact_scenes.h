#pragma once

namespace carom::benchmarks {

struct LooseSliderCrankResult {
  double seconds = 0;  // wall time of stepping, without set-up
  long steps = 0, right_hand_sides = 0, onsets = 0;
  double peak_force = 0, late_force = 0, penetration = 0;  // N, N after a quarter of the time, m
  double slider_position = 0, slider_velocity = 0, rod_angle = 0, rod_spin = 0;
};

struct SpheresBoxResult {
  double seconds = 0, end = 0;  // s: wall time of stepping; simulated time reached
  long steps = 0, right_hand_sides = 0, overlaps = 0;
  double kinetic = 0, mean = 0, deepest = 0, mean_height = 0;  // J; m, penetrations at the end
};

LooseSliderCrankResult run_loose_slider_crank(double tolerance, double turns);
SpheresBoxResult run_spheres_box(int count, double end);

}  // namespace carom::benchmarks
