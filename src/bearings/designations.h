#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bearings/geometry.h"

// Rolling bearings by their designation. Bore, outer diameter and width are those of ISO 15 (radial), ISO 355 (tapered)
// and ISO 104 (thrust). What is inside is each maker's own: it is ESTIMATED, from the room between the rings, by the
// rules below, which meet the common catalogues within about a tenth.
namespace carom::inline bearings {

struct DesignatedBearing {
  BearingType type = BearingType::deep_groove;
  double bore = 0, outer = 0, width = 0;  // m: d, D and B, or T of tapered and thrust bearings
  // Estimated, with H = (D − d)/2 and D_pw = (D + d)/2:
  //   deep groove       D_w = 0.588 H, Z = 1 + ⌊197°/(2 asin(D_w/D_pw))⌋, what can be filled in between eccentric rings
  //   angular contact   D_w = 0.58 H, Z = ⌊0.85 π/asin(D_w/D_pw)⌋, α₀ = 15° (C), 25° (AC, A5), 40° (B)
  //   cylindrical       D_w = L_we = 0.56 H, Z as angular contact
  //   tapered           D_w = 0.47 H, L_we = 0.65 T, α₀ = 14°, Z = ⌊0.9 π/asin(D_w/D_pw)⌋
  //   thrust            D_w = 0.62 (T − H/5), Z = ⌊0.85 π/asin(D_w/D_pw)⌋
  // Grooves of 0.52 D_w inside and 0.53 D_w outside, 0.535 D_w of thrust bearings, both sides.
  int elements = 0;
  double element_diameter = 0, pitch_diameter = 0;  // m
  double contact_angle = 0;                         // rad
  double length = 0;                                // m, of rollers
  double inner_conformity = 0, outer_conformity = 0;
  BearingRibs ribs = BearingRibs::none;
};

// 60, 62, 63 (deep groove), 70, 72, 73 with C, AC or B (angular contact), N, NU, NJ and NUP 2, 3 and 10 (cylindrical
// roller), 302 (tapered), 511 (thrust), with the two figures of the bore from 00 to 20, as "6204", "7210C", "NU206" or
// "30206". None for what it does not know.
std::optional<DesignatedBearing> find_designation(std::string_view designation);

// Which are known, for messages.
std::string known_designations();

// All of them, one by one.
std::vector<std::string> all_designations();

}  // namespace carom::inline bearings
