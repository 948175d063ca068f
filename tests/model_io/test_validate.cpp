#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "model_io/read_model.h"
#include "model_io/validate.h"
#include "sample_models.h"

namespace carom {
namespace {

// A pendulum built in C++.
Model pendulum() {
  Model model;
  model.file = "pendulum";
  model.planar = true;
  BodyModel rod;
  rod.name = "rod";
  model.bodies.push_back(rod);
  ElementModel pivot;
  pivot.name = "pivot";
  pivot.type = "revolute";
  pivot.settings.set("bodies", std::vector<std::string>{"ground", "rod"});
  pivot.settings.set("at", std::vector<double>{0, 0});
  model.joints.push_back(pivot);
  return model;
}

std::string problems_of(const Model& model) {
  ProblemList problems;
  validate(model, problems);
  return problems.text();
}

TEST(Validate, AcceptsASoundModel) {
  EXPECT_EQ(problems_of(pendulum()), "");
}

// Marbles that may all touch each other; the solver starts in the second line.
std::string problems_of_marbles(const std::string& solver, int count) {
  std::string text = "[solver]\n" + solver +
                     "\n[model]\nplane = \"xy\"\ngravity = [0, -9.81]\n[contact.glass]\nstiffness = 1e6\n"
                     "restitution = 0.9\n[[pair]]\nname = \"all\"\nbodies = [\"*\", \"*\"]\ncontact = \"glass\"\n";
  for (int k = 0; k < count; ++k) {
    text += "[[body]]\nname = \"marble" + std::to_string(k) + "\"\nmass = 1\ninertia = 1\nposition = [" +
            std::to_string(k) + ", 0]\n[[body.geometry]]\nshape = \"sphere\"\nradius = 0.4\n";
  }
  ProblemList problems;
  read_model_text(text, "marbles.toml", problems);
  return problems.text();
}

// What a contact with the given keys is reported, with two marbles that may touch.
std::string problems_of_contact(const std::string& method, const std::string& keys) {
  const std::string text =
      "[solver]\nmethod = \"" + method + "\"\n" + (method == "nonsmooth" ? "step = 1e-3\n" : "") +
      "[model]\nplane = \"xy\"\n[contact.glass]\n" + keys +
      "\nstiffness = 1e6\nrestitution = 0.5\nfriction = 0.3\n[[pair]]\nname = \"all\"\nbodies = [\"a\", \"b\"]\n"
      "contact = \"glass\"\n[[body]]\nname = \"a\"\nmass = 1\ninertia = 1\n[[body.geometry]]\nshape = \"sphere\"\n"
      "radius = 0.4\n[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\nposition = [1, 0]\n[[body.geometry]]\n"
      "shape = \"sphere\"\nradius = 0.4\n";
  ProblemList problems;
  read_model_text(text, "marbles.toml", problems);
  return problems.text();
}

TEST(Validate, RestitutionLawsAreOfTheNonsmoothMethodAndOfSlidingFriction) {
  for (const char* law : {"newton", "poisson", "energetic"})
    EXPECT_EQ(problems_of_contact("nonsmooth", "restitution_law = \"" + std::string(law) + "\""), "");
  EXPECT_EQ(problems_of_contact("compliant", "restitution_law = \"newton\""), "");
  EXPECT_THAT(problems_of_contact("compliant", "restitution_law = \"energetic\""),
              testing::HasSubstr("warning: contact.glass.restitution_law: found \"energetic\"; expected the method "
                                 "`nonsmooth`; compliant contacts do not use it"));
  EXPECT_THAT(problems_of_contact("nonsmooth", "restitution_law = \"stronge\""),
              testing::HasSubstr("expected `newton`, `poisson` or `energetic`"));
  EXPECT_THAT(problems_of_contact("nonsmooth", "restitution_law = \"poisson\"\ntangential_restitution = 0.5"),
              testing::HasSubstr("error: contact.glass.restitution_law: found \"poisson\" together with "
                                 "`tangential_restitution`"));
  EXPECT_THAT(problems_of_contact("nonsmooth", "restitution_law = \"energetic\"\nrolling_resistance = 1e-3"),
              testing::HasSubstr("together with `rolling_resistance`"));
  EXPECT_EQ(problems_of_contact("nonsmooth", "restitution_law = \"newton\"\ntangential_restitution = 0.5"), "");
}

TEST(Validate, ImplicitMethodsRefusePairsThatComeAndGo) {
  for (const char* solver :
       {"integrator = \"rk\"", "integrator = \"adams\"", "analysis = \"kinematic\"\nintegrator = \"bdf\""}) {
    EXPECT_THAT(problems_of_marbles(solver, 23), testing::Not(testing::HasSubstr("come and go"))) << solver;
  }
  const std::string rest =
      " with the pair `all`, of 529 pairs of shapes that come and go; expected at most 500 for an implicit integrator; "
      "take rk or adams\n";
  for (const std::string name : {"bdf", "generalized-alpha"}) {
    EXPECT_EQ(problems_of_marbles("integrator = \"" + name + "\"", 22), "");
    EXPECT_EQ(problems_of_marbles("integrator = \"" + name + "\"", 23),
              fmt::format("marbles.toml:2:14: error: solver.integrator: found \"{}\"{}", name, rest));
  }
  for (const std::string name : {"static", "linear"}) {
    EXPECT_EQ(problems_of_marbles("analysis = \"" + name + "\"", 22), "");
    EXPECT_EQ(problems_of_marbles("analysis = \"" + name + "\"", 23),
              "marbles.toml:2:12: error: solver.analysis: found \"" + name +
                  "\" with the pair `all`, of 529 pairs of shapes that come and go; expected at most 500; leave out "
                  "shapes that do not touch, or let a dynamic run come to rest\n");
  }
}

TEST(Validate, NamesAndReferences) {
  Model model = pendulum();
  model.bodies.push_back(model.bodies[0]);
  model.joints[0].settings.set("bodies", std::vector<std::string>{"ground", "rd"});
  model.joints.push_back(model.joints[0]);
  model.joints[1].name = "";
  model.joints[1].type = "";
  EXPECT_EQ(problems_of(model),
            "pendulum: error: body.rod.name: found \"rod\", which names another body; expected a name of its own\n"
            "pendulum: error: joint.pivot.bodies: found \"rd\"; expected a body: `ground`, `rod` or `rod`; did you "
            "mean `rod`?\n"
            "pendulum: error: joint[2].name: found nothing; expected a name; add the key `name`\n"
            "pendulum: error: joint[2].type: found nothing; expected one of `coupler`, `distance`, `fixed`, `gear`, "
            "`point-on-curve`, `point-on-line`, `prismatic` or `revolute`; add the key `type`\n");
}

TEST(Validate, KeysOfElements) {
  Model model = pendulum();
  model.joints[0].where = {12, 1};
  model.joints[0].settings.set("att", std::vector<double>{0, 0});
  model.joints[0].settings.set("at", 3.0);
  EXPECT_EQ(problems_of(model),
            "pendulum:12:1: error: joint.pivot.at: found 3; expected a list of 2 quantities in m\n"
            "pendulum:12:1: error: joint.pivot.att: found an unknown key; expected `bodies`, `at`, `points`, "
            "`markers`, `axis`, `axes` or `released`; did you mean `at`?\n");
}

TEST(Validate, Bodies) {
  Model model = pendulum();
  model.bodies[0].mass = NAN;
  model.bodies[0].inertia(2, 2) = 0;
  model.bodies[0].position = {0, 0, 1};
  model.bodies[0].angle = 1;
  model.bodies[0].velocity.x() = INFINITY;
  EXPECT_EQ(problems_of(model),
            "pendulum: error: body.rod.mass: found nan; expected a quantity in kg, > 0\n"
            "pendulum: error: body.rod.velocity: found a vector that is not finite; expected finite numbers\n"
            "pendulum: error: body.rod.position: found a component out of the plane; expected a vector in the plane of "
            "the model\n"
            "pendulum: error: body.rod.orientation: found an orientation that differs from the angle; expected a "
            "rotation about z "
            "by `angle`; set both\n"
            "pendulum: error: body.rod.inertia: found 0; expected a quantity in kg m^2, > 0\n");
}

TEST(Validate, SolverSettings) {
  Model model = pendulum();
  model.solver.integrator = "adam";
  model.solver.tolerance = 0;
  model.solver.step = -1;
  model.solver.end = -1;
  model.solver.rho_infinity = 2;
  model.output.every = -1;
  model.output.record = {"energ"};
  EXPECT_EQ(problems_of(model),
            "pendulum: error: solver.integrator: found \"adam\"; expected `adams`, `auto`, `bdf`, "
            "`generalized-alpha` or `rk`; did you mean "
            "`adams`?\n"
            "pendulum: error: solver.tolerance: found 0; expected a number, > 0 and ≤ 0.01\n"
            "pendulum: error: solver.step: found -1; expected a quantity in s, > 0\n"
            "pendulum: error: solver.rho_infinity: found 2; expected a number, ≥ 0 and ≤ 1\n"
            "pendulum: error: solver.end: found -1 s; expected a time after the start, 0 s\n"
            "pendulum: error: output.every: found -1; expected a quantity in s, > 0\n"
            "pendulum: error: output.record: found \"energ\"; expected patterns such as `body:*`, `joint:pin`, "
            "`motion:*`, `force:*`, `contact:*` or "
            "`energy`; did you mean `energy`?\n");
}

TEST(Validate, Contact) {
  Model model = pendulum();
  model.joints[0].clearance = ClearanceModel{};
  model.joints[0].clearance->bearing_radius = 0.01;
  ContactModel contact;
  contact.name = "dry";
  contact.restitution = 0;
  contact.settings.set("stiffness", -1.0);
  contact.settings.set("depth", 1.0);
  contact.friction = "ramp";
  contact.friction_settings.set("slip_ful", 1.0);
  model.contacts.push_back(contact);
  PairModel pair;
  pair.name = "pair";
  pair.bodies = {"rod", "rod"};
  pair.contact = "dy";
  model.pairs.push_back(pair);
  EXPECT_EQ(problems_of(model),
            "pendulum: error: contact.dry.friction.slip_ful: found an unknown key; expected `law`, `coefficient` or "
            "`slip_full`; did you mean `slip_full`?\n"
            "pendulum: error: contact.dry.depth: found a key of the law `adams`, not of `exact`; expected `law`, "
            "`elastic`, `restitution`, `rolling_resistance`, `spinning_resistance`, `coupled_spinning`, "
            "`tangential_restitution`, `restitution_law`, `minimum_speed`, `slow_contact`, `region`, "
            "`stiffness` or `friction`\n"
            "pendulum: error: contact.dry.stiffness: found -1; expected a quantity in N/m^1.5, > 0\n"
            "pendulum: error: contact.dry.restitution: found 0; expected 0 < e ≤ 1, the range of the law `exact`; take "
            "a small one, such as 0.05, for a soft impact\n"
            "pendulum: error: joint.pivot.clearance.radial: found 0; expected a quantity in m, > 0\n"
            "pendulum: error: pair.pair.contact: found \"dy\"; expected a contact: `dry`; did you mean `dry`?\n"
            "pendulum: error: pair.pair.bodies: found `rod` twice; expected two different bodies; a body does not "
            "touch itself\n");
}

TEST(Validate, GeneralizedAlphaNeedsNoStep) {
  Model model = pendulum();
  model.solver.integrator = "generalized-alpha";
  EXPECT_EQ(problems_of(model), "");
}

}  // namespace
}  // namespace carom
