#include "check_report.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

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
