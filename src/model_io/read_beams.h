#pragma once

#include <map>
#include <string>

#include "beams/line.h"
#include "documents/reading.h"
#include "model/model.h"

namespace carom::inline model_io {

// Beams of the file become nodes, which are bodies, and elements between them. What names a beam (joints, forces,
// pairs, markers) is then made to name the node that is nearest to where it is attached.
class BeamReader {
 public:
  BeamReader(Reading& reading, Model& model) : reading_(reading), model_(model) {}

  // [section.NAME]
  void read_section(const Entry& entry, const KeyPath& key);
  // [[beam]]; markers and shapes have been read into `carrier`, whose axes are those of the world.
  void read_beam(const Node& table, BodyModel carrier, const KeyPath& key);
  // [body.flexible], of the body with this place in the model; null if it is none.
  std::shared_ptr<const FlexibleModel> note_flexible(std::size_t body, const Node& table, const KeyPath& key);
  bool any() const { return !requests_.empty(); }
  // After all else has been read.
  void expand();
  // "beam.marker" becomes that of the node which carries it, once beams are expanded.
  void rename_marker(std::string& path) const;

 private:
  struct Section {
    Settings settings;
    bool sound = false;
  };
  struct Request {  // a beam to be
    BodyModel carrier;
    int body = -1;  // place in the model of the body that becomes flexible; −1: a [[beam]]
    FlexibleModel flexible;
    Settings given;  // its keys with a sound value
    KeyPath key;
    const Node* table = nullptr;
  };
  struct Expanded {
    BodyModel carrier;
    std::vector<int> nodes;  // as body_index counts them
  };

  // At a key of the beam, or at all of it where the key is not given.
  void complain(const Request& request, const std::string& name, Complaint complaint);
  void expand(const Request& request);
  std::vector<Eigen::Vector3d> line_of(const Request& request);
  BeamLine divide(const Request& request, const std::vector<Eigen::Vector3d>& points);
  // False, and a problem, if they do not suffice.
  bool take_properties(const Request& request, double length, BeamModel& beam);
  const Material* material_of(const Request& request);
  bool take_section(const Request& request, const Material* material, BeamModel::Section& section);
  int add_node(const Request& request, std::size_t index, const BodyModel& node);
  void unwind_angles(const std::vector<int>& nodes);
  std::vector<Eigen::Vector3d> joint_points(const BodyModel& body) const;
  int nearest(const Expanded& beam, const Eigen::Vector3d& point) const;
  const Expanded* find(const std::string& name) const;
  void rename(ElementModel& element, const std::string& section, std::size_t index);
  void rename_pairs();
  void move_to_nodes(const Expanded& beam);
  Eigen::Vector3d attached_at(const Settings& settings, const BodyModel& body, int side) const;

  Reading& reading_;
  Model& model_;
  std::map<std::string, Section> sections_;
  std::vector<Request> requests_;
  std::map<std::string, Expanded> beams_;
};

}  // namespace carom::inline model_io
