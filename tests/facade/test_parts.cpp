#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>

#include <carom/carom.h>

#include "../support/temporary_folder.h"

// Parts of one's own, registered by a program: each equals a built-in one that says the same.
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

using carom::KeyValues;

// F = K δ + D δ̇, D = 2ζ √(K m), as the built-in kelvin-voigt.
class OwnKelvinVoigt final : public carom::NormalLaw {
 public:
  explicit OwnKelvinVoigt(const carom::NormalLawContext& context) : stiffness_(context.stiffness) {
    const double logarithm = std::log(context.restitution);
    const double ratio = -logarithm / std::sqrt(M_PI * M_PI + logarithm * logarithm);
    damping_ = context.keys.given("damping") ? context.keys.number("damping")
                                             : 2 * ratio * std::sqrt(stiffness_ * context.effective_mass);
  }
  carom::NormalForce evaluate(const carom::NormalContact& contact) const override {
    const double elastic = stiffness_ * contact.penetration;
    return {elastic + damping_ * contact.rate, elastic, elastic * contact.penetration / 2};
  }
  double release_penetration(const carom::NormalContact& contact) const override {
    return contact.rate < 0 ? -damping_ * contact.rate / stiffness_ : 0;
  }

 private:
  double stiffness_, damping_ = 0;
};

// A bristle as in lugre, or Stribeck's curve.
class OwnStribeck final : public carom::FrictionLaw {
 public:
  explicit OwnStribeck(const KeyValues& keys)
      : kinetic_(keys.number("coefficient")), static_(keys.number("static_coefficient")) {}
  double coefficient(double slip_speed, double) const override {
    const double ratio = slip_speed / 1e-2;
    return (kinetic_ + (static_ - kinetic_) * std::exp(-ratio * ratio)) * std::tanh(slip_speed / 1e-3);
  }

 private:
  double kinetic_, static_;
};

class OwnLugre final : public carom::FrictionLaw {
 public:
  double coefficient(double, double) const override { return mu; }
  bool has_state() const override { return true; }
  carom::BristleForce bristle(double z, double velocity, double) const override {
    const double rate = velocity - std::abs(velocity) * z / (mu / stiffness);
    const double damped = rate * velocity > 0 ? std::sqrt(stiffness / 9.81) * rate : 0;
    return {stiffness * z + damped, rate};
  }
  double energy(double z) const override { return stiffness / 2 * z * z; }

 private:
  static constexpr double mu = 0.3, stiffness = 1e5;
};

// T = k (l − l₀) + c l̇
class OwnSpring final : public carom::ForceElement {
 public:
  explicit OwnSpring(const carom::ForceContext& context)
      : stiffness_(context.keys.number("stiffness")),
        damping_(context.keys.number("damping")),
        free_length_(line_of(context.start).length) {}

  carom::ForceAction evaluate(const carom::ForceState& state) const override {
    const Line line = line_of(state);
    const double x = line.length - free_length_;
    carom::ForceAction action;
    action.energy = 0.5 * stiffness_ * x * x;
    for (int k = 0; k < 3; ++k) {
      action.conservative[0].force[k] = stiffness_ * x * line.direction[k];
      action.conservative[1].force[k] = -action.conservative[0].force[k];
      action.other[0].force[k] = damping_ * line.rate * line.direction[k];
      action.other[1].force[k] = -action.other[0].force[k];
    }
    return action;
  }
  bool is_conservative() const override { return damping_ == 0; }
  void output(const carom::ForceState& state, std::span<double> values) const override {
    values[0] = line_of(state).length;
  }

 private:
  struct Line {
    carom::Vector3 direction = {};
    double length = 0, rate = 0;
  };
  static Line line_of(const carom::ForceState& state) {
    const carom::End &a = state.ends[0], &b = state.ends[1];
    Line line;
    for (int k = 0; k < 3; ++k) line.length += std::pow(b.position[k] - a.position[k], 2);
    line.length = std::sqrt(line.length);
    for (int k = 0; k < 3; ++k) {
      line.direction[k] = (b.position[k] - a.position[k]) / line.length;
      line.rate += line.direction[k] * (b.velocity[k] - a.velocity[k]);
    }
    return line;
  }
  double stiffness_, damping_, free_length_;
};

