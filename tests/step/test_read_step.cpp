#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "step/read_step.h"
#include "step_writer.h"

namespace carom {
namespace {

using Eigen::Vector3d;
using making::StepWriter;

std::shared_ptr<const StepAssembly> read(const std::string& text, const StepOptions& options = {}) {
  return read_step(std::make_shared<const std::string>(text), options);
}

std::shared_ptr<const StepAssembly> read_part(const TopoDS_Shape& shape, double density = 0) {
  StepWriter writer;
  writer.add_part("part", shape, density);
  return read(writer.text());
}

int count(const StepPart& part, FaceKind kind, bool hollow) {
  return static_cast<int>(std::count_if(part.faces.begin(), part.faces.end(), [&](const StepFace& face) {
    return face.kind == kind && face.hollow == hollow;
  }));
}

// Mass, centre and moments by hand: a plate with a bore across it.
TEST(ReadStep, MeasuresAPlateWithABore) {
  const double a = 0.08, b = 0.04, c = 0.01, r = 0.0123;
  const Vector3d at(0.02, 0.005, 0);
  const TopoDS_Shape plate = making::box({-a / 2, -b / 2, 0}, {a / 2, b / 2, c});
  const auto assembly = read_part(making::cut(plate, making::cylinder(at, Vector3d::UnitZ(), r, c)), 7850);
  ASSERT_EQ(assembly->parts.size(), 1);
  const StepPart& part = assembly->parts[0];
  EXPECT_EQ(part.name, "part");
  EXPECT_EQ(part.material, "steel");
  EXPECT_NEAR(part.density, 7850, 1e-9);
  const double block = a * b * c, hole = M_PI * r * r * c, volume = block - hole;
  EXPECT_NEAR(part.volume / volume, 1, 1e-9);
  const Vector3d centre = (block * Vector3d(0, 0, c / 2) - hole * (at + Vector3d(0, 0, c / 2))) / volume;
  EXPECT_LT((part.centre - centre).norm(), 1e-9 * a);
  const double about_z =
      block * (a * a + b * b) / 12 - hole * (r * r / 2 + at.squaredNorm()) - volume * centre.head<2>().squaredNorm();
  EXPECT_NEAR(part.inertia(2, 2) / about_z, 1, 1e-9);
  EXPECT_EQ(count(part, FaceKind::plane, false), 6);
  EXPECT_EQ(count(part, FaceKind::cylinder, true), 1);
  for (const StepFace& face : part.faces) {
    if (face.kind != FaceKind::cylinder) continue;
    EXPECT_NEAR(face.radius, r, 1e-12);
    EXPECT_NEAR(face.high - face.low, c, 1e-12);
    EXPECT_NEAR(face.area, 2 * M_PI * r * c, 1e-9 * face.area);
  }
}

// The faces of every kind keep their true sizes, on whichever side the material lies.
TEST(ReadStep, KeepsTheSizesOfFaces) {
  const auto face_of = [](const TopoDS_Shape& shape, FaceKind kind, bool hollow) {
    const auto assembly = read_part(shape);
    for (const StepFace& face : assembly->parts.at(0).faces) {
      if (face.kind == kind && face.hollow == hollow) return face;
    }
    ADD_FAILURE() << "no such face";
    return StepFace{};
  };
  const Vector3d at(0.01, -0.02, 0.03), axis = Vector3d(1, 2, 3).normalized();
  const StepFace sphere = face_of(making::ball(at, 0.0123), FaceKind::sphere, false);
  EXPECT_NEAR(sphere.radius, 0.0123, 1e-12);
  EXPECT_LT((sphere.position - at).norm(), 1e-12);
  const StepFace socket = face_of(making::cut(making::box(at, at + Vector3d::Constant(0.1)), making::ball(at, 0.02)),
                                  FaceKind::sphere, true);
  EXPECT_NEAR(socket.radius, 0.02, 1e-12);
  EXPECT_NEAR(socket.area, M_PI * 0.02 * 0.02 / 2, 1e-9);
  const StepFace cone = face_of(making::cone(at, axis, 0.02, 0.01, 0.03), FaceKind::cone, false);
  EXPECT_NEAR(std::tan(std::abs(cone.second)), 1.0 / 3, 1e-12);
  EXPECT_NEAR(cone.high - cone.low, 0.03, 1e-12);
  const StepFace torus = face_of(making::ring(at, axis, 0.05, 0.007), FaceKind::torus, false);
  EXPECT_NEAR(torus.radius, 0.05, 1e-12);
  EXPECT_NEAR(torus.second, 0.007, 1e-12);
  EXPECT_LT(torus.axis.cross(axis).norm(), 1e-12);
}

// Closed forms, to far below the 1e-6 that are asked for.
TEST(ReadStep, MeasuresRoundSolids) {
  const Vector3d at(0.01, -0.02, 0.03), axis = Vector3d(1, 2, 3).normalized();
  const auto expect = [&](const TopoDS_Shape& shape, double volume, double along, double across,
                          const Vector3d& centre) {
    const auto assembly = read_part(shape);
    const StepPart& part = assembly->parts.at(0);
    EXPECT_NEAR(part.volume / volume, 1, 1e-9);
    EXPECT_LT((part.centre - centre).norm(), 1e-10);
    const Eigen::Matrix3d inertia =
        volume * (across * Eigen::Matrix3d::Identity() + (along - across) * axis * axis.transpose());
    EXPECT_LT((part.inertia - inertia).norm(), 1e-8 * inertia.norm());
  };
  const double r = 0.02, h = 0.05, tube = 0.006;
  expect(making::ball(at, r), 4 * M_PI / 3 * r * r * r, 0.4 * r * r, 0.4 * r * r, at);
  expect(making::cylinder(at, axis, r, h), M_PI * r * r * h, r * r / 2, r * r / 4 + h * h / 12, at + h / 2 * axis);
  expect(making::cone(at, axis, r, 0, h), M_PI / 3 * r * r * h, 0.3 * r * r, 0.15 * r * r + 0.0375 * h * h,
         at + h / 4 * axis);
  expect(making::ring(at, axis, h, tube), 2 * M_PI * M_PI * h * tube * tube, h * h + 0.75 * tube * tube,
         (4 * h * h + 5 * tube * tube) / 8, at);
}

// Triangles lie as close to the true face as is stated, and closer where that is asked for.
TEST(ReadStep, KeepsTheChord) {
  StepWriter writer;
  writer.add_part("part", making::ball(Vector3d::Zero(), 0.1));
  const std::string text = writer.text();
  std::size_t before = 0;
  for (const double chord : {1e-3, 2e-4, 4e-5}) {
    const auto assembly = read(text, {.chord = chord});
    const StepPart& part = assembly->parts.at(0);
    double farthest = 0;
    for (const auto& [a, b, c] : part.triangles) {
      const Vector3d middle = (part.points[a] + part.points[b] + part.points[c]) / 3;
      farthest = std::max(farthest, 0.1 - middle.norm());
    }
    EXPECT_LE(farthest, chord);
    EXPECT_GT(part.triangles.size(), 2 * before);
    before = part.triangles.size();
  }
}

TEST(ReadStep, TakesEveryUnitOfLength) {
  for (const std::string unit : {"MM", "M", "INCH"}) {
    StepWriter writer(unit);
    writer.add_part("part", making::box({0, 0, 0}, {0.1, 0.2, 0.3}));
    EXPECT_NEAR(read(writer.text())->parts.at(0).volume, 0.006, 1e-12) << unit;
  }
}

// Where parts are in different units, each is read in its own, and it is reported.
TEST(ReadStep, ReportsMixedUnits) {
  StepWriter writer;
  for (const std::string name : {"one", "two"})
    writer.place(writer.add_part(name, making::box({0, 0, 0}, {0.001, 0.002, 0.003})), StepWriter::Pose::Identity());
  std::string text = writer.text();
  EXPECT_THAT(read(text)->remarks, testing::IsEmpty());
  const std::string millimetre = "SI_UNIT(.MILLI.,.METRE.)";
  const std::size_t last = text.rfind(millimetre);
  ASSERT_NE(last, std::string::npos);
  text.replace(last, millimetre.size(), "SI_UNIT(.CENTI.,.METRE.)");
  EXPECT_THAT(read(text)->remarks, testing::Contains(testing::HasSubstr("different units of length")));
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const StepError& error) {
    EXPECT_NE(error.expected(), "");
    return error.what();
  }
  return "nothing";
}

TEST(ReadStep, RefusesWhatIsNoSolid) {
  EXPECT_THAT(error_of(""), testing::HasSubstr("no STEP file"));
  EXPECT_THAT(error_of("solid ascii\nendsolid\n"), testing::HasSubstr("no STEP file"));
  EXPECT_THAT(error_of(std::string("\0\1\2\377", 4)), testing::HasSubstr("no STEP file"));
  StepWriter writer;
  writer.add_part("faces", making::faces_of(making::box({0, 0, 0}, {1, 1, 1})));
  EXPECT_THAT(error_of(writer.text()), testing::HasSubstr("without solids"));
}

// Whatever is wrong with a file, the answer is an assembly or an error, and soon.
TEST(ReadStep, BearsBrokenFiles) {
  StepWriter writer;
  writer.add_part("part", making::cut(making::box({0, 0, 0}, {0.1, 0.1, 0.1}), making::ball({0, 0, 0}, 0.05)), 7850);
  const std::string sound = writer.text();
  std::mt19937 random(3);
  int errors = 0;
  for (int trial = 0; trial < 40; ++trial) {
    std::string text = sound;
    std::uniform_int_distribution<std::size_t> place(0, text.size() - 2);
    if (trial % 4 == 0) text.resize(place(random));
    for (int k = 0; k < 1 + trial % 7; ++k) {
      const std::size_t at = std::uniform_int_distribution<std::size_t>(0, text.size() - 1)(random);
      if (trial % 3 == 0) text[at] = static_cast<char>(random() % 256);
      if (trial % 3 == 1) text.erase(at, 1 + random() % 40);
      // Numbers of entities and sizes.
      if (trial % 3 == 2 && text[at] >= '0' && text[at] <= '9') text[at] = static_cast<char>('0' + random() % 10);
    }
    try {
      const auto assembly = read(text);
      for (const StepPart& part : assembly->parts) EXPECT_EQ(part.triangles.size(), part.face_of_triangle.size());
    } catch (const StepError&) {
      ++errors;
    }
  }
  EXPECT_GT(errors, 5);
}

}  // namespace
}  // namespace carom
