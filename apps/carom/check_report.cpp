#include "check_report.h"

#include <iterator>

#include <fmt/format.h>

namespace carom {

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
  for (const ElementModel& joint : model.joints) {
    if (joint.clearance) add("  {:<22}{}: {:.6g} m radial\n", "clearance", joint.name, joint.clearance->radial);
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
