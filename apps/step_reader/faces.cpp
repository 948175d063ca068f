#include "faces.h"

#include <array>
#include <cmath>

#include <BRepAdaptor_Surface.hxx>
#include <BRepBndLib.hxx>
#include <BRepGProp.hxx>
#include <BRepGProp_Face.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <GProp_GProps.hxx>
#include <Poly_Triangulation.hxx>
#include <TopExp_Explorer.hxx>
#include <TopLoc_Location.hxx>
#include <TopoDS.hxx>
#include <gp_Cone.hxx>
#include <gp_Cylinder.hxx>
#include <gp_Pln.hxx>
#include <gp_Sphere.hxx>
#include <gp_Torus.hxx>

#include "edges.h"

namespace carom {
namespace {

constexpr double metre = 1e-3;  // per mm, which Open CASCADE counts in

Eigen::Vector3d vector_of(const gp_XYZ& xyz) {
  return {xyz.X(), xyz.Y(), xyz.Z()};
}

// Places from mm to m.
Eigen::Vector3d place_of(const gp_Pnt& point) {
  return metre * vector_of(point.XYZ());
}

void take_box(const TopoDS_Shape& shape, Eigen::Vector3d& low, Eigen::Vector3d& high) {
  Bnd_Box box;
  BRepBndLib::AddOptimal(shape, box, Standard_False, Standard_False);
  if (box.IsVoid()) return;
  low = place_of(box.CornerMin()), high = place_of(box.CornerMax());
}

// Whether the outward normal in the middle of the face points to the axis or centre of its surface.
bool points_inward(const TopoDS_Face& face, const StepFace& result) {
  double u0 = 0, u1 = 0, v0 = 0, v1 = 0;
  BRepTools::UVBounds(face, u0, u1, v0, v1);
  gp_Pnt point;
  gp_Vec normal;
  BRepGProp_Face(face).Normal((u0 + u1) / 2, (v0 + v1) / 2, point, normal);
  Eigen::Vector3d away = place_of(point) - result.position;
  if (result.kind != FaceKind::sphere) away -= result.axis.dot(away) * result.axis;
  if (result.kind == FaceKind::torus) {  // from the circle in the middle of the tube
    const Eigen::Vector3d circle = result.position + result.radius * away.normalized();
    away = place_of(point) - circle;
  }
  return away.dot(vector_of(normal.XYZ())) < 0;
}

void take_axis(const gp_Ax3& axes, StepFace& result) {
  result.position = place_of(axes.Location());
  result.axis = vector_of(axes.Direction().XYZ());
}

// The surface by its kind; what is none of the elementary ones is free-form.
void take_surface(const TopoDS_Face& face, StepFace& result) {
  const BRepAdaptor_Surface surface(face);
  double u0 = 0, u1 = 0, v0 = 0, v1 = 0;
  BRepTools::UVBounds(face, u0, u1, v0, v1);
  switch (surface.GetType()) {
    case GeomAbs_Plane: {
      result.kind = FaceKind::plane;
      gp_Pnt point;
      gp_Vec normal;
      BRepGProp_Face(face).Normal((u0 + u1) / 2, (v0 + v1) / 2, point, normal);
      result.position = place_of(point);
      result.axis = vector_of(normal.Normalized().XYZ());
      return;
    }
    case GeomAbs_Cylinder:
      result.kind = FaceKind::cylinder;
      take_axis(surface.Cylinder().Position(), result);
      result.radius = metre * surface.Cylinder().Radius();
      result.low = metre * v0, result.high = metre * v1;
      break;
    case GeomAbs_Cone: {
      const gp_Cone cone = surface.Cone();
      result.kind = FaceKind::cone;
      take_axis(cone.Position(), result);
      result.radius = metre * cone.RefRadius();
      result.second = cone.SemiAngle();
      result.low = metre * v0 * std::cos(cone.SemiAngle()), result.high = metre * v1 * std::cos(cone.SemiAngle());
      break;
    }
    case GeomAbs_Sphere:
      result.kind = FaceKind::sphere;
      take_axis(surface.Sphere().Position(), result);
      result.radius = metre * surface.Sphere().Radius();
      result.low = result.radius * std::sin(v0), result.high = result.radius * std::sin(v1);
      break;
    case GeomAbs_Torus:
      result.kind = FaceKind::torus;
      take_axis(surface.Torus().Position(), result);
      result.radius = metre * surface.Torus().MajorRadius();
      result.second = metre * surface.Torus().MinorRadius();
      break;
    default:
      return;
  }
  result.hollow = points_inward(face, result);
}

StepFace face_of(const TopoDS_Face& face) {
  StepFace result;
  take_surface(face, result);
  GProp_GProps properties;
  BRepGProp::SurfaceProperties(face, properties);
  result.area = metre * metre * properties.Mass();
  take_box(face, result.box_low, result.box_high);
  return result;
}

// Outward, at a place of its parameters; zero where it has none, as at a pole.
Eigen::Vector3d normal_of(const BRepAdaptor_Surface& surface, const gp_Pnt2d& at, bool reversed) {
  gp_Pnt point;
  gp_Vec along, across;
  surface.D1(at.X(), at.Y(), point, along, across);
  const Eigen::Vector3d normal = vector_of(along.Crossed(across).XYZ());
  const double size = normal.norm();
  if (!(size > 1e-9 * along.Magnitude() * across.Magnitude())) return Eigen::Vector3d::Zero();
  return (reversed ? -1 : 1) / size * normal;
}

void add_triangles(const TopoDS_Face& face, bool free_form, StepPart& part) {
  TopLoc_Location location;
  const Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(face, location);
  if (mesh.IsNull()) return;
  const int first = static_cast<int>(part.points.size()), number = static_cast<int>(part.faces.size());
  const BRepAdaptor_Surface surface(face);
  const bool has_normals = free_form && mesh->HasUVNodes(), turned = face.Orientation() == TopAbs_REVERSED;
  for (int k = 1; k <= mesh->NbNodes(); ++k) {
    part.points.push_back(place_of(mesh->Node(k).Transformed(location)));
    part.normals.push_back(has_normals ? normal_of(surface, mesh->UVNode(k), turned) : Eigen::Vector3d::Zero());
  }
  for (int k = 1; k <= mesh->NbTriangles(); ++k) {
    int a = 0, b = 0, c = 0;
    mesh->Triangle(k).Get(a, b, c);
    if (turned) std::swap(b, c);
    part.triangles.push_back({first + a - 1, first + b - 1, first + c - 1});
    part.face_of_triangle.push_back(number);
  }
}

// m, of a point from a surface of one of the elementary kinds.
double distance_to(const StepFace& face, const Eigen::Vector3d& point) {
  const Eigen::Vector3d away = point - face.position;
  const double height = face.axis.dot(away), out = (away - height * face.axis).norm();
  switch (face.kind) {
    case FaceKind::cylinder:
      return std::abs(out - face.radius);
    case FaceKind::cone:
      return std::abs(out - face.radius - height * std::tan(face.second)) * std::cos(face.second);
    case FaceKind::sphere:
      return std::abs(away.norm() - face.radius);
    case FaceKind::torus:
      return std::abs(std::hypot(out - face.radius, height) - face.second);
    default:
      return 0;
  }
}

// m, distance of the true face from its triangles, in their middles and those of their edges.
double deviation_of(const TopoDS_Face& face) {
  TopLoc_Location location;
  const Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(face, location);
  StepFace kind;
  take_surface(face, kind);
  if (mesh.IsNull() || kind.kind == FaceKind::plane) return 0;
  const bool free_form = kind.kind == FaceKind::free_form;
  if (free_form && !mesh->HasUVNodes()) return 0;
  const BRepAdaptor_Surface surface(face);
  double farthest = 0;
  for (int k = 1; k <= mesh->NbTriangles(); ++k) {
    std::array<int, 3> node = {};
    mesh->Triangle(k).Get(node[0], node[1], node[2]);
    std::array<Eigen::Vector3d, 3> corner;
    std::array<Eigen::Vector2d, 3> parameter;
    for (std::size_t i = 0; i < 3; ++i) {
      corner[i] = place_of(mesh->Node(node[i]).Transformed(location));
      if (free_form) parameter[i] = {mesh->UVNode(node[i]).X(), mesh->UVNode(node[i]).Y()};
    }
    const auto middle = [](const auto& of, std::size_t i) {
      using Vector = std::decay_t<decltype(of[0])>;
      return i < 3 ? Vector((of[i] + of[(i + 1) % 3]) / 2) : Vector((of[0] + of[1] + of[2]) / 3);
    };
    const Eigen::Vector3d normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]).stableNormalized();
    for (std::size_t i = 0; i < 4; ++i) {
      if (!free_form) {
        farthest = std::max(farthest, distance_to(kind, middle(corner, i)));
        continue;
      }
      const Eigen::Vector2d at = middle(parameter, i);
      farthest = std::max(farthest, std::abs(normal.dot(place_of(surface.Value(at.x(), at.y())) - corner[0])));
    }
  }
  return farthest;
}

