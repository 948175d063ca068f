#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "contact_geometry/shape_description.h"
#include "documents/check_value.h"
#include "documents/key_path.h"
#include "joints/joint.h"
#include "model/fields.h"
#include "model/model.h"
#include "model_io/contact_tables.h"
#include "model_io/sections.h"
#include "model_io/touching.h"
#include "model_io/validate.h"

namespace carom::inline contacts {
struct SurfacePair;
}

namespace carom::inline model_io {

// m from an origin: beyond it rounding is larger than what machines can tell, and squares lose their meaning.
inline constexpr double farthest = 1e9;

// Like validate, with the places of the keys in the file: problems point at them, and keys that the reader has found
// unsound are not checked again.
void validate(const Model& model, ProblemList& problems, const SourceMap& sources);

inline const std::array<std::pair<const char*, MotionLevel>, 3> motion_levels = {
    {{"position", MotionLevel::position}, {"speed", MotionLevel::speed}, {"acceleration", MotionLevel::acceleration}}};

// A motion without a name is called by what it drives.
std::string default_motion_name(const MotionModel& motion);

// What "pivot" or "pivot.rotation" refers to. Without an error the joint is known; its type may not be.
struct CoordinateReference {
  const ElementModel* joint = nullptr;
  std::string coordinate;  // "rotation" or "translation"; empty if the joint's type is unknown
  Complaint error;         // found is empty if all is well
  bool ok() const { return error.found.empty(); }
};
// Where a joint has two coordinates and none is named, `preferred` is taken if it is not empty.
CoordinateReference resolve_coordinate(const Model& model, const std::string& path, const std::string& preferred = {});

// "rad" or "m"; the fallback if the path does not lead to a coordinate.
std::string coordinate_unit(const Model& model, const std::string& path, const std::string& fallback);

// The checks, gathered by what they look at; each file validate_*.cpp holds one group.
class Validation {
 public:
  Validation(const Model& model, ProblemList& problems, const SourceMap& sources);
  void run();

 private:
  // Bodies and what they carry
  void check_model();
  void check_materials();
  void check_body(std::size_t index);
  void check_inertia(const BodyModel& body, const KeyPath& key);
  void check_distance(const Eigen::Vector3d& place, const KeyPath& key);
  void check_speed(const Eigen::Vector3d& velocity, const char* unit, const KeyPath& key);
  void check_planar_body(const BodyModel& body, const KeyPath& key);
  void check_markers(const BodyModel& body, const KeyPath& key);
  void check_geometry(const BodyModel& body, const KeyPath& key);
  void check_shape(const Geometry& geometry, const KeyPath& key);
  template <int D>
  void check_making(const ShapeDescription<D>& shape, const Geometry& geometry, const KeyPath& key);
  template <int D>
  void check_sizes(const Geometry& geometry, const KeyPath& key);
  void check_profile(const Geometry& geometry, const KeyPath& key);

  // Joints and forces
  void check_joint(std::size_t index);
  void check_force(std::size_t index);
  void check_settings(const ElementModel& element, const std::vector<ParameterDescription>& rows, const KeyPath& key);
  void check_references(const ElementModel& element, const std::vector<ParameterDescription>& rows, const KeyPath& key);
  void check_placement(const ElementModel& element, const TypeDescription& type, const KeyPath& key);
  void check_axis(const ElementModel& element, const TypeDescription& type, bool needed, bool allowed,
                  const KeyPath& key);
  void check_second_axis(const ElementModel& element, const KeyPath& key);
  void check_length(const ElementModel& element, const KeyPath& key);
  void check_constrained_joints(const ElementModel& element, const KeyPath& key);
  void check_single_placement(const ElementModel& element, const TypeDescription& type, const KeyPath& key);
  void check_bushing_counts(const ElementModel& element, const KeyPath& key);
  void check_effect(const ElementModel& element, const TypeDescription& type, const KeyPath& key);

  // Signals
  void check_signals();
  void check_signal_drives();
  void check_output(const ElementModel& signal, const KeyPath& key);
  void check_inputs_and_outputs();
  void check_events();
  void check_event(const EventModel& event, const KeyPath& key);
  void check_condition(const EventModel& event, const KeyPath& key);
  void check_changed_joints(const EventModel& event, const KeyPath& key);
  template <class List>
  bool check_named(const std::string& name, const List& list, const KeyPath& key, const std::string& what);
  void check_signal(const ElementModel& signal, const KeyPath& key);
  void check_measured(const ElementModel& signal, const TypeDescription& type, const KeyPath& key);
  void report_unknown_block(const ElementModel& signal, const KeyPath& key);
  void check_signal_name(const std::string& name, const KeyPath& key);

