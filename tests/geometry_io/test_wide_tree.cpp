#include "geometry_io/wide_tree.h"

#include <random>
#include <set>
#include <utility>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

namespace carom {
namespace {

using Eigen::Vector3d;

struct Things {
  std::vector<AxisBox> boxes;
  WideTree tree;
};

// Thin and thick ones, some of them points, of some size about the origin.
Things scattered(std::mt19937& random, int count, double size) {
  std::uniform_real_distribution<double> side(-1, 1);
  Things things;
  for (int k = 0; k < count; ++k) {
    AxisBox box;
    const Vector3d middle = size * Vector3d(side(random), side(random), side(random));
    const double part = k % 5 == 0 ? 0 : 0.1;
    for (int end = 0; end < 2; ++end)
      box.add(middle + part * size * Vector3d(side(random), 0.1 * side(random), 0.01 * side(random)));
    things.boxes.push_back(box);
  }
  things.tree = WideTree(BoxTree(things.boxes), things.boxes);
  return things;
}

// The second in the axes of the first.
AxisBox placed(const AxisBox& box, const Eigen::Matrix3d& turn, const Vector3d& offset, const Vector3d& stretch) {
  AxisBox turned;
  for (int corner = 0; corner < 8; ++corner) {
    Vector3d at;
    for (int k = 0; k < 3; ++k) at[k] = (corner >> k & 1) != 0 ? box.high[k] : box.low[k];
    turned.add(offset + turn * stretch.cwiseProduct(at));
  }
  return turned;
}

// Boxes whose corners are as near as that, found by looking at all.
std::set<std::pair<int, int>> near_pairs(const Things& a, const Things& b, const Eigen::Matrix3d& turn,
                                         const Vector3d& offset, const Vector3d& stretch, double within) {
  std::set<std::pair<int, int>> pairs;
  for (std::size_t j = 0; j < b.boxes.size(); ++j) {
    // The middle of a box is in it.
    const Vector3d at = offset + turn * stretch.cwiseProduct(b.boxes[j].centre());
    for (std::size_t i = 0; i < a.boxes.size(); ++i) {
      if (a.boxes[i].distance_squared(at) <= within * within) pairs.emplace(static_cast<int>(i), static_cast<int>(j));
    }
  }
  return pairs;
}

}  // namespace

TEST(WideTree, FindsAllThatIsNear) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> side(-1, 1);
  long found = 0, visited = 0, all = 0;
  for (int scene = 0; scene < 200; ++scene) {
    const double size = std::pow(10, 3 * side(random));
    const Things a = scattered(random, 1 + scene % 70, size), b = scattered(random, 1 + scene % 41, 0.7 * size);
    const Eigen::Matrix3d turn =
        Eigen::Quaterniond(side(random), side(random), side(random), side(random)).normalized().toRotationMatrix();
    const Vector3d offset = 0.5 * size * Vector3d(side(random), side(random), side(random)),
                   stretch = Vector3d(1, 1 + 0.5 * side(random), 1);
    const double within = scene % 3 == 0 ? 0 : 0.2 * size;
    std::set<std::pair<int, int>> seen;
    WidePlaces(a.tree, b.tree, turn, offset, stretch)
        .visit([&] { return within; }, [&](int i, int j) { EXPECT_TRUE(seen.emplace(i, j).second); });
    for (const auto& [i, j] : near_pairs(a, b, turn, offset, stretch, within)) EXPECT_TRUE(seen.count({i, j}));
    // What is visited is near by the boxes along the axes of the first.
    for (const auto& [i, j] : seen) {
      const double apart = a.boxes[i].distance_squared(placed(b.boxes[j], turn, offset, stretch));
      EXPECT_LE(std::sqrt(apart), within + 1e-4 * size);
    }
    found += std::ssize(near_pairs(a, b, turn, offset, stretch, within));
    visited += std::ssize(seen), all += std::ssize(a.boxes) * std::ssize(b.boxes);
  }
  EXPECT_GT(found, 300);
  EXPECT_LT(visited, all / 4);
}

TEST(WideTree, EndsWhereNothingMoreIsWanted) {
  std::mt19937 random(3);
  const Things things = scattered(random, 50, 1);
  int visits = 0;
  WidePlaces(things.tree, things.tree, Eigen::Matrix3d::Identity(), Vector3d::Zero(), Vector3d::Ones())
      .visit([&] { return visits < 3 ? 1e300 : -1.0; }, [&](int, int) { ++visits; });
  EXPECT_EQ(visits, 3);
}

TEST(WideTree, OfNothingHasNothingToVisit) {
  const WideTree none;
  std::mt19937 random(3);
  const Things things = scattered(random, 5, 1);
  WidePlaces(none, things.tree, Eigen::Matrix3d::Identity(), Vector3d::Zero(), Vector3d::Ones())
      .visit([] { return 1e300; }, [](int, int) { FAIL(); });
}

}  // namespace carom
