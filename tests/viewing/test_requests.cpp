#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include <nlohmann/json.hpp>

#include "recording/result_writer.h"
#include "viewing/curves.h"
#include "viewing/server.h"
#include "viewing/token.h"

#include "../support/temporary_folder.h"

namespace carom {
namespace {

using testing::HasSubstr;

TEST(OwnRequests, NameThisComputerAndThePort) {
  EXPECT_TRUE(is_own_request(8000, "127.0.0.1:8000", "", ""));
  EXPECT_TRUE(is_own_request(8000, "localhost:8000", "http://localhost:8000", "same-origin"));
  EXPECT_TRUE(is_own_request(8000, "127.0.0.1:8000", "", "none"));
  for (const char* host :
       {"", "127.0.0.1", "127.0.0.1:8001", "evil.example:8000", "127.0.0.1:8000.evil.example", "[::1]:8000"})
    EXPECT_FALSE(is_own_request(8000, host, "", "")) << host;
  for (const char* origin : {"null", "https://127.0.0.1:8000", "http://evil.example", "http://127.0.0.1:80"})
    EXPECT_FALSE(is_own_request(8000, "127.0.0.1:8000", origin, "")) << origin;
  EXPECT_FALSE(is_own_request(8000, "127.0.0.1:8000", "", "cross-site"));
}

TEST(Tokens, AreLongAndDiffer) {
  const std::string first = new_token();
  EXPECT_THAT(first, testing::MatchesRegex("[0-9a-f]{32}"));
  EXPECT_NE(new_token(), first);
  EXPECT_EQ(path_after_token("/" + first + "/api/run", first), "/api/run");
  EXPECT_EQ(path_after_token("/" + first + "/", first), "/");
  for (const std::string& path : {std::string(), std::string("/"), first, "/" + first, "/" + first + "0/",
                                  "/" + first.substr(1) + "/", "//" + first + "/", "/x/" + first + "/"})
    EXPECT_EQ(path_after_token(path, first), "") << path;
}

const char* const model_text = R"toml(
[model]
plane = "xy"
[[body]]
name = "wheel"
mass = 1
inertia = 1
position = [1, 2]
)toml";

// A wheel that turns at 1 rad a sample; its height has a peak in sample 777 and a gap in samples 500 to 509.
class Wheel {
 public:
  explicit Wheel(std::size_t samples, const std::vector<std::string>& components = {"x", "y", "angle"}) {
    ResultHeader header{.model_text = model_text, .model_file = "wheel.toml", .settings_json = "{}", .version = "test"};
    header.groups = {{"body:wheel", {}}};
    for (const std::string& name : components) header.groups[0].components.push_back({name, "m", "a number"});
    header.event_kinds = {{"impact", {{"speed", "m/s", "of it"}}}};
    ResultWriter writer(folder_ / "wheel.h5", header);
    for (std::size_t i = 0; i < samples; ++i) {
      const double gap = i >= 500 && i < 510 ? std::nan("") : 0;
      const double all[] = {0.001 * static_cast<double>(i), (i == 777 ? 9.0 : 2.0) + gap, static_cast<double>(i)};
      writer.append(0.01 * static_cast<double>(i), std::span(all, components.size()));
    }
    writer.add_event({.time = 7.77, .kind = "impact", .subject = "second", .values = {2}});
    writer.add_event({.time = 1.5, .kind = "impact", .subject = "first", .values = {1}});
    writer.finish("{}", "complete");
  }
  ViewerRoutes routes() const {
    std::vector<ViewedFile> files;
    files.push_back(file());
    return ViewerRoutes(std::move(files));
  }
  ViewedFile file() const {
    return {folder_ / "wheel.h5", [file = folder_ / "wheel.h5"] { return view_result(file); }};
  }
  Viewed viewed() const { return view_result(folder_ / "wheel.h5"); }

