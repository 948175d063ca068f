// The mechanisms of this folder in Simbody: a tree of mobilizers closed by constraints, with Simbody's own integrators.
//
// No header of Simbody is seen here: its classes change their layout with NDEBUG and must be compiled as the library
// was, which is not how the rest of a release build is compiled.
#pragma once

#include <memory>
#include <vector>

#include "mechanisms.h"

namespace carom::benchmarks {

enum class SimbodyIntegrator { runge_kutta_merson, runge_kutta_fehlberg, cpodes_bdf, cpodes_adams };

inline constexpr SimbodyIntegrator simbody_integrators[] = {
    SimbodyIntegrator::runge_kutta_merson, SimbodyIntegrator::runge_kutta_fehlberg, SimbodyIntegrator::cpodes_bdf,
    SimbodyIntegrator::cpodes_adams};

const char* name(SimbodyIntegrator method);

// When Simbody moves the state back onto the constraints: where they are violated by more than their tolerance (its own
// default), or after every step, which often allows longer steps.
enum class SimbodyProjection { when_needed, every_step };

const char* name(SimbodyProjection projection);

// How the loops are cut.
//   grounded: short branches from the ground, closed by two equations per loop. Crank-rod and slider; K1-K2, K3, K5-K4
//             and K7-K6, closed at P.
//   hanging:  the loops closed elsewhere. Crank-rod-slider as one chain, the slider kept on its axis and upright; K2,
//             K4 and K6 hung from K3 at P, closed at K1, K5 and K7.
//   lumped:   slider-crank only: the slider is a point mass at the end of the rod, which one equation keeps on the
//             axis. The same motion with one body less.
enum class SimbodyTopology { grounded, hanging, lumped };

const char* name(SimbodyTopology topology);
std::vector<SimbodyTopology> simbody_topologies(Mechanism which);

struct SimbodyResult {
  std::vector<BodyCoordinates> coordinates;  // at the end time, bodies in the order of the mechanism
  long steps = 0;
  long right_hand_sides = 0;  // realizations of the state up to accelerations
  double seconds = 0;         // wall time of stepping, without set-up
  double cpu_seconds = 0;     // processor time of the same, to be trusted on a busy machine
  double energy_change = 0;   // relative to the start; meaningful for the slider-crank only
};

class SimbodyModel {
 public:
  SimbodyModel(Mechanism which, SimbodyTopology topology);
  ~SimbodyModel();
  SimbodyModel(SimbodyModel&&) noexcept;
  SimbodyModel& operator=(SimbodyModel&&) noexcept;

  // Integrates from the start to the end time of the mechanism. Throws std::exception where the integrator gives up or
  // needs more than 20,000 steps, several times what any of them needs for the accuracies asked for here.
  SimbodyResult run(double accuracy, SimbodyIntegrator method,
                    SimbodyProjection projection = SimbodyProjection::when_needed) const;

  // Evaluates accelerations n times, time, positions and speeds having been set anew before each as an integrator does.
  double rhs_per_second(long n) const;

 private:
  class implementation;
  std::unique_ptr<implementation> implementation_;
};

// With the topology found fastest for the mechanism with every body kept.
SimbodyResult run(Mechanism which, double accuracy, SimbodyIntegrator method,
                  SimbodyProjection projection = SimbodyProjection::when_needed);
double rhs_per_second(Mechanism which, long n);

}  // namespace carom::benchmarks
