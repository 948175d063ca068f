#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "control/quantity.h"
#include "control/signal_network.h"
#include "dynamics/state.h"
#include "math/coordinate.h"

namespace carom::inline dynamics {

// The signals of a system between steps: samples, and blocks that jump.
class SystemSignals {
 public:
  virtual ~SystemSignals() = default;
  virtual int signal_count() const = 0;
  // As they are at a state.
  virtual double signal_at(const State& state, int signal) = 0;
  // Where the states of a signal begin among the internal ones.
  virtual int state_of(int signal) const = 0;
  // s, the first instant after t at which a sampled block acts; infinity: there is none.
  virtual double next_sample(double t) const = 0;
  // Those whose instant it is take a sample; false: there is none.
  virtual bool sample_signals(State& state) = 0;
  // s, of the shortest delay of a block, which no step may exceed; infinity: there is none. `note_history` is told of
  // the nodes of each step that counts, and then of its ends.
  virtual double shortest_delay() const = 0;
  virtual void note_history(const State& state, int node) = 0;
  virtual void end_history(double begin, double end) = 0;
  // Blocks that jump: what becomes positive where number k must, and its jump.
  virtual int switch_count() const = 0;
  virtual double until_switch(const State& state, int k) = 0;
  virtual void switch_over(State& state, int k) = 0;
  virtual std::string switch_name(int k) const = 0;
  // Events of the model, by number: the number whose crossing of 0 they are, and what they set.
  virtual double event_value(const State& state, int event) = 0;
  virtual void set_signals(State& state, int event) = 0;
  // Values of the coordinates of a joint.
  virtual std::vector<double> joint_values(const State& state, const std::string& joint) = 0;
  // What a joint holds if it takes hold of its bodies where they are.
  virtual JointStates::Grip grip(const State& state, const std::string& joint) = 0;
  // The entry of work of an event that stops bodies; −1: it has none.
  virtual int event_work(int event) const = 0;
  // Drives by signals. The motion whose coordinate is farthest from the speed that it is to have, and by how much; and
  // a drive by speed or acceleration goes on from where its coordinate is.
  virtual bool has_signal_drives() const = 0;
  struct SpeedGap {
    int motion = -1;
    double size = 0;  // m/s or rad/s
  };
  virtual SpeedGap largest_speed_gap(const State& state) = 0;
  virtual void take_up_drive(State& state, const std::string& motion) = 0;
};

// The place of what has this name, in a list of joints, drives or forces; its size where there is none.
template <class List>
int place_by_name(const List& list, const std::string& name) {
  return static_cast<int>(std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.name == name; }) -
                          list.begin());
}

// An event as a system sees it.
struct EventPart {
  Function when = {};
  int group = -1;  // of contacts, whose start or end it is; −1: it has a condition
  std::vector<std::pair<int, Function>> settings = {};  // states of signals, and what they become
  int work = -1;
};

// What a measured signal reads of a system.
template <int D>
struct SignalSensor {
  MeasuredQuantity::Kind kind = MeasuredQuantity::Kind::body;
  int index = 0;      // of the body, coordinate, force or group of contacts
  int component = 0;  // of it, in the order of its outputs; of coordinates: 1 for the rate
  double factor = 1;
  // Between markers: points of two bodies.
  std::array<int, 2> bodies = {};
  std::array<VectorOf<D>, 2> points = {};
};

// What a drive by signals is to do, as the network has worked it out last.
class SignalTarget final : public GivenFunction {
 public:
  SignalTarget(const Jet* target, std::string text) : target_(target), text_(std::move(text)) {}
  Jet derivatives(double) const override { return *target_; }
  std::vector<double> breakpoints() const override { return {}; }
  std::string description() const override { return text_; }

 private:
  const Jet* target_;
  std::string text_;
};

// The part of a system that works signals out.
template <int D>
struct SignalParts {
  std::unique_ptr<SignalNetwork> network = nullptr;  // null without signals
  std::vector<SignalSensor<D>> sensors = {};
  std::vector<EventPart> events = {};
  int recorded = 0;              // signals; the others come after them
  std::vector<int> sensed = {};  // bodies, without the ground
  // For the evaluations that follow. They lie in the network, or among states of their own where elements have some,
  // too.
  Eigen::Map<Eigen::VectorXd> states{nullptr, 0};
  Eigen::VectorXd own_states = {};
  const double* base = nullptr;               // of states that follow the motion; null: they are given
  double weight = 0;                          // s, likewise
  std::vector<double> outputs = {};           // of a force or a group of contacts
  Eigen::VectorXd velocities = {};            // of the bodies, for energies
  Eigen::VectorXd rates = {}, residual = {};  // workspace of states that follow
  Eigen::MatrixXd matrix = {};
};

}  // namespace carom::inline dynamics
