#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>

#include <nlohmann/json.hpp>

#include "command_line.h"

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

TEST(Progress, AppearsOnATerminal) {
  const Folder folder;
  folder.write("model.toml", a_second);
  int code = -1;
  const std::string said = on_terminal(folder, {"run", "model.toml"}, code);
  EXPECT_EQ(code, 0) << said;
  EXPECT_THAT(said, AllOf(HasSubstr("█"), HasSubstr(" left"), HasSubstr("t = "), HasSubstr("Pendulum: complete")));
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
