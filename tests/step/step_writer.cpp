#include "step_writer.h"

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <Geom_BezierCurve.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_Printer.hxx>
#include <STEPControl_Controller.hxx>
#include <TColgp_Array1OfPnt.hxx>
#include <TDataStd_Name.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS_Builder.hxx>
#include <TopoDS_Compound.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_MaterialTool.hxx>
#include <gp_Elips.hxx>
#include <gp_Quaternion.hxx>

namespace carom::making {
namespace {

constexpr double mm = 1000;  // per m

gp_Pnt point(const Eigen::Vector3d& place) {
  return {mm * place.x(), mm * place.y(), mm * place.z()};
}
gp_Ax2 axes(const Eigen::Vector3d& place, const Eigen::Vector3d& axis) {
  return {point(place), gp_Dir(axis.x(), axis.y(), axis.z())};
}

}  // namespace

StepWriter::StepWriter(const std::string& unit) {
  // Open CASCADE reports every step of its work on the standard output.
  Message::DefaultMessenger()->RemovePrinters(STANDARD_TYPE(Message_Printer));
  const Handle(XCAFApp_Application) application = XCAFApp_Application::GetApplication();
  application->NewDocument("MDTV-XCAF", document_);
  shapes_ = XCAFDoc_DocumentTool::ShapeTool(document_->Main());
  STEPControl_Controller::Init();                           // which knows these settings
  Interface_Static::SetIVal("write.surfacecurve.mode", 0);  // curves once, in space: half the size
  Interface_Static::SetCVal("write.step.schema", "AP214IS");
  Interface_Static::SetCVal("write.step.unit", unit.c_str());
}

int StepWriter::add_part(const std::string& name, const TopoDS_Shape& shape, double density,
                         const std::string& material) {
  const TDF_Label label = shapes_->AddShape(shape, Standard_False);
  TDataStd_Name::Set(label, name.c_str());
  if (density > 0) {
    // In g/cm³, as Open CASCADE has it.
    const auto text = [](const std::string& words) { return new TCollection_HAsciiString(words.c_str()); };
    XCAFDoc_DocumentTool::MaterialTool(document_->Main())
        ->SetMaterial(label, text(material), text(material), density / 1000, text("density measure"),
                      text("POSITIVE_RATIO_MEASURE"));
  }
  parts_.push_back(label);
  return static_cast<int>(parts_.size()) - 1;
}

void StepWriter::place(int part, const Pose& pose, const std::string& name) {
  if (assembly_.IsNull()) {
    assembly_ = shapes_->NewShape();
    TDataStd_Name::Set(assembly_, "assembly");
  }
  const Eigen::Quaterniond turn(pose.linear());
  gp_Trsf transformation;
  transformation.SetRotation(gp_Quaternion(turn.x(), turn.y(), turn.z(), turn.w()));
  transformation.SetTranslationPart(gp_Vec(point(pose.translation()).XYZ()));
  const TDF_Label component =
      shapes_->AddComponent(assembly_, parts_.at(static_cast<std::size_t>(part)), TopLoc_Location(transformation));
  if (!name.empty()) TDataStd_Name::Set(component, name.c_str());
}

void StepWriter::finish(STEPCAFControl_Writer& writer) {
  shapes_->UpdateAssemblies();
  writer.SetNameMode(Standard_True);
  writer.SetMaterialMode(Standard_True);
  if (!writer.Transfer(document_, STEPControl_AsIs)) throw std::runtime_error("the parts cannot be turned into STEP");
}

void StepWriter::write(const std::string& file) {
  STEPCAFControl_Writer writer;
  finish(writer);
  if (writer.Write(file.c_str()) != IFSelect_RetDone) throw std::runtime_error("cannot write " + file);
}

std::string StepWriter::text() {
  std::string name = (std::filesystem::temp_directory_path() / "carom_step_XXXXXX").string();
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) throw std::runtime_error("cannot make a file in " + name);
  close(descriptor);
  write(name);
  std::ifstream stream(name);
  std::stringstream content;
  content << stream.rdbuf();
  std::filesystem::remove(name);
  return content.str();
}