// Cuts the surface into triangles that are nowhere farther from it than `chord`, in m, or than what it returns. Open
// CASCADE keeps the number it is given at the edges of triangles alone, so that it is asked again where their middles
// are too far away.
double tessellate(const TopoDS_Shape& shape, double chord) {
  double asked = chord, farthest = 0;
  for (int trial = 0; trial < 6; ++trial) {
    BRepTools::Clean(shape);
    const BRepMesh_IncrementalMesh mesher(shape, asked / metre, Standard_False, 0.35, Standard_False);
    farthest = 0;
    for (TopExp_Explorer faces(shape, TopAbs_FACE); faces.More(); faces.Next())
      farthest = std::max(farthest, deviation_of(TopoDS::Face(faces.Current())));
    if (farthest <= chord) break;
    asked *= 0.9 * chord / farthest;
  }
  return std::max(chord, farthest);
}

void take_volume(const TopoDS_Shape& shape, StepPart& part) {
  // The adaptive rule is needed where faces are bounded by curves that bend within a face.
  GProp_GProps properties;
  BRepGProp::VolumeProperties(shape, properties, 1e-10);
  const double cube = metre * metre * metre;
  part.volume = cube * properties.Mass();
  part.centre = place_of(properties.CentreOfMass());
  const gp_Mat matrix = properties.MatrixOfInertia();
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column)
      part.inertia(row, column) = cube * metre * metre * matrix.Value(row + 1, column + 1);
  }
}

}  // namespace

void measure_part(const TopoDS_Shape& shape, double chord, StepPart& part) {
  take_volume(shape, part);
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = low;
  take_box(shape, low, high);
  part.chord = tessellate(shape, chord > 0 ? chord : 1e-3 * (high - low).norm());
  for (TopExp_Explorer faces(shape, TopAbs_FACE); faces.More(); faces.Next()) {
    const TopoDS_Face face = TopoDS::Face(faces.Current());
    StepFace own = face_of(face);
    own.chord = deviation_of(face);
    add_triangles(face, !is_elementary(own), part);
    part.faces.push_back(own);
  }
  take_edges(shape, part);
}

}  // namespace carom