// A couple about z, from a function of the time.
class OwnMotor final : public carom::ForceElement {
 public:
  explicit OwnMotor(const KeyValues& keys) : torque_(keys.function("torque")) {}
  carom::ForceAction evaluate(const carom::ForceState& state) const override {
    carom::ForceAction action;
    action.other[1].torque[2] = torque_(state.time);
    return action;
  }

 private:
  KeyValues::Function torque_;
};

class OwnSine final : public carom::Drive {
 public:
  explicit OwnSine(const KeyValues& keys) : amplitude_(keys.number("amplitude")), pace_(keys.number("pace")) {}
  carom::DriveValue evaluate(double t) const override {
    const double s = amplitude_ * std::sin(pace_ * t);
    return {s, amplitude_ * pace_ * std::cos(pace_ * t), -pace_ * pace_ * s};
  }

 private:
  double amplitude_, pace_;
};

void register_laws() {
  carom::ContactLawPart law;
  law.name = "own-kelvin-voigt";
  law.summary = "The same as kelvin-voigt.";
  law.formula = "F = K δ + D δ̇";
  law.elastic = "linear";
  law.needs_mass = true;
  law.least_allowed = false;
  law.keys = {
      {.name = "damping", .unit = "N s/m", .meaning = "D", .default_text = "from the restitution", .minimum = 0}};
  law.make = [](const carom::NormalLawContext& context) { return std::make_unique<OwnKelvinVoigt>(context); };
  carom::register_part(law);

  carom::FrictionLawPart friction;
  friction.name = "own-stribeck";
  friction.keys = {{.name = "coefficient", .required = true, .minimum = 0},
                   {.name = "static_coefficient", .default_value = 0.4, .minimum = 0, .maximum = 2}};
  friction.make = [](const KeyValues& keys) { return std::make_unique<OwnStribeck>(keys); };
  carom::register_part(friction);

  carom::FrictionLawPart bristle;
  bristle.name = "own-lugre";
  bristle.make = [](const KeyValues&) { return std::make_unique<OwnLugre>(); };
  carom::register_part(bristle);
}

void register_motion() {
  carom::ForcePart spring;
  spring.name = "own-spring";
  spring.summary = "The same as spring.";
  spring.keys = {{.name = "stiffness", .unit = "N/m", .required = true, .minimum = 0},
                 {.name = "damping", .unit = "N s/m", .minimum = 0}};
  spring.outputs = {{"length", "m", "of the spring"}};
  spring.make = [](const carom::ForceContext& context) { return std::make_unique<OwnSpring>(context); };
  carom::register_part(spring);

  carom::ForcePart motor;
  motor.name = "own-motor";
  motor.attachment = carom::Attachment::one_body;
  motor.supplies = true;
  motor.keys = {{.name = "torque", .unit = "N m", .kind = carom::KeyKind::function, .required = true}};
  motor.make = [](const carom::ForceContext& context) { return std::make_unique<OwnMotor>(context.keys); };
  carom::register_part(motor);

  carom::DrivePart sine;
  sine.name = "own-sine";
  sine.unit = "rad";
  sine.keys = {{.name = "amplitude", .unit = "rad", .required = true},
               {.name = "pace", .unit = "rad/s", .default_value = 5, .minimum = 0, .maximum = 100}};
  sine.make = [](const KeyValues& keys) { return std::make_unique<OwnSine>(keys); };
  carom::register_part(sine);
}

class Parts : public testing::Test {
 protected:
  // Some models have been read before: tables that list names must follow.
  static void SetUpTestSuite() {
    EXPECT_EQ(carom::validate(ball("kelvin-voigt")).size(), 0u);
    register_laws();
    register_motion();
  }

  // A ball thrown on a floor.
  static carom::Model ball(const std::string& law, const carom::Value& friction = 0.0) {
    carom::Model model("Ball");
    model.planar().gravity({0, -9.81});
    carom::Body body = model.body("ball").mass(0.1).inertia(4e-6).position({0, 0.02}).velocity({0.5, -1});
    body.shape("sphere").radius(0.01);
    model.ground().shape("plane");
    model.contact("floor").law(law).stiffness(1e5).restitution(0.85).friction(friction);
    model.pair("knock").between("ground", "ball").contact("floor");
    model.solver().end(0.2).tolerance(1e-10).integrator("rk");
    model.output().every(1e-3);
    return model;
  }