TopoDS_Shape box(const Eigen::Vector3d& low, const Eigen::Vector3d& high) {
  return BRepPrimAPI_MakeBox(point(low), point(high)).Shape();
}
TopoDS_Shape cylinder(const Eigen::Vector3d& base, const Eigen::Vector3d& axis, double radius, double length) {
  return BRepPrimAPI_MakeCylinder(axes(base, axis), mm * radius, mm * length).Shape();
}
TopoDS_Shape cone(const Eigen::Vector3d& base, const Eigen::Vector3d& axis, double radius, double top, double length) {
  return BRepPrimAPI_MakeCone(axes(base, axis), mm * radius, mm * top, mm * length).Shape();
}
TopoDS_Shape ball(const Eigen::Vector3d& centre, double radius) {
  return BRepPrimAPI_MakeSphere(point(centre), mm * radius).Shape();
}
TopoDS_Shape ring(const Eigen::Vector3d& centre, const Eigen::Vector3d& axis, double radius, double tube) {
  return BRepPrimAPI_MakeTorus(axes(centre, axis), mm * radius, mm * tube).Shape();
}
TopoDS_Shape domed(double radius, double length, double height, double tip) {
  const double high = length + height * std::sqrt(1 - tip * tip / (radius * radius));
  const Eigen::Vector3d bottom(0, 0, 0), side(radius, 0, 0), top(radius, 0, length), rim(tip, 0, high), end(0, 0, high);
  const gp_Elips ellipse(gp_Ax2(point({0, 0, length}), gp_Dir(0, -1, 0), gp_Dir(1, 0, 0)), mm * radius, mm * height);
  BRepBuilderAPI_MakeWire outline(
      BRepBuilderAPI_MakeEdge(point(bottom), point(side)), BRepBuilderAPI_MakeEdge(point(side), point(top)),
      BRepBuilderAPI_MakeEdge(ellipse, point(top), point(rim)), BRepBuilderAPI_MakeEdge(point(rim), point(end)));
  outline.Add(BRepBuilderAPI_MakeEdge(point(end), point(bottom)));
  const TopoDS_Face half = BRepBuilderAPI_MakeFace(outline.Wire());
  return BRepPrimAPI_MakeRevol(half, gp_Ax1(point(bottom), gp_Dir(0, 0, 1))).Shape();
}
TopoDS_Shape curved_plate(const std::array<Eigen::Vector2d, 4>& poles, const std::array<Eigen::Vector2d, 2>& corners,
                          double height) {
  const auto flat = [](const Eigen::Vector2d& place) { return point({place.x(), place.y(), 0}); };
  TColgp_Array1OfPnt points(1, 4);
  for (int k = 0; k < 4; ++k) points(k + 1) = flat(poles[k]);
  const Handle(Geom_BezierCurve) curve = new Geom_BezierCurve(points);
  BRepBuilderAPI_MakeWire outline(BRepBuilderAPI_MakeEdge(curve),
                                  BRepBuilderAPI_MakeEdge(flat(poles[3]), flat(corners[0])),
                                  BRepBuilderAPI_MakeEdge(flat(corners[0]), flat(corners[1])),
                                  BRepBuilderAPI_MakeEdge(flat(corners[1]), flat(poles[0])));
  const TopoDS_Face base = BRepBuilderAPI_MakeFace(outline.Wire());
  return BRepPrimAPI_MakePrism(base, gp_Vec(0, 0, mm * height)).Shape();
}
TopoDS_Shape faces_of(const TopoDS_Shape& solid) {
  TopoDS_Compound faces;
  TopoDS_Builder builder;
  builder.MakeCompound(faces);
  for (TopExp_Explorer each(solid, TopAbs_FACE); each.More(); each.Next()) builder.Add(faces, each.Current());
  return faces;
}
TopoDS_Shape cut(const TopoDS_Shape& from, const TopoDS_Shape& tool) {
  return BRepAlgoAPI_Cut(from, tool).Shape();
}
TopoDS_Shape fuse(const TopoDS_Shape& one, const TopoDS_Shape& two) {
  return BRepAlgoAPI_Fuse(one, two).Shape();
}

}  // namespace carom::making
