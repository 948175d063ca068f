#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "command_line.h"

// carom forces, as a user sees it.
namespace carom::cli {
namespace {

using testing::HasSubstr;

// A ball of 1 kg that falls 1 m.
std::string ball(const std::string& contact, const std::string& method = "nonsmooth") {
  return "[model]\ngravity = [0, 0, -9.8]\n[[ground.geometry]]\nshape = \"plane\"\n"
         "[[body]]\nname = \"ball\"\nmass = 1\ninertia = [0.004, 0.004, 0.004]\nposition = [0, 0, 1.1]\n"
         "geometry = [{ shape = \"sphere\", radius = 0.1 }]\n[contact.floor]\n" +
         contact +
         "\n[[pair]]\nname = \"bounce\"\nbodies = [\"ball\", \"ground\"]\ncontact = \"floor\"\n"
         "[solver]\nend = 1\nmethod = \"" +
         method + "\"\n" + (method == "nonsmooth" ? "step = 1e-2\n" : "") + "[output]\nevery = 0.1\n";
}

// A rod of steel that swings in a loose pin and knocks there.
std::string loose_pendulum(const std::string& method) {
  return "[model]\nplane = \"xy\"\ngravity = [0, -9.81]\n"
         "[material.steel]\nyoung = \"210 GPa\"\npoisson = 0.3\nhardness = \"2 GPa\"\nwear_coefficient = 1e-4\n"
         "[[body]]\nname = \"rod\"\nmass = 1\ninertia = 0.02\nposition = [0.2, 0]\n"
         "[contact.dry]\nrestitution = 0.5\nfriction = 0.1\n"
         "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbodies = [\"ground\", \"rod\"]\nat = [0, 0]\n"
         "[joint.clearance]\nradial = \"0.1 mm\"\nbearing_diameter = \"20 mm\"\n"
         "materials = [\"steel\", \"steel\"]\ncontact = \"dry\"\n"
         "[solver]\nend = 1\nmethod = \"" +
         method + "\"\n" + (method == "nonsmooth" ? "step = 1e-3\n" : "") + "[output]\nevery = 1e-2\n";
}

class Forces : public testing::Test {
 protected:
  void run(const std::string& text) {
    folder_.write("ball.toml", text);
    const Outcome outcome = carom(folder_, {"run", "ball.toml", "-o", "ball.h5", "--quiet"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  Folder folder_;
};

TEST_F(Forces, TellPeakAndDurationOfImpacts) {
  run(ball("restitution = 0.6\nlaw = \"flores\"\nstiffness = 1.4e8"));
  const Outcome text = carom(folder_, {"forces", "ball.h5", "-o", "impacts.csv", "--history", "pulse.csv", "--samples",
                                       "50", "--plot", "forces.svg"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("contact:bounce"));
  EXPECT_THAT(text.out, HasSubstr("flores"));
  EXPECT_THAT(contents(folder_ / "impacts.csv"), HasSubstr("peak force [N]"));
  const std::string pulse = contents(folder_ / "pulse.csv");
  EXPECT_EQ(std::count(pulse.begin(), pulse.end(), '\n'), 51);
  EXPECT_THAT(contents(folder_ / "forces.svg"), HasSubstr("<svg"));
  const auto json = nlohmann::json::parse(carom(folder_, {"forces", "ball.h5", "--json"}).out);
  const auto& first = json.at("impacts").at(0);
  // The compliant ball under its weight: 1.4325 ms and 11 273 N.
  EXPECT_NEAR(first.at("impact_speed").get<double>(), std::sqrt(2 * 9.8), 1e-9);
  EXPECT_NEAR(first.at("peak_force").get<double>(), 11273, 5);
  EXPECT_NEAR(first.at("duration").get<double>(), 1.4325e-3, 1e-6);
  const auto hertz = nlohmann::json::parse(carom(folder_, {"forces", "ball.h5", "--json", "--law", "hertz"}).out);
  EXPECT_NEAR(hertz.at("impacts").at(0).at("peak_force").get<double>(), 12358, 15);
}

// Steel on steel: the patch follows from Hertz, p0 = (6 F E*^2/(pi^3 R^2))^(1/3).
TEST_F(Forces, TellStresses) {
  std::string text = ball("restitution = 0.9") +
                     "[material.steel]\nyoung = \"210 GPa\"\npoisson = 0.3\ndensity = 7850\nrestitution = 0.9\n";
  text.replace(text.find("contact = \"floor\"\n"), 0, "materials = [\"steel\", \"steel\"]\n");
  run(text);
  EXPECT_THAT(carom(folder_, {"forces", "ball.h5"}).out, HasSubstr("MPa on a patch of"));
  const auto first = nlohmann::json::parse(carom(folder_, {"forces", "ball.h5", "--json"}).out).at("impacts").at(0);
  const double force = first.at("peak_force"), modulus = 210e9 / (2 * (1 - 0.09)), pi = std::acos(-1.0);
  const double pressure = std::cbrt(6 * force * modulus * modulus / (pi * pi * pi * 0.01));
  EXPECT_NEAR(first.at("max_pressure").get<double>(), pressure, 1e-9 * pressure);
  EXPECT_NEAR(first.at("max_shear").at("stress").get<double>(), 0.310 * pressure, 1e-3 * pressure);
  const double radius = first.at("patch_radius");
  EXPECT_NEAR(first.at("max_shear").at("depth").get<double>(), 0.481 * radius, 2e-3 * radius);
}

TEST_F(Forces, SayWhatIsNotKnown) {
  run(ball("restitution = 0.6"));
  const Outcome outcome = carom(folder_, {"forces", "ball.h5"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("its stiffness is not known: give materials to its bodies, or `stiffness`"));
  const Outcome history = carom(folder_, {"forces", "ball.h5", "--history", "pulse.csv"});
  EXPECT_EQ(history.code, 2);
  EXPECT_THAT(history.err, HasSubstr("no impact whose force can be reported"));
}

TEST_F(Forces, SayHowPlasticImpactsAreRecovered) {
  run(ball("restitution = 0\nstiffness = 1.4e8"));
  EXPECT_THAT(carom(folder_, {"forces", "ball.h5"}).out,
              HasSubstr("without rebound: the force is that of the undamped"));
}

// Compliant results tell their forces themselves; the recovered ones are those of the same model.
TEST_F(Forces, OfCompliantRunsAreThoseRecorded) {
  std::string text = ball("restitution = 0.6\nlaw = \"flores\"", "compliant") +
                     "[material.steel]\nyoung = \"6.043e8 Pa\"\npoisson = 0.3\ndensity = 7850\n";
  text.replace(text.find("contact = \"floor\"\n"), 0, "materials = [\"steel\", \"steel\"]\n");
  run(text);
  const Outcome outcome = carom(folder_, {"forces", "ball.h5", "--plot", "forces.svg", "-o", "table.csv"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("forces as the run followed them"));
  EXPECT_THAT(outcome.out, HasSubstr("MPa on a patch of"));
  EXPECT_THAT(contents(folder_ / "table.csv"), HasSubstr("max shear [Pa]"));
  const auto followed = nlohmann::json::parse(carom(folder_, {"forces", "ball.h5", "--json"}).out).at("impacts").at(0);
  run(replaced(replaced(text, "\"compliant\"", "\"nonsmooth\""), "end = 1\n", "end = 1\nstep = 1e-3\n"));
  const auto recovered = nlohmann::json::parse(carom(folder_, {"forces", "ball.h5", "--json"}).out).at("impacts").at(0);
  for (const char* value : {"peak_force", "duration", "max_penetration", "max_pressure", "patch_radius", "dissipated"})
    EXPECT_NEAR(recovered.at(value).get<double>(), followed.at(value).get<double>(),
                1e-3 * followed.at(value).get<double>())
        << value;
}

// A pin in its bore touches along a line: b = sqrt(4 F R/(pi E* L)), p0 = 2 F/(pi b L).
TEST_F(Forces, TellStressesOfALine) {
  run(replaced(loose_pendulum("nonsmooth"), "bearing_diameter = \"20 mm\"",
               "bearing_diameter = \"20 mm\"\nlength = \"30 mm\""));
  EXPECT_THAT(carom(folder_, {"forces", "ball.h5"}).out, HasSubstr("on a strip of"));
  const auto first = nlohmann::json::parse(carom(folder_, {"forces", "ball.h5", "--json"}).out).at("impacts").at(0);
  const double force = first.at("peak_force"), modulus = 210e9 / (2 * (1 - 0.09)), pi = std::acos(-1.0);
  const double radius = 0.01 * 0.0099 / 0.0001;
  const double half = std::sqrt(4 * force / 0.03 * radius / (pi * modulus));
  EXPECT_NEAR(first.at("minor_half_axis").get<double>(), half, 1e-9 * half);
  EXPECT_NEAR(first.at("max_pressure").get<double>(), 2 * force / 0.03 / (pi * half), 1e-6 * force / half);
  EXPECT_FALSE(first.contains("patch_radius"));
}

TEST_F(Forces, SayWhatStressesLack) {
  run(ball("restitution = 0.6\nstiffness = 1.4e8"));
  EXPECT_THAT(carom(folder_, {"forces", "ball.h5"}).out, HasSubstr("no stresses: no materials: give `materials`"));
  std::string text = ball("restitution = 0.6\nstiffness = 1.4e8") + "[material.soap]\ndensity = 900\n";
  text.replace(text.find("contact = \"floor\"\n"), 0, "materials = [\"soap\", \"soap\"]\n");
  run(text);
  EXPECT_THAT(carom(folder_, {"forces", "ball.h5"}).out, HasSubstr("give `young` in [material.soap]"));
}

TEST_F(Forces, SplitImpulsesOfEveryStep) {
  const std::string text = ball("restitution = 0.5\nstiffness = 1.4e8");
  run(replaced(text, "every = 0.1", "every = 1e-2"));
  const Outcome outcome =
      carom(folder_, {"forces", "ball.h5", "--split", "three", "-o", "parts.csv", "--plot", "parts.svg"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("isolated"));
  EXPECT_THAT(contents(folder_ / "parts.csv"), HasSubstr("continuous force [N]"));
  EXPECT_THAT(contents(folder_ / "parts.svg"), HasSubstr("<svg"));
  const auto json = nlohmann::json::parse(carom(folder_, {"forces", "ball.h5", "--split", "two", "--json"}).out);
  const auto& contact = json.at("contacts").at(0);
  double whole = 0, parts = 0, hardest = 0;
  for (std::size_t k = 0; k < contact.at("time").size(); ++k) {
    whole += contact.at("impulse")[k].get<double>();
    parts += contact.at("continuous")[k].get<double>() + contact.at("impact")[k].get<double>();
    hardest = std::max(hardest, contact.at("impact_force")[k].get<double>());
  }
  EXPECT_NEAR(parts, whole, 1e-12);
  const auto first = nlohmann::json::parse(carom(folder_, {"forces", "ball.h5", "--json"}).out).at("impacts").at(0);
  // The filter leaves the weight of the step in the impact: 1 %.
  EXPECT_NEAR(hardest, first.at("peak_force").get<double>(), 0.02 * hardest);

  run(text);
  const Outcome coarse = carom(folder_, {"forces", "ball.h5", "--split", "two"});
  EXPECT_EQ(coarse.code, 2);
  EXPECT_THAT(coarse.err, HasSubstr("Set every = 0.01 in [output]"));
}

TEST_F(Forces, RefuseWhatDoesNotFit) {
  run(ball("restitution = 0.6\nlaw = \"flores\"\nstiffness = 1.4e8", "compliant"));
  const Outcome split = carom(folder_, {"forces", "ball.h5", "--split", "two"});
  EXPECT_EQ(split.code, 2);
  EXPECT_THAT(split.err, HasSubstr("`carom run --method nonsmooth` makes impulses"));
  const Outcome law = carom(folder_, {"forces", "ball.h5", "--law", "florez"});
  EXPECT_EQ(law.code, 2);
  EXPECT_THAT(law.err, HasSubstr("`carom laws` lists them"));
  const Outcome unknown = carom(folder_, {"forces", "ball.h5", "contact:bounse"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean contact:bounce?"));
  folder_.write("pendulum.toml", pendulum);
  ASSERT_EQ(carom(folder_, {"run", "pendulum.toml", "-o", "p.h5", "--quiet"}).code, 0);
  const Outcome free = carom(folder_, {"forces", "p.h5"});
  EXPECT_EQ(free.code, 2);
  EXPECT_THAT(free.err, HasSubstr("has no contacts"));
  folder_.write("cut.h5", contents(folder_ / "ball.h5").substr(0, 3000));
  const Outcome cut = carom(folder_, {"forces", "cut.h5"});
  EXPECT_EQ(cut.code, 2);
  EXPECT_THAT(cut.err, HasSubstr("cut.h5"));
}

TEST_F(Forces, RefuseShapesThatCannotTouch) {
  folder_.write("bad.toml",
                replaced(ball("restitution = 0.5"), "shape = \"sphere\", radius = 0.1", "shape = \"plane\""));
  const Outcome outcome = carom(folder_, {"run", "bad.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("which cannot touch"));
  EXPECT_THAT(outcome.err, HasSubstr("bad.toml:"));
}

// Two driven plates that meet: the impulse is there, and nothing gives way.
TEST_F(Forces, SayWhenNothingGivesWay) {
  const std::string driven =
      "[[motion]]\nname = \"fall\"\nbody = \"ball\"\ncomponent = \"z\"\nposition = \"=1.1 - t\"\n";
  folder_.write("ball.toml", replaced(ball("restitution = 0\nstiffness = 1e9"), "end = 1\n", "end = 1.01\n") + driven);
  const Outcome run = carom(folder_, {"run", "ball.toml", "-o", "ball.h5", "--quiet"});
  // Whether the run comes to its end or says that the drive and the floor contradict each other, it does not crash.
  EXPECT_TRUE(run.code == 0 || run.code == 1) << run.err;
  const Outcome forces = carom(folder_, {"forces", "ball.h5"});
  EXPECT_EQ(forces.code, 0) << forces.err;
  EXPECT_THAT(forces.out, testing::Not(HasSubstr("nan")));
  EXPECT_THAT(forces.out, testing::Not(HasSubstr("inf")));
}

// Parameters that were set for the run, and files that the model includes, are those of the run.
TEST_F(Forces, TakeTheModelAsItWasRun) {
  const std::string text = ball("restitution = 0.9\nstiffness = \"=hard\"") + "[parameters]\nhard = 1e8\n";
  folder_.write("ball.toml", "include = [\"rest.toml\"]\n");
  folder_.write("rest.toml", text);
  ASSERT_EQ(carom(folder_, {"run", "ball.toml", "--set", "hard=1e9", "-o", "ball.h5", "--quiet"}).code, 0);
  const Outcome outcome = carom(folder_, {"forces", "ball.h5", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

}  // namespace
}  // namespace carom::cli
