#include "cad_import/import_assembly.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "math/space.h"
#include "model_io/write_model.h"

namespace carom::inline cad_import {
namespace {

// What STEP files do not say: steel on steel.
constexpr double assumed_young = 2.1e11, assumed_poisson = 0.3, assumed_restitution = 0.8;
constexpr double assumed_stiffness = 2e8;  // N/m, of the edge of a block on its guide, for which no radius gives one
const std::string round_contact = "fit", flat_contact = "slide_fit";

[[noreturn]] void refuse(const std::string& key, const std::string& found, const std::string& expected,
                         const std::string& remedy) {
  ProblemList problems;
  problems.add(Problem{.key = key, .found = found, .expected = expected, .remedy = remedy});
  throw InputError(problems);
}

// A name without what names must not have, and that no other has.
class Names {
 public:
  std::string take(std::string name) {
    for (char& c : name) {
      if (std::string_view(".:*?/").find(c) != std::string_view::npos || static_cast<unsigned char>(c) < 0x20) c = '_';
    }
    if (name.empty()) name = "part";
    std::string result = name;
    for (int k = 2; !taken_.insert(result).second; ++k) result = fmt::format("{}_{}", name, k);
    return result;
  }

 private:
  std::set<std::string> taken_ = {"ground"};
};

class AssemblyImport {
 public:
  AssemblyImport(const StepAssembly& assembly, const ModelFile& file, const ImportOptions& options)
      : assembly_(assembly), file_(file), options_(options) {
    // The rows are the axes of the model in those of the file: in the plane x and y, then its normal.
    const int first = options.plane == "yz" ? 1 : options.plane == "zx" ? 2 : 0;
    for (int k = 0; k < 3; ++k) axes_(k, (first + k) % 3) = 1;
  }

  Imported make() {
    result_.model.planar = planar();
    result_.model.name = std::filesystem::path(file_.name).stem().string();
    result_.model.gravity = axes_ * options_.gravity;
    if (planar() && std::abs(result_.model.gravity.z()) > 0)
      refuse("--gravity", "gravity across the plane", "a direction in the plane " + options_.plane, "");
    result_.remarks = assembly_.remarks;
    name_bodies();
    for (std::size_t k = 0; k < assembly_.placements.size(); ++k) add_body(k);
    result_.fits = find_fits(find_features(assembly_), options_.limits);
    for (const Fit& fit : result_.fits.fits) add_joint(fit);
    add_contacts();
    report_free_bodies();
    return std::move(result_);
  }

 private:
  bool planar() const { return !options_.plane.empty(); }
  const StepPart& part_at(std::size_t place) const {
    return assembly_.parts[static_cast<std::size_t>(assembly_.placements[place].part)];
  }

  void name_bodies() {
    Names names;
    std::vector<std::string> given;
    std::set<std::string> used;
    for (const StepPlacement& placement : assembly_.placements) {
      const std::string name = names.take(placement.name);
      given.push_back(name);
      const auto wanted = std::find_if(options_.ground.begin(), options_.ground.end(),
                                       [&](const std::string& each) { return each == placement.name || each == name; });
      if (wanted != options_.ground.end()) used.insert(*wanted);
      const bool fixed = wanted != options_.ground.end() || placement.name == "ground";
      result_.bodies.push_back(fixed ? "ground" : name);
    }
    for (const std::string& each : options_.ground) {
      if (used.contains(each)) continue;
      refuse("--ground", carom::quoted(each), "the name of a part", did_you_mean(each, given));
    }
  }

  // The name of a material of this density; what STEP does not say of it is assumed.
  std::string material_of(const StepPart& part, bool fixed) {
    const double density = part.density > 0 ? part.density : options_.density;
    if (!(density > 0) && !fixed) {
      refuse("--density", fmt::format("no density of the part {}", carom::quoted(part.name)),
             "a material with a density in the file, or --density",
             "give --density \"7850 kg/m^3\", or a material to the part in the CAD program");
    }
    const std::string title = part.material.empty() ? "material" : part.material;
    const auto [known, fresh] = materials_.try_emplace({title, density});
    if (!fresh) return known->second;
    Material material;
    material.name = known->second = material_names_.take(title);
    material.density = density;
    material.young = assumed_young, material.poisson = assumed_poisson;
    result_.model.materials.push_back(material);
    return known->second;
  }

  Geometry shape_of(const StepPart& part) const {
    Geometry geometry;
    geometry.shape = "step";
    geometry.visual = true;
    geometry.settings.set("file", file_);
    if (assembly_.parts.size() > 1) geometry.settings.set("part", part.name);
    return geometry;
  }

