#include "forces_report.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "in_unit.h"
#include "plotting/figure.h"
#include "text_columns.h"

namespace carom {
namespace {

std::string times(int count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string patch_text(const HertzPatch& patch) {
  if (!std::isfinite(patch.major_half_axis))
    return fmt::format("a strip of {} half width", in_unit(patch.minor_half_axis, 1e3, "mm"));
  if (patch.minor_half_axis > (1 - 1e-9) * patch.major_half_axis)
    return fmt::format("a patch of {} radius", in_unit(patch.major_half_axis, 1e3, "mm"));
  return fmt::format("an ellipse of {} × {} half axes", in_unit(patch.major_half_axis, 1e3, "mm"),
                     in_unit(patch.minor_half_axis, 1e3, "mm"));
}

// Hertz' theory asks for a patch that is small against the radii; a journal in its bearing may go beyond.
std::string validity_text(const HertzPatch& patch, const ContactSurfaces& surfaces) {
  constexpr double small = 0.3;
  if (!surfaces.joint || !surfaces.joint->clearance) return "";
  const double radius = surfaces.joint->clearance->bearing_radius;
  if (!(patch.minor_half_axis > small * radius)) return "";
  return fmt::format("; the patch is not small against the radius of {}: take this as an indication",
                     in_unit(radius, 1e3, "mm"));
}

void print_stresses(const Model& model, const std::map<std::string, ContactForces>& contacts) {
  for (const auto& [name, contact] : contacts) {
    if (!contact.hardest) continue;
    const ContactSurfaces surfaces = contact_surfaces(model, name);
    if (!contact.hardest->patch) {
      fmt::print("  {}: no stresses: {}\n", name,
                 surfaces.missing.empty() ? "its stiffness is not known" : surfaces.missing);
      continue;
    }
    const HertzPatch& patch = *contact.hardest->patch;
    const StressMaxima stress = stress_maxima(patch, contact.hardest->poisson);
    fmt::print("  {}: at its hardest {} on {}; shear {} at {} below, octahedral {} at {}{}\n", name,
               in_unit(patch.max_pressure, 1e-6, "MPa"), patch_text(patch), in_unit(stress.shear.value, 1e-6, "MPa"),
               in_unit(stress.shear.depth, 1e3, "mm"), in_unit(stress.octahedral.value, 1e-6, "MPa"),
               in_unit(stress.octahedral.depth, 1e3, "mm"), validity_text(patch, surfaces));
  }
}

void print_remarks(const std::map<std::string, ContactForces>& contacts, bool plastic) {
  for (const auto& [name, contact] : contacts) {
    if (contact.unknown > 0)
      fmt::print("  {}: of {} no force can be reported: {}\n", name, times(contact.unknown, "impact"), contact.why);
    if (contact.passed_on > 0)
      fmt::print(
          "  {}: {} closed without a speed of its own: the force is that of the impact it passes on, in the ratio of "
          "the "
          "impulses\n",
          name, contact.passed_on == 1 ? "1 time" : fmt::format("{} times", contact.passed_on));
    if (contact.squeezed > 0)
      fmt::print("  {}: {} squeezed a light body, whose two contacts are one spring\n", name,
                 times(contact.squeezed, "impact"));
  }
  if (plastic) fmt::print("  without rebound: the force is that of the undamped compression, until the bodies stand\n");
}

}  // namespace

void print_impacts(const ResultReader& result, const Model& model, const std::vector<RecoveredImpact>& impacts,
                   PulseProfile profile) {
  const auto contacts = by_contact(impacts);
  const bool resolved = !impacts.empty() && impacts.front().resolved;
  std::size_t width = 8;
  for (const auto& [name, contact] : contacts) width = std::max(width, width_of(name) + 2);
  const std::string way = resolved                         ? "forces as the run followed them"
                          : profile == PulseProfile::cubic ? "forces by two cubics for the velocity"
                                                           : "forces by the exact solution of the law";
  fmt::print("{}: {} of {}; {}\n", result.path().string(),
             times(static_cast<int>(impacts.size()), resolved ? "episode" : "impact"),
             times(static_cast<int>(contacts.size()), "contact"), way);
  fmt::print("  {}{:>8}{:>14}{:>14}{:>13}{:>13}{:>13}{:>16}  {}\n", padded("contact", width),
             resolved ? "episodes" : "impacts", "peak force", "at", "duration", "depth", "rebound",
             resolved ? "loss" : "closed contact", "law");
  bool plastic = false;
  for (const auto& [name, contact] : contacts) {
    const double closed = resolved ? 0 : closed_force(result, name);
    std::string last = closed < 0 ? "not recorded" : in_unit(closed, 1, "N");
    if (!contact.hardest) {
      fmt::print("  {}{:>8}{:>14}{:>83}\n", padded(name, width), contact.impacts, "not known", last);
      continue;
    }
    const RecoveredImpact& one = *contact.hardest;
    if (resolved) last = in_unit(one.dissipated, 1, "J");
    plastic = plastic || (!resolved && one.passed_from.empty() && one.impact.restitution < least_restitution);
    fmt::print("  {}{:>8}{:>14}{:>14}{:>13}{:>13}{:>13}{:>16}  {}\n", padded(name, width), contact.impacts,
               in_unit(one.pulse.peak_force, 1, "N"), in_unit(one.time, 1, "s"), in_unit(one.pulse.duration, 1e3, "ms"),
               in_unit(one.pulse.max_penetration, 1e6, "µm"),
               std::isnan(one.pulse.restitution) ? "open" : fmt::format("{:.4g}", one.pulse.restitution), last,
               one.law.description->name);
  }
  print_stresses(model, contacts);
  print_remarks(contacts, plastic);
}

nlohmann::ordered_json json_of(const RecoveredImpact& one) {
  nlohmann::ordered_json json = {{"time", one.time}, {"contact", one.contact}};
  if (!one.resolved) {
    json["impulse"] = one.impulse;
    json["tangential_impulse"] = one.tangential_impulse;
    json["effective_mass"] = one.impact.mass;
  }
  json["impact_speed"] = one.impact.speed;
  json["law"] = one.law.description->name;
  if (!one.resolved) json["restitution"] = one.impact.restitution;
  if (!one.unknown.empty()) {
    json["unknown"] = one.unknown;
    return json;
  }
  if (!one.passed_from.empty()) json["passed_from"] = one.passed_from;
  if (one.impact.backing > 0) json["backing_stiffness"] = one.impact.backing;
  json["peak_force"] = one.pulse.peak_force;
  json["duration"] = one.pulse.duration;
  json["max_penetration"] = one.pulse.max_penetration;
  if (!std::isnan(one.pulse.restitution)) json["rebound"] = one.pulse.restitution;
  json["dissipated"] = one.dissipated;
  if (one.patch) {
    const StressMaxima stress = stress_maxima(*one.patch, one.poisson);
    json["max_pressure"] = one.patch->max_pressure;
    json["mean_pressure"] = one.patch->mean_pressure;
    if (std::isfinite(one.patch->major_half_axis)) json["patch_radius"] = one.patch->major_half_axis;
    json["minor_half_axis"] = one.patch->minor_half_axis;
    json["max_shear"] = {{"stress", stress.shear.value}, {"depth", stress.shear.depth}};
    json["max_octahedral_shear"] = {{"stress", stress.octahedral.value}, {"depth", stress.octahedral.depth}};
  }
  if (!one.resolved) json["transmitted_impulse"] = one.transmitted();
  return json;
}

std::string impacts_csv(const std::vector<RecoveredImpact>& impacts) {
  std::string text =
      "time [s],contact,impulse [N s],tangential impulse [N s],impact speed [m/s],effective mass [kg],restitution,"
      "peak force [N],duration [s],penetration [m],dissipated [J],max pressure [Pa],major half axis [m],minor half "
      "axis "
      "[m],max shear [Pa],depth of max shear [m],max octahedral shear [Pa],depth of max octahedral shear [m]\n";
  for (const RecoveredImpact& one : impacts) {
    // Of contacts by forces neither impulses nor masses are known; nor is the restitution of one that has not ended.
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    text += fmt::format("{},\"{}\",{},{},{},{},{}", one.time, one.contact, one.resolved ? unknown : one.impulse,
                        one.resolved ? unknown : one.tangential_impulse, one.impact.speed,
                        one.resolved ? unknown : one.impact.mass,
                        one.resolved ? one.pulse.restitution : one.impact.restitution);
    text += one.unknown.empty() ? fmt::format(",{},{},{},{}", one.pulse.peak_force, one.pulse.duration,
                                              one.pulse.max_penetration, one.dissipated)
                                : ",nan,nan,nan,nan";
    if (!one.patch) {
      text += ",nan,nan,nan,nan,nan,nan,nan\n";
      continue;
    }
    const StressMaxima stress = stress_maxima(*one.patch, one.poisson);
    text += fmt::format(",{},{},{},{},{},{},{}\n", one.patch->max_pressure, one.patch->major_half_axis,
                        one.patch->minor_half_axis, stress.shear.value, stress.shear.depth, stress.octahedral.value,
                        stress.octahedral.depth);
  }
  return text;
}

void draw_impacts(const RecoveredImpact& one, const std::vector<RecoveredImpact>& impacts,
                  const std::vector<PulseSample>& history, const std::string& file) {
  Figure figure{.title = one.resolved ? "Forces of contacts" : "Forces behind the impulses"};
  Series peaks{.label = "", .style = Series::Style::points};
  for (const RecoveredImpact& each : impacts) {
    if (each.unknown.empty()) peaks.x.push_back(each.time), peaks.y.push_back(each.pulse.peak_force);
  }
  figure.panels.push_back({.title = one.resolved ? "All episodes" : "All impacts",
                           .x_label = "time [s]",
                           .y_label = "peak force [N]",
                           .series = {peaks}});
  if (!history.empty()) {
    Series force{.label = "normal force"}, cubic{.label = "piecewise cubic", .style = Series::Style::dashed};
    for (const PulseSample& sample : history) force.x.push_back(1e3 * sample.time), force.y.push_back(sample.force);
    for (const PulseSample& sample : pulse_history(one.impact, PulseProfile::cubic, 200, one.law))
      cubic.x.push_back(1e3 * sample.time), cubic.y.push_back(sample.force);
    figure.panels.push_back({.title = fmt::format("The hardest: {} at {:.6g} s", one.contact, one.time),
                             .x_label = "time from touch [ms]",
                             .y_label = "force [N]",
                             .series = {force, cubic}});
  }
  if (one.patch) {
    Series pressures{.label = "", .style = Series::Style::points};
    for (const RecoveredImpact& each : impacts) {
      if (each.patch) pressures.x.push_back(each.time), pressures.y.push_back(1e-6 * each.patch->max_pressure);
    }
    figure.panels.push_back({.title = "Pressure at the centre of the patch",
                             .x_label = "time [s]",
                             .y_label = "max pressure [MPa]",
                             .series = {pressures}});
  }
  write_figure(figure, file);
}

}  // namespace carom
