#include "model_io/mass_from_shapes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "contact_geometry/shape_description.h"
#include "contacts/body_mass.h"
#include "model_io/field_tables.h"

namespace carom::inline model_io {
namespace {

KeyPath path_of(const KeyPath& body, const Geometry& geometry, std::size_t index) {
  return KeyPath::entry(body / "geometry", index, geometry.name);
}

std::string title_of(const BodyModel& body, std::size_t index) {
  const Geometry& geometry = body.geometry[index];
  return geometry.name.empty() ? fmt::format("shape {} (a {})", index + 1, geometry.shape) : "`" + geometry.name + "`";
}

// Whether the sizes of a shape are there; what is wrong with them is reported elsewhere.
template <int D>
bool has_sizes(const Geometry& geometry) {
  const auto* shape = find_shape<D>(geometry.shape);
  if (!shape) return false;
  const Settings& keys = geometry.settings;
  const auto sound = [&](const std::string& name) {
    const Value* value = keys.find(name);
    if (!value) return false;
    if (const double* number = std::get_if<double>(value)) return *number > 0;
    if (const auto* list = std::get_if<std::vector<double>>(value))
      return list->size() >= D && std::all_of(list->begin(), list->end(), [](double each) { return each > 0; });
    if (const auto* points = std::get_if<std::vector<Eigen::Vector3d>>(value)) return points->size() >= 3;
    return true;
  };
  return std::all_of(shape->required.begin(), shape->required.end(), sound);
}

class MassTaker {
 public:
  MassTaker(Reading& reading, const Node& table, const KeyPath& key, const std::vector<Material>& materials,
            BodyModel& body)
      : reading_(reading), table_(table), key_(key), materials_(materials), body_(body) {}

  void take() {
    const bool mass = given("mass"), inertia = given("inertia"), centre = given("center_of_mass");
    if (!given("density") && (mass || !weighs())) return require();
    if (mass && inertia) {
      return reading_.warn(
          *table_.find("density"), key_ / "density",
          {"a density beside `mass` and `inertia`", "one of them", "what is given counts, the density has no effect"});
    }
    body_.mass_from_shapes = !mass, body_.inertia_from_shapes = !inertia, body_.center_from_shapes = !centre;
    if (!check_shapes()) return;
    BodyMass shapes;
    try {
      shapes = mass_of_shapes(body_, materials_, reading_.planar);
    } catch (const std::invalid_argument&) {
      return;  // the shape is reported where it is checked
    }
    if (!(std::isfinite(shapes.mass) && shapes.mass > 0 && shapes.inertia.allFinite())) {
      return reading_.complain(table_, key_ / "mass",
                               {fmt::format("shapes with a mass of {:.6g} kg", shapes.mass), "a mass > 0",
                                "give the body a shape with a volume, or `mass` and `inertia`"});
    }
    report_given(shapes, mass, inertia, centre);
    report_shapes(shapes);
    if (!inertia) body_.inertia = shapes.inertia * (mass ? body_.mass / shapes.mass : 1);
    if (!mass) body_.mass = shapes.mass;
    if (!centre) body_.center_of_mass = shapes.centre;
    if (reading_.planar) flatten(inertia);
  }

 private:
  bool given(const std::string& name) const { return table_.find(name) != nullptr; }

  // Of a planar body the moment about z alone counts.
  void flatten(bool inertia) {
    body_.center_of_mass.z() = 0;
    if (inertia) return;
    const double moment = body_.inertia(2, 2);
    body_.inertia.setIdentity();
    body_.inertia(2, 2) = moment;
  }

  // Whether there is a shape that something gives a density.
  bool weighs() const {
    return std::any_of(body_.geometry.begin(), body_.geometry.end(), [&](const Geometry& geometry) {
      return density_of(body_, geometry, materials_).value_or(0) > 0;
    });
  }

  void require() {
    for (const std::string name : {"mass", "inertia"}) {
      if (given(name)) continue;
      std::string remedy = "add the key `" + name + "`";
      if (!body_.geometry.empty()) {
        remedy += given("mass") ? ", or `density`: the inertia then follows from the shapes"
                                : ", or `density`: mass and inertia then follow from the shapes";
      }
      const ParameterDescription* row = find_row(body_fields().rows(), name);
      reading_.complain(table_, key_ / name, {"nothing", expected_text(*row, reading_.planar), remedy});
    }
  }