  // A rod on a spring in the plane.
  static carom::Model swing(const std::string& type) {
    carom::Model model("Swing");
    model.planar().gravity({0, -9.81});
    model.body("rod").mass(1).inertia(0.083).position({0.5, 0});
    model.joint("pivot", "revolute").between("ground", "rod").at({0, 0});
    model.force("pull", type).between("ground", "rod").ends({1, 1}, {0.8, 0}).stiffness(50).damping(0.5);
    model.solver().end(1).tolerance(1e-10);
    return model;
  }

  static void expect_same(const carom::Result& a, const carom::Result& b, const std::vector<std::string>& names,
                          double tolerance) {
    for (const std::string& name : names) {
      const auto x = a.column(name), y = b.column(name);
      ASSERT_EQ(x.size(), y.size());
      double scale = 0, difference = 0;
      for (std::size_t k = 0; k < x.size(); ++k) {
        scale = std::max(scale, std::abs(x[k]));
        difference = std::max(difference, std::abs(x[k] - y[k]));
      }
      EXPECT_GT(scale, 0) << name;
      EXPECT_LE(difference, tolerance * scale) << name;
    }
  }

  carom::TemporaryFolder folder_;
};

TEST_F(Parts, AContactLawEqualsTheBuiltInOne) {
  expect_same(carom::simulate(ball("kelvin-voigt")), carom::simulate(ball("own-kelvin-voigt")),
              {"body:ball.y", "body:ball.vy", "energy.dissipated", "energy.contact", "energy.total"}, 1e-9);
}

TEST_F(Parts, AFrictionLawEqualsTheBuiltInOne) {
  const auto friction = [](const std::string& law) {
    return carom::Value::table({{"law", law}, {"coefficient", 0.3}, {"static_coefficient", 0.4}});
  };
  const std::vector<std::string> names = {"body:ball.x", "body:ball.omega", "energy.dissipated"};
  expect_same(carom::simulate(ball("exact", friction("stribeck"))),
              carom::simulate(ball("exact", friction("own-stribeck"))), names, 1e-9);
  const auto own = carom::Value::table({{"law", "own-lugre"}});
  const auto lugre = carom::Value::table({{"law", "lugre"}, {"coefficient", 0.3}});
  expect_same(carom::simulate(ball("exact", lugre)), carom::simulate(ball("exact", own)), names, 1e-9);
}

TEST_F(Parts, AForceEqualsTheBuiltInOneInPlaneAndSpace) {
  const std::vector<std::string> energies = {"energy.potential", "energy.dissipated", "energy.total"};
  const carom::Result built_in = carom::simulate(swing("spring")), own = carom::simulate(swing("own-spring"));
  expect_same(built_in, own, {"body:rod.angle", "body:rod.omega", "force:pull.length"}, 1e-9);
  expect_same(built_in, own, energies, 1e-9);
  EXPECT_LT(own.summary().largest_residual, 1e-7 * own.summary().largest_energy);

  const auto in_space = [](const std::string& type, const std::string& integrator) {
    carom::Model model("Hanging");
    model.gravity({0, 0, -9.81});
    model.body("block").mass(2).inertia({0.1, 0.2, 0.3}).position({0, 0, -1}).angular_velocity({1, 2, 3});
    model.force("pull", type).between("ground", "block").ends({0.2, 0, 0}, {0.3, 0.1, -0.9}).stiffness(200).damping(3);
    model.solver().end(0.5).tolerance(1e-9).integrator(integrator);
    return model;
  };
  for (const std::string integrator : {"adams", "bdf"}) {
    expect_same(carom::simulate(in_space("spring", integrator)), carom::simulate(in_space("own-spring", integrator)),
                {"body:block.x", "body:block.z", "body:block.wx", "energy.dissipated"}, 1e-5);
  }
}

