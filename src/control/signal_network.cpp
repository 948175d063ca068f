#include "control/signal_network.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/signal_order.h"

namespace carom::inline control {
namespace {

constexpr double same_instant = 1e-9;  // of a period

// The signal that a function is and nothing else; −1: it is more.
int bare_signal(const Function& function, const std::vector<std::string>& names) {
  const std::vector<std::string>& used = function.signals();
  if (used.size() != 1 || function.description() != "expression `" + used.front() + "`") return -1;
  return static_cast<int>(std::find(names.begin(), names.end(), used.front()) - names.begin());
}

// What the inputs of a block are, in their order.
std::vector<Function> functions_of(const ElementModel& signal) {
  const BlockDescription& type = *find_block(signal.type);
  if (!type.input_list.empty() && signal.settings.has(type.input_list))
    return signal.settings.functions(type.input_list);
  std::vector<Function> functions;
  for (const std::string& key : type.inputs) functions.push_back(signal.settings.function(key));
  return functions;
}

}  // namespace

SignalNetwork::SignalNetwork(const Model& model) : order_(order_signals(model).order) {
  for (const ElementModel& signal : model.signals) names_.push_back(signal.name);
  first_state_ = static_cast<int>(names_.size());
  for (int k = 0; k < static_cast<int>(names_.size()); ++k) {
    Node node = make_node(model, k);
    node.own_inputs = node.inputs_at = first_state_;
    first_state_ += std::max(1, static_cast<int>(node.inputs.size()));
    if (node.block) {
      node.first_state = states_;
      states_ += node.block->states();
      if (node.block->switches()) switching_.push_back(k);
      if (node.block->delay() > 0) node.history = static_cast<int>(delayed_.size()), delayed_.push_back(k);
    }
    nodes_.push_back(std::move(node));
  }
  for (const int k : order_) {
    if (nodes_[k].block && nodes_[k].block->sampling().period > 0) sampled_.push_back(k);
  }
  count_drives(model);
  list_.assign(first_state_ + states_, 0.0);
  find_places(model);
  connect(model);
  bind_drives(model);
  plan();
  histories_.resize(delayed_.size());
  noted_.assign(delayed_.size() * SignalHistory::nodes, 0.0);
  jets_.resize(list_.size());
  jet_inputs_.resize(first_state_);
  state_rates_.resize(states_);
  jet_states_.resize(states_);
  jet_rates_.resize(states_);
}

void SignalNetwork::count_drives(const Model& model) {
  for (const MotionModel& motion : model.motions) {
    if (motion.value.signals().empty()) continue;
    drives_.push_back({{}, static_cast<int>(motion.level), states_, {}});
    states_ += drives_.back().level;
  }
  targets_.resize(drives_.size());
}

void SignalNetwork::bind_drives(const Model& model) {
  auto drive = drives_.begin();
  for (const MotionModel& motion : model.motions) {
    if (!motion.value.signals().empty()) (drive++)->input = make_input(motion.value);
  }
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
  node.place = signal;
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
  node.inputs.resize(functions_of(said).size());
  if (type.make) node.block = type.make(said.settings);
  node.linear = node.block && node.block->is_linear();
  return node;
}

// A block that gives out one of its states has its value there, and a formula that is a signal has that of the signal.
void SignalNetwork::find_places(const Model& model) {
  for (const int k : order_) {
    Node& node = nodes_[k];
    if (node.linear) {
      node.output = row_of(node, -1);
      if (node.output.size() == 1 && node.output[0].factor == 1 && node.output[0].place >= first_state_)
        node.place = node.output[0].place;
    } else if (!node.block && node.sensor < 0 && node.source < 0) {
      const int same = bare_signal(model.signals[k].settings.function("value"), names_);
      if (same >= 0) node.place = nodes_[same].place;
    }
  }
}

// Inputs that are signals are read where these are.
void SignalNetwork::connect(const Model& model) {
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    Node& node = nodes_[k];
    if (node.inputs.empty()) continue;
    const std::vector<Function> functions = functions_of(model.signals[k]);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) node.inputs[i] = make_input(functions[i]);
  }
  set_outputs();
  linear_.resize(states_, first_state_);
  for (const Node& node : nodes_) {
    for (int i = 0; node.linear && i < node.block->states(); ++i)
      linear_.set_row(node.first_state + i, row_of(node, i));
  }
  linear_.find_runs();
  for (Node& node : nodes_) {
    if (node.inputs.size() == 1) node.inputs_at = input_place(node, 0);
    for (const Input& input : node.inputs)
      node.takes_inputs = node.takes_inputs || input.signal < 0 || !(node.linear || node.inputs.size() == 1);
  }
}

void SignalNetwork::set_outputs() {
  for (Node& node : nodes_) {
    if (node.linear) node.output = row_of(node, -1);
    if (node.source >= 0 && nodes_[node.source].linear) node.output = row_of(nodes_[node.source], -1 - node.number);
  }
}

void SignalNetwork::plan() {
  for (const int k : order_) {
    if (nodes_[k].place == k) worked_out_.push_back(k);
  }
  for (int k = 0; k < size(); ++k) {
    const Node& node = nodes_[k];
    if (!node.block) continue;
    if (!node.linear && node.block->states() > 0) integrated_.push_back(k);
    const bool sampled = node.block->sampling().period > 0;
    if (node.takes_inputs && !sampled && !node.block->feeds_through()) late_.push_back(k);
  }
}

