#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "control/block.h"
#include "control/linear_rates.h"
#include "control/signal_history.h"
#include "model/model.h"

// The signals of a model, worked out together: what is measured, formulas, blocks with their states.
namespace carom::inline control {

class SignalNetwork {
 public:
  SignalNetwork() = default;
  explicit SignalNetwork(const Model& model);
  SignalNetwork(const SignalNetwork&) = delete;
  SignalNetwork& operator=(const SignalNetwork&) = delete;

  bool empty() const { return nodes_.empty(); }
  int size() const { return static_cast<int>(nodes_.size()); }
  int state_count() const { return states_; }
  void initial_states(double* states) const;
  // Where states that are written need not be copied before they are evaluated.
  double* states() { return list_.data() + first_state_; }
  // Signals that are measured, by number; `measure` below is asked for them by their places in this list.
  const std::vector<int>& measured() const { return measured_; }

  // The function with its signals found here, and the model with all of its functions so.
  Function bind(const Function& function) const;
  void bind(Settings& settings) const;

  // Works all signals out; measure(k, signals) gives what is measured, with the signals that come before it there.
  template <class Measure>
  void evaluate(double t, const double* states, const Measure& measure) {
    if (states != this->states()) std::copy_n(states, states_, this->states());
    for (const int k : worked_out_) {
      const Node& node = nodes_[k];
      list_[k] = node.sensor >= 0 ? measure(node.sensor) : output(node, t);
    }
    for (const int k : late_) take_inputs(nodes_[k], t);
  }
  const double* values();
  // Of the states, as evaluated.
  void rates(double t, double* rates) const;
  // ∂ż/∂z of the states as evaluated, with what is measured as it is.
  void rates_by_states(double t, const double* states, Eigen::MatrixXd& matrix);

  // Sampled blocks: the first instant after t, infinity if there is none; and those whose instant it is take a sample,
  // one after another, each seeing what those before it give out.
  double next_sample(double t) const;
  template <class Measure>
  bool sample(double t, double* states, const Measure& measure) {
    bool any = false;
    for (const int k : sampled_) {
      const long number = sample_number(nodes_[k], t);
      if (number < 0) continue;
      evaluate(t, states, measure);
      take_sample(nodes_[k], number, t, states);
      any = true;
    }
    return any;
  }

  // Where the states of a signal begin.
  int first_state(int signal) const { return nodes_[signal].first_state; }

  // Drives by signals, in the order of the motions that are: where the coordinate starts and how fast, before states
  // are asked for; and what it is to be, with its rates, as evaluated. measure_rate(k) gives the rates of what is
  // measured, 0 where they are not known.
  int drive_count() const { return static_cast<int>(drives_.size()); }
  void start_drive(int drive, double value, double rate);
  const Jet* drive_target(int drive) const { return &targets_[drive]; }
  // Where the states of the drive begin, and how many there are; none where it says the position.
  std::pair<int, int> drive_states(int drive) const { return {drives_[drive].first_state, drives_[drive].level}; }
  template <class MeasureRate>
  void aim_drives(double t, const double* states, const MeasureRate& measure_rate) {
    for (std::size_t k = 0; k < measured_.size(); ++k)
      jets_[measured_[k]] = {list_[measured_[k]], measure_rate(static_cast<int>(k)), 0};
    find_targets(t, states);
  }

  // Blocks with a delay: the shortest, s, infinity without any; their inputs at node k of a step, as evaluated; and the
  // end of the step, with which all nodes become history.
  double shortest_delay() const;
  void note_inputs(int node);
  void end_step(double begin, double end);
  void take_history(const SignalNetwork& other);

  // Blocks that jump, by number: what becomes positive when they must, as evaluated.
  int switch_count() const { return static_cast<int>(switching_.size()); }
  double until_switch(int k, double t, const double* states) const;
  void switch_over(int k, double t, double* states) const;
  const std::string& switch_name(int k) const { return nodes_[switching_[k]].name; }

 private:
  struct Input {
    Function function;
    int signal = -1;          // it is this one and nothing else
    std::vector<int> places;  // of the signals that it uses
  };
  struct Node {
    std::string name;
    std::unique_ptr<Block> block;
    std::vector<Input> inputs;
    int sensor = -1;            // place in measured_; −1: it is none
    int place = 0;              // of its value in list_: its own, or that of the state or signal that it is
    int own_inputs = 0;         // their places in list_
    int inputs_at = 0;          // the same, or that of the signal that is its only input
    bool takes_inputs = false;  // some have to be worked out or copied before output and rates
    int first_state = 0;
    double start = 0;  // s, from which samples are counted
    int history = -1;  // of its input; −1: it needs none
    int source = -1;   // the signal whose output it gives out; −1: it is none of these
    int number = 0;    // of that output
    bool linear = false;
    std::vector<LinearTerm> output = {};  // of linear blocks, and of what gives out theirs
  };

  // A drive whose function uses signals. Where it says the speed, a state is the position; where it says the
  // acceleration, two are position and speed.
  struct Drive {
    Input input;
    int level = 0;  // how often it is integrated
    int first_state = 0;
    std::array<double, 2> start = {};
  };

  Node make_node(const Model& model, int signal);
  void count_drives(const Model& model);
  void bind_drives(const Model& model);
  Input make_input(const Function& function) const;
  void find_places(const Model& model);
  void connect(const Model& model);
  void plan();
  void set_outputs();
  std::vector<LinearTerm> row_of(const Node& node, int state) const;
  int input_place(const Node& node, std::size_t input) const;
  const double* inputs_of(const Node& node) const { return list_.data() + node.inputs_at; }
  const double* states_of(const Node& node) const { return list_.data() + first_state_ + node.first_state; }
  double output(const Node& node, double t);
  void take_inputs(const Node& node, double t);
  double value_of(const Input& input, double t) const;
  Jet jet_of(const Input& input, const Jet& t) const;
  // All signals and inputs with rates, from those of time, states and what is measured.
  void evaluate_jets(const Jet& t);
  void find_jet_rates(const Jet& t);
  void find_targets(double t, const double* states);
  long sample_number(const Node& node, double t) const;
  void take_sample(const Node& node, long number, double t, double* states);

  std::vector<std::string> names_;
  std::vector<Node> nodes_;
  std::vector<int> order_;
  // What an evaluation has to do: signals that are neither states nor other signals, in their order, and blocks whose
  // inputs are needed after that; and whose rates are not those of `linear_`.
  std::vector<int> worked_out_, late_, integrated_;
  std::vector<int> measured_, sampled_, switching_, delayed_;
  std::vector<SignalHistory> histories_;  // of the delayed ones
  std::vector<double> noted_;             // inputs of these at the nodes of a step
  int states_ = 0;
  std::vector<double> list_;  // values of signals, inputs of blocks, states
  int first_state_ = 0;       // there
  LinearRates linear_;
  std::vector<Drive> drives_;
  std::vector<double> state_rates_;
  // Those of signals have the places that they have in list_, too: functions look for them there.
  std::vector<Jet> jets_, jet_inputs_, jet_states_, jet_rates_, targets_;
};

}  // namespace carom::inline control