TEST_F(Parts, AForceOnOneBodyTakesAFunctionOfTheTime) {
  const auto driven = [](const std::string& type) {
    carom::Model model = swing("spring");
    model.force("motor", type).on("rod").set("torque", "=if(t < 0.3, 2, -1)");
    return model;
  };
  expect_same(carom::simulate(driven("torque")), carom::simulate(driven("own-motor")),
              {"body:rod.angle", "energy.supplied", "energy.dissipated"}, 1e-9);
}

TEST_F(Parts, ADriveEqualsAnExpression) {
  const auto driven = [](const carom::Value& law) {
    carom::Model model = swing("spring");
    model.motion("sway").joint("pivot").position(law);
    return model;
  };
  const auto own = carom::Value::table({{"drive", "own-sine"}, {"amplitude", "10 deg"}});
  const carom::Result built_in = carom::simulate(driven("=0.17453292519943295*sin(5*t)"));
  expect_same(built_in, carom::simulate(driven(own)),
              {"body:rod.angle", "body:rod.omega", "joint:pivot.fx", "energy.supplied"}, 1e-9);
}

TEST_F(Parts, TheNonsmoothMethodTakesThem) {
  const auto nonsmooth = [](carom::Model model) {
    model.solver().set("method", "nonsmooth").step(1e-3);
    return model;
  };
  expect_same(carom::simulate(nonsmooth(swing("spring"))), carom::simulate(nonsmooth(swing("own-spring"))),
              {"body:rod.angle", "energy.potential"}, 1e-9);
  // Friction by impulses is Coulomb's, with the coefficient of steady slip.
  const carom::Result coulomb = carom::simulate(nonsmooth(ball("exact", 0.3)));
  const carom::Result own = carom::simulate(nonsmooth(ball("exact", carom::Value::table({{"law", "own-lugre"}}))));
  expect_same(coulomb, own, {"body:ball.x", "body:ball.omega"}, 0);
  EXPECT_THAT(own.summary().warnings, Contains(HasSubstr("`own-lugre` is replaced by Coulomb's")));
}

TEST_F(Parts, CataloguesSchemaAndReferenceListThem) {
  EXPECT_THAT(carom::contact_law_types(), Contains(AllOf(Field(&carom::Type::name, "own-kelvin-voigt"),
                                                         Field(&carom::Type::origin, "the program"))));
  EXPECT_THAT(carom::friction_law_types(), Contains(Field(&carom::Type::name, "own-lugre")));
  EXPECT_THAT(carom::force_types(), Contains(Field(&carom::Type::name, "own-spring")));
  EXPECT_THAT(carom::drive_types(), Contains(Field(&carom::Type::name, "own-sine")));
  for (const char* name : {"own-kelvin-voigt", "own-stribeck", "own-spring", "own-sine"}) {
    EXPECT_THAT(carom::json_schema(), HasSubstr(name));
    EXPECT_THAT(carom::reference_page(), HasSubstr(name));
  }
}

TEST_F(Parts, KeysAreCheckedAsThoseOfBuiltInTypes) {
  const auto file = folder_ / "swing.toml";
  std::ofstream(file) << R"([model]
plane = "xy"
[[body]]
name = "rod"
mass = 1
inertia = 1
[[joint]]
name = "pivot"
type = "revolute"
bodies = ["ground", "rod"]
at = [0, 0]
[[motion]]
joint = "pivot"
position = { drive = "own-sine", amplitude = "3 m", pace = 200 }
[[force]]
name = "pull"
type = "own-spring"
bodies = ["ground", "rod"]
ends = [[0, 1], [0, 0]]
stiffness = -1
dampping = 3
[solver]
end = 1
)";
  const auto problems = carom::validate(carom::Model::load(file));
  const auto is = [](int line, const std::string& key, const std::string& expected) {
    return AllOf(Field(&carom::Problem::line, line), Field(&carom::Problem::key, HasSubstr(key)),
                 Field(&carom::Problem::expected, HasSubstr(expected)));
  };
  EXPECT_THAT(problems, Contains(is(14, "amplitude", "rad")));
  EXPECT_THAT(problems, Contains(is(14, "pace", "≤ 100")));
  EXPECT_THAT(problems, Contains(is(20, "force.pull.stiffness", "≥ 0")));
  EXPECT_THAT(problems, Contains(AllOf(Field(&carom::Problem::line, 21),
                                       Field(&carom::Problem::remedy, HasSubstr("`damping`")))));
}

