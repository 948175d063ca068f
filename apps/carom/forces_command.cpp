#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/problem.h"
#include "commands.h"
#include "forces_report.h"
#include "json_text.h"
#include "recording/write_csv.h"
#include "simulation/recorded_model.h"

namespace carom {
namespace {

struct ForcesArguments {
  std::string result, profile = "exact", law, split, output, history, plot;
  std::vector<std::string> contacts;
  bool json = false;
  int samples = 200;
};

const RecoveredImpact& hardest(const std::vector<RecoveredImpact>& impacts, const std::string& result) {
  const RecoveredImpact* found = nullptr;
  for (const RecoveredImpact& one : impacts) {
    if (one.unknown.empty() && (!found || one.pulse.peak_force > found->pulse.peak_force)) found = &one;
  }
  if (!found) throw ResultError(fmt::format("{} has no impact whose force can be reported", result));
  return *found;
}

std::string history_csv(const std::vector<PulseSample>& history, double friction) {
  std::string text = "time [s],penetration [m],rate [m/s],normal force [N],tangential force [N]\n";
  for (const PulseSample& sample : history)
    text += fmt::format("{},{},{},{},{}\n", sample.time, sample.penetration, sample.rate, sample.force,
                        friction * sample.force);
  return text;
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

// The impulses themselves, step by step, with the filter of the thesis.
int split_impulses(const ForcesArguments& arguments, const ResultReader& result, const Model& model,
                   const Recovery& recovery) {
  if (!arguments.history.empty()) {
    ProblemList problems;
    problems.add(Problem{.key = "--history",
                         .found = "together with --split",
                         .expected = "one of them",
                         .remedy = "-o writes the parts of each step as a table"});
    throw InputError(problems);
  }
  const bool in_three = arguments.split == "three";
  auto steps = step_impulses(result, model, arguments.contacts);
  PulseTable table(recovery.profile);
  const auto contacts = split_contacts(std::move(steps), in_three, recover_forces(result, model, recovery), table);
  if (arguments.json) {
    nlohmann::ordered_json json = {{"file", arguments.result}, {"split", arguments.split}};
    for (const SplitContact& contact : contacts) json["contacts"].push_back(json_of(contact));
    fmt::print("{}\n", to_utf8(json));
  } else {
    print_split(arguments.result, contacts, in_three);
  }
  if (!arguments.output.empty()) write_csv(arguments.output, split_csv(contacts));
  if (!arguments.plot.empty()) draw_split(contacts, arguments.plot);
  return exit_done;
}

void write_history(const ForcesArguments& arguments, const std::vector<RecoveredImpact>& impacts,
                   PulseProfile profile) {
  const RecoveredImpact& one = hardest(impacts, arguments.result);
  if (one.resolved) {
    if (!arguments.history.empty())
      throw ResultError(fmt::format(
          "{} is of the compliant method: the history of its forces are its samples; `carom export {} --csv "
          "{}` writes them",
          arguments.result, arguments.result, contact_group(one.contact)));
    return draw_impacts(one, impacts, {}, arguments.plot);
  }
  std::vector<PulseSample> history;
  if (one.passed_from.empty()) history = pulse_history(one.impact, profile, arguments.samples, one.law);
  const double friction = one.impulse > 0 ? one.tangential_impulse / one.impulse : 0;
  if (!arguments.history.empty()) write_csv(arguments.history, history_csv(history, friction));
  if (!arguments.plot.empty()) draw_impacts(one, impacts, history, arguments.plot);
}

int recover(const ForcesArguments& arguments) {
  Recovery recovery{.profile = arguments.profile == "cubic" ? PulseProfile::cubic : PulseProfile::exact,
                    .law = {},
                    .contacts = arguments.contacts};
  if (const NormalLawDescription* law = law_of(arguments.law)) recovery.law = PulseLaw{law, {}};
  const ResultReader result(arguments.result);
  const Model model = model_of(result);
  if (!arguments.split.empty()) return split_impulses(arguments, result, model, recovery);
  const std::vector<RecoveredImpact> impacts = recover_forces(result, model, recovery);
  if (recovery.law && !impacts.empty() && impacts.front().resolved)
    throw ResultError(
        fmt::format("{} is of the compliant method, whose forces follow the law of the model; --law is for impulses",
                    arguments.result));
  if (arguments.json) {
    nlohmann::ordered_json json = {{"file", arguments.result}, {"profile", arguments.profile}};
    json["impacts"] = nlohmann::ordered_json::array();
    for (const RecoveredImpact& one : impacts) json["impacts"].push_back(json_of(one));
    fmt::print("{}\n", to_utf8(json));
  } else {
    print_impacts(result, model, impacts, recovery.profile);
  }
  if (!arguments.output.empty()) write_csv(arguments.output, impacts_csv(impacts));
  if (!arguments.history.empty() || !arguments.plot.empty()) write_history(arguments, impacts, recovery.profile);
  return exit_done;
}

}  // namespace

void add_forces_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<ForcesArguments>();
  Command command =
      app.add_subcommand("forces", "Contact forces and stresses of a run, behind its impulses where it has some");
  command.add_option("RESULT", arguments->result, "result file (HDF5)").required();
  command.add_option("CONTACT", arguments->contacts, "contacts or patterns such as joint:*; default: all");
  command.add_option("--profile", arguments->profile, "exact: motion under the law; cubic: two cubics for the velocity")
      .one_of({"exact", "cubic"})
      .show_default();
  command.add_option("--law", arguments->law, "any law of `carom laws` instead of those of the model");
  command
      .add_option(
          "--split", arguments->split,
          "split the impulses of every step: two: continuous contact and impacts; three: isolated impacts apart")
      .one_of({"two", "three"});
  command.add_option("-o,--output", arguments->output,
                     "write all impacts, or the parts of all steps, as a table (CSV)");
  command.add_option("--history", arguments->history,
                     "write force, penetration and rate of the hardest impact over time (CSV)");
  command.add_option("--samples", arguments->samples, "of that history").range(2, 1000000).show_default();
  command.add_option("--plot", arguments->plot, "draw all peaks and the hardest impact (.svg, .png or .pdf)");
  command.add_flag("--json", arguments->json, "as JSON, with every impact");
  command.callback([arguments, &exit_code] { exit_code = recover(*arguments); });
}

}  // namespace carom
