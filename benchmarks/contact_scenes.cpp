// One contestant on one contact scene, for timing and for counting instructions; built once for each contestant, so
// that none pays for the start of another's libraries:
//   contact_scenes loose-slider-crank TOLERANCE [TURNS]
//   contact_scenes spheres-box COUNT [END [falling|packed [TOLERANCE [PATIENCE]]]]
// Prints one JSON line with what the scene is judged by.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "contact_scenes.h"

int main(int argc, char** argv) {
  using namespace carom::benchmarks;
  const Contestant& contestant = CAROM_CONTESTANT();
  const std::string scene = argc > 1 ? argv[1] : "";
  if (scene == "loose-slider-crank" && argc > 2) {
    const auto r = contestant.loose_slider_crank(std::atof(argv[2]), argc > 3 ? std::atof(argv[3]) : 2);
    std::printf(
        "{\"scene\": \"loose-slider-crank\", \"by\": \"%s\", \"tolerance\": %s, \"cpu_s\": %.6g, \"steps\": %ld, "
        "\"rhs\": %ld, \"F_max_N\": %.9g, \"F_max_late_N\": %.9g, \"delta_max_m\": %.9g, \"onsets\": %ld, "
        "\"x_end\": %.9g, \"v_end\": %.9g, \"phi_end\": %.9g, \"om_rod_end\": %.9g}\n",
        contestant.name, argv[2], r.seconds, r.steps, r.right_hand_sides, r.peak_force, r.late_force, r.penetration,
        r.onsets, r.slider_position, r.slider_velocity, r.rod_angle, r.rod_angular_velocity);
    return 0;
  }
  if (scene == "spheres-box" && argc > 2 && contestant.spheres_box != nullptr) {
    SpheresBoxRun run;
    run.count = std::atoi(argv[2]);
    if (argc > 3) run.end = std::atof(argv[3]);
    if (argc > 4 && argv[4] == std::string("packed")) run.start = SpheresStart::packed;
    if (argc > 5) run.tolerance = std::atof(argv[5]);
    if (argc > 6) run.patience = std::atof(argv[6]);
    const auto r = contestant.spheres_box(run);
    const double radius = SpheresBoxData{}.radius;
    std::printf(
        "{\"scene\": \"spheres-box\", \"by\": \"%s\", \"n\": %s, \"T\": %g, \"cpu_s\": %.6g, \"steps\": %ld, "
        "\"rhs\": %ld, \"us_per_step\": %.6g, \"kinetic_J\": %.6g, \"overlaps\": %ld, \"pen_mean_rel_r\": %.4g, "
        "\"pen_max_rel_r\": %.4g, \"z_mean\": %.6g}\n",
        contestant.name, argv[2], r.end, r.seconds, r.steps, r.right_hand_sides,
        1e6 * r.seconds / static_cast<double>(r.steps), r.kinetic, r.overlaps, r.mean / radius, r.deepest / radius,
        r.mean_height);
    return 0;
  }
  std::fprintf(stderr,
               "usage: %s loose-slider-crank TOLERANCE [TURNS]\n"
               "       %s spheres-box COUNT [END [falling|packed [TOLERANCE [PATIENCE]]]]\n",
               argv[0], argv[0]);
  return 2;
}
