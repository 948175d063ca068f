#include "check_report.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "bearings/quasi_static.h"
#include "durability/rolling_life.h"

namespace carom {
namespace {

std::string mass_text(const BodyModel& body, bool planar) {
  const Eigen::Vector3d& centre = body.center_of_mass;
  const Eigen::Matrix3d& inertia = body.inertia;
  std::string text = fmt::format("{}: {:.6g} kg, mass centre ", body.grid.empty() ? body.name : body.grid, body.mass);
  if (planar)
    return text + fmt::format("[{:.6g}, {:.6g}] m, inertia {:.6g} kg m²", centre.x(), centre.y(), inertia(2, 2));
  text += fmt::format("[{:.6g}, {:.6g}, {:.6g}] m, inertia [{:.6g}, {:.6g}, {:.6g}", centre.x(), centre.y(), centre.z(),
                      inertia(0, 0), inertia(1, 1), inertia(2, 2));
  const double products = std::max({std::abs(inertia(0, 1)), std::abs(inertia(0, 2)), std::abs(inertia(1, 2))});
  if (products > 1e-12 * inertia.trace())
    text += fmt::format(", {:.6g}, {:.6g}, {:.6g}", inertia(0, 1), inertia(0, 2), inertia(1, 2));
  return text + "] kg m²";
}

// Micrometres, as clearances are.
std::string in_micrometres(double length) {
  return fmt::format("{:.4g} um", 1e6 * length);
}

std::string preload_text(const RollingGeometry& geometry) {
  if (geometry.preload > 0)
    return fmt::format("preload {:.6g} N by pushing the rings {} together", geometry.preload,
                       in_micrometres(QuasiStaticBearing(geometry).preload_displacement()));
  if (geometry.preload_displacement > 0)
    return "rings pushed together by " + in_micrometres(geometry.preload_displacement);
  if (geometry.clearance < 0) return "elements pressed in, radial clearance " + in_micrometres(2 * geometry.clearance);
  return geometry.clearance > 0 ? "radial clearance " + in_micrometres(2 * geometry.clearance)
                                : "neither clearance nor preload";
}

// Its kind, what is inside, how it is mounted, and what it bears: a line each.
std::vector<std::string> bearing_lines(const Model& model, const BearingModel& bearing) {
  const RollingGeometry geometry = rolling_geometry(model, bearing);
  const std::string designation = bearing.element.settings.text("designation");
  const bool elastic = geometry.composite_modulus[0] > 0 && std::isfinite(geometry.composite_modulus[0]);
  constexpr double per_mm = 1e3, degrees = 180 / M_PI;
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{}: {}{}{}", bearing.element.name, name_of(geometry.type),
                              designation.empty() ? "" : " " + designation,
                              bearing.is_element ? "" : ", elements are bodies"));
  lines.push_back(fmt::format(
      "{} of {} {} of {:.6g} mm{} on {:.6g} mm, contact angle {:.4g} deg{}",
      geometry.rows.size() == 1 ? "1 row" : fmt::format("{} rows", geometry.rows.size()), geometry.elements,
      geometry.balls() ? "balls" : "rollers", per_mm * geometry.element_diameter,
      geometry.balls() ? "" : fmt::format(" by {:.6g} mm", per_mm * geometry.length), per_mm * geometry.pitch_diameter,
      degrees * geometry.contact_angle, geometry.estimated ? "; inside estimated from the designation" : ""));
  if (geometry.balls()) {
    lines.push_back(fmt::format("grooves of {:.5g} and {:.5g} ball diameters, inner and outer",
                                geometry.groove_radius[0] / geometry.element_diameter,
                                geometry.groove_radius[1] / geometry.element_diameter));
  } else {
    lines.push_back(fmt::format("profile {}, crowning {}, {} slices", name_of(geometry.profile),
                                in_micrometres(geometry.crowning), geometry.slices));
  }
  if (!elastic) return lines;
  lines.push_back(preload_text(geometry));
  lines.push_back(fmt::format("C {:.4g} kN (ISO 281), C0 {:.4g} kN (ISO 76), from these dimensions",
                              1e-3 * dynamic_rating(geometry), 1e-3 * static_rating(geometry)));
  return lines;
}

}  // namespace

bool is_from_shapes(const BodyModel& body) {
  return body.mass_from_shapes || body.inertia_from_shapes;
}

std::string check_report(const Model& model, const System& system, const AssemblyReport& report) {
  std::string text;
  const auto add = [&]<class... T>(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(text), format, std::forward<T>(values)...);
  };
  add("{}: {} model\n", model.name.empty() ? model.file : model.name, model.planar ? "planar" : "spatial");
  add("  {:<22}{}\n", "bodies", model.bodies.size());
  add("  {:<22}{}\n", "joints", model.joints.size());
  add("  {:<22}{}\n", "drives", model.motions.size());
  add("  {:<22}{}\n", "force elements", model.forces.size());
  if (!model.pairs.empty()) add("  {:<22}{}\n", "contact pairs", model.pairs.size());
  for (const ContactModel& contact : model.contacts) {
    if (contact.region == ContactRegion::area && model.solver.method == ContactMethod::compliant)
      add("  {:<22}{}: meshes on planes, boxes and meshes by a potential, other solids by boundary elements\n",
          "pressure over areas", contact.name);
  }
  for (const ElementModel& joint : model.joints) {
    if (joint.clearance) add("  {:<22}{}: {:.6g} m radial\n", "clearance", joint.name, joint.clearance->radial);
  }
  for (const BearingModel& bearing : model.bearings) {
    const char* title = "rolling bearing";
    for (const std::string& line : bearing_lines(model, bearing)) add("  {:<22}{}\n", std::exchange(title, ""), line);
  }
  for (const BodyModel& body : model.bodies) {
    const bool copy = !body.grid.empty() && body.name != body.grid + "1";  // one for all
    if (is_from_shapes(body) && !copy) add("  {:<22}{}\n", "mass from shapes", mass_text(body, model.planar));
  }
  add("  {:<22}{} degrees of freedom − {} constraint rows{} = {}\n", "degrees of freedom", system.velocity_size(),
      system.active_constraints(),
      report.redundant.empty() ? "" : fmt::format(" + {} redundant", report.redundant.size()),
      report.degrees_of_freedom);
  for (const RedundantRow& row : report.redundant) add("  {:<22}{}: {}\n", "redundant", row.joint, row.what);
  if (!report.assembled) {
    add("  {:<22}no\n", "assembled");
    for (const auto& joint : report.worst) add("    {:<20}residual {:.3e}\n", joint.joint, joint.residual);
    return text;
  }
  add("  {:<22}yes, residual {:.1e} after {} iterations; bodies moved up to {:.3g} m and {:.3g} rad\n", "assembled",
      report.residual, report.iterations, report.moved, report.turned);
  add("  {:<22}{:.1e}\n", "velocity residual", report.velocity_residual);
  if (!report.warning.empty()) add("  {:<22}{}\n", "warning", report.warning);
  return text;
}

}  // namespace carom
