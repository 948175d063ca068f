#include <algorithm>
#include <cmath>

#include "contact_geometry/faces_meeting.h"

namespace carom::inline contact_geometry {

namespace {

constexpr double deep_of_reach = 0.5;          // there may be deeper ones
constexpr double wider = 2.5, much_wider = 8;  // times
constexpr int most_looks = 24;

// Looks as far as the nearest of all is, and as deep as the deepest; returns how far.
double find_points(const FacesMeeting& meeting, double reach, double farthest, MeshPoints& points) {
  for (int look = 0; look < most_looks; ++look) {
    points.clear();
    meeting.find(reach, points);
    const double least = points.least_gap();
    if (least < -deep_of_reach * reach && reach < meeting.size()) {
      reach = wider * -least;
    } else if (least > reach && reach < farthest) {
      reach = std::isfinite(least) ? least : much_wider * reach;
    } else {
      break;
    }
  }
  return reach;
}

}  // namespace

void write_faces(const FacedSolid& a, const PlacedFrame& frame_a, const FacedSolid& b, const PlacedFrame& frame_b,
                 ContactManifold<3>& manifold, double* memory) {
  const FacesMeeting meeting(a, frame_a, b, frame_b);
  const double watched = FacesMeeting::watched * meeting.size();
  const auto extent = [](const FacedSolid& solid) { return solid.endless() ? 0 : solid.size(); };
  const double farthest = 2 * ((frame_b.origin - frame_a.origin).norm() + extent(a) + extent(b)) + meeting.size();
  MeshPoints points(1e-9 * meeting.size());
  find_points(meeting, std::max(watched, memory ? 1.1 * memory[0] : 0), farthest, points);
  const double least = points.least_gap();
  if (memory) memory[0] = std::isfinite(least) ? std::max(0.0, least) : 0;
  points.keep_nearer(std::max(watched, least));
  points.place(frame_a.axes, frame_a.origin);
  points.write(manifold, most_mesh_points, memory ? memory + 1 : nullptr);
}

}  // namespace carom::inline contact_geometry