int SignalNetwork::input_place(const Node& node, std::size_t input) const {
  const int signal = node.inputs[input].signal;
  return signal >= 0 ? nodes_[signal].place : node.own_inputs + static_cast<int>(input);
}

// Of the rate of a state, or −1 − k: of output k. The factors are what the block makes of one input or state that is 1.
std::vector<LinearTerm> SignalNetwork::row_of(const Node& node, int state) const {
  const Block& block = *node.block;
  std::vector<double> u(node.inputs.size() + 1, 0.0), z(block.states() + 1, 0.0), rates(block.states() + 1, 0.0);
  std::vector<LinearTerm> row;
  const auto ask = [&](double& one, int place) {
    one = 1;
    if (state >= 0) block.rates(0, u.data(), z.data(), rates.data());
    const double factor = state >= 0 ? rates[state] : block.output_at(-1 - state, 0, u.data(), z.data());
    if (factor != 0) row.push_back({factor, place});
    one = 0;
  };
  for (int k = 0; k < block.states(); ++k) ask(z[k], first_state_ + node.first_state + k);
  for (std::size_t k = 0; k < node.inputs.size(); ++k) ask(u[k], input_place(node, k));
  return row;
}

SignalNetwork::Input SignalNetwork::make_input(const Function& function) const {
  Input input;
  std::vector<int> at;
  for (const std::string& name : function.signals()) {
    input.places.push_back(static_cast<int>(std::find(names_.begin(), names_.end(), name) - names_.begin()));
    at.push_back(nodes_[input.places.back()].place);
  }
  input.function = function.bound(list_.data(), at);
  input.signal = bare_signal(function, names_);
  return input;
}

const double* SignalNetwork::values() {
  for (int k = 0; k < size(); ++k) list_[k] = list_[nodes_[k].place];
  return list_.data();
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
  return input.signal >= 0 ? list_[nodes_[input.signal].place] : input.function.value(t);
}

void SignalNetwork::take_inputs(const Node& node, double t) {
  if (node.inputs_at != node.own_inputs) return;
  for (std::size_t k = 0; k < node.inputs.size(); ++k) list_[node.own_inputs + k] = value_of(node.inputs[k], t);
}

double SignalNetwork::output(const Node& node, double t) {
  const bool has_source = node.source >= 0;
  const Node& source = has_source ? nodes_[node.source] : node;
  if (!source.block) return value_of(node.inputs.front(), t);
  if (node.history >= 0) return histories_[node.history].at(t - node.block->delay(), node.block->before_start());
  if (!has_source && node.takes_inputs && node.block->feeds_through()) take_inputs(node, t);
  if (!source.linear) return source.block->output_at(node.number, t, inputs_of(source), states_of(source));
  double sum = 0;
  for (const LinearTerm& term : node.output) sum += term.factor * list_[term.place];
  return sum;
}

void SignalNetwork::rates(double t, double* rates) const {
  linear_.work_out(list_.data(), rates);
  for (const int k : integrated_)
    nodes_[k].block->rates(t, inputs_of(nodes_[k]), states_of(nodes_[k]), rates + nodes_[k].first_state);
  const double* const states = list_.data() + first_state_;
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
    for (std::size_t k = 0; k < node.inputs.size(); ++k) jet_inputs_[node.own_inputs + k] = jet_of(node.inputs[k], t);
  };
  for (const int k : order_) {
    const Node& node = nodes_[k];
    if (node.sensor >= 0) continue;
    if (node.history >= 0) {
      jets_[k] = list_[k];
    } else if (node.source >= 0) {
      const Node& source = nodes_[node.source];
      jets_[k] = source.block->output_at(node.number, t, jet_inputs_.data() + source.own_inputs,
                                         jet_states_.data() + source.first_state);
    } else if (!node.block) {
      jets_[k] = jet_of(node.inputs.front(), t);
    } else {
      if (node.block->feeds_through()) take(node);
      jets_[k] = node.block->output(t, jet_inputs_.data() + node.own_inputs, jet_states_.data() + node.first_state);
    }
    jets_[node.place] = jets_[k];
  }
  for (const Node& node : nodes_) {
    if (node.block && !node.block->feeds_through()) take(node);
  }
}

void SignalNetwork::find_jet_rates(const Jet& t) {
  for (const Node& node : nodes_) {
    if (!node.block || node.block->states() == 0) continue;
    node.block->rates(t, jet_inputs_.data() + node.own_inputs, jet_states_.data() + node.first_state,
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
  for (const int k : measured_) jets_[k] = list_[k];
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
  rates(t, state_rates_.data());
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
  take_inputs(node, t);
  node.block->sample(number, t, inputs_of(node), states + node.first_state);
}

double SignalNetwork::shortest_delay() const {
  double least = std::numeric_limits<double>::infinity();
  for (const int k : delayed_) least = std::min(least, nodes_[k].block->delay());
  return least;
}

void SignalNetwork::note_inputs(int node) {
  for (std::size_t k = 0; k < delayed_.size(); ++k)
    noted_[k * SignalHistory::nodes + node] = *inputs_of(nodes_[delayed_[k]]);
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
  return node.block->until_switch(t, inputs_of(node), states + node.first_state);
}

void SignalNetwork::switch_over(int k, double t, double* states) const {
  const Node& node = nodes_[switching_[k]];
  node.block->switch_over(t, inputs_of(node), states + node.first_state);
}

}  // namespace carom::inline control
