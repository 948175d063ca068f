#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "command_line.h"

// What would never end, fill the disk or the memory is refused; what stops is answered at once.
namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Refused {
  const char* name;
  std::string text;
  std::vector<std::string> said;
};

class Boundless : public testing::TestWithParam<Refused> {};

TEST_P(Boundless, IsRefusedWithItsLine) {
  const Folder folder;
  folder.write("model.toml", GetParam().text);
  for (const char* command : {"check", "run"}) {
    const Outcome outcome = carom(folder, {command, "model.toml"});
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    for (const std::string& piece : GetParam().said) EXPECT_THAT(outcome.err, HasSubstr(piece));
    EXPECT_THAT(outcome.err, HasSubstr("model.toml:"));
  }
  EXPECT_FALSE(fs::exists(folder / "model.h5"));
}

std::string with_profile(const std::string& point) {
  return replaced(
      pendulum, "[[joint]]",
      "[[body.geometry]]\nname = \"edge\"\nshape = \"profile\"\npoints = [[0, 0], [1, 0], " + point + "]\n\n[[joint]]");
}

INSTANTIATE_TEST_SUITE_P(
    Keys, Boundless,
    testing::Values(Refused{"ShortInterval",
                            replaced(pendulum, "every = 0.01", "every = 1e-12"),
                            {"output.every", "1e+12 samples", "at most 1e+08"}},
                    Refused{"ShortestInterval", replaced(pendulum, "every = 0.01", "every = 1e-300"), {"output.every"}},
                    Refused{"NoSpan", replaced(pendulum, "end = 1", "end = 1e-310"), {"solver.end", "check the unit"}},
                    Refused{"FarPoint", with_profile("[0, 1e10]"), {"points", "point 3", "10000000000 m"}},
                    Refused{"FarthestPoint", with_profile("[0, 2.7e92]"), {"points", "point 3"}},
                    Refused{"FarBody",
                            replaced(pendulum, "position = [\"=length/2\", 0]", "position = [0, 1e12]"),
                            {"body.rod.position", "1000000000000 m"}}),
    [](const auto& test) { return test.param.name; });

TEST(Bounds, APeriodFarBelowTheRun) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  ASSERT_EQ(carom(folder, {"run", "model.toml", "--quiet"}).code, 0);
  const Outcome motion = carom(folder, {"motion", "model.h5", "body:rod.x", "--period", "1e-12s"});
  EXPECT_EQ(motion.code, 2);
  EXPECT_THAT(motion.err, AllOf(HasSubstr("--period"), HasSubstr("1e+12 points"), HasSubstr("at most 1e+06")));
  for (const char* steady : {"period = \"1e-12 s\"", "period = \"1e-9 s\"\ndetect = true"}) {
    folder.write("study.toml",
                 std::string("[study]\nmodel = \"model.toml\"\n[[vary]]\nparameter = \"length\"\nvalues = "
                             "[1]\n[steady]\n") +
                     steady + "\n[[quantity]]\nname = \"r\"\nof = \"body:rod.x\"\nreduce = \"rms\"\n");
    const Outcome study = carom(folder, {"study", "study.toml", "--quiet", "--fresh"});
    EXPECT_EQ(study.code, 1);
    EXPECT_THAT(study.err, AllOf(HasSubstr("study.toml:7:"), HasSubstr("period of [steady]"), HasSubstr("turns"),
                                 HasSubstr("at most 1e+06")));
  }
}

const std::string heap = R"toml([model]
plane = "xy"
[[body]]
name = "b"
mass = 1
inertia = 1
[[body.geometry]]
name = "g"
shape = "sphere"
radius = 0.1
[body.grid]
count = [40, 40]
spacing = [0.02, 0.02]
[[pair]]
name = "a"
bodies = ["b*", "b*"]
contact = "d"
[contact.d]
restitution = 0.5
stiffness = 1e6
[solver]
method = "nonsmooth"
end = 0.002
step = 0.001
[output]
record = ["energy"]
)toml";

TEST(Bounds, ManyOverlapsAreOneMessageOfCheckAndRun) {
  const Folder folder;
  folder.write("model.toml", heap);
  for (const char* command : {"check", "run"}) {
    const Outcome outcome = carom(folder, {command, "model.toml"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err.substr(0, 2000);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("model.toml"), HasSubstr("deep in each other"),
                                   HasSubstr("other contacts"), HasSubstr("allow_initial_penetration")));
  }
}

TEST(Bounds, TenThousandSpheresInOnePlaceAreRefused) {
  const Folder folder;
  folder.write("model.toml",
               replaced(replaced(replaced(heap, "[40, 40]", "[100, 100]"), "[0.02, 0.02]", "[1e-4, 1e-4]"),
                        "contact = \"d\"", "contact = \"d\"\nallow_initial_penetration = true"));
  const Outcome outcome = carom(folder, {"run", "model.toml"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("10000000 pairs of shapes"), HasSubstr("Move them apart")));
}

