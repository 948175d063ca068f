#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "outline_io/curve_piece.h"

namespace carom::inline contact_geometry {

class Outline;

// A planar curve that bounds material, closed or open. The material lies on the left of the direction of travel: closed
// curves run counter-clockwise, which is put right on construction; an open curve keeps the direction it is given. The
// outward normal is the tangent turned by −90°, and the curvature is positive where the material is convex.
//
// The parameter runs from 0 to `end()`; closed curves repeat after it, open ones are continued beyond their ends.
// Curves through points are twice continuously differentiable; where parts are joined, this is up to the parts.
class Profile {
 public:
  // The cubic spline through the points by chord length, periodic or natural. Throws std::invalid_argument for too few
  // points (closed: 3, open: 2), points that are not finite and neighbours that coincide.
  static Profile through(std::vector<Eigen::Vector2d> points, bool closed);
  static Profile circle(double radius, const Eigen::Vector2d& centre = Eigen::Vector2d::Zero());
  // Semi-axes along x and y.
  static Profile ellipse(double semi_x, double semi_y);
  // Part of a circle between two angles, rad: from < to is convex, from > to the wall of a hole.
  static Profile arc(double radius, double from, double to, const Eigen::Vector2d& centre = Eigen::Vector2d::Zero());
  static Profile line(const Eigen::Vector2d& from, const Eigen::Vector2d& to);
  // Open parts, each starting where the one before ends; they should share tangents there.
  static Profile joined(std::span<const Profile> parts, bool closed);

  bool is_closed() const { return closed_; }
  double end() const { return end_; }
  CurvePoint at(double s) const;
  Eigen::Vector2d normal(double s) const;
  double curvature(double s) const;
  double length() const { return length_; }                    // m, along the curve
  double bounding_radius() const { return bounding_radius_; }  // m, about the origin
  // The segments of the curve, one after the other.
  std::vector<CurvePiece> pieces_of_curve() const;
  // The same curve, for pairs that work on outlines.
  const Outline& outline() const { return *outline_; }
  // Two parameters of one place, where the curve crosses itself.
  std::optional<std::pair<double, double>> find_self_crossing() const;

  // What searches start from: the curve cut where its curvature changes sign, each piece sampled. On a piece the normal
  // turns one way only.
  struct Sample {
    double s;
    Eigen::Vector2d position, tangent;  // unit tangent
    double angle;                       // rad, of the normal, without jumps within a piece
  };
  struct Piece {
    std::size_t first, last;  // samples, both included; the last is the first of the next piece
    bool concave;
    double low, high;        // rad, least and greatest angle of the normal
    Eigen::Vector2d centre;  // of a disc that holds the piece
    double radius;           // m
  };
  std::span<const Sample> samples() const { return samples_; }
  std::span<const Piece> pieces() const { return pieces_; }
  // One piece that turns once at most.
  bool is_convex() const;
  // Greatest distance of the curve from the chords of its samples, m.
  double sagitta() const { return sagitta_; }
  // Inside the polygon of the samples; open curves have no inside and answer true.
  bool contains(const Eigen::Vector2d& point) const;
  // s in [0, end) on a closed curve, unchanged on an open one.
  double wrapped(double s) const;
  // From 0 to the end, closely enough to integrate between neighbours; all joints of its parts are among them.
  std::vector<double> raw_parameters() const;
  bool is_within(double s) const { return closed_ || (s >= 0 && s <= end_); }

 private:
  // Either a cubic, Σ c_k (s − start)^k, or round: c₀ + cos θ c₁ + sin θ c₂ with θ = phase + rate (s − start).
  struct Segment {
    double start = 0, length = 0;
    bool round = false;
    std::array<Eigen::Vector2d, 4> c = {Eigen::Vector2d::Zero(), Eigen::Vector2d::Zero(), Eigen::Vector2d::Zero(),
                                        Eigen::Vector2d::Zero()};
    double phase = 0, rate = 0;
    CurvePoint at(double s) const;
    Segment reversed() const;
  };
  Profile(std::vector<Segment> segments, bool closed);
  void number_segments();
  void sample_pieces();
  Sample sample_at(double s) const;
  void add_samples_up_to(double s, bool concave, int depth = 0);
  void measure();

  std::vector<Segment> segments_;
  bool closed_ = false;
  double end_ = 0, length_ = 0, bounding_radius_ = 0, sagitta_ = 0;
  std::vector<Sample> samples_;
  std::vector<Piece> pieces_;
  std::shared_ptr<const Outline> outline_;
};

}  // namespace carom::inline contact_geometry
