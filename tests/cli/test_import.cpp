#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command_line.h"

// The command `carom import`, and what it says of files that are none.
namespace carom::cli {
namespace {

using testing::HasSubstr;

const std::string engine = std::string(CAROM_SOURCE_DIR) + "/examples/engine.step";

// Sets a variable of the environment, also of programs started meanwhile.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

void expect_refusal(const Outcome& outcome, const std::string& what) {
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr(what));
}

TEST(Import, SaysWhatIsMissingWithoutOpenCascade) {
  const Folder folder;
  const Variable none("CAROM_STEP_READER", "/nowhere");
  expect_refusal(carom(folder, {"import", engine}),
                 "which this build of Carom cannot read; expected a build with Open CASCADE");
  folder.write("model.toml",
               "[model]\nname = \"m\"\n[[body]]\nname = \"rod\"\nmass = 1\ninertia = [1, 1, 1]\n[[body.geometry]]\n"
               "shape = \"step\"\npart = \"rod\"\nfile = \"" +
                   engine + "\"\n");
  expect_refusal(carom(folder, {"check", "model.toml"}), "model.toml:10:8: error: body.rod.geometry[1].file: found");
}

TEST(Import, RefusesFilesThatAreNone) {
  const Folder folder;
  expect_refusal(carom(folder, {"import", "nowhere.step"}), "nowhere.step: error: found no such file");
  folder.write("cube.stl", "solid cube\nendsolid cube\n");
  const Outcome outcome = carom(folder, {"import", "cube.stl"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("cube.stl: error: found a"));
  EXPECT_FALSE(fs::exists(folder / "cube.toml"));
}

#ifdef CAROM_HAS_STEP
TEST(Import, WritesAModelThatRunsAndNeverLosesOne) {
  const Folder folder;
  const Outcome first = carom(folder, {"import", engine, "--plane", "xy", "-o", "engine.toml"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("rod_slider: sleeve, hole 20 mm, length 15 mm, clearance 0.05 mm"));
  EXPECT_EQ(carom(folder, {"run", "engine.toml"}).code, 0);
  const std::string before = contents(folder / "engine.toml");
  expect_refusal(carom(folder, {"import", engine, "-o", "engine.toml"}), "--force");
  EXPECT_EQ(contents(folder / "engine.toml"), before);
  EXPECT_EQ(carom(folder, {"import", engine, "-o", "engine.toml", "--force"}).code, 0);
  EXPECT_NE(contents(folder / "engine.toml"), before);
}

// A result holds the file: it can be looked at after the file is gone.
TEST(Import, OfAResultNeedsNoFileBesideIt) {
  const Folder folder;
  fs::copy_file(engine, folder / "engine.step");
  ASSERT_EQ(carom(folder, {"import", "engine.step"}).code, 0);
  ASSERT_EQ(carom(folder, {"run", "engine.toml"}).code, 0);
  fs::remove(folder / "engine.step");
  fs::remove(folder / "engine.toml");
  const Outcome drawn = carom(folder, {"plot", "engine.h5", "--mechanism", "-o", "engine.svg"});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_EQ(drawn.err, "");
}
#endif

}  // namespace
}  // namespace carom::cli
