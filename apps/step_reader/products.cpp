#include "products.h"

#include <map>
#include <set>

#include <fmt/format.h>
#include <Interface_InterfaceModel.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <STEPConstruct_UnitContext.hxx>
#include <StepGeom_GeomRepContextAndGlobUnitAssCtxAndGlobUncertaintyAssCtx.hxx>
#include <StepGeom_GeometricRepresentationContextAndGlobalUnitAssignedContext.hxx>
#include <StepRepr_GlobalUnitAssignedContext.hxx>
#include <TDF_ChildIterator.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDF_Tool.hxx>
#include <TDataStd_Name.hxx>
#include <TDataStd_TreeNode.hxx>
#include <TDocStd_Document.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS_Builder.hxx>
#include <TopoDS_Compound.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_MaterialTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <gp_Quaternion.hxx>

#include "faces.h"

namespace carom {
namespace {

std::string name_of(const TDF_Label& label) {
  Handle(TDataStd_Name) name;
  if (!label.FindAttribute(TDataStd_Name::GetID(), name)) return {};
  const TCollection_ExtendedString& text = name->Get();
  std::string result(static_cast<std::size_t>(text.LengthOfCString()) + 1, '\0');
  Standard_PCharacter place = result.data();
  text.ToUTF8CString(place);
  result.resize(std::string_view(result.c_str()).size());
  return result;
}

// A name that a program has made up because there was none: "NAUO12", "=>[0:1:1:3]".
bool is_made_up(const std::string& name) {
  if (name.starts_with("=>[")) return true;
  return name.starts_with("NAUO") && name.find_first_not_of("0123456789", 4) == std::string::npos;
}

class ProductReader {
 public:
  ProductReader(const TDF_Label& main, const StepOptions& options)
      : shapes_(XCAFDoc_DocumentTool::ShapeTool(main)), options_(options) {}

  StepAssembly read() {
    TDF_LabelSequence roots;
    shapes_->GetFreeShapes(roots);
    for (int k = 1; k <= roots.Length(); ++k) add(roots.Value(k), {}, {}, 0);
    if (left_out_ > 0) {
      assembly_.remarks.push_back(
          fmt::format("{} of the products hold no solid (surfaces, wires or points only) and are left out", left_out_));
    }
    return std::move(assembly_);
  }

 private:
  // A product, or the assembly that it is, at a place.
  void add(const TDF_Label& label, const TopLoc_Location& outer, const std::string& instance, int depth) {
    constexpr int deepest = 200;
    if (depth > deepest) throw StepError("assemblies that hold each other", "an assembly with an end", "");
    TDF_Label product = label;
    TopLoc_Location place = outer;
    std::string title = instance;
    if (XCAFDoc_ShapeTool::IsReference(label)) {
      place = outer * XCAFDoc_ShapeTool::GetLocation(label);
      XCAFDoc_ShapeTool::GetReferredShape(label, product);
      title = name_of(label);
    }
    if (XCAFDoc_ShapeTool::IsAssembly(product)) {
      TDF_LabelSequence components;
      XCAFDoc_ShapeTool::GetComponents(product, components);
      for (int k = 1; k <= components.Length(); ++k) add(components.Value(k), place, title, depth + 1);
      return;
    }
    for (const int part : parts_of(product)) add_placement(part, title, place);
  }

  // The parts of a product that is no assembly; none where it holds no solid.
  const std::vector<int>& parts_of(const TDF_Label& product) {
    TCollection_AsciiString entry;
    TDF_Tool::Entry(product, entry);
    const auto [known, fresh] = parts_.try_emplace(entry.ToCString());
    if (!fresh) return known->second;
    const TopoDS_Shape shape = XCAFDoc_ShapeTool::GetShape(product);
    std::vector<TopoDS_Shape> solids;
    for (TopExp_Explorer each(shape, TopAbs_SOLID); each.More(); each.Next()) solids.push_back(each.Current());
    if (solids.empty()) ++left_out_;
    const std::string name = name_of(product);
    if (options_.solids_apart) {
      for (std::size_t k = 0; k < solids.size(); ++k) {
        known->second.push_back(
            add_part(product, solids[k], solids.size() == 1 ? name : fmt::format("{}_{}", name, k + 1), 1));
      }
    } else if (!solids.empty()) {
      TopoDS_Compound all;
      TopoDS_Builder builder;
      builder.MakeCompound(all);
      for (const TopoDS_Shape& solid : solids) builder.Add(all, solid);
      known->second.push_back(add_part(product, all, name, static_cast<int>(solids.size())));
    }
    return known->second;
  }

  int add_part(const TDF_Label& product, const TopoDS_Shape& shape, const std::string& name, int solids) {
    StepPart part;
    part.name = name.empty() ? "part" : name;
    for (int k = 2; !names_.insert(part.name).second; ++k) part.name = fmt::format("{}_{}", name, k);
    part.solids = solids;
    take_material(product, part);
    measure_part(shape, options_.chord, part);
    if (part.volume < 0) {
      throw StepError(fmt::format("the part {}, whose faces look inward (volume {:.3g} m³)", name, part.volume),
                      "solids whose faces look outward", "check the solid in a CAD program and export it again");
    }
    assembly_.parts.push_back(std::move(part));
    return static_cast<int>(assembly_.parts.size()) - 1;
  }

