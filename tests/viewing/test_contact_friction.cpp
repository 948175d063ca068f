#include <gtest/gtest.h>

#include "model_io/read_model.h"
#include "viewing/contact_friction.h"

namespace carom {
namespace {

const char* const text = R"toml(
[model]
plane = "xy"
[material.steel]
young = "207 GPa"
poisson = 0.3
restitution = 0.5
friction = 0.4
[material.ice]
young = "9 GPa"
poisson = 0.3
restitution = 0.5
friction = 0.1
[contact.given]
friction = { law = "coulomb", coefficient = 0.25 }
[contact.smooth]
friction = { law = "none" }
[[ground.geometry]]
name = "floor"
shape = "plane"
material = "ice"
[[body]]
name = "ball"
mass = 1
inertia = 1
position = [0, 2]
[[body.geometry]]
shape = "sphere"
radius = 1
material = "steel"
[[pair]]
name = "of materials"
bodies = ["ball", "ground"]
[[pair]]
name = "of law"
bodies = ["ball*", "ground"]
contact = "given"
[[pair]]
name = "without"
bodies = ["ball", "ground"]
contact = "smooth"
)toml";

TEST(FrictionOf, IsGivenOrComesFromTheMaterials) {
  ProblemList problems;
  const Model model = read_model_text(text, "friction.toml", problems);
  ASSERT_EQ(problems.errors(), 0) << problems.text();
  EXPECT_DOUBLE_EQ(friction_of(model, "contact:of materials"), 0.2);  // √(0.4 · 0.1)
  EXPECT_EQ(friction_of(model, "contact:of law"), 0.25);
  EXPECT_EQ(friction_of(model, "contact:without"), 0);
  EXPECT_EQ(friction_of(model, "joint:unknown"), 0);
}

}  // namespace
}  // namespace carom
