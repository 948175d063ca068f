// The contact scenes side by side: Carom, equations written by hand, and Simbody where it is built.
//   contact_report [FILE]
// FILE receives the tolerance and the program of each contestant on the loose slider-crank, for counting instructions.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include "accuracy.h"
#include "contact_scenes.h"

namespace {

using namespace carom::benchmarks;

struct Row {
  const Contestant* contestant = nullptr;
  double tolerance = 0;
  LooseSliderCrankResult result;
  double error() const { return std::abs(result.slider_velocity - loose_slider_velocity); }
};

Row loose_run(const Contestant& contestant, double tolerance, int repeats) {
  Row row{&contestant, tolerance, contestant.loose_slider_crank(tolerance, 2)};
  for (int k = 1; k < repeats; ++k)
    row.result.seconds = std::min(row.result.seconds, contestant.loose_slider_crank(tolerance, 2).seconds);
  return row;
}

// The loosest tolerance that is within the target and stays so at the next two.
std::optional<Row> loosest_run(const Contestant& contestant, double target) {
  std::vector<double> ladder, errors;
  for (int i = 20; i <= 48; ++i) {
    ladder.push_back(std::pow(10.0, -i / 4.0));
    errors.push_back(loose_run(contestant, ladder.back(), 1).error());
    if (const auto accepted = loosest_accepted(errors, target)) return loose_run(contestant, ladder[*accepted], 20);
  }
  std::printf("  %-10s never within %.1e m/s\n", contestant.name, target);
  return std::nullopt;
}

void print(const Row& row) {
  std::printf("  %-10s %8.1e %10.1e m/s %9.1e %7ld %9ld %8ld %9.2f ms\n", row.contestant->name, row.tolerance,
              row.error(), std::abs(row.result.peak_force / loose_peak_force - 1), row.result.onsets,
              row.result.right_hand_sides, row.result.steps, 1e3 * row.result.seconds);
}

void report_loose_slider_crank(const char* file) {
  std::printf("loose slider-crank, two turns (error: velocity of the slider at the end; of the largest force)\n");
  std::printf("  %-10s %8s %14s %9s %7s %9s %8s %12s\n", "", "tolerance", "error", "of force", "onsets", "rhs", "steps",
              "time");
  double target = 2e-6;
  std::vector<Row> rows;
#ifdef CAROM_SIMBODY
  const Row simbody = loose_run(simbody_contestant(), 1e-8, 5);
  target = simbody.error();
#endif
  const auto carom = loosest_run(carom_contestant(), target);
  const auto by_hand = loosest_run(by_hand_contestant(), target);
  if (carom) rows.push_back(*carom);
  if (by_hand) rows.push_back(*by_hand);
#ifdef CAROM_SIMBODY
  rows.push_back(simbody);
#endif
  std::FILE* out = file != nullptr ? std::fopen(file, "w") : nullptr;
  for (const Row& row : rows) {
    print(row);
    if (out != nullptr) std::fprintf(out, "%g %s\n", row.tolerance, row.contestant->program);
  }
  if (out != nullptr) std::fclose(out);
  if (!carom) return;
  if (by_hand)
    std::printf("  Carom takes %.2f × the time of the equations by hand\n",
                carom->result.seconds / by_hand->result.seconds);
#ifdef CAROM_SIMBODY
  std::printf("  Simbody takes %.0f × the time of Carom\n", simbody.result.seconds / carom->result.seconds);
#endif
  constexpr double turns = 10 * 5000 / 60.0;
  const auto study = carom_contestant().loose_slider_crank(carom->tolerance, turns);
  std::printf("  ten seconds of it, %.0f turns: %.2f s, %.0f turns per second, %ld steps\n\n", turns, study.seconds,
              turns / study.seconds, study.steps);
}

SpheresBoxResult heap_run(const Contestant& contestant, const SpheresBoxRun& run, int repeats) {
  SpheresBoxResult result = contestant.spheres_box(run);
  for (int k = 1; k < repeats; ++k) result.seconds = std::min(result.seconds, contestant.spheres_box(run).seconds);
  return result;
}

void report_growth() {
  constexpr double end = 0.01;
  std::printf("packed spheres in a box, %g ms from rest, Carom rk at tolerance 1e-3\n", 1e3 * end);
  std::printf("  %8s %9s %7s %7s %12s %20s\n", "spheres", "contacts", "steps", "rhs", "per step",
              "per right-hand side");
  std::vector<double> steps, evaluations;
  for (const int count : {1000, 4000, 16000}) {
    const auto r = heap_run(carom_contestant(), {count, SpheresStart::packed, end, 1e-3}, count > 4000 ? 2 : 4);
    steps.push_back(r.seconds / static_cast<double>(r.steps));
    evaluations.push_back(r.seconds / static_cast<double>(r.right_hand_sides));
    std::printf("  %8d %9ld %7ld %7ld %9.2f ms %17.2f ms\n", count, r.overlaps, r.steps, r.right_hand_sides,
                1e3 * steps.back(), 1e3 * evaluations.back());
  }
  const auto growth = [](const std::vector<double>& costs) { return std::log(costs[2] / costs[0]) / std::log(16.0); };
  std::printf("  from 1000 to 16000 a step grows as N^%.2f, a right-hand side as N^%.2f\n\n", growth(steps),
              growth(evaluations));
}

#ifdef CAROM_SIMBODY
// Root mean square distance of the spheres from where they should be.
double distance(const SpheresBoxResult& found, const SpheresBoxResult& expected) {
  double sum = 0;
  for (std::size_t b = 0; b < found.centres.size(); ++b) {
    for (std::size_t i = 0; i < 3; ++i) {
      const double apart = found.centres[b][i] - expected.centres[b][i];
      sum += apart * apart;
    }
  }
  return std::sqrt(sum / static_cast<double>(found.centres.size()));
}

// Both from the same start, with the same law, over the same time. The reference is Carom's own at a tight tolerance:
// that Simbody comes near it shows that both compute the same.
void report_heap() {
  SpheresBoxRun run{1000, SpheresStart::packed, 0.02, 1e-8};
  const auto expected = carom_contestant().spheres_box(run);
  std::printf("1000 packed spheres, %g ms from rest (error: root mean square of the places of the spheres)\n",
              1e3 * run.end);
  std::printf("  %-10s %9s %7s %7s %10s %12s %13s\n", "", "tolerance", "steps", "rhs", "time", "error", "kinetic");
  const auto print = [&](const Contestant& contestant, const SpheresBoxResult& r) {
    std::printf("  %-10s %9.1e %7ld %7ld %8.3f s %10.1e m %11.6f J\n", contestant.name, run.tolerance, r.steps,
                r.right_hand_sides, r.seconds, distance(r, expected), r.kinetic);
  };
  run.tolerance = 1e-3;
  const auto simbody = heap_run(simbody_contestant(), run, 2);
  print(simbody_contestant(), simbody);
  for (; run.tolerance > 1e-8; run.tolerance /= 10) {
    const auto carom = heap_run(carom_contestant(), run, 3);
    print(carom_contestant(), carom);
    if (distance(carom, expected) > distance(simbody, expected)) continue;
    std::printf("  at an error not larger than its own Simbody takes %.1f × the time of Carom\n\n",
                simbody.seconds / carom.seconds);
    break;
  }
}
#endif

}  // namespace

int main(int argc, char** argv) {
  report_loose_slider_crank(argc > 1 ? argv[1] : nullptr);
  report_growth();
#ifdef CAROM_SIMBODY
  report_heap();
#endif
}
