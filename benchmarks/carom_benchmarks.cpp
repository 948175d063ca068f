// The benchmarks of Carom's rigid multibody dynamics: right-hand sides, whole runs at equal measured accuracy, growth
// with size.
#include <malloc.h>

#include <benchmark/benchmark.h>

#include "accuracy.h"
#include "analyses/assembly.h"
#include "carom_peer.h"
#include "integrators/smooth/integrator.h"
#include "minimal_slider_crank.h"
#include "scenes.h"
#ifdef CAROM_SIMBODY
#include "simbody_peer.h"
#endif

namespace {

using namespace carom;
using namespace carom::benchmarks;

constexpr Mechanism both[] = {Mechanism::slider_crank, Mechanism::andrews};

const char* label(Mechanism which) {
  return which == Mechanism::slider_crank ? "slider-crank" : "andrews";
}

void rates_minimal(benchmark::State& state) {
  const MinimalSliderCrank system;
  auto y = system.start();
  for (auto _ : state) {
    const auto f = system(y);
    y[1] += 1e-6 * f[1];
    y[0] += 1e-6 * y[1];
    benchmark::DoNotOptimize(y);
  }
  state.counters["rhs/s"] = benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(rates_minimal)->Name("rhs/slider-crank/by hand");

void rates_carom(benchmark::State& state, Mechanism which) {
  CaromModel model(which);
  constexpr long batch = 1000;
  for (auto _ : state) benchmark::DoNotOptimize(model.evaluate(batch));
  state.counters["rhs/s"] =
      benchmark::Counter(static_cast<double>(state.iterations() * batch), benchmark::Counter::kIsRate);
}

// The loosest tolerance whose measured error is within the target, for every integrator.
void run_carom(benchmark::State& state, Mechanism which, const std::string& integrator) {
  CaromModel model(which);
  const auto reference = reference_coordinates(which);
  const auto ladder = tolerance_ladder();
  std::vector<double> errors;
  std::optional<std::size_t> accepted;
  for (const double tolerance : ladder) {
    errors.push_back(relative_error(model.run(tolerance, integrator).coordinates, reference, longest_link(which)));
    if ((accepted = loosest_accepted(errors))) break;
  }
  if (!accepted) return state.SkipWithError("never within the target error");
  CaromResult result;
  for (auto _ : state) {
    result = model.run(ladder[*accepted], integrator);
    state.SetIterationTime(result.seconds);
  }
  state.counters["error"] = errors[*accepted];
  state.counters["rhs"] = static_cast<double>(result.right_hand_sides);
  state.counters["steps"] = static_cast<double>(result.steps);
}

#ifdef CAROM_SIMBODY
void rates_simbody(benchmark::State& state, Mechanism which) {
  constexpr long batch = 200;
  for (auto _ : state) benchmark::DoNotOptimize(benchmarks::rhs_per_second(which, batch));
  state.counters["rhs/s"] =
      benchmark::Counter(static_cast<double>(state.iterations() * batch), benchmark::Counter::kIsRate);
}

// Simbody's fastest way to the target error, found with peer_report: Runge–Kutta–Fehlberg.
void run_simbody(benchmark::State& state, Mechanism which) {
  const bool crank = which == Mechanism::slider_crank;
  const SimbodyModel model(which, crank ? SimbodyTopology::lumped : SimbodyTopology::grounded);
  const double accuracy = crank ? 1.8e-10 : 1e-9;
  const auto projection = crank ? SimbodyProjection::when_needed : SimbodyProjection::every_step;
  SimbodyResult result;
  for (auto _ : state) {
    result = model.run(accuracy, SimbodyIntegrator::runge_kutta_fehlberg, projection);
    state.SetIterationTime(result.seconds);
  }
  state.counters["error"] = relative_error(result.coordinates, reference_coordinates(which), longest_link(which));
  state.counters["rhs"] = static_cast<double>(result.right_hand_sides);
  state.counters["steps"] = static_cast<double>(result.steps);
}
#endif

// Cost of one Runge–Kutta step and memory against the number of links or loops.
void step_cost(benchmark::State& state, Model (*scene)(int)) {
  const auto before = mallinfo2().uordblks;
  Model model = scene(static_cast<int>(state.range(0)));
  model.solver.integrator = "rk";
  model.solver.step = 1e-4;
  const auto system = System::create(model);
  State start = system->initial_state();
  system->project_velocity(0, start.q.data(), start.v.data());
  const auto stepper = make_integrator(*system, model.solver);
  stepper->start(start);
  stepper->step(1e9);
  state.counters["bytes"] = static_cast<double>(mallinfo2().uordblks - before);
  for (auto _ : state) {
    if (!stepper->step(1e9).accepted()) return state.SkipWithError("a step failed");
  }
  state.SetComplexityN(state.range(0));
}

}  // namespace

int main(int argc, char** argv) {
  for (const Mechanism which : both) {
    const std::string name = label(which);
    benchmark::RegisterBenchmark(("rhs/" + name + "/carom").c_str(), rates_carom, which);
#ifdef CAROM_SIMBODY
    benchmark::RegisterBenchmark(("rhs/" + name + "/simbody").c_str(), rates_simbody, which);
#endif
    for (const std::string integrator : {"rk", "adams", "bdf"}) {
      benchmark::RegisterBenchmark(("run/" + name + "/carom " + integrator).c_str(), run_carom, which, integrator)
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    }
#ifdef CAROM_SIMBODY
    benchmark::RegisterBenchmark(("run/" + name + "/simbody").c_str(), run_simbody, which)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
#endif
  }
  const auto growth = [](const char* name, Model (*scene)(int)) {
    benchmark::RegisterBenchmark(name, step_cost, scene)
        ->RangeMultiplier(10)
        ->Range(10, 10000)
        ->Unit(benchmark::kMicrosecond)
        ->Complexity();
  };
  growth("step/chain", scenes::chain);
  growth("step/four-bars", scenes::four_bars);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
