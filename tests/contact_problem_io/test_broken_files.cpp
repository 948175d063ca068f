#include <fstream>
#include <functional>
#include <limits>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/temporary_folder.h"
#include "base/problem.h"
#include "problem_scene.h"
#include "recording/result_types.h"

namespace carom {
namespace {

using namespace scene;
using testing::AllOf;
using testing::HasSubstr;

std::string refusal(const std::filesystem::path& path) {
  try {
    read_problem_file(path);
  } catch (const InputError& error) {
    return error.problems().text();
  }
  return "";
}

class BrokenFiles : public testing::Test {
 protected:
  // What is said of a local problem of two contacts with something wrong in it.
  std::string after(const std::function<void(FclibFile&)>& spoil) const {
    {
      FclibFile file(path_);
      file.local(random_stored(2, 3, 1));
      spoil(file);
    }
    return refusal(path_);
  }
  std::string after_global(const std::function<void(FclibFile&)>& spoil) const {
    {
      FclibFile file(path_);
      file.integers("/fclib_global/spacedim", {3});
      file.matrix("/fclib_global/M", Eigen::MatrixXd::Identity(4, 4), FclibFile::Storage::columns);
      file.matrix("/fclib_global/H", Eigen::MatrixXd::Ones(4, 3), FclibFile::Storage::columns);
      file.numbers("/fclib_global/vectors/f", std::vector<double>(4, 1.0));
      file.numbers("/fclib_global/vectors/w", std::vector<double>(3, 0.0));
      file.numbers("/fclib_global/vectors/mu", std::vector<double>{0.3});
      spoil(file);
    }
    return refusal(path_);
  }

