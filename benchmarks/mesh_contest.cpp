// One contestant on the scene of concave parts; built once for each, so that none pays for the libraries of another:
//   PROGRAM titles          the line above the rows of a table
//   PROGRAM parts COUNT END print one row with what the scene is judged by
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "contact_scenes.h"
#include "mesh_scenes.h"

namespace {

using namespace carom::benchmarks;

void print_titles() {
  std::printf("  %-16s %5s %6s %11s %11s %6s %11s %11s %10s %10s %10s\n", "", "parts", "points", "per step",
              "at the end", "pairs", "mean depth", "deepest", "energy +", "in a step", "kinetic");
}

// Overlaps are looked for every 0.1 s; energies are in parts of what the whole fall sets free, which is that of all
// parts at the bottom: their largest rise over an earlier instant, and in a single step.
void run_parts(int count, double end) {
  const PartScene scene = poured_parts(count);
  const auto world = make_world(scene);
  const OverlapCheck check(scene);
  std::vector<Placed> bodies = scene.bodies;
  const double scale = total_energy(scene, bodies);
  double least = scale, last = scale, rise = 0, jump = 0, seconds = 0, late = 0;
  Overlaps all;
  const long steps = std::lround(end / scene.step), every = std::max(1L, std::lround(0.1 / scene.step));
  for (long k = 1; k <= steps; ++k) {
    const Stopwatch watch;
    world->step();
    const double taken = watch.seconds();
    seconds += taken;
    if (k > steps - every) late += taken;
    world->look(bodies);
    const double now = total_energy(scene, bodies);
    rise = std::max(rise, now - least), jump = std::max(jump, now - last);
    least = std::min(least, now), last = now;
    if (k % every != 0) continue;
    const Overlaps found = check.of(bodies);
    all.pairs += found.pairs, all.sum += found.sum, all.deepest = std::max(all.deepest, found.deepest);
    if (std::getenv("CAROM_BENCH_PROGRESS")) {
      const auto done = static_cast<double>(k), pairs = static_cast<double>(std::max(1L, found.pairs));
      std::fprintf(stderr, "%.3f s: %ld pairs, mean %.2e m, deepest %.2e m, %.1f ms a step\n", scene.step * done,
                   found.pairs, found.sum / pairs, found.deepest, 1e3 * seconds / done);
    }
  }
  double kinetic = 0;
  std::vector<Placed> low = bodies;
  for (Placed& body : low) body.position.setZero();
  kinetic = total_energy(scene, low);
  std::printf("  %-16s %5d %6ld %8.2f ms %8.2f ms %6ld %9.1e m %9.1e m %10.1e %10.1e %8.1e J\n", contestant_name, count,
              world->contacts(), 1e3 * seconds / static_cast<double>(steps),
              1e3 * late / static_cast<double>(std::min(steps, every)), all.pairs,
              all.pairs > 0 ? all.sum / static_cast<double>(all.pairs) : 0.0, all.deepest, rise / scale, jump / scale,
              kinetic);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string task = argc > 1 ? argv[1] : "";
  try {
    if (task == "titles") return print_titles(), 0;
    if (task == "parts" && argc > 3) return run_parts(std::atoi(argv[2]), std::atof(argv[3])), 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s: %s\n", contestant_name, problem.what());
    return 1;
  }
  std::fprintf(stderr, "usage: %s titles\n       %s parts COUNT END\n", argv[0], argv[0]);
  return 2;
}
