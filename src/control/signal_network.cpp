#include "control/signal_network.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/signal_order.h"

namespace carom::inline control {
namespace {

constexpr double same_instant = 1e-9;  // of a period

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
  add_drives(model);
  jets_.resize(values_.size());
  jet_inputs_.resize(inputs_.size());
  state_rates_.resize(states_);
  jet_states_.resize(states_);
  jet_rates_.resize(states_);
}

void SignalNetwork::add_drives(const Model& model) {
  for (const MotionModel& motion : model.motions) {
    if (motion.value.signals().empty()) continue;
    drives_.push_back({make_input(motion.value), static_cast<int>(motion.level), states_, {}});
    states_ += drives_.back().level;
  }
  targets_.resize(drives_.size());
}

void SignalNetwork::start_drive(int drive, double value, double rate) {
  drives_[drive].start = {value, rate};
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
  if (said.type == output_type) {
    node.source = signal_index(model, said.settings.text("block"));
    node.number = static_cast<int>(said.settings.number("number")) - 1;
    return node;
  }
  if (!type.input_list.empty() && said.settings.has(type.input_list)) {
    for (const Function& each : said.settings.functions(type.input_list)) node.inputs.push_back(make_input(each));
  } else {
    for (const std::string& key : type.inputs) node.inputs.push_back(make_input(said.settings.function(key)));
  }
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
  for (const Drive& drive : drives_) std::copy_n(drive.start.begin(), drive.level, states + drive.first_state);
}

double SignalNetwork::value_of(const Input& input, double t) const {
  return input.signal >= 0 ? values_[input.signal] : input.function.value(t);
}

void SignalNetwork::take_inputs(const Node& node, double t) {
  for (std::size_t k = 0; k < node.inputs.size(); ++k) inputs_[node.first_input + k] = value_of(node.inputs[k], t);
}

double SignalNetwork::output(const Node& node, double t, const double* states) {
  if (node.source >= 0) {
    const Node& source = nodes_[node.source];
    return source.block->output_at(node.number, t, inputs_.data() + source.first_input, states + source.first_state);
  }
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
  for (const Drive& drive : drives_) {
    if (drive.level == 0) continue;
    const int last = drive.first_state + drive.level - 1;
    for (int k = drive.first_state; k < last; ++k) rates[k] = states[k + 1];
    rates[last] = value_of(drive.input, t);
  }
}

Jet SignalNetwork::jet_of(const Input& input, const Jet& t) const {
  return input.signal >= 0 ? jets_[input.signal] : input.function.along(t, jets_.data());
}

void SignalNetwork::evaluate_jets(const Jet& t) {
  const auto take = [&](const Node& node) {
    for (std::size_t k = 0; k < node.inputs.size(); ++k) jet_inputs_[node.first_input + k] = jet_of(node.inputs[k], t);
  };
  for (const int k : order_) {
    const Node& node = nodes_[k];
    if (node.sensor >= 0) continue;
    if (node.history >= 0) {
      jets_[k] = values_[k];
    } else if (node.source >= 0) {
      const Node& source = nodes_[node.source];
      jets_[k] = source.block->output_at(node.number, t, jet_inputs_.data() + source.first_input,
                                         jet_states_.data() + source.first_state);
    } else if (!node.block) {
      jets_[k] = jet_of(node.inputs.front(), t);
    } else {
      if (node.block->feeds_through()) take(node);
      jets_[k] = node.block->output(t, jet_inputs_.data() + node.first_input, jet_states_.data() + node.first_state);
    }
  }
  for (const int k : late_) take(nodes_[k]);
}

void SignalNetwork::find_jet_rates(const Jet& t) {
  for (const Node& node : nodes_) {
    if (!node.block || node.block->states() == 0) continue;
    node.block->rates(t, jet_inputs_.data() + node.first_input, jet_states_.data() + node.first_state,
                      jet_rates_.data() + node.first_state);
  }
  for (const Drive& drive : drives_) {
    if (drive.level == 0) continue;
    const int last = drive.first_state + drive.level - 1;
    for (int k = drive.first_state; k < last; ++k) jet_rates_[k] = jet_states_[k + 1];
    jet_rates_[last] = jet_of(drive.input, t);
  }
}

void SignalNetwork::rates_by_states(double t, const double* states, Eigen::MatrixXd& matrix) {
  matrix.resize(states_, states_);
  for (const int k : measured_) jets_[k] = values_[k];
  for (int column = 0; column < states_; ++column) {
    for (int k = 0; k < states_; ++k) jet_states_[k] = {states[k], k == column ? 1.0 : 0.0, 0};
    evaluate_jets(t);
    find_jet_rates(t);
    for (int k = 0; k < states_; ++k) matrix(k, column) = jet_rates_[k].first;
  }
}

// In two passes: the rates of all states are known as evaluated, and with them the first gives their second rates.
void SignalNetwork::find_targets(double t, const double* states) {
  const Jet time{t, 1, 0};
  rates(t, states, state_rates_.data());
  for (int k = 0; k < states_; ++k) jet_states_[k] = {states[k], state_rates_[k], 0};
  evaluate_jets(time);
  find_jet_rates(time);
  for (int k = 0; k < states_; ++k) jet_states_[k].second = jet_rates_[k].first;
  evaluate_jets(time);
  for (std::size_t k = 0; k < drives_.size(); ++k) {
    const Drive& drive = drives_[k];
    targets_[k] = drive.level == 0 ? jet_of(drive.input, time) : jet_states_[drive.first_state];
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
