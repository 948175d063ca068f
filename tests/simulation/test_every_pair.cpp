#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "../support/temporary_folder.h"
#include "contact_geometry/pair.h"
#include "contact_geometry/shape_description.h"
#include "contact_laws/elliptic_contact.h"
#include "model_io/read_model.h"
#include "recording/recorded_run.h"
#include "simulation/run.h"

// Every pair of shapes in space, in both methods: one lies on the ground, the other falls onto it, or stands in it. A
// new shape is met here by itself; pairs that cannot touch are named.
namespace carom {
namespace {

constexpr double size = 0.05;  // m, that every shape goes up and down from its middle at the most

// A notched block, as text of an OBJ file.
const char* const notched = R"(v -0.05 -0.05 -0.05
v 0.05 -0.05 -0.05
v 0.05 -0.05 0.05
v 0 -0.05 0.01
v -0.05 -0.05 0.05
v -0.05 0.05 -0.05
v 0.05 0.05 -0.05
v 0.05 0.05 0.05
v 0 0.05 0.01
v -0.05 0.05 0.05
f 1 2 3
f 1 3 4
f 1 4 5
f 6 8 7
f 6 9 8
f 6 10 9
f 1 6 7
f 1 7 2
f 2 7 8
f 2 8 3
f 3 8 9
f 3 9 4
f 4 9 10
f 4 10 5
f 5 10 6
f 5 6 1
)";

// The keys of a shape that fits into a ball of twice the size, by its name; none: the test does not know it.
const std::map<std::string, std::string>& keys_of_shapes() {
  static const std::map<std::string, std::string> keys = {
      {"sphere", "radius = 0.05"},
      {"box", "size = [0.1, 0.1, 0.1]"},
      {"ellipsoid", "size = [0.1, 0.08, 0.06]"},
      {"cylinder", "radius = 0.04\nlength = 0.1"},
      {"capsule", "radius = 0.03\nlength = 0.04"},
      {"cone", "radius = 0.05\ntop_radius = 0.03\nlength = 0.1"},
      {"hull", "points = [[-0.05, -0.05, -0.05], [0.05, -0.05, -0.05], [0, 0.05, -0.05], [0, 0, 0.05]]"},
      {"torus", "radius = 0.035\ntube_radius = 0.015"},
      {"mesh", "file = \"notched.obj\"\nunit = \"1 m\""},
      {"heightfield", "size = [0.1, 0.1, 0.04]\nrelief = \"=0.1*(x^2 + y^2)/1[m]\"\nspacing = 0.02"},
      {"plane", ""},
      {"cavity", "radius = 0.12"},
      {"bore", "radius = 0.12\nlength = 0.4"},
      {"slot", "width = 0.2\nheight = 0.2"},
  };
  return keys;
}

bool is_hole(const std::string& shape) {
  return shape == "cavity" || shape == "bore" || shape == "slot";
}
bool is_mesh(const std::string& shape) {
  return shape == "mesh" || shape == "heightfield";
}

template <typename Kinds>
bool can_touch(const Kinds& a, const Kinds& b) {
  return find_pair<3>(a.kind, b.kind) || find_pair<3>(b.kind, a.kind);
}

std::string model_of(const std::string& ground, const std::string& falling, bool nonsmooth) {
  const bool inside = is_hole(ground);
  const double height = inside ? 0 : ground == "plane" ? 2 * size : 3 * size;
  // The channel lies.
  const std::string turn =
      inside && ground != "cavity" ? "orientation = { axis = [0, 1, 0], angle = \"90 deg\" }\n" : "";
  return fmt::format(R"(
[model]
gravity = [0, 0, -9.81]
[[ground.geometry]]
name = "below"
shape = "{}"
{}
{}
[[body]]
name = "part"
mass = 1
inertia = [0.001, 0.0012, 0.0014]
position = [0.002, 0.001, {}]
orientation = {{ axis = [1, 2, 3], angle = 0.2 }}
[[body.geometry]]
name = "above"
shape = "{}"
{}
[contact.c]
elastic = "linear"
stiffness = 1e5
restitution = 0.3
friction = 0.3
[[pair]]
name = "pair"
bodies = ["part", "ground"]
contact = "c"
[solver]
method = "{}"
end = 0.2
{}
[output]
every = 0.01
)",
                     ground, turn, keys_of_shapes().at(ground), height, falling, keys_of_shapes().at(falling),
                     nonsmooth ? "nonsmooth" : "compliant", nonsmooth ? "step = 0.001" : "tolerance = 1e-6");
}

class Drops : public testing::Test {
 protected:
  Drops() { std::ofstream(folder_.path() / "notched.obj") << notched; }

