#include <algorithm>
#include <array>
#include <cmath>

#include "contact_geometry/flat_sided.h"
#include "contact_geometry/mesh_meeting.h"
#include "contact_geometry/meshes_between.h"

// Two meshes, and a mesh and a box or a hull, which are meshes, too.
namespace carom::inline contact_geometry {

namespace {

constexpr double watched_around_mesh = 2e-4;  // of the smaller size, beyond which features that are apart do not count
constexpr double deepest_in_mesh = 1e-2;      // of the smaller size: deeper overlaps count where their triangles meet
constexpr double skin_around_mesh = 5e-3;     // of the smaller size, by which features that are near may move until
                                              // they are looked for anew, at the most
constexpr double deep = 0.5;                  // of the reach: there may be deeper ones
constexpr double farther = 2.5;               // times the deepest
constexpr int most_rounds = 6;
constexpr double touching = 1e-11;        // of the size: nearer than this, rounding says whether they overlap
constexpr double equal_distance = 1e-12;  // of the size

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

// Overlaps are looked for as deep as they turn out to be.
double find_features(MeshMeeting& meeting, double reach, double size, double* near, MeshPoints& points) {
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

// A step looks at the same places more than once, as at its start and at the end of its smooth motion: what was found
// at the last few of them is kept. Of each the poses, number of points, and of each point features, gap, normal and
// places.
class LastLooks {
 public:
  static constexpr int count = 8;
  static constexpr int numbers_of_one = 24 + 1 + 12 * most_mesh_points;
  static constexpr int numbers = 1 + count * numbers_of_one;

  LastLooks(const PlacedFrame& a, const PlacedFrame& b, double* memory) : memory_(memory) {
    double* next = pose_.data();
    for (const PlacedFrame* frame : {&a, &b}) {
      next = std::copy_n(frame->axes.data(), 9, next);
      next = std::copy_n(frame->origin.data(), 3, next);
    }
  }

  // False: they were elsewhere.
  bool recall(ContactManifold<3>& manifold) const {
    for (int look = 0; memory_ && look < count; ++look) {
      const double* const own = memory_ + 1 + look * numbers_of_one;
      if (!(own[count_at] > 0) || !std::equal(pose_.begin(), pose_.end(), own)) continue;
      read(own, manifold);
      return true;
    }
    return false;
  }
  // In place of the oldest.
  void remember(const ContactManifold<3>& manifold) const {
    if (!memory_) return;
    const int look = static_cast<int>(memory_[0]);
    memory_[0] = (look + 1) % count;
    double* const own = memory_ + 1 + look * numbers_of_one;
    std::copy(pose_.begin(), pose_.end(), own);
    own[count_at] = manifold.size() + 1;
    double* next = own + count_at + 1;
    for (int k = 0; k < manifold.size(); ++k) {
      const ContactPoint<3>& point = manifold.point(k);
      *next++ = static_cast<double>(manifold.feature(k) >> 32);
      *next++ = static_cast<double>(manifold.feature(k) & 0xffffffff);
      *next++ = point.gap;
      for (const Eigen::Vector3d* each : {&point.normal, &point.point_a, &point.point_b})
        next = std::copy_n(each->data(), 3, next);
    }
  }

 private:
  static void read(const double* own, ContactManifold<3>& manifold) {
    const int size = static_cast<int>(own[count_at]) - 1;
    const double* next = own + count_at + 1;
    for (int k = 0; k < size; ++k, next += 12) {
      const Feature feature = static_cast<Feature>(next[0]) << 32 | static_cast<Feature>(next[1]);
      using Map = Eigen::Map<const Eigen::Vector3d>;
      manifold.add(feature, {next[2], Map(next + 3), Map(next + 6), Map(next + 9)});
    }
  }

  static constexpr int count_at = 24;
  std::array<double, 24> pose_;
  double* memory_;
};

int memory_of_meshes(const Shape<3>& a, const Shape<3>& b) {
  return LastLooks::numbers + MeshPoints::remembered(most_mesh_points) + 2 +
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
  const double size = std::min(a.size(), size_b), reach = watched_around_mesh * size;
  MeshMeeting meeting(a, b, frame_a.axes.transpose() * frame_b.axes, frame_a.inside(frame_b.origin), stretch);
  MeshPoints points(1e-9 * size);
  MeshMeeting::Nearest nearest;
  double* faces = memory ? memory + MeshPoints::remembered(most_mesh_points) : nullptr;
  double* near = memory ? faces + 2 : nullptr;
  if (near) meeting.recall(near);
  const bool were_apart = faces && faces[0] > 0;
  if (were_apart) nearest = meeting.find_nearest(1e300, static_cast<int>(faces[0]) - 1, static_cast<int>(faces[1]) - 1);
  if (!were_apart || !(nearest.distance > reach)) {
    const double least = find_features(meeting, reach, size, near, points);
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
