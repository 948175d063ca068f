#include "force_elements/force_element.h"
#include "joints/joint.h"
#include "model_io/field_tables.h"
#include "model_io/validation.h"

namespace carom::inline model_io {
namespace {

using Kind = ParameterKind;

// One of three keys; which of them is said is the level.
Field<MotionModel> law_field(MotionLevel level, const std::string& unit, const std::string& meaning) {
  const auto name = std::find_if(motion_levels.begin(), motion_levels.end(), [&](const auto& each) {
                      return each.second == level;
                    })->first;
  return {{.name = name, .kind = Kind::function, .unit = unit, .meaning = meaning, .arguments = {"t"}},
          [](const MotionModel& motion, bool) { return motion.value; },
          [level](MotionModel& motion, const Value& value, bool) {
            motion.level = level;
            motion.value = std::get<Function>(value);
          },
          [level](const MotionModel& motion, bool) { return motion.level == level; }};
}

}  // namespace

const Fields<MotionModel>& motion_fields() {
  using M = MotionModel;
  static const Fields<M> all = {
      field(&M::name, {.name = "name",
                       .meaning = "unique; without any of . : * ? /",
                       .default_text = "the name of the joint, or body and component"}),
      field(&M::joint, {.name = "joint", .kind = Kind::joint, .meaning = "the joint, or joint.coordinate"}),
      field(&M::body, {.name = "body", .kind = Kind::body, .meaning = "the body, instead of a joint"}),
      field(&M::component, {.name = "component", .meaning = "of the body's origin; planar also angle"}),
      law_field(MotionLevel::position, "rad or m", "the coordinate"),
      law_field(MotionLevel::speed, "rad/s or m/s", "its rate, instead of position"),
      law_field(MotionLevel::acceleration, "rad/s^2 or m/s^2", "its second rate, instead of position")};
  return all;
}

const Fields<ElementModel>& element_fields() {
  static const Fields<ElementModel> all = {
      field(&ElementModel::name, {.name = "name", .meaning = "unique; without any of . : * ? /", .required = true}),
      field(&ElementModel::type, {.name = "type", .meaning = "which kind", .required = true})};
  return all;
}

Fields<ElementModel> element_fields(const TypeDescription& type) {
  Fields<ElementModel> fields = element_fields();
  for (const ParameterDescription& row : type.parameters) fields.add(kept_in(&ElementModel::settings, row));
  return fields;
}

}  // namespace carom::inline model_io
