// Evaluates one kind of right-hand side n times, for counting its instructions:
//   valgrind --tool=callgrind --callgrind-out-file=/dev/null count_instructions WHAT n
// for two n; the difference of the totals over the difference of n is the price of one. WHAT is "minimal" (with the
// symplectic Euler step that takes it along the motion), "idle" (that step alone, to be subtracted), or
// "carom-slider-crank", "carom-andrews", "carom-lags-COUNT" (a slider-crank beside a chain of lags),
// "carom-lag-steps-COUNT" (Runge–Kutta steps of it, of six evaluations each),
// "simbody-slider-crank" and "simbody-andrews" where that peer is built.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "carom_peer.h"
#include "minimal_slider_crank.h"
#ifdef CAROM_SIMBODY
#include "simbody_peer.h"
#endif

int main(int argc, char** argv) {
  using namespace carom::benchmarks;
  if (argc != 3) {
    std::fprintf(stderr, "usage: count_instructions WHAT n\n");
    return 2;
  }
  const std::string what = argv[1];
  const long n = std::strtol(argv[2], nullptr, 10);
  const MinimalSliderCrank system;
  auto y = system.start();
  const double h = 1e-5;
  if (what == "minimal") {
    for (long i = 0; i < n; ++i) {
      const auto f = system(y);
      y[1] += h * f[1];
      y[0] += h * y[1];
    }
  } else if (what == "idle") {
    for (long i = 0; i < n; ++i) {
      y[1] += h * y[0];
      y[0] += h * y[1];
    }
  } else if (what == "carom-slider-crank") {
    y[0] = CaromModel(Mechanism::slider_crank).evaluate(n);
  } else if (what == "carom-andrews") {
    y[0] = CaromModel(Mechanism::andrews).evaluate(n);
  } else if (what.starts_with("carom-lags-")) {
    y[0] = CaromModel::with_lags(std::atoi(what.c_str() + what.rfind('-') + 1)).evaluate(n);
  } else if (what.starts_with("carom-lag-steps-")) {
    y[0] = CaromModel::with_lags(std::atoi(what.c_str() + what.rfind('-') + 1)).step(n);
#ifdef CAROM_SIMBODY
  } else if (what == "simbody-slider-crank") {
    y[0] = rhs_per_second(Mechanism::slider_crank, n);
  } else if (what == "simbody-andrews") {
    y[0] = rhs_per_second(Mechanism::andrews, n);
#endif
  } else {
    std::fprintf(stderr, "unknown: %s\n", argv[1]);
    return 2;
  }
  std::printf("%.15g %.15g\n", y[0], y[1]);
}