  const TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "problem.hdf5";
};

TEST_F(BrokenFiles, AreGoodBeforeTheyAreBroken) {
  EXPECT_EQ(after([](FclibFile&) {}), "");
  EXPECT_EQ(after_global([](FclibFile&) {}), "");
}

TEST_F(BrokenFiles, WhatIsNoProblemIsNamed) {
  EXPECT_THAT(refusal(folder_ / "missing.hdf5"), AllOf(HasSubstr("missing.hdf5"), HasSubstr("No such file")));
  EXPECT_THAT(refusal(folder_.path()), HasSubstr("a folder"));
  std::ofstream(path_) << "";
  EXPECT_THAT(refusal(path_), HasSubstr("an empty file"));
  std::ofstream(path_) << "some text that is longer than a signature";
  EXPECT_THAT(refusal(path_), HasSubstr("no HDF5 file"));
  { FclibFile file(path_); }
  EXPECT_THAT(refusal(path_), AllOf(HasSubstr("neither fclib_local nor fclib_global"), HasSubstr("--save-problems")));
}

TEST_F(BrokenFiles, MissingDatasetsAreNamed) {
  for (const char* name :
       {"/fclib_local/W/m", "/fclib_local/W/nz", "/fclib_local/W/i", "/fclib_local/W/p", "/fclib_local/W/x",
        "/fclib_local/vectors/q", "/fclib_local/vectors/mu", "/fclib_local/spacedim"}) {
    EXPECT_THAT(after([&](FclibFile& file) { file.remove(name); }), AllOf(HasSubstr(name), HasSubstr("found nothing")));
  }
  EXPECT_THAT(after([](FclibFile& file) { file.remove("/fclib_local/W"); }), HasSubstr("/fclib_local/W/m"));
}

TEST_F(BrokenFiles, SizesMustFitTogether) {
  EXPECT_THAT(after([](FclibFile& file) { file.integers("/fclib_local/W/m", {5}); }), HasSubstr("/fclib_local/W"));
  EXPECT_THAT(after([](FclibFile& file) { file.integers("/fclib_local/W/m", {-6}); }), HasSubstr("found -6"));
  EXPECT_THAT(after([](FclibFile& file) { file.integers("/fclib_local/W/nz", {1'000'000}); }),
              HasSubstr("by the sizes of the matrix"));
  EXPECT_THAT(after([](FclibFile& file) { file.integers("/fclib_local/W/nz", {-3}); }), HasSubstr("found -3"));
  EXPECT_THAT(after([](FclibFile& file) { file.numbers("/fclib_local/vectors/q", std::vector<double>(5, 1.0)); }),
              AllOf(HasSubstr("found 5 numbers"), HasSubstr("expected 6")));
  EXPECT_THAT(after([](FclibFile& file) { file.numbers("/fclib_local/vectors/mu", std::vector<double>(3, 0.1)); }),
              AllOf(HasSubstr("found 3 numbers"), HasSubstr("expected 2")));
  EXPECT_THAT(after([](FclibFile& file) { file.integers("/fclib_local/spacedim", {5}); }), HasSubstr("rolling"));
  EXPECT_THAT(after([](FclibFile& file) { file.integers("/fclib_local/spacedim", {1}); }), HasSubstr("found 1"));
  EXPECT_THAT(after([](FclibFile& file) { file.numbers("/solution/r", std::vector<double>(2, 0.0)); }),
              HasSubstr("/solution/r"));
  EXPECT_THAT(after([](FclibFile& file) { file.integers("/guesses/number_of_guesses", {3}); }),
              HasSubstr("/guesses/1/r"));
}

TEST_F(BrokenFiles, IndicesMustBeInside) {
  const auto spoil_entry = [&](const std::string& name, int value) {
    return after([&](FclibFile& file) {
      const StoredProblem problem = random_stored(2, 3, 1);
      std::vector<int> indices((problem.delassus.array() != 0).count(), 0);
      indices[3] = value;
      file.integers(name, indices);
    });
  };
  EXPECT_THAT(spoil_entry("/fclib_local/W/i", 6), AllOf(HasSubstr("row 6 as entry 3"), HasSubstr("0 to 5")));
  EXPECT_THAT(spoil_entry("/fclib_local/W/i", -1), HasSubstr("row -1"));
  EXPECT_THAT(spoil_entry("/fclib_local/W/p", 2'000'000'000), HasSubstr("column 2000000000"));
  const auto with_pointers = [&](const std::vector<int>& pointers) {
    return after([&](FclibFile& file) {
      file.integers("/fclib_local/W/nz", {-2});
      file.integers("/fclib_local/W/p", pointers);
    });
  };
  EXPECT_THAT(with_pointers({0, 6, 3, 9, 12, 15, 18}), AllOf(HasSubstr("3 as entry 2"), HasSubstr("never fall")));
  EXPECT_THAT(with_pointers({1, 6, 8, 9, 12, 15, 18}), HasSubstr("1 as entry 0"));
  EXPECT_THAT(with_pointers({0, 6, 8, 9, 12, 15, 2'000'000'000}), HasSubstr("/fclib_local/W/p"));
  EXPECT_THAT(with_pointers({0, 6}), HasSubstr("found 2 entries"));
}

TEST_F(BrokenFiles, NumbersMustBeNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(after([&](FclibFile& file) {
                file.numbers("/fclib_local/vectors/q", std::vector<double>{0, 0, nan, 0, 0, 0});
              }),
              HasSubstr("nan as entry 2"));
  EXPECT_THAT(after([&](FclibFile& file) {
                file.numbers("/fclib_local/vectors/mu", std::vector<double>{0.1, infinity});
              }),
              HasSubstr("inf as entry 1"));
  EXPECT_THAT(after([&](FclibFile& file) {
                file.numbers("/fclib_local/vectors/mu", std::vector<double>{0.1, -1});
              }),
              AllOf(HasSubstr("-1 as entry 1"), HasSubstr("μ ≥ 0")));
  EXPECT_THAT(after([&](FclibFile& file) { file.numbers("/fclib_local/W/x", std::vector<double>(36, nan)); }),
              HasSubstr("/fclib_local/W/x"));
  EXPECT_THAT(after([&](FclibFile& file) { file.numbers("/fclib_local/W/i", std::vector<double>(36, 0.0)); }),
              HasSubstr("expected integers"));
}

// A file of some kilobytes must not ask for terabytes.
TEST_F(BrokenFiles, HugeClaimsAreRefusedBeforeMemoryIsTaken) {
  EXPECT_THAT(after([](FclibFile& file) { file.claim("/fclib_local/W/x", H5T_IEEE_F64LE, 1'000'000'000'000); }),
              AllOf(HasSubstr("/fclib_local/W/x"), HasSubstr("1000000000000 entries")));
  EXPECT_THAT(after([](FclibFile& file) {
                file.integers("/fclib_local/W/m", {2'000'000'000});
                file.integers("/fclib_local/W/n", {2'000'000'000});
              }),
              AllOf(HasSubstr("found 2000000000"), HasSubstr("larger problems are not read")));
}

TEST_F(BrokenFiles, GlobalProblemsAreCheckedToo) {
  EXPECT_THAT(after_global([](FclibFile& file) {
                file.matrix("/fclib_global/M", Eigen::MatrixXd::Zero(4, 4), FclibFile::Storage::columns);
              }),
              AllOf(HasSubstr("/fclib_global/M"), HasSubstr("singular")));
  EXPECT_THAT(after_global([](FclibFile& file) {
                file.matrix("/fclib_global/H", Eigen::MatrixXd::Ones(5, 3), FclibFile::Storage::rows);
              }),
              AllOf(HasSubstr("found 5 × 3"), HasSubstr("expected 4 × 3")));
  EXPECT_THAT(after_global([](FclibFile& file) {
                file.matrix("/fclib_global/G", Eigen::MatrixXd::Ones(4, 2), FclibFile::Storage::rows);
                file.numbers("/fclib_global/vectors/b", std::vector<double>{1, 2});
              }),
              HasSubstr("contradict each other"));
  EXPECT_THAT(after_global([](FclibFile& file) {
                file.matrix("/fclib_global/G", Eigen::MatrixXd::Ones(4, 2), FclibFile::Storage::rows);
              }),
              HasSubstr("/fclib_global/vectors/b"));
}

// Any byte may be wrong, and the end may be missing: the file is read or refused.
TEST_F(BrokenFiles, DamageNeverCrashes) {
  {
    FclibFile file(path_);
    file.local(random_stored(2, 3, 1));
  }
  std::ostringstream text;
  text << std::ifstream(path_, std::ios::binary).rdbuf();
  const std::string whole = text.str();
  std::mt19937 random(1);
  int refused = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::string bytes = whole;
    for (int k = 0; k < 1 + trial % 4; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    if (trial % 10 == 0) bytes.resize(random() % bytes.size());
    std::ofstream(path_, std::ios::binary) << bytes;
    if (!refusal(path_).empty()) ++refused;
  }
  EXPECT_GT(refused, 40);
}

TEST_F(BrokenFiles, WritingSaysWhyItFailed) {
  try {
    write_problem_file(folder_ / "missing/problem.hdf5", random_stored(1, 3, 1));
    FAIL() << "there is no such folder";
  } catch (const ResultError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("missing/problem.hdf5"), HasSubstr("No such file")));
  }
}

}  // namespace
}  // namespace carom
