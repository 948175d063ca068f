#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "contact_geometry/curvature.h"
#include "contacts/resolved_contacts.h"
#include "model_io/touching.h"
#include "model_io/validation.h"

// Whether contact, materials and shapes together say all that a contact needs, and nothing twice.
namespace carom::inline model_io {

std::string Validation::ContactChoice::title() const {
  return contact.name.empty() ? "a [contact.NAME] named by `contact`" : "[contact." + contact.name + "]";
}

void Validation::check_use(const ContactUse& use) {
  const bool named = !use.contact.empty();
  const ContactModel& contact = *find_contact(model_, use.contact);
  const auto index = static_cast<std::size_t>(named ? &contact - model_.contacts.data() : 0);
  const KeyPath key =
      named ? KeyPath::entry(KeyPath::section("contact"), index, contact.name) : KeyPath::section("contact");
  ContactChoice choice = {contact, key, contact_types(contact.law, contact.elastic), false, false, false};
  if (named && (broken(key / "law") || broken(key / "elastic"))) return;
  if (!choice.types.known()) return;
  const auto has = [&](const Settings& settings, const KeyPath& path, const std::string& name) {
    return settings.has(name) || (named && sources_.given(path / name));
  };
  choice.has_stiffness = has(contact.settings, key, "stiffness");
  choice.needs_restitution = choice.types.law->uses_restitution && contact.restitution < 0 &&
                             !(named && broken(key / "restitution")) && !has(contact.settings, key, "damping");
  const KeyPath friction_key = key / "friction";
  const FrictionLawDescription* friction = find_friction_law(contact.friction);
  choice.needs_friction = friction && find_row(friction->parameters, "coefficient") &&
                          !has(contact.friction_settings, friction_key, "coefficient") &&
                          !(named && (broken(friction_key) || broken(friction_key / "law")));
  const bool compliant = model_.solver.method == ContactMethod::compliant;
  if (compliant) {
    check_idle_materials(use, choice);
    check_region(use, choice);
  }
  for (const auto& sides : use.touching) {
    check_triangles(use, sides);
    if (compliant) check_radius(use, sides, choice);
    check_use_materials(use, sides, choice);
  }
}

// True faces have no chord error; where triangles stand for them it is said.
void Validation::check_triangles(const ContactUse& use, const std::array<Side, 2>& sides) {
  if (sides[0].geometry.shape != "step" && sides[1].geometry.shape != "step") return;
  const Touch touch = use.touch ? *use.touch : touch_of(sides[0].geometry, sides[1].geometry, model_.planar);
  if (touch.by_triangles.empty()) return;
  report_once(Severity::warning, use.key,
              {fmt::format("{} and {}: {}", sides[0].what, sides[1].what, touch.by_triangles),
               "faces that are planes, cylinders, cones, spheres and tori",
               "give the part a smaller `chord` where that matters"});
}

void Validation::check_radius(const ContactUse& use, const std::array<Side, 2>& sides, const ContactChoice& choice) {
  const ElasticDescription& elastic = *choice.types.elastic;
  if (!elastic.needs_radii || choice.has_stiffness) return;
  const Touch touch = use.touch ? *use.touch : touch_of(sides[0].geometry, sides[1].geometry, model_.planar);
  if (touch.area_if_asked && choice.contact.region == ContactRegion::area) return;
  const bool moves = model_.solver.analysis == Analysis::dynamic;
  if (touch.one_energy && choice.contact.region == ContactRegion::automatic && moves) return;
  if (touch.possible && touch.guesses_radius) {
    return report_once(Severity::warning, use.key,
                       {fmt::format("{} and {}, with edges or straight sides, for which Hertz' theory knows no radius",
                                    sides[0].what, sides[1].what),
                        "round shapes, or a stiffness",
                        fmt::format("edges count as rounded by {:g} of the smaller shape, straight sides as curved by "
                                    "{:g} times its size; add `stiffness` to {} where that matters",
                                    rounded_edge, straight_radius, choice.title())});
  }
  if (!touch.possible || touch.clearance <= 0 || std::isfinite(touch.effective_radius)) return;
  if (touch.over_area && choice.contact.region != ContactRegion::points) return;
  report_once(Severity::error, use.key,
              {fmt::format("{} and {}, of the shapes {} and {}, for which Hertz' theory knows no radius", sides[0].what,
                           sides[1].what, sides[0].geometry.shape, sides[1].geometry.shape),
               "a stiffness", "add `stiffness` to " + choice.title()});
}

// Areas have the stiffness of half spaces of their materials.
void Validation::check_region(const ContactUse& use, const ContactChoice& choice) {
  if (choice.contact.region != ContactRegion::area) return;
  const KeyPath key = choice.key / "region";
  if (!choice.types.elastic->needs_radii) {
    report_once(Severity::error, key,
                {fmt::format("\"area\" with the elastic shape `{}`", choice.types.elastic->name), "the shape `hertz`",
                 "leave `elastic` out, or let the region be \"points\""});
  } else if (choice.has_stiffness) {
    report_once(
        Severity::error, key,
        {"\"area\" beside `stiffness`", "one of them",
         "leave `stiffness` out: areas take theirs from Young's moduli of the materials; or leave `region` out: "
         "with a `stiffness` meshes press on meshes, boxes and hulls over all of their overlap"});
  } else if (std::none_of(use.touching.begin(), use.touching.end(), [&](const auto& sides) {
               return touch_of(sides[0].geometry, sides[1].geometry, model_.planar).area_if_asked;
             })) {
    report_once(Severity::warning, use.key,
                {"shapes that touch in points for [region = \"area\"]", "solids in space", "they act by points"});
  }
}

// Materials that are given for this very use must be good for something.
void Validation::check_idle_materials(const ContactUse& use, const ContactChoice& choice) {
  const ElasticDescription& elastic = *choice.types.elastic;
  const bool for_stiffness = elastic.needs_materials && !(choice.has_stiffness && elastic.stiffness_suffices);
  if (!choice.has_stiffness || for_stiffness || choice.needs_restitution || choice.needs_friction) return;
  if (use.materials[0].empty() && use.materials[1].empty()) return;
  for (const std::string& name : use.materials) {
    const Material* material = find_material(model_, name);
    const bool friction = choice.contact.friction.empty() && material && material->friction >= 0;
    if (friction) return;
  }
  error(use.key / "materials",
        {fmt::format("`materials` beside `{}.stiffness`", choice.key.shown), "one of them",
         fmt::format("the stiffness makes the materials idle: drop `materials` here, or `stiffness` in {}",
                     choice.title())});
}

void Validation::check_use_materials(const ContactUse& use, const std::array<Side, 2>& sides,
                                     const ContactChoice& choice) {
  const ElasticDescription& elastic = *choice.types.elastic;
  const bool needed =
      elastic.needs_materials && !choice.has_stiffness && model_.solver.method == ContactMethod::compliant;
  const bool joint = use.key.exact.starts_with("joint"), bearing = use.key.exact.starts_with("bearing");
  const std::string stiffness_instead =
      find_row(elastic.parameters, "stiffness") ? ", or `stiffness` to " + choice.title() : "";
  const SurfacePair surfaces =
      surfaces_of(model_, use.materials, sides[0].geometry.material, sides[1].geometry.material);
  const auto& materials = surfaces.materials;
  for (std::size_t k = 0; k < 2; ++k) {
    if (!surfaces.names[k].empty() && !materials[k]) return;  // reported
  }
  for (std::size_t k = 0; k < 2 && needed; ++k) {
    if (!materials[k]) {
      const bool both = !materials[0] && !materials[1];
      report_once(Severity::error, use.key / (bearing ? "material" : "materials"),
                  {both ? "no materials" : "no material for " + sides[k].what,
                   fmt::format("materials, for the stiffness of the elastic shape `{}`", elastic.name),
                   fmt::format("add {}{}",
                               bearing ? "`material` here"
                               : joint ? "`materials` here"
                                       : "`materials` here or `material` to the shape",
                               stiffness_instead)});
    } else if (materials[k]->young == 0 && !broken(key_of(*materials[k]) / "young")) {
      report_once(Severity::error, key_of(*materials[k]) / "young",
                  {"nothing", fmt::format("Young's modulus in Pa, > 0, for the stiffness of `{}`", use.key.shown),
                   "add the key `young`" + stiffness_instead});
    }
  }
  check_material_restitution(use, surfaces, choice);
  if (!choice.needs_friction || coefficient_of_friction(choice.contact, surfaces) >= 0) return;
  for (const Material* each : materials) {
    if (each && broken(key_of(*each) / "friction")) return;
  }
  report_once(Severity::error, choice.key / "friction",
              {"no coefficient, and no `friction` of the materials in `" + use.key.shown + "`",
               "a coefficient of friction", "add the key `coefficient`, or `friction` to a material"});
}

void Validation::check_material_restitution(const ContactUse& use, const SurfacePair& surfaces,
                                            const ContactChoice& choice) {
  const auto& [names, materials] = surfaces;
  const NormalLawDescription& law = *choice.types.law;
  for (std::size_t k = 0; k < 2; ++k) {
    if (!materials[k] || materials[k]->restitution < 0) continue;
    if (broken(key_of(*materials[k]) / "restitution")) return;
    if (choice.contact.restitution < 0) continue;
    report_once(Severity::warning, choice.key / "restitution",
                {fmt::format("{}, which replaces that of the material `{}`, {}",
                             number_text(choice.contact.restitution), names[k], number_text(materials[k]->restitution)),
                 "one of them", "leave one out"});
  }
  if (!choice.needs_restitution) return;
  const double combined = coefficient_of_restitution(choice.contact, surfaces);
  if (combined < 0) {
    return report_once(Severity::error, use.key,
                       {"no restitution", fmt::format("one, for the law `{}`", law.name),
                        fmt::format("add `restitution` to {}, or to a material", choice.title())});
  }
  const std::string found = fmt::format("{:.6g} from the materials", combined);
  if (model_.solver.method != ContactMethod::compliant) return;
  if (Complaint complaint = restitution_complaint(law, combined); !complaint.found.empty()) {
    complaint.found = found;
    report_once(Severity::error, use.key / "materials", std::move(complaint));
  } else {
    warn_of_restitution(law, combined, found, use.key / "materials");
  }
}

}  // namespace carom::inline model_io
