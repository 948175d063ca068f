#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>

#include "recording/compress_result.h"
#include "result_scene.h"

namespace carom {
namespace {

using namespace scene;

void write_run(const std::filesystem::path& path, std::size_t samples) {
  ResultWriter writer(path, slider_crank());
  record(writer, 0, samples);
  for (std::size_t k = 0; k < 100; ++k)
    writer.add_event({sample_time(k), "contact", "contact:ball/floor", {-1.5, static_cast<double>(k)}});
  writer.finish(R"({"steps": 12})", "complete");
}

void expect_same(const std::filesystem::path& one, const std::filesystem::path& other) {
  const ResultReader first(one), second(other);
  EXPECT_EQ(first.header(), second.header());
  EXPECT_EQ(first.status(), second.status());
  EXPECT_EQ(first.statistics_json(), second.statistics_json());
  EXPECT_EQ(first.times(), second.times());
  EXPECT_EQ(first.events(), second.events());
  for (const std::string& name : first.quantities()) EXPECT_EQ(first.column(name), second.column(name)) << name;
}

class Compressed : public testing::TestWithParam<std::size_t> {};

TEST_P(Compressed, HoldsWhatWasRecorded) {
  const Folder folder;
  write_run(folder / "run.h5", GetParam());
  std::filesystem::copy_file(folder / "run.h5", folder / "packed.h5");
  EXPECT_EQ(compress_result(folder / "packed.h5"), "");
  expect_same(folder / "run.h5", folder / "packed.h5");
  EXPECT_LT(std::filesystem::file_size(folder / "packed.h5"),
            (GetParam() > 4000 ? 0.95 : 1.0) * static_cast<double>(std::filesystem::file_size(folder / "run.h5")));
}

INSTANTIATE_TEST_SUITE_P(Samples, Compressed, testing::Values(0, 1, 2048, 5000, 20'000));

TEST(CompressedResult, HasTheSameBytesEachTime) {
  const Folder folder;
  for (const char* name : {"one.h5", "two.h5"}) {
    write_run(folder / name, 3000);
    EXPECT_EQ(compress_result(folder / name), "");
  }
  EXPECT_EQ(bytes(folder / "one.h5"), bytes(folder / "two.h5"));
}

// A flat quantity is what deflate is for.
TEST(CompressedResult, IsMuchSmallerWhereNothingMoves) {
  const Folder folder;
  {
    ResultWriter writer(folder / "run.h5", slider_crank());
    for (std::size_t k = 0; k < 100'000; ++k) writer.append(sample_time(k), std::vector<double>(6, 0.1));
    writer.finish("{}", "complete");
  }
  const auto before = std::filesystem::file_size(folder / "run.h5");
  EXPECT_EQ(compress_result(folder / "run.h5"), "");
  EXPECT_LT(std::filesystem::file_size(folder / "run.h5"), before / 5);
}

TEST(CompressedResult, ShowsDamage) {
  const Folder folder;
  write_run(folder / "run.h5", 5000);
  ASSERT_EQ(compress_result(folder / "run.h5"), "");
  const std::string whole = bytes(folder / "run.h5");
  for (int part = 0; part < 200; ++part) {
    const std::size_t place = (2 * part + 1) * whole.size() / 400;
    std::string damaged = whole;
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << part % 8));
    std::ofstream(folder / "damaged.h5", std::ios::binary) << damaged;
    const std::string error = error_of([&] {
      const ResultReader reader(folder / "damaged.h5");
      const std::vector<std::string> names = reader.quantities();
      for (std::size_t k = 0; k < names.size(); ++k) {
        const auto column = reader.column(names[k]);
        for (std::size_t i = 0; i < column.size(); ++i) ASSERT_EQ(column[i], sample(i)[k]) << "byte " << place;
      }
      static_cast<void>(reader.events());
    });
    EXPECT_TRUE(error.empty() || error.find(folder.path().string()) != std::string::npos) << error;
  }
}

// Without room the result stays as it was, and nothing is left beside it.
TEST(CompressedResult, StaysWholeWithoutRoom) {
  const Folder folder;
  write_run(folder / "run.h5", 5000);
  const std::string before = bytes(folder / "run.h5");
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {50'000, 50'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(compress_result(folder / "run.h5").find("File too large") == std::string::npos ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(bytes(folder / "run.h5"), before);
  EXPECT_FALSE(std::filesystem::exists(folder / ".run.h5.part"));
}

TEST(CompressedResult, SaysWhatIsNoFile) {
  const Folder folder;
  EXPECT_NE(compress_result(folder / "none.h5"), "");
  EXPECT_FALSE(std::filesystem::exists(folder / "none.h5"));
}

}  // namespace
}  // namespace carom