  void add_body(std::size_t place) {
    const StepPart& part = part_at(place);
    const StepPlacement& placement = assembly_.placements[place];
    const bool fixed = result_.bodies[place] == "ground";
    place_materials_.push_back(material_of(part, fixed));
    if (fixed && planar()) return;
    Geometry geometry = shape_of(part);
    if (fixed) {
      geometry.position = placement.position;
      geometry.orientation = placement.orientation;
      result_.model.ground.geometry.push_back(std::move(geometry));
      return;
    }
    const double density = part.density > 0 ? part.density : options_.density;
    BodyModel body;
    body.name = result_.bodies[place];
    body.mass = density * part.volume;
    if (planar()) {
      // Its axes are those of the world, its origin the mass centre: planes and part axes need not agree.
      const Eigen::Matrix3d turn = axes_ * placement.orientation.toRotationMatrix();
      body.position = rounded(in_model(placement.position + placement.orientation * part.centre));
      body.position.z() = 0;
      body.inertia(2, 2) = density * (turn * part.inertia * turn.transpose())(2, 2);
    } else {
      body.inertia = density * part.inertia;
      drop_traces(body.inertia);
      body.center_of_mass = rounded(part.centre);
      body.position = rounded(placement.position);
      body.orientation = placement.orientation;
      body.geometry.push_back(std::move(geometry));
    }
    result_.model.bodies.push_back(std::move(body));
  }

  // Products of inertia that are rounding alone.
  static void drop_traces(Eigen::Matrix3d& inertia) {
    const double least = 1e-13 * inertia.trace();
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) {
        if (row != column && std::abs(inertia(row, column)) < least) inertia(row, column) = 0;
      }
    }
  }

  Eigen::Vector3d in_model(const Eigen::Vector3d& place) const { return axes_ * place; }

  void add_joint(const Fit& fit) {
    const std::string &hole = body_of(fit.hole), &inside = body_of(fit.inside);
    result_.joints.emplace_back();
    if (hole == inside) return;  // both are ground
    ElementModel joint;
    joint.name = joint_names_.take(hole + "_" + inside);
    const auto known = std::find_if(ideal_.begin(), ideal_.end(), [&](const Fit& each) {
      return body_of(each.hole) == hole && body_of(each.inside) == inside && each.kind == fit.kind &&
             each.axis.cross(fit.axis).norm() < options_.limits.tilt &&
             fit.axis.cross(each.centre - fit.centre).norm() < options_.limits.apart;
    });
    if (!(fit.clearance > 0) && fit.kind != FitKind::ball && known != ideal_.end()) {
      result_.remarks.push_back(
          fmt::format("{} and {}: a further bearing on the axis of their joint, without clearance: "
                      "it adds nothing and is left out",
                      hole, inside));
      return;
    }
    joint.settings.set("bodies", std::vector<std::string>{hole, inside});
    planar() ? place_in_plane(fit, joint) : place_in_space(fit, joint);
    if (fit.clearance > 0) {
      joint.clearance = clearance_of(fit, joint.type == "prismatic" ? flat_contact : round_contact);
    } else {
      ideal_.push_back(fit);
    }
    result_.joints.back() = joint.name;
    held_.insert(hole), held_.insert(inside);
    result_.model.joints.push_back(std::move(joint));
  }

  ClearanceModel clearance_of(const Fit& fit, const std::string& contact) {
    ClearanceModel clearance;
    clearance.radial = fit.clearance;
    clearance.bearing_radius = fit.hole_radius;
    const bool ball = fit.kind == FitKind::ball, slide = fit.kind == FitKind::slide;
    const bool along_normal = !ball && !slide && planar() && std::abs(std::abs(in_model(fit.axis).z()) - 1) < 1e-9;
    if (!ball && !along_normal) clearance.length = fit.length;
    if (slide && planar() && std::abs(in_model(fit.across).z()) > 0.5) {
      clearance.bearing_radius = fit.hole_height / 2;  // the width that lies in the plane
    } else if (slide && !planar() && std::abs(fit.hole_height - 2 * fit.hole_radius) > 1e-12) {
      clearance.bearing_height = fit.hole_height;
    }
    for (double* each : {&clearance.radial, &clearance.bearing_radius, &clearance.bearing_height, &clearance.length})
      *each = rounded(*each);
    if (contact == round_contact) {  // that of slides has a stiffness of its own
      clearance.materials = {place_materials_[static_cast<std::size_t>(fit.hole)],
                             place_materials_[static_cast<std::size_t>(fit.inside)]};
    }
    clearance.contact = contact;
    used_contacts_.insert(contact);
    return clearance;
  }

  static Value list_of(const Eigen::Vector3d& vector, int count) {
    return std::vector<double>(vector.data(), vector.data() + count);
  }

  void place_in_plane(const Fit& fit, ElementModel& joint) {
    const Eigen::Vector3d axis = in_model(fit.axis);
    const bool along_normal = std::abs(std::abs(axis.z()) - 1) < 1e-9, in_plane = std::abs(axis.z()) < 1e-9;
    const bool ball = fit.kind == FitKind::ball, slide = fit.kind == FitKind::slide;
    if (!ball && !in_plane && (slide || !along_normal)) {
      refuse("--plane",
             fmt::format("the joint of {} and {}, whose axis is [{:.6g}, {:.6g}, {:.6g}]", body_of(fit.hole),
                         body_of(fit.inside), fit.axis.x(), fit.axis.y(), fit.axis.z()),
             "axes in the plane " + options_.plane + " or across it", "leave out --plane: the machine moves in space");
    }
    joint.type = ball || along_normal ? "revolute" : "prismatic";
    joint.settings.set("at", list_of(rounded(in_model(fit.centre)), 2));
    if (joint.type == "prismatic") joint.settings.set("axis", list_of(rounded(axis), 2));
  }

