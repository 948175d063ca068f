#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/announce.h"
#include "contact_geometry/edge_at_faces.h"
#include "contact_geometry/shape_description.h"
#include "sample_shapes.h"
#include "triangle_brute_force.h"

namespace carom {
namespace {

std::vector<brute_force::Tri> triangles_of(const TriangleMesh& mesh) {
  std::vector<brute_force::Tri> result;
  for (int f = 0; f < static_cast<int>(mesh.faces().size()); ++f)
    result.push_back({{mesh.corner(f, 0), mesh.corner(f, 1), mesh.corner(f, 2)}});
  return result;
}

TEST(TriangleMesh, SignedDistanceIsThatOfBruteForce) {
  Dice dice(5);
  int inside = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const auto data = sample_mesh(dice);
    const TriangleMesh& mesh = static_cast<const MeshData&>(*data).mesh;
    const auto all = triangles_of(mesh);
    for (int k = 0; k < 30; ++k) {
      const Eigen::Vector3d point = dice.vector<3>(0.8);
      double least = 1e300;
      for (const auto& each : all) least = std::min(least, brute_force::point_triangle(point, each));
      const bool within = brute_force::winding(point, all) > 0.5;
      inside += within ? 1 : 0;
      EXPECT_NEAR(mesh.signed_distance(point), within ? -least : least, 1e-12);
    }
  }
  EXPECT_GT(inside, 40);
}

TEST(TriangleMesh, IntegralsOfABoxAndOfRefinedBalls) {
  const Eigen::Vector3d half(0.1, 0.2, 0.3);
  TriangleSoup soup = box_soup(half);
  for (Eigen::Vector3d& point : soup.points) point += Eigen::Vector3d(3, -2, 1);
  const MeshIntegrals box = integrals_of(TriangleMesh(close_surface(soup)));
  EXPECT_NEAR(box.volume, 8 * half.prod(), 1e-14);
  EXPECT_LE((box.centre - Eigen::Vector3d(3, -2, 1)).norm(), 1e-12);
  for (int k = 0; k < 3; ++k) {
    const double sum = half.squaredNorm() - half[k] * half[k];
    EXPECT_NEAR(box.inertia(k, k), box.volume * sum / 3, 1e-12);
  }
  double before = 1;
  for (int cuts = 1; cuts <= 4; ++cuts) {
    const MeshIntegrals ball = integrals_of(TriangleMesh(close_surface(ball_soup(1, cuts))));
    const double error = 1 - ball.volume / (4 * M_PI / 3);
    EXPECT_GT(error, 0);
    EXPECT_LT(error, before / 3.5);  // second order in the size of the triangles
    EXPECT_NEAR(1 - ball.inertia(0, 0) / (8 * M_PI / 15), 5.0 / 3 * error, 0.2 * error);
    before = error;
  }
}

TEST(TriangleMesh, KnowsItsCornersAndRidges) {
  const TriangleMesh mesh(close_surface(bracket(1)));
  EXPECT_EQ(mesh.vertices().size(), 12U);
  int hollow = 0, ridges = 0;
  for (const TriangleMesh::Edge& edge : mesh.edges()) {
    if (edge.turn < -0.1) ++hollow;
    if (edge.is_ridge()) ++ridges;
  }
  EXPECT_EQ(hollow, 1);
  EXPECT_EQ(ridges, 17);
  EXPECT_FALSE(mesh.is_convex());
  // The arms are 0.3 wide, the part 0.4 high.
  EXPECT_NEAR(mesh.thickness(), 0.15, 1e-9);
  // A flat side that is cut into many triangles has corners at its ends only.
  const TriangleMesh bar(close_surface(prism({{0, 0}, {1, 0}, {2, 0}, {2, 1}, {0, 1}}, 3, 6)));
  int corners = 0;
  for (const TriangleMesh::Vertex& vertex : bar.vertices()) corners += vertex.is_corner ? 1 : 0;
  EXPECT_EQ(corners, 8);
  EXPECT_TRUE(bar.is_convex());
}

// With flat sides cut into triangles ten times as long as wide.
TriangleMesh flat_ring() {
  std::vector<std::vector<Eigen::Vector3d>> rows;
  constexpr int around = 60;
  for (int k = 0; k < around; ++k) {
    const double angle = 2 * M_PI * k / around;
    const auto at = [&](double r, double z) { return Eigen::Vector3d(r * std::cos(angle), r * std::sin(angle), z); };
    rows.push_back({at(2, 0), at(2, 1), at(1, 1), at(1, 0)});
  }
  return TriangleMesh(close_surface(joined_rows(rows, true)));
}

struct EdgeAndFace {
  std::array<Eigen::Vector3d, 2> edge;
  brute_force::Tri face;
  std::array<double, 2> height;  // m, of its ends over the plane

