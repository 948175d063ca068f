#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulation/run.h"

namespace carom::inline simulation {
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

using Json = nlohmann::ordered_json;

// Numbers that are not finite are null in JSON.
double number(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : std::numeric_limits<double>::quiet_NaN();
}

long count(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<long>() : 0;
}

std::string text(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

// A table inside another; empty where it is missing.
Json part(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_structured() ? *found : Json::object();
}

// Iterations per step: mean and most, of the three problems.
std::string iterations_text(const Json& nonsmooth) {
  const Json smooth = part(nonsmooth, "smooth"), position = part(nonsmooth, "position"),
             velocity = part(nonsmooth, "velocity");
  const auto mean = [](const Json& each) {
    return count(each, "solved") > 0 ? number(each, "iterations") / number(each, "solved") : 0.0;
  };
  return fmt::format("{:.2f} / {:.2f} / {:.2f} a step, at most {} / {} / {} (smooth motion / position / velocity)",
                     mean(smooth), mean(position), mean(velocity), count(smooth, "most"), count(position, "most"),
                     count(velocity, "most"));
}

void add_course(const Json& json, std::vector<SummaryLine>& lines) {
  const std::string analysis = text(json, "analysis");
  const double reached = number(json, "time"), end = number(json, "end");
  if (analysis == "dynamic") {
    lines.push_back(
        {"simulated time", fmt::format("{:g} s of {:g} s, {} samples", reached, end, count(json, "samples"))});
    lines.push_back({"steps", fmt::format("{} ({}), {} rejected, {} evaluations, {} factorisations",
                                          count(json, "steps"), text(json, "integrator"), count(json, "rejected_steps"),
                                          count(json, "evaluations"), count(json, "factorisations"))});
    if (const Json sizes = part(json, "step_size"); sizes.size() == 2)
      lines.push_back({"step size", fmt::format("{:.3g} … {:.3g} s", sizes[0].get<double>(), sizes[1].get<double>())});
  } else if (analysis == "kinematic") {
    lines.push_back(
        {"kinematic analysis", fmt::format("{:g} s of {:g} s, {} positions", reached, end, count(json, "samples"))});
  } else if (analysis == "static") {
    lines.push_back({"static equilibrium", text(json, "verdict")});
  } else {
    lines.push_back({"", fmt::format("{:>4}  {:>17}  {:>15}", "mode", "frequency [Hz]", "damping ratio")});
    std::size_t k = 0;
    for (const Json& mode : part(json, "modes"))
      lines.push_back({"", fmt::format("{:4}  {:17.8g}  {:15.6g}", ++k, number(mode, "frequency"),
                                       number(mode, "damping_ratio") + 0.0)});
  }
  if (const Json poles = part(part(json, "state_space"), "poles"); !poles.empty()) {
    std::string list;
    for (const Json& pole : poles) {
      const double real = pole[0].get<double>(), imaginary = pole[1].get<double>();
      if (imaginary < 0) continue;
      list += fmt::format("{}{:.6g}{}", list.empty() ? "" : ", ", real,
                          imaginary > 0 ? fmt::format(" ± {:.6g} i", imaginary) : "");
    }
    lines.push_back({"poles [1/s]", list});
  }
  lines.push_back(
      {"constraint violation", fmt::format("{:.2e} position, {:.2e} velocity", number(json, "position_drift"),
                                           number(json, "velocity_drift"))});
}

std::string in_contact(const std::string& name) {
  return name.empty() ? "" : " in " + name;
}

void add_events(const Json& e, std::vector<SummaryLine>& lines) {
  if (e.empty()) return;
  const auto at = [&](const char* which) {
    const Json event = part(e, which);
    return fmt::format("{} at {:.9g} s", text(event, "name"), number(event, "time"));
  };
  const long happened = count(e, "happened");
  lines.push_back({"events", happened == 1 ? at("first")
                                           : fmt::format("{}: first {}, last {}", happened, at("first"), at("last"))});
  if (const std::string stop = text(e, "stopped_by"); !stop.empty()) lines.push_back({"stopped by", "event:" + stop});
}

void add_contacts(const Json& c, std::vector<SummaryLine>& lines) {
  if (!(count(c, "begun") > 0 || number(c, "peak_force") > 0)) return;
  lines.push_back({"contacts", fmt::format("{} begun, {} ended, {} steps shortened", count(c, "begun"),
                                           count(c, "ended"), count(c, "steps_shortened"))});
  lines.push_back({"largest penetration", fmt::format("{:.6g} m{}", number(c, "largest_penetration"),
                                                      in_contact(text(c, "deepest_contact")))});
  lines.push_back({"peak contact force",
                   fmt::format("{:.6g} N{}", number(c, "peak_force"), in_contact(text(c, "strongest_contact")))});
  const long too_deep = count(c, "too_deep");
  lines.push_back(
      {"deepest beginning", fmt::format("{:.2e} m{}", number(c, "deepest_beginning"),
                                        too_deep > 0 ? fmt::format(", {} beyond the tolerance", too_deep) : "")});
}

void add_impacts(const Json& n, std::vector<SummaryLine>& lines) {
  if (n.empty()) return;
  const long passed_on = count(n, "passed_on"), sequence = count(n, "most_problems");
  lines.push_back(
      {"impacts", fmt::format("{}{}{}", count(n, "impacts"),
                              passed_on > 0 ? fmt::format(", {} of them passed on by closed contacts", passed_on) : "",
                              sequence > 1 ? fmt::format("; up to {} one after another in one step", sequence) : "")});
  if (const Json hardest = part(n, "hardest_impact"); !hardest.empty())
    lines.push_back({"hardest impact",
                     fmt::format("{:.6g} N in {} at {:.6g} s, over {:.3g} s", number(hardest, "peak_force"),
                                 text(hardest, "contact"), number(hardest, "time"), number(hardest, "duration"))});
  if (count(n, "cut_sequences") > 0)
    lines.push_back({"impacts cut short", fmt::format("{} sequences did not end; their rest was taken as plastic",
                                                      count(n, "cut_sequences"))});
  lines.push_back({"iterations", iterations_text(n)});
  if (count(n, "sweeps") > 0) lines.push_back({"Gauss–Seidel iterations", fmt::format("{}", count(n, "sweeps"))});
  if (count(n, "finer_steps") > 0)
    lines.push_back({"contact tolerance", fmt::format("down to {:.2g} in {} steps, so that contacts give no energy",
                                                      number(n, "finest_tolerance"), count(n, "finer_steps"))});
  if (count(n, "handed_over") > 0)
    lines.push_back({"left to Newton",
                     fmt::format("{} contact problems that the chosen solver did not solve", count(n, "handed_over"))});
  if (count(n, "halved_steps") > 0) lines.push_back({"steps halved", fmt::format("{}", count(n, "halved_steps"))});
  lines.push_back({"largest penetration", fmt::format("{:.2e} m{}", number(n, "largest_penetration"),
                                                      in_contact(text(n, "deepest_contact")))});
  if (count(n, "left_overlaps") > 0)
    lines.push_back(
        {"overlaps left", fmt::format("in {} steps, to be removed in the next ones", count(n, "left_overlaps"))});
  lines.push_back({"contact law error", fmt::format("{:.2e} m/s", number(n, "complementarity"))});
  if (count(n, "reduced_impacts") > 0)
    lines.push_back(
        {"restitution reduced",
         fmt::format("in {} impact{}, which would have gained up to {:.2e} J; first{} at {:.6g} s",
                     count(n, "reduced_impacts"), count(n, "reduced_impacts") == 1 ? "" : "s",
                     number(n, "avoided_gain"), in_contact(text(n, "reduced_contact")), number(n, "reduced_time"))});
  if (count(n, "scaled_solutions") > 0)
    lines.push_back(
        {"impulses scaled down", fmt::format("{} times, where the iterations would have given up to {:.2e} J",
                                             count(n, "scaled_solutions"), number(n, "scaled_gain"))});
  if (number(n, "energy_gain") > 0)
    lines.push_back({"gain in an impact",
                     fmt::format("{:.2e} J{}", number(n, "energy_gain"), in_contact(text(n, "gaining_contact")))});
}

void add_energy(const Json& json, std::vector<SummaryLine>& lines) {
  const Json e = part(json, "energy"), works = part(json, "work");
  const double kinetic = number(e, "kinetic"), potential = number(e, "potential"), contact = number(e, "contact"),
               largest = number(e, "largest"), residual = number(e, "largest_residual");
  const bool touched = count(part(json, "contacts"), "begun") > 0 || contact != 0;
  lines.push_back({"energy at the end",
                   fmt::format("{:.6g} J (kinetic {:.6g}, potential {:.6g}{}), supplied {:.6g}, dissipated {:.6g}",
                               kinetic + potential + contact, kinetic, potential,
                               touched ? fmt::format(", in contacts {:.6g}", contact) : "", number(e, "supplied"),
                               number(e, "dissipated"))});
  for (const auto& [name, work] : works.items())
    lines.push_back({"  by " + name, fmt::format("{:.6g} J", work.is_number() ? work.get<double>() : 0.0)});
  if (const Json others = part(json, "work_of_others"); !others.empty())
    lines.push_back({fmt::format("  by {} others", count(others, "elements")),
                     fmt::format("{:.6g} J, each less than those above", number(others, "work"))});
  // Where next to nothing moves, a share of the energy of the motion says nothing.
  const bool rounded = residual <= number(e, "rounding") && residual > rounding_share * largest;
  lines.push_back({"energy residual", rounded ? fmt::format("{:.2e} J, rounding of the energies summed", residual)
                                              : fmt::format("{:.2e} J, {:.1e} of the largest energy", residual,
                                                            largest > 0 ? residual / largest : 0.0)});
}

nlohmann::ordered_json to_json(const EventSummary& events) {
  const auto instant = [](const EventSummary::Instant& each) {
    return nlohmann::ordered_json{{"name", each.name}, {"time", each.t}};
  };
  return {{"happened", events.happened},
          {"first", instant(events.first)},
          {"last", instant(events.last)},
          {"stopped_by", events.stopped_by}};
}

nlohmann::ordered_json to_json(const LinearModel& linear) {
  const auto matrix = [](const Eigen::MatrixXd& m) {
    auto rows = nlohmann::ordered_json::array();
    for (Eigen::Index r = 0; r < m.rows(); ++r) {
      auto row = nlohmann::ordered_json::array();
      for (Eigen::Index c = 0; c < m.cols(); ++c) row.push_back(m(r, c));
      rows.push_back(row);
    }
    return rows;
  };
  const StateSpace& m = linear.matrices;
  auto poles = nlohmann::ordered_json::array();
  for (const auto& pole : m.poles) poles.push_back({pole.real(), pole.imag()});
  return {{"inputs", linear.inputs}, {"outputs", linear.outputs}, {"a", matrix(m.a)}, {"b", matrix(m.b)},
          {"c", matrix(m.c)},        {"d", matrix(m.d)},          {"poles", poles}};
}

}  // namespace

std::vector<SummaryLine> summary_lines(const std::string& statistics_json) {
  const Json json = Json::parse(statistics_json, nullptr, false);
  std::vector<SummaryLine> lines;
  if (!json.is_object()) return lines;
  const std::size_t redundant = part(json, "redundant").size();
  lines.push_back({"degrees of freedom",
                   fmt::format("{}{}", count(json, "degrees_of_freedom"),
                               redundant == 0 ? "" : fmt::format(", {} redundant constraint rows", redundant))});
  add_course(json, lines);
  add_events(part(json, "events"), lines);
  add_contacts(part(json, "contacts"), lines);
  add_impacts(part(json, "nonsmooth"), lines);
  if (text(json, "analysis") == "dynamic") add_energy(json, lines);
  for (const Json& warning : part(json, "warnings")) {
    if (warning.is_string()) lines.push_back({"warning", warning.get<std::string>()});
  }
  return lines;
}

std::string to_text(const RunSummary& summary) {
  std::string text = fmt::format("{}: {}", summary.model.empty() ? "run" : summary.model, name_of(summary.status));
  if (!summary.reason.empty()) text += "\n  " + summary.reason;
  text += "\n";
  std::vector<SummaryLine> lines = summary_lines(to_json(summary));
  lines.push_back({"wall time", fmt::format("{:.3g} s", summary.wall_seconds)});
  for (const auto& [what, value] : lines)
    text += what.empty() ? fmt::format("  {}\n", value) : fmt::format("  {:<22} {}\n", what, value);
  return text;
}

// Without the wall time: the statistics are part of the result file, whose bytes depend on the input only.
// Long: one entry per number.
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
                                 {"position_drift", summary.drift.position},
                                 {"velocity_drift", summary.drift.velocity},
                                 {"contacts",
                                  {{"begun", summary.contacts.begun},
                                   {"ended", summary.contacts.ended},
                                   {"steps_shortened", summary.contacts.shortened},
                                   {"too_deep", summary.contacts.too_deep},
                                   {"deepest_beginning", summary.contacts.deepest_beginning},
                                   {"largest_penetration", summary.contacts.largest_penetration},
                                   {"deepest_contact", summary.contacts.deepest_contact},
                                   {"peak_force", summary.contacts.peak_force},
                                   {"strongest_contact", summary.contacts.strongest_contact}}},
                                 {"energy",
                                  {{"kinetic", summary.energy.at_end.kinetic},
                                   {"potential", summary.energy.at_end.potential},
                                   {"contact", summary.energy.at_end.contact},
                                   {"supplied", summary.energy.at_end.supplied},
                                   {"dissipated", summary.energy.at_end.dissipated},
                                   {"largest_residual", summary.energy.largest_residual},
                                   {"largest", summary.energy.largest},
                                   {"rounding", summary.energy.rounding}}},
                                 {"warnings", summary.warnings}};
  if (summary.events.happened > 0) json["events"] = to_json(summary.events);
  if (summary.nonsmooth) {
    const NonsmoothStatistics& n = *summary.nonsmooth;
    const auto counts = [](const SubproblemStatistics& each) {
      return nlohmann::ordered_json{{"solved", each.solved}, {"iterations", each.iterations}, {"most", each.most}};
    };
    json["nonsmooth"] = {{"impacts", n.impacts},
                         {"passed_on", n.passed_on},
                         {"most_problems", n.most_problems},
                         {"cut_sequences", n.cut_sequences},
                         {"smooth", counts(n.smooth)},
                         {"position", counts(n.position)},
                         {"velocity", counts(n.velocity)},
                         {"line_searches", n.line_searches},
                         {"sweeps", n.gauss_seidel_iterations},
                         {"halved_steps", n.halved_steps},
                         {"handed_over", n.handed_over},
                         {"finer_steps", n.finer_steps},
                         {"finest_tolerance", n.finer_steps > 0 ? n.finest_tolerance : 0},
                         {"scaled_solutions", n.scaled_solutions},
                         {"scaled_gain", n.scaled_gain},
                         {"left_overlaps", n.left_overlaps},
                         {"largest_penetration", n.largest_penetration},
                         {"deepest_contact", n.deepest_contact},
                         {"complementarity", n.complementarity},
                         {"energy_gain", n.energy_gain},
                         {"gaining_contact", n.gaining_contact},
                         {"reduced_impacts", n.reduced_impacts},
                         {"avoided_gain", n.avoided_gain},
                         {"reduced_time", n.reduced_time},
                         {"reduced_contact", n.reduced_contact}};
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
  for (const auto& [name, work] : summary.energy.works) json["work"][name] = work;
  if (summary.energy.others > 0)
    json["work_of_others"] = {{"elements", summary.energy.others}, {"work", summary.energy.work_of_others}};
  for (const ModeSummary& mode : summary.modes)
    json["modes"].push_back({{"frequency", mode.frequency}, {"damping_ratio", mode.damping_ratio}});
  if (summary.linear) json["state_space"] = to_json(*summary.linear);
  if (summary.singular_time >= 0) json["singular_time"] = summary.singular_time;
  if (!summary.verdict.empty()) json["verdict"] = summary.verdict;
  return json.dump(2);
}

}  // namespace carom::inline simulation
