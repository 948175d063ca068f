#include <gmock/gmock.h>

#include <cstdint>

#include "command_line.h"
#include "page_parts.h"

// `carom plot` of one run.
namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Plot : public testing::Test {
 protected:
  Plot() {
    folder_.write("model.toml", pendulum);
    EXPECT_EQ(carom(folder_, {"run", "model.toml", "-o", "r.h5", "--quiet"}).code, 0);
  }

  // The picture, which was drawn without a complaint.
  std::string drawn(std::vector<std::string> words, const std::string& file = "p.svg") {
    words.insert(words.begin(), {"plot", "r.h5", "-o", file});
    const Outcome outcome = carom(folder_, words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return contents(folder_ / file);
  }

  const Folder folder_;
};

struct Size {
  std::uint32_t width = 0, height = 0;
};

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t k = 0; k < 4; ++k) number = number << 8 | static_cast<unsigned char>(bytes.at(at + k));
  return number;
}

Size png_size(const std::string& png) {
  return {big_endian(png, 16), big_endian(png, 20)};
}

TEST_F(Plot, ResolutionAndWidthOfPng) {
  const Size usual = png_size(drawn({"body:rod.x"}, "a.png"));
  const Size fine = png_size(drawn({"body:rod.x", "--dpi", "288"}, "b.png"));
  EXPECT_EQ(fine.width, 2 * usual.width);
  EXPECT_EQ(fine.height, 2 * usual.height);
  EXPECT_EQ(png_size(drawn({"body:rod.x", "--width", "1000px"}, "c.png")).width, 1000u);
  EXPECT_EQ(png_size(drawn({"body:rod.x", "--width", "1000px", "--dpi", "300"}, "d.png")).width, 1000u);
  EXPECT_EQ(png_size(drawn({"body:rod.x", "--width", "25.4mm", "--dpi", "600"}, "e.png")).width, 600u);
  const std::string png = contents(folder_ / "e.png");
  const std::size_t at = png.find("pHYs");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(big_endian(png, at + 4), 23622u);  // pixels a metre
  EXPECT_THAT(carom(folder_, {"plot", "r.h5", "body:rod.x", "-o", "f.png", "--dpi", "2400", "--width", "2m"}).err,
              HasSubstr("pixels is too large"));
}

TEST_F(Plot, PartsUnitsAndExpressions) {
  EXPECT_THAT(drawn({"body:rod.x - body:rod.y", "--unit", "mm", "--unit", "ms", "--from", "0.2 s", "--to", "500ms"}),
              AllOf(HasSubstr("body:rod.x - body:rod.y [mm]"), HasSubstr("time [ms]")));
  const Outcome mixed = carom(folder_, {"plot", "r.h5", "body:rod.x + energy.total", "-o", "q.svg"});
  EXPECT_EQ(mixed.code, 2);
  EXPECT_THAT(mixed.err, HasSubstr("cannot compute `body:rod.x + energy.total`"));
  EXPECT_FALSE(fs::exists(folder_ / "q.svg"));
  const Outcome unit = carom(folder_, {"plot", "r.h5", "body:rod.x", "--unit", "kg"});
  EXPECT_EQ(unit.code, 2);
  EXPECT_THAT(unit.err, HasSubstr("--unit `kg`: nothing that is drawn can be given in it"));
}

TEST_F(Plot, AxesAreNamed) {
  const std::string svg = drawn({"energy"});
  EXPECT_THAT(svg, HasSubstr("energy [J]"));
  EXPECT_THAT(svg, Not(HasSubstr("value [")));
}

