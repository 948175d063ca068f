#include "force_recovery/contact_surfaces.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "contact_laws/stiffness.h"
#include "contacts/resolved_contacts.h"
#include "joints/joint.h"

namespace carom::inline force_recovery {
namespace {

void take_materials(ContactSurfaces& surfaces) {
  const auto [a, b] = surfaces.materials;
  if (!a || !b) {
    surfaces.missing = surfaces.joint ? "no materials: give `materials` in its [joint.clearance]"
                                      : "no materials: give `materials` in its [[pair]], or `material` to its shapes";
    return;
  }
  for (const Material* material : {a, b}) {
    if (!(material->young > 0))
      surfaces.missing = fmt::format("no Young's modulus: give `young` in [material.{}]", material->name);
  }
  if (!surfaces.missing.empty()) return;
  surfaces.modulus = SurfacePair{.materials = surfaces.materials}.modulus();
  surfaces.poisson = a->young < b->young ? a->poisson : b->poisson;
}

// A pin in its bore touches along a line, if the joint or its elastic force tell how long that is.
void take_line(ContactSurfaces& surfaces, bool planar) {
  if (!surfaces.joint) return;
  const ElementModel& joint = *surfaces.joint;
  const ClearanceModel& clearance = *joint.clearance;
  const LooseTraits* loose = find_loose(joint.type, planar);
  if (!loose || !loose->is_round) return;
  const Settings& keys = surfaces.law.settings;
  const double length = clearance.length > 0 ? clearance.length : keys.has("length") ? keys.number("length") : 0;
  if (!(length > 0) || !(clearance.radial > 0)) return;
  surfaces.line_length = length;
  surfaces.line_radius = effective_radius(clearance.bearing_radius - clearance.radial, -clearance.bearing_radius);
}

}  // namespace

std::vector<std::string> contact_groups(const Model& model) {
  std::vector<std::string> names;
  for (const ResolvedContact& contact : resolve_contacts(model)) names.push_back(contact.group());
  return names;
}

ContactSurfaces contact_surfaces(const Model& model, const std::string& name) {
  ContactSurfaces surfaces;
  const auto resolved = resolve_contact(model, contact_group(name));
  if (resolved) {
    surfaces.joint = resolved->joint();
    surfaces.materials = resolved->typical_surfaces().materials;
  }
  take_materials(surfaces);
  if (resolved && resolved->contact()) {
    const ContactModel& contact = *resolved->contact();
    surfaces.law = {find_normal_law(contact.law), contact.settings};
    const ElasticContext unit{
        .composite_modulus = 1, .effective_radius = 1, .radial_clearance = 1, .settings = contact.settings};
    surfaces.exponent = elastic_of(contact)->make(unit).exponent();
  }
  take_line(surfaces, model.planar);
  if (surfaces.missing.empty() && surfaces.exponent != 1.5 && surfaces.line_length == 0)
    surfaces.missing = "its elastic force is not that of a point contact; of a line, give `length` to the joint";
  return surfaces;
}

std::optional<HertzPatch> patch_under(const ContactSurfaces& surfaces, double force, double stiffness,
                                      double axis_ratio) {
  if (!(surfaces.modulus > 0) || !(force > 0)) return std::nullopt;
  if (surfaces.line_length > 0)
    return line_contact_patch(surfaces.line_radius, force / surfaces.line_length, surfaces.modulus);
  if (surfaces.exponent != 1.5 || !(stiffness > 0)) return std::nullopt;
  const double ratio = axis_ratio > 0 && axis_ratio <= 1 ? axis_ratio : 1;
  return point_contact_patch(elliptic_contact_of(stiffness, ratio, surfaces.modulus), force, surfaces.modulus);
}

}  // namespace carom::inline force_recovery