#ifndef __SANITIZE_ADDRESS__  // which reserves more addresses than this bound
TEST(Bounds, MoreBodiesThanFitIntoTheMemoryAreRefused) {
  const Folder folder;
  folder.write("model.toml", replaced(replaced(heap, "[40, 40]", "[1000, 1000]"), "[0.02, 0.02]", "[1, 1]"));
  const Outcome outcome =
      carom(folder, {"-c", "ulimit -v 3000000; " CAROM_PROGRAM " check model.toml"}, {.program = "/bin/sh"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("model.toml:12:"), HasSubstr("body.b.grid.count"), HasSubstr("1e+06 copies"),
                                 HasSubstr("8 GB"), HasSubstr("memory of 3.1 GB")));
}
#endif

TEST(Bounds, CheckFindsTheOverlapThatRunRefuses) {
  const Folder folder;
  folder.write("model.toml", replaced(replaced(heap, "[40, 40]", "[2, 1]"), "method = \"nonsmooth\"", ""));
  const Outcome check = carom(folder, {"check", "model.toml"}), run = carom(folder, {"run", "model.toml"});
  EXPECT_EQ(check.code, 2);
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(check.err, run.err);
}

TEST(Bounds, DistributionsFarOutInATailAreSampledOrRefusedWithTheirLine) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  const auto study = [&](const std::string& distribution) {
    folder.write("study.toml",
                 "[study]\nmodel = \"model.toml\"\nsampling = \"sobol\"\nsamples = 8\n[[vary]]\nparameter = "
                 "\"length\"\ndistribution = { " +
                     distribution + " }\n[[quantity]]\nname = \"r\"\nof = \"body:rod.x\"\nreduce = \"rms\"\n");
    return carom(folder, {"study", "study.toml", "--list"});
  };
  for (const char* sampled : {"type = \"normal\", mean = 0, deviation = 0.01, lower = 0.1, upper = 0.7",
                              "type = \"normal\", mean = 1, deviation = 0.1, lower = 0.1, upper = 0.3",
                              "type = \"weibull\", shape = 2, scale = 0.1, lower = 1"}) {
    const Outcome outcome = study(sampled);
    EXPECT_EQ(outcome.code, 0) << sampled << outcome.err;
    EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 9);
    EXPECT_THAT(outcome.out, AllOf(Not(HasSubstr("inf")), Not(HasSubstr("nan"))));
  }
  for (const char* refused : {"type = \"normal\", mean = 5, deviation = 0.1, lower = 0.1, upper = 0.7",
                              "type = \"weibull\", shape = 2, scale = 0.1, location = 5, upper = 1",
                              "type = \"weibull\", shape = 2, scale = 0.1, lower = 10"}) {
    const Outcome outcome = study(refused);
    EXPECT_EQ(outcome.code, 2) << refused;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("study.toml:7:"), HasSubstr("far out in a tail")));
  }
}

TEST(Bounds, TextInTheFirstRowOfATableIsReported) {
  const Folder folder;
  folder.write("model.toml", pendulum + "[[motion]]\njoint = \"pivot\"\nposition = { file = \"drive.csv\" }\n");
  folder.write("drive.csv", "time,angle\n0,0\n1,1\n");
  const Outcome titles = carom(folder, {"check", "model.toml"});
  EXPECT_EQ(titles.code, 0);
  EXPECT_THAT(titles.err,
              AllOf(HasSubstr("drive.csv:1"), HasSubstr("warning"), HasSubstr("taken as a line of titles")));
  folder.write("drive.csv", "O.0,0\n0.5,0.3\n1,1\n");
  const Outcome mistyped = carom(folder, {"check", "model.toml"});
  EXPECT_EQ(mistyped.code, 2);
  EXPECT_THAT(mistyped.err, AllOf(HasSubstr("drive.csv:1"), HasSubstr("two numbers")));
}

TEST(StandardOutput, ThatIsFullIsAnError) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  ASSERT_EQ(carom(folder, {"run", "model.toml", "--quiet"}).code, 0);
  for (const std::string words : {"info model.h5", "info model.h5 --model", "check model.toml", "run model.toml --json",
                                  "laws", "schema", "export model.h5 --csv", "--help"}) {
    const std::string line = std::string(CAROM_PROGRAM) + " " + words + " > /dev/full";
    const Outcome outcome = carom(folder, {"-c", line}, {.program = "/bin/sh"});
    EXPECT_EQ(outcome.code, 1) << words << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("standard output"), Not(HasSubstr("fault of the program")))) << words;
  }
}

TEST(FullDisk, IsOneExitCodeAndLeavesNoFile) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  ASSERT_EQ(carom(folder, {"run", "model.toml", "--quiet"}).code, 0);
  const Surroundings small = {.largest_file = 2000};
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"plot", "model.h5", "body:rod.x", "-o", "p.svg"},
        {"plot", "model.h5", "body:rod.x", "-o", "p.png"},
        {"export", "model.h5", "--csv", "-o", "t.csv"},
        {"report", "model.h5", "-o", "r.html"},
        {"run", "model.toml", "-o", "n.h5", "--quiet"}}) {
    const Outcome outcome = carom(folder, words, small);
    EXPECT_EQ(outcome.code, 1) << words[0] << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(words.back() == "--quiet" ? "n.h5" : words.back()));
  }
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "model.toml" || name == "model.h5" || name == ".stdout" || name == ".stderr") << name;
  }
}

