#include <fmt/format.h>
#include <gmock/gmock.h>

#include "model_io/read_model.h"
#include "run_scene.h"

// What a model gets that leaves the choice to the program, and what a run says when something went less well.
namespace carom {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

Model read(const std::string& text) {
  ProblemList problems;
  Model model = read_model_text(text, "model.toml", problems);
  EXPECT_EQ(problems.errors(), 0u) << problems.text();
  return model;
}

// A ball of 1 kg that lies on a plane without weight, or comes from above it, and is pressed by 100 N.
std::string pressed_ball(const std::string& contact, const std::string& solver, double gap = 0, double speed = 0) {
  return R"(
[model]
plane = "xy"
[ground]
geometry = [{ shape = "plane" }]
[[body]]
name = "ball"
mass = 1
inertia = 0.01
position = [0, )" +
         fmt::format("{:.17g}]\nvelocity = [0, {}", 0.1 + gap, -speed) + R"(]
geometry = [{ shape = "sphere", radius = 0.1 }]
[[force]]
name = "load"
type = "force"
body = "ball"
force = [0, -100]
[contact.hard]
stiffness = 1e9
)" + contact +
         R"(
[[pair]]
name = "floor"
bodies = ["ball", "ground"]
contact = "hard"
[solver]
end = 0.02
)" + solver;
}

TEST(Defaults, IntegratorIsAutoAndIsNamed) {
  const Model model = read(pressed_ball("restitution = 0.6", ""));
  EXPECT_EQ(model.solver.integrator, "auto");
  const RunSummary summary = run(model);
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  EXPECT_THAT(summary.integrator, HasSubstr("auto: rk"));
}

// A model built in C++ gets what a file gets that says nothing.
TEST(Defaults, OfStructsAreThoseOfFiles) {
  const Model silent = read(pressed_ball("restitution = 0.6", ""));
  const SolverSettings read_settings = silent.solver, built;
  EXPECT_EQ(built.integrator, read_settings.integrator);
  EXPECT_EQ(built.tolerance, read_settings.tolerance);
  EXPECT_EQ(built.smallest_step, read_settings.smallest_step);
  EXPECT_EQ(built.penetration_tolerance, read_settings.penetration_tolerance);
  EXPECT_EQ(ContactModel{}.minimum_speed, silent.contacts.at(0).minimum_speed);
}

TEST(SlowContacts, SettleUnderTheirLoadWithoutACreep) {
  const scene::Folder folder;
  const RunSummary summary =
      run(read(pressed_ball("restitution = 0.6", "integrator = \"rk\"")), scene::into(folder / "pressed.h5"));
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  EXPECT_LT(summary.statistics.steps, 2000);
  EXPECT_EQ(summary.contacts.begun, 0);  // one contact, from the start on
  EXPECT_THAT(summary.warnings, Not(Contains(HasSubstr("minimum_speed"))));
  const ResultReader result(folder / "pressed.h5");
  const double depth = std::pow(100 / 1e9, 2.0 / 3);
  EXPECT_NEAR((0.1 - result.column("body:ball.y").back()) / depth, 1, 1e-3);
  // Overdamped: it never goes deeper than it will lie.
  EXPECT_LT(summary.contacts.largest_penetration, 1.01 * depth);
}

// An impact at 41 mm/s goes as deep as the load presses.
TEST(SlowContacts, ThatBeginMuchSlowerThanTheirLoadPressesDoNotCreep) {
  for (const std::string law : {"exact", "flores", "lankarani-nikravesh", "hunt-crossley", "gharib-hurmuzlu"}) {
    for (const double gap : {0.0, 1e-9, 1e-6}) {
      for (const double speed : {1e-7, 1e-6, 1e-5, 5e-5, 1e-4, 1e-3}) {
        const RunSummary summary =
            run(read(pressed_ball("restitution = 0.6\nlaw = \"" + law + "\"", "integrator = \"rk\"", gap, speed)));
        ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
        EXPECT_LT(summary.statistics.steps, 1200) << law << ", gap " << gap << " m, " << speed << " m/s";
      }
    }
  }
}

