#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>

#include <Eigen/LU>

#include "control/block.h"

namespace carom {
namespace {

Settings settings_of(const std::string& type) {
  Settings settings;
  const auto numbers = [&](const std::string& name, std::vector<double> values) {
    settings.set(name, std::move(values));
  };
  const auto number = [&](const std::string& name, double value) { settings.set(name, value); };
  if (type == "delay") number("time", 0.1);
  if (type == "dead-band") number("width", 0.4);
  if (type == "first-order-lag") number("time_constant", 0.3), number("gain", 2.5);
  if (type == "hysteresis") number("lower", -0.2), number("upper", 0.3);
  if (type == "integrator") number("gain", -1.7), number("initial", 0.2);
  if (type == "limiter") number("lower", -0.5), number("upper", 0.6);
  if (type == "noise") number("period", 0.1);
  if (type == "pid") {
    number("proportional", 3), number("integral", 2), number("derivative", 0.5), number("filter", 0.05);
    number("lower", -2), number("upper", 2.5);
  }
  if (type == "rate-limiter") number("rise", 1), number("fall", 2), number("time_constant", 0.2);
  if (type == "sample-and-hold")
    number("period", 0.1), numbers("numerator", {0.5, 0.2}), numbers("denominator", {1, -0.3});
  if (type == "second-order-lag") number("frequency", 7), number("damping_ratio", 0.3);
  if (type == "state-space")
    numbers("a", {0, 1, -3, -0.4}), numbers("b", {0.2, 1}), numbers("c", {1, 0.5}), numbers("d", {0.1});
  if (type == "table")
    settings.set("values", Function::table({-2, -1, 0, 1, 2}, {1, 3, -1, 2, 0}, Interpolation::cubic));
  if (type == "table-2d") numbers("x", {-2, 0, 2}), numbers("y", {-1, 1}), numbers("values", {1, 2, 3, 5, 8, 13});
  if (type == "transfer-function") numbers("numerator", {2, 3}), numbers("denominator", {1, 0.8, 9});
  return settings;
}

// Rates by jets are those of central differences, in time, inputs and states at once.
TEST(Blocks, DerivativesAgreeWithDifferences) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1.5, 1.5);
  int blocks = 0;
  for (const BlockDescription& type : block_catalogue()) {
    if (!type.make) continue;
    ++blocks;
    SCOPED_TRACE(type.name);
    const auto block = type.make(settings_of(type.name));
    const int nu = std::max<int>(1, static_cast<int>(type.inputs.size())), nz = block->states();
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<double> u(nu), z(nz), du(nu), dz(nz);
      for (auto* list : {&u, &z, &du, &dz}) {
        for (double& each : *list) each = any(random);
      }
      const double t = any(random);
      const auto at = [&](double step, std::vector<double>& rates) {
        std::vector<double> us(nu), zs(nz);
        for (int k = 0; k < nu; ++k) us[k] = u[k] + step * du[k];
        for (int k = 0; k < nz; ++k) zs[k] = z[k] + step * dz[k];
        rates.assign(nz, 0.0);
        block->rates(t + step, us.data(), zs.data(), rates.data());
        return block->output(t + step, us.data(), zs.data());
      };
      constexpr double h = 1e-6;
      std::vector<double> ahead, back, here;
      const double forward = at(h, ahead), backward = at(-h, back), now = at(0, here);
      if (std::abs(forward - 2 * now + backward) > 1e-8) continue;  // a corner
      std::vector<Jet> du_all(nu), dz_all(nz), rates(nz);
      for (int k = 0; k < nu; ++k) du_all[k] = {u[k], du[k], 0};
      for (int k = 0; k < nz; ++k) dz_all[k] = {z[k], dz[k], 0};
      const Jet output = block->output(Jet(t, 1, 0), du_all.data(), dz_all.data());
      block->rates(Jet(t, 1, 0), du_all.data(), dz_all.data(), rates.data());
      EXPECT_EQ(output.value, now);
      EXPECT_NEAR(output.first, (forward - backward) / (2 * h), 1e-7 * (1 + std::abs(output.first)));
      for (int k = 0; k < nz; ++k) {
        EXPECT_EQ(rates[k].value, here[k]);
        if (std::abs(ahead[k] - 2 * here[k] + back[k]) > 1e-8) continue;
        EXPECT_NEAR(rates[k].first, (ahead[k] - back[k]) / (2 * h), 1e-6 * (1 + std::abs(rates[k].first)));
      }
    }
  }
  EXPECT_GE(blocks, 19);
}

