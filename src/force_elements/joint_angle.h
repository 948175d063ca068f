#pragma once

#include "force_elements/force_element.h"
#include "math/coordinate.h"

namespace carom::inline force_elements {

// The angle of a joint, on which torsion springs, motors and brakes act: that of the second body against the first,
// full turns counted.
template <int D>
class JointAngle {
 public:
  explicit JointAngle(const ForceElementContext& context) {
    const std::string path = context.element.settings.text("joint"), name = path.substr(0, path.find('.'));
    const Settings* placement = &context.element.settings;
    for (const ElementModel& joint : context.model.joints) {
      if (joint.name == name) placement = &joint.settings;
    }
    const AttachmentPair pair = attach_pair(context.model, *placement);
    angle_.kind = CoordinateKind::rotation;
    angle_.body_i = pair.at[0].body, angle_.body_j = pair.at[1].body;
    start_ =
        D == 3 ? pair.twist : body_at(context.model, angle_.body_j).angle - body_at(context.model, angle_.body_i).angle;
    if constexpr (D == 3) {
      angle_.axis = pair.at[0].frame.col(2);
      angle_.reference_i = pair.at[0].frame.col(0), angle_.reference_j = pair.at[1].frame.col(0);
      angle_.zero = pair.twist;
    }
  }

  std::vector<int> bodies() const {
    std::vector<int> result;
    if (angle_.body_i > 0) result.push_back(angle_.body_i);
    if (angle_.body_j > 0) result.push_back(angle_.body_j);
    return result;
  }
  double start() const { return start_; }                                                   // rad, in the file
  double value(const Bodies<D>& bodies) const { return coordinate_value(angle_, bodies); }  // rad
  double rate(const Bodies<D>& bodies) const { return coordinate_rate(angle_, bodies); }    // rad/s
  // A torque that turns the second body forwards and the first one back.
  void turn(const Bodies<D>& bodies, double torque, Loads<D>& loads) const {
    const AngularOf<D> on_j = torque * axis(bodies);
    loads.add_torque(bodies, angle_.body_j, on_j);
    loads.add_torque(bodies, angle_.body_i, -on_j);
  }
  void remember(const Bodies<D>& bodies) { angle_.turn_memory = coordinate_value(angle_, bodies); }
  void forget(const Bodies<D>& bodies) {
    angle_.turn_memory = 0;
    remember(bodies);
  }
  void take_memory(const JointAngle& other) { angle_.turn_memory = other.angle_.turn_memory; }

  static ParameterDescription row() {
    return {.name = "joint",
            .kind = ParameterKind::joint,
            .meaning = "the joint with a rotation that it acts on",
            .required = true};
  }

 private:
  AngularOf<D> axis(const Bodies<D>& bodies) const {
    if constexpr (D == 2) {
      return AngularOf<2>(1.0);
    } else {
      return bodies[angle_.body_i].orientation * angle_.axis;
    }
  }
  Coordinate<D> angle_;
  double start_ = 0;
};

// What elements about a joint that do not store turns have in common.
template <int D>
class RotaryElement : public ForceElement<D> {
 public:
  explicit RotaryElement(const ForceElementContext& context) : angle_(context) {}
  std::vector<int> bodies() const override { return angle_.bodies(); }
  bool is_conservative() const override { return false; }

 protected:
  double speed(const Bodies<D>& bodies) const { return angle_.rate(bodies); }
  JointAngle<D> angle_;
};

}  // namespace carom::inline force_elements
