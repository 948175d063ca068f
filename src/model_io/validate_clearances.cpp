#include <algorithm>

#include <fmt/format.h>

#include "documents/document.h"
#include "documents/reading.h"
#include "model_io/field_tables.h"
#include "model_io/validation.h"

// Joints with clearance, by what their descriptions say.
namespace carom::inline model_io {

void Validation::check_clearance(const ElementModel& joint, const KeyPath& key) {
  const LooseTraits* loose = find_loose(joint.type, model_.planar);
  if (!loose) {
    return error(key, {"a clearance of a " + joint.type + " joint",
                       "a " + alternatives(clearance_joints(model_.planar)) + " joint", ""});
  }
  const ClearanceModel& clearance = *joint.clearance;
  const bool sizes = check_clearance_sizes(joint, *loose, key);
  const bool contact = check_contact_name(clearance.contact, key / "contact");
  const bool materials = check_material_names(clearance.materials, key / "materials");
  if (!sizes || !contact || !materials) return;
  const JointDescription& type = *find_joint(joint.type);
  if (type.check && !type.check(joint.settings, &clearance).empty()) return;  // reported at its keys
  model_.planar ? check_loose_use<2>(joint, type.loose_planar, key)
                : check_loose_use<3>(joint, type.loose_spatial, key);
}

template <int D>
void Validation::check_loose_use(const ElementModel& joint, const LooseForm<D>& form, const KeyPath& key) {
  const ClearanceModel& clearance = *joint.clearance;
  Shape<D> hole, inside;
  form.make(clearance, joint.settings, hole, inside);
  std::array<Side, 2> sides = {Side{"the " + form.hole, {}}, {"the " + form.inside, {}}};
  sides[0].geometry.shape = shape_name(hole.kind);
  sides[1].geometry.shape = shape_name(inside.kind);
  if (clearance.bearing_second) std::swap(sides[0], sides[1]);
  check_use({key, clearance.materials, clearance.contact, {sides}, touch_of<D>(hole, inside)});
}

// What a joint says of its own keys, those of its clearance included.
void Validation::check_joint_keys(const ElementModel& joint, const JointDescription& type, const KeyPath& key) {
  if (!type.check) return;
  const bool sound = std::all_of(type.parameters.begin(), type.parameters.end(), [&](const ParameterDescription& row) {
    return !broken(key / row.name) && (!row.required || joint.settings.has(row.name));
  });
  if (!sound) return;
  for (const KeyFault& fault : type.check(joint.settings, joint.clearance ? &*joint.clearance : nullptr)) {
    error(key / fault.key, {fault.found, fault.expected, fault.remedy});
  }
}

void Validation::check_bearing_height(const ElementModel& joint, const LooseTraits& loose, const KeyPath& key) {
  const KeyPath path = key / "bearing_height";
  if (broken(path)) return;
  const double height = joint.clearance->bearing_height, clearance = 2 * joint.clearance->radial;
  if (!loose.takes_height) {
    std::string takers;
    for (const JointDescription& type : joint_catalogue()) {
      if (type.loose_spatial.takes_height) takers += (takers.empty() ? "" : " or ") + type.name;
    }
    return error(
        path, {fmt::format("the height of a guide, for a {} joint{}", joint.type, model_.planar ? " in the plane" : ""),
               fmt::format("it with a {} joint in space only", takers), "leave it out"});
  }
  if (!(height > 0) || height > clearance) return;
  error(path, {fmt::format("{} m", number_text(height)),
               fmt::format("more than the clearance across the {}, {} m", loose.hole, number_text(clearance)),
               "nothing would be left of what moves in it"});
}

bool Validation::check_clearance_sizes(const ElementModel& joint, const LooseTraits& loose, const KeyPath& key) {
  const ClearanceModel& clearance = *joint.clearance;
  // The file may give the double.
  const std::string radial = sources_.given(key / "diametric") ? "diametric" : "radial";
  const std::string bearing = sources_.given(key / "bearing_diameter") ? "bearing_diameter" : "bearing_radius";
  bool sound = true;
  for (const std::string& name : {std::string("radial"), radial, std::string("bearing_radius"), bearing}) {
    if (broken(key / name)) sound = false;
  }
  const std::size_t before = problems_.all().size();
  if (sound) check_fields(clearance_fields(), clearance, key);
  if (!loose.length_of.empty() && clearance.length == 0 && !broken(key / "length")) {
    error(key / "length", {"nothing", fmt::format("the length of the {} of a {} joint", loose.length_of, joint.type),
                           "add the key `length`"});
  }
  if (clearance.bearing_height != 0) check_bearing_height(joint, loose, key);
  if (loose.hole_is_first && clearance.bearing_second) {
    error(key / "bearing",
          {"\"second\"", fmt::format("the {} on the first body, as a {} joint has it", loose.hole, joint.type),
           "name the bodies of the joint the other way round"});
  }
  if (!sound || problems_.all().size() > before) return false;
  if (clearance.radial < clearance.bearing_radius) return true;
  const bool twice = radial == "diametric";
  error(key / radial, {fmt::format("{} m", number_text((twice ? 2 : 1) * clearance.radial)),
                       fmt::format("less than the {} of the {}, {} m", twice ? "diameter" : "radius", loose.hole,
                                   number_text((twice ? 2 : 1) * clearance.bearing_radius)),
                       "nothing would be left of what moves in it"});
  return false;
}

}  // namespace carom::inline model_io
