#include "model_io/same_model.h"

#include <algorithm>

#include "control/block.h"
#include "force_elements/force_element.h"
#include "joints/joint.h"
#include "model_io/contact_tables.h"
#include "model_io/field_tables.h"
#include "model_io/read_race_faults.h"

namespace carom::inline model_io {
namespace {

template <class List, class Same>
bool same_lists(const List& a, const List& b, Same same) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

// Keys that a type does not have are not compared, nor written: the validation refuses them.
class Comparison {
 public:
  explicit Comparison(bool planar) : planar_(planar) {}

  bool of_models(const Model& a, const Model& b) const {
    return a.planar == b.planar && a.parameters == b.parameters && a.variable_parameters == b.variable_parameters &&
           a.parameter_dimensions == b.parameter_dimensions && same(model_fields(), a, b, planar_) &&
           named(material_fields(), a.materials, b.materials) &&
           named(cross_section_fields(), a.sections, b.sections) &&
           same_lists(a.contacts, b.contacts, [&](const auto& x, const auto& y) { return contacts(x, y); }) &&
           lists(motion_fields(), a.motions, b.motions) && lists(event_fields(), a.events, b.events) &&
           same_lists(a.signals, b.signals, [&](const auto& x, const auto& y) { return signals(x, y); }) &&
           same(solver_fields(), a.solver, b.solver, planar_) &&
           same(baumgarte_fields(), a.solver, b.solver, planar_) &&
           same(output_fields(), a.output, b.output, planar_) && same_lists(a.beams, b.beams, same_beam) &&
           of_parts(a, b) && !a.said == !b.said && (!a.said || of_parts(*a.said, *b.said));
  }

 private:
  bool of_parts(const ModelParts& a, const ModelParts& b) const {
    const auto body = [&](const BodyModel& x, const BodyModel& y) { return bodies(body_fields(), x, y); };
    const auto beam = [&](const BodyModel& x, const BodyModel& y) { return bodies(beam_fields(), x, y); };
    const auto joint = [&](const ElementModel& x, const ElementModel& y) {
      return elements(x, y, find_joint(x.type)) && !x.clearance == !y.clearance &&
             (!x.clearance || same(clearance_fields(), *x.clearance, *y.clearance, planar_));
    };
    const auto force = [&](const ElementModel& x, const ElementModel& y) {
      return elements(x, y, find_force_element(x.type));
    };
    const auto bearing = [&](const BearingModel& x, const BearingModel& y) {
      return same(bearing_fields(), x, y, planar_) && same(cage_fields(), x, y, planar_) &&
             lists(spall_fields(), spalls_of(x), spalls_of(y)) && lists(waviness_fields(), waves_of(x), waves_of(y));
    };
    return same_lists(a.bodies, b.bodies, body) && markers_and_geometry(a.ground, b.ground) &&
           same_lists(a.beam_bodies, b.beam_bodies, beam) && same_lists(a.joints, b.joints, joint) &&
           same_lists(a.forces, b.forces, force) && lists(pair_fields(), a.pairs, b.pairs) &&
           same_lists(a.bearings, b.bearings, bearing);
  }

  template <class Struct>
  bool lists(const Fields<Struct>& fields, const std::vector<Struct>& a, const std::vector<Struct>& b) const {
    return same_lists(a, b, [&](const Struct& x, const Struct& y) { return same(fields, x, y, planar_); });
  }
  template <class Struct>
  bool named(const Fields<Struct>& fields, const std::vector<Struct>& a, const std::vector<Struct>& b) const {
    return lists(fields, a, b) && same_lists(a, b, [](const Struct& x, const Struct& y) { return x.name == y.name; });
  }
  template <class Struct>
  bool pointed_at(const Fields<Struct>& fields, const std::shared_ptr<const Struct>& a,
                  const std::shared_ptr<const Struct>& b) const {
    return !a == !b && (!a || a == b || same(fields, *a, *b, planar_));
  }

  bool bodies(const Fields<BodyModel>& fields, const BodyModel& a, const BodyModel& b) const {
    return same(fields, a, b, planar_) && a.grid == b.grid && a.velocity_given == b.velocity_given &&
           a.angular_velocity_given == b.angular_velocity_given && pointed_at(grid_fields(), a.lattice, b.lattice) &&
           pointed_at(flexible_fields(), a.flexible, b.flexible) && markers_and_geometry(a, b);
  }
  bool markers_and_geometry(const BodyModel& a, const BodyModel& b) const {
    return lists(marker_fields(), a.markers, b.markers) && lists(geometry_fields(), a.geometry, b.geometry);
  }
  bool elements(const ElementModel& a, const ElementModel& b, const TypeDescription* type) const {
    return a.type == b.type && same(type ? element_fields(*type) : element_fields(), a, b, planar_);
  }
  bool signals(const ElementModel& a, const ElementModel& b) const {
    const BlockDescription* type = find_block(a.type);
    return a.type == b.type && same(type ? signal_fields(*type) : signal_fields(), a, b, planar_);
  }
  bool contacts(const ContactModel& a, const ContactModel& b) const {
    const FrictionLawDescription* law = find_friction_law(a.friction);
    return a.name == b.name && same(contact_fields(contact_types(a.law, a.elastic)), a, b, planar_) &&
           same(law ? friction_fields(*law) : friction_fields(), a, b, planar_);
  }
  static bool same_beam(const BeamModel& a, const BeamModel& b) {
    return a.name == b.name && a.nodes == b.nodes && a.elements == b.elements && a.section == b.section &&
           a.young == b.young && a.shear == b.shear && a.density == b.density && a.mass_damping == b.mass_damping &&
           a.stiffness_damping == b.stiffness_damping;
  }

  bool planar_;
};

}  // namespace

bool same_model(const Model& a, const Model& b) {
  return Comparison(a.planar).of_models(a, b);
}

}  // namespace carom::inline model_io
