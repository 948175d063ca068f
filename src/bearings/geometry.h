#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "model/model.h"

// Rolling bearings in space: what their keys say, as numbers (docs/theory/rolling_bearings.md).
namespace carom::inline bearings {

// What the ribs of a cylindrical roller bearing hold: nothing (N, NU), the inner ring when it is pushed along the axis
// or against it (NJ), both (NUP).
enum class BearingRibs { none, along, against, both };
constexpr std::array<std::string_view, 4> names_of(BearingRibs) {
  return {"none", "along", "against", "both"};
}

// A ring of rolling elements. `direction` +1: it is loaded when the inner ring is pushed along the axis of the bearing,
// −1: against it. It only matters to bearings with a contact angle.
struct BearingRow {
  double position = 0;  // m, of the centres of its elements along the axis, from the centre of the bearing
  double direction = 1;
};

// Lengths in m, angles in rad; pairs are of the inner and of the outer race.
struct RollingGeometry {
  BearingType type = BearingType::deep_groove;
  int elements = 0;             // balls or rollers of one row
  double element_diameter = 0;  // D_w: of a ball; of a roller, in the middle of its length
  double pitch_diameter = 0;    // D_pw, of the circle of their centres
  double contact_angle = 0;     // α₀, of the touching bearing without load, against the radial plane
  double clearance = 0;         // radial, on one side; < 0: the elements are pressed in
  double first_angle = 0;       // of the first element of every row, about the axis from the frame's x
  std::vector<BearingRow> rows = {};
  double preload_displacement = 0;  // by which rings have been pushed together along every row's direction
  double preload = 0;               // N, the axial force of a row that does so; instead of the displacement

  std::array<double, 2> groove_radius{};  // r_i, r_e of balls, in the section through the axis
  double length = 0;                      // L_we of rollers, that carries
  double crowning = 0;                    // by how much a roller is thinner at its ends, of its radius
  RollerProfile profile = RollerProfile::straight;
  int slices = 1;
  BearingRibs ribs = BearingRibs::none;
  double rib_clearance = 0;  // by which the inner ring moves along the axis from the middle until its ribs touch
  double rib_stiffness = 0;  // of one roller between the ribs of both rings, N/m

  std::array<double, 2> composite_modulus{};  // Pa, E* of an element with a race
  double poisson = 0;                         // of the races
  double mass = 0;                            // kg, of one element
  double inertia = 0;                         // kg m², of a ball about a diameter, of a roller about its axis
  bool estimated = false;                     // the inner dimensions come from a designation

  bool balls() const { return has_balls(type); }
  bool has_ribs() const { return ribs != BearingRibs::none; }
  // Half the angle of the cone that a tapered roller is: its tip and that of the bearing's cones are one point, so that
  // tan β = D_w sin(α₀ − β)/D_pw.
  double half_taper() const;
  // The distance of the centres of both grooves while a ball just touches them.
  double groove_centre_distance() const { return groove_radius[0] + groove_radius[1] - element_diameter; }
};

// What the keys of a bearing of a sound model say, with what its designation knows where they are silent.
RollingGeometry rolling_geometry(const Model& model, const BearingModel& bearing);

// The same without what materials say: for checks while a model is read.
RollingGeometry stated_geometry(const Settings& settings);

}  // namespace carom::inline bearings
