#include "run_parts.h"

// Rings of rolling bearings that nothing holds along the axis.
namespace carom {
namespace {

// A shaft in one rolling bearing in space, with a load along its axis.
std::string axial_text(const std::string& bearing, const std::string& force, const std::string& end = "1 ms") {
  return R"(
[model]
gravity = [0, 0, 0]

[material.steel]
young = "207 GPa"
poisson = 0.3
density = 7800

[[body]]
name = "shaft"
mass = 1
inertia = [0.01, 0.01, 0.005]

[[force]]
name = "load"
type = "force"
body = "shaft"
force = )" +
         force + R"(

[[bearing]]
name = "support"
bodies = ["ground", "shaft"]
at = [0, 0, 0]
axis = [0, 0, 1]
material = "steel"
damping = "2 kN s/m"
)" + bearing +
         R"(

[solver]
integrator = "bdf"
end = ")" +
         end + "\"\n";
}

std::string warnings_of(const std::string& text) {
  std::string all;
  for (const std::string& warning : run_text(text, {}).summary.warnings) all += warning + "\n";
  return all;
}

TEST(RollingBearingRun, SaysWhatNoRibHoldsAlongTheAxis) {
  const std::string axial = "[200, 0, 100]", back = "[200, 0, -100]", across = "[200, 0, 0]";
  const std::string nu = "designation = \"NU206\"", nj = "designation = \"NJ206\"", nup = "designation = \"NUP206\"";
  EXPECT_NE(warnings_of(axial_text(nu, axial)).find("100 N act on body shaft along the axis of bearing.support"),
            std::string::npos);
  EXPECT_NE(warnings_of(axial_text(nu, axial)).find("NUP"), std::string::npos);
  // Ribs of NJ hold one way.
  EXPECT_EQ(warnings_of(axial_text(nj, axial)).empty(), !warnings_of(axial_text(nj, back)).empty());
  EXPECT_EQ(warnings_of(axial_text(nup, axial)), "");
  EXPECT_EQ(warnings_of(axial_text(nup, back)), "");
  EXPECT_EQ(warnings_of(axial_text("designation = \"6206\"", axial)), "");
  EXPECT_EQ(warnings_of(axial_text(nu, across)), "");
  // A spring, or a joint, holds as well.
  const std::string held = nu + R"(

[[force]]
name = "stop"
type = "bushing"
bodies = ["ground", "shaft"]
at = [0, 0, 0]
stiffness = [0, 0, 1e6]
)",
                    planar = nu + R"(

[[joint]]
name = "guide"
type = "planar"
bodies = ["ground", "shaft"]
at = [0, 0, 0]
axis = [0, 0, 1]
)";
  EXPECT_EQ(warnings_of(axial_text(held, axial)), "");
  EXPECT_EQ(warnings_of(axial_text(planar, axial)), "");
}

// Loads that come later are seen by what they have done.
TEST(RollingBearingRun, SaysThatARingHasLeftItsRollers) {
  const std::string later = R"x([200, 0, "=1e5[N]*t/1[s]"])x";
  const std::string said = warnings_of(axial_text("designation = \"NU206\"", later, "20 ms"));
  EXPECT_NE(said.find("the inner ring of bearing.support has moved by"), std::string::npos) << said;
}

}  // namespace
}  // namespace carom
