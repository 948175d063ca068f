#include "simulation/start.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/problem.h"

namespace carom {
namespace {

// The model with its clearance joints made ideal; none when it has no such joint.
std::optional<Model> with_ideal_joints(const Model& model) {
  const auto loose = [](const ElementModel& joint) { return joint.clearance.has_value(); };
  if (std::none_of(model.joints.begin(), model.joints.end(), loose)) return std::nullopt;
  Model ideal = model;
  for (ElementModel& joint : ideal.joints) joint.clearance.reset();
  return ideal;
}

// Whether joints are closed, and journals inside their bearings, where the file puts the bodies.
bool stands_in_its_play(System& system, const State& state) {
  constexpr double closed = 1e-9;  // of the typical length
  const double tolerance = closed * system.length_scale();
  Eigen::VectorXd residual;
  system.position_residual(state.t, state.q.data(), residual);
  if (residual.size() > 0 && !(residual.lpNorm<Eigen::Infinity>() <= tolerance)) return false;
  ContactPoints& contacts = *system.contacts();
  contacts.refresh_contacts(state);
  std::vector<ContactReading> readings;
  contacts.read_contacts(state, readings);
  for (int k = 0; k < contacts.contact_points(); ++k) {
    if (contacts.contact_name(k).starts_with("joint:") && readings[k].penetration > tolerance) return false;
  }
  return true;
}

// Velocities are those of ideal joints; places, too, unless the file gives places that fit.
AssemblyReport assemble_as_ideal(System& system, const Model& ideal, State& state) {
  const auto tight = System::create(ideal);
  State start = tight->initial_state();
  AssemblyReport report = assemble(*tight, ideal, start);
  state.v = start.v;
  if (stands_in_its_play(system, state)) {
    system.project_velocity(state.t, state.q.data(), state.v.data());
  } else {
    state.q = start.q;
  }
  report.redundant = system.redundant_rows(state.t, state.q.data());
  report.degrees_of_freedom =
      system.velocity_size() - system.active_constraints() + static_cast<int>(report.redundant.size());
  system.forget_turns(state.q.data());
  return report;
}

// Fixed steps must resolve an impact; how long one takes follows from the materials.
std::optional<std::string> advise_step(const ContactPoints& contacts, double step) {
  constexpr double steps_per_impact = 50, usual_speed = 1;  // m/s
  double shortest = std::numeric_limits<double>::infinity();
  std::string contact;
  for (int k = 0; k < contacts.contact_points(); ++k) {
    const double duration = contacts.impact_duration(k, usual_speed);
    if (duration < shortest) shortest = duration, contact = contacts.contact_name(k);
  }
  if (!(step > shortest / steps_per_impact)) return std::nullopt;
  return fmt::format(
      "an impact at {:g} m/s in {} lasts {:.3g} s; a fixed step should not exceed {:.2g} s, it is {:g} s", usual_speed,
      contact, shortest, shortest / steps_per_impact, step);
}

// A contact that is there from the start, or begins at rest, has no impact speed to damp by.
std::optional<std::string> warn_of_resting_contacts(const ContactPoints& contacts) {
  for (int k = 0; k < contacts.contact_points(); ++k) {
    if (!contacts.touches(k) || !contacts.is_stiff_at_rest(k)) continue;
    return fmt::format(
        "{} is closed at the start without an impact: its law damps as for an impact at minimum_speed, which is very "
        "stiff; slow_contact = \"elastic\", a larger minimum_speed or the law `marhefka-orin` avoid that",
        contacts.contact_name(k));
  }
  return std::nullopt;
}

}  // namespace

AssemblyReport assemble_start(System& system, const Model& model, State& state) {
  state = system.initial_state();
  const auto ideal = with_ideal_joints(model);
  AssemblyReport report = ideal ? assemble_as_ideal(system, *ideal, state) : assemble(system, model, state);
  if (!report.assembled) {
    ProblemList problems;
    problems.add(Problem{.file = model.file,
                         .where = {},
                         .key = "joint",
                         .found = unassemblable_message(report),
                         .expected = "a configuration in which all joints close",
                         .remedy = "correct the positions, points or lengths of the joints named"});
    throw InputError(problems);
  }
  return report;
}

std::vector<std::string> assembly_warnings(const AssemblyReport& report) {
  std::vector<std::string> warnings;
  if (!report.warning.empty()) warnings.push_back(report.warning);
  if (!report.redundant.empty()) {
    warnings.push_back(
        fmt::format("{} redundant constraint row{}: {}; the motion is unique, the reactions of the joints in these "
                    "loops are one choice of many",
                    report.redundant.size(), report.redundant.size() == 1 ? "" : "s", list_rows(report.redundant)));
  }
  return warnings;
}

std::string list_rows(const std::vector<RedundantRow>& rows) {
  std::string names;
  for (const RedundantRow& row : rows)
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", row.joint, row.what);
  return names;
}

void refuse_overlaps(const Model& model, const std::vector<InitialOverlap>& overlaps) {
  ProblemList problems;
  for (const InitialOverlap& overlap : overlaps) {
    problems.add(Problem{
        .file = model.file,
        .where = {},
        .key = overlap.contact,
        .found = fmt::format("bodies that lie {:.4g} m deep in each other at the start", overlap.penetration),
        .expected = fmt::format("no overlap beyond penetration_tolerance = {:g} m", model.solver.penetration_tolerance),
        .remedy = "move them apart, or set allow_initial_penetration = true in the pair"});
  }
  if (problems.errors() > 0) throw InputError(problems);
}

std::vector<std::string> contact_warnings(const ContactPoints& contacts, const SolverSettings& settings) {
  std::vector<std::string> warnings = contacts.contact_remarks();
  const auto add = [&](const std::optional<std::string>& warning) {
    if (warning) warnings.push_back(*warning);
  };
  if (settings.step > 0) add(advise_step(contacts, settings.step));
  add(warn_of_resting_contacts(contacts));
  return warnings;
}

}  // namespace carom
