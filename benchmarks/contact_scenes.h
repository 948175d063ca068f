#pragma once

namespace carom::benchmarks {

struct LooseSliderCrankResult {
  double seconds = 0;  // wall time of stepping, without set-up
  long steps = 0, right_hand_sides = 0, onsets = 0;
  double peak_force = 0, late_force = 0, penetration = 0;  // N, N after a quarter of the time, m
  double slider_position = 0, slider_velocity = 0, rod_angle = 0, rod_spin = 0;
};

LooseSliderCrankResult run_loose_slider_crank(double tolerance, double turns);

}  // namespace carom::benchmarks
