#include <gtest/gtest.h>

#include <cmath>

#include "contact_geometry/area_pairs.h"
#include "contact_geometry/flat_sided.h"
#include "contact_geometry/overlap_wrench.h"
#include "sample_shapes.h"

// The energy of all that two solids with flat faces overlap in, and the forces that follow from it.
namespace carom {
namespace {

ClosedSurface block(const Eigen::Vector3d& half) {
  ClosedSurface surface;
  for (int k = 0; k < 8; ++k)
    surface.points.emplace_back((k & 1) != 0 ? half.x() : -half.x(), (k & 2) != 0 ? half.y() : -half.y(),
                                (k & 4) != 0 ? half.z() : -half.z());
  constexpr int sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& side : sides) {
    surface.triangles.push_back({side[0], side[1], side[2]});
    surface.triangles.push_back({side[0], side[2], side[3]});
  }
  return surface;
}

// A block with a notch along y in its upper side.
ClosedSurface notched_block() {
  ClosedSurface surface;
  for (const double y : {-0.05, 0.05}) {
    for (const auto& [x, z] : {std::pair{-0.05, -0.05}, std::pair{0.05, -0.05}, std::pair{0.05, 0.05},
                               std::pair{0.0, 0.01}, std::pair{-0.05, 0.05}})
      surface.points.emplace_back(x, y, z);
  }
  surface.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {5, 7, 6}, {5, 8, 7}, {5, 9, 8}, {0, 5, 6}, {0, 6, 1},
                       {1, 6, 7}, {1, 7, 2}, {2, 7, 8}, {2, 8, 3}, {3, 8, 9}, {3, 9, 4}, {4, 9, 5}, {4, 5, 0}};
  return surface;
}

struct Poses {
  Eigen::Vector3d offset;
  Eigen::Matrix3d turn;
};

class Overlap {
 public:
  Overlap(const ClosedSurface& a, const ClosedSurface& b) : a_(a), b_(b) {}
  double solve(const Poses& poses) {
    const MeshesInPlace meshes{a_, b_, poses.turn, poses.offset, Eigen::Vector3d::Ones()};
    pieces_.find(meshes, 0.001, std::min(a_.thickness(), b_.thickness()));
    return wrench_.solve(pieces_.pieces()) ? wrench_.energy() : 0;
  }
  PressedGroup total() const {
    PressedGroup sum;
    for (const PressedGroup& group : wrench_.groups()) sum.add(group);
    return sum;
  }

 private:
  TriangleMesh a_, b_;
  CellPieces pieces_;
  OverlapWrench wrench_;
};

// How b moves by a small velocity and angular velocity about the origin.
Poses moved(const Poses& poses, const Eigen::Vector3d& velocity, const Eigen::Vector3d& spin, double time) {
  const Eigen::AngleAxisd turn(spin.norm() * time, spin.normalized());
  return {turn * poses.offset + time * velocity, turn.toRotationMatrix() * poses.turn};
}

void check_gradient(Overlap& overlap, const Poses& poses, Dice& dice, int& checked) {
  const double energy = overlap.solve(poses);
  if (!(energy > 0)) return;
  const PressedGroup total = overlap.total();
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d velocity = dice.vector<3>(1), spin = dice.vector<3>(10);
    const auto slope = [&](double step) {
      return (overlap.solve(moved(poses, velocity, spin, step)) - overlap.solve(moved(poses, velocity, spin, -step))) /
             (2 * step);
    };
    // Where another face comes in the second derivative jumps; smaller steps show the slope all the same.
    const double by_difference = slope(1e-7), power = -(total.force.dot(velocity) + total.moment.dot(spin));
    const double scale = total.force.norm() * (1 + 0.05 * 10);
    EXPECT_NEAR(by_difference, power, 2e-4 * scale) << "energy " << energy;
    ++checked;
  }
}

TEST(OverlapEnergy, ForcesAreItsDerivatives) {
  Dice dice(5);
  const ClosedSurface cube = block(Eigen::Vector3d::Constant(0.05)), notched = notched_block();
  int checked = 0;
  for (const auto& [one, two] : {std::pair{&cube, &cube}, std::pair{&notched, &cube}, std::pair{&notched, &notched}}) {
    Overlap overlap(*one, *two);
    for (int trial = 0; trial < 100; ++trial) {
      const Poses poses{dice.vector<3>(0.09), dice.rotation<3>().matrix()};
      check_gradient(overlap, poses, dice, checked);
      if (HasFailure()) FAIL() << "trial " << trial;
    }
  }
  EXPECT_GT(checked, 100);
}

}  // namespace
}  // namespace carom
