#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <limits>
#include <sstream>

#include "base/nearest_name.h"
#include "recording/select_quantities.h"
#include "result_scene.h"

namespace carom {
namespace {

using namespace scene;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ResultFile, GivesBackWhatWasRecorded) {
  const Folder folder;
  const ResultHeader header = slider_crank();
  {
    ResultWriter writer(folder / "run.h5", header);
    record(writer, 0, 5000);
    writer.add_event({0.25, "contact", "contact:ball/floor", {-1.5, 200}});
    writer.add_event({0.5, "restart", "", {}});
    EXPECT_EQ(writer.sample_count(), 5000u);
    writer.finish(R"({"steps": 12})", "complete");
  }
  const ResultReader reader(folder / "run.h5");
  EXPECT_EQ(reader.header(), header);
  EXPECT_EQ(reader.status(), "complete");
  EXPECT_EQ(reader.statistics_json(), R"({"steps": 12})");
  EXPECT_EQ(reader.sample_count(), 5000u);
  EXPECT_THAT(reader.quantities(), ElementsAre("body:crank.x", "body:crank.y", "body:crank.angle", "joint:pin/loose.fx",
                                               "energy.kinetic", "energy.potential"));
  EXPECT_EQ(reader.component("joint:pin/loose.fx").unit, "N");
  const auto times = reader.times();
  const auto names = reader.quantities();
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto column = reader.column(names[k]);
    ASSERT_EQ(column.size(), 5000u);
    for (std::size_t i = 0; i < column.size(); ++i) {
      ASSERT_EQ(times[i], sample_time(i));
      ASSERT_EQ(column[i], sample(i)[k]);
    }
  }
  EXPECT_THAT(reader.events(), ElementsAre(EventRecord{0.25, "contact", "contact:ball/floor", {-1.5, 200}},
                                           EventRecord{0.5, "restart", "", {}}));
}

TEST(ResultFile, MayHoldNoSamples) {
  const Folder folder;
  ResultWriter(folder / "run.h5", slider_crank()).finish("{}", "failed: no assembly");
  const ResultReader reader(folder / "run.h5");
  EXPECT_EQ(reader.sample_count(), 0u);
  EXPECT_TRUE(reader.times().empty());
  EXPECT_TRUE(reader.column("energy.kinetic").empty());
  EXPECT_TRUE(reader.events().empty());
  EXPECT_EQ(reader.status(), "failed: no assembly");
}

TEST(ResultFile, MayHoldNoGroups) {
  const Folder folder;
  ResultWriter writer(folder / "run.h5", {});
  writer.append(1, {});
  writer.finish("", "complete");
  const ResultReader reader(folder / "run.h5");
  EXPECT_THAT(reader.times(), ElementsAre(1));
  EXPECT_TRUE(reader.quantities().empty());
}

TEST(ResultFile, KeepsValuesThatAreNotFinite) {
  const Folder folder;
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  ResultWriter writer(folder / "run.h5", {.groups = {{"g", {{"a", "", ""}, {"b", "", ""}}}}});
  writer.append(-1, std::vector<double>{nan, -infinite});
  writer.finish("", "complete");
  const ResultReader reader(folder / "run.h5");
  EXPECT_TRUE(std::isnan(reader.column("g.a")[0]));
  EXPECT_EQ(reader.column("g.b")[0], -infinite);
}

TEST(ResultFile, ReplacesAnOlderOne) {
  const Folder folder;
  {
    ResultWriter writer(folder / "run.h5", slider_crank());
    record(writer, 0, 20000);
    writer.finish("", "complete");
  }
  ResultHeader other = slider_crank();
  other.groups.pop_back();
  ResultWriter writer(folder / "run.h5", other);
  record(writer, 0, 3);
  writer.finish("", "complete");
  const ResultReader reader(folder / "run.h5");
  EXPECT_EQ(reader.sample_count(), 3u);
  EXPECT_EQ(reader.header(), other);
}

