#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command_line.h"

// Plug-ins, loaded by the program as a user would.
namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string plugin(const std::string& name) {
  return std::string(CAROM_PLUGIN_FOLDER) + "/lib" + name + ".so";
}
const std::string my_parts = plugin("my_parts");
const std::string machine = contents(CAROM_SOURCE_DIR "/examples/plugin/machine.toml");

std::string failing_model(const std::string& way, const std::string& from) {
  return replaced(pendulum, "type = \"torque\"\nbody = \"rod\"\ntorque = \"=0.1*sin(t)\"",
                  "type = \"failing\"\nbody = \"rod\"\nway = \"" + way + "\"\nfrom = " + from);
}

class Plugins : public testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& words) const { return carom(folder_, words); }
  Folder folder_;
};

TEST_F(Plugins, AModelUsesAllKindsOfParts) {
  folder_.write("machine.toml", machine);
  const Outcome outcome = run({"run", "--plugin", my_parts, "machine.toml"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, Not(HasSubstr("warning")));
  // The option may stand before the command, too, and after the model.
  EXPECT_EQ(run({"--plugin", my_parts, "check", "machine.toml"}).code, 0);
  EXPECT_EQ(run({"check", "machine.toml", "--plugin", my_parts}).code, 0);
  const Outcome twice = run({"check", "machine.toml", "--plugin", my_parts, "--plugin", my_parts});
  EXPECT_EQ(twice.code, 0) << twice.err;
}

TEST_F(Plugins, PartsAreListedAsBuiltInOnesAre) {
  EXPECT_THAT(run({"laws", "--plugin", my_parts}).out, AllOf(HasSubstr("soft-damper"), HasSubstr("smooth")));
  EXPECT_THAT(run({"laws", "soft-damper", "--plugin", my_parts}).out,
              AllOf(HasSubstr("full_depth"), HasSubstr("default: 1e-4 m"), HasSubstr("my_parts.so")));
  EXPECT_THAT(run({"laws", "soft-damper"}).err, HasSubstr("unknown law"));
  const Outcome schema = run({"schema", "--plugin", my_parts});
  EXPECT_TRUE(nlohmann::json::accept(schema.out));
  EXPECT_THAT(schema.out, AllOf(HasSubstr("\"magnet\""), HasSubstr("\"soft-damper\""), HasSubstr("\"smooth\""),
                                HasSubstr("\"cycloid\"")));
  EXPECT_THAT(run({"schema"}).out, Not(HasSubstr("\"magnet\"")));
  EXPECT_THAT(run({"schema", "--reference", "--plugin", my_parts}).out,
              AllOf(HasSubstr("### `magnet`"), HasSubstr("### `law = \"soft-damper\"`"),
                    HasSubstr("### `{ drive = \"cycloid\" }`")));
}

TEST_F(Plugins, WithoutThemTheRemedyIsNamed) {
  folder_.write("machine.toml", machine);
  const Outcome outcome = run({"check", "machine.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr(place(machine, "\"magnet\"")), HasSubstr("--plugin FILE"),
                                 HasSubstr(place(machine, "\"soft-damper\"")), HasSubstr(place(machine, "\"smooth\"")),
                                 HasSubstr(place(machine, "\"cycloid\""))));
}

TEST_F(Plugins, KeysAreCheckedWithLineAndRange) {
  const std::string model = replaced(replaced(machine, "0.03 N m^2", "-3 N m^2"), "0.2 s", "0 s");
  folder_.write("machine.toml", replaced(model, "coefficient = 0.4", "slip_scale = \"1 kg\", coefficient = 0.4"));
  const Outcome outcome = run({"check", "machine.toml", "--plugin", my_parts});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr(place(model, "\"-3 N m^2\"")), HasSubstr("a quantity in N m^2, ≥ 0"),
                                 HasSubstr(place(model, "\"0 s\"")), HasSubstr("a quantity in s, > 0"),
                                 HasSubstr("friction.slip_scale")));
}

TEST_F(Plugins, AStudyNoticesThatOneHasChanged) {
  folder_.write("machine.toml", replaced(machine, "mass = 5", "mass = \"=weight\"") + "\n[parameters]\nweight = 5\n");
  folder_.write("study.toml",
                "[study]\nmodel = \"machine.toml\"\n[[vary]]\nparameter = \"weight\"\nvalues = [4]\n"
                "[[quantity]]\nname = \"most\"\nof = \"energy.kinetic\"\nreduce = \"max\"\n");
  fs::copy_file(my_parts, folder_ / "mine.so");
  const std::vector<std::string> words = {"study", "study.toml", "--plugin", "./mine.so"};
  ASSERT_EQ(run(words).code, 0) << run(words).err;
  EXPECT_EQ(run(words).code, 0);
  std::ofstream(folder_ / "mine.so", std::ios::app) << "compiled anew";
  const Outcome changed = run(words);
  EXPECT_EQ(changed.code, 2);
  EXPECT_THAT(changed.err, HasSubstr("another study"));
}

