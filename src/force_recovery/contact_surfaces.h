#pragma once

#include <array>
#include <optional>
#include <string>

#include "contact_laws/hertz_stress.h"
#include "force_recovery/impact_force.h"
#include "model/contact_names.h"
#include "model/model.h"

// What a model says of the surfaces of one contact, for all that is made of its forces afterwards.
namespace carom::inline force_recovery {

struct ContactSurfaces {
  PulseLaw law = {};
  double exponent = 1.5;                          // n of its elastic force K δⁿ
  double modulus = 0;                             // Pa, E* of both bodies; 0: not known
  double poisson = 0;                             // of the softer body
  std::array<const Material*, 2> materials = {};  // of the two bodies in the order of the file; null: not given
  const ElementModel* joint = nullptr;            // with clearance; null: a [[pair]]
  // Parallel cylinders: their length, and R of 1/R = 1/R_i + 1/R_j; 0: the contact is a point.
  double line_length = 0, line_radius = 0;
  std::string missing = {};  // of what stresses need, and what to do; empty: all is there
};

// "contact:NAME" or "joint:NAME", possibly followed by shapes and a point. The model must outlive what is returned.
ContactSurfaces contact_surfaces(const Model& model, const std::string& contact);

// Names of all contacts of a model: "joint:pin", "contact:ball-floor".
std::vector<std::string> contact_groups(const Model& model);

// The patch under a force in N, with the stiffness K of the contact in N/m^1.5 and the ratio b/a of its half axes. None
// where the materials are not known, or the elastic force is not that of a point contact.
std::optional<HertzPatch> patch_under(const ContactSurfaces& surfaces, double force, double stiffness,
                                      double axis_ratio);

}  // namespace carom::inline force_recovery
