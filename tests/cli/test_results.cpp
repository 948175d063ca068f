#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>

#include <nlohmann/json.hpp>

#include "command_line.h"
#include "page_parts.h"
#include "recording/result_reader.h"

namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Long enough for the progress bar to appear.
const std::string a_second = replaced(pendulum, "end = 1", "end = 1500");

// Runs the program with all three streams on a terminal.
std::string on_terminal(const Folder& folder, std::vector<std::string> words, int& code) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    if (chdir(folder.path().c_str()) != 0) _exit(99);
    alarm(100);
    words.insert(words.begin(), CAROM_PROGRAM);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    execv(pointers[0], pointers.data());
    _exit(97);
  }
  std::string said;
  char bytes[4096];
  for (ssize_t count; (count = read(terminal, bytes, sizeof bytes)) > 0;)
    said.append(bytes, static_cast<std::size_t>(count));
  int status = 0;
  waitpid(child, &status, 0);
  close(terminal);
  code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return said;
}

TEST(Results, TwoRunsGiveTheSameBytes) {
  const Folder folder;
  for (const char* integrator : {"adams", "bdf", "rk", "generalized-alpha"}) {
    folder.write("model.toml", replaced(pendulum, "end = 1",
                                        std::string("end = 1\ntolerance = 1e-6\nintegrator = \"") + integrator + "\""));
    ASSERT_EQ(carom(folder, {"run", "model.toml", "-o", "a.h5"}).code, 0);
    ASSERT_EQ(carom(folder, {"run", "model.toml", "-o", "b.h5"}).code, 0);
    EXPECT_GT(fs::file_size(folder / "a.h5"), 1000u);
    EXPECT_TRUE(contents(folder / "a.h5") == contents(folder / "b.h5")) << integrator;
  }
}

TEST(Results, ASecondRunReplacesTheFirst) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  ASSERT_EQ(carom(folder, {"run", "model.toml"}).code, 0);
  const std::string first = contents(folder / "model.h5");
  ASSERT_EQ(carom(folder, {"run", "model.toml", "--set", "length=3"}).code, 0);
  EXPECT_FALSE(contents(folder / "model.h5") == first);
  ASSERT_EQ(carom(folder, {"run", "model.toml"}).code, 0);
  EXPECT_TRUE(contents(folder / "model.h5") == first);
}

TEST(Results, TheSummaryIsForPeople) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  const Outcome outcome = carom(folder, {"run", "model.toml"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
  for (const char* line : {"Pendulum: complete", "degrees of freedom", "1 s of 1 s, 101 samples", "rejected",
                           "constraint violation", "energy residual", "by force:pull", "wall time", "model.h5"}) {
    EXPECT_THAT(outcome.out, HasSubstr(line));
  }
  EXPECT_THAT(outcome.out, Not(HasSubstr("warning")));
}

TEST(Results, QuietSaysNothing) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  const Outcome outcome = carom(folder, {"run", "--quiet", "model.toml"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_TRUE(fs::exists(folder / "model.h5"));
}

TEST(Results, JsonIsValid) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  const auto parsed = [&](const std::vector<std::string>& words) {
    const Outcome outcome = carom(folder, words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, IsEmpty());
    return nlohmann::json::parse(outcome.out, nullptr, false);
  };
  const auto run = parsed({"run", "model.toml", "--json"});
  ASSERT_TRUE(run.is_object());
  EXPECT_EQ(run["status"], "complete");
  EXPECT_EQ(run["samples"], 101);
  EXPECT_EQ(run["result"], "model.h5");
  EXPECT_TRUE(run["wall_seconds"].is_number());
  EXPECT_TRUE(run["energy"]["largest_residual"].is_number());
  const auto check = parsed({"check", "model.toml", "--json"});
  ASSERT_TRUE(check.is_object());
  EXPECT_EQ(check["degrees_of_freedom"], 1);
  const auto info = parsed({"info", "model.h5", "--json"});
  ASSERT_TRUE(info.is_object());
  EXPECT_EQ(info["samples"], 101);
  EXPECT_EQ(info["statistics"]["status"], "complete");
  EXPECT_EQ(info["settings"]["parameters"]["length"], 1.0);
  EXPECT_TRUE(parsed({"schema"}).is_object());
}

TEST(Results, JsonIsValidAlsoOfARunThatFails) {
  const Folder folder;
  folder.write("model.toml", replaced(pendulum, "=0.1*sin(t)", "=sqrt(0.5 - t)"));
  const Outcome outcome = carom(folder, {"run", "model.toml", "--json"});
  EXPECT_EQ(outcome.code, 1);
  const auto json = nlohmann::json::parse(outcome.out, nullptr, false);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["status"], "failed");
  EXPECT_THAT(json["reason"].get<std::string>(), HasSubstr("force.pull.torque"));
}

