#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "command_line.h"

// What the program says of its installation and of itself: doctor, completion, manual pages.
namespace carom::cli {
namespace {

using testing::HasSubstr;

TEST(Doctor, ReportsEveryPart) {
  const Folder folder;
  const Outcome outcome = carom(folder, {"doctor"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"units", "temporary files", "viewer", "STEP files", "MPI", "Python", "plug-ins"})
    EXPECT_THAT(outcome.out, HasSubstr(part));
  const auto json = nlohmann::json::parse(carom(folder, {"doctor", "--json"}).out);
  EXPECT_EQ(json["parts"].size(), 7u);
  for (const auto& part : json["parts"]) EXPECT_EQ(part["works"] == false, part.contains("remedy")) << part;
}

TEST(Doctor, NamesTheRemedyOfWhatIsMissing) {
  const Folder folder;
  ASSERT_EQ(setenv("CAROM_STEP_READER", "nowhere", 1), 0);
  const Outcome outcome = carom(folder, {"doctor"});
  unsetenv("CAROM_STEP_READER");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("carom-step was not found"));
  EXPECT_THAT(outcome.out, HasSubstr("to have it: install"));
}

// What bash would offer for these words.
std::string offered(const Folder& folder, const std::string& words, int at) {
  const std::string script = "source completion.bash; COMP_WORDS=(" + words + "); COMP_CWORD=" + std::to_string(at) +
                             "; _carom; echo ${COMPREPLY[@]}";
  folder.write("ask.sh", script);
  EXPECT_EQ(std::system(("cd '" + folder.path().string() + "' && bash ask.sh > offered").c_str()), 0);
  return contents(folder.path() / "offered");
}

TEST(Completion, OffersCommandsOptionsAndTheirWords) {
  const Folder folder;
  const Outcome outcome = carom(folder, {"completion", "bash"});
  ASSERT_EQ(outcome.code, 0);
  folder.write("completion.bash", outcome.out);
  EXPECT_EQ(offered(folder, "carom veri", 1), "verify\n");
  EXPECT_EQ(offered(folder, "carom plot --mecha", 2), "--mechanism\n");
  EXPECT_EQ(offered(folder, "carom plot --style pap", 3), "paper\n");
  EXPECT_EQ(offered(folder, "carom completion f", 2), "fish\n");
  EXPECT_EQ(offered(folder, "carom contact-problem so", 2), "solve\n");
  EXPECT_EQ(offered(folder, "carom manual veri", 2), "verify\n");
  EXPECT_EQ(carom(folder, {"completion", "csh"}).code, 2);
}

// What a shell itself offers at the end of a line: its completions, one a line.
std::string offered_by(const std::string& shell, const Folder& folder, const std::string& line) {
  if (shell == "fish") {
    folder.write("ask.fish", "source completion.fish\ncomplete -C '" + line + "'\n");
    EXPECT_EQ(std::system(("cd '" + folder.path().string() + "' && HOME=$PWD fish ask.fish > offered").c_str()), 0);
  } else {
    EXPECT_EQ(std::system(("cd '" + folder.path().string() +
                           "' && zsh -f '" CAROM_SOURCE_DIR "/tests/cli/zsh_offers.zsh' '" + line + "' > offered")
                              .c_str()),
              0);
  }
  return contents(folder.path() / "offered");
}

TEST(Completion, WorksInZshAndFish) {
  const Folder folder;
  folder.write("model.toml", "");
  for (const std::string shell : {"zsh", "fish"}) {
    const Outcome outcome = carom(folder, {"completion", shell});
    ASSERT_EQ(outcome.code, 0);
    folder.write(shell == "zsh" ? "_carom" : "completion.fish", outcome.out);
    if (std::system(("command -v " + shell + " > /dev/null").c_str()) != 0) {
      std::printf("%s is not installed (tools/packages, group test): its completion was not tried\n", shell.c_str());
      continue;
    }
    EXPECT_THAT(offered_by(shell, folder, "carom veri"), HasSubstr("verify")) << shell;
    EXPECT_THAT(offered_by(shell, folder, "carom --ver"), HasSubstr("--version")) << shell;
    EXPECT_THAT(offered_by(shell, folder, "carom plot --mecha"), HasSubstr("--mechanism")) << shell;
    EXPECT_THAT(offered_by(shell, folder, "carom plot --style p"), HasSubstr("paper")) << shell;
    EXPECT_THAT(offered_by(shell, folder, "carom completion f"), HasSubstr("fish")) << shell;
    EXPECT_THAT(offered_by(shell, folder, "carom contact-problem so"), HasSubstr("solve")) << shell;
    EXPECT_THAT(offered_by(shell, folder, "carom help comp"), HasSubstr("compare")) << shell;
    EXPECT_THAT(offered_by(shell, folder, "carom run mod"), HasSubstr("model.toml")) << shell;
    EXPECT_THAT(offered_by(shell, folder, "carom run mod"), testing::Not(HasSubstr("completion"))) << shell;
  }
}

TEST(Manual, HasAPageForEveryCommand) {
  const Folder folder;
  ASSERT_EQ(carom(folder, {"manual", "--folder", "man1"}).code, 0);
  const std::string all = contents(folder.path() / "man1/carom.1"), run = contents(folder.path() / "man1/carom-run.1");
  EXPECT_THAT(all, HasSubstr("\\fBverify\\fR"));
  EXPECT_THAT(run, HasSubstr("\\fB\\-\\-output\\fR"));
  EXPECT_EQ(carom(folder, {"manual", "run"}).out, run);
  EXPECT_EQ(carom(folder, {"manual", "rnu"}).code, 2);
}

}  // namespace
}  // namespace carom::cli
