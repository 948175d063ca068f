#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <random>
#include <thread>

#include "command_line.h"

namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string study = R"toml([study]
name = "Lengths"
model = "model.toml"
[[vary]]
parameter = "length"
range = { from = "0.5 m", to = "2 m", count = 40 }
[[quantity]]
name = "lowest"
of = "body:rod.y"
reduce = "min"
[[quantity]]
name = "ratio"
value = "=lowest/length"
)toml";

const std::string slow = replaced(pendulum, "end = 1", "end = 30");

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(Study, WritesOneTableWhateverTheWorkers) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  folder.write("study.toml", study);
  const Outcome one = carom(folder, {"study", "study.toml", "-j", "1", "-o", "one"});
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_THAT(one.out, AllOf(HasSubstr("Lengths: complete"), HasSubstr("40 of 40")));
  ASSERT_EQ(carom(folder, {"study", "study.toml", "-j", "4", "-o", "four.h5"}).code, 0);
  EXPECT_EQ(contents(folder / "one.h5"), contents(folder / "four.h5"));
  EXPECT_EQ(contents(folder / "one.csv"), contents(folder / "four.csv"));
  EXPECT_THAT(contents(folder / "one.csv"), HasSubstr("run,model,model_number,method,length [m],lowest [m],ratio,"));
  EXPECT_EQ(lines(contents(folder / "one.csv")), 41u);
}

TEST(Study, RepeatsOneRunAlone) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  folder.write("study.toml", replaced(study, "name = \"Lengths\"", "keep = true"));
  ASSERT_EQ(carom(folder, {"study", "study.toml"}).code, 0);
  const Outcome again = carom(folder, {"run", "--from", "study.h5", "--run", "17"});
  ASSERT_EQ(again.code, 0) << again.err;
  const Outcome same = carom(folder, {"export", "--csv", "study_run_17.h5", "body:rod.*"});
  EXPECT_EQ(same.out, carom(folder, {"export", "--csv", "study_runs/run_000017.h5", "body:rod.*"}).out);
  EXPECT_GT(lines(same.out), 100u);
  EXPECT_THAT(carom(folder, {"run", "--from", "study.h5", "--run", "41"}).err, HasSubstr("it has no run 41"));
  EXPECT_THAT(carom(folder, {"run", "--from", "study_run_17.h5", "--run", "1"}).err,
              HasSubstr("not the table of a study"));
  EXPECT_EQ(carom(folder, {"run", "--from", "study.h5"}).code, 2);
  EXPECT_EQ(carom(folder, {"run"}).code, 2);
}

