#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "contacts/shape_pairs.h"
#include "documents/document.h"
#include "documents/reading.h"
#include "model/solver_types.h"
#include "model_io/field_tables.h"
#include "model_io/sections.h"
#include "model_io/solver_tables.h"
#include "model_io/validation.h"

namespace carom::inline model_io {

namespace {

// What to drive in place of a joint with a clearance.
std::string instead_of_driving(const Model& model, const ElementModel& joint) {
  if (!model.planar) return "drive a joint without a clearance, or a body along x, y or z";
  const auto bodies = joint.settings.names("bodies"), markers = joint.settings.names("markers");
  std::string body = bodies.size() == 2    ? bodies[1]
                     : markers.size() == 2 ? markers[1].substr(0, markers[1].rfind('.'))
                                           : "";
  if (body == "ground") body = bodies.size() == 2 ? bodies[0] : markers[0].substr(0, markers[0].rfind('.'));
  if (body.empty()) return "drive a body instead";
  const JointDescription* type = find_joint(joint.type);
  const bool slides = type && type->ground_dof == GroundDof::translation;
  const std::string component = slides ? "x" : "angle";
  return fmt::format("drive the body instead: body = \"{}\", component = \"{}\"", body, component);
}

}  // namespace

void Validation::check_motions() {
  TakenNames names;
  std::map<std::string, std::string> driven_by;
  for (std::size_t k = 0; k < model_.motions.size(); ++k) {
    const MotionModel& motion = model_.motions[k];
    entry_ = motion.where;
    KeyPath key = KeyPath::entry(KeyPath::section("motion"), k, motion.name);
    const bool named = sources_.given(key / "name") || !sources_.given(key);
    if (!named) key.shown = KeyPath::entry(KeyPath::section("motion"), k, "").shown;
    std::string driven;
    check_motion(motion, key, driven);
    if (driven.empty()) {
      if (named) check_name(motion.name, key, "motion", names);
      continue;
    }
    const auto [first, free] = driven_by.emplace(driven, motion.name);
    if (!free) {
      error(key, {"`" + driven + "`, which the motion `" + first->second + "` drives already",
                  "one motion per coordinate", ""});
      if (!named) continue;  // its default name is taken, too
    }
    check_name(motion.name, key, "motion", names);
  }
}

// `driven` becomes the name of the driven coordinate if that is known.
void Validation::check_motion(const MotionModel& motion, const KeyPath& key, std::string& driven) {
  const bool joint = !motion.joint.empty() || sources_.given(key / "joint");
  const bool body = !motion.body.empty() || sources_.given(key / "body");
  const bool component = motion.component != BodyCoordinate::none || sources_.given(key / "component");
  if (joint == body) {
    return error(joint ? key / "body" : key,
                 {joint ? "both `joint` and `body`" : "neither `joint` nor `body`", "one of them", ""});
  }
  if (joint) {
    if (component)
      error(key / "component", {"`component` beside `joint`", "`component` with `body` only",
                                "\"joint.coordinate\" picks a coordinate of a joint"});
    if (broken(key / "joint")) return;
    auto reference = resolve_coordinate(model_, motion.joint);
    if (!reference.ok()) {
      if (reference.joint && reference.joint->clearance)
        reference.error.remedy = instead_of_driving(model_, *reference.joint);
      return error(key / "joint", reference.error);
    }
    if (!reference.coordinate.empty()) driven = reference.joint->name + "." + reference.coordinate;
    return;
  }
  bool known = !broken(key / "body") && check_body_name(motion.body, key / "body", false);
  const std::vector<std::string> valid =
      model_.planar ? std::vector<std::string>{"x", "y", "angle"} : std::vector<std::string>{"x", "y", "z"};
  if (!component) {
    error(key / "component", {"nothing", alternatives(valid), "add the key `component`"});
    known = false;
  } else if (broken(key / "component")) {
    known = false;
  } else if (std::find(valid.begin(), valid.end(), name_of(motion.component)) == valid.end()) {
    error(key / "component", {quoted_text(name_of(motion.component)), alternatives(valid),
                              model_.planar ? "the model is planar" : "the model is spatial"});
    known = false;
  }
  if (known) driven = motion.body + "." + name_of(motion.component);
}

void Validation::check_solver() {
  const KeyPath key = KeyPath::section("solver");
  const SolverSettings& solver = model_.solver;
  check_fields(solver_fields(), solver, key);
  check_fields(baumgarte_fields(), solver, key / "baumgarte");

  if (!broken(key / "start") && !broken(key / "end") && !(solver.end > solver.start)) {
    error(key / "end",
          {number_text(solver.end) + " s", "a time after the start, " + number_text(solver.start) + " s", ""});
  }
  constexpr double shortest = 1e-18;  // s: nothing that moves as a body does is so fast
  if (!broken(key / "start") && !broken(key / "end") && solver.end > solver.start &&
      solver.end - solver.start < std::max(shortest, 1e-12 * std::abs(solver.start))) {
    error(key / "end",
          {fmt::format("{} s, {:.3g} s after the start", number_text(solver.end), solver.end - solver.start),
           fmt::format("a span of {:g} s or more, and of 1e-12 of the start", shortest), "check the unit"});
  }
  const bool fixed = solver.method == ContactMethod::nonsmooth || solver.integrator == "generalized-alpha";
  if (solver.step > 0 && !fixed && !broken(key / "integrator")) {
    report(Severity::warning, key / "step",
           {"a fixed step for `" + solver.integrator + "`", "`generalized-alpha` with it",
            "the others choose their steps; bound them by `max_step`"});
  }
  if (solver.load_steps > 0 && solver.analysis != Analysis::statics) {
    report(Severity::warning, key / "load_steps",
           {"load steps in a " + name_of(solver.analysis) + " analysis", "a static one", "leave them out"});
  }
  check_type_keys();
  check_beams_and_solver();
  if (solver.analysis == Analysis::kinematic && model_.motions.empty() && !sources_.given(KeyPath::section("motion"))) {
    error(key / "analysis", {"\"kinematic\" without a [[motion]]", "a mechanism that is driven", "add a [[motion]]"});
  }
}

// Keys that are there for another scheme or solver than the one chosen.
void Validation::check_type_keys() {
  const KeyPath key = KeyPath::section("solver");
  const auto has = [](const TypeDescription& type, const std::string& name) {
    return find_row(type.parameters, name) != nullptr;
  };
  for (const std::string& name : model_.solver.type_settings.keys()) {
    std::vector<std::string> owners;
    bool used = false, unknown = false;
    for (const SolverChoice& choice : solver_choices()) {
      const TypeDescription* chosen = choice.chosen(model_.solver);
      unknown = unknown || !chosen;
      used = used || (chosen && has(*chosen, name));
      for (const TypeDescription* type : choice.types) {
        if (has(*type, name)) owners.push_back(choice.key + " = \"" + type->name + "\"");
      }
    }
    if (!used && !unknown)
      error(key / name, {"a key that nothing chosen takes", alternatives(owners) + " with it", "leave it out"});
  }
}

// Explicit methods follow the fastest vibration of beams, ω = √(12 E/ρ)/L of their shortest element, whether it matters
// or not.
void Validation::check_beams_and_solver() {
  if (model_.beams.empty() || model_.solver.analysis != Analysis::dynamic) return;
  const KeyPath key = KeyPath::section("solver");
  if (model_.solver.method == ContactMethod::nonsmooth) {
    std::vector<std::string> implicit;
    bool is_explicit = false;
    for (const SchemeType* type : scheme_types()) {
      if (!type->explicit_forces) implicit.push_back(type->name);
      is_explicit = is_explicit || (type->explicit_forces && type->name == model_.solver.scheme);
    }
    if (is_explicit)
      error(key / "scheme", {quoted_text(model_.solver.scheme) + " with beams", alternatives(implicit),
                             "that scheme is explicit in the forces"});
    return;
  }
  if (model_.solver.integrator != "rk" && model_.solver.integrator != "adams") return;
  constexpr double most_steps = 1e8, many_steps = 1e5, stable = 3;  // step times ω
  double fastest = 0;
  for (const BeamModel& beam : model_.beams) {
    for (const BeamModel::Element& element : beam.elements)
      fastest = std::max(fastest, std::sqrt(12 * beam.young / beam.density) / element.length);
  }
  const double step = stable / fastest, steps = (model_.solver.end - model_.solver.start) / step;
  if (!(steps > many_steps)) return;
  report(steps > most_steps ? Severity::error : Severity::warning, key / "integrator",
         {fmt::format("`{}` with beams, whose fastest vibration allows steps of {:.1e} s: {:.1e} of them",
                      model_.solver.integrator, step, steps),
          "an implicit integrator", "take `generalized-alpha`, or `bdf` for beams with damping"});
}

// Implicit methods, equilibria and modes need the derivatives of all forces, which pairs that come and go do not give.
void Validation::check_changing_pairs() {
  const KeyPath key = KeyPath::section("solver");
  const SolverSettings& solver = model_.solver;
  const bool dynamic = solver.analysis == Analysis::dynamic;
  if (solver.analysis == Analysis::kinematic ||
      (dynamic && solver.integrator != "bdf" && solver.integrator != "generalized-alpha"))
    return;
  for (const PairModel& pair : model_.pairs) {
    const std::size_t count = shape_pairs(model_, pair);
    if (count <= most_fixed_pairs) continue;
    const std::string many = fmt::format("the pair `{}`, of {} pairs of shapes that come and go", pair.name, count);
    if (dynamic) {
      return error(key / "integrator",
                   {quoted_text(solver.integrator) + " with " + many,
                    fmt::format("at most {} for an implicit integrator", most_fixed_pairs), "take rk or adams"});
    }
    return error(key / "analysis",
                 {quoted_text(name_of(solver.analysis)) + " with " + many, fmt::format("at most {}", most_fixed_pairs),
                  "leave out shapes that do not touch, or let a dynamic run come to rest"});
  }
}

void Validation::check_output() {
  const KeyPath key = KeyPath::section("output");
  const OutputSettings& output = model_.output;
  check_fields(output_fields(), output, key);
  constexpr double most_samples = 1e8;
  const double samples = output.every > 0 ? (model_.solver.end - model_.solver.start) / output.every : 0;
  if (samples > most_samples) {
    error(key / "every", {fmt::format("{} s, which means {:.3g} samples", number_text(output.every), samples),
                          fmt::format("at most {:.0e} samples", most_samples), "choose a longer interval"});
  }
  if (broken(key / "record")) return;
  for (std::size_t k = 0; k < output.record.size(); ++k) check_pattern(output.record[k], (key / "record").item(k));
}

std::vector<std::string> Validation::names_of(const std::string& group) const {
  if (group == "body") return body_names(false);
  std::vector<std::string> names;
  if (group == "joint" || group == "force") {
    for (const ElementModel& each : group == "joint" ? model_.joints : model_.forces) names.push_back(each.name);
  }
  if (group == "motion") {
    for (const MotionModel& each : model_.motions) names.push_back(each.name);
  }
  if (group == "beam") {
    for (const BeamModel& beam : model_.beams) {
      names.push_back(beam.name);
      for (std::size_t k = 1; k <= beam.elements.size(); ++k) names.push_back(fmt::format("{}-{}", beam.name, k));
    }
  }
  if (group == "bearing") {
    for (const BearingModel& each : model_.bearings) names.push_back(each.element.name);
  }
  if (group == "contact") {
    for (const PairModel& each : model_.pairs) {
      if (!each.name.empty()) names.push_back(each.name);
    }
  }
  return names;
}

void Validation::check_pattern(const std::string& pattern, const KeyPath& key) {
  const auto has_wildcard = [](const std::string& text) { return text.find_first_of("*?") != std::string::npos; };
  const std::size_t colon = pattern.find(':');
  const std::string group = pattern.substr(0, colon);
  const std::vector<std::string> groups = {"body", "joint", "motion", "force", "beam", "contact", "bearing", "energy"};
  if (colon == std::string::npos) {
    const std::string first = pattern.substr(0, pattern.find('.'));
    if (matches_pattern("energy", first) || (has_wildcard(pattern) && !pattern.empty())) return;
    const bool lacks_name = std::find(groups.begin(), groups.end(), first) != groups.end();
    return error(key, {quoted_text(pattern),
                       "patterns such as `body:*`, `joint:pin`, `motion:*`, `force:*`, `contact:*` or `energy`",
                       lacks_name ? "did you mean `" + first + ":*`?" : did_you_mean(first, groups)});
  }
  const std::vector<std::string> names = names_of(group);
  const bool known = std::find(groups.begin(), groups.end() - 1, group) != groups.end() - 1;
  if (!known) {
    if (has_wildcard(group)) return;
    return error(key,
                 {quoted_text(pattern),
                  "a pattern that starts with `body:`, `joint:`, `motion:`, `force:` or `contact:`, or is `energy`",
                  did_you_mean(group, groups)});
  }
  const std::string rest = pattern.substr(colon + 1), name = rest.substr(0, rest.find('.'));
  const auto matches = [&](const std::string& each) { return matches_pattern(each, name); };
  if (name == "*" || std::any_of(names.begin(), names.end(), matches)) return;
  const std::string kind = group == "contact" ? "pair" : group;
  std::string remedy = group == "body" ? copies_text(name) : "";
  if (!remedy.empty()) remedy += ", which `body:" + name + "*` records";
  if (remedy.empty()) remedy = did_you_mean(name, names);
  // A clearance is part of its joint, and its forces are those of the joint.
  for (const ElementModel& joint : model_.joints) {
    if (group == "contact" && joint.clearance && joint.name == name) remedy = "did you mean `joint:" + name + "`?";
  }
  error(key, {quoted_text(pattern), names.empty() ? "a model with a " + kind : "a " + kind + ": " + alternatives(names),
              remedy});
}

}  // namespace carom::inline model_io