TEST(ResultFile, HoldsLongTexts) {
  const Folder folder;
  ResultHeader header = slider_crank();
  header.model_text.assign(5'000'000, 'm');
  ResultWriter(folder / "run.h5", header).finish(std::string(200'000, 's'), "complete");
  const ResultReader reader(folder / "run.h5");
  EXPECT_EQ(reader.header().model_text, header.model_text);
  EXPECT_EQ(reader.statistics_json().size(), 200'000u);
}

TEST(ResultFile, HoldsManyGroupsAndEvents) {
  const Folder folder;
  ResultHeader header = slider_crank();
  for (int i = 0; i < 300; ++i)
    header.groups.push_back({"body:" + std::to_string(i), {{"x", "m", ""}, {"y", "m", ""}}});
  {
    ResultWriter writer(folder / "run.h5", header);
    for (std::size_t i = 0; i < 1000; ++i) {
      record(writer, i, i + 1);
      writer.add_event({sample_time(i), "contact", std::to_string(i), {double(i), 0}});
    }
    writer.finish("", "complete");
  }
  const ResultReader reader(folder / "run.h5");
  EXPECT_EQ(reader.header(), header);
  EXPECT_EQ(reader.column("body:299.y")[999], sample(999, 606).back());
  const auto events = reader.events();
  ASSERT_EQ(events.size(), 1000u);
  EXPECT_EQ(events[999].subject, "999");
  EXPECT_EQ(events[777].values[0], 777);
}

// Of so many bodies that a block of 32 samples is large, a run takes room for the samples that it has, whether or not
// as many come as were expected.
TEST(ResultFile, TakesRoomForExpectedSamples) {
  const Folder folder;
  ResultHeader header;
  for (int i = 0; i < 1500; ++i) {
    header.groups.push_back({"body:" + std::to_string(i), {}});
    for (const char* name : {"x", "y", "z", "vx", "vy", "vz"})
      header.groups.back().components.push_back({name, "", ""});
  }
  const auto size_with = [&](std::size_t expected, std::size_t recorded) {
    std::vector<double> row(1500 * 6);
    {
      ResultWriter writer(folder / "run.h5", header, expected);
      for (std::size_t k = 0; k < recorded; ++k) {
        for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<double>(k * 100000 + i);
        writer.append(static_cast<double>(k), row);
        if (k == 1) writer.flush();
      }
      writer.finish("", "complete");
    }
    const ResultReader reader(folder / "run.h5");
    EXPECT_EQ(reader.sample_count(), recorded);
    const std::vector<double> last = reader.column("body:1499.vz");
    for (std::size_t k = 0; k < recorded; ++k) EXPECT_EQ(last[k], static_cast<double>(k * 100000 + row.size() - 1));
    return static_cast<double>(std::filesystem::file_size(folder / "run.h5"));
  };
  const double row = 1500 * 6 * sizeof(double), unknown = size_with(0, 2);
  EXPECT_LT(size_with(2, 2), unknown - 29 * row);
  EXPECT_LT(size_with(40, 40), size_with(0, 40) - 23 * row);
  EXPECT_LT(size_with(40, 2), unknown + 9 * row);
  EXPECT_GT(size_with(2, 5), size_with(2, 4));  // another block
}

TEST(ResultFile, CutsALongSubjectBetweenCharacters) {
  const Folder folder;
  std::string subject;
  for (int i = 0; i < 100; ++i) subject += "ü";
  ResultWriter writer(folder / "run.h5", slider_crank());
  writer.add_event({0, "restart", subject, {}});
  writer.finish("", "complete");
  const std::string read = ResultReader(folder / "run.h5").events()[0].subject;
  EXPECT_LE(read.size(), max_event_subject_length);
  EXPECT_EQ(read, subject.substr(0, 124) + "…");
}

TEST(ResultFile, TakesAMillionSamples) {
  const Folder folder;
  {
    ResultWriter writer(folder / "run.h5", slider_crank());
    std::vector<double> values(6);
    for (std::size_t i = 0; i < 1'000'000; ++i) {
      for (std::size_t k = 0; k < 6; ++k) values[k] = static_cast<double>(i * 6 + k);
      writer.append(sample_time(i), values);
    }
    writer.finish("", "complete");
  }
  const ResultReader reader(folder / "run.h5");
  ASSERT_EQ(reader.sample_count(), 1'000'000u);
  const auto column = reader.column("energy.potential");
  for (std::size_t i = 0; i < column.size(); i += 997) ASSERT_EQ(column[i], static_cast<double>(i * 6 + 5));
  EXPECT_LT(std::filesystem::file_size(folder / "run.h5"), 58'000'000u);
}

TEST(ResultFile, BytesDependOnTheDataOnly) {
  const Folder folder;
  const auto write = [&](const std::string& name, std::size_t flush_every) {
    ResultWriter writer(folder / name, slider_crank());
    for (std::size_t i = 0; i < 9000; ++i) {
      record(writer, i, i + 1);
      if (i % 50 == 7) writer.add_event({sample_time(i), "contact", "contact:a/b", {1, 2}});
      if (flush_every && i % flush_every == 0) writer.flush();
    }
    writer.finish("{}", "complete");
    return bytes(folder / name);
  };
  const std::string reference = write("a.h5", 0);
  ::usleep(1'100'000);
  EXPECT_TRUE(write("b.h5", 0) == reference);
  EXPECT_TRUE(write("c.h5", 31) == reference);
  EXPECT_TRUE(write("d.h5", 173) == reference);
}

TEST(ResultFile, BytesDoNotTellWhenItWasFlushed) {
  const Folder folder;
  ResultHeader header = slider_crank();
  for (int k = 0; k < 60; ++k) {
    ChannelGroup& group = header.groups.emplace_back(ChannelGroup{.name = "body:" + std::to_string(k)});
    for (int c = 0; c <= k % 13; ++c) group.components.push_back({std::to_string(c), "m", "a component"});
  }
  const auto write = [&](const std::string& name, std::size_t flush_every) {
    ResultWriter writer(folder / name, header);
    for (std::size_t i = 0; i < 6000; ++i) {
      record(writer, i, i + 1);
      for (std::size_t k = 0; k < i % 3; ++k)
        writer.add_event({sample_time(i), "contact", "contact:a/b", {1, static_cast<double>(k)}});
      if (flush_every && (i * i) % flush_every == 1) writer.flush();
    }
    writer.finish("{}", "complete");
    return bytes(folder / name);
  };
  const std::string reference = write("a.h5", 0);
  for (const std::size_t flush_every : {211, 499, 1009})
    EXPECT_TRUE(write("b.h5", flush_every) == reference) << flush_every;
}

TEST(Quantities, AreSelectedByPattern) {
  const std::vector<std::string> names = {"body:a.x", "body:a.y", "body:b.x", "energy.kinetic"};
  EXPECT_EQ(select_quantities(names, {}), names);
  EXPECT_THAT(select_quantities(names, {"*.x"}), ElementsAre("body:a.x", "body:b.x"));
  EXPECT_THAT(select_quantities(names, {"energy", "body:a", "body:?.x"}),
              ElementsAre("energy.kinetic", "body:a.x", "body:a.y", "body:b.x"));
  EXPECT_THAT(error_of([&] { select_quantities(names, {"energy.kinetik"}); }),
              HasSubstr("did you mean energy.kinetic?"));
  EXPECT_TRUE(matches_pattern("xxaabab", "*a*b"));
  EXPECT_FALSE(matches_pattern("xab", "a*b"));
  EXPECT_FALSE(matches_pattern("a", ""));
  EXPECT_TRUE(matches_pattern("", ""));
}

}  // namespace
}  // namespace carom
