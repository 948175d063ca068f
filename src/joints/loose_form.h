#pragma once

#include <string>

#include "contact_geometry/shape.h"
#include "model/model.h"

// What a joint with clearance is made of, said in the file of the joint: a part that moves in a hole. Reader, checks,
// schema, contacts, results and pictures follow from it and name no joint.
namespace carom::inline joints {

struct LooseTraits {
  std::string hole = "bearing", inside = "journal";  // what messages call the two
  std::string length_of = {};       // which of the two `length` is about, where that must be given; empty: it need not
  bool takes_height = false;        // the hole has a second side, `bearing_height`
  bool hole_is_first = false;       // the first body carries the hole, always: `bearing` has nothing to choose
  bool is_round = false;            // round in a round hole: they touch along a line, and wear around it
  bool has_straight_walls = false;  // pictures show walls instead of a ring
};

template <int D>
struct LooseForm : LooseTraits {
  // Gives the two shapes their kinds and sizes. Both lie at the attachment points of the joint; their axes are those of
  // the joint, in the plane with x along its axis. Null: this joint cannot have a clearance.
  void (*make)(const ClearanceModel& clearance, const Settings& keys, Shape<D>& hole, Shape<D>& inside) = nullptr;
};

// What most forms are made of.
template <int D>
void make_round(const ClearanceModel& clearance, ShapeKind hole_kind, ShapeKind inside_kind, Shape<D>& hole,
                Shape<D>& inside) {
  hole.kind = hole_kind, inside.kind = inside_kind;
  hole.radius = clearance.bearing_radius, inside.radius = clearance.bearing_radius - clearance.radial;
  hole.length = inside.length = clearance.length;
}
template <int D>
void make_ball_in_cavity(const ClearanceModel& clearance, const Settings&, Shape<D>& hole, Shape<D>& inside) {
  make_round<D>(clearance, ShapeKind::cavity, ShapeKind::sphere, hole, inside);
}

}  // namespace carom::inline joints
