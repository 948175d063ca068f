#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace carom
