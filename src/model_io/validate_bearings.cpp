#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "bearings/geometry.h"
#include "contacts/resolved_contacts.h"
#include "model/bearing_faults.h"
#include "model_io/validation.h"

// What the reader of a bearing cannot know: whether the names lead anywhere, and whether the run can have it.
namespace carom::inline model_io {

namespace {

std::optional<Complaint> complaint_of_waves(const BearingModel& bearing, double clearance) {
  double height = 0;
  for (const WavinessModel& wave : waves_of(bearing)) height += wave.amplitude;
  if (bearing.balls.empty() || height == 0 || !(height > clearance)) return std::nullopt;
  return Complaint{
      fmt::format("waves of {:g} m together", height),
      fmt::format("with the non-smooth method at most the clearance, {:g} m", std::max(0.0, clearance)),
      "rigid balls would be stuck between rigid waves: take method = \"compliant\", or a larger clearance"};
}

}  // namespace

void Validation::check_bearings() {
  TakenNames taken;
  for (std::size_t k = 0; k < model_.bearings.size(); ++k) {
    const ElementModel& element = model_.bearings[k].element;
    const KeyPath key = KeyPath::entry(KeyPath::section("bearing"), k, element.name);
    entry_ = element.where;
    check_name(element.name, key, "bearing", taken);
    check_bearing(model_.bearings[k], key);
  }
}

void Validation::check_bearing(const BearingModel& bearing, const KeyPath& key) {
  const ElementModel& element = bearing.element;
  TypeDescription type;
  type.parameters = section("bearing").parameters;
  check_references(element, type.parameters, key);
  check_placement(element, type, key);
  for (const std::string name : {"material", "ball_material"}) {
    if (element.settings.has(name)) check_material_name(element.settings.text(name), key / name);
  }
  check_contact_name(element.settings.text("contact"), key / "contact");
  if (!model_.planar) return check_rolling_bearing(bearing, key);
  const auto waves = complaint_of_waves(bearing, bearing.clearance());
  if (waves && model_.solver.method == ContactMethod::nonsmooth) error(key / "waviness", *waves);
  if (bearing.balls.empty() || model_.solver.method != ContactMethod::nonsmooth || !(bearing.clearance() < -1e-12))
    return;
  const bool twice = element.settings.has("diametric_clearance");
  error(
      key / (twice ? "diametric_clearance" : "clearance"),
      {fmt::format("a preload of {:g} m", -(twice ? 2 : 1) * bearing.clearance()),
       "no preload with the non-smooth method",
       "rigid balls cannot be pressed between rigid races: take method = \"compliant\", or a clearance of 0 or more"});
}

void Validation::check_rolling_bearing(const BearingModel& bearing, const KeyPath& key) {
  const ElementModel& element = bearing.element;
  const bool axis = given(element, key, "axis"), markers = given(element, key, "markers");
  if (axis == markers) {
    error(key / "axis", {axis ? "`axis` beside `markers`" : "nothing", "the direction of the axis of the bearing",
                         axis ? "leave it out: the markers give the axis" : "add the key `axis`, or use `markers`"});
  } else if (element.settings.has("axis") && element.settings.vector("axis").isZero(0)) {
    error(key / "axis", {"a direction of length 0", "a vector that is not zero", ""});
  }
  if (!bearing.is_element) return check_balls_in_space(bearing, key);
  const std::string races = element.settings.text("material");
  if (races.empty()) {
    return error(key / "material", {"nothing", "a material with `young` and `poisson`", "add the key `material`"});
  }
  for (const std::string& name : {races, element.settings.text("ball_material", races)}) {
    const Material* material = find_material(model_, name);
    if (!material || material->young > 0 || broken(key_of(*material) / "young")) continue;
    report_once(
        Severity::error, key_of(*material) / "young",
        {"nothing", "Young's modulus in Pa, > 0, for the stiffness of `" + key.shown + "`", "add the key `young`"});
  }
}

// What rigid balls cannot do, and what the force of a preload needs.
void Validation::check_balls_in_space(const BearingModel& bearing, const KeyPath& key) {
  const RollingGeometry geometry = stated_geometry(bearing.element.settings);
  const bool twice = bearing.element.settings.has("diametric_clearance");
  if (geometry.preload > 0 && bearing.balls.empty() && bearing.element.settings.text("material").empty())
    error(key / "material", {"nothing", "a material with `young` and `poisson`", "add the key `material`"});
  if (model_.solver.method != ContactMethod::nonsmooth) return;
  if (const auto waves = complaint_of_waves(bearing, geometry.clearance)) error(key / "waviness", *waves);
  if (geometry.contact_angle > 0)
    report(Severity::warning, key / "detail",
           {"balls that share a thrust, with the non-smooth method", "method = \"compliant\"",
            "rigid balls share it in no determined way, and each step takes many impacts: it is slow"});
  const std::string pressing = geometry.preload > 0                ? "preload"
                               : geometry.preload_displacement > 0 ? "preload_displacement"
                               : geometry.clearance < -1e-12       ? twice ? "diametric_clearance" : "clearance"
                                                                   : "";
  if (pressing.empty()) return;
  error(
      key / pressing,
      {"a preload", "no preload with the non-smooth method",
       "rigid balls cannot be pressed between rigid races: take method = \"compliant\", or a clearance of 0 or more"});
}

}  // namespace carom::inline model_io
