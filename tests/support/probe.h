#pragma once

#include <random>

#include "dynamics/system.h"

// A system and a state to look at it in, for checks that hold in any position and at any velocity.
namespace carom {

struct Probe {
  std::unique_ptr<System> system;
  State state;
  Eigen::VectorXd q_rate, v_rate, power;

  explicit Probe(const Model& model) : system(System::create(model)), state(system->initial_state()) {
    q_rate.resize(system->position_size());
    v_rate.resize(system->velocity_size());
    power.setZero(system->work_size());
  }

  bool planar() const { return system->position_size() == system->velocity_size(); }
  int dofs_per_body() const { return planar() ? 3 : 6; }
  int axes() const { return planar() ? 2 : 3; }

  // Somewhere near the file's configuration, moving, and consistent.
  void scatter(unsigned seed, double size) {
    std::mt19937 random(seed);
    const auto some = [&] { return static_cast<double>(random()) / 2147483648.0 - 1; };
    Eigen::VectorXd step(system->velocity_size());
    for (double& entry : step) entry = size * some();
    for (double& entry : state.v) entry = some();
    state.q = moved(step);
    system->project_position(state.t, state.q.data(), 1e-15, 50);
    system->normalise(state.q.data());
    system->project_velocity(state.t, state.q.data(), state.v.data());
    system->accept(state.t, state.q.data(), state.v.data());
  }

  Eigen::VectorXd moved(const Eigen::VectorXd& step) const {
    Eigen::VectorXd q(system->position_size());
    system->retract(state.q.data(), step.data(), q.data());
    return q;
  }

  // The state a little later or earlier, correct to third order in h.
  State after(double h) const {
    State next = state;
    next.t += h;
    next.q = moved(h * state.v + 0.5 * h * h * v_rate);
    next.v = state.v + h * v_rate;
    return next;
  }

  SolveStatus rates() {
    return system->rates(state.t, state.q.data(), state.v.data(), q_rate.data(), v_rate.data(), power.data());
  }

  const Eigen::VectorXd& multipliers() { return system->multipliers(state.t, state.q.data(), state.v.data()); }

  // Value of a recorded quantity, "joint:pin.rotation".
  double recorded(const State& at, const std::string& quantity) {
    std::vector<double> values;
    system->record(at, v_rate, system->multipliers(at.t, at.q.data(), at.v.data()), values);
    std::size_t place = 0;
    for (const auto& channel : system->channels()) {
      for (const auto& component : channel.components) {
        if (channel.name + "." + component.name == quantity) return values[place];
        ++place;
      }
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

  // Generalised forces summed over all bodies, taken to the origin: force, then moment, in world axes.
  Eigen::VectorXd resultant(const Eigen::VectorXd& loads) const {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(dofs_per_body());
    for (Eigen::Index b = 0; b * dofs_per_body() < loads.size(); ++b) {
      const auto load = loads.segment(b * dofs_per_body(), dofs_per_body());
      sum.head(axes()) += load.head(axes());
      if (planar()) {
        sum[2] += load[2] + state.q[3 * b] * load[1] - state.q[3 * b + 1] * load[0];
      } else {
        const Eigen::Quaterniond turn(state.q[7 * b + 3], state.q[7 * b + 4], state.q[7 * b + 5], state.q[7 * b + 6]);
        const Eigen::Vector3d place = state.q.segment<3>(7 * b), force = load.head<3>(), torque = load.tail<3>();
        sum.tail<3>() += turn * torque + place.cross(force);
      }
    }
    return sum;
  }
};

}  // namespace carom
