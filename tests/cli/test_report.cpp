#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "command_line.h"
#include "page_parts.h"

// `carom report`: one page that needs nothing but itself.
namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// The page about a model that is run first.
std::string page_of(const Folder& folder, const std::string& model, const std::vector<std::string>& more = {}) {
  folder.write("model.toml", model);
  const Outcome run = carom(folder, {"run", "model.toml", "-o", "r.h5", "--quiet"});
  EXPECT_EQ(run.code, 0) << run.err;
  std::vector<std::string> words = {"report", "r.h5", "-o", "page.html"};
  words.insert(words.end(), more.begin(), more.end());
  const Outcome report = carom(folder, words);
  EXPECT_EQ(report.code, 0) << report.err;
  EXPECT_THAT(report.out, HasSubstr("page.html ("));
  return contents(folder / "page.html");
}

TEST(Report, HasAllSectionsAndAsksForNothingFromOutside) {
  const Folder folder;
  const std::string page = page_of(folder, ball);
  for (const char* id :
       {"motion", "answers", "plots", "events", "forces", "energy", "reproduction", "model", "statistics"})
    EXPECT_THAT(page, HasSubstr("<section id=\"" + std::string(id) + "\"")) << id;
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_EQ(count_of(page, "src=\""), 0);
  EXPECT_EQ(count_of(page, "<link"), 0);
  EXPECT_EQ(count_of(page, "@import"), 0);
  // Addresses are names of XML only.
  EXPECT_EQ(count_of(page, "http"), count_of(page, "http://www.w3.org/") + count_of(page, "http-equiv"));
  EXPECT_EQ(count_of(page, "href=\""), count_of(page, "href=\"#"));
  EXPECT_EQ(count_of(page, "url("), count_of(page, "url(#"));
  EXPECT_THAT(page, HasSubstr("The hardest episode of each contact"));
  EXPECT_THAT(page, HasSubstr("by contact:bounce"));
}

TEST(Report, IsTheSameTwiceAndReplacesAnOlderPage) {
  const Folder folder;
  const std::string page = page_of(folder, pendulum);
  folder.write("page.html", "<!-- Written by Carom -->");
  EXPECT_EQ(carom(folder, {"report", "r.h5", "-o", "page.html"}).code, 0);
  EXPECT_EQ(contents(folder / "page.html"), page);
}

