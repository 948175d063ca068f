#include <cmath>

#include <gmock/gmock.h>

#include "command_line.h"
#include "page_parts.h"

// `carom export --vtk`: what ParaView would read, by a reader of our own.
namespace carom::cli {
namespace {

using testing::HasSubstr;

struct Piece {
  std::string text;

  std::size_t number(const std::string& name) const { return std::stoul(between(text, name + "=\"", "\"")); }
  // An array of the file, by its name behind a tag.
  template <class Number>
  std::vector<Number> array(const std::string& tag, const std::string& name) const {
    const std::string part = between(text, "<" + tag + ">", "</" + tag + ">");
    const std::string bytes = from_base64(between(part, ">", "<", part.find("Name=\"" + name + "\"")));
    const std::uint64_t size = numbers_at<std::uint64_t>(bytes, 0, 1)[0];
    EXPECT_EQ(size + 8, bytes.size()) << name;
    return numbers_at<Number>(bytes, 8, size / sizeof(Number));
  }
  void check_cells(const std::string& tag, std::size_t count) const {
    const auto offsets = array<std::int64_t>(tag, "offsets"), all = array<std::int64_t>(tag, "connectivity");
    EXPECT_EQ(offsets.size(), count);
    EXPECT_EQ(offsets.empty() ? 0 : offsets.back(), static_cast<std::int64_t>(all.size()));
    for (std::size_t k = 1; k < offsets.size(); ++k) EXPECT_LT(offsets[k - 1], offsets[k]);
    for (const std::int64_t index : all) {
      EXPECT_GE(index, 0);
      EXPECT_LT(index, static_cast<std::int64_t>(number("NumberOfPoints")));
    }
  }
  void check() const {
    EXPECT_EQ(array<float>("Points", "Points").size(), 3 * number("NumberOfPoints"));
    check_cells("Verts", number("NumberOfVerts"));
    check_cells("Lines", number("NumberOfLines"));
    check_cells("Polys", number("NumberOfPolys"));
  }
};

struct Moment {
  double time;
  Piece bodies, contacts;
};

std::vector<Moment> read_collection(const Folder& folder, const fs::path& file) {
  std::vector<Moment> moments;
  const std::string text = contents(folder / file);
  EXPECT_THAT(text, HasSubstr("type=\"Collection\""));
  for (std::size_t at = text.find("<DataSet"); at != std::string::npos; at = text.find("<DataSet", at + 1)) {
    const std::string entry = text.substr(at, text.find("/>", at) - at);
    const double time = std::stod(between(entry, "timestep=\"", "\""));
    const Piece piece{contents(folder / file.parent_path() / between(entry, "file=\"", "\""))};
    piece.check();
    if (moments.empty() || moments.back().time != time) moments.push_back({time, {}, {}});
    (entry.find("part=\"0\"") != std::string::npos ? moments.back().bodies : moments.back().contacts) = piece;
  }
  return moments;
}

TEST(ExportVtk, MovesSurfacesAsRecorded) {
  const Folder folder;
  folder.write("ball.toml", ball);
  ASSERT_EQ(carom(folder, {"run", "ball.toml", "-o", "ball.h5", "--quiet"}).code, 0);
  const Outcome outcome = carom(folder, {"export", "ball.h5", "--vtk", "out", "--every", "10", "--from", "100 ms"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("out/ball.pvd: 46 of 501 samples"));
  const auto samples =
      csv_rows(carom(folder, {"export", "ball.h5", "--csv", "body:ball.x", "body:ball.y", "body:ball.z", "body:ball.vx",
                              "contact:bounce.touching", "contact:bounce.px", "contact:bounce.fz", "--every", "10",
                              "--from", "100 ms"})
                   .out);
  const auto moments = read_collection(folder, "out/ball.pvd");
  ASSERT_EQ(moments.size(), 46);
  ASSERT_EQ(samples.size(), 46);
  int touching = 0;
  for (std::size_t k = 0; k < moments.size(); ++k) {
    const Moment& moment = moments[k];
    EXPECT_DOUBLE_EQ(moment.time, samples[k][0]);
    const auto points = moment.bodies.array<float>("Points", "Points");
    const auto body = moment.bodies.array<float>("PointData", "body");
    const auto velocity = moment.bodies.array<float>("PointData", "velocity");
    ASSERT_EQ(3 * body.size(), points.size());
    int on_ball = 0;
    for (std::size_t i = 0; i < body.size(); ++i) {
      if (body[i] != 1) continue;
      ++on_ball;
      const double dx = points[3 * i] - samples[k][1], dy = points[3 * i + 1] - samples[k][2],
                   dz = points[3 * i + 2] - samples[k][3];
      EXPECT_NEAR(std::hypot(dx, dy, dz), 0.1, 1e-6);
      EXPECT_NEAR(velocity[3 * i], samples[k][4], 1e-6);
    }
    EXPECT_GT(on_ball, 100);
    const bool touches = samples[k][5] > 0.5;
    ASSERT_EQ(moment.contacts.number("NumberOfPoints"), touches ? 1 : 0);
    if (!touches) continue;
    ++touching;
    EXPECT_NEAR(moment.contacts.array<float>("Points", "Points")[0], samples[k][6], 1e-6);
    EXPECT_NEAR(moment.contacts.array<float>("PointData", "force")[2], samples[k][7], 1e-6 * std::abs(samples[k][7]));
  }
  EXPECT_GT(touching, 0);
  EXPECT_EQ(contents(folder / "out/bodies.csv"), "body,name\n0,\"ground\"\n1,\"ball\"\n");
}

TEST(ExportVtk, WritesBeamsWithTheirForces) {
  const Folder folder;
  const std::string model = std::string(CAROM_SOURCE_DIR) + "/examples/flexible_slider_crank.toml";
  ASSERT_EQ(carom(folder, {"run", model, "-o", "r.h5", "--quiet"}).code, 0);
  ASSERT_EQ(carom(folder, {"export", "r.h5", "--vtk", "--every", "400"}).code, 0);
  const Piece beams{contents(folder / "r_vtk/beams_000001.vtp")};
  beams.check();
  EXPECT_GT(beams.number("NumberOfLines"), 2);
  const auto samples = csv_rows(
      carom(folder, {"export", "r.h5", "--csv", "beam:*-1.normal_force", "beam:*-1.stress", "--every", "400"}).out);
  EXPECT_NEAR(beams.array<float>("PointData", "normal_force")[0], samples[1][1], 1e-6 * std::abs(samples[1][1]));
  const auto stress = beams.array<float>("PointData", "stress");
  EXPECT_EQ(stress.size(), beams.number("NumberOfPoints"));
  EXPECT_GT(stress[0], 0);
}

TEST(ExportVtk, BoundsTheNumberOfFiles) {
  const Folder folder;
  folder.write("p.toml", replaced(replaced(pendulum, "end = 1", "end = 3"), "0.01", "0.001"));
  ASSERT_EQ(carom(folder, {"run", "p.toml", "-o", "p.h5", "--quiet"}).code, 0);
  const Outcome outcome = carom(folder, {"export", "p.h5", "--vtk"});
  EXPECT_THAT(outcome.out, HasSubstr("of 3001 samples"));
  EXPECT_THAT(outcome.out, HasSubstr("every 4 samples"));
}

TEST(ExportVtk, RefusesWrongInput) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  ASSERT_EQ(carom(folder, {"run", "p.toml", "-o", "p.h5", "--quiet"}).code, 0);
  const auto expect = [&](const std::vector<std::string>& words, const char* message) {
    const Outcome outcome = carom(folder, words);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_THAT(outcome.err, HasSubstr(message));
  };
  expect({"export", "p.h5"}, "found none");
  expect({"export", "p.h5", "--csv", "--vtk"}, "found both");
  expect({"export", "p.h5", "--vtk", "out", "--from", "5"}, "no sample lies between");
  expect({"export", "p.h5", "--vtk", "out", "--from", "1 kg"}, "--from");
  expect({"export", "p.h5", "--vtk", "out", "--from", "0.5", "--to", "0.2"}, "--to");
  folder.write("file", "");
  expect({"export", "p.h5", "--vtk", "file/out"}, "file/out");
  folder.write("q.toml", pendulum + "record = [\"energy\"]\n");
  ASSERT_EQ(carom(folder, {"run", "q.toml", "-o", "q.h5", "--quiet"}).code, 0);
  expect({"export", "q.h5", "--vtk", "out"}, "output.record");
}

TEST(ExportVtk, TablesOfAPartOfTheRun) {
  const Folder folder;
  folder.write("p.toml", pendulum);
  ASSERT_EQ(carom(folder, {"run", "p.toml", "-o", "p.h5", "--quiet"}).code, 0);
  const auto rows = csv_rows(
      carom(folder, {"export", "p.h5", "--csv", "body:rod.x", "--from", "0.2", "--to", "0.405", "--every", "5"}).out);
  ASSERT_EQ(rows.size(), 5);
  EXPECT_NEAR(rows.front()[0], 0.2, 1e-12);
  EXPECT_NEAR(rows.back()[0], 0.4, 1e-12);
}

}  // namespace
}  // namespace carom::cli
