#pragma once

#include "contact_geometry/pair.h"
#include "contact_geometry/ring.h"

// What solids turn to the wall of a hole.
namespace carom::inline contact_geometry {

// m, of a shape that is as far from the wall as it gets, of size `extent` across; never less than a thousandth of the
// hole, since it is a scale.
inline double room_in_hole(double hole, double extent) {
  return std::max(hole - extent, 1e-3 * hole);
}

// The nearest few of many candidates.
class NearestFew {
 public:
  static constexpr int most = 16;

  void offer(Feature feature, const ContactPoint<3>& point) {
    if (!std::isfinite(point.gap)) return;
    if (count_ == most && !(point.gap < found_[most - 1].point.gap)) return;
    int place = count_ < most ? count_++ : most - 1;
    for (; place > 0 && found_[place - 1].point.gap > point.gap; --place) found_[place] = found_[place - 1];
    found_[place] = {feature, point};
  }
  void write(ContactManifold<3>& manifold) const {
    for (int k = 0; k < count_; ++k) manifold.add(found_[k].feature, found_[k].point);
  }

 private:
  struct Found {
    Feature feature = 0;
    ContactPoint<3> point = {};
  };
  std::array<Found, most> found_;
  int count_ = 0;
};

// Rims of a cylinder or a cone and the ring of a torus are circles with a tube about them; capsules end in balls.
struct Rims {
  int count = 0;
  Ring ring[2];
  double tube = 0;
};

inline Rims rims_of(const Shape<3>& shape, const BodyState<3>& body) {
  Rims rims;
  Ring ring = ring_of(shape, body);
  if (shape.kind == torus_kind) {
    rims.ring[rims.count++] = ring;
    rims.tube = shape.half[0];
    return rims;
  }
  const Eigen::Vector3d middle = ring.centre, half = 0.5 * shape.length * ring.axis;
  for (const int end : {0, 1}) {
    ring.centre = end == 0 ? Eigen::Vector3d(middle - half) : Eigen::Vector3d(middle + half);
    ring.radius = end == 0 || shape.kind == ShapeKind::cylinder ? shape.radius : shape.half[0];
    rims.ring[rims.count++] = ring;
  }
  return rims;
}

}  // namespace carom::inline contact_geometry