TEST(Results, AnotherFolderHoldsTheResultOfAModelElsewhere) {
  const Folder models, folder;
  models.write(
      "model.toml",
      "include = [\"parts/body.toml\"]\n" +
          replaced(pendulum, "[[body]]\nname = \"rod\"\nmass = 2\ninertia = 0.1\nposition = [\"=length/2\", 0]\n", ""));
  fs::create_directory(models / "parts");
  models.write("parts/body.toml", "[[body]]\nname = \"rod\"\nmass = 2\ninertia = 0.1\nposition = [0.5, 0]\n");
  const Outcome outcome = carom(folder, {"run", (models / "model.toml").string()});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(folder / "model.h5"));
  EXPECT_FALSE(fs::exists(models / "model.h5"));
}

TEST(Results, PathsMayHoldSpacesAndAnyLetters) {
  const Folder folder;
  fs::create_directory(folder / "große Räder 車");
  folder.write("große Räder 車/mein Pendel é.toml", replaced(pendulum, "\"rod\"\nmass", "\"rod\" # Stäbchen\nmass"));
  const std::string model = "große Räder 車/mein Pendel é.toml", result = "große Räder 車/Ergebnis 1.h5";
  const Outcome run = carom(folder, {"run", model, "-o", result, "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(nlohmann::json::parse(run.out, nullptr, false)["result"], result);
  EXPECT_THAT(carom(folder, {"info", result}).out, AllOf(HasSubstr(result), HasSubstr("mein Pendel é.toml")));
  EXPECT_EQ(carom(folder, {"export", "--csv", result, "-o", "große Räder 車/Tabelle.csv"}).code, 0);
  EXPECT_EQ(carom(folder, {"plot", result, "body:rod.x", "-o", "große Räder 車/Bild.svg"}).code, 0);
  EXPECT_EQ(carom(folder, {"run", model}).code, 0);
  EXPECT_TRUE(fs::exists(folder / "mein Pendel é.h5"));
}

TEST(Results, AnOddFileNameDoesNotSpoilTheJson) {
  const Folder folder;
  folder.write("m\xff.toml", pendulum);
  for (const auto& words : {std::vector<std::string>{"run", "m\xff.toml", "--json"}, {"info", "m\xff.h5", "--json"}}) {
    const Outcome outcome = carom(folder, words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(nlohmann::json::parse(outcome.out, nullptr, false).is_object()) << outcome.out;
  }
}

// A motor whose torque is the function of a spring feeds the system, a damper by function takes out; by closed forms.
TEST(Results, WorkOfAFunctionIsBookedByWhatItDoes) {
  const Folder folder;
  const std::string spring = "type = \"torsion-spring\"\njoint = \"pivot\"\n";
  const auto energy_with = [&](const std::string& torque, double& turned) {
    std::string model = replaced(pendulum, "type = \"torque\"\nbody = \"rod\"\n", spring);
    folder.write("model.toml", replaced(model, "torque = \"=0.1*sin(t)\"", "torque = \"=" + torque + "\""));
    const Outcome run = carom(folder, {"run", "model.toml", "-o", "r.h5", "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    const auto rows = csv_rows(carom(folder, {"export", "r.h5", "--csv", "body:rod.angle"}).out);
    turned = rows.back().at(1) - rows.front().at(1);
    return nlohmann::json::parse(run.out)["energy"];
  };
  double turned = 0;
  const auto motor = energy_with("-30", turned);
  EXPECT_GT(turned, 0);
  EXPECT_NEAR(motor["supplied"], 30 * turned, 1e-7 * 30 * turned);
  EXPECT_EQ(motor["dissipated"], 0);
  const auto damper = energy_with("0.5*v", turned);
  EXPECT_EQ(damper["supplied"], 0);
  EXPECT_GT(damper["dissipated"], 0.1);
  EXPECT_LT(damper["largest_residual"], 1e-5);
  // The page has it where the summary has it.
  energy_with("-30", turned);
  ASSERT_EQ(carom(folder, {"report", "r.h5", "-o", "page.html"}).code, 0);
  const std::string table = between(contents(folder / "page.html"), "<section id=\"energy\"", "</section>");
  EXPECT_LT(table.find("by force:pull"), table.find(">dissipated<"));
}

// Contacts report when their force was largest: samples before and after are smaller, those beside it nearly as large.
TEST(Results, EpisodesTellWhenTheirForceWasLargest) {
  const Folder folder;
  folder.write("model.toml", replaced(ball, "every = 0.002", "every = 0.00002"));
  ASSERT_EQ(carom(folder, {"run", "model.toml", "-o", "r.h5", "--quiet"}).code, 0);
  const ResultReader result(folder / "r.h5");
  const auto times = result.times(), forces = result.column("contact:bounce.normal_force");
  int episodes = 0;
  for (const EventRecord& event : result.events()) {
    if (event.kind != "contact") continue;
    const double begin = event.values.at(0), peak = event.values.at(5), at = event.values.at(9);
    EXPECT_GT(at, begin);
    EXPECT_LT(at, event.time);
    std::size_t largest = 0;
    for (std::size_t k = 0; k < times.size(); ++k) {
      if (times[k] < begin || times[k] > event.time) continue;
      if (forces[k] > forces[largest]) largest = k;
      EXPECT_LE(forces[k], peak * (1 + 1e-9));
    }
    EXPECT_NEAR(times[largest], at, 3e-5);
    EXPECT_NEAR(forces[largest], peak, 1e-3 * peak);
    if (++episodes == 1) break;
  }
  EXPECT_EQ(episodes, 1);
}

TEST(Progress, AppearsOnATerminal) {
  const Folder folder;
  folder.write("model.toml", a_second);
  int code = -1;
  const std::string said = on_terminal(folder, {"run", "model.toml"}, code);
  EXPECT_EQ(code, 0) << said;
  EXPECT_THAT(said, AllOf(HasSubstr("█"), HasSubstr(" left"), HasSubstr("t = "), HasSubstr("Pendulum: "),
                          HasSubstr("complete")));
}

TEST(Progress, IsSilencedByQuietAndJson) {
  const Folder folder;
  folder.write("model.toml", a_second);
  int code = -1;
  EXPECT_THAT(on_terminal(folder, {"run", "model.toml", "--quiet"}, code), IsEmpty());
  EXPECT_EQ(code, 0);
  EXPECT_THAT(on_terminal(folder, {"run", "model.toml", "--json"}, code), Not(HasSubstr("█")));
  EXPECT_EQ(code, 0);
}

TEST(Progress, DoesNotAppearElsewhere) {
  const Folder folder;
  folder.write("model.toml", a_second);
  const Outcome outcome = carom(folder, {"run", "model.toml"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
  EXPECT_THAT(outcome.out, AllOf(Not(HasSubstr("█")), Not(HasSubstr("\r")), Not(HasSubstr("\033"))));
}

}  // namespace
}  // namespace carom::cli
