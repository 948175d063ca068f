#pragma once

#include <cmath>

#include "contact_geometry/shape_description.h"

// Volume, centre and inertia of what most shapes are made of. A planar shape has unit depth.
namespace carom::inline contact_geometry {

// Of a shape that is alike on both sides of its axes: the principal moments by the mean squares of x, y and z.
inline MassProperties symmetric_mass(double volume, const Eigen::Vector3d& mean_squares) {
  MassProperties mass;
  mass.volume = volume;
  mass.inertia = volume * (mean_squares.sum() * Eigen::Vector3d::Ones() - mean_squares).asDiagonal();
  return mass;
}

inline constexpr double mean_square_of_depth = 1.0 / 12;  // m², of z over the unit depth of a planar shape

template <int D>
MassProperties ball_mass(const Shape<D>& ball) {
  const double square = ball.radius * ball.radius;
  if constexpr (D == 2) return symmetric_mass(M_PI * square, {square / 4, square / 4, mean_square_of_depth});
  return symmetric_mass(4 * M_PI / 3 * square * ball.radius, Eigen::Vector3d::Constant(square / 5));
}

template <int D>
MassProperties box_mass(const Shape<D>& box) {
  if constexpr (D == 2) {
    const Eigen::Vector2d squares = box.half.cwiseAbs2() / 3;
    return symmetric_mass(4 * box.half.prod(), {squares[0], squares[1], mean_square_of_depth});
  } else {
    return symmetric_mass(8 * box.half.prod(), box.half.cwiseAbs2() / 3);
  }
}

template <int D>
MassProperties ellipsoid_mass(const Shape<D>& ellipsoid) {
  if constexpr (D == 2) {
    const Eigen::Vector2d squares = ellipsoid.half.cwiseAbs2() / 4;
    return symmetric_mass(M_PI * ellipsoid.half.prod(), {squares[0], squares[1], mean_square_of_depth});
  } else {
    return symmetric_mass(4 * M_PI / 3 * ellipsoid.half.prod(), ellipsoid.half.cwiseAbs2() / 5);
  }
}

// Round about local z, with flat ends; there is none in the plane.
template <int D>
MassProperties cylinder_mass(const Shape<D>& cylinder) {
  const double square = cylinder.radius * cylinder.radius, length = cylinder.length;
  return symmetric_mass(M_PI * square * length, {square / 4, square / 4, length * length / 12});
}

// A straight part and two halves of a ball. Of a half ball, r²/5 is the mean of z² from the cut, and 3/8 r that of z;
// of a half disc r²/4 and 4 r / 3π.
template <int D>
MassProperties capsule_mass(const Shape<D>& capsule) {
  const double r = capsule.radius, square = r * r, length = capsule.length, half = length / 2;
  if constexpr (D == 2) {
    const double straight = 2 * r * length, ends = M_PI * square, volume = straight + ends;
    const double along = square / 4 + half * half + 2 * half * (4 * r / (3 * M_PI));
    return symmetric_mass(volume, {(straight * length * length / 12 + ends * along) / volume,
                                   (straight * square / 3 + ends * square / 4) / volume, mean_square_of_depth});
  } else {
    const double straight = M_PI * square * length, ends = 4 * M_PI / 3 * square * r, volume = straight + ends;
    const double along = square / 5 + half * half + 2 * half * (3 * r / 8);
    const double across = (straight * square / 4 + ends * square / 5) / volume;
    return symmetric_mass(volume, {across, across, (straight * length * length / 12 + ends * along) / volume});
  }
}

// Of the inside of a closed curve, from integrals along it (Green's theorem); an open one has none.
template <int D>
MassProperties profile_mass(const Shape<D>& shape);

}  // namespace carom::inline contact_geometry