TEST(Study, NamesItsReductionsAsTheGuideDoes) {
  const Folder folder;
  const Outcome outcome = carom(folder, {"study", "--reductions", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto all = nlohmann::json::parse(outcome.out);
  EXPECT_GT(all.size(), 30u);
  const std::string guide = contents(std::string(CAROM_SOURCE_DIR) + "/docs/guide/studies.md");
  for (const auto& each : all) EXPECT_THAT(guide, HasSubstr("`" + each["name"].get<std::string>() + "`"));
  EXPECT_THAT(carom(folder, {"study"}).err, HasSubstr("a study file"));
}

TEST(Study, HasAReport) {
  const Folder folder;
  folder.write("model.toml",
               replaced(replaced(pendulum, "mass = 2", "mass = \"=1[kg/m]*length\""), "[solver]", "# <b>\n[solver]"));
  folder.write("study.toml", replaced(study, "from = \"0.5 m\"", "from = \"-0.5 m\""));  // a mass below zero
  ASSERT_EQ(carom(folder, {"study", "study.toml"}).code, 1);
  const Outcome report = carom(folder, {"report", "study.h5"});
  ASSERT_EQ(report.code, 0) << report.err;
  const std::string page = contents(folder / "study.html");
  for (const char* id : {"summary", "plots", "failures", "runs", "reproduction", "texts"})
    EXPECT_THAT(page, HasSubstr("<section id=\"" + std::string(id) + "\"")) << id;
  EXPECT_THAT(page, HasSubstr("carom run --from study.h5 --run 1"));
  EXPECT_THAT(page, HasSubstr("# &lt;b&gt;"));
  EXPECT_EQ(page.find("<script"), std::string::npos);
  ASSERT_EQ(carom(folder, {"report", "study.h5", "-o", "again.html"}).code, 0);
  EXPECT_EQ(contents(folder / "again.html"), page);
  EXPECT_THAT(carom(folder, {"report", "study.h5", "--plot", "lowst"}).err, HasSubstr("lowest"));
  EXPECT_EQ(carom(folder, {"report", "study.h5", "-o", "study.h5"}).code, 2);
}

TEST(Study, KilledAtAnyInstantGoesOnAndEndsTheSame) {
  const Folder folder, undisturbed;
  for (const Folder* each : {&folder, &undisturbed}) {
    each->write("model.toml", slow);
    each->write("study.toml", study);
  }
  // Killed within an eighth of what the whole takes here: several times on a machine of any speed.
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(carom(undisturbed, {"study", "study.toml", "-j", "2"}).code, 0);
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
  std::mt19937 random(3);
  int kills = 0;
  for (; kills < 20; ++kills) {
    const Running run(folder, {"study", "study.toml", "-j", "2"});
    std::this_thread::sleep_for(whole * (random() % 1000) / 8000);
    run.signal(SIGKILL);
    if (run.wait().code != -SIGKILL) break;
  }
  EXPECT_GT(kills, 1);
  const Outcome last = carom(folder, {"study", "study.toml"});
  ASSERT_EQ(last.code, 0) << last.err;
  EXPECT_EQ(contents(folder / "study.h5"), contents(undisturbed / "study.h5"));
  EXPECT_EQ(contents(folder / "study.csv"), contents(undisturbed / "study.csv"));
  EXPECT_EQ(lines(contents(folder / "study.journal")), 41u);  // none was run twice
}

TEST(Study, InterruptedTellsHowToGoOn) {
  const Folder folder;
  folder.write("model.toml", endless);
  folder.write("study.toml", study);
  const Running run(folder, {"study", "study.toml"});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  run.signal(SIGINT);
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("the same command goes on with the rest"));
  EXPECT_FALSE(fs::exists(folder / "study.h5"));
}

TEST(Study, KeepsGoingWhenARunFails) {
  const Folder folder;
  folder.write("model.toml", replaced(pendulum, "mass = 2", "mass = \"=2[kg/m]*length\""));
  folder.write("study.toml",
               replaced(study, "range = { from = \"0.5 m\", to = \"2 m\", count = 40 }", "values = [1, -1, 2]"));
  const Outcome outcome = carom(folder, {"study", "study.toml"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("run 2 failed: "), HasSubstr("body.rod.mass")));
  EXPECT_THAT(contents(folder / "study.csv"), AllOf(HasSubstr("failed"), HasSubstr("body.rod.mass"), HasSubstr("nan")));
  EXPECT_EQ(lines(contents(folder / "study.csv")), 4u);
  EXPECT_THAT(carom(folder, {"study", "study.toml"}).out, HasSubstr("3 of 3, 3 of them before"));
  EXPECT_THAT(carom(folder, {"study", "study.toml", "--retry"}).out, HasSubstr("3 of 3, 2 of them before"));
}

TEST(Study, LeavesTheResultsOfOthersAlone) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  folder.write("study.toml", study);
  ASSERT_EQ(carom(folder, {"study", "study.toml"}).code, 0);
  folder.write("study.toml", replaced(study, "count = 40", "count = 3"));
  const Outcome other = carom(folder, {"study", "study.toml"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("another study"));
  fs::remove(folder / "study.h5");
  EXPECT_THAT(carom(folder, {"study", "study.toml"}).err, HasSubstr("study.journal belongs to another study"));
  EXPECT_EQ(carom(folder, {"study", "study.toml", "--fresh"}).code, 0);
  EXPECT_EQ(lines(contents(folder / "study.csv")), 4u);
  ASSERT_EQ(carom(folder, {"run", "model.toml", "-o", "mine.h5"}).code, 0);
  EXPECT_THAT(carom(folder, {"study", "study.toml", "--fresh", "-o", "mine.h5"}).err,
              HasSubstr("not the table of a study"));
}

TEST(Study, DrawsCurvesCloudsAndMaps) {
  const Folder folder;
  folder.write("model.toml", replaced(pendulum, "length = \"1 m\"", "length = \"1 m\"\npush = 0.1"));
  folder.write("study.toml",
               replaced(study, "count = 40 }", "count = 3 }\n[[vary]]\nparameter = \"push\"\nvalues = [0.1, 0.2]") +
                   "[steady]\nperiod = 0.1\nskip_turns = 2\n"
                   "[[quantity]]\nname = \"points\"\nof = \"body:rod.y\"\nreduce = \"poincare\"\n");
  ASSERT_EQ(carom(folder, {"study", "study.toml"}).code, 0);
  EXPECT_EQ(lines(contents(folder / "study_points.csv")), 1u + 6 * 9);
  ASSERT_EQ(carom(folder, {"plot", "study.h5", "lowest", "points"}).code, 0);
  EXPECT_THAT(contents(folder / "study.svg"), HasSubstr("<svg"));
  EXPECT_EQ(carom(folder, {"plot", "study.h5", "lowest", "--map", "-o", "map.png"}).code, 0);
  EXPECT_THAT(carom(folder, {"plot", "study.h5", "lowst"}).err, HasSubstr("lowest"));
  EXPECT_THAT(carom(folder, {"plot", "study.h5", "-x", "lenght"}).err, HasSubstr("did you mean `length`?"));
  EXPECT_EQ(carom(folder, {"run", "model.toml"}).code, 0);
  EXPECT_EQ(carom(folder, {"plot", "model.h5", "--map"}).code, 2);
}

// A study with two parameters, a trace of the path and points once a period.
std::string with_lists(const std::string& more) {
  return replaced(study, "count = 40 }", "count = 3 }\n[[vary]]\nparameter = \"push\"\nvalues = [0.1, 0.2]") +
         "[steady]\nperiod = 0.1\nskip_turns = 2\n"
         "[[quantity]]\nname = \"x\"\nof = \"body:rod.x\"\nreduce = \"trace\"\n"
         "[[quantity]]\nname = \"y\"\nof = \"body:rod.y\"\nreduce = \"trace\"\n"
         "[[quantity]]\nname = \"motion\"\nof = \"body:rod.y\"\nreduce = \"motion\"\n" +
         more;
}

TEST(Study, DrawsItsFiguresWithoutRunningAgain) {
  const Folder folder;
  folder.write("model.toml", replaced(pendulum, "length = \"1 m\"", "length = \"1 m\"\npush = 0.1"));
  const std::string figures =
      "[[figure]]\nname = \"paths\"\ntitle = \"Paths of the rod\"\nkind = \"gallery\"\ny = \"y\"\nx = \"x\"\n"
      "where = { push = 0.2 }\nreference = { push = 0.1 }\ncircle = \"=length/2\"\n"
      "[[figure]]\nname = \"kinds\"\nkind = \"map\"\ny = \"motion\"\n"
      "[[figure]]\nname = \"lowest\"\nkind = \"map\"\ny = \"lowest\"\nformat = \"png\"\n";
  folder.write("study.toml", with_lists(figures));
  const Outcome first = carom(folder, {"study", "study.toml"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("study_figures/paths.svg"));
  const std::string paths = contents(folder / "study_figures/paths.svg");
  EXPECT_THAT(paths, AllOf(HasSubstr("Paths of the rod"), HasSubstr("length = 0.5 m"), HasSubstr("length = 2 m")));
  EXPECT_THAT(contents(folder / "study_figures/kinds.svg"), HasSubstr("unclear"));  // 9 points are too few
  EXPECT_EQ(contents(folder / "study_figures/lowest.png").substr(1, 3), "PNG");
  folder.write("study.toml", with_lists(replaced(figures, "Paths of the rod", "Other title")));
  const Outcome again = carom(folder, {"study", "study.toml"});
  EXPECT_THAT(again.out, HasSubstr("6 of 6, 6 of them before")) << again.err;
  EXPECT_THAT(contents(folder / "study_figures/paths.svg"), HasSubstr("Other title"));

  ASSERT_EQ(carom(folder, {"plot", "study.h5", "--gallery", "y", "-x", "x", "--where", "push=0.2", "--where",
                           "length=0.5m", "--circle", "length/2", "-o", "one.svg"})
                .code,
            0);
  EXPECT_THAT(contents(folder / "one.svg"), Not(HasSubstr("length = 2 m")));
  const Outcome none = carom(folder, {"plot", "study.h5", "--gallery", "y", "-x", "x", "--where", "length=7m"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("--where: found length = \"7m\""));
  EXPECT_EQ(carom(folder, {"plot", "study.h5", "--gallery", "y"}).code, 2);  // over what?
  EXPECT_EQ(carom(folder, {"plot", "study.h5", "lowest", "--where", "length"}).code, 2);
}

TEST(Study, IsSummedUpByInfo) {
  const Folder folder;
  folder.write("model.toml", replaced(pendulum, "length = \"1 m\"", "length = \"1 m\"\npush = 0.1"));
  folder.write("study.toml", with_lists(""));
  ASSERT_EQ(carom(folder, {"study", "study.toml"}).code, 0);
  const Outcome info = carom(folder, {"info", "study.h5"});
  ASSERT_EQ(info.code, 0) << info.err;
  EXPECT_THAT(info.out, AllOf(HasSubstr("study.h5: study, 6 runs\n"), HasSubstr("0.5 … 2 m"), HasSubstr("3 values"),
                              HasSubstr("min of body:rod.y"), HasSubstr("trace of body:rod.x; ")));
  const Outcome json = carom(folder, {"info", "study.h5", "--json"});
  EXPECT_THAT(json.out, AllOf(HasSubstr("\"runs\": 6"), HasSubstr("\"least\": 0.5")));
  EXPECT_EQ(carom(folder, {"info", "study.h5", "--model"}).code, 2);
}

TEST(Study, IsTheSameByMpi) {
  const std::string mpirun = "/usr/bin/mpirun";
  if (!fs::exists(mpirun)) GTEST_SKIP() << "no mpirun";
  const Folder folder;
  folder.write("model.toml", pendulum);
  folder.write("study.toml", study);
  ASSERT_EQ(carom(folder, {"study", "study.toml", "-o", "alone"}).code, 0);
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  Surroundings around;
  around.program = mpirun;
  const Outcome spread =
      carom(folder, {"--oversubscribe", "-n", "3", CAROM_PROGRAM, "study", "study.toml", "-o", "spread"}, around);
  ASSERT_EQ(spread.code, 0) << spread.err;
  EXPECT_EQ(contents(folder / "alone.h5"), contents(folder / "spread.h5"));
  EXPECT_EQ(spread.out.find("complete"), spread.out.rfind("complete"));  // one process reports
  folder.write("spread.h5", "not a table");
  EXPECT_NE(
      carom(folder, {"--oversubscribe", "-n", "3", CAROM_PROGRAM, "study", "study.toml", "-o", "spread"}, around).code,
      0);
}

TEST(Study, ListsItsRuns) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  folder.write("study.toml", replaced(study, "model = \"model.toml\"",
                                      "model = \"model.toml\"\nmethod = [\"compliant\", \"nonsmooth\"]"));
  const Outcome list = carom(folder, {"study", "study.toml", "--list"});
  ASSERT_EQ(list.code, 0) << list.err;
  EXPECT_EQ(lines(list.out), 81u);
  EXPECT_THAT(list.out, HasSubstr("41,model.toml,nonsmooth,0.5\n"));
  EXPECT_FALSE(fs::exists(folder / "study.journal"));
}

// A dumb-bell falls flat from 0.45 m with restitution 1/2: it touches at t₁ = √(2h/g), 2 t₁ and 2.5 t₁ before 0.8 s,
// each time with both ends.
TEST(Study, CountsTheContactsOfAllShapes) {
  const Folder folder;
  folder.write("model.toml", R"toml([model]
plane = "xy"
gravity = [0, -9.81]
[[body]]
name = "bell"
mass = 1
inertia = 0.1
position = [0, 0.55]
[[body.geometry]]
shape = "sphere"
radius = 0.1
position = [-0.5, 0]
[[body.geometry]]
shape = "sphere"
radius = 0.1
position = [0.5, 0]
[[ground.geometry]]
shape = "plane"
[contact.floor]
restitution = 0.5
[[pair]]
name = "knock"
bodies = ["ground", "bell"]
contact = "floor"
[solver]
method = "nonsmooth"
step = 1e-4
end = 0.8
[output]
every = 0.01
)toml");
  folder.write("study.toml", R"toml([study]
model = "model.toml"
[[quantity]]
name = "hits"
of = "contact:knock"
reduce = "count_events"
)toml");
  const Outcome outcome = carom(folder, {"study", "study.toml", "-o", "out"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(contents(folder / "out.csv"), HasSubstr(",6,")) << contents(folder / "out.csv");
  ASSERT_EQ(carom(folder, {"run", "model.toml", "-o", "one.h5"}).code, 0);
  // What reads the result later takes the same names.
  EXPECT_THAT(carom(folder, {"motion", "one.h5", "body:bell.y", "--event", "contact:knock"}).out,
              HasSubstr("6, at events"));
  const Outcome misspelt = carom(folder, {"motion", "one.h5", "body:bell.y", "--event", "contact:knok"});
  EXPECT_NE(misspelt.code, 0);
  EXPECT_THAT(misspelt.err, HasSubstr("no contact of one.h5 matches 'contact:knok'; did you mean contact:knock?"));
  EXPECT_THAT(carom(folder, {"motion", "one.h5", "body:bell.y", "--event", "contact:knock", "--kind", "touch"}).err,
              HasSubstr("no events of one.h5 are of the kind 'touch'; it has impact"));
  EXPECT_THAT(carom(folder, {"forces", "one.h5", "contact:knock", "contact:nock"}).err,
              HasSubstr("matches 'contact:nock'; did you mean contact:knock?"));
}

TEST(Study, NamesMistakesBeforeAnythingRuns) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  const std::string wrong = replaced(study, "\"body:rod.y\"", "\"body:rood.y\"");
  folder.write("study.toml", wrong);
  const Outcome outcome = carom(folder, {"study", "study.toml"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("study.toml" + place(wrong, "\"body:rood.y\"")), HasSubstr("`body:rod.y`")));
  EXPECT_FALSE(fs::exists(folder / "study.journal"));
}

}  // namespace
}  // namespace carom::cli