// Second rates, along paths that are curved: t ↦ u + t du + t²/2 d²u.
TEST(Blocks, SecondRatesAgreeWithDifferences) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> any(-1.5, 1.5);
  for (const BlockDescription& type : block_catalogue()) {
    if (!type.make) continue;
    SCOPED_TRACE(type.name);
    const auto block = type.make(settings_of(type.name));
    const int nu = std::max<int>(1, static_cast<int>(type.inputs.size())), nz = block->states();
    for (int trial = 0; trial < 100; ++trial) {
      std::vector<Jet> u(nu), z(nz);
      for (auto* list : {&u, &z}) {
        for (Jet& each : *list) each = {any(random), any(random), any(random)};
      }
      const auto at = [&](double s) {
        const auto point = [&](const Jet& jet) { return jet.value + s * jet.first + 0.5 * s * s * jet.second; };
        std::vector<double> us, zs;
        for (const Jet& each : u) us.push_back(point(each));
        for (const Jet& each : z) zs.push_back(point(each));
        return block->output(s, us.data(), zs.data());
      };
      constexpr double h = 1e-3;
      const Jet output = block->output(Jet(0, 1, 0), u.data(), z.data());
      const double near = (at(h) - 2 * at(0) + at(-h)) / (h * h),
                   far = (at(2 * h) - 2 * at(0) + at(-2 * h)) / (4 * h * h);
      if (std::abs(near - far) > 0.1) continue;  // a corner
      EXPECT_NEAR(output.second, near, 1e-3 * (1 + std::abs(near)));
    }
  }
}

Settings several_inputs() {
  Settings settings;
  settings.set("inputs", std::vector<Function>(2, Function::constant(0)));
  settings.set("a", std::vector<double>{0, 1, 0, 0, 0, 1, -3, -0.4, -2});
  settings.set("b", std::vector<double>{0.2, 1, 0.5, -1, 2, 0.3});
  settings.set("c", std::vector<double>{1, 0.5, 0, 0, -2, 0.7});
  return settings;
}

// ẋ = A x + B u, y = C x + D u row by row, and the derivatives of all outputs along a path.
TEST(Blocks, StateSpaceHasSeveralInputsAndOutputs) {
  Settings settings = several_inputs();
  settings.set("d", std::vector<double>{0, 0.1, -0.2, 0.4});
  const BlockDescription& type = *find_block("state-space");
  ASSERT_EQ(type.check(settings), "");
  const auto block = type.make(settings);
  ASSERT_EQ(block->states(), 3);
  ASSERT_EQ(block->outputs(), 2);
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto matrix = [&](const std::string& name, int rows, int columns) {
    const std::vector<double> values = settings.numbers(name);
    return Eigen::MatrixXd(Eigen::Map<const Rows>(values.data(), rows, columns));
  };
  const Eigen::Vector3d x(0.3, -1.2, 0.7), dx(1, 0.4, -0.6);
  const Eigen::Vector2d u(0.9, -0.5), du(-0.3, 2);
  const Eigen::VectorXd y = matrix("c", 2, 3) * x + matrix("d", 2, 2) * u,
                        dy = matrix("c", 2, 3) * dx + matrix("d", 2, 2) * du,
                        rate = matrix("a", 3, 3) * x + matrix("b", 3, 2) * u,
                        drate = matrix("a", 3, 3) * dx + matrix("b", 3, 2) * du;
  std::vector<Jet> xs(3), us(2), rates(3);
  for (int k = 0; k < 3; ++k) xs[k] = {x[k], dx[k], 0};
  for (int k = 0; k < 2; ++k) us[k] = {u[k], du[k], 0};
  block->rates(Jet(0), us.data(), xs.data(), rates.data());
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(rates[k].value, rate[k], 1e-14);
    EXPECT_NEAR(rates[k].first, drate[k], 1e-14);
  }
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(block->output_at(k, 0.0, u.data(), x.data()), y[k], 1e-14);
    const Jet output = block->output_at(k, Jet(0), us.data(), xs.data());
    EXPECT_NEAR(output.value, y[k], 1e-14);
    EXPECT_NEAR(output.first, dy[k], 1e-14);
  }
  EXPECT_EQ(block->added_rates(), 0);
  EXPECT_EQ(type.make(several_inputs())->added_rates(), 1);
  settings.set("d", std::vector<double>{1, 2, 3});
  EXPECT_NE(type.check(settings), "");
}

