#include <gtest/gtest.h>

#include "model/contact_names.h"

namespace carom {
namespace {

const std::string point = "contact:knock (ball.skin on floor.s1) point 3";

TEST(ContactNames, GoOnWithShapesAndPoint) {
  EXPECT_EQ("contact:knock" + shapes_in_name("ball.skin", "floor.s1") + point_in_name(3), point);
  EXPECT_EQ("joint:pin" + features_in_name(2, 5), "joint:pin point 2/5");
}

TEST(ContactNames, GiveTheirGroupBack) {
  EXPECT_EQ(contact_group(point), "contact:knock");
  EXPECT_EQ(without_point(point), "contact:knock (ball.skin on floor.s1)");
  EXPECT_EQ(contact_group("joint:pin"), "joint:pin");
  EXPECT_EQ(contact_group("joint:pin point 12"), "joint:pin");
  EXPECT_EQ(contact_group("contact:knock point 2/17"), "contact:knock");
}

// Names of the user may hold blanks, brackets and the words themselves.
TEST(ContactNames, MayHoldBlanksAndBrackets) {
  for (const std::string group :
       {"contact:the ball on the floor", "contact:ball (left)", "contact:match point", "joint:pin (a) (b)"}) {
    EXPECT_EQ(contact_group(group), group);
    EXPECT_EQ(contact_group(group + point_in_name(4)), group);
    EXPECT_EQ(contact_group(group + shapes_in_name("a (1).x", "b y.z") + point_in_name(1)),
              contact_group(group + shapes_in_name("a (1).x", "b y.z")));
    EXPECT_EQ(contact_group(group + shapes_in_name("a.x", "b")), group);
    EXPECT_TRUE(belongs_to(group + shapes_in_name("a.x", "b") + point_in_name(1), group));
  }
}

TEST(ContactNames, BelongToWhatIsAskedFor) {
  for (const char* asked : {"contact:knock", "contact:knock (ball.skin on floor.s1)", "contact:*", "*", "contact:kn?ck",
                            "*point 3", "contact:knock (ball* on *)"})
    EXPECT_TRUE(belongs_to(point, asked)) << asked;
  EXPECT_TRUE(belongs_to(point, point));
  for (const char* asked : {"contact:knoc", "contact:knock2", "joint:*", "", "contact:knock (ball.skin on floor.s2)",
                            "contact:knock point 3", "contact:knock (ball.skin on floor.s1) point 4"})
    EXPECT_FALSE(belongs_to(point, asked)) << asked;
  EXPECT_FALSE(belongs_to("contact:knock", point));
  EXPECT_FALSE(belongs_to("contact:knock-2 point 3", "contact:knock"));
}

TEST(ContactNames, AreMeantByOneOfSeveralOrByNone) {
  EXPECT_TRUE(belongs_to_any(point, {}));
  EXPECT_TRUE(belongs_to_any(point, {"joint:pin", "contact:knock"}));
  EXPECT_FALSE(belongs_to_any(point, {"joint:pin", "contact:knocks"}));
}

// Result files cut long names.
TEST(ContactNames, ThatWereCutBelongToTheirBeginning) {
  EXPECT_EQ(contact_group("contact:knock (ball.skin on flo…"), "contact:knock");
  EXPECT_TRUE(belongs_to("contact:knock (ball.skin on flo…", "contact:knock"));
  EXPECT_TRUE(belongs_to("contact:a-very-long-na…", "contact:a-very-long-name"));
  EXPECT_FALSE(belongs_to("contact:a-very-long-na…", "contact:a-very-short-name"));
}

}  // namespace
}  // namespace carom
