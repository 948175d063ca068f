#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <chrono>
#include <random>

#include "command_line.h"

namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Clock = std::chrono::steady_clock;

void expect_refused(const Outcome& outcome, const std::vector<std::string>& says) {
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.out, IsEmpty());
  for (const std::string& part : says) EXPECT_THAT(outcome.err, HasSubstr(part));
  EXPECT_THAT(outcome.err,
              AllOf(Not(HasSubstr("std::")), Not(HasSubstr("terminate")), Not(HasSubstr("fault of the program"))));
}

TEST(BadFiles, OneThatDoesNotExist) {
  const Folder folder;
  expect_refused(carom(folder, {"run", "nowhere/model.toml"}), {"nowhere/model.toml: error: found no such file"});
}

TEST(BadFiles, AFolder) {
  const Folder folder;
  expect_refused(carom(folder, {"run", "."}), {"found a directory; expected a file"});
}

TEST(BadFiles, OneWithoutReadPermission) {
  const Folder folder;
  // Where the program lies may be closed to nobody.
  const fs::path program = folder / "carom";
  fs::copy_file(CAROM_PROGRAM, program);
  fs::permissions(folder.write("model.toml", pendulum), fs::perms::none);
  expect_refused(carom(folder, {"run", "model.toml"}, {.unprivileged = true, .program = program.string()}),
                 {"model.toml: error:", "permission"});
}

TEST(BadFiles, OneCutShort) {
  const Folder folder;
  const std::string text = pendulum.substr(0, pendulum.find("\"revolute\"") + 5);
  folder.write("model.toml", text);
  expect_refused(carom(folder, {"run", "model.toml"}), {"model.toml:17:", "error: found no valid TOML"});
}

TEST(BadFiles, AnEmptyOne) {
  const Folder folder;
  folder.write("model.toml", "\n");
  expect_refused(carom(folder, {"run", "model.toml"}),
                 {"model.toml: error: found an empty file; expected a model with at least one [[body]]"});
}

TEST(BadFiles, OneThatIsNotUtf8) {
  const Folder folder;
  folder.write("model.toml", replaced(pendulum, "Pendulum", "P\xe4ndel"));
  expect_refused(carom(folder, {"run", "model.toml"}),
                 {"model.toml:2:10: error: found the byte 0xe4", "expected text in UTF-8", "save the file as UTF-8"});
}

TEST(BadFiles, AHundredMegabytesOfNonsenseAreRefusedWithinSeconds) {
  const Folder folder;
  std::mt19937 random(1);
  std::string letters;
  letters.resize(100'000'000);
  for (char& letter : letters) letter = "abc = [1, \"x\"]\n{}#.'"[random() % 20];
  folder.write("model.toml", letters);
  const auto begin = Clock::now();
  expect_refused(carom(folder, {"run", "model.toml"}), {"model.toml", "error: "});
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(10));
}

// Below the limit of size, so that it is really read. Four times the mistakes take about four times as long, not
// sixteen, on however busy a machine.
TEST(BadFiles, MegabytesOfMistakesAreRefusedInProportion) {
  const auto time_of = [](std::size_t size) {
    const Folder folder;
    std::string text;
    while (text.size() < size) text += "[[body]]\nname = \"a\"\nmas = -1\n";
    folder.write("model.toml", text);
    const auto begin = Clock::now();
    const Outcome outcome = carom(folder, {"run", "model.toml"});
    expect_refused(outcome, {"model.toml", "error: "});
    EXPECT_LT(outcome.err.size(), 1'000'000u);
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  const double quarter = time_of(2'500'000), whole = time_of(10'000'000);
  EXPECT_LT(whole, 10 * quarter + 1);
}

TEST(BadFiles, ResultsThatAreNone) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  folder.write("empty.h5", "");
  for (const char* command : {"info", "plot"}) {
    expect_refused(
        carom(folder, {command, "model.toml"}),
        {"carom: cannot read result file model.toml: it is not an HDF5 file; give a file written by carom run"});
    expect_refused(carom(folder, {command, "empty.h5"}), {"it is empty"});
    expect_refused(carom(folder, {command, "."}), {"it is a folder"});
    expect_refused(carom(folder, {command, "nothing.h5"}), {"nothing.h5: No such file or directory"});
  }
  expect_refused(carom(folder, {"export", "--csv", "model.toml"}), {"it is not an HDF5 file"});
}

