#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <limits>
#include <sstream>

#include "../recording/result_scene.h"
#include "exports/export_csv.h"

namespace carom {
namespace {

using namespace scene;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Csv, WritesNamesUnitsAndExactNumbers) {
  const Folder folder;
  ResultWriter writer(folder / "run.h5", slider_crank());
  record(writer, 0, 5000);
  writer.finish("", "complete");
  const ResultReader reader(folder / "run.h5");
  std::ostringstream out;
  export_csv(reader, {"energy", "body:*.x"}, out);
  std::istringstream in(out.str());
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "time [s],energy.kinetic [J],energy.potential [J],body:crank.x [m]");
  for (std::size_t i = 0; i < 5000; ++i) {
    ASSERT_TRUE(std::getline(in, line));
    const char *next = line.data(), *end = next + line.size();
    const auto values = sample(i);
    for (const double expected : {sample_time(i), values[4], values[5], values[0]}) {
      double number = 0;
      next = std::from_chars(next, end, number).ptr + 1;
      ASSERT_EQ(number, expected);
    }
    ASSERT_EQ(next, end + 1);
  }
  EXPECT_FALSE(std::getline(in, line));
}

TEST(Csv, QuotesNamesWithCommasAndReportsAFullStream) {
  const Folder folder;
  ResultWriter writer(folder / "run.h5", {.groups = {{"body:a,b", {{"x", "", ""}}}}});
  writer.append(0, std::vector<double>{0.1});
  writer.finish("", "complete");
  const ResultReader reader(folder / "run.h5");
  std::ostringstream out;
  export_csv(reader, {}, out);
  EXPECT_EQ(out.str(), "time [s],\"body:a,b.x\"\n0,0.1\n");
  std::ofstream full("/dev/full");
  EXPECT_THAT(error_of([&] { export_csv(reader, {}, full); }), HasSubstr("could not be written"));
}

}  // namespace
}  // namespace carom
