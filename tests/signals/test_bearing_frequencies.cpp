#include <gtest/gtest.h>

#include <cmath>

#include "signals/bearing_frequencies.h"

namespace carom {
namespace {

// SKF 6205-2RS, the drive end of the test rig of Case Western Reserve University (W. A. Smith, R. B. Randall,
// Mechanical Systems and Signal Processing 64–65, 2015, table 2), in multiples of the speed of the shaft.
TEST(BearingFrequencies, ThoseOfAKnownBearing) {
  const RollingDimensions bearing{.elements = 9, .element_diameter = 7.94e-3, .pitch_diameter = 39.04e-3};
  const DefectFrequencies f = defect_frequencies(bearing, 1, 0);
  EXPECT_NEAR(f.inner, 5.415, 0.002);
  EXPECT_NEAR(f.outer, 3.585, 0.002);
  EXPECT_NEAR(f.cage, 0.3983, 0.0002);
  EXPECT_NEAR(2 * f.element, 4.714, 0.003);
}

// Rolling without slip: speeds of the surfaces at the contacts, worked out from the cone of the contact angle.
TEST(BearingFrequencies, AreThoseOfRolling) {
  const RollingDimensions bearing{
      .elements = 16, .element_diameter = 22e-3, .pitch_diameter = 125e-3, .contact_angle = 0.7};
  const double inner = 120, outer = -35;
  const double reach = bearing.element_diameter / 2 * std::cos(0.7), middle = bearing.pitch_diameter / 2;
  const double at_inner = inner * (middle - reach), at_outer = outer * (middle + reach);
  const double cage = (at_inner + at_outer) / 2 / middle;
  const DefectFrequencies f = defect_frequencies(bearing, inner, outer);
  EXPECT_NEAR(f.cage, std::abs(cage), 1e-9);
  EXPECT_NEAR(f.outer, 16 * std::abs(cage - outer), 1e-9);
  EXPECT_NEAR(f.inner, 16 * std::abs(inner - cage), 1e-9);
  // As the cage sees it, the ball turns about the axis across the contacts and takes the inner race along.
  EXPECT_NEAR(f.element, std::abs((inner - cage) * (middle - reach)) / (bearing.element_diameter / 2), 1e-9);
  EXPECT_NEAR(f.shaft, 155, 1e-12);
}

TEST(BearingFrequencies, LinesAreNamed) {
  const std::vector<MarkedFrequency> marks = {{"BPFO", 107.3, 0}, {"BPFI", 162.7, 30}, {"2 BSF", 141, 11.9}};
  const auto name = [&](double frequency) { return text_of(name_line(frequency, marks, 0.5), marks); };
  EXPECT_EQ(name(107.4), "BPFO");
  EXPECT_EQ(name(321.9), "3 BPFO");
  EXPECT_EQ(name(162.7 + 30), "BPFI + 30 Hz");
  EXPECT_EQ(name(2 * 162.7 - 60.3), "2 BPFI − 2 × 30 Hz");
  EXPECT_EQ(name(282), "2 × 2 BSF");
  EXPECT_EQ(name(50), "");
  EXPECT_NEAR(name_line(2 * 162.7 - 60.3, marks, 0.5).frequency, 265.4, 1e-9);
}

TEST(BearingFrequencies, RacesThatTurnGoRoundTheLoad) {
  const auto marks = marks_of({.shaft = 50, .cage = 20, .outer = 180, .inner = 270, .element = 120}, -50, 0);
  ASSERT_EQ(marks.size(), 5u);
  EXPECT_EQ(marks[0].side_bands, 0);
  EXPECT_EQ(marks[1].side_bands, 50);
  EXPECT_EQ(marks[2].frequency, 240);
  EXPECT_EQ(marks[2].side_bands, 20);
}

}  // namespace
}  // namespace carom
