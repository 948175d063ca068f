#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "bearings/designations.h"

namespace carom {
namespace {

TEST(Designations, HaveTheBoundaryDimensionsOfTheStandards) {
  struct Row {
    const char* name;
    double bore, outer, width;
  };
  for (const Row& row :
       {Row{"6204", 20, 47, 14}, Row{"6305", 25, 62, 17}, Row{"6000", 10, 26, 8}, Row{"7210C", 50, 90, 20},
        Row{"7014AC", 70, 110, 20}, Row{"7308B", 40, 90, 23}, Row{"NU206", 30, 62, 16}, Row{"N1012", 60, 95, 18},
        Row{"NU310", 50, 110, 27}, Row{"30206", 30, 62, 17.25}, Row{"51105", 25, 42, 11}, Row{"6220", 100, 180, 34}}) {
    const auto found = find_designation(row.name);
    ASSERT_TRUE(found) << row.name;
    EXPECT_NEAR(found->bore, 1e-3 * row.bore, 1e-12) << row.name;
    EXPECT_NEAR(found->outer, 1e-3 * row.outer, 1e-12) << row.name;
    EXPECT_NEAR(found->width, 1e-3 * row.width, 1e-12) << row.name;
  }
  for (const char* unknown : {"", "62", "6221", "6299", "7206", "62O4", "7206D", "51111", "30202", "06204", "6204 "})
    EXPECT_FALSE(find_designation(unknown)) << unknown;
}

// What makers print of the inside of their bearings.
TEST(Designations, EstimateTheInsideWithinATenth) {
  struct Row {
    const char* name;
    int elements;
    double diameter, pitch;
  };
  for (const Row& row :
       {Row{"6204", 8, 7.938, 33.5}, Row{"6205", 9, 7.938, 38.5}, Row{"6206", 9, 9.525, 46}, Row{"6306", 8, 12.3, 51},
        Row{"6004", 9, 6.35, 31}, Row{"6208", 9, 11.906, 60}, Row{"6308", 8, 15.081, 65}, Row{"NU206", 13, 9, 46.5}}) {
    const auto found = find_designation(row.name);
    ASSERT_TRUE(found) << row.name;
    EXPECT_EQ(found->elements, row.elements) << row.name;
    EXPECT_NEAR(found->element_diameter, 1e-3 * row.diameter, 1e-4 * row.diameter) << row.name;
    EXPECT_NEAR(found->pitch_diameter, 1e-3 * row.pitch, 1e-4 * row.pitch) << row.name;
  }
}

// Elements of every size lie within the rings and beside each other.
TEST(Designations, SayWhatTheRibsHold) {
  EXPECT_EQ(find_designation("NU206")->ribs, BearingRibs::none);
  EXPECT_EQ(find_designation("NJ206")->ribs, BearingRibs::along);
  EXPECT_EQ(find_designation("NUP1006")->ribs, BearingRibs::both);
  for (const std::string& each : all_designations()) EXPECT_TRUE(find_designation(each)) << each;
  EXPECT_GT(all_designations().size(), 400U);
}

TEST(Designations, FitInside) {
  for (const std::string before : {"60", "62", "63", "N2", "N3", "N10", "NU2", "302", "511"}) {
    for (int size = 0; size <= 20; ++size) {
      const std::string name = before + (size < 10 ? "0" : "") + std::to_string(size);
      const auto found = find_designation(name);
      if (!found) continue;
      EXPECT_GE(found->elements, 5) << name;
      EXPECT_LT(found->elements * std::asin(found->element_diameter / found->pitch_diameter), M_PI) << name;
      if (before != "511") {
        EXPECT_LT(found->element_diameter, 0.4 * (found->outer - found->bore)) << name;
      }
      EXPECT_LT(found->length, found->width) << name;
    }
  }
}

}  // namespace
}  // namespace carom