TEST_F(Parts, ADriveMustHaveTheUnitOfWhatItDrives) {
  carom::Model model = swing("spring");
  model.force("push", "force")
      .on("rod")
      .set("force", {carom::Value::table({{"drive", "own-sine"}, {"amplitude", 1}}), 0});
  EXPECT_THAT(carom::validate(model), Contains(Field(&carom::Problem::found, HasSubstr("whose value is in rad"))));
}

TEST_F(Parts, AModelWithThemCanBeWrittenAndRunAgain) {
  carom::Model model = swing("own-spring");
  model.motion("sway").joint("pivot").position(carom::Value::table({{"drive", "own-sine"}, {"amplitude", 0.2}}));
  const auto file = folder_ / "swing.toml";
  std::ofstream(file) << model.text();
  carom::Model loaded = carom::Model::load(file);
  loaded.solver().end(0.5);  // a changed model is written into the result anew
  const carom::Result result = carom::simulate(loaded);
  EXPECT_THAT(result.model_text(), AllOf(HasSubstr("drive = \"own-sine\""), HasSubstr("amplitude = 0.2"),
                                         HasSubstr("type = \"own-spring\"")));
}

TEST_F(Parts, UnsoundPartsAreRefusedWithEverythingThatIsWrong) {
  const auto problems = [](const auto& part) {
    try {
      carom::register_part(part);
    } catch (const carom::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  carom::ContactLawPart law;
  law.name = "hertz";
  law.elastic = "steel";
  law.keys = {{.name = "restitution"}, {.name = "x", .minimum = 2, .maximum = 1}, {.name = "x"}};
  EXPECT_THAT(problems(law), AllOf(HasSubstr("built in"), HasSubstr("`make`"), HasSubstr("`restitution`"),
                                   HasSubstr("the range from 2 to 1"), HasSubstr("`x` twice"), HasSubstr("`steel`")));
  carom::FrictionLawPart again;
  again.name = "own-lugre";
  again.make = [](const KeyValues&) { return std::make_unique<OwnLugre>(); };
  EXPECT_THAT(problems(again), HasSubstr("already there, from the program"));
  carom::ForcePart force;
  force.name = "Own Force";
  force.make = [](const carom::ForceContext& context) { return std::make_unique<OwnSpring>(context); };
  force.keys = {{.name = "bodies"},
                {.name = "stiffness", .unit = "N/metr"},
                {.name = "c", .kind = carom::KeyKind::choice},
                {.name = "d", .default_value = -1, .minimum = 0}};
  EXPECT_THAT(problems(force), AllOf(HasSubstr("its name"), HasSubstr("`bodies`"), HasSubstr("N/metr"),
                                     HasSubstr("without `choices`"), HasSubstr("the default -1")));
  EXPECT_THAT(carom::force_types(), Not(Contains(Field(&carom::Type::name, "Own Force"))));
}

TEST_F(Parts, ALawThatFailsEndsTheRunWithItsName) {
  class Failing final : public carom::NormalLaw {
   public:
    explicit Failing(bool throws) : throws_(throws) {}
    carom::NormalForce evaluate(const carom::NormalContact&) const override {
      if (throws_) throw std::runtime_error("no such material");
      return {std::numeric_limits<double>::quiet_NaN(), 0, 0};
    }

   private:
    bool throws_;
  };
  carom::ContactLawPart part;
  part.name = "own-failing";
  part.keys = {{.name = "throws", .kind = carom::KeyKind::boolean}};
  part.make = [](const carom::NormalLawContext& context) {
    return std::make_unique<Failing>(context.keys.boolean("throws"));
  };
  carom::register_part(part);
  for (const bool throws : {false, true}) {
    carom::Model model = ball("own-failing");
    model.contact("floor").set("throws", throws);
    try {
      carom::simulate(model);
      FAIL() << "the run should fail";
    } catch (const carom::ComputationError& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("contact law `own-failing`"), HasSubstr("at t = 0.009"),
                                      HasSubstr(throws ? "no such material" : "not finite")));
    }
  }
}

}  // namespace
