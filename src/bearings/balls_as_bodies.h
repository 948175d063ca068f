#pragma once

#include <vector>

#include <Eigen/Geometry>

#include "bearings/geometry.h"

// Ball bearings in space whose balls are bodies: where their grooves are, and how balls and cage start between them.
// docs/theory/rolling_bearings.md.
namespace carom::inline bearings {

// The groove of a race: its section is an arc about a circle round the axis of its ring.
struct GrooveArc {
  double circle = 0, along = 0;  // m, radius of the circle, and its place along the axis from the centre of the ring
  double groove_radius = 0;      // m
  // rad, from the bottom to where balls touch without load, positive along the axis.
  double contact_angle = 0;
  bool outer = true;
  double bottom() const { return outer ? circle + groove_radius : circle - groove_radius; }  // m, from the axis
};

// Lines on which balls touch both races. A four-point bearing has two of them for every row of balls.
struct ContactLine {
  int row = 0;
  GrooveArc outer, inner;
};

// Lines of the first row first. The displacement of a preload has been worked out.
std::vector<ContactLine> contact_lines(const RollingGeometry& geometry);

// One of the two rings. World axes; z of its own axes is the axis.
struct RingState {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero(), velocity = Eigen::Vector3d::Zero();  // m, m/s
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  // rad/s
};

struct RingStates {
  RingState outer, inner;
};

struct PartState {
  Eigen::Vector3d position = Eigen::Vector3d::Zero(), velocity = Eigen::Vector3d::Zero();
  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();
};

class BallsBetweenRings {
 public:
  // `rolling`: they roll on both races; else they go along with the centres of the rings and do not turn.
  BallsBetweenRings(const RollingGeometry& geometry, bool rolling);

  const std::vector<ContactLine>& lines() const { return lines_; }
  int rows() const { return static_cast<int>(geometry_.rows.size()); }
  int balls() const { return geometry_.elements * static_cast<int>(geometry_.rows.size()); }  // of all rows

  // Ball `index`, from 0, of all rows: half way between the walls, or in both so deep that they press with the
  // same force. It rolls on both about an axis
  // across the line through its contacts, and spins on neither more than on the other. Its own z axis is that axis, its
  // x axis points to the outer race.
  PartState ball(const RingStates& rings, int index) const;
  // Of a row: it goes round as its balls do; z is the axis, and its first pocket is at the first angle from its x axis.
  PartState cage(const RingStates& rings, int row) const;
  // m, by how much the ball that has the least room overlaps both walls together; infinite: the rings are so far apart
  // that a ball has left its grooves.
  double tightest(const RingStates& rings) const;

 private:
  struct Seat {
    Eigen::Vector3d centre, normal;  // half way between the walls; the normal points to the outer race
    double overlap = 0;              // m, of both walls together
    Eigen::Vector3d outer, inner;    // centres of the arcs
  };
  double lack_of_balance(const Seat& seat, const Eigen::Vector3d& centre) const;
  Seat seat_on(const ContactLine& line, const RingStates& rings, double azimuth) const;

  RollingGeometry geometry_;
  std::vector<ContactLine> lines_;
  double outer_share_;  // of an overlap, by which the ball is in the outer wall
  bool rolling_;
};

double azimuth_of(const RollingGeometry& geometry, int index);  // rad, of a ball of all rows, from x of the outer ring

}  // namespace carom::inline bearings
