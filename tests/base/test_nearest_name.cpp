#include <gtest/gtest.h>

#include "base/nearest_name.h"

namespace carom {
namespace {

TEST(EditDistance, CountsEachKindOfSlipOnce) {
  EXPECT_EQ(edit_distance("mass", "mass"), 0);
  EXPECT_EQ(edit_distance("MASS", "mass"), 0);
  EXPECT_EQ(edit_distance("mas", "mass"), 1);
  EXPECT_EQ(edit_distance("masss", "mass"), 1);
  EXPECT_EQ(edit_distance("moss", "mass"), 1);
  EXPECT_EQ(edit_distance("amss", "mass"), 1);
  EXPECT_EQ(edit_distance("", "mass"), 4);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("ca", "abc"), 3);  // optimal string alignment: 2 in the unrestricted distance
}

TEST(NearestName, FindsTheNearestWithinTheCutOff) {
  const std::vector<std::string> keys = {"mass", "inertia", "position", "restitution", "friction"};
  EXPECT_EQ(nearest_name("restituton", keys), "restitution");
  EXPECT_EQ(nearest_name("Posiiton", keys), "position");
  EXPECT_EQ(nearest_name("masse", keys), "mass");
  EXPECT_EQ(nearest_name("colour", keys), std::nullopt);
  EXPECT_EQ(nearest_name("", keys), std::nullopt);
  EXPECT_EQ(nearest_name("mass", {}), std::nullopt);
  EXPECT_EQ(nearest_name("x", {"y", "z"}), std::nullopt);
  EXPECT_EQ(nearest_name("X", {"y", "x"}), "x");
  EXPECT_EQ(nearest_name("bat", {"cat", "hat"}), "cat");
  EXPECT_EQ(nearest_name(std::string(1000000, 'a'), keys), std::nullopt);
}

TEST(NearestName, MakesAQuestion) {
  EXPECT_EQ(did_you_mean("frictoin", {"mass", "friction"}), "did you mean `friction`?");
  EXPECT_EQ(did_you_mean("gravity", {"mass", "friction"}), "");
}

TEST(MatchesPattern, FollowsStarsAndQuestionMarks) {
  EXPECT_TRUE(matches_pattern("body:crank.x", "body:*"));
  EXPECT_TRUE(matches_pattern("body:crank.x", "*.x"));
  EXPECT_TRUE(matches_pattern("body:crank.x", "*:*.?"));
  EXPECT_TRUE(matches_pattern("energy", "energy"));
  EXPECT_TRUE(matches_pattern("energy", "**energy**"));
  EXPECT_TRUE(matches_pattern("", "*"));
  EXPECT_TRUE(matches_pattern("", ""));
  EXPECT_TRUE(matches_pattern("ababac", "*abac"));
  EXPECT_FALSE(matches_pattern("energy", "energy?"));
  EXPECT_FALSE(matches_pattern("energy", "energ"));
  EXPECT_FALSE(matches_pattern("energy.kinetic", "energy"));
  EXPECT_FALSE(matches_pattern("body:crank.x", "joint:*"));
  EXPECT_FALSE(matches_pattern("body:crank.x", ""));
  EXPECT_FALSE(matches_pattern("", "?"));
}

TEST(MatchesPattern, StaysQuickOnManyStars) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(matches_pattern(std::string(2000, 'a') + 'b', pattern));
}

}  // namespace
}  // namespace carom