TEST(Report, EscapesWhatComesFromTheModel) {
  const Folder folder;
  std::string model = replaced(pendulum, "name = \"Pendulum\"", "name = 'A < B & \"C\" </script><script>alert(1)'");
  model = replaced(model, "[solver]", "# <img src=x onerror='alert(2)'>\n[solver]");
  const std::string page = page_of(folder, model);
  EXPECT_THAT(page, HasSubstr("<h1>A &lt; B &amp; &quot;C&quot; &lt;/script&gt;&lt;script&gt;alert(1)</h1>"));
  EXPECT_THAT(page, HasSubstr("# &lt;img src=x onerror=&#39;alert(2)&#39;&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_EQ(count_of(page, "<script"), 3);  // the scene, the frames, the program
  EXPECT_EQ(count_of(page, "</script"), 3);
}

TEST(Report, FramesAreTheRecordedMotion) {
  const Folder folder;
  const std::string page = page_of(folder, ball);
  const auto scene = nlohmann::json::parse(between(page, "id=\"scene\">", "</script>"));
  const std::string bytes = from_base64(between(page, "id=\"frames\">", "</script>"));
  const auto head = numbers_at<std::uint32_t>(bytes, 0, 4);
  const std::size_t count = head[0], width = head[1], varying = head[2];
  std::size_t at = 16;
  const auto times = numbers_at<double>(bytes, at, count);
  const auto row = numbers_at<float>(bytes, at += 8 * count, width);
  const auto columns = numbers_at<std::uint32_t>(bytes, at += 4 * width, varying);
  const auto low = numbers_at<float>(bytes, at += 4 * varying, varying);
  const auto step = numbers_at<float>(bytes, at += 4 * varying, varying);
  const auto values = numbers_at<std::uint16_t>(bytes, at += 4 * varying, count * varying);
  EXPECT_EQ(bytes.size(), at + 2 * count * varying);
  const auto samples = csv_rows(
      carom(folder, {"export", "r.h5", "--csv", "body:ball.x", "body:ball.y", "body:ball.z", "contact:bounce.fz"}).out);
  ASSERT_EQ(count, samples.size());
  const auto value = [&](std::size_t frame, std::size_t column) -> double {
    for (std::size_t k = 0; k < varying; ++k)
      if (columns[k] == column) return low[k] + values[frame * varying + k] * step[k];
    return row[column];
  };
  const std::size_t body = scene["bodies"][0], contact = scene["contacts"][0];
  double largest = 0;
  for (const auto& sample : samples) largest = std::max(largest, sample[4]);
  EXPECT_GT(largest, 100);
  for (std::size_t k = 0; k < count; ++k) {
    EXPECT_DOUBLE_EQ(times[k], samples[k][0]);
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(value(k, body + axis), samples[k][1 + axis], 1e-5) << times[k];
    EXPECT_NEAR(value(k, contact + 6), samples[k][4], 1e-4 * largest);
  }
}

TEST(Report, OfALongRunIsBounded) {
  const Folder folder;
  const std::string page = page_of(folder, replaced(replaced(pendulum, "end = 1", "end = 100"), "0.01", "0.005"));
  EXPECT_THAT(page, HasSubstr("of 20001 samples"));
  EXPECT_LT(page.size(), 3'000'000U);
}

TEST(Report, DrawsChosenQuantities) {
  const Folder folder;
  const std::string page = page_of(folder, pendulum, {"--plot", "body:rod.omega", "--plot", "energy.kinetic"});
  EXPECT_THAT(page, HasSubstr("body:rod.omega [rad/s]"));
  EXPECT_THAT(page, HasSubstr("energy.kinetic [J]"));
  EXPECT_THAT(page, Not(HasSubstr("<h3>Positions</h3>")));
  const Outcome wrong = carom(folder, {"report", "r.h5", "-o", "page.html", "--plot", "body:rod.omge"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("body:rod.omega"));
  EXPECT_EQ(contents(folder / "page.html"), page) << "a failure must not cost an older page";
}

TEST(Report, ShowsTheLargestEvents) {
  const Folder folder;
  const std::string page = page_of(folder, ball, {"--events", "1"});
  const std::string section = between(page, "<section id=\"events\"", "</section>");
  EXPECT_THAT(section, HasSubstr("The 1 with the largest force of"));
  EXPECT_EQ(count_of(section, "<td>contact:bounce"), 1);
}

TEST(Report, OpensWithTheMotionAndTheAnswers) {
  const Folder folder;
  const std::string page = page_of(folder, ball);
  std::size_t last = 0;
  for (const char* id : {"motion", "answers", "plots", "events", "energy", "model", "statistics"}) {
    const std::size_t at = page.find("<section id=\"" + std::string(id) + "\"");
    ASSERT_NE(at, std::string::npos) << id;
    EXPECT_GT(at, last) << id;
    last = at;
  }
  EXPECT_EQ(page.find("<section", last + 1), std::string::npos) << "statistics come last";
  const std::string answers = between(page, "<section id=\"answers\"", "</section>");
  const auto json = nlohmann::json::parse(carom(folder, {"forces", "r.h5", "--json"}).out);
  double peak = 0;
  for (const auto& impact : json["impacts"]) peak = std::max(peak, impact["peak_force"].get<double>());
  EXPECT_THAT(answers, AllOf(HasSubstr("contact:bounce"), HasSubstr(fmt::format("{:.5g} N", peak))));
}

TEST(Report, SpeedsOfTheMovingPictureAreToldAgainstRealTime) {
  const Folder folder;
  const std::string slow = page_of(folder, replaced(pendulum, "end = 1", "end = 0.02"));
  EXPECT_THAT(slow, AllOf(HasSubstr(">real time</option>"), HasSubstr(" selected>500 × slower than real</option>")));
  EXPECT_THAT(slow, Not(HasSubstr(">1 ×<")));
  const std::string real = page_of(folder, replaced(pendulum, "end = 1", "end = 5"));
  EXPECT_THAT(real, HasSubstr(" selected>real time</option>"));
}

// Without a stiffness no force stands behind an impulse: the harder of two knocks is told by its impulse.
TEST(Report, SortsByImpulseWhereNoForceIsKnown) {
  const Folder folder;
  std::string model = replaced(ball, "[solver]", "[solver]\nmethod = \"nonsmooth\"\nstep = 0.002");
  model = replaced(replaced(model, "stiffness = 1e6\n", ""), "law = \"flores\"\n", "");
  const std::string page = page_of(folder, model);
  const std::string section = between(page, "<section id=\"events\"", "</section>");
  EXPECT_THAT(section, HasSubstr("the largest impulse first"));
  EXPECT_THAT(between(page, "<section id=\"answers\"", "</section>"), HasSubstr("largest normal impulse"));
  std::vector<double> impulses;
  for (std::size_t at = section.find("<tbody"); (at = section.find("<tr>", at)) != std::string::npos; ++at) {
    std::size_t cell = at;
    for (int k = 0; k < 6; ++k) cell = section.find("<td", cell + 1);
    impulses.push_back(std::stod(section.substr(section.find('>', cell) + 1)));
  }
  ASSERT_GE(impulses.size(), 2u);
  EXPECT_TRUE(std::is_sorted(impulses.rbegin(), impulses.rend()));
}

TEST(Report, TablesAndPlotsShareTheirUnits) {
  const Folder folder;
  const std::string page = page_of(folder, ball, {"--plot", "contact:bounce.penetration"});
  EXPECT_THAT(page, HasSubstr("contact:bounce.penetration [µm]"));
  EXPECT_THAT(between(page, "<section id=\"events\"", "</section>"), HasSubstr("largest penetration [µm]"));
  EXPECT_THAT(between(page, "<section id=\"forces\"", "</section>"), HasSubstr("depth [µm]"));
}

TEST(Report, TellsTheLifeOfBearings) {
  const Folder folder;
  const std::string model = contents(fs::path(CAROM_SOURCE_DIR) / "examples/ball_bearing.toml");
  const std::string impulses = page_of(folder, replaced(model, "end = \"0.1 s\"", "end = \"0.01 s\""));
  EXPECT_THAT(between(impulses, "<section id=\"answers\"", "</section>"),
              HasSubstr("bearing:bearing: no life without"));
  const std::string forces = page_of(
      folder,
      replaced(replaced(replaced(model, "method = \"nonsmooth\"", "method = \"compliant\""), "step = \"0.1 ms\"", ""),
               "end = \"0.1 s\"", "end = \"0.01 s\""));
  EXPECT_THAT(between(forces, "<section id=\"answers\"", "</section>"),
              AllOf(HasSubstr("basic rating life L10"), HasSubstr("at 1000 rpm")));
}

TEST(Report, TellsTheCommandThatMakesTheResultAgain) {
  const Folder folder;
  folder.write("model.toml", pendulum);
  ASSERT_EQ(carom(folder, {"run", "model.toml", "-o", "r.h5", "--quiet", "--set", "length=50cm"}).code, 0);
  ASSERT_EQ(carom(folder, {"report", "r.h5"}).code, 0);
  EXPECT_THAT(contents(folder / "r.html"), HasSubstr("carom run model.toml --set length=0.5 -o r.h5"));
}

TEST(Report, OfImpulsesTellsRecoveredForces) {
  const Folder folder;
  const std::string page =
      page_of(folder, replaced(ball, "[solver]", "[solver]\nmethod = \"nonsmooth\"\nstep = 0.002"));
  EXPECT_THAT(page, HasSubstr("the forces behind the impulses are recovered"));
  EXPECT_THAT(between(page, "<section id=\"forces\"", "</section>"), HasSubstr("flores"));
}

TEST(Report, RefusesWhatIsNoResult) {
  const Folder folder;
  folder.write("text.h5", "no result");
  EXPECT_EQ(carom(folder, {"report", "text.h5"}).code, 2);
  EXPECT_EQ(carom(folder, {"report", "none.h5"}).code, 2);
  page_of(folder, pendulum);
  const std::string whole = contents(folder / "r.h5");
  folder.write("cut.h5", whole.substr(0, whole.size() / 3));
  const Outcome cut = carom(folder, {"report", "cut.h5", "-o", "cut.html"});
  EXPECT_EQ(cut.code, 2);
  EXPECT_THAT(cut.err, HasSubstr("cut.h5"));
  EXPECT_FALSE(fs::exists(folder / "cut.html"));
}

TEST(Report, RefusesAPlaceThatCannotBeWritten) {
  const Folder folder;
  page_of(folder, pendulum);
  const Outcome nowhere = carom(folder, {"report", "r.h5", "-o", "no/such/page.html"});
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("cannot write no/such/page.html: No such file or directory"));
  const Outcome itself = carom(folder, {"report", "r.h5", "-o", "r.h5"});
  EXPECT_EQ(itself.code, 2);
  EXPECT_THAT(itself.err, HasSubstr("is read by this command"));
  fs::create_directory(folder / "page.d");
  EXPECT_EQ(carom(folder, {"report", "r.h5", "-o", "page.d"}).code, 2);
}

TEST(Report, LeavesAnOlderPageWhenTheDiskIsFull) {
  const Folder folder;
  page_of(folder, pendulum);
  folder.write("page.html", "<!-- Written by Carom -->");
  const Outcome full = carom(folder, {"report", "r.h5", "-o", "page.html"}, {.largest_file = 20000});
  EXPECT_EQ(full.code, 1) << full.err;
  EXPECT_EQ(contents(folder / "page.html"), "<!-- Written by Carom -->");
  for (const auto& entry : fs::directory_iterator(folder.path()))
    EXPECT_THAT(entry.path().string(), Not(HasSubstr(".part")));
}

}  // namespace
}  // namespace carom::cli
