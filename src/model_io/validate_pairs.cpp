#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "contacts/shape_pairs.h"
#include "documents/document.h"
#include "documents/reading.h"
#include "model_io/touching.h"
#include "model_io/validation.h"

namespace carom::inline model_io {
namespace {

// What the bodies of one side of a pair have.
struct ShapesSeen {
  bool any = false, visual = false;
  std::vector<std::string> names = {};  // of those that can touch
};

std::string owner_text(const std::string& bodies) {
  return bodies == "*" ? "any moving body" : "`" + bodies + "`";
}

Complaint no_shapes(const std::string& bodies, const ShapesSeen& seen) {
  const std::string none = seen.visual ? "with visual shapes only" : "without a shape";
  const std::string without = bodies == "*"        ? "moving bodies " + none
                              : is_pattern(bodies) ? owner_text(bodies) + ", bodies " + none
                                                   : owner_text(bodies) + ", a body " + none;
  const std::string remedy = seen.visual          ? "leave `visual` out of one that is to touch"
                             : bodies == "ground" ? "add a [[ground.geometry]]"
                                                  : "add a [[body.geometry]]";
  return {without, "bodies with shapes", remedy};
}

Complaint no_such_shape(const std::string& bodies, const std::string& shape, const ShapesSeen& seen) {
  return {quoted_text(shape),
          seen.names.empty() ? "a shape with a `name`"
                             : "a shape of " + owner_text(bodies) + ": " + alternatives(seen.names),
          did_you_mean(shape, seen.names)};
}

}  // namespace

void Validation::check_pairs() {
  TakenNames taken;
  for (std::size_t k = 0; k < model_.pairs.size(); ++k) {
    const PairModel& pair = model_.pairs[k];
    const KeyPath key = KeyPath::entry(KeyPath::section("pair"), k, pair.name);
    entry_ = pair.where;
    check_name(pair.name, key, "pair", taken);
    check_pair(pair, key_of(pair, k));
  }
}

// What is wrong with a part of a bearing is reported of the bearing.
KeyPath Validation::key_of(const PairModel& pair, std::size_t index) const {
  for (std::size_t k = 0; k < model_.bearings.size() && !pair.bearing.empty(); ++k) {
    if (model_.bearings[k].element.name == pair.bearing)
      return KeyPath::entry(KeyPath::section("bearing"), k, pair.bearing);
  }
  return KeyPath::entry(KeyPath::section("pair"), index, pair.name);
}

void Validation::check_pair(const PairModel& pair, const KeyPath& key) {
  // Of a bearing the name is checked there.
  const bool of_bearing = !pair.bearing.empty();
  const auto knows = [&](const ContactModel& each) { return each.name == pair.contact; };
  if (of_bearing && !pair.contact.empty() && std::none_of(model_.contacts.begin(), model_.contacts.end(), knows))
    return;
  bool sound = of_bearing || check_contact_name(pair.contact, key / "contact");
  sound = check_material_names(pair.materials, key / "materials") && sound;
  if (broken(key / "bodies") || !check_pair_bodies(pair, key / "bodies") || broken(key / "shapes")) return;
  const std::array sides = {sides_of(pair, 0, key), sides_of(pair, 1, key)};
  if (sides[0].empty() || sides[1].empty()) return;
  const auto touching = touching_of(pair, sides, key);
  if (sound && !touching.empty()) check_use({key, pair.materials, pair.contact, touching});
}

bool Validation::check_pair_bodies(const PairModel& pair, const KeyPath& key) {
  bool known = true;
  for (std::size_t k = 0; k < 2; ++k) {
    const std::string& name = pair.bodies[k];
    if (!(is_pattern(name) ? check_body_pattern(name, key.item(k)) : check_body_name(name, key.item(k), true)))
      known = false;
  }
  if (!known) return false;
  // Of many bodies the first two tell already.
  std::set<std::string_view> meant;
  for (const std::string& name : pair.bodies) {
    if (name == "ground") meant.insert(name);
    for (const BodyModel& body : model_.bodies) {
      if (meant.size() > 1) return true;
      if (means_body(name, body.name)) meant.insert(body.name);
    }
  }
  if (meant.size() > 1) return true;
  if (is_pattern(pair.bodies[0]) || is_pattern(pair.bodies[1])) {
    const std::string found = pair.bodies[0] == pair.bodies[1]
                                  ? fmt::format("`{}` twice", pair.bodies[0])
                                  : fmt::format("`{}` and `{}`", pair.bodies[0], pair.bodies[1]);
    const std::string where = model_.bodies.size() == 1 ? " in a model with one body"
                                                        : fmt::format(", which mean `{}` alone", *meant.begin());
    error(key, {found + where, "two different bodies", ""});
  } else {
    error(key, {"`" + pair.bodies[0] + "` twice", "two different bodies", "a body does not touch itself"});
  }
  return false;
}

bool Validation::check_body_pattern(const std::string& pattern, const KeyPath& key) {
  const auto fits = [&](const BodyModel& body) { return means_body(pattern, body.name); };
  // Without any body that is reported already.
  if (model_.bodies.empty() || std::any_of(model_.bodies.begin(), model_.bodies.end(), fits)) return true;
  error(key, {quoted_text(pattern) + ", which fits no moving body", "bodies: " + alternatives(body_names(false)), ""});
  return false;
}

// The shapes of one side, one of each kind and material if they are not named: a fill of a million grains has few.
// None, and a problem, if there is none that could touch anything.
std::vector<Validation::Side> Validation::sides_of(const PairModel& pair, int side, const KeyPath& key) {
  const auto k = static_cast<std::size_t>(side);
  const std::string &body_name = pair.bodies[k], &shape_name = pair.shapes[k];
  std::vector<const BodyModel*> bodies;
  const bool pattern = is_pattern(body_name);
  if (!pattern) bodies.push_back(bodies_.at(body_name));
  for (const BodyModel& each : model_.bodies) {
    if (pattern && means_body(body_name, each.name) && each.name != pair.bodies[1 - k]) bodies.push_back(&each);
  }
  std::vector<Side> sides;
  std::set<std::pair<std::string, std::string>> kinds;
  ShapesSeen seen;
  bool misspelt = false;
  for (const BodyModel* body : bodies) {
    for (const Geometry& geometry : body->geometry) {
      const bool meant = shape_name.empty() || geometry.name == shape_name;
      if (geometry.visual) {
        seen.visual = true;
        if (shape_name.empty() || !meant) continue;
        error((key / "shapes").item(k),
              {fmt::format("`{}` of `{}`, which is visual: drawn only", shape_name, body->name),
               "a shape that can touch", "leave `visual` out of that shape, or name another one"});
        return {};
      }
      seen.any = true;
      if (!geometry.name.empty() && seen.names.size() < most_problems) seen.names.push_back(geometry.name);
      if (!meant) continue;
      if (!find_shape_kind(geometry.shape)) {
        misspelt = true;  // reported at the shape
        continue;
      }
      if (!kinds.emplace(geometry.shape, geometry.material).second) continue;
      const std::string shape = geometry.name.empty() ? "the " + geometry.shape : "`" + geometry.name + "`";
      sides.push_back({shape + " of `" + body->name + "`", geometry});
    }
  }
  if (!sides.empty() || misspelt) return sides;
  if (seen.any) {
    error((key / "shapes").item(k), no_such_shape(body_name, shape_name, seen));
  } else {
    error((key / "bodies").item(k), no_shapes(body_name, seen));
  }
  return {};
}

std::vector<std::array<Validation::Side, 2>> Validation::touching_of(const PairModel& pair,
                                                                     const std::array<std::vector<Side>, 2>& sides,
                                                                     const KeyPath& key) {
  std::vector<std::array<Side, 2>> result;
  for (const Side& a : sides[0]) {
    for (const Side& b : sides[1]) {
      const Touch touch = touch_of(a.geometry, b.geometry, model_.planar);
      if (!touch.possible) continue;
      result.push_back({a, b});
      check_curve(a, key);
      check_curve(b, key);
      if (!touch.hindered.empty()) {
        report_once(Severity::error, key,
                    {fmt::format("{} and {}, {}", a.what, b.what, touch.hindered), "walls that do not meet",
                     "make it narrower than it bends; in any other groove discs alone can touch"});
      }
      if (pair.shapes[0].empty() || pair.shapes[1].empty() || touch.clearance > 0) continue;
      error(key / "shapes", {a.what + " and " + b.what + ", of which one does not fit into the other",
                             "a clearance > 0", "make the hole larger or the other smaller"});
    }
  }
  if (!result.empty()) return result;
  std::set<std::string> kinds;
  for (const auto& side : sides) {
    for (const Side& each : side) kinds.insert(each.geometry.shape);
  }
  std::string expected;
  for (const std::string& kind : kinds) {
    const auto partners = touching_kinds(kind, model_.planar);
    expected += (expected.empty() ? "" : "; ") +
                fmt::format("`{}` with {}", kind, partners.empty() ? "nothing yet" : alternatives(partners));
  }
  const bool named = !pair.shapes[0].empty() || !pair.shapes[1].empty();
  error(key / (named ? "shapes" : "bodies"),
        {sides[0][0].what + " and " + sides[1][0].what + ", a " + sides[0][0].geometry.shape + " and a " +
             sides[1][0].geometry.shape + ", which cannot touch",
         expected, ""});
  return {};
}

// Contact takes the smooth curve through the points of a profile or groove, which may cross itself where the polygon
// does not.
void Validation::check_curve(const Side& side, const KeyPath& key) {
  if (!side.geometry.settings.has("points") || !model_.planar) return;
  const auto crossing = find_curve_crossing(side.geometry);
  if (!crossing) return;
  report_once(Severity::error, key,
              {fmt::format("{}, whose smooth curve crosses itself near [{:.4g}, {:.4g}]", side.what, crossing->x(),
                           crossing->y()),
               "a curve without crossings", "add points where it bends"});
}

}  // namespace carom::inline model_io
