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
  EXPECT_THAT(history.err, HasSubstr("no impact whose force can be told"));
}

TEST_F(Forces, SayHowPlasticImpactsAreRecovered) {
  run(ball("restitution = 0\nstiffness = 1.4e8"));
  EXPECT_THAT(carom(folder_, {"forces", "ball.h5"}).out,
              HasSubstr("without rebound: the force is that of the undamped"));
}

TEST_F(Forces, AskForImpulses) {
  run(ball("restitution = 0.6\nlaw = \"flores\"\nstiffness = 1.4e8", "compliant"));
  const Outcome outcome = carom(folder_, {"forces", "ball.h5"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("has no impacts by impulses"));
  const Outcome law = carom(folder_, {"forces", "ball.h5", "--law", "florez"});
  EXPECT_EQ(law.code, 2);
  EXPECT_THAT(law.err, HasSubstr("`carom laws` lists them"));
}

}  // namespace
}  // namespace carom::cli
