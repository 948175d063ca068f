#include "control/signal_network.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/signal_order.h"

namespace carom::inline control {
namespace {

constexpr double same_instant = 1e-9;  // of a period

Dual<1> with_slope(double value, double slope) {
  Dual<1> result(value);
  result.slope[0] = slope;
  return result;
}

}  // namespace

SignalNetwork::SignalNetwork(const Model& model) : order_(order_signals(model).order) {
  for (const ElementModel& signal : model.signals) names_.push_back(signal.name);
  values_.assign(names_.size(), 0.0);
  int inputs = 0;
  for (int k = 0; k < static_cast<int>(names_.size()); ++k) {
    Node node = make_node(model, k);
    node.first_input = inputs;
    inputs += std::max(1, static_cast<int>(node.inputs.size()));
    if (node.block) {
      node.first_state = states_;
      states_ += node.block->states();
      if (node.block->switches()) switching_.push_back(k);
      if (!node.block->feeds_through()) late_.push_back(k);
      if (node.block->delay() > 0) node.history = static_cast<int>(delayed_.size()), delayed_.push_back(k);
    }
    nodes_.push_back(std::move(node));
  }
  for (const int k : order_) {
    if (nodes_[k].block && nodes_[k].block->sampling().period > 0) sampled_.push_back(k);
  }
  inputs_.assign(inputs, 0.0);
  histories_.resize(delayed_.size());
  noted_.assign(delayed_.size() * SignalHistory::nodes, 0.0);
  dual_values_.resize(values_.size());
  dual_inputs_.resize(inputs_.size());
  dual_states_.resize(states_);
  dual_rates_.resize(states_);
}

SignalNetwork::Node SignalNetwork::make_node(const Model& model, int signal) {
  const ElementModel& said = model.signals[signal];
  const BlockDescription& type = *find_block(said.type);
  Node node;
  node.name = said.name;
  node.start = model.solver.start;
  if (said.type == measured_type) {
    node.sensor = static_cast<int>(measured_.size());
    measured_.push_back(signal);
    return node;
  }
  for (const std::string& key : type.inputs) node.inputs.push_back(make_input(said.settings.function(key)));
  if (type.make) node.block = type.make(said.settings);
  return node;
}

SignalNetwork::Input SignalNetwork::make_input(const Function& function) const {
  Input input;
  for (const std::string& name : function.signals())
    input.places.push_back(static_cast<int>(std::find(names_.begin(), names_.end(), name) - names_.begin()));
  input.function = function.bound(values_.data(), input.places);
  if (input.places.size() == 1 && function.description() == "expression `" + function.signals().front() + "`")
    input.signal = input.places.front();
  return input;
}

Function SignalNetwork::bind(const Function& function) const {
  return function.signals().empty() ? function : make_input(function).function;
}

void SignalNetwork::bind(Settings& settings) const {
  for (const std::string& key : settings.keys()) {
    Value value = *settings.find(key);
    if (auto* single = std::get_if<Function>(&value)) *single = bind(*single);
    if (auto* several = std::get_if<std::vector<Function>>(&value)) {
      for (Function& each : *several) each = bind(each);
    }
    settings.set(key, std::move(value));
  }
}

void SignalNetwork::initial_states(double* states) const {
  for (const Node& node : nodes_) {
    if (node.block) node.block->initial_states(states + node.first_state);
  }
}

double SignalNetwork::value_of(const Input& input, double t) const {
  return input.signal >= 0 ? values_[input.signal] : input.function.value(t);
}

void SignalNetwork::take_inputs(const Node& node, double t) {
  for (std::size_t k = 0; k < node.inputs.size(); ++k) inputs_[node.first_input + k] = value_of(node.inputs[k], t);
}

double SignalNetwork::output(const Node& node, double t, const double* states) {
  if (!node.block) return value_of(node.inputs.front(), t);
  if (node.history >= 0) return histories_[node.history].at(t - node.block->delay(), node.block->before_start());
  if (node.block->feeds_through()) take_inputs(node, t);
  return node.block->output(t, inputs_.data() + node.first_input, states + node.first_state);
}

void SignalNetwork::rates(double t, const double* states, double* rates) const {
  for (const Node& node : nodes_) {
    if (!node.block || node.block->states() == 0) continue;
    node.block->rates(t, inputs_.data() + node.first_input, states + node.first_state, rates + node.first_state);
  }
}

Dual<1> SignalNetwork::dual_of(const Input& input, const Dual<1>& t) const {
  if (input.signal >= 0) return dual_values_[input.signal];
  const std::span<const double> arguments(&t.value, 1);
  const Jet by_time = input.function.derivatives(arguments, 0);
  double slope = by_time.first * t.slope[0];
  for (std::size_t k = 0; k < input.places.size(); ++k) {
    const double each = dual_values_[input.places[k]].slope[0];
    if (each != 0) slope += input.function.slope(arguments, static_cast<int>(k)) * each;
  }
  return with_slope(by_time.value, slope);
}

void SignalNetwork::evaluate_duals(const Dual<1>& t) {
  const auto take = [&](const Node& node) {
    for (std::size_t k = 0; k < node.inputs.size(); ++k)
      dual_inputs_[node.first_input + k] = dual_of(node.inputs[k], t);
  };
  for (const int k : order_) {
    const Node& node = nodes_[k];
    if (node.sensor >= 0 || node.history >= 0) {
      dual_values_[k] = Dual<1>(values_[k]);
    } else if (!node.block) {
      dual_values_[k] = dual_of(node.inputs.front(), t);
    } else {
      if (node.block->feeds_through()) take(node);
      dual_values_[k] =
          node.block->output(t, dual_inputs_.data() + node.first_input, dual_states_.data() + node.first_state);
    }
  }
  for (const int k : late_) take(nodes_[k]);
}

void SignalNetwork::rates_by_states(double t, const double* states, Eigen::MatrixXd& matrix) {
  matrix.resize(states_, states_);
  for (int column = 0; column < states_; ++column) {
    for (int k = 0; k < states_; ++k) dual_states_[k] = with_slope(states[k], k == column ? 1 : 0);
    evaluate_duals(Dual<1>(t));
    for (const Node& node : nodes_) {
      if (!node.block || node.block->states() == 0) continue;
      node.block->rates(Dual<1>(t), dual_inputs_.data() + node.first_input, dual_states_.data() + node.first_state,
                        dual_rates_.data() + node.first_state);
    }
    for (int k = 0; k < states_; ++k) matrix(k, column) = dual_rates_[k].slope[0];
  }
}

// −1: it is none of its instants.
long SignalNetwork::sample_number(const Node& node, double t) const {
  const Sampling sampling = node.block->sampling();
  const double count = (t - node.start - sampling.offset) / sampling.period, nearest = std::round(count);
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(t) / sampling.period;
  return nearest >= 0 && std::abs(count - nearest) <= std::max(same_instant, rounding) ? static_cast<long>(nearest)
                                                                                       : -1;
}

double SignalNetwork::next_sample(double t) const {
  double next = std::numeric_limits<double>::infinity();
  for (const int k : sampled_) {
    const Sampling sampling = nodes_[k].block->sampling();
    const double first = nodes_[k].start + sampling.offset;
    double count = t < first ? 0 : std::floor((t - first) / sampling.period);
    while (!(first + count * sampling.period > t) || sample_number(nodes_[k], t) == static_cast<long>(count)) ++count;
    next = std::min(next, first + count * sampling.period);
  }
  return next;
}

void SignalNetwork::take_sample(const Node& node, long number, double t, double* states) {
  node.block->sample(number, t, inputs_.data() + node.first_input, states + node.first_state);
}

double SignalNetwork::shortest_delay() const {
  double least = std::numeric_limits<double>::infinity();
  for (const int k : delayed_) least = std::min(least, nodes_[k].block->delay());
  return least;
}

void SignalNetwork::note_inputs(int node) {
  for (std::size_t k = 0; k < delayed_.size(); ++k)
    noted_[k * SignalHistory::nodes + node] = inputs_[nodes_[delayed_[k]].first_input];
}

void SignalNetwork::end_step(double begin, double end) {
  for (std::size_t k = 0; k < delayed_.size(); ++k) {
    histories_[k].append(begin, end, noted_.data() + k * SignalHistory::nodes);
    histories_[k].forget_until(end - 2 * nodes_[delayed_[k]].block->delay());
  }
}

void SignalNetwork::take_history(const SignalNetwork& other) {
  histories_ = other.histories_;
}

double SignalNetwork::until_switch(int k, double t, const double* states) const {
  const Node& node = nodes_[switching_[k]];
  return node.block->until_switch(t, inputs_.data() + node.first_input, states + node.first_state);
}

void SignalNetwork::switch_over(int k, double t, double* states) const {
  const Node& node = nodes_[switching_[k]];
  node.block->switch_over(t, inputs_.data() + node.first_input, states + node.first_state);
}

}  // namespace carom::inline control
