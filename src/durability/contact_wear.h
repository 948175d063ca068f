#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "durability/wear.h"
#include "model/model.h"
#include "recording/result_reader.h"

// Wear of the contacts of a run, by Archard's law, from what they recorded: normal force times the way slid.
namespace carom::inline durability {

struct WearRequest {
  std::vector<std::string> contacts = {};  // patterns; none: all
  double from = -1e300;                    // s, what was before does not count
  double repeats = 1;                      // runs like this one that the result stands for
  std::size_t sectors = 72;                // around a joint
};

struct ContactWear {
  std::string contact;
  double force_distance = 0;                 // N m, of all repeats
  std::array<std::string, 2> materials;      // of the two bodies in the order of the file
  std::array<double, 2> rates{}, volumes{};  // k/H in m³/(N m), and m³ worn off
  std::string missing;                       // what the model lacks for volumes, and the remedy
  // Of a planar revolute joint with clearance and a length.
  std::optional<RevoluteWear> joint;
  std::string no_depth;          // why there is none
  bool journal_is_even = false;  // the angle of the journal was not recorded: its wear is spread evenly

  double largest_bearing_depth() const;  // m
  double largest_journal_depth() const;
  double bearing_angle() const;  // rad, where the bearing is worn most, in the axes of its body

 private:
  friend class WearReader;
  std::size_t sectors_ = 72;
};

// Throws ResultError where force_distance was not recorded or a pattern fits no contact. `model` is that of the run.
std::vector<ContactWear> contact_wear(const ResultReader& result, const Model& model, const WearRequest& request);

}  // namespace carom::inline durability
