#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command_line.h"

// No command destroys what it reads, or what Carom did not write, unless it is forced to.
namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Overwriting {
  const char* name;
  const char* output;              // what the command would replace
  std::vector<std::string> words;  // without --force
};

// A folder with a result under several names, and files of a user.
void furnish(const Folder& folder) {
  folder.write("model.toml", pendulum);
  ASSERT_EQ(carom(folder, {"run", "model.toml", "--quiet"}).code, 0);
  for (const char* name : {"a.svg", "a.png", "a.csv", "a.html", "other.h5"})
    fs::copy_file(folder / "model.h5", folder / name);
  for (const char* name :
       {"notes.txt", "notes.svg", "notes.png", "notes.pdf", "notes.csv", "notes.html", "notes.json", "notes.h5"})
    folder.write(name, "my notes\n");
  folder.write("mine.csv", "time [s],force [N]\n0,1\n");
}

class Overwrites : public testing::TestWithParam<Overwriting> {};

TEST_P(Overwrites, OnlyByForce) {
  const Folder folder;
  furnish(folder);
  const fs::path file = folder / GetParam().output;
  const std::string before = contents(file);
  std::vector<std::string> words = GetParam().words;
  const Outcome refused = carom(folder, words);
  EXPECT_EQ(refused.code, 2) << refused.out;
  EXPECT_THAT(refused.err, AllOf(HasSubstr(GetParam().output), HasSubstr("--force")));
  EXPECT_TRUE(contents(file) == before);
  words.emplace_back("--force");
  const Outcome forced = carom(folder, words);
  EXPECT_EQ(forced.code, 0) << forced.err;
  EXPECT_FALSE(contents(file) == before);
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Overwrites,
    testing::Values(Overwriting{"ExportOwnResult", "model.h5", {"export", "model.h5", "--csv", "-o", "model.h5"}},
                    Overwriting{"ExportForeign", "notes.csv", {"export", "model.h5", "--csv", "-o", "notes.csv"}},
                    Overwriting{"ExportMeasured", "mine.csv", {"export", "model.h5", "--csv", "-o", "mine.csv"}},
                    Overwriting{"PlotOwnResult", "a.svg", {"plot", "a.svg", "body:rod.x", "-o", "a.svg"}},
                    Overwriting{"PlotSvg", "notes.svg", {"plot", "model.h5", "body:rod.x", "-o", "notes.svg"}},
                    Overwriting{"PlotPng", "notes.png", {"plot", "model.h5", "body:rod.x", "-o", "notes.png"}},
                    Overwriting{"PlotPdf", "notes.pdf", {"plot", "model.h5", "body:rod.x", "-o", "notes.pdf"}},
                    Overwriting{
                        "Motion", "a.png", {"motion", "a.png", "body:rod.vx", "--period", "0.1s", "--plot", "a.png"}},
                    Overwriting{"Compare", "a.svg", {"compare", "model.h5", "other.h5", "--plot", "a.svg"}},
                    Overwriting{"Report", "a.html", {"report", "a.html", "-o", "a.html"}},
                    Overwriting{"ReportForeign", "notes.html", {"report", "model.h5", "-o", "notes.html"}},
                    Overwriting{"RunOntoModel", "model.toml", {"run", "model.toml", "-o", "model.toml"}},
                    Overwriting{"RunOntoNotes", "notes.txt", {"run", "model.toml", "-o", "notes.txt"}},
                    Overwriting{"RunOntoForeignHdf5Name", "notes.h5", {"run", "model.toml", "-o", "notes.h5"}},
                    Overwriting{"Laws", "notes.svg", {"laws", "--compare", "-o", "notes.svg"}}),
    [](const auto& test) { return test.param.name; });

