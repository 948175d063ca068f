#include <limits>
#include <memory>

#include <fmt/format.h>

#include "base/protected_files.h"
#include "base/write_file.h"
#include "commands.h"
#include "json_text.h"
#include "load_model.h"
#include "option_quantity.h"
#include "reporting/verification_report.h"
#include "run_with_progress.h"
#include "split_list.h"
#include "verification_text.h"

namespace carom {
namespace {

constexpr std::size_t usual_rows = 40;

struct VerifyArguments {
  std::string model, method, end, page;
  std::vector<std::string> set, quantities, reductions;
  std::size_t threads = 0;
  int required = 0;
  double patience = VerificationOptions{}.patience;
  bool all = false, json = false, quiet = false;
};

std::optional<AskedAnswers> asked(const VerifyArguments& arguments) {
  if (arguments.quantities.empty()) {
    if (!arguments.reductions.empty())
      refuse("--reduce", "no quantity to reduce", "--quantity as well", "for example --quantity joint:pin.fx");
    return std::nullopt;
  }
  AskedAnswers answers{.quantities = arguments.quantities, .reductions = {}};
  for (const std::string& text : arguments.reductions)
    for (const std::string& name : split_list(text)) answers.reductions.push_back(name);
  if (answers.reductions.empty()) answers.reductions = {"peak", "final"};
  return answers;
}

Model model_of(const VerifyArguments& arguments) {
  Model model = load_model(arguments.model, arguments.set);
  choose_method(model, arguments.method);
  if (arguments.end.empty()) return model;
  model.solver.end = quantity_option("--end", arguments.end, "s");
  if (!(model.solver.end > model.solver.start))
    refuse("--end", carom::quoted(arguments.end), fmt::format("a time after the start, {:g} s", model.solver.start));
  return model;
}

// Says what is missing or below what is asked for; the exit code.
int conclude(const Verification& verification, const VerifyArguments& arguments) {
  for (const VerificationRun& run : verification.runs) {
    if (run.outcome == VariantOutcome::complete || run.outcome == VariantOutcome::impossible) continue;
    fmt::print(stderr, "carom: the run `{}` is missing, {}{}{}\n", run.name, name_of(run.outcome),
               run.reason.empty() ? "" : ": ", run.reason);
  }
  const auto below = verification.below(arguments.required);
  for (const VerifiedAnswer* each : below)
    fmt::print(stderr, "carom: {}{} holds to {} digits, and {} are required: {}\n", each->answer.title(),
               each->answer.part.empty() ? "" : " (" + each->answer.part + ")", each->judgement.digits,
               arguments.required, each->judgement.text);
  return verification.complete() && below.empty() ? exit_done : exit_failed;
}

int verify_model(const VerifyArguments& arguments) {
  const Model model = model_of(arguments);
  if (!arguments.page.empty()) require_replaceable(arguments.page);  // before anything is computed
  const Verification verification = verify_with_progress(
      model, {.asked = asked(arguments), .threads = arguments.threads, .patience = arguments.patience},
      bar_unless(arguments.quiet || arguments.json));
  if (verification.runs.front().outcome != VariantOutcome::complete) {
    fmt::print(stderr, "carom: interrupted in the run of the model itself: there is nothing to compare yet\n");
    return exit_failed;
  }
  if (!arguments.page.empty()) write_file(arguments.page, verification_report(verification, model.text));
  if (arguments.json) {
    auto json = to_json(verification);
    if (!arguments.page.empty()) json["page"] = arguments.page;
    fmt::print("{}\n", to_utf8(json));
  } else if (!arguments.quiet) {
    fmt::print("{}", to_text(verification, arguments.all ? std::numeric_limits<std::size_t>::max() : usual_rows));
    if (!arguments.page.empty()) fmt::print("  {}\n", arguments.page);
  }
  return conclude(verification, arguments);
}

}  // namespace

void add_verify_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<VerifyArguments>();
  Command command = app.add_subcommand(
      "verify", "Run a model again, finer and by other ways, and report which answers hold to how many digits");
  command.add_option("MODEL", arguments->model, "model file (TOML)").required();
  command
      .add_option("--quantity", arguments->quantities,
                  "answers to judge instead of the usual ones: a quantity or a pattern such as joint:*.fx (repeatable)")
      .one_value_each();
  command
      .add_option("--reduce", arguments->reductions,
                  "numbers made of each --quantity: peak, max, min, mean, rms, final, count_events … as in studies; "
                  "default: peak,final")
      .one_value_each();
  command
      .add_option("--require", arguments->required,
                  "end with 1 if an answer holds to fewer digits: those of --quantity, or all")
      .range(1, most_digits);
  command.add_option("--set", arguments->set, "replace a parameter: NAME=VALUE (repeatable)").one_value_each();
  command.add_option("--method", arguments->method,
                     "treatment of contact that is judged: compliant or nonsmooth; default: that of the model");
  command.add_option("--end", arguments->end, "end of the runs, such as 0.2s; default: that of the model");
  command.add_option("--page", arguments->page, "write all of it as a page (HTML)");
  command.add_option("--threads", arguments->threads, "runs at the same time; default: as many as there are cores");
  command
      .add_option("--patience", arguments->patience,
                  "stop a run that takes so many times as long as the model's own, and more than 30 s")
      .positive()
      .show_default();
  command.add_flag("--all", arguments->all, "all answers, not only the 40 that are trusted least");
  command.add_flag("--json", arguments->json, "as JSON, with all numbers of all runs");
  command.add_flag("--quiet", arguments->quiet, "no progress, no table: what is missing and the exit code");
  command.footer(
      "Exit codes: 0 all runs came to their end, 1 a run is missing or --require is not met, 2 the input is wrong.");
  command.callback([arguments, &exit_code] { exit_code = verify_model(*arguments); });
}

}  // namespace carom