  // Contact: what is said about it, then what touches
  void check_contacts();
  void check_contact(const ContactModel& contact, const KeyPath& key);
  void check_contact_settings(const ContactModel& contact, const ContactTypes& types, const KeyPath& key);
  void check_friction(const ContactModel& contact, const KeyPath& key);
  void check_restitution_law(const ContactModel& contact, const KeyPath& key);
  void check_restitution(const ContactModel& contact, const NormalLawDescription& law, const KeyPath& key);
  void warn_of_restitution(const NormalLawDescription& law, double restitution, const std::string& found,
                           const KeyPath& key);
  void check_pairs();
  KeyPath key_of(const PairModel& pair, std::size_t index) const;
  void check_bearings();
  void check_bearing(const BearingModel& bearing, const KeyPath& key);
  void check_rolling_bearing(const BearingModel& bearing, const KeyPath& key);
  void check_balls_in_space(const BearingModel& bearing, const KeyPath& key);
  void check_pair(const PairModel& pair, const KeyPath& key);
  bool check_material_names(const std::array<std::string, 2>& names, const KeyPath& key);
  bool check_pair_bodies(const PairModel& pair, const KeyPath& key);
  bool check_body_pattern(const std::string& pattern, const KeyPath& key);
  void check_clearance(const ElementModel& joint, const KeyPath& key);
  void check_bearing_height(const ElementModel& joint, const LooseTraits& loose, const KeyPath& key);
  bool check_clearance_sizes(const ElementModel& joint, const LooseTraits& loose, const KeyPath& key);
  template <int D>
  void check_loose_use(const ElementModel& joint, const LooseForm<D>& form, const KeyPath& key);
  void check_joint_keys(const ElementModel& joint, const JointDescription& type, const KeyPath& key);

  // A shape that takes part in a contact.
  struct Side {
    std::string what;  // "`floor` of `ground`", "the bearing"
    Geometry geometry;
  };
  // One pair or clearance, with the shapes that touch in it.
  struct ContactUse {
    KeyPath key;
    std::array<std::string, 2> materials;  // as given for the use
    std::string contact;
    std::vector<std::array<Side, 2>> touching = {};
    std::optional<Touch> touch = {};  // of the shapes that a joint makes; none: as their geometry says
  };
  // A contact with the places of its keys and what they mean.
  struct ContactChoice {
    const ContactModel& contact;
    KeyPath key;
    ContactTypes types;
    bool has_stiffness;         // which replaces what the shape needs of materials and geometry
    bool needs_restitution;     // of the materials
    bool needs_friction;        // of the materials
    std::string title() const;  // "[contact.dry]", or "a [contact.NAME]" where the pair names none
  };
  std::vector<Side> sides_of(const PairModel& pair, int side, const KeyPath& key);
  std::vector<std::array<Side, 2>> touching_of(const PairModel& pair, const std::array<std::vector<Side>, 2>& sides,
                                               const KeyPath& key);
  void check_curve(const Side& side, const KeyPath& key);
  void check_use(const ContactUse& use);
  void check_region(const ContactUse& use, const ContactChoice& choice);
  void check_triangles(const ContactUse& use, const std::array<Side, 2>& sides);
  void check_radius(const ContactUse& use, const std::array<Side, 2>& sides, const ContactChoice& choice);
  void check_idle_materials(const ContactUse& use, const ContactChoice& choice);
  void check_use_materials(const ContactUse& use, const std::array<Side, 2>& sides, const ContactChoice& choice);
  void check_material_restitution(const ContactUse& use, const SurfacePair& surfaces, const ContactChoice& choice);
  bool check_material_name(const std::string& name, const KeyPath& key);
  bool check_contact_name(const std::string& name, const KeyPath& key);
  KeyPath key_of(const Material& material) const;
  // Reports only the first of many equal complaints.
  void report_once(Severity severity, const KeyPath& key, Complaint complaint);

  // The run
  void check_motions();
  void check_motion(const MotionModel& motion, const KeyPath& key, std::string& driven);
  void check_solver();
  void check_type_keys();
  void check_beams_and_solver();
  void check_changing_pairs();
  void check_output();
  std::vector<std::string> names_of(const std::string& group) const;
  void check_pattern(const std::string& pattern, const KeyPath& key);

  // Shared
  using TakenNames = std::map<std::string, SourceMap::Place>;
  std::size_t check_copies(std::size_t first, TakenNames& taken);
  void check_name(const std::string& name, const KeyPath& key, const std::string& kind, TakenNames& taken);
  void check_keys(const std::vector<SaidKey>& keys, const KeyPath& key);
  // The ranges and choices of what is given.
  template <class Struct>
  void check_fields(const Fields<Struct>& fields, const Struct& held, const KeyPath& key) {
    check_keys(said_of(fields, held, model_.planar), key);
  }
  bool check_body_name(const std::string& name, const KeyPath& key, bool ground_allowed);
  bool check_marker(const std::string& path, const KeyPath& key);
  void report(Severity severity, const KeyPath& key, Complaint complaint);
  void error(const KeyPath& key, Complaint complaint) { report(Severity::error, key, std::move(complaint)); }
  bool broken(const KeyPath& key) const { return sources_.broken(key); }
  // Whether an element has a key, be its value sound or not.
  bool given(const ElementModel& element, const KeyPath& key, const std::string& name) const {
    return element.settings.has(name) || sources_.given(key / name);
  }
  std::vector<std::string> body_names(bool with_ground) const;
  std::string copies_text(const std::string& name) const;

  const Model& model_;
  ProblemList& problems_;
  const SourceMap& sources_;
  SourceLocation entry_;  // of the entry being checked, for models without a source map
  std::map<std::string, const BodyModel*> bodies_;
  TakenNames joint_names_, force_names_;
  std::set<std::string> reported_;
};

}  // namespace carom::inline model_io