TEST(Paths, TheBytesOfAResultDoNotDependOnThem) {
  const Folder folder;
  folder.write("part.toml", pendulum);
  folder.write("model.toml", "include = [\"part.toml\"]\n");
  fs::create_directory(folder / "elsewhere");
  const std::string whole = (folder / "model.toml").string();
  ASSERT_EQ(carom(folder, {"run", "model.toml", "-o", "a.h5"}).code, 0);
  ASSERT_EQ(carom(folder, {"run", "./model.toml", "-o", "b.h5"}).code, 0);
  ASSERT_EQ(carom(folder, {"run", whole, "-o", "c.h5"}).code, 0);
  ASSERT_EQ(carom(folder, {"run", "../model.toml", "-o", "../d.h5"}, {.folder = folder / "elsewhere"}).code, 0);
  const std::string bytes = contents(folder / "a.h5");
  for (const char* name : {"b.h5", "c.h5", "d.h5"}) EXPECT_TRUE(contents(folder / name) == bytes) << name;
}

// A ball that falls on the floor and is still in contact when the run ends.
const std::string landing = R"toml([model]
plane = "xy"
gravity = [0, -9.81]
[[ground.geometry]]
name = "floor"
shape = "plane"
[[body]]
name = "ball"
mass = 1
inertia = 0.004
position = [0, 0.11]
[[body.geometry]]
name = "skin"
shape = "sphere"
radius = 0.1
[[pair]]
name = "touch"
bodies = ["ground", "ball"]
contact = "soft"
[contact.soft]
restitution = 0.1
stiffness = 1e4
[solver]
end = 0.06
)toml";

TEST(Paths, AResultIsReadWithoutTheFilesOfItsModel) {
  const Folder folder;
  fs::create_directory(folder / "models");
  fs::create_directory(folder / "models/parts");
  folder.write("models/parts/ball.toml", landing);
  folder.write("models/parts/push.csv", "0,0\n1,1\n");
  folder.write("models/model.toml",
               "include = [\"parts/ball.toml\"]\n[[force]]\nname = \"push\"\ntype = \"torque\"\nbody = "
               "\"ball\"\ntorque = { file = \"parts/push.csv\" }\n");
  const Outcome run = carom(folder, {"run", "models/model.toml", "--quiet"});
  ASSERT_EQ(run.code, 0) << run.err;
  fs::remove_all(folder / "models");
  fs::create_directory(folder / "elsewhere");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"forces", "../model.h5"},
                                                {"report", "../model.h5"},
                                                {"export", "../model.h5", "--vtk"}}) {
    const Outcome outcome = carom(folder, words, {.folder = folder / "elsewhere"});
    EXPECT_EQ(outcome.code, 0) << words[0] << outcome.err;
  }
}

TEST(OpenContacts, WhatIsNotKnownIsAbsentAndNotZero) {
  const Folder folder;
  folder.write("model.toml", landing);
  ASSERT_EQ(carom(folder, {"run", "model.toml", "--quiet"}).code, 0);
  const Outcome outcome = carom(folder, {"forces", "model.h5", "--json", "-o", "f.csv"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out, nullptr, false);
  ASSERT_TRUE(json.is_object());
  ASSERT_EQ(json["impacts"].size(), 1u);
  EXPECT_FALSE(json["impacts"][0].contains("rebound"));
  EXPECT_FALSE(json["impacts"][0].contains("impulse"));
  EXPECT_GT(json["impacts"][0]["peak_force"], 0);
  const std::string table = contents(folder / "f.csv");
  EXPECT_THAT(table.substr(table.find('\n')), AllOf(HasSubstr(",nan,nan,"), Not(HasSubstr(",0,0,"))));
  EXPECT_THAT(carom(folder, {"forces", "model.h5"}).out, HasSubstr("open"));
}

// Closing thousands of contacts at the start takes longer than a second, during which nothing looks at the flag.
TEST(Interrupts, AreAnsweredWithinASecondOrTwo) {
  const Folder folder;
  folder.write("model.toml", replaced(replaced(heap, "[40, 40]", "[150, 150]"), "contact = \"d\"",
                                      "contact = \"d\"\nallow_initial_penetration = true"));
  const Running run(folder, {"run", "model.toml", "--quiet"});
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  const auto begin = std::chrono::steady_clock::now();
  run.signal(SIGINT);
  const Outcome outcome = run.wait();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(2500));
  EXPECT_TRUE(outcome.code == 1 || outcome.code == -SIGINT) << outcome.code;
}

}  // namespace
}  // namespace carom::cli
