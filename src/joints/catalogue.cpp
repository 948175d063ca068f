#include <algorithm>

#include "joints/joint.h"

namespace carom::inline joints {

// One function per file of this room.
JointDescription describe_coupler();
JointDescription describe_cylindrical();
JointDescription describe_distance();
JointDescription describe_fixed();
JointDescription describe_gear();
JointDescription describe_planar();
JointDescription describe_point_on_curve();
JointDescription describe_point_on_line();
JointDescription describe_prismatic();
JointDescription describe_revolute();
JointDescription describe_screw();
JointDescription describe_spherical();
JointDescription describe_universal();

const std::vector<JointDescription>& joint_catalogue() {
  static const std::vector<JointDescription> catalogue = {
      describe_coupler(),   describe_cylindrical(), describe_distance(),       describe_fixed(),
      describe_gear(),      describe_planar(),      describe_point_on_curve(), describe_point_on_line(),
      describe_prismatic(), describe_revolute(),    describe_screw(),          describe_spherical(),
      describe_universal()};
  return catalogue;
}

const JointDescription* find_joint(const std::string& type) {
  const auto& catalogue = joint_catalogue();
  const auto found =
      std::find_if(catalogue.begin(), catalogue.end(), [&](const auto& entry) { return entry.name == type; });
  return found == catalogue.end() ? nullptr : &*found;
}

const LooseTraits* find_loose(const std::string& type, bool planar) {
  const JointDescription* joint = find_joint(type);
  return joint ? joint->loose(planar) : nullptr;
}

std::vector<ParameterDescription> placement_parameters(bool with_axis) {
  std::vector<ParameterDescription> rows = placement_rows(
      "a marker on each body, instead of bodies and points; its z axis (planar: its x axis) is the joint axis");
  if (with_axis) {
    rows.push_back({.name = "axis",
                    .kind = ParameterKind::vector,
                    .meaning = "direction of the axis, world axes, in the configuration of the file"});
    rows.push_back(
        {.name = "axes", .kind = ParameterKind::points, .meaning = "direction of the axis in the axes of each body"});
  }
  return rows;
}

ParameterDescription released_row() {
  return {.name = "released",
          .kind = ParameterKind::boolean,
          .meaning = "it holds nothing until an event attaches it",
          .default_text = "false"};
}

}  // namespace carom::inline joints