// C (s − A)⁻¹ B + D of what a block does to its states, by columns.
std::complex<double> response(const Block& block, std::complex<double> s) {
  const int n = block.states();
  Eigen::MatrixXcd a(n, n);
  Eigen::VectorXcd b(n);
  Eigen::RowVectorXcd c(n);
  std::vector<double> z(n, 0.0), rates(n);
  double u = 1;
  block.rates(0.0, &u, z.data(), rates.data());
  for (int k = 0; k < n; ++k) b[k] = rates[k];
  const double d = block.output(0.0, &u, z.data());
  u = 0;
  for (int k = 0; k < n; ++k) {
    z.assign(n, 0.0);
    z[k] = 1;
    block.rates(0.0, &u, z.data(), rates.data());
    for (int i = 0; i < n; ++i) a(i, k) = rates[i];
    c[k] = block.output(0.0, &u, z.data());
  }
  const Eigen::MatrixXcd matrix = s * Eigen::MatrixXcd::Identity(n, n) - a;
  return (c * matrix.partialPivLu().solve(b))(0) + d;
}

std::complex<double> polynomial(const std::vector<double>& coefficients, std::complex<double> s) {
  std::complex<double> sum = 0;
  for (const double each : coefficients) sum = sum * s + each;
  return sum;
}

TEST(Blocks, TransferFunctionsAreRatiosOfPolynomials) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-2, 2), size(-3, 3);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 5, m = trial % (n + 1);
    std::vector<double> above(m + 1), below(n + 1);
    const double scale = std::pow(10, size(random));  // rad/s
    for (int k = 0; k <= m; ++k) above[k] = any(random) * std::pow(scale, k);
    for (int k = 0; k <= n; ++k) below[k] = any(random) * std::pow(scale, k);
    Settings settings;
    settings.set("numerator", above), settings.set("denominator", below);
    const BlockDescription& type = *find_block("transfer-function");
    ASSERT_EQ(type.check(settings), "");
    const auto block = type.make(settings);
    const std::complex<double> s(scale * any(random), scale * any(random));
    const std::complex<double> expected = polynomial(above, s) / polynomial(below, s);
    EXPECT_LT(std::abs(response(*block, s) - expected), 1e-9 * std::abs(expected) + 1e-12);
    EXPECT_EQ(block->feeds_through(), m == n);
  }
}

TEST(Blocks, LagsHaveTheirTransferFunctions) {
  const std::complex<double> s(0.7, 3);
  const auto first = find_block("first-order-lag")->make(settings_of("first-order-lag"));
  EXPECT_LT(std::abs(response(*first, s) - 2.5 / (0.3 * s + 1.0)), 1e-13);
  const auto second = find_block("second-order-lag")->make(settings_of("second-order-lag"));
  EXPECT_LT(std::abs(response(*second, s) - 49.0 / (s * s + 2 * 0.3 * 7.0 * s + 49.0)), 1e-13);
  Settings settings;
  settings.set("proportional", 3.0), settings.set("integral", 2.0), settings.set("derivative", 0.5);
  settings.set("filter", 0.05);
  const auto pid = find_block("pid")->make(settings);
  EXPECT_LT(std::abs(response(*pid, s) - (3.0 + 2.0 / s + 0.5 * s / (0.05 * s + 1.0))), 1e-12);
}

