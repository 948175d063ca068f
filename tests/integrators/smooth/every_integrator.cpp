#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>

#include "chain_system.h"
#include "integrators/smooth/events.h"
#include "integrators/smooth/integrator.h"
#include "mechanisms.h"

// One suite for the whole catalogue: every integrator with every treatment of the constraints it offers.
namespace carom {
namespace {

struct Choice {
  std::string integrator;
  ConstraintTreatment constraints;
};

void PrintTo(const Choice& choice, std::ostream* out) {
  *out << choice.integrator << " " << name_of(choice.constraints);
}

std::vector<Choice> every_choice() {
  std::vector<Choice> choices;
  for (const auto& entry : integrator_catalogue())
    for (const ConstraintTreatment constraints : entry.constraints) choices.push_back({entry.name, constraints});
  return choices;
}

class EveryIntegrator : public ::testing::TestWithParam<Choice> {
 protected:
  SolverSettings settings(double tolerance) const {
    SolverSettings result;
    result.integrator = GetParam().integrator;
    result.constraints = GetParam().constraints;
    result.tolerance = tolerance;
    return result;
  }
  bool second_order() const { return GetParam().integrator == "generalized-alpha"; }
  bool baumgarte() const { return GetParam().constraints == ConstraintTreatment::baumgarte; }
};

void run(Integrator& integrator, double t_end) {
  while (integrator.state().t < t_end) {
    const StepOutcome outcome = integrator.step(t_end);
    ASSERT_TRUE(outcome.accepted()) << outcome.reason;
  }
}

// All but exact, to compare with.
State exact_state(System& system, const State& start, double t_end) {
  SolverSettings fine;
  fine.integrator = "rk";
  fine.tolerance = 1e-12;
  const auto integrator = make_integrator(system, fine);
  integrator->start(start);
  run(*integrator, t_end);
  return integrator->state();
}

// Pendulum of length 1 m let go at `amplitude`: sin(θ/2) = k cd(ω t, k), k = sin(amplitude/2).
constexpr double amplitude = 1.5;
const double omega = std::sqrt(9.81);
const double modulus = std::sin(amplitude / 2);
const double quarter_period = boost::math::ellint_1(modulus) / omega;

Eigen::Vector4d pendulum(double t) {
  using namespace boost::math;
  const double x = omega * t;
  const double angle = 2 * std::asin(modulus * jacobi_cd(modulus, x));
  // d/dx cd = −(1 − k²) sn / dn²
  const double dn = jacobi_dn(modulus, x);
  const double rate =
      -2 * modulus * omega * (1 - modulus * modulus) * jacobi_sn(modulus, x) / (dn * dn) / std::cos(angle / 2);
  return {std::sin(angle), -std::cos(angle), rate * std::cos(angle), rate * std::sin(angle)};
}

double pendulum_error(const State& state) {
  Eigen::Vector4d y;
  y << state.q, state.v;
  return (y - pendulum(state.t)).norm();
}

TEST_P(EveryIntegrator, BecomesMoreAccurateWithTheTolerance) {
  double first = 0, last = 0;
  const std::vector<double> tolerances = {1e-4, 1e-6, 1e-8};
  for (const double tolerance : tolerances) {
    ChainSystem system({});
    const auto integrator = make_integrator(system, settings(tolerance));
    integrator->start(system.hanging_at(amplitude));
    run(*integrator, 3);
    const double error = pendulum_error(integrator->state());
    EXPECT_LT(error, second_order() ? 100 * std::pow(tolerance, 2.0 / 3) : 2e3 * tolerance);
    if (tolerance == tolerances.front()) first = error;
    last = error;
  }
  EXPECT_LT(last, 0.02 * first);
}

TEST_P(EveryIntegrator, InterpolatesAsAccuratelyAsItSteps) {
  const double tolerance = 1e-7;
  ChainSystem system({.drag = 0});
  const auto integrator = make_integrator(system, settings(tolerance));
  integrator->start(system.hanging_at(amplitude));
  State inside;
  double at_ends = 0, between = 0, jump = 0;
  State before = integrator->state();
  while (integrator->state().t < 2) {
    ASSERT_TRUE(integrator->step(2).accepted());
    const double begin = integrator->step_begin(), end = integrator->state().t;
    for (const double part : {0.1, 0.37, 0.5, 0.81}) {
      integrator->interpolate(begin + part * (end - begin), inside);
      between = std::max(between, pendulum_error(inside));
    }
    integrator->interpolate(begin, inside);
    jump = std::max(jump, (inside.q - before.q).norm());
    integrator->interpolate(end, inside);
    jump = std::max(jump, (inside.q - integrator->state().q).norm());
    at_ends = std::max(at_ends, pendulum_error(integrator->state()));
    before = integrator->state();
  }
  EXPECT_LT(between, 2 * at_ends + 10 * tolerance);
  EXPECT_LT(jump, 1e-14);
}

TEST_P(EveryIntegrator, LandsExactlyOnTheLimitAndNeverPassesIt) {
  ChainSystem system({});
  const auto integrator = make_integrator(system, settings(1e-6));
  integrator->start(system.hanging_at(amplitude));
  double previous = 0;
  for (const double limit : {0.1, 0.1 + 1e-9, 0.1 + 1e-9 + 2e-16, 0.35, 1.0 / 3 + 0.1, 1.0, 1.0 + 1e-13, 1.2}) {
    while (integrator->state().t < limit) {
      ASSERT_TRUE(integrator->step(limit).accepted());
      ASSERT_LE(integrator->state().t, limit);
      ASSERT_GT(integrator->state().t, previous);
      EXPECT_EQ(integrator->step_begin(), previous);
      previous = integrator->state().t;
    }
    EXPECT_EQ(integrator->state().t, limit);
    EXPECT_EQ(system.last_accepted, limit);
    const long steps = integrator->statistics().steps;
    EXPECT_TRUE(integrator->step(limit).accepted());
    EXPECT_EQ(integrator->statistics().steps, steps);
  }
  EXPECT_LT(pendulum_error(integrator->state()), second_order() ? 1e-2 : 1e-3);
}

TEST_P(EveryIntegrator, KeepsTheBooksOfItsSteps) {
  ChainSystem system({});
  SolverSettings chosen = settings(1e-6);
  chosen.max_step = 0.011;
  chosen.first_step = 1e-5;
  const auto integrator = make_integrator(system, chosen);
  integrator->start(system.hanging_at(amplitude));
  long steps = 0;
  double smallest = 1, largest = 0;
  while (integrator->state().t < 1) {
    ASSERT_TRUE(integrator->step(1).accepted());
    ++steps;
    const double h = integrator->state().t - integrator->step_begin();
    smallest = std::min(smallest, h);
    largest = std::max(largest, h);
  }
  const auto& statistics = integrator->statistics();
  EXPECT_EQ(statistics.steps, steps);
  EXPECT_GE(statistics.steps, 91);
  EXPECT_EQ(statistics.restarts, 1);
  EXPECT_GE(statistics.evaluations, steps);
  EXPECT_NEAR(statistics.smallest_step, smallest, 1e-15);
  EXPECT_NEAR(statistics.largest_step, largest, 1e-15);
  EXPECT_LE(largest, 0.011 * (1 + 0.0101));
  EXPECT_LE(smallest, 1e-5 * (1 + 1e-9));
  const bool chooses_adams = GetParam().integrator == "auto" && GetParam().constraints != ConstraintTreatment::index2;
  if (GetParam().integrator != "rk" && GetParam().integrator != "adams" && !chooses_adams) {
    EXPECT_GT(statistics.factorisations, 0);
  }
  if (GetParam().constraints == ConstraintTreatment::projection) {
    EXPECT_GT(statistics.largest_position_drift, 0);
  }
}

TEST_P(EveryIntegrator, StartsAgainFromAnyState) {
  ChainSystem system({.masses = 2});
  const auto integrator = make_integrator(system, settings(1e-7));
  integrator->start(system.hanging_at(1));
  run(*integrator, 0.4);
  integrator->start(system.hanging_at(0.5));
  EXPECT_EQ(integrator->state().t, 0);
  run(*integrator, 0.7);
  ChainSystem other({.masses = 2});
  const auto fresh = make_integrator(other, settings(1e-7));
  fresh->start(other.hanging_at(0.5));
  run(*fresh, 0.7);
  EXPECT_LT((integrator->state().q - fresh->state().q).norm(), 1e-12);
  EXPECT_LT((integrator->state().v - fresh->state().v).norm(), 1e-11);
  EXPECT_EQ(integrator->statistics().restarts, 2);
}

TEST_P(EveryIntegrator, BalancesTheEnergyWithTheWork) {
  ChainSystem system({.masses = 2, .drag = 0.3});
  const double tolerance = second_order() ? 1e-8 : 1e-9;
  const auto integrator = make_integrator(system, settings(tolerance));
  const State start = system.hanging_at(1.2);
  integrator->start(start);
  const double initial = system.energy(0, start.q.data(), start.v.data()).total();
  State inside;
  double largest = 0;
  const double t_end = 1.5;
  while (integrator->state().t < t_end) {
    ASSERT_TRUE(integrator->step(t_end).accepted());
    integrator->interpolate(0.4 * integrator->step_begin() + 0.6 * integrator->state().t, inside);
    for (const State* state : {static_cast<const State*>(&inside), &integrator->state()}) {
      const double energy = system.energy(state->t, state->q.data(), state->v.data()).total();
      largest = std::max(largest, std::abs(energy - initial - state->work[0]));
    }
  }
  EXPECT_LT(integrator->state().work[0], -1);
  EXPECT_LT(largest, second_order() ? 1e-3 : 1e-5);
}

TEST_P(EveryIntegrator, ReportsForcesThatAreNotNumbers) {
  for (const double from : {0.0, 0.3}) {
    ChainSystem system({.nan_from = from});
    const auto integrator = make_integrator(system, settings(1e-6));
    integrator->start(system.hanging_at(1));
    StepOutcome outcome;
    int steps = 0;
    while (integrator->state().t < 1 && steps < 10000) {
      outcome = integrator->step(1);
      if (!outcome.accepted()) break;
      ++steps;
    }
    EXPECT_EQ(outcome.status, StepStatus::failed);
    EXPECT_NE(outcome.reason.find("t = "), std::string::npos) << outcome.reason;
    EXPECT_NE(outcome.reason.find(GetParam().integrator), std::string::npos) << outcome.reason;
    EXPECT_LE(integrator->state().t, from);
    EXPECT_TRUE(integrator->state().q.allFinite());
    EXPECT_LT(steps, 10000);
    EXPECT_FALSE(integrator->step(1).accepted());
  }
}

TEST_P(EveryIntegrator, KeepsTheConstraints) {
  ChainSystem system({.masses = 3});
  const auto integrator = make_integrator(system, settings(second_order() ? 1e-7 : 1e-8));
  integrator->start(system.hanging_at(1));
  Eigen::VectorXd g;
  double position = 0, velocity = 0;
  const double t_end = 20;
  while (integrator->state().t < t_end) {
    const StepOutcome outcome = integrator->step(t_end);
    ASSERT_TRUE(outcome.accepted()) << outcome.reason;
    const State& state = integrator->state();
    system.position_residual(state.t, state.q.data(), g);
    position = std::max(position, g.lpNorm<Eigen::Infinity>());
    system.velocity_residual(state.t, state.q.data(), state.v.data(), g);
    velocity = std::max(velocity, g.lpNorm<Eigen::Infinity>());
  }
  const double allowed = 1e-10;
  EXPECT_LT(position, baumgarte() ? 1e-4 : 1.01 * allowed);
  EXPECT_LT(velocity, baumgarte() ? 1e-3 : 1e3 * allowed);
}

TEST_P(EveryIntegrator, FindsAnEventWhereItIs) {
  ChainSystem system({});
  const bool exact = GetParam().integrator == "rk" || GetParam().integrator == "adams";
  const auto integrator = make_integrator(system, settings(exact ? 1e-12 : second_order() ? 1e-6 : 1e-9));
  integrator->start(system.hanging_at(amplitude));
  EventLocator locator(system, {{"bottom", [](const State& state) { return state.q[0]; }, 0, 0}});
  std::vector<EventHit> hits;
  const double t_end = 8.2 * quarter_period;
  while (integrator->state().t < t_end) {
    const std::size_t before = hits.size();
    const StepOutcome outcome = locator.advance(*integrator, t_end, hits);
    ASSERT_TRUE(outcome.accepted()) << outcome.reason;
    if (hits.size() == before) continue;
    EXPECT_EQ(hits.back().t, integrator->state().t);
    EXPECT_LT(std::abs(integrator->state().q[0]), 1e-9);
    EXPECT_LT(std::abs(integrator->state().q.norm() - 1), 1e-12);
    ASSERT_LT(hits.size(), 20u);
  }
  ASSERT_EQ(hits.size(), 4u);  // at 1, 3, 5, 7 quarters, once each
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(hits[k].t, (2 * k + 1) * quarter_period, exact ? 1e-9 : second_order() ? 2e-3 : 1e-5);
    EXPECT_EQ(hits[k].direction, k % 2 == 0 ? -1 : 1);
    EXPECT_EQ(hits[k].name, "bottom");
  }
}

TEST_P(EveryIntegrator, FindsSeveralEventsInOneStep) {
  ChainSystem system({});
  const auto integrator = make_integrator(system, settings(1e-4));
  integrator->start(system.hanging_at(amplitude));
  const auto past = [](double x) { return [x](const State& state) { return state.q[0] - x; }; };
  EventLocator locator(system, {{"second", past(0.2999), -1, 0},
                                {"first", past(0.3), 0, 0},
                                {"twin of first", past(0.3), -1, 0},
                                {"other way", past(0.3), 1, 0},
                                {"never", past(2), 0, 0},
                                {"third", [](const State& state) { return state.t - 0.5; }, 1, 0}});
  std::vector<EventHit> hits;
  const double t_end = 0.9;  // before the pendulum comes back
  while (integrator->state().t < t_end) ASSERT_TRUE(locator.advance(*integrator, t_end, hits).accepted());
  std::sort(hits.begin(), hits.end(), [](const auto& a, const auto& b) { return a.t < b.t; });
  std::vector<std::string> names;
  for (const auto& hit : hits) names.push_back(hit.name);
  const auto time_of = [&](const std::string& name) {
    return std::find_if(hits.begin(), hits.end(), [&](const auto& hit) { return hit.name == name; })->t;
  };
  EXPECT_EQ(names.size(), 4u);
  for (const char* name : {"first", "twin of first", "second", "third"})
    ASSERT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  EXPECT_EQ(time_of("first"), time_of("twin of first"));
  EXPECT_LT(time_of("first"), time_of("second"));
  EXPECT_LT(time_of("second") - time_of("first"), 1e-4);
  EXPECT_NEAR(time_of("third"), 0.5, 1e-12);
}

TEST_P(EveryIntegrator, MovesAPlanarMechanism) {
  Mechanism reference = slider_crank(3);
  const State exact = exact_state(*reference.system, reference.state, 0.2);
  Mechanism mechanism = slider_crank(3);
  const auto integrator = make_integrator(*mechanism.system, settings(1e-8));
  integrator->start(mechanism.state);
  run(*integrator, 0.2);
  const double allowed = second_order() ? 3e-3 : 1e-5;
  EXPECT_LT((integrator->state().q - exact.q).norm(), allowed);
  EXPECT_LT((integrator->state().v - exact.v).norm(), 40 * allowed);
  EXPECT_LT((integrator->state().work - exact.work).norm(), allowed);
}

// Long enough for the sparse and the Krylov solvers.
TEST_P(EveryIntegrator, MovesALongChain) {
  ChainSystem reference({.masses = 20, .drag = 0.1});
  const State exact = exact_state(reference, reference.hanging_at(1), 0.5);
  ChainSystem system({.masses = 20, .drag = 0.1});
  const auto integrator = make_integrator(system, settings(1e-7));
  integrator->start(system.hanging_at(1));
  run(*integrator, 0.5);
  EXPECT_LT((integrator->state().q - exact.q).norm(), second_order() ? 1e-3 : 1e-4);
  EXPECT_LT((integrator->state().v - exact.v).norm(), second_order() ? 1e-2 : 1e-3);
  EXPECT_LT((integrator->state().work - exact.work).norm(), second_order() ? 1e-3 : 1e-4);
}

TEST_P(EveryIntegrator, FollowsADriveAndBooksItsWork) {
  Mechanism mechanism = slider_crank(3, 100);
  System& system = *mechanism.system;
  const auto integrator = make_integrator(system, settings(1e-8));
  integrator->start(mechanism.state);
  run(*integrator, 0.2);
  const State& state = integrator->state();
  EXPECT_NEAR(state.q[2], 40 * 0.2 + 50 * 0.2 * 0.2, baumgarte() ? 1e-6 : 1e-10);
  EXPECT_NEAR(state.v[2], 40 + 100 * 0.2, baumgarte() ? 1e-4 : 1e-7);
  const double gained = system.energy(state.t, state.q.data(), state.v.data()).total() -
                        system.energy(0, mechanism.state.q.data(), mechanism.state.v.data()).total();
  EXPECT_GT(std::abs(gained), 0.1);
  EXPECT_NEAR(gained, state.work.sum(), 1e-5);
}

TEST_P(EveryIntegrator, MovesASpatialMechanism) {
  Mechanism reference = heavy_top();
  const State exact = exact_state(*reference.system, reference.state, 0.1);
  Mechanism top = heavy_top();
  const auto integrator = make_integrator(*top.system, settings(1e-8));
  integrator->start(top.state);
  run(*integrator, 0.1);
  const State& state = integrator->state();
  const double allowed = second_order() ? 1e-3 : 1e-5;
  EXPECT_LT((state.q - exact.q).norm(), allowed);
  EXPECT_LT((state.v - exact.v).norm(), 150 * allowed);
  EXPECT_NEAR(state.q.segment(3, 4).norm(), 1, 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryIntegrator, ::testing::ValuesIn(every_choice()), [](const auto& parameter) {
  std::string name = parameter.param.integrator + "_" + name_of(parameter.param.constraints);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(MakeIntegrator, SaysWhichIntegratorsHaveWhatIsAsked) {
  ChainSystem system({});
  SolverSettings settings;
  settings.integrator = "rk";
  settings.constraints = ConstraintTreatment::index2;
  try {
    make_integrator(system, settings);
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.problems().text();
    EXPECT_NE(text.find("bdf, generalized-alpha"), std::string::npos) << text;
  }
  settings.integrator = "bdf";
  ChainSystem large({.masses = 100});
  EXPECT_THROW(make_integrator(large, settings), InputError);  // dense matrices
  settings.integrator = "euler";
  EXPECT_THROW(make_integrator(system, settings), InputError);
  EXPECT_EQ(find_integrator("euler"), nullptr);
  EXPECT_NE(find_integrator("adams"), nullptr);
}

}  // namespace
}  // namespace carom