  // Of a part of several solids the material stands with one of them.
  void take_material(const TDF_Label& product, StepPart& part) {
    if (take_own_material(product, part)) return;
    for (TDF_ChildIterator each(product); each.More(); each.Next()) {
      StepPart solid;
      if (!take_own_material(each.Value(), solid)) continue;
      if (part.density > 0 && part.density != solid.density) {
        assembly_.remarks.push_back(fmt::format("{}: its solids have different densities; {:g} kg/m³ is taken for all",
                                                part.name, part.density));
        return;
      }
      part.material = solid.material, part.density = solid.density;
    }
  }

  static bool take_own_material(const TDF_Label& label, StepPart& part) {
    Handle(TDataStd_TreeNode) node;
    if (!label.FindAttribute(XCAFDoc::MaterialRefGUID(), node) || !node->HasFather()) return false;
    Handle(TCollection_HAsciiString) name, description, density_name, density_type;
    double density = 0;
    const TDF_Label material = node->Father()->Label();
    if (!XCAFDoc_DocumentTool::MaterialTool(label)->GetMaterial(material, name, description, density, density_name,
                                                                density_type))
      return false;
    if (!name.IsNull()) part.material = name->ToCString();
    part.density = 1000 * density;  // from g/cm³
    return true;
  }

  void add_placement(int part, const std::string& title, const TopLoc_Location& place) {
    const gp_Trsf transformation = place.Transformation();
    const gp_XYZ shift = transformation.TranslationPart();
    const gp_Quaternion turn = transformation.GetRotation();
    StepPlacement placement;
    placement.part = part;
    placement.name = title.empty() || is_made_up(title) ? assembly_.parts[static_cast<std::size_t>(part)].name : title;
    placement.position = 1e-3 * Eigen::Vector3d(shift.X(), shift.Y(), shift.Z());
    placement.orientation = Eigen::Quaterniond(turn.W(), turn.X(), turn.Y(), turn.Z()).normalized();
    const double scale = transformation.ScaleFactor();
    if (std::abs(scale - 1) > 1e-9) {
      throw StepError(fmt::format("the part {} built in at a scale of {:.6g}", placement.name, scale),
                      "parts of their true size; mirrored or scaled copies are parts of their own",
                      "export the copy as a part of its own");
    }
    assembly_.placements.push_back(std::move(placement));
  }

  Handle(XCAFDoc_ShapeTool) shapes_;
  const StepOptions& options_;
  StepAssembly assembly_;
  std::map<std::string, std::vector<int>> parts_;
  std::set<std::string> names_;  // of parts, each once
  int left_out_ = 0;
};

// Units of length of all parts, in mm.
std::set<double> length_units(const Handle(Interface_InterfaceModel) & model) {
  using Uncertain = StepGeom_GeomRepContextAndGlobUnitAssCtxAndGlobUncertaintyAssCtx;
  using Certain = StepGeom_GeometricRepresentationContextAndGlobalUnitAssignedContext;
  std::set<double> units;
  for (int k = 1; k <= model->NbEntities(); ++k) {
    const Handle(Standard_Transient) entity = model->Value(k);
    Handle(StepRepr_GlobalUnitAssignedContext) context;
    if (entity->IsKind(STANDARD_TYPE(Uncertain))) {
      context = Handle(Uncertain)::DownCast(entity)->GlobalUnitAssignedContext();
    } else if (entity->IsKind(STANDARD_TYPE(Certain))) {
      context = Handle(Certain)::DownCast(entity)->GlobalUnitAssignedContext();
    }
    STEPConstruct_UnitContext unit;
    if (!context.IsNull() && unit.ComputeFactors(context) == 0 && unit.LengthDone()) units.insert(unit.LengthFactor());
  }
  return units;
}

void report_units(const Handle(Interface_InterfaceModel) & model, StepAssembly& assembly) {
  const std::set<double> units = length_units(model);
  if (units.size() < 2) return;
  std::string text;
  for (const double unit : units) text += fmt::format("{}{:g} mm", text.empty() ? "" : ", ", unit);
  assembly.remarks.push_back("parts in different units of length (" + text + "): each was read in its own");
}

}  // namespace

StepAssembly read_products(std::istream& stream, const StepOptions& options) {
  const Handle(XCAFApp_Application) application = XCAFApp_Application::GetApplication();
  Handle(TDocStd_Document) document;
  application->NewDocument("MDTV-XCAF", document);
  STEPCAFControl_Reader reader;
  reader.SetNameMode(Standard_True);
  reader.SetMatMode(Standard_True);
  reader.SetColorMode(Standard_False);
  reader.SetLayerMode(Standard_False);
  if (reader.ChangeReader().ReadStream("part.step", stream) != IFSelect_RetDone) {
    throw StepError("a file that is no STEP file, or a broken one", "a STEP file (ISO 10303-21, AP203, AP214 or AP242)",
                    "export the part again as STEP");
  }
  if (reader.NbRootsForTransfer() == 0 || !reader.Transfer(document)) {
    throw StepError("a STEP file without parts that could be read", "at least one solid",
                    "export the part as a solid, not as a drawing or a list of parts");
  }
  StepAssembly assembly = ProductReader(document->Main(), options).read();
  if (assembly.placements.empty()) {
    throw StepError("a STEP file without solids", "at least one solid",
                    "export the part as a solid: surfaces and wires have no volume");
  }
  report_units(reader.ChangeReader().Model(), assembly);
  return assembly;
}

}  // namespace carom