TEST(SlowContacts, ThatAreMadeToCreepAreWarnedOfWithANumberThatHelps) {
  const auto with = [](const std::string& speed) {
    return run(read(pressed_ball("restitution = 0.6\nminimum_speed = " + speed, "integrator = \"bdf\"")));
  };
  const RunSummary creeping = with("1e-6");
  // An impact at v goes as deep as (100 N/K)^(2/3): ½ m v² = 2/5 K δ^(5/2), v = 41 mm/s.
  EXPECT_THAT(creeping.warnings,
              Contains(AllOf(HasSubstr("contact:floor is pressed by its load"), HasSubstr("minimum_speed = 1e-06 m/s"),
                             HasSubstr("or let it be 0.00"))));
  EXPECT_THAT(with("1e-3").warnings, Not(Contains(HasSubstr("minimum_speed"))));
  // A touch above a minimum_speed that is too low creeps as well.
  const std::string low = "restitution = 0.6\nminimum_speed = 1e-6";
  EXPECT_THAT(run(read(pressed_ball(low, "integrator = \"bdf\"", 0, 5e-5))).warnings,
              Contains(AllOf(HasSubstr("damps as for one at 5e-05 m/s"), HasSubstr("leave minimum_speed out"))));
}

TEST(SlowContacts, DoNotChangeImpacts) {
  // Dropped from 1 mm: 0.14 m/s, far above what the weight alone presses by.
  const std::string drop = R"(
[model]
plane = "xy"
gravity = [0, -9.81]
[ground]
geometry = [{ shape = "plane" }]
[[body]]
name = "ball"
mass = 1
inertia = 0.01
position = [0, 0.101]
geometry = [{ shape = "sphere", radius = 0.1 }]
[contact.hard]
stiffness = 1e9
restitution = 0.6
MINIMUM
[[pair]]
name = "floor"
bodies = ["ball", "ground"]
contact = "hard"
[solver]
end = 0.03
integrator = "rk"
)";
  const auto speed_after = [&](const std::string& minimum) {
    std::string text = drop;
    text.replace(text.find("MINIMUM"), 7, minimum);
    const scene::Folder folder;
    run(read(text), scene::into(folder / "drop.h5"));
    return ResultReader(folder / "drop.h5").column("body:ball.vy").back();
  };
  EXPECT_EQ(speed_after(""), speed_after("minimum_speed = 1e-6"));
}

TEST(RestitutionRemark, ComesOnlyWhereTheLawReturnsSomethingElse) {
  const auto warnings = [](const std::string& more) {
    return run(read(pressed_ball("law = \"kelvin-voigt\"\nrestitution = 0.4\n" + more, "integrator = \"rk\"")))
        .warnings;
  };
  EXPECT_THAT(warnings(""), Contains(HasSubstr("`kelvin-voigt` returns a restitution of 0.472")));
  EXPECT_THAT(warnings("end = \"adhesive\""), Not(Contains(HasSubstr("returns a restitution"))));
  EXPECT_THAT(warnings("damping = 100"), Not(Contains(HasSubstr("returns a restitution"))));
}

TEST(FrictionRemark, NamesTheLawThatImpulsesReplace) {
  const auto warnings = [](const std::string& friction) {
    return run(read(pressed_ball("restitution = 0.5\nfriction = " + friction, "method = \"nonsmooth\""))).warnings;
  };
  EXPECT_THAT(warnings("{ law = \"stribeck\", coefficient = 0.2, static_coefficient = 0.3, viscous = 0.1 }"),
              Contains(AllOf(HasSubstr("friction law `stribeck` is replaced by Coulomb's with the coefficient 0.2"),
                             HasSubstr("static coefficient 0.3"), HasSubstr("viscous part 0.1 s/m"))));
  EXPECT_THAT(warnings("{ law = \"elasto-plastic\", coefficient = 0.2 }"), Contains(HasSubstr("bristles")));
  EXPECT_THAT(warnings("0.2"), Not(Contains(HasSubstr("replaced"))));
}

std::string falling_ball(const std::string& solver) {
  return R"(
[model]
plane = "xy"
gravity = [0, -9.81]
[ground]
geometry = [{ shape = "plane" }]
[[body]]
name = "ball"
mass = 1
inertia = 0.01
position = [0, 0.2]
velocity = [0, -3]
geometry = [{ shape = "sphere", radius = 0.1 }]
[contact.c]
stiffness = 1e8
restitution = 0.5
[[pair]]
name = "floor"
bodies = ["ball", "ground"]
contact = "c"
[solver]
end = 0.05
)" + solver;
}

