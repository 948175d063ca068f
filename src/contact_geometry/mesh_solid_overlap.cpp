#include <algorithm>
#include <array>

#include "contact_geometry/mesh_solid.h"
#include "contact_geometry/ring.h"
#include "contact_geometry/solid_field.h"

// Whether a mesh and a round solid lie in each other, and how deep, whatever their contact points show.
namespace carom::inline contact_geometry {

namespace {

constexpr int most_halvings = 10;  // of a face, side by side

class FacesInSolid {
 public:
  FacesInSolid(const TriangleMesh& mesh, const Shape<3>& solid, const PlacedFrame& frame, const PlacedFrame& of_solid,
               double depth)
      : mesh_(mesh),
        solid_(solid),
        turn_(of_solid.axes.transpose() * frame.axes),
        offset_(of_solid.inside(frame.origin)),
        depth_(depth),
        convex_(solid.kind != torus_kind) {}

  bool any() const {
    // A point of the solid, which may lie whole within the mesh.
    const Eigen::Vector3d middle = convex_ ? Eigen::Vector3d(0, 0, 0) : Eigen::Vector3d(solid_.radius, 0, 0);
    if (mesh_.signed_distance(turn_.transpose() * (middle - offset_)) < -depth_) return true;
    bool found = false;
    mesh_.tree().visit(
        [&](const AxisBox& box) {
          return !found && field(turn_ * box.centre() + offset_).distance - box.half().norm() < -depth_;
        },
        [&](int face) { found = found || is_deep(face); });
    return found;
  }

 private:
  using Triangle = std::array<Eigen::Vector3d, 3>;
  enum class Answer { deep, shallow, open };

  FieldPlace field(const Eigen::Vector3d& point) const { return field_of(solid_, point); }

  // Halves come to an end beside narrow strips that lie in the solid: such a one is along an edge.
  bool is_deep(int face) const {
    const Triangle t = {turn_ * mesh_.corner(face, 0) + offset_, turn_ * mesh_.corner(face, 1) + offset_,
                        turn_ * mesh_.corner(face, 2) + offset_};
    const Answer answer = look(t, 0);
    if (answer != Answer::open) return answer == Answer::deep;
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d way = t[(k + 1) % 3] - t[k];
      if (field(t[k] + nearest_part(solid_, t[k], way) * way).distance < -depth_) return true;
    }
    return false;
  }

  // A part of a face, in the axes of the solid. The distance falls from its middle to a corner by no more than its
  // slope there, where it is convex, and by no more than the way. Parts are halved where that leaves it open.
  Answer look(const Triangle& t, int halvings) const {
    const Eigen::Vector3d middle = (t[0] + t[1] + t[2]) / 3;
    const FieldPlace place = field(middle);
    if (place.distance < -depth_) return Answer::deep;
    double least = place.distance;
    for (const Eigen::Vector3d& corner : t) {
      const Eigen::Vector3d way = corner - middle;
      const double fall = convex_ ? place.normal.dot(way) : -way.norm();
      least = std::min(least, place.distance + fall);
    }
    if (!(least < -depth_)) return Answer::shallow;
    if (halvings == most_halvings) return Answer::open;
    int longest = 0;
    for (int k = 1; k < 3; ++k) {
      if ((t[(k + 1) % 3] - t[k]).squaredNorm() > (t[(longest + 1) % 3] - t[longest]).squaredNorm()) longest = k;
    }
    const Eigen::Vector3d &from = t[longest], &to = t[(longest + 1) % 3], &tip = t[(longest + 2) % 3],
                          half = 0.5 * (from + to);
    const Answer one = look({from, half, tip}, halvings + 1);
    if (one == Answer::deep) return one;
    const Answer other = look({half, to, tip}, halvings + 1);
    return other == Answer::shallow ? one : other;
  }

  const TriangleMesh& mesh_;
  const Shape<3>& solid_;
  Eigen::Matrix3d turn_;  // axes of the mesh to those of the solid
  Eigen::Vector3d offset_;
  double depth_;
  bool convex_;
};

}  // namespace

bool lie_deeper_in_solid(const Shape<3>& shape, const Shape<3>& solid, const BodyState<3>& body_a,
                         const BodyState<3>& body_b, double depth) {
  // Rims are blunted by one formula beside faces and by another beside edges.
  const double blunt = has_rims(solid.kind) ? 2 * std::max(rim_of(solid, 0).blunt, rim_of(solid, 1).blunt) : 0;
  return FacesInSolid(mesh_of(shape), solid, PlacedFrame(shape, body_a), PlacedFrame(solid, body_b), depth + blunt)
      .any();
}

}  // namespace carom::inline contact_geometry
