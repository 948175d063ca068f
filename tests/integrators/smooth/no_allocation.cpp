#include <atomic>
#include <cstdlib>

#include <gtest/gtest.h>

#include "chain_system.h"
#include "integrators/smooth/integrator.h"
#include "mechanisms.h"

// Steps must not allocate once they run (bdf is left out: SUNDIALS clones a vector header for every Jacobian). malloc
// itself is counted, since Eigen and SUNDIALS do not go through operator new; the sanitizers have their own malloc, so
// there is nothing to count there.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)

namespace {
std::atomic<long> allocations{0};
}

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  ++allocations;
  return __libc_realloc(old, size);
}
}

namespace carom {
namespace {

struct Case {
  std::string integrator;
  ConstraintTreatment constraints;
  int masses;
  double step;
};

class NoAllocation : public ::testing::TestWithParam<Case> {};

TEST_P(NoAllocation, InsideSteps) {
  const Case& chosen = GetParam();
  ChainSystem system({.masses = chosen.masses, .drag = 0.1});
  SolverSettings settings;
  settings.integrator = chosen.integrator;
  settings.constraints = chosen.constraints;
  settings.tolerance = 1e-6;
  settings.step = chosen.step;
  const auto integrator = make_integrator(system, settings);
  integrator->start(system.hanging_at(1));
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(integrator->step(10).accepted());
  State sample = integrator->state();
  const long factorisations = integrator->statistics().factorisations;
  const long before = allocations;
  bool good = true;
  for (int k = 0; k < 300; ++k) {
    good = good && integrator->step(10).accepted();
    integrator->interpolate(0.5 * (integrator->step_begin() + integrator->state().t), sample);
  }
  const long during = allocations - before;
  EXPECT_TRUE(good);
  EXPECT_EQ(during, 0);
  if (chosen.integrator == "generalized-alpha") {
    EXPECT_GT(integrator->statistics().factorisations, factorisations);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, NoAllocation,
                         ::testing::Values(Case{"rk", ConstraintTreatment::projection, 2, 0},
                                           Case{"rk", ConstraintTreatment::baumgarte, 2, 1e-3},
                                           Case{"adams", ConstraintTreatment::projection, 2, 0},
                                           Case{"generalized-alpha", ConstraintTreatment::projection, 2, 0},
                                           Case{"generalized-alpha", ConstraintTreatment::index2, 2, 1e-3},
                                           Case{"generalized-alpha", ConstraintTreatment::projection, 30, 1e-3},
                                           Case{"generalized-alpha", ConstraintTreatment::index2, 30, 0}));

}  // namespace
}  // namespace carom

#endif
