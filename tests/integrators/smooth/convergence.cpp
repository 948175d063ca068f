#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "chain_system.h"
#include "integrators/smooth/integrator.h"
#include "mechanisms.h"

// Orders of convergence with fixed steps, by error against a much finer solution.
namespace carom {
namespace {

struct Errors {
  double q = 0, v = 0, work = 0;
};

State solve(System& system, const State& start, const SolverSettings& settings, double t_end) {
  const auto integrator = make_integrator(system, settings);
  integrator->start(start);
  while (integrator->state().t < t_end) {
    const StepOutcome outcome = integrator->step(t_end);
    EXPECT_TRUE(outcome.accepted()) << outcome.reason;
    if (!outcome.accepted()) break;
  }
  return integrator->state();
}

SolverSettings fine() {
  SolverSettings settings;
  settings.integrator = "rk";
  settings.tolerance = 1e-13;
  return settings;
}

// Order by least squares of log error over log h; the steps are halved each time.
double slope(const std::vector<double>& errors) {
  const double n = static_cast<double>(errors.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = 0; k < errors.size(); ++k) {
    const double x = -static_cast<double>(k) * std::log(2.0), y = std::log(errors[k]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

struct Orders {
  double q, v, work;
};

Orders measure(System& system, const State& start, SolverSettings settings, double t_end, double longest,
               int halvings) {
  const State exact = solve(system, start, fine(), t_end);
  std::vector<double> q, v, work;
  for (int k = 0; k <= halvings; ++k) {
    settings.step = longest * std::pow(0.5, k);
    const State state = solve(system, start, settings, t_end);
    q.push_back((state.q - exact.q).norm());
    v.push_back((state.v - exact.v).norm());
    work.push_back(std::max((state.work - exact.work).norm(), 1e-300));
  }
  const Orders orders{slope(q), slope(v), slope(work)};
  ::testing::Test::RecordProperty("order_q", std::to_string(orders.q));
  ::testing::Test::RecordProperty("order_v", std::to_string(orders.v));
  return orders;
}

struct AlphaCase {
  double rho;
  ConstraintTreatment constraints;
};

class GeneralizedAlphaOrder : public ::testing::TestWithParam<AlphaCase> {
 protected:
  SolverSettings settings() const {
    SolverSettings result;
    result.integrator = "generalized-alpha";
    result.tolerance = 1e-10;  // of the Newton iterations
    result.rho_infinity = GetParam().rho;
    result.constraints = GetParam().constraints;
    return result;
  }
};

// The end is no multiple of any step, so the last one is cut.
TEST_P(GeneralizedAlphaOrder, IsTwoForAPendulum) {
  ChainSystem system({.drag = 0.1});
  const Orders orders = measure(system, system.hanging_at(1), settings(), 1.0001234, 0.01, 4);
  EXPECT_NEAR(orders.q, 2, 0.15);
  EXPECT_NEAR(orders.v, 2, 0.1);
}

TEST_P(GeneralizedAlphaOrder, IsTwoForAChainWithARedundantRod) {
  ChainSystem smooth({.masses = 20, .drag = 0.1});
  const State exact = solve(smooth, smooth.hanging_at(1), fine(), 0.7);
  std::vector<double> q, v, work;
  for (const double h : {0.01, 0.005, 0.0025, 0.00125}) {
    ChainSystem system({.masses = 20, .drag = 0.1, .redundant = true});
    SolverSettings chosen = settings();
    chosen.step = h;
    const State state = solve(system, system.hanging_at(1), chosen, 0.7);
    q.push_back((state.q - exact.q).norm());
    v.push_back((state.v - exact.v).norm());
    work.push_back((state.work - exact.work).norm());
  }
  EXPECT_NEAR(slope(q), 2, 0.1);
  EXPECT_NEAR(slope(v), 2, 0.1);
  EXPECT_NEAR(slope(work), 2, 0.1);
}

TEST_P(GeneralizedAlphaOrder, IsTwoForASliderCrank) {
  Mechanism mechanism = slider_crank(3);
  const Orders orders = measure(*mechanism.system, mechanism.state, settings(), 0.1, 1e-3, 3);
  EXPECT_NEAR(orders.q, 2, 0.15);
  EXPECT_NEAR(orders.v, 2, 0.15);
}

TEST_P(GeneralizedAlphaOrder, IsTwoForASpatialTop) {
  Mechanism top = heavy_top();
  const Orders orders = measure(*top.system, top.state, settings(), 0.1, 1e-3, 3);
  EXPECT_NEAR(orders.q, 2, 0.15);
  EXPECT_NEAR(orders.v, 2, 0.15);
}

INSTANTIATE_TEST_SUITE_P(
    Damping, GeneralizedAlphaOrder,
    ::testing::Values(AlphaCase{0, ConstraintTreatment::projection}, AlphaCase{0.5, ConstraintTreatment::projection},
                      AlphaCase{0.8, ConstraintTreatment::projection}, AlphaCase{1, ConstraintTreatment::projection},
                      AlphaCase{0, ConstraintTreatment::index2}, AlphaCase{0.5, ConstraintTreatment::index2},
                      AlphaCase{0.8, ConstraintTreatment::index2}, AlphaCase{1, ConstraintTreatment::index2}),
    [](const auto& parameter) {
      return name_of(parameter.param.constraints) + "_rho_" +
             std::to_string(static_cast<int>(std::lround(10 * parameter.param.rho)));
    });

TEST(RungeKuttaOrder, IsFive) {
  ChainSystem system({.masses = 2, .drag = 0.2});
  SolverSettings settings;
  settings.integrator = "rk";
  settings.tolerance = 1e-10;  // of the projections
  const Orders orders = measure(system, system.hanging_at(1), settings, 1.0001234, 0.03, 3);
  EXPECT_NEAR(orders.q, 5, 0.25);
  EXPECT_NEAR(orders.v, 5, 0.35);
  EXPECT_NEAR(orders.work, 5, 0.4);
}

TEST(RungeKuttaOrder, IsFiveInSpace) {
  Mechanism top = heavy_top();
  SolverSettings settings;
  settings.integrator = "rk";
  settings.tolerance = 1e-10;
  const Orders orders = measure(*top.system, top.state, settings, 0.1, 1e-3, 3);
  EXPECT_NEAR(orders.q, 5, 0.3);
  EXPECT_NEAR(orders.v, 5, 0.3);
}

// Numerical damping: a stiff oscillation is removed for ρ∞ < 1 and kept for ρ∞ = 1.
TEST(GeneralizedAlpha, DampsWhatIsTooStiffForTheStep) {
  Mechanism mechanism = slider_crank(3);
  for (ElementModel& force : mechanism.model.forces) force.settings.set("stiffness", 1e9);
  const auto stiff = System::create(mechanism.model);
  State start = mechanism.state;
  start.v.setZero();
  SolverSettings settings;
  settings.integrator = "generalized-alpha";
  settings.step = 1e-3;
  settings.rho_infinity = 0;
  const State state = solve(*stiff, start, settings, 0.05);
  EXPECT_LT(state.v.norm(), 1);
  EXPECT_TRUE(state.q.allFinite());
}

}  // namespace
}  // namespace carom