TEST(BadFiles, AResultCutShort) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  ASSERT_EQ(carom(folder, {"run", "model.toml", "--quiet"}).code, 0);
  fs::resize_file(folder / "model.h5", fs::file_size(folder / "model.h5") / 2);
  for (const auto& words :
       {std::vector<std::string>{"info", "model.h5"}, {"export", "--csv", "model.h5"}, {"plot", "model.h5"}}) {
    expect_refused(carom(folder, words), {"cannot read result file model.h5: the file is truncated or damaged"});
  }
}

TEST(BadOutput, AFolderOrOneThatIsMissing) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  expect_refused(carom(folder, {"run", "model.toml", "-o", "."}),
                 {"carom: cannot write result file", "Is a directory"});
  expect_refused(carom(folder, {"run", "model.toml", "-o", "no/where/out.h5"}),
                 {"no/where/out.h5", "No such file or directory"});
}

TEST(BadOutput, AFolderThatMayNotBeWritten) {
  const Folder folder;
  const fs::path program = folder / "carom";
  fs::copy_file(CAROM_PROGRAM, program);
  folder.write("model.toml", pendulum);
  fs::create_directory(folder / "shut");
  fs::permissions(folder / "shut",
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  expect_refused(
      carom(folder, {"run", "model.toml", "-o", "shut/out.h5"}, {.unprivileged = true, .program = program.string()}),
      {"shut/out.h5", "Permission denied"});
}

TEST(BadOutput, TheModelItself) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  expect_refused(carom(folder, {"run", "model.toml", "-o", "./model.toml"}), {"is read by this command", "--force"});
  EXPECT_EQ(contents(folder / "model.toml"), pendulum);
}

// A run that is stopped by its result file says so and names what is left.
void expect_saved_in(const Folder& folder, const Outcome& outcome, const std::string& result, const std::string& why) {
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("carom: run failed"), HasSubstr(why), HasSubstr("samples"),
                                 HasSubstr("saved in " + result)));
  const Outcome info = carom(folder, {"info", result});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_THAT(info.out, AllOf(HasSubstr("running or interrupted"), HasSubstr("samples     ")));
  EXPECT_THAT(info.out, Not(HasSubstr("none")));
  EXPECT_EQ(carom(folder, {"export", "--csv", result, "-o", "out.csv"}).code, 0);
  EXPECT_GT(fs::file_size(folder / "out.csv"), 100'000u);
}

TEST(FullDisk, ALimitOnFileSizeIsReportedWithWhatIsSaved) {
  const Folder folder;
  folder.write("model.toml", endless);
  const Outcome outcome = carom(folder, {"run", "model.toml"}, {.largest_file = 2'000'000});
  expect_saved_in(folder, outcome, "model.h5", "File too large");
}

TEST(FullDisk, IsReportedWithWhatIsSaved) {
  const Folder folder;
  folder.write("model.toml", endless);
  fs::create_directory(folder / "disk");
  if (mount("tmpfs", (folder / "disk").c_str(), "tmpfs", 0, "size=2m") != 0) GTEST_SKIP() << "cannot mount a tmpfs";
  const Outcome outcome = carom(folder, {"run", "model.toml", "-o", "disk/out.h5"});
  expect_saved_in(folder, outcome, "disk/out.h5", "No space left on device");
  const Outcome table = carom(folder, {"export", "--csv", "disk/out.h5", "-o", "disk/out.csv"});
  EXPECT_EQ(table.code, 1);
  EXPECT_THAT(table.err, HasSubstr("cannot write disk/out.csv"));
  umount((folder / "disk").c_str());
}

TEST(FullDisk, OfATableOnStandardOutput) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  ASSERT_EQ(carom(folder, {"run", "model.toml", "--quiet"}).code, 0);
  const Outcome outcome = carom(
      folder, {"-c", std::string("'") + CAROM_PROGRAM + "' export --csv model.h5 > /dev/full"}, {.program = "/bin/sh"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("standard output"));
}

}  // namespace
}  // namespace carom::cli