TEST(Overwriting, WhatCaromWroteIsReplaced) {
  const Folder folder;
  furnish(folder);
  for (const char* quantity : {"body:rod.x", "energy.*"}) {
    for (const char* picture : {"p.svg", "p.png", "p.pdf"})
      EXPECT_EQ(carom(folder, {"plot", "model.h5", quantity, "-o", picture}).code, 0) << picture;
    EXPECT_EQ(carom(folder, {"export", "model.h5", quantity, "--csv", "-o", "t.csv"}).code, 0);
    EXPECT_EQ(carom(folder, {"report", "model.h5", "-o", "r.html"}).code, 0);
    EXPECT_EQ(carom(folder, {"export", "model.h5", "--vtk", "v", "--every", "50"}).code, 0);
    EXPECT_EQ(carom(folder, {"run", "model.toml", "--quiet", "-o", "other.h5"}).code, 0);
  }
  for (const auto& entry : fs::directory_iterator(folder.path()))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

TEST(Overwriting, NeitherAnIncludedFileNorATableOfTheModel) {
  const Folder folder;
  const std::string part = pendulum, table = "0,0\n1,1\n";
  folder.write("part.toml", part);
  folder.write("drive.csv", table);
  folder.write("model.toml",
               "include = [\"part.toml\"]\n[[motion]]\njoint = \"pivot\"\nposition = { file = \"drive.csv\" }\n");
  for (const char* output : {"part.toml", "drive.csv", "./part.toml"}) {
    const Outcome outcome = carom(folder, {"run", "model.toml", "-o", output});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("is read by this command"), HasSubstr(output)));
  }
  EXPECT_EQ(contents(folder / "part.toml"), part);
  EXPECT_EQ(contents(folder / "drive.csv"), table);
  // Nor under another name.
  fs::create_symlink("drive.csv", folder / "link.csv");
  EXPECT_EQ(carom(folder, {"run", "model.toml", "-o", "link.csv"}).code, 2);
  EXPECT_EQ(contents(folder / "drive.csv"), table);
}

TEST(Overwriting, ATableThatWasExportedIsSafeWhileAModelReadsIt) {
  const Folder folder;
  folder.write("first.toml", pendulum);
  ASSERT_EQ(carom(folder, {"run", "first.toml", "--quiet"}).code, 0);
  ASSERT_EQ(carom(folder, {"export", "first.h5", "body:rod.angle", "--csv", "-o", "drive.csv"}).code, 0);
  folder.write("second.toml", pendulum + "[[motion]]\njoint = \"pivot\"\nposition = { file = \"drive.csv\" }\n");
  ASSERT_EQ(carom(folder, {"run", "second.toml", "--quiet"}).code, 0);
  const std::string table = contents(folder / "drive.csv");
  EXPECT_EQ(carom(folder, {"forces", "second.h5", "-o", "drive.csv"}).code, 2);
  EXPECT_EQ(contents(folder / "drive.csv"), table);
}

TEST(Overwriting, AStudyLeavesForeignTablesAndJournals) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  folder.write("study.toml",
               "[study]\nmodel = \"model.toml\"\n[[vary]]\nparameter = \"length\"\nvalues = [1, 2]\n"
               "[[quantity]]\nname = \"m\"\nof = \"body:rod.x\"\nreduce = \"max\"\n");
  for (const char* name : {"study.csv", "study.journal", "study.h5"}) {
    folder.write(name, "my notes\n");
    for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--fresh"}}) {
      std::vector<std::string> words = {"study", "study.toml", "--quiet"};
      words.insert(words.end(), more.begin(), more.end());
      const Outcome outcome = carom(folder, words);
      EXPECT_EQ(outcome.code, 2) << name;
      EXPECT_THAT(outcome.err, AllOf(HasSubstr(name), HasSubstr("--force")));
      EXPECT_EQ(contents(folder / name), "my notes\n");
    }
    fs::remove(folder / name);
  }
  EXPECT_EQ(carom(folder, {"study", "study.toml", "--quiet"}).code, 0);
  EXPECT_EQ(carom(folder, {"study", "study.toml", "--quiet", "--fresh"}).code, 0);
}

}  // namespace
}  // namespace carom::cli
