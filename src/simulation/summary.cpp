#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulation/run.h"

namespace carom {
namespace {

const char* name_of(RunStatus status) {
  switch (status) {
    case RunStatus::complete:
      return "complete";
    case RunStatus::interrupted:
      return "interrupted";
    default:
      return "failed";
  }
}

// Iterations per step: mean and most, of the three problems.
std::string iterations_text(const NonsmoothStatistics& s) {
  const auto mean = [](const SubproblemStatistics& each) {
    return each.solved > 0 ? static_cast<double>(each.iterations) / static_cast<double>(each.solved) : 0.0;
  };
  return fmt::format("{:.2f} / {:.2f} / {:.2f} a step, {} / {} / {} at the most (smooth / position / velocity)",
                     mean(s.smooth), mean(s.position), mean(s.velocity), s.smooth.most, s.position.most,
                     s.velocity.most);
}

std::string modes_text(const std::vector<ModeSummary>& modes) {
  std::string text = "  mode     frequency [Hz]    damping ratio\n";
  for (std::size_t k = 0; k < modes.size(); ++k)
    text += fmt::format("  {:4}  {:17.8g}  {:15.6g}\n", k + 1, modes[k].frequency, modes[k].damping_ratio + 0.0);
  return text;
}

}  // namespace

std::string to_text(const RunSummary& summary) {
  std::string text;
  const auto line = [&](const std::string& what, const std::string& value) {
    text += fmt::format("  {:<22} {}\n", what, value);
  };
  text += fmt::format("{}: {}", summary.model.empty() ? "run" : summary.model, name_of(summary.status));
  if (!summary.reason.empty()) text += "\n  " + summary.reason;
  text += "\n";
  const auto& assembly = summary.assembly;
  line("degrees of freedom",
       fmt::format(
           "{}{}", assembly.degrees_of_freedom,
           assembly.redundant.empty() ? "" : fmt::format(", {} redundant constraint rows", assembly.redundant.size())));
  if (summary.analysis == "dynamic") {
    line("simulated time", fmt::format("{:g} s of {:g} s, {} samples", summary.t, summary.end, summary.samples));
    const auto& s = summary.statistics;
    line("steps", fmt::format("{} ({}), {} rejected, {} evaluations, {} factorisations", s.steps, summary.integrator,
                              s.rejected, s.evaluations, s.factorisations));
    if (s.steps > 0) line("step size", fmt::format("{:.3g} … {:.3g} s", s.smallest_step, s.largest_step));
  } else if (summary.analysis == "kinematic") {
    line("kinematic analysis", fmt::format("{:g} s of {:g} s, {} positions", summary.t, summary.end, summary.samples));
  } else if (summary.analysis == "static") {
    line("static equilibrium", summary.verdict);
  } else {
    text += modes_text(summary.modes);
  }
  line("constraint violation",
       fmt::format("{:.2e} position, {:.2e} velocity", summary.position_drift, summary.velocity_drift));
  if (const ContactStatistics& c = summary.contacts; c.begun > 0 || c.peak_force > 0) {
    line("contacts", fmt::format("{} begun, {} ended, {} steps shortened", c.begun, c.ended, c.shortened));
    line("largest penetration", fmt::format("{:.6g} m in {}", c.largest_penetration, c.deepest_contact));
    line("peak contact force", fmt::format("{:.6g} N in {}", c.peak_force, c.strongest_contact));
    line("deepest beginning", fmt::format("{:.2e} m{}", c.deepest_beginning,
                                          c.too_deep > 0 ? fmt::format(", {} beyond the tolerance", c.too_deep) : ""));
  }
  if (summary.nonsmooth) {
    const NonsmoothStatistics& n = *summary.nonsmooth;
    line("impacts", fmt::format("{}, {} problems at the most in one step", n.impacts, n.most_problems));
    if (summary.hardest)
      line("hardest impact", fmt::format("{:.6g} N in {} at {:.6g} s, over {:.3g} s", summary.hardest->peak_force,
                                         summary.hardest->contact, summary.hardest->t, summary.hardest->duration));
    if (n.cut_sequences > 0)
      line("impacts cut short",
           fmt::format("{} sequences did not end; their rest was taken as plastic", n.cut_sequences));
    line("iterations", iterations_text(n));
    if (n.sweeps > 0) line("sweeps over contacts", fmt::format("{}", n.sweeps));
    if (n.halved_steps > 0) line("steps halved", fmt::format("{}", n.halved_steps));
    line("largest penetration",
         fmt::format("{:.2e} m{}", n.largest_penetration, n.deepest_contact.empty() ? "" : " in " + n.deepest_contact));
    line("contact law error", fmt::format("{:.2e} m/s", n.complementarity));
    if (n.energy_gain > 0) line("gain in an impact", fmt::format("{:.2e} J in {}", n.energy_gain, n.gaining_contact));
  }
  if (summary.analysis == "dynamic") {
    const EnergyLedger& e = summary.energy;
    line("energy at the end",
         fmt::format("{:.6g} J (kinetic {:.6g}, potential {:.6g}{}), supplied {:.6g}, dissipated {:.6g}", e.total(),
                     e.kinetic, e.potential,
                     summary.contacts.begun > 0 || e.contact != 0 ? fmt::format(", in contacts {:.6g}", e.contact) : "",
                     e.supplied, e.dissipated));
    for (const auto& [name, work] : summary.works) line("  by " + name, fmt::format("{:.6g} J", work));
    line("energy residual",
         fmt::format("{:.2e} J, {:.1e} of the largest energy", summary.largest_residual,
                     summary.largest_energy > 0 ? summary.largest_residual / summary.largest_energy : 0.0));
  }
  for (const std::string& warning : summary.warnings) line("warning", warning);
  line("wall time", fmt::format("{:.3g} s", summary.wall_seconds));
  return text;
}

// Without the wall time: the statistics are part of the result file, whose bytes depend on the input only.
std::string to_json(const RunSummary& summary) {
  const auto& s = summary.statistics;
  nlohmann::ordered_json json = {{"status", name_of(summary.status)},
                                 {"reason", summary.reason},
                                 {"model", summary.model},
                                 {"analysis", summary.analysis},
                                 {"method", summary.method},
                                 {"integrator", summary.integrator},
                                 {"constraints", summary.constraints},
                                 {"time", summary.t},
                                 {"end", summary.end},
                                 {"samples", summary.samples},
                                 {"degrees_of_freedom", summary.assembly.degrees_of_freedom},
                                 {"steps", s.steps},
                                 {"rejected_steps", s.rejected},
                                 {"evaluations", s.evaluations},
                                 {"factorisations", s.factorisations},
                                 {"newton_iterations", s.newton_iterations},
                                 {"projections", s.projections},
                                 {"restarts", s.restarts},
                                 {"position_drift", summary.position_drift},
                                 {"velocity_drift", summary.velocity_drift},
                                 {"contacts",
                                  {{"begun", summary.contacts.begun},
                                   {"ended", summary.contacts.ended},
                                   {"steps_shortened", summary.contacts.shortened},
                                   {"too_deep", summary.contacts.too_deep},
                                   {"deepest_beginning", summary.contacts.deepest_beginning},
                                   {"largest_penetration", summary.contacts.largest_penetration},
                                   {"peak_force", summary.contacts.peak_force}}},
                                 {"energy",
                                  {{"kinetic", summary.energy.kinetic},
                                   {"potential", summary.energy.potential},
                                   {"contact", summary.energy.contact},
                                   {"supplied", summary.energy.supplied},
                                   {"dissipated", summary.energy.dissipated},
                                   {"largest_residual", summary.largest_residual},
                                   {"largest", summary.largest_energy}}},
                                 {"warnings", summary.warnings}};
  if (summary.nonsmooth) {
    const NonsmoothStatistics& n = *summary.nonsmooth;
    const auto counts = [](const SubproblemStatistics& each) {
      return nlohmann::ordered_json{{"solved", each.solved}, {"iterations", each.iterations}, {"most", each.most}};
    };
    json["nonsmooth"] = {{"impacts", n.impacts},
                         {"most_problems", n.most_problems},
                         {"cut_sequences", n.cut_sequences},
                         {"smooth", counts(n.smooth)},
                         {"position", counts(n.position)},
                         {"velocity", counts(n.velocity)},
                         {"line_searches", n.line_searches},
                         {"sweeps", n.sweeps},
                         {"halved_steps", n.halved_steps},
                         {"largest_penetration", n.largest_penetration},
                         {"complementarity", n.complementarity},
                         {"energy_gain", n.energy_gain}};
    if (const auto& hardest = summary.hardest)
      json["nonsmooth"]["hardest_impact"] = {{"contact", hardest->contact},
                                             {"time", hardest->t},
                                             {"peak_force", hardest->peak_force},
                                             {"duration", hardest->duration}};
  }
  if (s.steps > 0) json["step_size"] = {s.smallest_step, s.largest_step};
  json["redundant"] = nlohmann::json::array();
  for (const RedundantRow& row : summary.assembly.redundant)
    json["redundant"].push_back({{"joint", row.joint}, {"row", row.what}});
  for (const auto& [name, work] : summary.works) json["work"][name] = work;
  for (const ModeSummary& mode : summary.modes)
    json["modes"].push_back({{"frequency", mode.frequency}, {"damping_ratio", mode.damping_ratio}});
  if (summary.singular_time >= 0) json["singular_time"] = summary.singular_time;
  if (!summary.verdict.empty()) json["verdict"] = summary.verdict;
  return json.dump(2);
}

}  // namespace carom