  // Lengths and directions without the last digits, in which there is nothing but rounding of the file.
  static double rounded(double number) {
    const double whole = std::round(number * 1e12);
    return whole == 0 ? 0 : whole / 1e12;
  }
  static Eigen::Vector3d rounded(const Eigen::Vector3d& vector) {
    return {rounded(vector.x()), rounded(vector.y()), rounded(vector.z())};
  }

  void place_in_space(const Fit& fit, ElementModel& joint) {
    static const std::map<FitKind, std::string> types = {{FitKind::pin, "revolute"},
                                                         {FitKind::sleeve, "cylindrical"},
                                                         {FitKind::ball, "spherical"},
                                                         {FitKind::slide, "prismatic"}};
    joint.type = types.at(fit.kind);
    if (fit.kind != FitKind::slide || !(fit.clearance > 0)) {
      joint.settings.set("at", list_of(rounded(fit.centre), 3));
      if (fit.kind != FitKind::ball) joint.settings.set("axis", list_of(rounded(fit.axis), 3));
      return;
    }
    // A rectangular guide has its sides, too: markers carry them, z along it and x along its width.
    Eigen::Matrix3d turn;
    turn << fit.across, fit.axis.cross(fit.across), fit.axis;
    std::vector<std::string> markers;
    for (const int place : {fit.hole, fit.inside}) {
      const StepPlacement& placement = assembly_.placements[static_cast<std::size_t>(place)];
      const bool fixed = body_of(place) == "ground";
      Marker marker;
      marker.name = joint.name;
      marker.position = fixed ? fit.centre : placement.orientation.conjugate() * (fit.centre - placement.position);
      marker.position = rounded(marker.position);
      const Eigen::Quaterniond own = fixed ? Eigen::Quaterniond::Identity() : placement.orientation;
      marker.orientation = (own.conjugate() * Eigen::Quaterniond(turn)).normalized();
      owner_of(body_of(place)).markers.push_back(marker);
      markers.push_back(body_of(place) + "." + joint.name);
    }
    Settings settings;
    settings.set("markers", markers);
    joint.settings = settings;
  }

  BodyModel& owner_of(const std::string& name) {
    if (name == "ground") return result_.model.ground;
    return *std::find_if(result_.model.bodies.begin(), result_.model.bodies.end(),
                         [&](const BodyModel& body) { return body.name == name; });
  }

  void add_contacts() {
    for (const std::string& name : used_contacts_) {
      ContactModel contact;
      contact.name = name;
      contact.restitution = assumed_restitution;
      if (name == flat_contact) {
        contact.elastic = "linear";
        contact.settings.set("stiffness", assumed_stiffness);
      }
      result_.model.contacts.push_back(contact);
    }
    if (used_contacts_.empty()) return;
    result_.remarks.push_back(fmt::format(
        "assumed, since STEP does not say it: Young's modulus {:g} GPa, Poisson's ratio {:g}, a coefficient of "
        "restitution of {:g}{} and no friction; change [material.…] and [contact.…]",
        assumed_young / 1e9, assumed_poisson, assumed_restitution,
        used_contacts_.contains(flat_contact) ? fmt::format(", {:g} N/m at the edges of slides", assumed_stiffness)
                                              : ""));
  }

  void report_free_bodies() {
    if (std::find(result_.bodies.begin(), result_.bodies.end(), "ground") == result_.bodies.end())
      result_.remarks.push_back("no part is the ground: name one with --ground, or all of them move freely");
    for (const std::string& body : result_.bodies) {
      if (body != "ground" && !held_.contains(body)) result_.remarks.push_back(body + ": no joint holds it");
    }
    // A drawing says nothing of what moves the machine, and a run in which all stays as it is looks like success.
    if (options_.gravity.isZero())
      result_.remarks.push_back("nothing moves it yet: give --gravity, add a drive ([[motion]]) or forces ([[force]])");
  }

  const std::string& body_of(int place) const { return result_.bodies[static_cast<std::size_t>(place)]; }

  const StepAssembly& assembly_;
  const ModelFile& file_;
  const ImportOptions& options_;
  Eigen::Matrix3d axes_ = Eigen::Matrix3d::Zero();
  Imported result_;
  std::map<std::pair<std::string, double>, std::string> materials_;
  std::vector<std::string> place_materials_;  // by the number of the placement
  Names material_names_, joint_names_;
  std::vector<Fit> ideal_;
  std::set<std::string> held_;
  std::set<std::string> used_contacts_;
};

}  // namespace

Imported import_assembly(const StepAssembly& assembly, const ModelFile& file, const ImportOptions& options) {
  return AssemblyImport(assembly, file, options).make();
}

std::string import_text(const Imported& imported) {
  std::string text = "# Made by carom import from the STEP file " + imported.model.name + ".\n";
  for (const std::string& remark : imported.remarks) text += "# " + remark + "\n";
  return text + "\n" + write_model(imported.model);
}

}  // namespace carom::inline cad_import
