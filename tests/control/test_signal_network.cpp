#include <gtest/gtest.h>

#include <random>

#include "base/expression.h"
#include "control/signal_network.h"

namespace carom {
namespace {

Function of(const std::string& text, const std::vector<std::string>& signals) {
  std::vector<std::string> arguments = {"t"};
  arguments.insert(arguments.end(), signals.begin(), signals.end());
  return Function::of_signals(std::get<Expression>(Expression::compile(text, arguments, {})), signals);
}

ElementModel block(const std::string& name, const std::string& type, const Function& input) {
  ElementModel signal;
  signal.name = name, signal.type = type;
  signal.settings.set("input", input);
  return signal;
}

// Blocks in a chain and across each other, with inputs that are signals and with others.
Model linear_model() {
  Model model;
  for (int k = 0; k < 11; ++k) {
    const std::string before = k == 0 ? "filter" : "lag_" + std::to_string(k - 1);
    ElementModel lag = block("lag_" + std::to_string(k), "first-order-lag", of(before, {before}));
    lag.settings.set("time_constant", 0.1 + 0.01 * k);
    lag.settings.set("gain", 1.0 + k);
    model.signals.push_back(lag);
  }
  ElementModel filter = block("filter", "second-order-lag", of("2*lag_3 - control", {"lag_3", "control"}));
  filter.settings.set("frequency", 7.0), filter.settings.set("damping_ratio", 0.3);
  ElementModel transfer = block("transfer", "transfer-function", of("same", {"same"}));
  transfer.settings.set("numerator", std::vector<double>{2, 3, 1});
  transfer.settings.set("denominator", std::vector<double>{1, 0.8, 9});
  ElementModel control = block("control", "pid", of("lag_7", {"lag_7"}));
  control.settings.set("rate", of("transfer", {"transfer"}));
  control.settings.set("proportional", 3.0), control.settings.set("integral", 2.0);
  control.settings.set("derivative", 0.5);
  ElementModel same;
  same.name = "same", same.type = "formula";
  same.settings.set("value", of("lag_10", {"lag_10"}));
  ElementModel sum = block("sum", "integrator", of("same + 0.5*transfer", {"same", "transfer"}));
  for (const ElementModel& each : {filter, transfer, control, same, sum}) model.signals.push_back(each);
  return model;
}

// Rates that are sums of states are their derivatives by the states, which dual numbers find, times the states.
TEST(SignalNetwork, RatesOfLinearBlocksAreTheirDerivativesTimesStates) {
  SignalNetwork network(linear_model());
  const int count = network.state_count();
  ASSERT_EQ(count, 11 + 2 + 2 + 1 + 1);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  Eigen::VectorXd states(count), rates(count);
  Eigen::MatrixXd matrix;
  for (int trial = 0; trial < 5; ++trial) {
    for (double& each : states) each = any(random);
    network.evaluate(0.3, states.data(), [](int) { return 0.0; });
    network.rates(0.3, rates.data());
    network.rates_by_states(0.3, states.data(), matrix);
    EXPECT_LT((matrix * states - rates).lpNorm<Eigen::Infinity>(), 1e-12 * rates.lpNorm<Eigen::Infinity>());
    const double* values = network.values();
    for (int k = 0; k < 11; ++k) EXPECT_EQ(values[k], states[k]);
    EXPECT_EQ(values[14], states[10]);  // the same as another one
    EXPECT_NEAR(values[13], 3 * states[7] + states[15] + 0.5 * values[12], 1e-14);
  }
}

// Runs of any length, at any place, in front of states whose inputs lie anywhere.
TEST(LinearRates, AreTheSumsOfTheirTerms) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-1, 1);
  constexpr int inputs = 7;
  for (int count = 1; count < 40; ++count) {
    LinearRates rates;
    rates.resize(count, inputs);
    std::vector<double> list(inputs + count), expected(count, 0.0), found(count);
    for (double& each : list) each = any(random);
    int place = 0;
    for (int k = 0; k < count; ++k) {
      const bool goes_on = random() % 5 != 0;
      place = goes_on && k > 0 ? (place + 1) % (inputs + count) : static_cast<int>(random() % (inputs + count));
      std::vector<LinearTerm> terms = {{any(random), inputs + k}, {any(random), place}};
      if (random() % 4 == 0) terms.push_back({any(random), static_cast<int>(random() % inputs)});
      for (const LinearTerm& term : terms) expected[k] += term.factor * list[term.place];
      rates.set_row(k, terms);
    }
    rates.find_runs();
    rates.work_out(list.data(), found.data());
    for (int k = 0; k < count; ++k) EXPECT_NEAR(found[k], expected[k], 1e-15) << k << " of " << count;
  }
}

TEST(SignalNetwork, StatesInItsOwnPlaceNeedNoCopy) {
  SignalNetwork copied(linear_model()), in_place(linear_model());
  Eigen::VectorXd states = Eigen::VectorXd::LinSpaced(copied.state_count(), 1, 2), one = states, other = states;
  copied.evaluate(0.3, states.data(), [](int) { return 0.0; });
  copied.rates(0.3, one.data());
  std::copy_n(states.data(), states.size(), in_place.states());
  in_place.evaluate(0.3, in_place.states(), [](int) { return 0.0; });
  in_place.rates(0.3, other.data());
  EXPECT_EQ(one, other);
}

}  // namespace
}  // namespace carom
