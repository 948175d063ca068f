#include "joints/joint.h"

namespace carom::inline joints {

namespace {

template <int D>
void build_prismatic(JointBuilder<D>& joint) {
  joint.hold_on_axis();
  joint.hold_orientation();
  joint.add_coordinate(joint.translation(2));
}

template <int D>
void make_block(const ClearanceModel& clearance, const Settings&, Shape<D>& guide, Shape<D>& block) {
  guide.kind = ShapeKind::slot, block.kind = ShapeKind::box;
  guide.radius = clearance.bearing_radius, block.radius = clearance.bearing_radius - clearance.radial;
  guide.length = block.length = clearance.length;
  const double half_height =
      D == 3 && clearance.bearing_height > 0 ? clearance.bearing_height / 2 : clearance.bearing_radius;
  guide.half[0] = guide.radius, guide.half[1] = half_height;
  block.half[0] = block.radius, block.half[1] = half_height - clearance.radial;
  block.half[D == 2 ? 0 : 2] = clearance.length / 2;
}

}  // namespace

JointDescription describe_prismatic() {
  auto parameters = placement_parameters(true);
  JointDescription joint = {
      {.name = "prismatic",
       .summary = "A slide: the second body moves along one axis of the first and does not turn against it.",
       .reference = "Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, sec. 4.2 and 7.2",
       .parameters = parameters},
      {"translation"},
      false,
      build_prismatic<2>,
      build_prismatic<3>,
      GroundDof::translation};
  const LooseTraits slide{.hole = "guide", .inside = "block", .length_of = "block", .has_straight_walls = true};
  joint.loose_planar = {slide, make_block<2>};
  joint.loose_spatial = {slide, make_block<3>};
  joint.loose_spatial.takes_height = true;
  return joint;
}

}  // namespace carom::inline joints
