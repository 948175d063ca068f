#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "../support/temporary_folder.h"
#include "studies/journal.h"

namespace carom {
namespace {

RunRecord record(std::size_t index) {
  return {.index = index,
          .failed = index == 1,
          .reason = "say \"why\"",
          .reduced = {.values = {0.1 * static_cast<double>(index), -0.0, std::numeric_limits<double>::quiet_NaN(),
                                 -std::numeric_limits<double>::infinity(), 5e-324},
                      .lists = {{1.0 / 3}, {}}},
          .statistics = {1, 2}};
}

TEST(Journal, KeepsEveryBit) {
  RunRecord back;
  std::string line = to_line(record(3));
  line.pop_back();
  ASSERT_TRUE(from_line(line, back));
  EXPECT_EQ(to_line(back), to_line(record(3)));
  EXPECT_TRUE(std::signbit(back.reduced.values[1]));
  EXPECT_TRUE(std::isnan(back.reduced.values[2]));
  EXPECT_EQ(back.reduced.values[4], 5e-324);
  EXPECT_EQ(back.reason, "say \"why\"");
  line[line.size() / 2] ^= 1;
  EXPECT_FALSE(from_line(line, back));
}

TEST(Journal, DropsALineThatWasCutAndKeepsTheRest) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.journal";
  {
    Journal journal(path, 7, 10);
    for (std::size_t k = 0; k < 3; ++k) journal.append(record(k));
  }
  const auto size = std::filesystem::file_size(path);
  for (std::uintmax_t cut = 0; cut <= size; ++cut) {
    std::filesystem::copy_file(path, folder.path() / "cut", std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(folder.path() / "cut", cut);
    std::size_t found = 0;
    {
      Journal journal(folder.path() / "cut", 7, 10);
      found = journal.found().size();
      for (std::size_t k = found; k < 3; ++k) journal.append(record(k));
    }
    std::ifstream a(path), b(folder.path() / "cut");
    std::ostringstream left, right;
    left << a.rdbuf();
    right << b.rdbuf();
    ASSERT_EQ(left.str(), right.str()) << "cut after " << cut << " bytes, " << found << " found";
  }
}

TEST(Journal, RefusesAnotherStudyAndASecondWriter) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a.journal";
  {
    Journal journal(path, 7, 10);
    journal.append(record(0));
    EXPECT_THROW(Journal(path, 7, 10), ResultError);  // in use
  }
  EXPECT_THROW(Journal(path, 8, 10), ResultError);
  EXPECT_THROW(Journal(path, 7, 11), ResultError);
  EXPECT_EQ(Journal(path, 7, 10).found().size(), 1u);
  EXPECT_EQ(Journal(path, 8, 10, true).found().size(), 0u);
}

}  // namespace
}  // namespace carom
