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

const Fields<ElementModel>& signal_fields() {
  static const Fields<ElementModel> all = {
      field(&ElementModel::name, {.name = "name",
                                  .meaning = "unique; letters, digits and underscores, so that expressions can use it",
                                  .required = true}),
      field(&ElementModel::type, {.name = "type",
                                  .meaning = "which kind",
                                  .default_text = "measured where `of` is given, formula where `value` is"}),
      kept_in(&ElementModel::settings,
              {.name = "unit",
               .kind = Kind::text,
               .meaning = "SI unit of the value, against which expressions that use it are checked",
               .default_text = "that of the quantity it measures; else any"})};
  return all;
}

Fields<ElementModel> signal_fields(const TypeDescription& type) {
  Fields<ElementModel> fields = signal_fields();
  for (const ParameterDescription& row : type.parameters) fields.add(kept_in(&ElementModel::settings, row));
  return fields;
}

const Fields<EventModel>& event_fields() {
  using E = EventModel;
  const auto names = [](std::vector<std::string> E::*member, const std::string& name, const std::string& meaning) {
    return field(member, {.name = name, .meaning = meaning});
  };
  static const Fields<E> all = {
      field(&E::name, {.name = "name", .meaning = "unique; without any of . : * ? /", .required = true}),
      {{.name = "when",
        .kind = Kind::function,
        .unit = "*",
        .meaning = "condition, a function of t and signals: the event is where it crosses 0",
        .arguments = {"t"}},
       [](const E& event, bool) { return event.when; },
       [](E& event, const Value& value, bool) {
         event.has_condition = true;
         event.when = std::get<Function>(value);
       },
       [](const E& event, bool) { return event.has_condition; }},
      field(&E::direction, {.name = "direction",
                            .meaning = "of the crossing",
                            .default_text = "{}",
                            .choices = {"rising", "falling", "both"}}),
      field(&E::at, {.name = "at", .unit = "s", .meaning = "an instant, instead of `when`"}),
      field(&E::contact, {.name = "contact", .meaning = "a pair or a joint with clearance, instead of `when`"}),
      field(&E::change, {.name = "change",
                         .meaning = "of the contact: its first point closes, or its last one opens",
                         .default_text = "{}",
                         .choices = {"start", "end"}}),
      field(&E::once, {.name = "once", .meaning = "it happens the first time only", .default_text = "{}"}),
      field(&E::stop, {.name = "stop", .meaning = "the run ends here", .default_text = "{}"}),
      names(&E::set, "set", "signals of type held and what they become: [\"mode = 1\", \"count = count + 1\"]"),
      names(&E::lock, "lock", "joints whose coordinates are held where they are"),
      names(&E::unlock, "unlock", "joints that move again"),
      names(&E::release, "release", "joints that hold nothing from here on"),
      names(&E::engage, "engage", "released joints that hold again; they must be closed"),
      names(&E::attach, "attach", "joints that take hold of their bodies where they are"),
      names(&E::detach, "detach", "joints that let go of them"),
      names(&E::switch_off, "switch_off", "drives that let go"),
      names(&E::switch_on, "switch_on", "drives that drive again")};
  return all;
}

}  // namespace carom::inline model_io
