#include <algorithm>
#include <cmath>

#include "contact_geometry/flat_sided.h"
#include "contact_geometry/known_features.h"
#include "contact_geometry/last_looks.h"
#include "contact_geometry/mesh_meeting.h"
#include "contact_geometry/meshes_between.h"

// Two meshes, and a mesh and a box or a hull, which are meshes, too.
namespace carom::inline contact_geometry {

namespace {

// Features that are farther apart do not count: of the smaller size, at least and at the most, and of half the
// thickness of the thinner. Between the flanks of a thread there are too many.
constexpr double least_watched = 2e-4, most_watched = 1e-3, watched_in_thin = 0.03;
constexpr double deepest_in_mesh = 1e-2;   // of the smaller size: deeper overlaps count where their triangles meet
constexpr double skin_around_mesh = 5e-3;  // of the smaller size, by which features that are near may move until
                                           // they are looked for anew, at the most
constexpr double deep = 0.5;               // of the reach: there may be deeper ones
constexpr double farther = 2.5;            // times the deepest
constexpr int most_rounds = 6;
constexpr double touching = 1e-11;        // of the size: nearer than this, rounding says whether they overlap
constexpr double equal_distance = 1e-12;  // of the size
constexpr double followed = 0.25;         // of the reach: a way on which no other features come to touch

void write_mesh_mesh(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a, const BodyState<3>& body_b,
                     ContactManifold<3>& manifold, double* memory) {
  const FlatSided other = flat_sided(b);
  write_meshes(mesh_of(a), PlacedFrame(a, body_a), *other.mesh, PlacedFrame(b, body_b), other.stretch, other.size,
               manifold, memory);
}

bool lie_deeper_in_meshes(const Shape<3>& a, const Shape<3>& b, const BodyState<3>& body_a, const BodyState<3>& body_b,
                          double depth) {
  const FlatSided other = flat_sided(b);
  const PlacedFrame frame_a(a, body_a), frame_b(b, body_b);
  return MeshMeeting(mesh_of(a), *other.mesh, frame_a.axes.transpose() * frame_b.axes, frame_a.inside(frame_b.origin),
                     other.stretch)
      .lie_deeper(depth);
}

// Overlaps are looked for as deep as they turn out to be; `reach` is how far.
double find_features(MeshMeeting& meeting, double& reach, double size, double* near, MeshPoints& points) {
  const double most_reach = deepest_in_mesh * size;
  MeshMeeting::PiercedPlaces pierced(meeting.thickness());
  for (int round = 0; round < most_rounds; ++round) {
    points.clear();
    pierced.clear();
    if (near) meeting.remember(reach, skin_around_mesh * size, near);
    meeting.find_features(reach, points, pierced);
    const double least = points.least_gap();
    if (!(least < -deep * reach) || reach >= most_reach) break;
    reach = std::min(farther * -least, most_reach);
  }
  meeting.add_pierced(pierced, points);
  return points.least_gap();
}

// All that are found are known from then on; of deep overlaps none is followed.
double find_and_keep(MeshMeeting& meeting, double reach, double size, double* near, const KnownFeatures& known,
                     MeshPoints& points) {
  double searched = reach;
  const double least = find_features(meeting, searched, size, near, points);
  known.remember(meeting, points, reach, searched > reach ? 0 : followed * reach, 1e-9 * size);
  return least;
}

// Of surfaces that do not touch, the nearest places count, too, whatever their features.
bool follow_known(const KnownFeatures& known, const MeshMeeting& meeting, double size, const PlacedFrame& frame_a,
                  ContactManifold<3>& manifold) {
  if (!known.follow(meeting, manifold, frame_a)) return false;
  double least = manifold.point(0).gap;
  for (int k = 1; k < manifold.size(); ++k) least = std::min(least, manifold.point(k).gap);
  if (!(least > touching * size) || !(meeting.find_nearest(least, -1, -1).distance < least - equal_distance * size))
    return true;
  manifold.clear();
  return false;
}

int memory_of_meshes(const Shape<3>& a, const Shape<3>& b) {
  return LastLooks::numbers + KnownFeatures::numbers + MeshPoints::remembered(most_mesh_points) + 2 +
         MeshMeeting::near_size(mesh_of(a), *flat_sided(b).mesh);
}

}  // namespace

// The distance of shapes that are apart is that of their nearest triangles, whatever their features. Those that were
// apart the last time are likely to be so again: then the two triangles that were nearest tell at once how far it is
// worth looking, and there are no features to look for.
void write_meshes(const TriangleMesh& a, const PlacedFrame& frame_a, const TriangleMesh& b, const PlacedFrame& frame_b,
                  const Eigen::Vector3d& stretch, double size_b, ContactManifold<3>& manifold, double* memory) {
  const LastLooks last(frame_a, frame_b, memory);
  if (last.recall(manifold)) return;
  if (memory) memory += LastLooks::numbers;
  const KnownFeatures known(memory);
  if (memory) memory += KnownFeatures::numbers;
  const double size = std::min(a.size(), size_b);
  MeshMeeting meeting(a, b, frame_a.axes.transpose() * frame_b.axes, frame_a.inside(frame_b.origin), stretch);
  const double reach = std::clamp(watched_in_thin * meeting.thickness(), least_watched * size, most_watched * size);
  double* faces = memory ? memory + MeshPoints::remembered(most_mesh_points) : nullptr;
  double* near = memory ? faces + 2 : nullptr;
  if (near) meeting.recall(near);
  if (follow_known(known, meeting, size, frame_a, manifold)) return;
  MeshPoints points(1e-9 * size);
  MeshMeeting::Nearest nearest;
  const bool were_apart = faces && faces[0] > 0;
  if (were_apart) nearest = meeting.find_nearest(1e300, static_cast<int>(faces[0]) - 1, static_cast<int>(faces[1]) - 1);
  if (!were_apart || !(nearest.distance > reach)) {
    const double least = find_and_keep(meeting, reach, size, near, known, points);
    if (!were_apart && least > touching * size) nearest = meeting.find_nearest(least, -1, -1);
    if (least <= touching * size) nearest.face_a = -1;
    if (nearest.face_a >= 0 && nearest.distance == 0)
      meeting.add_pierced({nearest.face_a, nearest.face_b, nearest.point_a}, false, points);
    if (!(nearest.distance < least - equal_distance * size)) nearest.face_a = -1;
  }
  if (faces) faces[0] = 0;
  if (nearest.face_a >= 0 && nearest.distance > 0) {
    const Eigen::Vector3d normal = (nearest.point_b - nearest.point_a) / nearest.distance;
    // One that lies whole within the other has to come out by the same way.
    const bool within = meeting.is_within(nearest);
    const double side = within ? -1 : 1;
    points.add(nearest.feature, {side * nearest.distance, side * normal, nearest.point_a, nearest.point_b});
    if (faces && !within && nearest.distance > reach) faces[0] = nearest.face_a + 1, faces[1] = nearest.face_b + 1;
  }
  points.place(frame_a.axes, frame_a.origin);
  points.write(manifold, most_mesh_points, memory);
  last.remember(manifold);
}

PairDescription<3> describe_mesh_mesh(ShapeKind a, ShapeKind b, const std::string& name) {
  flat_sided({.kind = ShapeKind::box});  // made before the first step
  return {.a = a,
          .b = b,
          .name = name,
          .summary = "vertices over faces that look at them, ridges that cross, and the nearest points of meshes apart",
          .points = fixed_count<3, most_mesh_points>,
          .memory = memory_of_meshes,
          .effective_radius = no_effective_radius<3>,
          .write = write_mesh_mesh,
          .least_between = least_between_meshes,
          .least_between_free = least_between_free_meshes,
          .lie_deeper = lie_deeper_in_meshes};
}

}  // namespace carom::inline contact_geometry