TEST_F(Plugins, ResultsCanBeLookedAtWithoutThem) {
  folder_.write("machine.toml", machine);
  ASSERT_EQ(run({"run", "--plugin", my_parts, "machine.toml"}).code, 0);
  const Outcome info = run({"info", "machine.h5"});
  EXPECT_THAT(info.out, AllOf(HasSubstr("my_parts.so: force `magnet`"), HasSubstr("drive `cycloid`")));
  const Outcome picture = run({"plot", "machine.h5", "--mechanism", "body:block.x", "-o", "machine.svg"});
  EXPECT_EQ(picture.code, 0) << picture.err;
  const Outcome report = run({"report", "machine.h5", "-o", "machine.html"});
  EXPECT_EQ(report.code, 0) << report.err;
  // What needs the law says whose it is.
  const Outcome forces = run({"forces", "machine.h5"});
  EXPECT_EQ(forces.code, 2);
  EXPECT_THAT(forces.err, HasSubstr("--plugin " + my_parts));
}

TEST_F(Plugins, TheEnvironmentNamesThemToo) {
  folder_.write("machine.toml", machine);
  setenv("CAROM_PLUGINS", (":" + my_parts + ":" + plugin("linked")).c_str(), 1);
  const Outcome outcome = run({"check", "machine.toml"});
  const Outcome schema = run({"schema"});
  unsetenv("CAROM_PLUGINS");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(schema.out, AllOf(HasSubstr("\"cycloid\""), HasSubstr("\"still\"")));
}

TEST_F(Plugins, OneThatIsLinkedToTheLibraryAddsToTheSameCatalogue) {
  const std::string model =
      replaced(machine, "drive = \"cycloid\", rise = \"-20 mm\", duration = \"0.2 s\"", "drive = \"still\"");
  folder_.write("machine.toml", model);
  const Outcome outcome = run({"run", "machine.toml", "--plugin", my_parts, "--plugin", plugin("linked")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(Plugins, WhatCannotBeLoadedIsNamedWithARemedy) {
  const auto error = [&](const std::string& file) {
    const Outcome outcome = run({"laws", "--plugin", file});
    EXPECT_EQ(outcome.code, 2) << file;
    EXPECT_THAT(outcome.err, HasSubstr(file));
    return outcome.err;
  };
  EXPECT_THAT(error("missing.so"), HasSubstr("no such file"));
  EXPECT_THAT(error(folder_.write("text.so", "no library")), HasSubstr("cannot be loaded"));
  EXPECT_THAT(error(plugin("no_entry")), AllOf(HasSubstr("carom_plugin"), HasSubstr("CAROM_PLUGIN(registry)")));
  EXPECT_THAT(error(plugin("later_interface")), AllOf(HasSubstr("interface 2"), HasSubstr("compile it anew")));
  EXPECT_THAT(error(plugin("throws")), HasSubstr("the table of data is missing"));
  EXPECT_THAT(error(plugin("taken_names")),
              AllOf(HasSubstr("friction law `stribeck`"), HasSubstr("built in"), HasSubstr("drive `ramp-up`"),
                    HasSubstr("`Height`"), HasSubstr("metres per fortnight"), HasSubstr("`make`")));
}

TEST_F(Plugins, APartThatFailsEndsTheRunWithItsNameAndTime) {
  const std::vector<std::pair<std::string, std::string>> ways = {
      {"throw", "out of range"}, {"throw_number", "no std::exception"}, {"not_finite", "not finite"}};
  for (const auto& [way, text] : ways) {
    folder_.write("model.toml", failing_model(way, "0.5"));
    for (const std::string method : {"compliant", "nonsmooth"}) {
      const Outcome outcome = run({"run", "model.toml", "--method", method, "--plugin", plugin("failing")});
      EXPECT_EQ(outcome.code, 1) << way << method << outcome.err;
      EXPECT_THAT(outcome.err, AllOf(HasSubstr("force `pull` of the type `failing`"), HasSubstr(text),
                                     testing::ContainsRegex("at t = 0\\.(49|5)")))
          << way << method;
    }
  }
  folder_.write("model.toml", failing_model("throw", "0"));
  EXPECT_THAT(run({"run", "model.toml", "--plugin", plugin("failing")}).err, HasSubstr("out of range"));
  folder_.write("model.toml", failing_model("at_start", "0"));
  const Outcome refused = run({"run", "model.toml", "--plugin", plugin("failing")});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("force `pull`"), HasSubstr("makes no sense")));
}

TEST_F(Plugins, StudiesHaveThemInAllWorkersAndTheirRunsAgain) {
  const std::string model = replaced(machine, "strength = \"0.03 N m^2\"", "strength = \"=strength\"");
  folder_.write("machine.toml", replaced(model, "[[body]]", "[parameters]\nstrength = \"0.03 N m^2\"\n\n[[body]]"));
  folder_.write("study.toml", R"toml([study]
name = "Strength"
model = "machine.toml"

[[vary]]
parameter = "strength"
values = [0.01, 0.02, 0.03]

[[quantity]]
name = "height"
of = "body:block.y"
reduce = "min"
)toml");
  const Outcome study = run({"study", "study.toml", "--plugin", my_parts, "--workers", "2"});
  EXPECT_EQ(study.code, 0) << study.err << study.out;
  const Outcome again = run({"run", "--from", "study.h5", "--run", "2", "--plugin", my_parts});
  EXPECT_EQ(again.code, 0) << again.err;
  const Outcome without = run({"run", "--from", "study.h5", "--run", "2"});
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.err, HasSubstr("--plugin"));
}

}  // namespace
}  // namespace carom::cli
