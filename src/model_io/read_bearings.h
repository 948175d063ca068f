#pragma once

#include <array>
#include <string>

#include "documents/reading.h"
#include "model/model.h"

namespace carom::inline model_io {

// Bearings of the file become races on the bodies they connect, balls and a cage, which are bodies, and pairs and
// springs between them: both methods, beams, recording and drawing need to know nothing else.
class BearingReader {
 public:
  BearingReader(Reading& reading, Model& model) : reading_(reading), model_(model) {}

  // [[bearing]]
  void read(const Node& table, const KeyPath& key);
  // After all else has been read and beams have their nodes. What names unknown bodies, materials or contacts is left
  // to the validation and stays without balls.
  void expand();

 private:
  struct Request {
    const Node* table = nullptr;
    const Node* cage_table = nullptr;
    KeyPath key;
    bool sound = true;
  };
  // What the parts of one bearing are made of.
  struct Parts {
    BearingModel& bearing;
    const Settings& settings;
    const Settings& cage;
    std::array<std::string, 2> bodies;  // of the outer race and of the inner one
  };

  void complain(Request& request, const std::string& name, Complaint complaint);
  void miss(Request& request, const std::string& name, const std::string& instead);  // a key that is not there
  void complain_of_cage(Request& request, const std::string& name, Complaint complaint);
  void read_cage(Request& request, BearingModel& bearing, const Node& node);
  void check_plane(Request& request, const Settings& settings);
  void check_sizes(Request& request, const Settings& settings);
  void check_grooves(Request& request, const Settings& settings);
  void check_mass(Request& request, const Settings& settings);
  void check_cage(Request& request, const BearingModel& bearing);
  // In space (read_rolling_bearings.cpp).
  void check_space(Request& request, const BearingModel& bearing);
  void refuse_race_faults(Request& request);
  void check_balls_in_space(Request& request, const BearingModel& bearing);
  void check_keys_in_space(Request& request, const BearingModel& bearing);
  void check_rows(Request& request, const Settings& settings);
  void check_inside(Request& request, const Settings& settings);
  void check_rollers(Request& request, const Settings& settings);
  void check_clearance(Request& request, const Settings& settings);
  void check_preload(Request& request, const BearingModel& bearing);
  bool can_be_placed(const Settings& settings) const;
  void expand(std::size_t index);
  void add_races(Parts& parts);
  void add_balls(Parts& parts);
  void add_cage(Parts& parts);
  void add_springs(const Parts& parts);
  void add_pair(const Parts& parts, const std::string& name, const std::array<std::string, 2>& bodies,
                const std::array<std::string, 2>& shapes, const std::string& contact);
  double inner_share(const Parts& parts) const;

  Reading& reading_;
  Model& model_;
  std::vector<Request> requests_;
};

}  // namespace carom::inline model_io
