#pragma once

#include <Eigen/Core>

#include "model/model.h"

// How balls and cage of a bearing start between its races. In the plane, world axes.
namespace carom::inline model {

struct RollingState {
  Eigen::Vector2d position = Eigen::Vector2d::Zero(), velocity = Eigen::Vector2d::Zero();  // m, m/s, of the centre
  double angular_velocity = 0;                                                             // rad/s
};

// The two races at the start.
struct RaceStates {
  RollingState outer, inner;
};

// Ball number `index`, from 0, at its angle in the ring of balls. It lies between the races so that the room between
// them, or their overlap, is shared by inner_share. It rolls on both: its centre has the mean velocity of the two
// surfaces and its angular velocity follows from their difference, (v_e − v_i)/(2 r). Without rolling_start it goes
// along with the centres and does not spin.
RollingState start_of_ball(const BearingModel& bearing, const RaceStates& races, int index);

// The cage, which turns as the balls go round: (ω_i r_i + ω_e r_e)/(r_i + r_e).
RollingState start_of_cage(const BearingModel& bearing, const RaceStates& races);

double angle_of_ball(const BearingModel& bearing, int index);  // rad, in the ring of balls, from the x axis

}  // namespace carom::inline model
