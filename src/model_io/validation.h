#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "joints/joint.h"
#include "model/model.h"
#include "model_io/check_value.h"
#include "model_io/key_path.h"
#include "model_io/sections.h"
#include "model_io/validate.h"

namespace carom {

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
  void check_planar_body(const BodyModel& body, const KeyPath& key);
  void check_markers_and_geometry(const BodyModel& body, const KeyPath& key);

  // Joints and forces
  void check_joint(std::size_t index);
  void check_force(std::size_t index);
  void check_settings(const ElementModel& element, const std::vector<ParameterDescription>& rows, const KeyPath& key);
  void check_references(const ElementModel& element, const std::vector<ParameterDescription>& rows, const KeyPath& key);
  void check_placement(const ElementModel& element, const TypeDescription& type, const KeyPath& key);
  void check_pairs(const ElementModel& element, const KeyPath& key);
  void check_axis(const ElementModel& element, const TypeDescription& type, bool needed, bool allowed,
                  const KeyPath& key);
  void check_second_axis(const ElementModel& element, const KeyPath& key);
  void check_length(const ElementModel& element, const KeyPath& key);
  void check_tied_joints(const ElementModel& element, const KeyPath& key);
  void check_single_placement(const ElementModel& element, const TypeDescription& type, const KeyPath& key);
  void check_bushing_counts(const ElementModel& element, const KeyPath& key);
  void check_effect(const ElementModel& element, const TypeDescription& type, const KeyPath& key);

  // The run
  void check_motions();
  void check_motion(const MotionModel& motion, const KeyPath& key, std::string& driven);
  void check_solver();
  void check_output();
  void check_pattern(const std::string& pattern, const KeyPath& key);

  // Shared
  using TakenNames = std::map<std::string, SourceMap::Place>;
  void check_name(const std::string& name, const KeyPath& key, const std::string& kind, TakenNames& taken);
  void check_row(const std::string& section_name, const std::string& name, const Value& value, const KeyPath& key);
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

  const Model& model_;
  ProblemList& problems_;
  const SourceMap& sources_;
  SourceLocation entry_;  // of the entry being checked, for models without a source map
  std::map<std::string, const BodyModel*> bodies_;
  TakenNames joint_names_, force_names_;
};

}  // namespace carom
