#pragma once

#include "contact_geometry/outline.h"

// How two elements of outlines touch; all in one frame.
namespace carom::inline contact_geometry {

struct ElementHit {
  double gap = 0;                                     // m
  Eigen::Vector2d normal = Eigen::Vector2d::UnitX();  // outward from the first element
  Eigen::Vector2d on_first = Eigen::Vector2d::Zero(), on_second = Eigen::Vector2d::Zero();
  bool beyond = false;  // in a notch, with the wall as it would go on there
};

// An element with the curve that it may have.
struct ElementRef {
  const OutlineElement& element;
  const CurvePiece* curve;
};

// The place where both have a common normal, or where a corner stands over the other; false: there is none.
bool elements_touch(const ElementRef& first, const ElementRef& second, ElementHit& hit);

// Whether the normals of a node or a hollow reach this direction.
bool reaches_direction(const OutlineElement& element, const Eigen::Vector2d& direction);

// m, of a point from an element.
double distance_from(const ElementRef& element, const Eigen::Vector2d& point);
// m, of a point above the surface of the element where that is nearest to it; below: negative.
double height_over(const ElementRef& element, const Eigen::Vector2d& point);
// m, of the farthest point of the element.
double farthest_from(const ElementRef& element, const Eigen::Vector2d& point);
// m, least distance of two elements; 0 where they cross.
double distance_between(const ElementRef& first, const ElementRef& second);
// m, least n · p over the points of the element.
double lowest_of(const ElementRef& element, const Eigen::Vector2d& n);
// Whether two elements cross; of curves, which must be convex, the chords. Others never do.
bool may_cross(const OutlineElement& element);
bool elements_cross(const OutlineElement& first, const OutlineElement& second);

// The element in the axes of another frame: x ↦ turn x + offset, a rotation.
OutlineElement moved_element(const OutlineElement& element, const Eigen::Matrix2d& turn, const Eigen::Vector2d& offset);

}  // namespace carom::inline contact_geometry