  EdgeAndFace(const TriangleMesh& mesh, int place, int number, const Eigen::Matrix3d& turn,
              const Eigen::Vector3d& offset) {
    for (const int k : {0, 1})
      edge[k] = offset + turn * mesh.vertex(mesh.edge(mesh.sharp_edges()[place]).vertex[k]).position;
    face = {{mesh.corner(number, 0), mesh.corner(number, 1), mesh.corner(number, 2)}};
    for (const int k : {0, 1}) height[k] = mesh.face(number).normal.dot(edge[k] - face.p[0]);
  }
  bool goes_through() const { return pierces(edge[0], edge[1], face.p[0], face.p[1], face.p[2]); }
  double distance() const {
    double least = goes_through() ? 0 : 1e300;
    for (const int k : {0, 1}) least = std::min(least, brute_force::point_triangle(edge[k], face));
    for (int k = 0; k < 3; ++k) {
      const SegmentPlaces places = nearest_of_segments(edge[0], edge[1], face.p[k], face.p[(k + 1) % 3]);
      least = std::min(least, (places.on_two - places.on_one).norm());
    }
    return least;
  }
};

// What is told sooner, in single precision, drops nothing that counts, and most of what does not.
TEST(TriangleMesh, EdgesAtFacesAreChosenSafely) {
  const TriangleMesh ring = flat_ring();
  const int edges = static_cast<int>(ring.sharp_edges().size()), faces = static_cast<int>(ring.faces().size());
  Dice dice(11);
  constexpr double reach = 1e-2;
  long near = 0, chosen = 0, met = 0, chosen_to_meet = 0, deep = 0, chosen_to_dive = 0;
  for (int trial = 0; trial < 8; ++trial) {
    // Every other one lies flat on the other, by rounding above or below it.
    const bool flat = trial % 2 == 0;
    const Eigen::Matrix3d turn = flat ? Eigen::Matrix3d(Eigen::AngleAxisd(dice.between(0, 6), Eigen::Vector3d::UnitZ()))
                                      : dice.rotation<3>().matrix();
    const Eigen::Vector3d offset(dice.between(-1, 1), dice.between(-1, 1), flat ? 1 + dice.between(-1e-9, 1e-9) : 0.5);
    EdgesAtFaces at_faces(ring, ring, turn, offset);
    for (int e = 0; e < edges; ++e) {
      for (int f = 0; f < faces; ++f) {
        const EdgeAndFace pair(ring, e, f, turn, offset);
        const bool is_near = pair.distance() <= reach, may_be_near = at_faces.may_be_near(e, f, reach);
        near += is_near, chosen += may_be_near;
        ASSERT_TRUE(may_be_near || !is_near) << trial;
        bool meets = pair.goes_through();
        for (const int k : {0, 1}) {
          const int end = ring.edge(ring.sharp_edges()[e]).vertex[k];
          const bool own = ring.vertex(end).is_corner && ring.vertex(end).owner_edge == ring.sharp_edges()[e];
          const double off = brute_force::point_triangle(pair.edge[k], pair.face);
          meets = meets || (own && off <= reach && std::abs(off - std::abs(pair.height[k])) < 1e-12);
        }
        const bool may_meet = at_faces.may_meet(e, f, reach, reach);
        met += meets, chosen_to_meet += may_meet;
        ASSERT_TRUE(may_meet || !meets) << trial;
        const bool dives = pair.goes_through() && std::min(pair.height[0], pair.height[1]) < -1.01 * reach;
        const bool may_dive = at_faces.may_dive(e, f, reach);
        deep += dives, chosen_to_dive += may_dive;
        ASSERT_TRUE(may_dive || !dives) << trial;
      }
    }
  }
  const long all = 8L * edges * faces;
  EXPECT_GT(near, 500);
  EXPECT_GT(met, 200);
  EXPECT_GT(deep, 50);
  EXPECT_LT(chosen, all / 100);
  EXPECT_LT(chosen_to_meet, all / 100);
  EXPECT_LT(chosen_to_dive, all / 100);
}

// Nothing flat can touch the rim of a hole in a corner of it: its edges stand farther in.
TEST(TriangleMesh, HasNoCornersAtTheRimOfAHole) {
  std::vector<std::vector<Eigen::Vector3d>> rows;
  constexpr int around = 24;
  for (int k = 0; k < around; ++k) {
    const double angle = 2 * M_PI * k / around;
    const auto at = [&](double r, double z) { return Eigen::Vector3d(r * std::cos(angle), r * std::sin(angle), z); };
    rows.push_back({at(2, 0), at(2, 1), at(1, 1), at(1, 0)});
  }
  const TriangleMesh ring(close_surface(joined_rows(rows, true)));
  int corners = 0;
  for (const TriangleMesh::Vertex& vertex : ring.vertices()) {
    EXPECT_EQ(vertex.is_corner, vertex.position.head<2>().norm() > 1.5);
    corners += vertex.is_corner ? 1 : 0;
  }
  EXPECT_EQ(corners, 2 * around);
  // Edges amid the flat sides are not sharp: two diagonals of a quadrangle that its sides are cut into, no more.
  for (const int edge : ring.sharp_edges()) EXPECT_GT(std::abs(ring.edge(edge).turn), 0.1);
}

std::string binary_stl(const TriangleSoup& soup) {
  std::string bytes(80, ' ');
  const auto add = [&](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  add(static_cast<std::uint32_t>(soup.triangles.size()));
  for (const Triangle& triangle : soup.triangles) {
    add(Eigen::Vector3f(Eigen::Vector3f::Zero()));
    for (const int corner : triangle) add(Eigen::Vector3f(soup.points[corner].cast<float>()));
    add(std::uint16_t{0});
  }
  return bytes;
}

std::vector<std::string>& announced() {
  static std::vector<std::string> texts;
  return texts;
}

// Who waits for a large file is told what happens, and waits once: the mesh stays as long as the file.
TEST(TriangleMesh, OfALargeFileIsAnnouncedAndMadeOnce) {
  const ModelFile file{"ball.stl", std::make_shared<const std::string>(binary_stl(ball_soup(0.05, 6)))};
  Settings settings;
  settings.set("file", file);
  const auto take = [&] {
    Shape<3> shape;
    find_shape<3>("mesh")->take(settings, shape);
    return mesh_of(shape).faces().size();
  };
  announced().clear();
  listener_to_announcements() = [](const std::string& text) { announced().push_back(text); };
  EXPECT_EQ(take(), 81920U);
  EXPECT_EQ(take(), 81920U);  // no shape has held the first
  listener_to_announcements() = nullptr;
  EXPECT_THAT(announced(),
              testing::ElementsAre("ball.stl: reading 4 MB", "ball.stl: closing a surface of 81920 triangles",
                                   "ball.stl: making it ready for contact"));
}

}  // namespace
}  // namespace carom