// yₖ = 0.5 uₖ + 0.2 uₖ₋₁ + 0.3 yₖ₋₁.
TEST(Blocks, SamplesFollowTheirRecursion) {
  const auto block = find_block("sample-and-hold")->make(settings_of("sample-and-hold"));
  std::vector<double> z(block->states());
  block->initial_states(z.data());
  double before = 0, y = 0;
  for (int k = 0; k < 50; ++k) {
    const double u = std::sin(0.7 * k);
    block->sample(k, 0.1 * k, &u, z.data());
    y = 0.5 * u + 0.2 * before + 0.3 * y;
    before = u;
    EXPECT_NEAR(block->output(0.1 * k + 0.05, &u, z.data()), y, 1e-14);
  }
}

TEST(Blocks, SamplesAreRoundedToWholeQuanta) {
  Settings settings;
  settings.set("period", 0.1), settings.set("quantum", 0.25);
  const auto block = find_block("sample-and-hold")->make(settings);
  double z = 0;
  const double u = 0.9;
  block->sample(0, 0, &u, &z);
  EXPECT_EQ(z, 1.0);
}

TEST(Blocks, NoiseIsTheSameForASeedAndHasItsMoments) {
  for (const std::string distribution : {"gaussian", "uniform"}) {
    Settings settings;
    settings.set("period", 0.1), settings.set("mean", 2.0), settings.set("deviation", 0.5);
    settings.set("distribution", distribution);
    const auto one = find_block("noise")->make(settings), same = find_block("noise")->make(settings);
    settings.set("seed", 2.0);
    const auto other = find_block("noise")->make(settings);
    double sum = 0, squares = 0;
    constexpr int count = 100'000;
    int equal = 0;
    for (int k = 0; k < count; ++k) {
      double a = 0, b = 0, c = 0;
      one->sample(k, 0, nullptr, &a), same->sample(k, 0, nullptr, &b), other->sample(k, 0, nullptr, &c);
      EXPECT_EQ(a, b);
      equal += a == c;
      sum += a, squares += (a - 2) * (a - 2);
    }
    EXPECT_EQ(equal, 0);
    EXPECT_NEAR(sum / count, 2, 4 * 0.5 / std::sqrt(count));
    EXPECT_NEAR(std::sqrt(squares / count), 0.5, 0.01);
  }
}

TEST(Blocks, BoundsHold) {
  const auto output = [](const std::string& type, const std::vector<double>& u) {
    return find_block(type)->make(settings_of(type))->output(0.0, u.data(), nullptr);
  };
  EXPECT_EQ(output("limiter", {3}), 0.6);
  EXPECT_EQ(output("limiter", {-3}), -0.5);
  EXPECT_EQ(output("limiter", {0.1}), 0.1);
  EXPECT_NEAR(output("dead-band", {0.5}), 0.3, 1e-15);
  EXPECT_NEAR(output("dead-band", {-0.5}), -0.3, 1e-15);
  EXPECT_EQ(output("dead-band", {0.1}), 0);
  EXPECT_EQ(output("minimum", {1, 2}), 1);
  EXPECT_EQ(output("maximum", {1, 2}), 2);
  EXPECT_NEAR(output("table-2d", {-1, 0}), 0.25 * (1 + 2 + 3 + 5), 1e-15);
  EXPECT_EQ(output("table-2d", {9, 9}), 13);
}

TEST(Blocks, UnsoundKeysAreRefused) {
  const auto fault = [](const std::string& type, const std::string& key, const std::vector<double>& numbers) {
    Settings settings = settings_of(type);
    settings.set(key, numbers);
    return find_block(type)->check(settings);
  };
  EXPECT_NE(fault("state-space", "a", {1, 2, 3}).find("`a` has 3 numbers"), std::string::npos);
  EXPECT_NE(fault("state-space", "c", {1}).find("`c`"), std::string::npos);
  EXPECT_NE(fault("transfer-function", "numerator", {1, 2, 3, 4}).find("degree 3"), std::string::npos);
  EXPECT_NE(fault("transfer-function", "denominator", {0, 1}).find("is 0"), std::string::npos);
  EXPECT_NE(fault("table-2d", "x", {0, 0, 1}).find("does not increase"), std::string::npos);
  EXPECT_NE(fault("table-2d", "values", {0, 0, 1}).find("make 6"), std::string::npos);
  EXPECT_NE(fault("sample-and-hold", "denominator", {0, 1}).find("is 0"), std::string::npos);
}

}  // namespace
}  // namespace carom
