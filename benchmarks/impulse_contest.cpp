// One contestant on the scenes of rigid balls; built once for each, so that none pays for the libraries of another:
//   PROGRAM titles SCENE          the line above the rows of a table
//   PROGRAM spheres COUNT END [SETTING]
//   PROGRAM billiard
//   PROGRAM chain COUNT
// print one row with what the scene is judged by. SETTING is Carom's tolerance or the peers' iterations. And, for
// counting instructions under callgrind, which begins to count after BEFORE steps (--instr-atstart=no):
//   PROGRAM steps SCENE COUNT BEFORE STEPS [SETTING]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif

#include "contact_scenes.h"
#include "impulse_scenes.h"

namespace {

using namespace carom::benchmarks;

double speed(const Ball& ball) {
  return std::hypot(ball.velocity[0], ball.velocity[1], ball.velocity[2]);
}

void print_titles(const std::string& scene) {
  if (scene == "spheres")
    std::printf("  %-14s %7s %8s %11s %11s %11s %9s %9s %9s %10s %9s %9s %8s\n", "", "spheres", "contacts", "per step",
                "at the end", "mean depth", "deepest", "kinetic", "energy +", "law error", "largest", "momentum",
                "Gauss–Seidel iterations");
  if (scene == "billiard")
    std::printf("  %-14s %8s %9s %8s %8s %8s %8s %9s %9s %9s\n", "", "impact", "v before", "white", "apex", "side x",
                "side y", "energy +", "overlap", "per step");
  if (scene == "chain")
    std::printf("  %-14s %5s %9s %9s %11s %10s %10s %9s\n", "", "balls", "first", "last", "last but 1", "momentum",
                "energy", "per step");
}

WorldSettings settings_of(const char* text) {
  const double value = text != nullptr ? std::atof(text) : 0;
  return {.tolerance = value, .iterations = static_cast<int>(value)};
}

// Depths in radii, energies per sphere; the time of a step over the whole run and over its last tenth.
void run_spheres(int count, double end, const char* setting) {
  const BallScene scene = falling_spheres(count);
  const auto world = make_world(scene, settings_of(setting));
  std::vector<Ball> balls = scene.balls;
  double energy = total_energy(scene, balls), rise = 0, seconds = 0, late = 0;
  const long steps = std::lround(end / scene.step), every = std::max(1L, std::lround(0.1 / scene.step));
  long late_steps = 0;
  for (long k = 0; k < steps;) {
    const long until = std::min(steps, k + every);
    const Stopwatch watch;
    for (late_steps = until - k; k < until; ++k) world->step();
    late = watch.seconds();
    seconds += late;
    world->look(balls);
    const double now = total_energy(scene, balls);
    rise = std::max(rise, now - energy);
    energy = now;
  }
  const Overlaps overlap = overlaps(scene, balls);
  const double gauss_seidel_iterations = world->gauss_seidel_iterations();
  std::vector<Ball> before = balls;
  std::vector<Push> pushes;
  std::printf("  %-14s %7d %8ld %8.3f ms %8.3f ms %11.2e %9.1e %9.1e %9.1e", contestant_name, count, world->contacts(),
              1e3 * seconds / static_cast<double>(steps), 1e3 * late / static_cast<double>(late_steps),
              overlap.mean / scene.radius, overlap.deepest / scene.radius, kinetic_energy(scene, balls) / count,
              rise / count);
  if (world->tell(pushes)) {
    std::vector<Ball> after;
    world->look(after);
    const LawError error = law_error(scene, before, after, pushes);
    std::printf(" %10.1e %9.1e %9.0e", error.mean, error.largest, error.momentum);
  }
  if (gauss_seidel_iterations > 0) std::printf(" %8.1f", gauss_seidel_iterations);
  std::printf("\n");
}

// Velocities at 0.12 s, just after the break; energies as the largest gain in a step.
void run_billiard() {
  const BallScene scene = billiard_break();
  const auto world = make_world(scene, {});
  std::vector<Ball> balls = scene.balls, after;
  double energy = total_energy(scene, balls), rise = 0, impact = NAN, before = NAN, deepest = 0, seconds = 0;
  const long steps = std::lround(3 / scene.step);
  for (long k = 1; k <= steps; ++k) {
    const double t = static_cast<double>(k) * scene.step;
    const Stopwatch watch;
    world->step();
    seconds += watch.seconds();
    world->look(balls);
    const double now = total_energy(scene, balls);
    rise = std::max(rise, now - energy);
    energy = now;
    deepest = std::max(deepest, overlaps(scene, balls).deepest);
    if (std::isnan(impact) && speed(balls[1]) > 0.05) impact = t;
    if (k == std::lround(0.1 / scene.step)) before = balls[0].velocity[0];
    if (k == std::lround(0.12 / scene.step)) after = balls;
  }
  std::printf("  %-14s %6.3f s %9.4f %8.4f %8.4f %8.4f %8.4f %7.1e J %7.1e r %6.1f µs\n", contestant_name, impact,
              before, after[0].velocity[0], after[1].velocity[0], after[2].velocity[0], after[2].velocity[1], rise,
              deepest / scene.radius, 1e6 * seconds / static_cast<double>(steps));
}

// Velocities, momentum and energy at 0.5 s, against those of the first ball at the begin.
void run_chain(int count) {
  const BallScene scene = ball_chain(count);
  const auto world = make_world(scene, {});
  const long steps = std::lround(0.5 / scene.step);
  const Stopwatch watch;
  for (long k = 0; k < steps; ++k) world->step();
  const double seconds = watch.seconds();
  std::vector<Ball> balls;
  world->look(balls);
  double momentum = 0;
  for (const Ball& ball : balls) momentum += ball.velocity[0];
  const double energy = kinetic_energy(scene, balls) / kinetic_energy(scene, scene.balls);
  std::printf("  %-14s %5d %9.4f %9.4f %11.4f %10.4g %10.4g %6.1f µs\n", contestant_name, count, balls[0].velocity[0],
              balls[count - 1].velocity[0], balls[count - 2].velocity[0], momentum, energy,
              1e6 * seconds / static_cast<double>(steps));
}

void run_steps(const std::string& name, int count, long before, long steps, const char* setting) {
  const BallScene scene = name == "spheres"    ? falling_spheres(count)
                          : name == "billiard" ? billiard_break()
                                               : ball_chain(count);
  const auto world = make_world(scene, settings_of(setting));
  for (long k = 0; k < before; ++k) world->step();
#ifdef CALLGRIND_START_INSTRUMENTATION
  CALLGRIND_START_INSTRUMENTATION;
#endif
  for (long k = 0; k < steps; ++k) world->step();
#ifdef CALLGRIND_STOP_INSTRUMENTATION
  CALLGRIND_STOP_INSTRUMENTATION;
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const std::string task = argc > 1 ? argv[1] : "";
  const char* setting = argc > 6 ? argv[6] : nullptr;
  try {
    if (task == "titles" && argc > 2) return print_titles(argv[2]), 0;
    if (task == "spheres" && argc > 3)
      return run_spheres(std::atoi(argv[2]), std::atof(argv[3]), argc > 4 ? argv[4] : nullptr), 0;
    if (task == "billiard") return run_billiard(), 0;
    if (task == "chain" && argc > 2) return run_chain(std::atoi(argv[2])), 0;
    if (task == "steps" && argc > 5)
      return run_steps(argv[2], std::atoi(argv[3]), std::atol(argv[4]), std::atol(argv[5]), setting), 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s: %s\n", contestant_name, problem.what());
    return 1;
  }
  std::fprintf(stderr,
               "usage: %s titles SCENE\n       %s spheres COUNT END [SETTING]\n       %s billiard\n       %s chain "
               "COUNT\n       %s steps SCENE COUNT BEFORE STEPS [SETTING]\n",
               argv[0], argv[0], argv[0], argv[0], argv[0]);
  return 2;
}