  // False where a shape is not sound or its mass cannot be known.
  bool check_shapes() {
    bool sound = !reading_.sources.broken(key_ / "density") && !reading_.sources.broken(key_ / "thickness");
    if (body_.geometry.empty()) {
      const Node* density = table_.find("density");
      reading_.complain(density ? *density : table_, key_ / "density",
                        {"a density without shapes", "a body with [[body.geometry]]",
                         "add its shapes, or give `mass` and `inertia`"});
      return false;
    }
    for (std::size_t k = 0; k < body_.geometry.size(); ++k) {
      const Geometry& geometry = body_.geometry[k];
      sound &= reading_.planar ? has_sizes<2>(geometry) : has_sizes<3>(geometry);
      sound &= check_density(geometry, path_of(key_, geometry, k));
    }
    return sound;
  }

  bool check_density(const Geometry& geometry, const KeyPath& path) {
    const auto density = density_of(body_, geometry, materials_);
    if (!has_volume(geometry) || (density && *density == 0)) return true;
    if (!density) {
      complain(path, "density",
               {"nothing", "a density of every shape, from which the mass follows",
                "give it a `material` with a density or a `density` (0: it weighs nothing), or the body a `density`"});
      return false;
    }
    if (reading_.planar && !(depth_of(body_, geometry) > 0) && !reading_.sources.broken(path / "thickness")) {
      complain(path, "thickness",
               {"nothing", "a thickness, for the mass of a planar shape",
                "add `thickness` to the shape or to the body, or give the body `mass` and `inertia`"});
      return false;
    }
    return true;
  }

  bool has_volume(const Geometry& geometry) const {
    const auto volume = [&](const auto* shape) { return shape && shape->mass; };
    return reading_.planar ? volume(find_shape<2>(geometry.shape)) : volume(find_shape<3>(geometry.shape));
  }

  // A problem of a shape, at its place.
  Problem problem_of(Severity severity, const KeyPath& path, const std::string& name, Complaint complaint) const {
    const SourceMap::Place* place = reading_.sources.find(path / name);
    return {severity,
            place ? place->file : reading_.documents.files.front(),
            place ? place->where : table_.where,
            (path / name).shown,
            std::move(complaint.found),
            std::move(complaint.expected),
            std::move(complaint.remedy)};
  }
  void complain(const KeyPath& path, const std::string& name, Complaint complaint) {
    reading_.add(problem_of(Severity::error, path, name, std::move(complaint)));
  }
  void warn(const KeyPath& path, const std::string& name, Complaint complaint) {
    reading_.add(problem_of(Severity::warning, path, name, std::move(complaint)));
  }

  // What is given beside a density.
  void report_given(const BodyMass& shapes, bool mass, bool inertia, bool centre) {
    const auto report = [&](const std::string& name, const std::string& found) {
      reading_.warn(
          *table_.find(name), key_ / name,
          {found, "one of them", fmt::format("what is given counts; leave out `{}` to take that of the shapes", name)});
    };
    if (mass) report("mass", fmt::format("a mass beside a density, by which the shapes have {:.6g} kg", shapes.mass));
    if (inertia) report("inertia", "an inertia beside densities of the shapes");
    if (centre) report("center_of_mass", "a mass centre beside densities of the shapes");
  }

  void report_shapes(const BodyMass& shapes) {
    for (const auto& each : shapes.overlaps) {
      warn(path_of(key_, body_.geometry[each.shape], each.shape), "density",
           {fmt::format("{} with about {:.{}f} % of its volume in {}", title_of(body_, each.shape), 100 * each.share,
                        each.share < 0.1 ? 1 : 0, title_of(body_, each.other)),
            "shapes that do not overlap: what they share counts twice",
            "move or shorten one of them, or give one `density = 0`"});
    }
    for (const auto& each : shapes.loose_holes) {
      warn(path_of(key_, body_.geometry[each.shape], each.shape), "density",
           {fmt::format("{}, a hole of which about {:.2g} % lies in the other shapes", title_of(body_, each.shape),
                        100 * each.share),
            "a hole all in material: this one is not taken away from the mass",
            "make it as long as the material around it, or give it `density = 0` if it is to count nothing"});
    }
    for (const std::size_t each : shapes.endless_holes) {
      warn(path_of(key_, body_.geometry[each], each), "density",
           {fmt::format("{}, which has no ends", title_of(body_, each)),
            "a hole with a volume: this one is not taken away from the mass",
            "give it `density = 0` if it is to count nothing"});
    }
  }

  Reading& reading_;
  const Node& table_;
  const KeyPath& key_;
  const std::vector<Material>& materials_;
  BodyModel& body_;
};

}  // namespace

void take_mass_from_shapes(Reading& reading, const Node& table, const KeyPath& key,
                           const std::vector<Material>& materials, BodyModel& body) {
  MassTaker(reading, table, key, materials, body).take();
}

}  // namespace carom::inline model_io
