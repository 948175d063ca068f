#include "edges.h"

#include <algorithm>
#include <cmath>

#include <BRepAdaptor_Curve.hxx>
#include <BRep_Tool.hxx>
#include <TColStd_Array1OfReal.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Face.hxx>
#include <gp_Circ.hxx>

namespace carom {
namespace {

constexpr double metre = 1e-3;          // per mm, which Open CASCADE counts in
constexpr double largest_error = 1e-9;  // of the length of a curve, of its cubic pieces
constexpr int most_pieces_of_interval = 64;

Eigen::Vector3d in_metres(const gp_XYZ& xyz) {
  return metre * Eigen::Vector3d(xyz.X(), xyz.Y(), xyz.Z());
}
Eigen::Vector3d direction_of(const gp_Dir& direction) {
  return {direction.X(), direction.Y(), direction.Z()};
}

void take_circle(const BRepAdaptor_Curve& curve, StepEdge& edge) {
  const gp_Circ circle = curve.Circle();
  const double first = curve.FirstParameter();
  const Eigen::Vector3d x = direction_of(circle.Position().XDirection()),
                        y = direction_of(circle.Position().YDirection());
  edge.kind = CurveKind::circle;
  edge.centre = in_metres(circle.Location().XYZ());
  edge.x = std::cos(first) * x + std::sin(first) * y;
  edge.y = std::cos(first) * y - std::sin(first) * x;
  edge.radius = metre * circle.Radius();
  edge.angle = curve.LastParameter() - first;
}

struct Node {
  Eigen::Vector3d point, slope;  // per parameter
};
Node node_at(const BRepAdaptor_Curve& curve, double at) {
  gp_Pnt point;
  gp_Vec slope;
  curve.D1(at, point, slope);
  return {in_metres(point.XYZ()), in_metres(slope.XYZ())};
}

// m, by which the cubic between two nodes is off in its middle.
double error_of(const BRepAdaptor_Curve& curve, double from, double to) {
  const Node low = node_at(curve, from), high = node_at(curve, to);
  const Eigen::Vector3d middle = 0.5 * (low.point + high.point) + (to - from) / 8 * (low.slope - high.slope);
  return (node_at(curve, 0.5 * (from + to)).point - middle).norm();
}

// By cubic pieces within each interval in which the curve is smooth, as many as it takes.
void take_spline(const BRepAdaptor_Curve& curve, StepEdge& edge) {
  edge.kind = CurveKind::spline;
  const int count = curve.NbIntervals(GeomAbs_C2);
  TColStd_Array1OfReal ends(1, count + 1);
  curve.Intervals(ends, GeomAbs_C2);
  double length = 0;
  for (int k = 1; k <= count; ++k)
    length += (node_at(curve, ends(k + 1)).point - node_at(curve, 0.5 * (ends(k) + ends(k + 1))).point).norm();
  edge.points.push_back(node_at(curve, ends(1)).point);
  for (int k = 1; k <= count; ++k) {
    const double from = ends(k), way = ends(k + 1) - from;
    int pieces = count > 4 ? 1 : 4;
    const auto error = [&] {
      double most = 0;
      for (int i = 0; i < pieces; ++i)
        most = std::max(most, error_of(curve, from + way * i / pieces, from + way * (i + 1) / pieces));
      return most;
    };
    while (pieces < most_pieces_of_interval && error() > largest_error * length) pieces *= 2;
    for (int i = 0; i < pieces; ++i) {
      const Node low = node_at(curve, from + way * i / pieces), high = node_at(curve, from + way * (i + 1) / pieces);
      edge.points.push_back(high.point);
      edge.slopes.push_back(way / pieces * low.slope);
      edge.slopes.push_back(way / pieces * high.slope);
    }
  }
}

void take_curve(const TopoDS_Edge& shape, StepEdge& edge) {
  const BRepAdaptor_Curve curve(shape);
  if (curve.GetType() == GeomAbs_Circle) return take_circle(curve, edge);
  if (curve.GetType() != GeomAbs_Line) return take_spline(curve, edge);
  edge.kind = CurveKind::line;
  for (const double at : {curve.FirstParameter(), curve.LastParameter()})
    edge.points.push_back(node_at(curve, at).point);
}

}  // namespace

void take_edges(const TopoDS_Shape& shape, StepPart& part) {
  struct Use {
    int face = 0;
    double sign = 1;
  };
  TopTools_IndexedMapOfShape known;
  std::vector<std::vector<Use>> uses;
  int number = 0;
  for (TopExp_Explorer faces(shape, TopAbs_FACE); faces.More(); faces.Next(), ++number) {
    for (TopExp_Explorer borders(faces.Current(), TopAbs_EDGE); borders.More(); borders.Next()) {
      const TopoDS_Edge edge = TopoDS::Edge(borders.Current());
      if (BRep_Tool::Degenerated(edge)) {
        part.faces[number].tip = part.faces[number].kind == FaceKind::cone;
        continue;
      }
      const int index = known.Add(edge);
      if (index > static_cast<int>(uses.size())) uses.resize(index);
      // A face lies to the left of its borders, seen along its outward normal.
      uses[index - 1].push_back({number, edge.Orientation() == TopAbs_REVERSED ? -1.0 : 1.0});
    }
  }
  for (int k = 1; k <= known.Extent(); ++k) {
    const std::vector<Use>& own = uses[k - 1];
    const bool seam = own.size() == 2 && own[0].face == own[1].face;
    if (seam) continue;
    StepEdge edge;
    take_curve(TopoDS::Edge(known(k)), edge);
    edge.faces[0] = own[0].face, edge.sign = own[0].sign;
    if (own.size() == 2 && own[0].sign != own[1].sign) edge.faces[1] = own[1].face;
    part.edges.push_back(std::move(edge));
  }
}

}  // namespace carom
