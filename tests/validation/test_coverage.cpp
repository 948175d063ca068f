#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "force_elements/force_element.h"
#include "joints/joint.h"
#include "model_io/read_model.h"
#include "validation/read_case.h"

// What the cases of the repository cover, together.
namespace carom {
namespace {

const std::filesystem::path cases = std::filesystem::path(CAROM_SOURCE_DIR) / "cases";

Model model_of(const std::string& name) {
  ProblemList problems;
  Model model = read_model(cases / name / "model.toml", problems);
  // A case may use a law where it does not return what is asked for; that is a warning.
  EXPECT_EQ(problems.errors(), 0) << problems.text();
  return model;
}

TEST(Cases, exerciseEveryJointForceElementAndDrive) {
  std::set<std::string> joints, forces, drives;
  for (const std::string& name : list_cases(cases)) {
    const Model model = model_of(name);
    for (const ElementModel& joint : model.joints) joints.insert(joint.type);
    for (const ElementModel& force : model.forces) forces.insert(force.type);
    for (const MotionModel& motion : model.motions) {
      drives.insert(motion.level == MotionLevel::position ? "position"
                    : motion.level == MotionLevel::speed  ? "speed"
                                                          : "acceleration");
      drives.insert(motion.body.empty() ? "joint" : name_of(motion.component));
    }
  }
  for (const auto& entry : joint_catalogue()) EXPECT_TRUE(joints.contains(entry.name)) << entry.name;
  for (const auto& entry : force_element_catalogue()) EXPECT_TRUE(forces.contains(entry.name)) << entry.name;
  EXPECT_THAT(drives,
              testing::UnorderedElementsAre("position", "speed", "acceleration", "joint", "x", "y", "z", "angle"));
}

TEST(Cases, sayOfEveryLimitWhenItWasChosen) {
  for (const std::string& name : list_cases(cases)) {
    ProblemList problems;
    const Case one = read_case(cases / name, problems);
    for (const Check& check : one.checks) EXPECT_NE(check.chosen, "") << name << ": " << check.name;
    for (const Convergence& each : one.convergences) EXPECT_NE(each.chosen, "") << name << ": " << each.name;
  }
}

TEST(Cases, balanceTheEnergyOfEveryDynamicRun) {
  for (const std::string& name : list_cases(cases)) {
    const Model model = model_of(name);
    const SolverSettings& solver = model.solver;
    if (solver.analysis != Analysis::dynamic) continue;
    if (!model.beams.empty()) continue;  // generalized-α damps what vibrates faster than its steps
    if (std::any_of(model.bearings.begin(), model.bearings.end(), [](const auto& each) { return !each.is_element; }) &&
        !model.planar)
      continue;  // some 50 stiff contacts, which take minutes at tolerances that balance so well
    if (solver.method == ContactMethod::nonsmooth)
      continue;  // of first order in the step where joints or drives are involved
    ProblemList problems;
    const Case one = read_case(cases / name, problems);
    EXPECT_EQ(problems.text(), "");
    double limit = 1;
    for (const Check& check : one.checks) {
      if (check.kind == CheckKind::residual) limit = check.tolerance_relative;
    }
    EXPECT_LE(limit, 1e-8) << name;
  }
}

}  // namespace
}  // namespace carom
