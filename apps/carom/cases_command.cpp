#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <memory>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/write_file.h"
#include "commands.h"
#include "recording/result_types.h"
#include "temporary_folder.h"
#include "validation/page.h"
#include "validation/read_case.h"
#include "validation/report.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

struct CasesArguments {
  std::vector<std::string> names;
  bool all = false, also_long = false, list = false, first_failure = false;

  bool every() const { return all || also_long || names.empty(); }
  std::string folder, json, page, mutation;
};

// The folder asked for; else ./cases, the one installed beside the program, the one of the source.
fs::path find_folder(const std::string& asked) {
  if (!asked.empty()) {
    if (list_cases(asked).empty())
      refuse("--folder", carom::quoted(asked), "a folder of cases, each with a case.toml", "");
    return asked;
  }
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path candidates[] = {"cases", program.parent_path().parent_path() / "share/carom/cases",
                                 CAROM_CASES_INSTALLED, CAROM_CASES_SOURCE};
  for (const fs::path& candidate : candidates) {
    if (!list_cases(candidate).empty()) return candidate;
  }
  refuse("--folder", "no folder of cases", "cases in ./cases or in the share folder",
         "name the folder with --folder DIR");
}

std::vector<Case> read_selected(const CasesArguments& arguments, const fs::path& folder) {
  const std::vector<std::string> present = list_cases(folder);
  ProblemList problems;
  std::vector<Case> cases;
  for (const std::string& name : arguments.every() ? present : arguments.names) {
    if (std::find(present.begin(), present.end(), name) == present.end()) {
      const std::string hint = did_you_mean(name, present);
      problems.add(Problem{.key = "NAME",
                           .found = carom::quoted(name),
                           .expected = "a case in " + folder.string(),
                           .remedy = hint.empty() ? "`carom cases --list` names them" : hint});
    } else {
      cases.push_back(read_case(folder / name, problems));
    }
  }
  if (problems.errors() > 0) throw InputError(problems);
  return cases;
}

int list(const std::vector<Case>& cases) {
  for (const Case& one : cases) fmt::print("{:<24} {}{}\n", one.name, one.title, one.long_run ? " (long)" : "");
  return exit_done;
}

void make_page_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw ResultError(fmt::format("{}: {}", folder.string(), error.message()));
}

// Cases that take minutes are run when they are named or asked for. Tells how many were left out.
std::size_t leave_out_long(const CasesArguments& arguments, std::vector<Case>& cases) {
  if (!arguments.every() || arguments.also_long) return 0;
  return std::erase_if(cases, [](const Case& one) { return one.long_run; });
}

// An outcome of cases that Carom wrote before: JSON has no room for another mark.
bool holds_outcomes(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string head(64, '\0');
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  std::erase_if(head, [](unsigned char c) { return std::isspace(c) != 0; });
  return head.starts_with("[{\"case\":");
}

int run_cases(const CasesArguments& arguments) {
  std::vector<Case> cases = read_selected(arguments, find_folder(arguments.folder));
  if (arguments.list) return list(cases);
  if (arguments.names.empty() && !arguments.all && !arguments.also_long) {
    list(cases);
    fmt::print(
        "\n`carom cases NAME...` runs some of them, `carom cases --all` all but the long ones, `--long` these, too\n");
    return exit_done;
  }
  const std::size_t left_out = leave_out_long(arguments, cases);
  const MutationScores scores =
      arguments.mutation.empty() ? MutationScores{} : read_mutation_scores(arguments.mutation);
  const TemporaryFolder temporary;
  if (!arguments.page.empty()) make_page_folder(arguments.page);
  std::vector<CaseResult> results;
  fmt::print("{}", table_header());
  for (const Case& one : cases) {
    results.push_back(
        run_case(one, arguments.page.empty() ? temporary.path() : fs::path(arguments.page), arguments.first_failure));
    fmt::print("{}", table_rows(results.back()));
    std::fflush(stdout);
  }
  fmt::print("{}", count_line(results));
  if (left_out > 0)
    fmt::print("{}; --long runs {}, too\n",
               left_out == 1 ? "1 long case left out" : fmt::format("{} long cases left out", left_out),
               left_out == 1 ? "it" : "them");
  if (!arguments.page.empty()) write_page(results, arguments.page, scores);
  if (!arguments.json.empty()) {
    write_file(arguments.json, to_json(results), {.written_by_carom = holds_outcomes});
  }
  return std::all_of(results.begin(), results.end(), [](const CaseResult& result) { return result.passed(); })
             ? exit_done
             : exit_failed;
}

}  // namespace

void add_cases_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<CasesArguments>();
  Command command = app.add_subcommand("cases", "Run validation cases and compare them with their references");
  command.add_option("NAME", arguments->names, "cases to run");
  command.add_flag("--all", arguments->all, "run all cases but the long ones");
  command.add_flag("--long", arguments->also_long, "run all cases, those that take minutes, too");
  command.add_flag("--list", arguments->list, "name the cases and run none");
  command.add_option("--folder", arguments->folder,
                     "folder of the cases; default: ./cases, else those that came with carom");
  command.add_option("--json", arguments->json, "also write the outcome of each quantity into this file");
  command.add_option("--page", arguments->page,
                     "write index.md, a plot of each case and the result files into this folder");
  command.add_option("--mutation", arguments->mutation,
                     "show on the page how many parameters the checks notice: the file that `./dev mutate` wrote");
  command.add_flag("--first-failure", arguments->first_failure,
                   "leave a case at its first variant that fails, and measure no convergence of it");
  command.callback([arguments, &exit_code] { exit_code = run_cases(*arguments); });
}

}  // namespace carom