 private:
  TemporaryFolder folder_;
};

template <class Number>
std::vector<Number> numbers_in(const Answer& answer) {
  std::vector<Number> numbers(answer.body.size() / sizeof(Number));
  std::memcpy(numbers.data(), answer.body.data(), numbers.size() * sizeof(Number));
  return numbers;
}

TEST(Frames, HoldPositionsAndQuaternions) {
  const Wheel wheel(100);
  ViewerRoutes routes = wheel.routes();
  const auto rows = numbers_in<float>(routes.answer("/api/frames", {{"from", "10"}, {"to", "31"}, {"stride", "10"}}));
  ASSERT_EQ(rows.size(), 3u * 7u);
  EXPECT_FLOAT_EQ(rows[7], 0.02f);
  EXPECT_FLOAT_EQ(rows[8], 2);
  EXPECT_FLOAT_EQ(rows[7 + 5], std::sin(10.0f));  // sample 20 is turned by 20 rad
  EXPECT_FLOAT_EQ(rows[7 + 6], std::cos(10.0f));
}

TEST(Frames, AreTheSameHoweverTheyAreRead) {
  const Wheel wheel(1000);
  ViewerRoutes routes = wheel.routes();
  const auto dense = numbers_in<float>(routes.answer("/api/frames", {{"from", "0"}, {"to", "450"}}));
  const auto sparse = numbers_in<float>(routes.answer("/api/frames", {{"to", "450"}, {"stride", "100"}}));
  ASSERT_EQ(sparse.size(), 5u * 7u);
  for (std::size_t row = 0; row < 5; ++row) {
    for (std::size_t k = 0; k < 7; ++k) EXPECT_EQ(sparse[7 * row + k], dense[700 * row + k]);
  }
}

TEST(Frames, OfABodyThatWasNotRecordedStandStill) {
  const Wheel wheel(3, {"x"});
  ViewerRoutes routes = wheel.routes();
  EXPECT_THAT(routes.answer("/api/scene", {}).body, HasSubstr("body:*.angle"));
  const auto rows = numbers_in<float>(routes.answer("/api/frames", {}));
  EXPECT_FLOAT_EQ(rows[1], 2);  // as the file says
}

TEST(Curves, KeepPeaksAndGaps) {
  const Wheel wheel(1000);
  ViewerRoutes routes = wheel.routes();
  const auto pairs = numbers_in<double>(routes.answer("/api/column", {{"name", "body:wheel.y"}, {"points", "20"}}));
  EXPECT_LE(pairs.size(), 2u * (4 * 23 + 1));
  bool peak = false, gap = false;
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    peak = peak || (pairs[i + 1] == 9 && pairs[i] == 0.01 * 777);
    gap = gap || (std::isnan(pairs[i + 1]) && pairs[i] == 0.01 * 510);
  }
  EXPECT_TRUE(peak);
  EXPECT_TRUE(gap);
}

TEST(Curves, OfAPhasePortraitKeepTheExtremesOfBoth) {
  const Wheel wheel(1000);
  ViewerRoutes routes = wheel.routes();
  const auto triples =
      numbers_in<double>(routes.answer("/api/phase", {{"x", "body:wheel.x"}, {"y", "body:wheel.y"}, {"points", "10"}}));
  EXPECT_LE(triples.size(), 3u * 60u);
  double highest = 0, farthest = 0;
  for (std::size_t i = 0; i < triples.size(); i += 3) {
    farthest = std::max(farthest, triples[i + 1]);
    highest = std::max(highest, triples[i + 2]);
  }
  EXPECT_EQ(highest, 9);
  EXPECT_EQ(farthest, 0.999);
}

TEST(Curves, OfALoopLeaveOutWhatIsBelow) {
  const Wheel wheel(1000);
  ViewerRoutes routes = wheel.routes();
  const auto triples = numbers_in<double>(
      routes.answer("/api/phase", {{"x", "body:wheel.y"}, {"y", "body:wheel.angle"}, {"above", "2"}}));
  // The peak and its neighbours, which lie on the level.
  EXPECT_THAT(triples, testing::Pointwise(testing::DoubleEq(), {7.76, 2.0, 776.0, 7.77, 9.0, 777.0, 7.78, 2.0, 778.0}));
}

TEST(Maps, TakePointsAtEveryPeriodAndAtCrossings) {
  const Wheel wheel(1000);
  ViewerRoutes routes = wheel.routes();
  const Query both = {{"x", "body:wheel.x"}, {"y", "body:wheel.angle"}};
  const auto map = [&](Query query) {
    query.insert(both.begin(), both.end());
    return routes.answer("/api/map", query);
  };
  const auto flashes = numbers_in<double>(map({{"period", "2.5"}}));
  ASSERT_EQ(flashes.size(), 4u * 3u);
  EXPECT_NEAR(flashes[11], 750, 1e-9);
  const auto peak = numbers_in<double>(map({{"section", "body:wheel.y"}, {"level", "5"}, {"crossing", "falling"}}));
  ASSERT_EQ(peak.size(), 3u);
  EXPECT_NEAR(peak[2], 777 + 4.0 / 7, 1e-9);
  EXPECT_THAT(map({{"period", "0.001"}}).body, HasSubstr("shorter than the time between samples"));
  EXPECT_THAT(map({{"period", "-1"}}).body, HasSubstr("must be positive"));
  EXPECT_THAT(map({{"section", "body:wheel.y"}, {"crossing", "up"}}).body, HasSubstr("rising, falling or both"));
}

