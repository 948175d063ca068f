#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "json_text.h"
#include "option_quantity.h"
#include "parts/plugins.h"
#include "recording/result_reader.h"
#include "recording/table_file.h"
#include "study_info.h"

namespace carom {
namespace {

struct InfoArguments {
  std::string result;
  bool json = false, model = false;
};

int show_study(const InfoArguments& arguments) {
  if (arguments.model)
    refuse("--model", carom::quoted(arguments.result) + ", the table of a study", "the result of one run",
           "carom run --from TABLE --run N makes one");
  const Table table = read_table_file(arguments.result);
  fmt::print("{}",
             arguments.json ? study_info_json(table, arguments.result) : study_info_text(table, arguments.result));
  return exit_done;
}

int show_info(const InfoArguments& arguments) {
  if (is_table_file(arguments.result)) return show_study(arguments);
  const ResultReader result(arguments.result);
  const ResultHeader& header = result.header();
  if (arguments.model) {
    fmt::print("{}", header.model_text);
    return exit_done;
  }
  const auto times = result.times();
  const std::string statistics = result.statistics_json();
  if (arguments.json) {
    nlohmann::ordered_json json = {{"file", arguments.result},         {"status", result.status()},
                                   {"model_file", header.model_file},  {"version", header.version},
                                   {"samples", result.sample_count()}, {"quantities", result.quantities()},
                                   {"events", result.events().size()}};
    json["settings"] = nlohmann::json::parse(header.settings_json, nullptr, false);
    json["statistics"] = statistics.empty() ? nlohmann::json() : nlohmann::json::parse(statistics, nullptr, false);
    fmt::print("{}\n", to_utf8(json));
    return exit_done;
  }
  fmt::print("{}: {}\n", arguments.result, result.status());
  if (result.status() == status_unfinished)
    fmt::print("  the run is still going, or was killed: what it had written so far is here\n");
  fmt::print("  {:<12}{}\n  {:<12}carom {}\n", "model", header.model_file, "written by", header.version);
  for (const PartSource& source : recorded_part_sources(header.settings_json))
    fmt::print("  {:<12}{}: {}\n", "parts of", source.origin, fmt::join(source.parts, ", "));
  if (times.empty()) {
    fmt::print("  {:<12}none\n", "samples");
  } else {
    fmt::print("  {:<12}{} from {:g} to {:g} s\n", "samples", times.size(), times.front(), times.back());
  }
  fmt::print("  {:<12}{}\n", "events", result.events().size());
  for (const ChannelGroup& group : header.groups) {
    std::string list;
    for (const Component& component : group.components)
      list += fmt::format("{}{} [{}]", list.empty() ? "" : ", ", component.name, component.unit);
    fmt::print("  {}\n      {}\n", group.name, list);
  }
  return exit_done;
}

}  // namespace

void add_info_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<InfoArguments>();
  Command command = app.add_subcommand("info", "Report what a result file or the table of a study holds");
  command.add_option("RESULT", arguments->result, "result file, or table of a study (HDF5)").required();
  command.add_flag("--model", arguments->model, "print the model as it was run");
  command.add_flag("--json", arguments->json, "as JSON");
  command.callback([arguments, &exit_code] { exit_code = show_info(*arguments); });
}

}  // namespace carom
