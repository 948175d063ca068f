#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command_line.h"

namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// No trace of the machinery in what a user reads.
auto is_for_people() {
  return AllOf(Not(HasSubstr("std::")), Not(HasSubstr("terminate")), Not(HasSubstr("what()")),
               Not(HasSubstr("exception")), Not(HasSubstr("carom::")), Not(HasSubstr("toml::")),
               Not(HasSubstr("fault of the program")));
}

// One mistake made in the pendulum: what is put in the place of what, where the message points to, and what it says.
struct Mistake {
  std::string name, what, by, at;
  std::vector<std::string> says;
};

void PrintTo(const Mistake& mistake, std::ostream* stream) {
  *stream << mistake.name;
}

class BadModel : public testing::TestWithParam<Mistake> {};

TEST_P(BadModel, IsRefusedWithPlaceKeyFoundAndExpected) {
  const Folder folder;
  const std::string text = replaced(pendulum, GetParam().what, GetParam().by);
  folder.write("model.toml", text);
  for (const char* command : {"run", "check"}) {
    const Outcome outcome = carom(folder, {command, "model.toml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr("model.toml" + place(text, GetParam().at) + "error: "));
    for (const std::string& part : GetParam().says) EXPECT_THAT(outcome.err, HasSubstr(part));
    EXPECT_THAT(outcome.err, is_for_people());
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
  EXPECT_FALSE(fs::exists(folder / "model.h5"));
}

const std::vector<Mistake> mistakes = {
    {"UnknownKey",
     "mass = 2",
     "mas = 2\nmass = 2",
     "mas = 2",
     {"body.rod.mas:", "found an unknown key; expected", "did you mean `mass`?"}},
    {"UnknownSection", "[output]", "[outptu]", "outptu", {"outptu", "did you mean `output`?"}},
    {"WrongType", "mass = 2", "mass = true", "true", {"body.rod.mass:", "found true", "expected"}},
    {"WrongUnit", "mass = 2", "mass = \"2 mm\"", "\"2 mm\"", {"body.rod.mass:", "2 mm", "expected", "kg"}},
    {"UnknownUnit", "mass = 2", "mass = \"2 kgg\"", "\"2 kgg\"", {"body.rod.mass:", "kgg", "expected"}},
    {"MissingBody",
     "\"ground\", \"rod\"",
     "\"ground\", \"rood\"",
     "\"rood\"",
     {"joint.pivot.bodies:", "\"rood\"", "did you mean `rod`?"}},
    {"DuplicateName",
     "[[joint]]",
     "[[body]]\nname = \"rod\" # again\nmass = 1\ninertia = 1\n\n[[joint]]",
     "\"rod\" # again",
     {"body.rod.name:", "which names another body in line 10", "expected a name of its own"}},
    {"NegativeMass", "mass = 2", "mass = -2", "-2", {"body.rod.mass:", "found -2", "expected", "> 0"}},
    {"JointToItself",
     "\"ground\", \"rod\"",
     "\"rod\", \"rod\"",
     "[\"rod\", \"rod\"]",
     {"joint.pivot.bodies:", "expected two different bodies"}},
    {"ExpressionSyntax",
     "=0.1*sin(t)",
     "=0.1*sin(t",
     "\"\n\n[solver]",
     {"force.pull.torque:", "expected an expression: a `)` is missing"}},
    {"ExpressionName",
     "=0.1*sin(t)",
     "=lenght*sin(t)",
     "lenght",
     {"force.pull.torque:", "lenght", "did you mean `length`?"}},
    {"ExpressionFunction",
     "=0.1*sin(t)",
     "=0.1*sni(t)",
     "sni(t)",
     {"force.pull.torque:", "sni", "did you mean `sin`?"}},
    {"TableNotIncreasing",
     "\"=0.1*sin(t)\"",
     "{ table = [[0, 0], [2, 1], [1, 3]] }",
     "1, 3]",
     {"force.pull.torque", "expected", "increas"}},
    {"UnknownPattern",
     "every = 0.01",
     "every = 0.01\nrecord = [\"body:rood\"]",
     "\"body:rood\"",
     {"output.record", "body:rood", "did you mean"}},
    {"UnknownJointType",
     "\"revolute\"",
     "\"revolut\"",
     "\"revolut\"",
     {"joint.pivot.type:", "did you mean `revolute`?"}},
    {"EndBeforeStart", "end = 1", "end = -1", "-1", {"solver.end:", "found -1", "expected"}},
};

INSTANTIATE_TEST_SUITE_P(Mistakes, BadModel, testing::ValuesIn(mistakes),
                         [](const auto& test) { return test.param.name; });

TEST(BadModels, AnExpressionThatEndsTooEarlyIsPointedAtInsideTheText) {
  const Folder folder;
  const std::string text = replaced(pendulum, "=0.1*sin(t)", "=0.1*/sin(t)");
  folder.write("model.toml", text);
  const Outcome outcome = carom(folder, {"check", "model.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("model.toml" + place(text, "/sin(t)") + "error: force.pull.torque:"));
}

TEST(BadModels, AnInertiaThatNoBodyCanHaveIsRefused) {
  const Folder folder;
  const std::string text = "[[body]]\nname = \"plate\"\nmass = 1\ninertia = [1, 1, 3]\n\n[solver]\nend = 1\n";
  folder.write("model.toml", text);
  const Outcome outcome = carom(folder, {"run", "model.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("model.toml" + place(text, "[1, 1, 3]") + "error: body.plate.inertia:"),
                    HasSubstr("expected"), HasSubstr("none larger than the sum of the other two"), is_for_people()));
}

TEST(BadModels, AllProblemsAreToldAtOnceInTheOrderOfTheFile) {
  const Folder folder;
  std::string text = replaced(pendulum, "mass = 2", "mass = -2");
  text = replaced(text, "inertia = 0.1", "inertai = 0.1");
  text = replaced(text, "[\"ground\", \"rod\"]", "[\"ground\", \"rood\"]");
  text = replaced(text, "sin(t)", "sin(q)");
  text = replaced(text, "every = 0.01", "every = \"0.01 m\"");
  folder.write("model.toml", text);
  const Outcome outcome = carom(folder, {"run", "model.toml"});
  EXPECT_EQ(outcome.code, 2);
  for (const char* key : {"body.rod.mass", "body.rod.inertai", "body.rod.inertia", "joint.pivot.bodies",
                          "force.pull.torque", "output.every"}) {
    EXPECT_THAT(outcome.err, HasSubstr(key));
  }
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 6) << outcome.err;
  EXPECT_LT(outcome.err.find("joint.pivot"), outcome.err.find("output.every"));
}

TEST(BadModels, ALoopThatCannotCloseNamesEveryJointWithItsResidual) {
  const Folder folder;
  folder.write("model.toml", R"([model]
plane = "xy"
[[body]]
name = "crank"
mass = 1
inertia = 1
[[body]]
name = "rocker"
mass = 1
inertia = 1
[[joint]]
name = "left"
type = "revolute"
bodies = ["ground", "crank"]
points = [[0, 0], [0, 0]]
[[joint]]
name = "top"
type = "revolute"
bodies = ["crank", "rocker"]
points = [[1, 0], [1, 0]]
[[joint]]
name = "right"
type = "revolute"
bodies = ["ground", "rocker"]
points = [[5, 0], [0, 0]]
[solver]
end = 1
)");
  folder.write("model.h5", "an older result");
  const Outcome run = carom(folder, {"run", "model.toml", "--force"});
  EXPECT_EQ(run.code, 2);
  for (const char* joint : {"left", "top", "right"}) EXPECT_THAT(run.err, HasSubstr(joint));
  EXPECT_THAT(run.err, AllOf(HasSubstr("model.toml"), HasSubstr("cannot be assembled"), HasSubstr("stay open: "),
                             HasSubstr(" by 1"), is_for_people()));
  EXPECT_EQ(contents(folder / "model.h5"), "an older result");

  const Outcome check = carom(folder, {"check", "model.toml"});
  EXPECT_EQ(check.code, 2);
  for (const char* joint : {"left", "top", "right"}) EXPECT_THAT(check.out, HasSubstr(joint));
  EXPECT_THAT(check.out, HasSubstr("residual"));
  EXPECT_EQ(carom(folder, {"check", "model.toml", "--json"}).code, 2);
}

}  // namespace
}  // namespace carom::cli
