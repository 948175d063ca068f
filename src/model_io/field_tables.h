#pragma once

#include "model/fields.h"
#include "model/model.h"

namespace carom::inline contact_laws {
struct FrictionLawDescription;
}

// One table of fields per struct of the model: the only place where a key, its unit, range, default and meaning stand.
namespace carom::inline model_io {

struct ContactTypes;

const Fields<Model>& model_fields();               // [model]
const Fields<SolverSettings>& solver_fields();     // [solver]
const Fields<SolverSettings>& baumgarte_fields();  // its baumgarte = { … }
const Fields<OutputSettings>& output_fields();     // [output]

const Fields<Material>& material_fields();         // [material.NAME]
const Fields<ContactModel>& contact_fields();      // [contact.NAME], the keys of every law
const Fields<ContactModel>& friction_fields();     // its friction = { … }, likewise
const Fields<PairModel>& pair_fields();            // [[pair]]
const Fields<ClearanceModel>& clearance_fields();  // [joint.clearance]
// With the keys of the law and of the elastic shape. What the restitution may be depends on the law: its row has no
// bounds, see restitution_complaint.
Fields<ContactModel> contact_fields(const ContactTypes& types);
Fields<ContactModel> friction_fields(const FrictionLawDescription& law);

const Fields<BodyModel>& body_fields();     // [[body]]
const Fields<Marker>& marker_fields();      // [[body.marker]]
const Fields<Geometry>& geometry_fields();  // [[body.geometry]]

const Fields<GridModel>& grid_fields();  // [body.grid]

const Fields<SectionModel>& cross_section_fields();  // [section.NAME]
const Fields<FlexibleModel>& flexible_fields();      // body.flexible
const Fields<BodyModel>& beam_fields();              // [[beam]]
const Fields<BearingModel>& bearing_fields();        // [[bearing]]
// Those keys of [[bearing]] that bearings in the plane lack.
const std::vector<ParameterDescription>& space_bearing_rows();
const Fields<BearingModel>& cage_fields();  // [bearing.cage]

const Fields<MotionModel>& motion_fields();  // [[motion]]
// [[joint]] and [[force]]: the keys that all share, and those of a type.
const Fields<ElementModel>& element_fields();
Fields<ElementModel> element_fields(const TypeDescription& type);
const Fields<ElementModel>& signal_fields();
Fields<ElementModel> signal_fields(const TypeDescription& type);
const Fields<EventModel>& event_fields();

// The initial velocity of a body or a beam. What is given is kept exactly where the constraints allow it.
Field<BodyModel> velocity_field(const std::string& meaning);
Field<BodyModel> angular_velocity_field(const std::string& meaning);

}  // namespace carom::inline model_io
