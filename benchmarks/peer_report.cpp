// Prints how the peers do on the mechanisms of this folder: right-hand sides per second, and for every integrator the
// cheapest run whose measured error is within the target. "peer_report all" also prints every run on the way
// and the topologies that were not found the fastest.
// Simbody's CPodes writes messages of its own to the standard error stream.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <vector>

#include "accuracy.h"
#include "mechanisms.h"
#include "minimal_slider_crank.h"
#ifdef CAROM_SIMBODY
#include "simbody_peer.h"
#endif

namespace {

using namespace carom::benchmarks;

[[maybe_unused]] const char* name(Mechanism which) {
  return which == Mechanism::slider_crank ? "slider-crank" : "Andrews";
}

void report_minimal() {
  const MinimalSliderCrank system;
  auto y = system.start();
  const long n = 4'000'000;
  const double h = SliderCrankData{}.end_time / static_cast<double>(n);
  const auto begin = std::chrono::steady_clock::now();
  for (long i = 0; i < n; ++i) {
    const auto f = system(y);
    y[1] += h * f[1];
    y[0] += h * y[1];
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("minimal coordinate, slider-crank: %.3g right-hand sides/s (crank speed at the end %.6g)\n",
              static_cast<double>(n) / seconds, y[1]);
  const BasicMinimalSliderCrank<long double> precise;
  const auto end = extrapolate(precise, precise.start(), SliderCrankData{}.end_time, 400);
  const auto fine = reference_coordinates(Mechanism::slider_crank);
  const auto finer = reference_coordinates(Mechanism::slider_crank, 800);
  std::printf("reference, slider-crank: crank angle %.15g, slider %.15g; steps doubled: %.1e; energy: %.1e\n\n",
              fine[0].angle, fine[2].x, relative_error(finer, fine, longest_link(Mechanism::slider_crank)),
              static_cast<double>(precise.energy(end) / precise.energy(precise.start()) - 1));
}

#ifdef CAROM_SIMBODY
struct Trial {
  double accuracy = 0;
  double error = INFINITY;
  SimbodyResult result;
};

void print(const char* indent, const Trial& t, SimbodyIntegrator method, SimbodyProjection projection) {
  std::printf("%s%-21s %-12s accuracy %8.2e error %8.2e steps %5ld rhs %6ld wall %8.2f ms cpu %8.2f ms\n", indent,
              name(method), name(projection), t.accuracy, t.error, t.result.steps, t.result.right_hand_sides,
              1e3 * t.result.seconds, 1e3 * t.result.cpu_seconds);
}

void report_simbody(const SimbodyModel& model, Mechanism which, SimbodyIntegrator method, SimbodyProjection projection,
                    bool all) {
  const auto reference = reference_coordinates(which);
  std::vector<Trial> trials;
  std::vector<double> errors;
  int failures = 0;
  for (const double accuracy : tolerance_ladder()) {
    Trial t;
    t.accuracy = accuracy;
    try {
      t.result = model.run(accuracy, method, projection);
      t.error = relative_error(t.result.coordinates, reference, longest_link(which));
      failures = 0;
    } catch (const std::exception&) {
      ++failures;
    }
    trials.push_back(t);
    errors.push_back(t.error);
    if (all) print("    ", t, method, projection);
    if (failures == 3) break;
    if (const auto accepted = loosest_accepted(errors)) {
      Trial best = trials[*accepted];
      for (int i = 0; i < 5; ++i) {
        const SimbodyResult again = model.run(best.accuracy, method, projection);
        best.result.seconds = std::min(best.result.seconds, again.seconds);
        best.result.cpu_seconds = std::min(best.result.cpu_seconds, again.cpu_seconds);
      }
      print("  ", best, method, projection);
      return;
    }
  }
  std::printf("  %-21s %-12s never within %.0e before three failed runs in a row; best %.1e\n", name(method),
              name(projection), target_error, *std::min_element(errors.begin(), errors.end()));
}

void report_simbody(Mechanism which, SimbodyTopology topology, bool all) {
  const SimbodyModel model(which, topology);
  double rate = 0;
  for (int i = 0; i < 10; ++i) rate = std::max(rate, model.rhs_per_second(2'000));
  std::printf("Simbody, %s, %s: %.0f right-hand sides/s (%.2f us)\n", name(which), name(topology), rate, 1e6 / rate);
  for (const SimbodyIntegrator method : simbody_integrators)
    for (const SimbodyProjection projection : {SimbodyProjection::when_needed, SimbodyProjection::every_step})
      report_simbody(model, which, method, projection, all);
  std::printf("\n");
}
#endif

}  // namespace

int main(int argc, char** argv) {
  [[maybe_unused]] const bool all = argc > 1 && std::strcmp(argv[1], "all") == 0;
  report_minimal();
#ifdef CAROM_SIMBODY
  for (const Mechanism which : {Mechanism::slider_crank, Mechanism::andrews})
    for (const SimbodyTopology topology : simbody_topologies(which))
      if (all || topology != SimbodyTopology::hanging) report_simbody(which, topology, all);
#else
  std::printf("built without Simbody\n");
#endif
}
