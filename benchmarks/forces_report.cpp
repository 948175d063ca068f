// What forces behind impulses cost.
//   forces_report scene BALLS BOUNCES > model.toml   balls that fly to and fro, with so many impacts each
//   forces_report million                            a million impacts, recovered at once: seconds, and what they were
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "force_recovery/impact_force.h"

namespace {

using namespace carom;

// Each ball flies to and fro between floor and ceiling at 1 m/s and loses nothing: an impact every 64 steps of 1 ms,
// more often than most machines knock.
void write_scene(int balls, int bounces) {
  const double play = 0.064;  // m
  std::printf("[[ground.geometry]]\nname = \"floor\"\nshape = \"plane\"\n[[ground.geometry]]\nname = \"ceiling\"\n");
  std::printf("shape = \"plane\"\nposition = [0, 0, %g]\norientation = { axis = [1, 0, 0], angle = \"180 deg\" }\n",
              0.2 + play);
  std::printf("[contact.skin]\nrestitution = 1\nstiffness = 1e9\n");
  for (int k = 0; k < balls; ++k) {
    std::printf("[[body]]\nname = \"b%d\"\nmass = 1\ninertia = [1e-3, 1e-3, 1e-3]\nposition = [%g, 0, %.17g]\n", k,
                0.3 * k, 0.1 + play / 2);
    std::printf("velocity = [0, 0, 1]\ngeometry = [{ shape = \"sphere\", radius = 0.1 }]\n");
    std::printf("[[pair]]\nname = \"p%d\"\nbodies = [\"b%d\", \"ground\"]\ncontact = \"skin\"\n", k, k);
  }
  std::printf("[solver]\nmethod = \"nonsmooth\"\nstep = 1e-3\nend = %.6g\n", play * bounces);
  std::printf("[output]\nevery = 0.05\nrecord = [\"energy\"]\n");
}

void recover_million() {
  constexpr int count = 1000000;
  std::vector<Impact> impacts;
  std::vector<int> laws;
  unsigned seed = 1;
  const auto random = [&] { return (seed = seed * 1664525u + 1013904223u) / 4294967296.0; };
  for (int k = 0; k < count; ++k) {
    const double speed = 0.01 + random(), mass = 0.1 + random();
    impacts.push_back(
        {.speed = speed, .mass = mass, .restitution = 0.5 + 0.1 * (k % 5), .stiffness = 1e9, .load = mass * 9.81});
    laws.push_back(0);
  }
  const std::vector<PulseLaw> law = {{}};
  for (const PulseProfile profile : {PulseProfile::exact, PulseProfile::cubic}) {
    const auto begin = std::chrono::steady_clock::now();
    const auto pulses = recover_pulses(impacts, profile, law, laws);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    double sum = 0;
    for (const ImpactPulse& pulse : pulses) sum += pulse.peak_force;
    std::printf("  %-6s %.3f s for a million impacts, mean peak %.6g N\n",
                profile == PulseProfile::exact ? "exact" : "cubic", seconds.count(), sum / count);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "scene" && argc == 4) {
    write_scene(std::atoi(argv[2]), std::atoi(argv[3]));
  } else if (what == "million") {
    recover_million();
  } else {
    std::fprintf(stderr, "usage: forces_report scene BALLS BOUNCES | million\n");
    return 2;
  }
}