TEST(Spectra, HoldACurveAndPeaks) {
  const Wheel wheel(500);
  ViewerRoutes routes = wheel.routes();
  for (const char* scale : {"", "1"}) {
    Query query = {{"name", "body:wheel.angle"}, {"points", "50"}};
    if (*scale != 0) query.emplace("log", scale);
    const auto spectrum = nlohmann::json::parse(routes.answer("/api/spectrum", query).body);
    EXPECT_EQ(spectrum["samples"], 500);
    EXPECT_NEAR(spectrum["resolution"].get<double>(), 0.2, 1e-9);
    EXPECT_GT(spectrum["curve"].size(), 20u);
    EXPECT_LE(spectrum["curve"].size(), 4u * 52u);
  }
  EXPECT_THAT(routes.answer("/api/spectrum", {{"name", "body:wheel.x"}, {"to", "0.02"}}).body, HasSubstr("too few"));
}

TEST(Comparison, AnswersForEitherFile) {
  const Wheel first(100), second(50, {"x"});
  std::vector<ViewedFile> files;
  files.push_back(first.file());
  files.push_back(second.file());
  ViewerRoutes routes(std::move(files));
  const auto state = nlohmann::json::parse(routes.answer("/api/state", {}).body);
  EXPECT_EQ(state["files"][0]["samples"], 100);
  EXPECT_EQ(state["files"][1]["samples"], 50);
  EXPECT_TRUE(state["run"].is_null());
  EXPECT_EQ(nlohmann::json::parse(routes.answer("/api/scene", {{"of", "1"}}).body)["samples"], 50);
  EXPECT_EQ(routes.answer("/api/column", {{"name", "body:wheel.y"}}).status, 200);
  EXPECT_EQ(routes.answer("/api/column", {{"name", "body:wheel.y"}, {"of", "1"}}).status, 404);
  EXPECT_EQ(routes.answer("/api/column", {{"name", "body:wheel.x"}, {"of", "2"}}).status, 400);
  EXPECT_EQ(routes.act("/api/run").status, 404);  // results are not run
}

TEST(Events, AreSortedAndClustered) {
  const Wheel wheel(1000);
  ViewerRoutes routes = wheel.routes();
  const std::string all = routes.answer("/api/events", {}).body;
  EXPECT_LT(all.find("\"first\",\"values\""), all.find("\"second\""));
  EXPECT_THAT(routes.answer("/api/events", {{"after", "2"}}).body, HasSubstr("\"first\":1,"));
  EXPECT_EQ(event_marks(wheel.viewed(), {0, 10}, 100).size(), 2u);
  const auto clustered = event_marks(wheel.viewed(), {0, 10}, 1);
  ASSERT_EQ(clustered.size(), 1u);
  EXPECT_EQ(clustered[0].count, 2u);
  EXPECT_EQ(clustered[0].last, 7.77);
}

TEST(Requests, ThatMakeNoSenseAreAnsweredWithTheReason) {
  const Wheel wheel(10);
  ViewerRoutes routes = wheel.routes();
  const auto refused = [&](const char* path, const Query& query, int status, const char* why) {
    const Answer answer = routes.answer(path, query);
    EXPECT_EQ(answer.status, status) << path;
    EXPECT_THAT(answer.body, HasSubstr(why));
  };
  refused("/api/column", {}, 400, "give `name`");
  refused("/api/column", {{"name", "body:weel.x"}}, 404, "did you mean body:wheel.x");
  refused("/api/column", {{"name", "body:wheel.x"}, {"from", "nan"}}, 400, "`from` must be a number");
  refused("/api/column", {{"name", "body:wheel.x"}, {"from", "2"}, {"to", "1"}}, 400, "`to` must not be less");
  refused("/api/frames", {{"from", "-1"}}, 400, "whole, not negative");
  refused("/api/frames", {{"stride", "99999999999999999999999"}}, 400, "`stride`");
  refused("/api/nothing", {}, 404, "ask for state, scene");
  refused("/../../etc/passwd", {}, 404, "no such page");
  for (const Query& query :
       {Query{{"from", "18446744073709551615"}, {"to", "3"}}, {{"stride", "18446744073709551615"}}}) {
    EXPECT_EQ(routes.answer("/api/frames", query).status, 200);
    EXPECT_EQ(routes.answer("/api/times", query).status, 200);
    EXPECT_EQ(routes.answer("/api/events", {{"first", "18446744073709551615"}}).status, 200);
  }
}

}  // namespace
}  // namespace carom
