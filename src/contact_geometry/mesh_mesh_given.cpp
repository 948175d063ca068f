#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include "contact_geometry/area_pairs.h"
#include "contact_geometry/flat_sided.h"
#include "contact_geometry/mesh_meeting.h"
#include "contact_geometry/meshes_between.h"
#include "contact_geometry/overlap_wrench.h"

// Two solids with flat faces whose stiffness is given: all of their overlap has one energy, whose derivative is written
// as four points for each group of directions.
namespace carom::inline contact_geometry {
namespace {

constexpr double same_given_area = 0.2;  // of the smaller size
constexpr double first_reach = 5e-3;     // of the smaller size
constexpr int points_of_group = 4;
constexpr int most_given_points = points_of_group * OverlapWrench::most_groups;
static_assert(most_given_points <= AreaSlots::most);

struct GivenWorkspace {
  ContactManifold<3> manifold{most_mesh_points};
  CellPieces pieces;
  OverlapWrench wrench;
};

GivenWorkspace& given_workspace() {
  thread_local GivenWorkspace workspace;
  return workspace;
}

// A force of the pair, along a unit normal of its own.
struct WrittenForce {
  Eigen::Vector3d place, force;  // m, m² on b
  double area;                   // m²
};
using WrittenForces = std::array<WrittenForce, most_given_points>;

// A wrench on b as four forces about the place where it acts, spread like the pressure, so that what damps and rubs
// resists rocking and spinning as the area does. Two of them are turned a little against each other for what is left of
// the moment along the force. `depth`, m: these are no closer.
void split_group(const PressedGroup& group, double depth, WrittenForce* written) {
  const double force = group.force.norm();
  const Eigen::Vector3d direction = group.force / force, centre = group.first / group.sum,
                        left = group.moment - centre.cross(group.force);
  const Eigen::Vector3d place = centre + direction.cross(left) / force;
  const PlaneAxes across(direction);
  Eigen::Matrix<double, 3, 2> axes;
  axes << across.first, across.second;
  const Eigen::Matrix3d spread = group.second / group.sum - centre * centre.transpose();
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver;
  solver.computeDirect(axes.transpose() * spread * axes);
  for (const int k : {0, 1}) {
    const Eigen::Vector3d aside = axes * solver.eigenvectors().col(k), turned = direction.cross(aside);
    const double lever = std::sqrt(2 * std::max(0.0, solver.eigenvalues()[k])),
                 arm = k == 1 ? std::max(lever, depth) : lever;
    const double twist = k == 1 ? direction.dot(left) / (2 * arm) : 0;
    for (const double side : {-1.0, 1.0})
      *written++ = {place + side * arm * aside, 0.25 * group.force + side * twist * turned, 0.25 * group.area};
  }
}

// All forces have one depth, with which they store the energy together.
bool add_groups(const MeshesInPlace& meshes, const PlacedFrame& frame, double reach, AreaSlots& slots) {
  GivenWorkspace& work = given_workspace();
  const double most = std::min(meshes.a.thickness(), meshes.stretch.minCoeff() * meshes.b.thickness());
  work.pieces.find(meshes, reach, most);
  if (!work.wrench.solve(work.pieces.pieces())) return false;
  double sum = 0;
  for (const PressedGroup& group : work.wrench.groups()) sum += group.force.norm();
  if (!(sum > 0)) return false;
  WrittenForces written;
  int count = 0;
  for (const PressedGroup& group : work.wrench.groups()) {
    if (!(group.force.norm() > 1e-9 * sum)) continue;
    split_group(group, 2.5 * work.wrench.energy() / sum, written.data() + count);
    count += points_of_group;
  }
  sum = 0;
  for (int k = 0; k < count; ++k) sum += written[k].force.norm();
  const double depth = 2.5 * work.wrench.energy() / sum;
  std::array<ContactPoint<3>, points_of_group> points;
  for (int k = 0; k < count; ++k) {
    const WrittenForce& each = written[k];
    const double size = each.force.norm(), root = 0.75 * size / (depth * std::sqrt(depth));
    const Eigen::Vector3d normal = each.force / size, half = 0.5 * depth * normal;
    const ContactArea area{root * root, each.area, work.wrench.peak(), 0};
    points[k % points_of_group] =
        frame.outside(ContactPoint<3>{-depth, normal, each.place + half, each.place - half, area});
    // The first two lie on either side of the middle.
    if (k % points_of_group == points_of_group - 1)
      slots.add(0.5 * (written[k - 3].place + written[k - 2].place), points);
  }
  return true;
}

void evaluate_given(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a, const BodyState<3>& body_b,
                    ContactPoint<3>* points, double* memory) {
  const TriangleMesh& one = flat_mesh_of(a);
  const FlatSided other = flat_sided(b);
  const PlacedFrame frame_a(a, body_a), frame_b(b, body_b);
  const double size = std::min(one.size(), other.size);
  AreaSlots slots(OverlapWrench::most_groups, same_given_area * size, memory, points_of_group);
  const MeshesInPlace meshes{one, *other.mesh, frame_a.axes.transpose() * frame_b.axes, frame_a.inside(frame_b.origin),
                             other.stretch};
  if (!add_groups(meshes, frame_a, first_reach * size, slots)) {
    ContactManifold<3>& manifold = given_workspace().manifold;
    manifold.clear();
    write_meshes(one, frame_a, *other.mesh, frame_b, other.stretch, other.size, manifold, nullptr);
    for (int k = 0; k < manifold.size(); ++k) {
      ContactPoint<3> point = manifold.point(k);
      // Deeper than cells go nothing presses, but it is there to be reported.
      if (point.gap < 0) point.area.radius = std::numeric_limits<double>::min();
      slots.add(frame_a.inside(0.5 * (point.point_a + point.point_b)), point);
    }
  }
  slots.write(points);
}

int points_of_given(const Shape<3>& a, const Shape<3>& b) {
  const TriangleMesh &one = flat_mesh_of(a), &two = *flat_sided(b).mesh;
  given_workspace().pieces.make_room(one, two);
  given_workspace().wrench.reserve(std::min(4 * (one.faces().size() + two.faces().size()), most_reserved / 4));
  return most_given_points;
}

double smaller_radius_given(const Shape<3>& a, const Shape<3>& b) {
  return 0.5 * std::min(flat_sided(a).size, flat_sided(b).size);
}

}  // namespace

PairDescription<3> describe_mesh_mesh_given(ShapeKind a, ShapeKind b, const std::string& name) {
  return {.a = a,
          .b = b,
          .name = name + "_given",
          .summary = "four for each group of directions in which the overlap presses, or places where it may begin",
          .points = points_of_given,
          .memory = [](const Shape<3>&, const Shape<3>&) { return memory_of_area * OverlapWrench::most_groups; },
          .evaluate = evaluate_given,
          .effective_radius = smaller_radius_given,
          .least_between = least_between_meshes};
}

// Of convex solids alone, which a slab keeps apart.
PairDescription<3> describe_flat_flat_given(ShapeKind a, ShapeKind b, const std::string& name) {
  PairDescription<3> pair = describe_mesh_mesh_given(a, b, name);
  pair.least_between = nullptr;
  return pair;
}

}  // namespace carom::inline contact_geometry
