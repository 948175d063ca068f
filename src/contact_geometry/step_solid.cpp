#include "contact_geometry/step_solid.h"

#include <algorithm>
#include <cmath>

namespace carom::inline contact_geometry {

namespace {

constexpr double around_box = 1e-6;  // of the size of a face: its box is that of a CAD program

TrueSurface surface_of(const StepFace& face) {
  TrueSurface surface{
      .hollow = face.hollow, .position = face.position, .axis = face.axis.normalized(), .radius = face.radius};
  switch (face.kind) {
    case FaceKind::cylinder:
      surface.kind = SurfaceKind::cylinder;
      break;
    case FaceKind::cone:
      surface.kind = SurfaceKind::cone;
      surface.sine = std::sin(face.second), surface.cosine = std::cos(face.second);
      break;
    case FaceKind::sphere:
      surface.kind = SurfaceKind::sphere;
      break;
    case FaceKind::torus:
      surface.kind = SurfaceKind::torus;
      surface.tube = face.second;
      break;
    default:
      surface.hollow = false;
  }
  return surface;
}

TrueCurve curve_of(const StepEdge& edge) {
  if (edge.kind == CurveKind::line) return TrueCurve::line(edge.points[0], edge.points[1]);
  if (edge.kind == CurveKind::circle) return TrueCurve::arc(edge.centre, edge.radius, edge.x, edge.y, edge.angle);
  TrueCurve curve{.kind = TrueCurve::Kind::spline, .points = edge.points, .slopes = edge.slopes};
  curve.end = static_cast<double>(edge.points.size() - 1);
  curve.closed = (edge.points.front() - edge.points.back()).norm() < 1e-9 * (edge.points[1] - edge.points[0]).norm();
  return curve;
}

}  // namespace

std::shared_ptr<const FacedSolid> solid_of_part(const StepPart& part, double thickness) {
  if (part.faces.empty() || std::none_of(part.faces.begin(), part.faces.end(), is_elementary)) return nullptr;
  SolidMaker maker;
  std::vector<int> numbers(part.faces.size(), -1);
  for (std::size_t k = 0; k < part.faces.size(); ++k) {
    const StepFace& face = part.faces[k];
    if (!is_elementary(face)) continue;
    const int index = numbers[k] = maker.add_face(surface_of(face));
    if (face.tip) maker.add_tip(index);
    const Eigen::Vector3d margin = Eigen::Vector3d::Constant(around_box * (face.box_high - face.box_low).norm());
    maker.bound_face(index, {face.box_low - margin, face.box_high + margin});
  }
  std::vector<PatchRim> rims;
  for (const StepEdge& edge : part.edges) {
    if (edge.faces[0] < 0 || edge.faces[1] < 0) return nullptr;
    const int first = numbers[edge.faces[0]], second = numbers[edge.faces[1]];
    if (first >= 0 && second >= 0)
      maker.add_edge(curve_of(edge), first, edge.sign, second);
    else if (first >= 0)
      rims.push_back({curve_of(edge), first, edge.sign, edge.faces[1]});
    else if (second >= 0)
      rims.push_back({curve_of(edge), second, -edge.sign, edge.faces[0]});
  }
  if (!add_patches(part, rims, maker)) return nullptr;
  return std::make_shared<const FacedSolid>(maker.finish(thickness, false));
}

}  // namespace carom::inline contact_geometry
