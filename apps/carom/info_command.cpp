#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "component_reference.h"
#include "json_text.h"
#include "option_quantity.h"
#include "parts/plugins.h"
#include "recording/event_times.h"
#include "recording/quantity_label.h"
#include "recording/result_reader.h"
#include "recording/select_quantities.h"
#include "recording/table_file.h"
#include "study_info.h"
#include "text_columns.h"

namespace carom {
namespace {

struct InfoArguments {
  std::string result;
  std::vector<std::string> quantities;
  bool json = false, model = false, components = false;
};

int show_study(const InfoArguments& arguments) {
  if (arguments.components || !arguments.quantities.empty())
    refuse(arguments.components ? "--components" : "QUANTITY",
           carom::quoted(arguments.result) + ", the table of a study", "the result of one run",
           "without it, what was varied and asked is listed");
  if (arguments.model)
    refuse("--model", carom::quoted(arguments.result) + ", the table of a study", "the result of one run",
           "carom run --from TABLE --run N makes one");
  const Table table = read_table_file(arguments.result);
  fmt::print("{}",
             arguments.json ? study_info_json(table, arguments.result) : study_info_text(table, arguments.result));
  return exit_done;
}

// What quantities mean: unit, sign and axes. Thousands of bodies have the same components; each list of them is shown
// once, with those that have it.
void show_meanings(const ResultReader& result, const std::vector<std::string>& patterns) {
  struct Listed {
    std::vector<std::string> groups;
    std::vector<Component> components;
  };
  std::vector<Listed> lists;
  const std::vector<std::string> chosen = select_quantities(result.quantities(), patterns);
  const std::set<std::string> wanted(chosen.begin(), chosen.end());
  for (const ChannelGroup& group : result.header().groups) {
    std::vector<Component> components;
    for (const Component& component : group.components) {
      if (wanted.contains(group.name + "." + component.name)) components.push_back(component);
    }
    if (components.empty()) continue;
    const auto same =
        std::find_if(lists.begin(), lists.end(), [&](const Listed& l) { return l.components == components; });
    if (same == lists.end()) {
      lists.push_back({{group.name}, std::move(components)});
    } else {
      same->groups.push_back(group.name);
    }
  }
  constexpr std::size_t most_named = 8;
  for (const Listed& list : lists) {
    const std::size_t named = std::min(list.groups.size(), most_named);
    fmt::print("{}{}\n", fmt::join(list.groups.begin(), list.groups.begin() + static_cast<std::ptrdiff_t>(named), ", "),
               list.groups.size() > named ? fmt::format(" and {} more", list.groups.size() - named) : "");
    std::size_t widest = 0;
    for (const Component& component : list.components)
      widest = std::max(widest, width_of(with_unit(component.name, component.unit)));
    for (const Component& component : list.components)
      fmt::print("  {}{}\n", padded(with_unit(component.name, component.unit), widest + 2), component.meaning);
  }
}

int show_info(const InfoArguments& arguments) {
  if (arguments.result.empty()) {
    if (!arguments.components) refuse_without("RESULT");
    fmt::print("{}", component_reference());
    return exit_done;
  }
  if (is_table_file(arguments.result)) return show_study(arguments);
  const ResultReader result(arguments.result);
  if (arguments.components || !arguments.quantities.empty()) {
    show_meanings(result, arguments.quantities);
    return exit_done;
  }
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
  fmt::print("  {:<12}{}\n", "events", count_events(header.event_kinds, result.events()));
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
  command.add_option("RESULT", arguments->result, "result file, or table of a study (HDF5)");
  command.add_option("QUANTITY", arguments->quantities,
                     "quantities or patterns such as joint:pin or *.status: what they mean, with unit, sign and axes");
  command.add_flag("--components", arguments->components,
                   "what all quantities of the result mean; without RESULT, those of any result (Markdown)");
  command.add_flag("--model", arguments->model, "print the model as it was run");
  command.add_flag("--json", arguments->json, "as JSON");
  command.callback([arguments, &exit_code] { exit_code = show_info(*arguments); });
}

}  // namespace carom
