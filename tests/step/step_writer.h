#pragma once

#include <array>
#include <string>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <STEPCAFControl_Writer.hxx>
#include <TDocStd_Document.hxx>
#include <TopoDS_Shape.hxx>
#include <XCAFDoc_ShapeTool.hxx>

// Makes parts and assemblies with Open CASCADE and writes them as STEP, so that what they hold is known beforehand.
// Lengths in m here, as everywhere.
namespace carom::making {

class StepWriter {
 public:
  // The unit of length of the file: MM, M, INCH.
  explicit StepWriter(const std::string& unit = "MM");
  // Where a shape is built in.
  using Pose = Eigen::Isometry3d;

  // A part of its own; density in kg/m³, 0: without a material. Returns its number.
  int add_part(const std::string& name, const TopoDS_Shape& shape, double density = 0,
               const std::string& material = "steel");
  // Builds a part in, once more; empty: the part's name.
  void place(int part, const Pose& pose, const std::string& name = {});
  // The file as text.
  std::string text();
  void write(const std::string& file);

 private:
  void finish(STEPCAFControl_Writer& writer);
  Handle(TDocStd_Document) document_;
  Handle(XCAFDoc_ShapeTool) shapes_;
  TDF_Label assembly_;
  std::vector<TDF_Label> parts_;
  bool placed_ = false;
};

// Solids, in m. A cylinder stands on `base` along `axis`.
TopoDS_Shape box(const Eigen::Vector3d& low, const Eigen::Vector3d& high);
TopoDS_Shape cylinder(const Eigen::Vector3d& base, const Eigen::Vector3d& axis, double radius, double length);
TopoDS_Shape cone(const Eigen::Vector3d& base, const Eigen::Vector3d& axis, double radius, double top, double length);
TopoDS_Shape ball(const Eigen::Vector3d& centre, double radius);
TopoDS_Shape ring(const Eigen::Vector3d& centre, const Eigen::Vector3d& axis, double radius, double tube);
// A cylinder along z, from z = 0 on, whose upper end is half of an ellipsoid of this height, a free-form face, with a
// flat tip.
TopoDS_Shape domed(double radius, double length, double height, double tip);
// A plate between z = 0 and a height over an outline of a Bézier curve through four poles in the plane, and lines to
// two further corners.
TopoDS_Shape curved_plate(const std::array<Eigen::Vector2d, 4>& poles, const std::array<Eigen::Vector2d, 2>& corners,
                          double height);
// The faces of a solid, without the solid.
TopoDS_Shape faces_of(const TopoDS_Shape& solid);
TopoDS_Shape cut(const TopoDS_Shape& from, const TopoDS_Shape& tool);
TopoDS_Shape fuse(const TopoDS_Shape& one, const TopoDS_Shape& two);

}  // namespace carom::making
