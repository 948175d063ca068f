#include "analyses/assembly.h"

#include <algorithm>

#include <fmt/format.h>

#include "analyses/close_loops.h"
#include "analyses/consistent_velocity.h"

namespace carom::inline analyses {
namespace {

void measure_displacement(const System& system, const Model& model, const State& from, const State& to,
                          AssemblyReport& report) {
  const int axes = model.planar ? 2 : 3, dofs = model.planar ? 3 : 6;
  Eigen::VectorXd change(system.velocity_size());
  system.increment(from.q.data(), to.q.data(), change.data());
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) {
    report.moved = std::max(report.moved, change.segment(dofs * b, axes).norm());
    report.turned = std::max(report.turned, change.segment(dofs * b + axes, dofs - axes).norm());
  }
}

}  // namespace

AssemblyReport assemble(System& system, const Model& model, State& state) {
  AssemblyReport report;
  const State file = state;
  const Closure closure = close_loops_from_afar(system, state);
  report.assembled = closure.closed;
  report.iterations = closure.iterations;
  report.residual = closure.residual;
  report.worst = system.residual_by_joint(state.t, state.q.data());
  std::stable_sort(report.worst.begin(), report.worst.end(),
                   [](const auto& a, const auto& b) { return a.residual > b.residual; });
  measure_displacement(system, model, file, state, report);
  report.redundant = system.redundant_rows(state.t, state.q.data());
  report.degrees_of_freedom =
      system.velocity_size() - system.active_constraints() + static_cast<int>(report.redundant.size());
  if (!report.assembled) return report;

  const VelocityReport velocity = find_consistent_velocity(system, model, state);
  report.velocity_residual = velocity.residual;
  report.velocity_change = velocity.change;
  report.warning = velocity.warning;
  system.accept(state.t, state.q.data(), state.v.data());
  return report;
}

std::string unassemblable_message(const AssemblyReport& report) {
  std::string text =
      fmt::format("the mechanism cannot be assembled: after {} iterations the joints stay open", report.iterations);
  int named = 0;
  for (const System::JointResidual& joint : report.worst) {
    if (named == 5 || joint.residual < 0.01 * report.worst.front().residual) break;
    text += fmt::format("{} {} by {:.3g}", named == 0 ? ":" : ",", joint.joint, joint.residual);
    ++named;
  }
  text +=
      " (m, or rad for angles). Check the lengths of the bodies, the points of these joints and the drives at the "
      "start";
  return text;
}

}  // namespace carom::inline analyses