  void drop(const std::string& ground, const std::string& falling, bool nonsmooth, bool possible) {
    SCOPED_TRACE(falling + " onto " + ground + (nonsmooth ? " by impulses" : " by forces"));
    ProblemList problems;
    const Model model =
        read_model_text(model_of(ground, falling, nonsmooth), "drop.toml", problems, {}, folder_.path());
    if (!possible) {
      EXPECT_NE(problems.text().find("which cannot touch"), std::string::npos) << problems.text();
      return;
    }
    ASSERT_EQ(problems.text(), "");
    RecordedRun recorded;
    RunOptions options;
    options.memory = &recorded;
    const RunSummary summary = run(model, options);
    EXPECT_EQ(summary.status, RunStatus::complete) << summary.reason;
    const auto z = recorded.column("body:part.z");
    const long contacts = nonsmooth ? (summary.nonsmooth ? summary.nonsmooth->impacts : 0) : summary.contacts.begun;
    EXPECT_GT(contacts, 0);
    // It lies on the other, or in the hole, and has not gone through: 0.2 s of free fall are 0.2 m.
    EXPECT_GT(z.back(), is_hole(ground) ? -0.125 : ground == "plane" ? 0.01 : -0.03) << "from " << z.front();
    EXPECT_LT(z.back(), z.front() + 1e-3);
    // Contact points that came or went at depth would bring energy or take it away.
    if (!nonsmooth && (is_mesh(ground) || is_mesh(falling))) {
      EXPECT_LT(summary.energy.largest_residual, 5e-3 * summary.energy.largest);
    }
  }

  TemporaryFolder folder_;
};

TEST_F(Drops, EveryShapeOntoEveryOther) {
  for (const ShapeDescription<3>& below : shape_catalogue<3>()) {
    // Outlines are of the plane; parts of STEP files touch by their triangles, as meshes do; races are made by
    // bearings.
    if (below.name == "profile" || below.name == "step" || below.name.ends_with("_race")) continue;
    ASSERT_TRUE(keys_of_shapes().contains(below.name)) << "a shape that this test does not know: " << below.name;
    for (const ShapeDescription<3>& above : shape_catalogue<3>()) {
      if (above.name == "profile" || above.name == "step" || above.name == "plane" || is_hole(above.name) ||
          above.name.ends_with("_race"))
        continue;
      drop(below.name, above.name, false, can_touch(below, above));
      drop(below.name, above.name, true, can_touch(below, above));
    }
  }
}

// An oblate ellipsoid that stands on its pole has the radius a²/c there: its impact is as deep as Hertz' theory says,
// δ = (5 m v² / (4 K))^(2/5) with K = 4/3 E* √R; so is that of a torus on its rim, with the stiffness of an ellipse.
TEST_F(Drops, CurvedSolidsAreAsStiffAsTheirRadii) {
  const auto deepest = [&](const std::string& shape, double height) {
    const std::string text = fmt::format(R"(
[model]
gravity = [0, 0, 0]
[material.steel]
young = 2e11
poisson = 0.3
[[ground.geometry]]
name = "below"
shape = "plane"
[[body]]
name = "part"
mass = 1
inertia = [0.001, 0.001, 0.001]
position = [0, 0, {}]
velocity = [0, 0, -1]
[[body.geometry]]
name = "above"
{}
[contact.c]
restitution = 1
[[pair]]
name = "pair"
bodies = ["part", "ground"]
contact = "c"
materials = ["steel", "steel"]
[solver]
end = 0.002
tolerance = 1e-9
)",
                                         height, shape);
    ProblemList problems;
    const Model model = read_model_text(text, "impact.toml", problems, {}, folder_.path());
    EXPECT_EQ(problems.text(), "");
    RecordedRun recorded;
    RunOptions options;
    options.memory = &recorded;
    const RunSummary summary = run(model, options);
    EXPECT_EQ(summary.contacts.begun, 1);
    return summary.contacts.largest_penetration;
  };
  const double modulus = 1e11 / (1 - 0.09);
  const auto by_hertz = [&](double radius) { return std::pow(5.0 / (4 * 4.0 / 3 * modulus * std::sqrt(radius)), 0.4); };
  const double ellipsoid = deepest("shape = \"ellipsoid\"\nsize = [0.1, 0.1, 0.04]", 0.0205);
  EXPECT_NEAR(ellipsoid / by_hertz(0.05 * 0.05 / 0.02), 1, 1e-4);
  const double flat = std::numeric_limits<double>::infinity();
  const double root = 3.0 / 4 * elliptic_contact({0.01, 0.05}, {flat, flat}, 0)->stiffness(1);
  const double torus = deepest(
      "shape = \"torus\"\nradius = 0.04\ntube_radius = 0.01\n"
      "orientation = { axis = [1, 0, 0], angle = \"90 deg\" }",
      0.0505);
  EXPECT_NEAR(torus / by_hertz(root * root), 1, 1e-4);
}

// What a mesh touches, parts of STEP files touch.
TEST(EveryPair, StepPartsTouchWhatMeshesTouch) {
  constexpr ShapeKind mesh = kind_named("mesh"), step = kind_named("step");
  for (const PairDescription<3>& pair : pair_catalogue<3>()) {
    if (pair.a != mesh && pair.b != mesh) continue;
    const ShapeKind a = pair.a == mesh ? step : pair.a, b = pair.b == mesh ? step : pair.b;
    EXPECT_TRUE(find_pair<3>(a, b) || find_pair<3>(b, a)) << pair.name;
  }
}

}  // namespace
}  // namespace carom
