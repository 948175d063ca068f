#include <algorithm>
#include <fstream>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <fmt/os.h>
#include <nlohmann/json.hpp>

#include "base/problem.h"
#include "commands.h"
#include "json_text.h"
#include "model_io/read_model.h"
#include "plotting/figure.h"
#include "postprocess/recover_forces.h"
#include "text_columns.h"

namespace carom {
namespace {

struct ForcesArguments {
  std::string result, profile = "exact", law, output, history, plot;
  std::vector<std::string> contacts;
  bool json = false;
  int samples = 200;
};

// What the impacts of one contact amount to.
struct ContactForces {
  int impacts = 0, unknown = 0;
  double impulse = 0;  // N s, of all impacts, without what closed contact transmits
  const RecoveredImpact* hardest = nullptr;
  std::string why;
};

std::map<std::string, ContactForces> by_contact(const std::vector<RecoveredImpact>& impacts) {
  std::map<std::string, ContactForces> contacts;
  for (const RecoveredImpact& one : impacts) {
    ContactForces& contact = contacts[one.contact.substr(0, one.contact.find(' '))];
    ++contact.impacts;
    if (!one.unknown.empty()) {
      ++contact.unknown;
      contact.why = one.unknown;
      continue;
    }
    contact.impulse += one.pulse.impulse;
    if (!contact.hardest || one.pulse.peak_force > contact.hardest->pulse.peak_force) contact.hardest = &one;
  }
  return contacts;
}

// Largest force of a closed contact at the samples; −1 when it was not recorded.
double closed_force(const ResultReader& result, const std::string& contact) {
  const auto names = result.quantities();
  if (std::find(names.begin(), names.end(), contact + ".closed_force") == names.end()) return -1;
  const auto values = result.column(contact + ".closed_force");
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

std::string number(double value, double factor, const char* unit) {
  return fmt::format("{:.5g} {}", factor * value, unit);
}

void print_table(const ResultReader& result, const std::vector<RecoveredImpact>& impacts,
                 const ForcesArguments& arguments) {
  const auto contacts = by_contact(impacts);
  std::size_t width = 8;
  for (const auto& [name, contact] : contacts) width = std::max(width, width_of(name) + 2);
  const std::string way =
      arguments.profile == "cubic" ? "two cubics for the velocity" : "the exact solution of the law";
  fmt::print("{}: {} impact{} of {} contact{}; forces by {}\n", arguments.result, impacts.size(),
             impacts.size() == 1 ? "" : "s", contacts.size(), contacts.size() == 1 ? "" : "s", way);
  fmt::print("  {}{:>8}{:>14}{:>14}{:>13}{:>13}{:>13}{:>16}  {}\n", padded("contact", width), "impacts", "peak force",
             "at", "duration", "depth", "rebound", "closed contact", "law");
  bool plastic = false;
  for (const auto& [name, contact] : contacts) {
    const double closed = closed_force(result, name);
    const std::string last = closed < 0 ? "not recorded" : number(closed, 1, "N");
    if (!contact.hardest) {
      fmt::print("  {}{:>8}{:>14}{:>83}\n", padded(name, width), contact.impacts, "not known", last);
      continue;
    }
    const RecoveredImpact& one = *contact.hardest;
    plastic = plastic || one.impact.restitution < least_restitution;
    fmt::print("  {}{:>8}{:>14}{:>14}{:>13}{:>13}{:>13}{:>16}  {}\n", padded(name, width), contact.impacts,
               number(one.pulse.peak_force, 1, "N"), number(one.time, 1, "s"), number(one.pulse.duration, 1e3, "ms"),
               number(one.pulse.max_penetration, 1e6, "µm"), fmt::format("{:.4g}", one.pulse.restitution), last,
               one.law.description->name);
  }
  for (const auto& [name, contact] : contacts) {
    if (!contact.hardest || !contact.hardest->patch) continue;
    const HertzPatch& patch = *contact.hardest->patch;
    const StressMaxima stress = stress_maxima(patch, contact.hardest->poisson);
    fmt::print("  {}: at its hardest impact {} on a patch of {} radius; shear {} at {} below, octahedral {} at {}\n",
               name, number(patch.max_pressure, 1e-6, "MPa"), number(patch.major_half_axis, 1e3, "mm"),
               number(stress.shear.value, 1e-6, "MPa"), number(stress.shear.depth, 1e3, "mm"),
               number(stress.octahedral.value, 1e-6, "MPa"), number(stress.octahedral.depth, 1e3, "mm"));
  }
  for (const auto& [name, contact] : contacts) {
    if (contact.unknown > 0)
      fmt::print("  {}: of {} impact{} no force can be told: {}\n", name, contact.unknown,
                 contact.unknown == 1 ? "" : "s", contact.why);
  }
  if (plastic) fmt::print("  without rebound: the force is that of the undamped compression, until the bodies stand\n");
}

nlohmann::ordered_json json_of(const RecoveredImpact& one) {
  nlohmann::ordered_json json = {{"time", one.time},
                                 {"contact", one.contact},
                                 {"impulse", one.impulse},
                                 {"tangential_impulse", one.tangential_impulse},
                                 {"impact_speed", one.impact.speed},
                                 {"effective_mass", one.impact.mass},
                                 {"law", one.law.description->name},
                                 {"restitution", one.impact.restitution}};
  if (!one.unknown.empty()) {
    json["unknown"] = one.unknown;
    return json;
  }
  json["peak_force"] = one.pulse.peak_force;
  json["duration"] = one.pulse.duration;
  json["max_penetration"] = one.pulse.max_penetration;
  if (one.patch) {
    const StressMaxima stress = stress_maxima(*one.patch, one.poisson);
    json["max_pressure"] = one.patch->max_pressure;
    json["patch_radius"] = one.patch->major_half_axis;
    json["max_shear"] = {{"stress", stress.shear.value}, {"depth", stress.shear.depth}};
    json["max_octahedral_shear"] = {{"stress", stress.octahedral.value}, {"depth", stress.octahedral.depth}};
  }
  json["transmitted_impulse"] = one.transmitted();
  return json;
}

// A table that is there in full, or an error that names it.
void write_file(const std::string& name, const std::string& text) {
  std::ofstream file(name);
  file << text;
  if (!file.flush().good()) throw ResultError(fmt::format("{} cannot be written", name));
}

std::string impacts_csv(const std::vector<RecoveredImpact>& impacts) {
  std::string text =
      "time [s],contact,impulse [N s],tangential impulse [N s],impact speed [m/s],effective mass [kg],restitution,"
      "peak force [N],duration [s],penetration [m]\n";
  for (const RecoveredImpact& one : impacts) {
    text += fmt::format("{},\"{}\",{},{},{},{},{}", one.time, one.contact, one.impulse, one.tangential_impulse,
                        one.impact.speed, one.impact.mass, one.impact.restitution);
    text += one.unknown.empty()
                ? fmt::format(",{},{},{}\n", one.pulse.peak_force, one.pulse.duration, one.pulse.max_penetration)
                : ",nan,nan,nan\n";
  }
  return text;
}

const RecoveredImpact& hardest(const std::vector<RecoveredImpact>& impacts, const std::string& result) {
  const RecoveredImpact* found = nullptr;
  for (const RecoveredImpact& one : impacts) {
    if (one.unknown.empty() && (!found || one.pulse.peak_force > found->pulse.peak_force)) found = &one;
  }
  if (!found) throw ResultError(fmt::format("{} has no impact whose force can be told", result));
  return *found;
}

std::string history_csv(const std::vector<PulseSample>& history, double friction) {
  std::string text = "time [s],penetration [m],rate [m/s],normal force [N],tangential force [N]\n";
  for (const PulseSample& sample : history)
    text += fmt::format("{},{},{},{},{}\n", sample.time, sample.penetration, sample.rate, sample.force,
                        friction * sample.force);
  return text;
}

void draw(const RecoveredImpact& one, const std::vector<RecoveredImpact>& impacts,
          const std::vector<PulseSample>& history, const std::string& file) {
  Figure figure{.title = "Forces behind the impulses"};
  Series peaks{.label = "peak force", .style = Series::Style::points};
  for (const RecoveredImpact& each : impacts) {
    if (each.unknown.empty()) peaks.x.push_back(each.time), peaks.y.push_back(each.pulse.peak_force);
  }
  figure.panels.push_back(
      {.title = "All impacts", .x_label = "time [s]", .y_label = "peak force [N]", .series = {peaks}});
  Series force{.label = "normal force"}, cubic{.label = "piecewise cubic", .style = Series::Style::dashed};
  for (const PulseSample& sample : history) force.x.push_back(1e3 * sample.time), force.y.push_back(sample.force);
  for (const PulseSample& sample : pulse_history(one.impact, Profile::cubic, 200, one.law))
    cubic.x.push_back(1e3 * sample.time), cubic.y.push_back(sample.force);
  figure.panels.push_back({.title = fmt::format("The hardest: {} at {:.6g} s", one.contact, one.time),
                           .x_label = "time from touch [ms]",
                           .y_label = "force [N]",
                           .series = {force, cubic}});
  write_figure(figure, file);
}

const NormalLawDescription* law_of(const std::string& name) {
  if (name.empty()) return nullptr;
  const NormalLawDescription* law = find_normal_law(name);
  if (law) return law;
  ProblemList problems;
  problems.add(
      Problem{.key = "--law", .found = name, .expected = "a normal force law", .remedy = "`carom laws` lists them"});
  throw InputError(problems);
}

// The model as it was run, from the result itself.
Model model_of(const ResultReader& result) {
  ProblemList problems;
  Model model = read_model_text(result.header().model_text, result.header().model_file, problems);
  if (problems.errors() > 0)
    throw ResultError(fmt::format("the model in {} cannot be read:\n{}", result.path().string(), problems.text()));
  return model;
}

int recover(const ForcesArguments& arguments) {
  Recovery recovery{.profile = arguments.profile == "cubic" ? Profile::cubic : Profile::exact,
                    .law = {},
                    .contacts = arguments.contacts};
  if (const NormalLawDescription* law = law_of(arguments.law)) recovery.law = PulseLaw{law, {}};
  const ResultReader result(arguments.result);
  const std::vector<RecoveredImpact> impacts = recover_forces(result, model_of(result), recovery);
  if (arguments.json) {
    nlohmann::ordered_json json = {{"file", arguments.result}, {"profile", arguments.profile}};
    json["impacts"] = nlohmann::ordered_json::array();
    for (const RecoveredImpact& one : impacts) json["impacts"].push_back(json_of(one));
    fmt::print("{}\n", to_utf8(json));
  } else {
    print_table(result, impacts, arguments);
  }
  if (!arguments.output.empty()) write_file(arguments.output, impacts_csv(impacts));
  if (arguments.history.empty() && arguments.plot.empty()) return exit_done;
  const RecoveredImpact& one = hardest(impacts, arguments.result);
  const auto history = pulse_history(one.impact, recovery.profile, arguments.samples, one.law);
  const double friction = one.impulse > 0 ? one.tangential_impulse / one.impulse : 0;
  if (!arguments.history.empty()) write_file(arguments.history, history_csv(history, friction));
  if (!arguments.plot.empty()) draw(one, impacts, history, arguments.plot);
  return exit_done;
}

}  // namespace

void add_forces_command(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<ForcesArguments>();
  CLI::App* command = app.add_subcommand("forces", "Recover the contact forces behind the impulses of a run");
  command->add_option("RESULT", arguments->result, "result file (HDF5) of the non-smooth method")->required();
  command->add_option("CONTACT", arguments->contacts, "contacts or patterns such as joint:*; default: all");
  command
      ->add_option("--profile", arguments->profile, "exact: motion under the law; cubic: two cubics for the velocity")
      ->check(CLI::IsMember({"exact", "cubic"}))
      ->capture_default_str();
  command->add_option("--law", arguments->law, "any law of `carom laws` instead of those of the model");
  command->add_option("-o,--output", arguments->output, "write all impacts as a table (CSV)");
  command->add_option("--history", arguments->history,
                      "write force, penetration and rate of the hardest impact over time (CSV)");
  command->add_option("--samples", arguments->samples, "of that history")
      ->check(CLI::Range(2, 1000000))
      ->capture_default_str();
  command->add_option("--plot", arguments->plot, "draw all peaks and the hardest impact (.svg, .png or .pdf)");
  command->add_flag("--json", arguments->json, "as JSON, with every impact");
  command->callback([arguments, &exit_code] { exit_code = recover(*arguments); });
}

}  // namespace carom
