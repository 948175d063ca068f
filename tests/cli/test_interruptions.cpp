#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "command_line.h"

namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

long samples_of(const Folder& folder, const std::string& result, std::string& status) {
  const Outcome info = carom(folder, {"info", "--json", result});
  EXPECT_EQ(info.code, 0) << info.err;
  const auto json = nlohmann::json::parse(info.out, nullptr, false);
  EXPECT_TRUE(json.is_object()) << info.out;
  status = json.value("status", "");
  return json.value("samples", 0L);
}

// Until a hundred samples have been flushed; another folder keeps what `info` says apart.
long wait_for_samples(const fs::path& file) {
  const Folder other;
  for (int tries = 0; tries < 200; ++tries) {
    const Outcome info = carom(other, {"info", "--json", file.string()});
    const auto json = nlohmann::json::parse(info.out, nullptr, false);
    if (info.code == 0 && json.is_object() && json.value("samples", 0L) > 100) return json.value("samples", 0L);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  ADD_FAILURE() << "no samples";
  return 0;
}

class Interrupted : public testing::TestWithParam<int> {};

TEST_P(Interrupted, SavesAndNamesWhatWasComputed) {
  const Folder folder;
  folder.write("model.toml", endless);
  const Running run(folder, {"run", "model.toml"});
  wait_for_samples(folder / "model.h5");
  run.signal(GetParam());
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("carom: run interrupted at t = "),
                                 HasSubstr("samples until then are saved in model.h5")));
  EXPECT_THAT(outcome.out, HasSubstr("Pendulum: interrupted"));
  std::string status;
  EXPECT_GT(samples_of(folder, "model.h5", status), 100);
  EXPECT_EQ(status, "interrupted");
  const Outcome table = carom(folder, {"export", "--csv", "model.h5", "body:rod.x", "-o", "x.csv"});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_EQ(carom(folder, {"plot", "model.h5", "body:rod.x"}).code, 0);
}

INSTANTIATE_TEST_SUITE_P(Signals, Interrupted, testing::Values(SIGINT, SIGTERM),
                         [](const auto& test) { return test.param == SIGINT ? "Int" : "Term"; });

// Until the new result has samples on the disk, the older one stays.
TEST(Killed, LeavesTheOlderResultOrSamplesOfTheNewOne) {
  const Folder folder;
  folder.write("short.toml", pendulum);
  folder.write("model.toml", endless);
  std::string status;
  for (const int milliseconds : {0, 20, 50, 100, 200, 400, 800, 1600}) {
    ASSERT_EQ(carom(folder, {"run", "short.toml", "-o", "model.h5", "--quiet"}).code, 0);
    const Running run(folder, {"run", "model.toml", "--quiet"});
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    run.signal(SIGKILL);
    EXPECT_EQ(run.wait().code, -SIGKILL);
    EXPECT_GT(samples_of(folder, "model.h5", status), 0) << milliseconds;
  }
  ASSERT_EQ(carom(folder, {"run", "short.toml", "-o", "model.h5", "--quiet"}).code, 0);
  for (const auto& entry : fs::directory_iterator(folder.path()))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

// Whatever it has left there; without an older result it need not be one.
TEST(Killed, LetsTheNextRunBegin) {
  const Folder folder;
  folder.write("model.toml", endless);
  for (const int milliseconds : {0, 10, 20, 30, 50, 80, 120, 200}) {
    const Running run(folder, {"run", "model.toml", "--quiet"});
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    run.signal(SIGKILL);
    EXPECT_EQ(run.wait().code, -SIGKILL);
    EXPECT_TRUE(!fs::exists(folder / "model.h5") || fs::file_size(folder / "model.h5") > 0) << milliseconds;
  }
  folder.write("model.toml", pendulum);
  EXPECT_EQ(carom(folder, {"run", "model.toml", "--quiet"}).code, 0);
}

TEST(Killed, LeavesEveryFlushedSampleReadable) {
  const Folder folder;
  folder.write("model.toml", endless);
  const Running run(folder, {"run", "model.toml"});
  const long flushed = wait_for_samples(folder / "model.h5");
  run.signal(SIGKILL);
  EXPECT_EQ(run.wait().code, -SIGKILL);

  std::string status;
  const long samples = samples_of(folder, "model.h5", status);
  EXPECT_GE(samples, flushed);
  EXPECT_EQ(status, "running or interrupted");
  const Outcome info = carom(folder, {"info", "model.h5"});
  EXPECT_THAT(info.out, AllOf(HasSubstr("model.h5: running or interrupted"), HasSubstr("killed")));
  const Outcome table = carom(folder, {"export", "--csv", "model.h5", "body:rod.x"});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_GE(std::count(table.out.begin(), table.out.end(), '\n'), samples);
  EXPECT_EQ(carom(folder, {"plot", "model.h5", "body:rod.x"}).code, 0);

  // And the next run takes the file over.
  folder.write("model.toml", pendulum);
  EXPECT_EQ(carom(folder, {"run", "model.toml", "--quiet"}).code, 0);
  EXPECT_EQ(samples_of(folder, "model.h5", status), 101);
  EXPECT_EQ(status, "complete");
}

TEST(Running, AResultMayBeLookedAtAndIsNotOverwrittenByAnotherRun) {
  const Folder folder;
  folder.write("model.toml", endless);
  const Running run(folder, {"run", "model.toml"});
  wait_for_samples(folder / "model.h5");
  const Folder second_folder;  // for its own stdout and stderr
  const Outcome second =
      carom(second_folder, {"run", (folder / "model.toml").string(), "-o", (folder / "model.h5").string()});
  EXPECT_EQ(second.code, 2);
  EXPECT_THAT(second.err, HasSubstr("another run is writing it"));
  std::string status;
  EXPECT_GT(samples_of(second_folder, (folder / "model.h5").string(), status), 0);
  run.signal(SIGINT);
  EXPECT_EQ(run.wait().code, 1);
}

TEST(Failed, ARunThatCannotGoOnKeepsItsSamplesAndNamesTheCause) {
  const Folder folder;
  folder.write("model.toml", replaced(pendulum, "=0.1*sin(t)", "=sqrt(0.5 - t)"));
  const Outcome outcome = carom(folder, {"run", "model.toml"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("carom: run failed at t = 0.5 s"), HasSubstr("force.pull.torque"),
                                 HasSubstr("not finite near t = 0.5 s"), HasSubstr("saved in model.h5")));
  std::string status;
  const long samples = samples_of(folder, "model.h5", status);
  EXPECT_GE(samples, 50);
  EXPECT_LE(samples, 51);
  EXPECT_THAT(status, HasSubstr("failed: "));
}

TEST(Failed, ADriveThatGrowsWithoutBoundIsNamed) {
  const Folder folder;
  folder.write("model.toml", pendulum + "\n[[motion]]\nname = \"spin\"\njoint = \"pivot\"\nspeed = \"=1/(t - 0.5)\"\n");
  const Outcome outcome = carom(folder, {"run", "model.toml", "--quiet"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("motion.spin.speed (expression `1/(t - 0.5)`) grows without bound near t = 0.5 s"),
                    HasSubstr("50 samples")));
}

}  // namespace
}  // namespace carom::cli