// All quantities of a machine fit a page, unless they are asked for.
TEST_F(Plot, OnePageUnlessAllIsAskedFor) {
  const fs::path example = fs::path(CAROM_SOURCE_DIR) / "examples/loose_slider_crank.toml";
  ASSERT_EQ(carom(folder_, {"run", example.string(), "-o", "crank.h5", "--quiet"}).code, 0);
  const Outcome page = carom(folder_, {"plot", "crank.h5", "-o", "page.png"}),
                all = carom(folder_, {"plot", "crank.h5", "-o", "all.png", "--all"});
  EXPECT_EQ(page.code, 0);
  EXPECT_THAT(page.err, AllOf(HasSubstr("to fit a page"), HasSubstr("left out"), HasSubstr("--all")));
  EXPECT_THAT(all.err, IsEmpty());
  const Size paper = png_size(contents(folder_ / "page.png")), long_one = png_size(contents(folder_ / "all.png"));
  EXPECT_LT(paper.height, 1.5 * paper.width);
  EXPECT_GT(long_one.height, paper.height);
}

TEST_F(Plot, FilmsMoveByThemselves) {
  const fs::path example = fs::path(CAROM_SOURCE_DIR) / "examples/loose_slider_crank.toml";
  ASSERT_EQ(carom(folder_, {"run", example.string(), "-o", "crank.h5", "--quiet"}).code, 0);
  const Outcome outcome = carom(folder_, {"plot", "crank.h5", "--film", "-o", "film.svg", "--duration", "6"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string film = contents(folder_ / "film.svg");
  EXPECT_LT(film.size(), 1'500'000u);
  EXPECT_EQ(count_of(film, "<g class=\"f"), 160);
  EXPECT_THAT(film, AllOf(HasSubstr("250 times slower than real time"), HasSubstr("joint:pin, radial clearance 25 µm"),
                          HasSubstr("Written by Carom"), Not(HasSubstr("<script"))));
  const Outcome wrong = carom(folder_, {"plot", "crank.h5", "--film", "-o", "film.png"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("ends in .svg"));
}

// A force that swings twice a turn of a shaft that runs up to 3820 rpm.
TEST_F(Plot, WaterfallsShowARunUp) {
  folder_.write("rise.toml", R"toml([model]
plane = "xy"
gravity = [0, 0]
[[body]]
name = "shaft"
mass = "2 kg"
inertia = 1
[[motion]]
body = "shaft"
component = "angle"
acceleration = "=100[1/s^2]"
[[force]]
name = "unbalance"
type = "force"
body = "shaft"
force = ["=6[N]*cos(100[1/s^2]*t^2)", 0]
[solver]
end = 4
[output]
every = "1 ms"
)toml");
  ASSERT_EQ(carom(folder_, {"run", "rise.toml", "-o", "rise.h5", "--quiet"}).code, 0);
  const auto plot = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"plot", "rise.h5", "body:shaft.ax", "--waterfall", "-o", "w.svg"};
    words.insert(words.end(), more.begin(), more.end());
    return carom(folder_, words);
  };
  const Outcome map = plot({"-x", "body:shaft.omega", "--unit", "rpm", "--orders", "1,2", "--up-to", "200Hz"});
  ASSERT_EQ(map.code, 0) << map.err;
  EXPECT_THAT(contents(folder_ / "w.svg"), AllOf(HasSubstr("body:shaft.omega [rpm]"), HasSubstr("order 2"),
                                                 HasSubstr("body:shaft.ax [m/s^2]"), HasSubstr("frequency [Hz]")));
  EXPECT_EQ(plot({}).code, 0);
  EXPECT_THAT(plot({"--orders", "1"}).err, HasSubstr("a speed in rad/s or rpm"));
  EXPECT_THAT(plot({"--window", "5s"}).err, HasSubstr("at most a half of the part"));
  EXPECT_THAT(plot({"-x", "body:shaft.ax"}).err, AllOf(HasSubstr("goes back"), HasSubstr("--from")));
  EXPECT_THAT(plot({"--unit", "kg"}).err, HasSubstr("a unit of what is drawn"));
  EXPECT_THAT(plot({"body:shaft.ay"}).err, HasSubstr("2 quantities"));
}

}  // namespace
}  // namespace carom::cli
