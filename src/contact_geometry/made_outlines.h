#pragma once

#include <cmath>
#include <functional>
#include <stdexcept>

#include <fmt/format.h>

#include "contact_geometry/outline_shape.h"

// What outlines that are made of a few numbers have in common.
namespace carom::inline contact_geometry {

inline Eigen::Vector2d polar(double radius, double angle) {
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

inline double angle_of(const Eigen::Vector2d& point) {
  return std::atan2(point.y(), point.x());
}

// The piece turned about the origin.
inline CurvePiece turned_piece(const CurvePiece& piece, double angle) {
  return piece.mapped(Eigen::Rotation2Dd(angle).toRotationMatrix(), Eigen::Vector2d::Zero());
}

// Seen in the x axis, and run the other way, so that the material stays on its side.
inline CurvePiece mirrored_piece(const CurvePiece& piece) {
  return piece.mapped(Eigen::Vector2d(1, -1).asDiagonal(), Eigen::Vector2d::Zero()).reversed();
}

// One tooth after another about the origin, counter-clockwise; the end of each is the start of the next.
OutlineLoop repeat_about(const OutlineLoop& part, int count);

// Pieces of the fifth degree along a curve over u from 0 to 1, no farther from it than `error`, m.
OutlineLoop follow_curve(const std::function<CurvePoint(double)>& curve, int pieces);

// A round hole about the origin where there is to be one.
void add_bore(const Settings& keys, double inner, std::vector<OutlineLoop>& loops);

// The outline with its corners rounded by `edge_radius`.
std::shared_ptr<const ShapeData> made_outline(std::vector<OutlineLoop> loops, const Settings& keys);

// Rows of keys that several have.
ParameterDescription teeth_key();
ParameterDescription bore_key();

[[noreturn]] inline void refuse_outline(const std::string& what) {
  throw std::invalid_argument(what);
}

}  // namespace carom::inline contact_geometry