TEST(RejectedSteps, AreAsShortAsTheToleranceAsksFor) {
  for (const std::string integrator : {"rk", "adams", "bdf", "auto"}) {
    const RunSummary summary =
        run(read(falling_ball("penetration_control = \"reject\"\nintegrator = \"" + integrator + "\"")));
    ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
    EXPECT_EQ(summary.contacts.begun, 1) << integrator;
    EXPECT_EQ(summary.contacts.too_deep, 0) << integrator;
    EXPECT_LE(summary.contacts.deepest_beginning, 1e-9) << integrator;
  }
}

TEST(RejectedSteps, ThatMayNotBeShortEnoughAreWarnedOf) {
  const RunSummary summary =
      run(read(falling_ball("penetration_control = \"reject\"\nintegrator = \"rk\"\nsmallest_step = 1e-5")));
  EXPECT_THAT(summary.warnings,
              Contains(AllOf(HasSubstr("1 contact began deeper than penetration_tolerance = 1e-09 m, contact:floor by"),
                             HasSubstr("smallest_step = 1e-05 s is too long for their speeds: leave it out"))));
}

TEST(EnergyRule, IsTheSameForBothMethods) {
  // A ball on a stiff spring, with steps that do not resolve the vibration.
  const std::string vibration = R"(
[model]
plane = "xy"
[[body]]
name = "mass"
mass = 1
inertia = 0.01
position = [0.11, 0]
[[force]]
name = "spring"
type = "spring"
bodies = ["ground", "mass"]
ends = [[0, 0], [0.11, 0]]
stiffness = 1e6
free_length = 0.1
[solver]
end = 0.1
)";
  const RunSummary impulses = run(read(vibration + "method = \"nonsmooth\"\nstep = 1e-3\n"));
  EXPECT_GT(impulses.energy.largest_residual, 1e-3 * impulses.energy.largest);
  EXPECT_THAT(impulses.warnings,
              Contains(AllOf(HasSubstr("the energy balance is off by"), HasSubstr("halve the step"))));
  const RunSummary forces = run(read(vibration + "integrator = \"generalized-alpha\"\nstep = 1e-3\n"));
  EXPECT_GT(forces.energy.largest_residual, 1e-3 * forces.energy.largest);
  EXPECT_THAT(forces.warnings, Contains(AllOf(HasSubstr("the energy balance is off by"), HasSubstr("smaller step"))));
  EXPECT_THAT(run(read(vibration)).warnings, Not(Contains(HasSubstr("energy balance"))));
}

std::string residual_line(const RunSummary& summary) {
  for (const SummaryLine& line : summary_lines(to_json(summary)))
    if (line.what == "energy residual") return line.value;
  return "";
}

TEST(EnergyRule, TellsRoundingFromErrors) {
  // A rock of a million tonnes, 1 km up, hardly moves: the balance is as good as its sums.
  std::string rock = falling_ball("");
  const auto put = [&](const std::string& what, const std::string& instead) {
    rock.replace(rock.find(what), what.size(), instead);
  };
  put("mass = 1\n", "mass = 1e9\n");
  put("velocity = [0, -3]", "velocity = [1e-9, 0]");
  put("position = [0, 0.2]", "position = [0, 1000]");
  put("gravity = [0, -9.81]", "gravity = [9.81e-12, -9.81]");
  put("[contact.c]",
      "[[joint]]\nname = \"rail\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"ball\"]\n"
      "at = [0, 1000]\naxis = [1, 0]\n[contact.c]");
  RunSummary summary = run(read(rock));
  ASSERT_EQ(summary.status, RunStatus::complete) << summary.reason;
  EXPECT_NEAR(summary.energy.rounding, 1e-12 * 9.81e12, 0.1);
  EXPECT_THAT(summary.warnings, Not(Contains(HasSubstr("energy balance"))));
  summary.energy.largest_residual = 0.01 * summary.energy.rounding;
  EXPECT_THAT(residual_line(summary), HasSubstr("J, rounding of the energies summed"));
  summary.energy.largest_residual = 10 * summary.energy.rounding;
  EXPECT_THAT(residual_line(summary), HasSubstr("of the largest energy"));
}

}  // namespace
}  // namespace carom
