#include "reporting/result_report.h"

#include <fmt/format.h>

#include "base/version.h"
#include "model_io/read_model.h"
#include "model_io/recorded_files.h"
#include "recording/select_quantities.h"
#include "reporting/animation.h"
#include "reporting/html.h"
#include "reporting/report_sections.h"
#include "reporting/verification_report.h"
#include "simulation/run.h"
#include "viewing/mechanism_drawing.h"

namespace carom::inline reporting {
namespace {

constexpr std::size_t strip_positions = 6;

std::string name_of(const ReportSource& source) {
  const std::string& name = source.viewed.model.name;
  return name.empty() ? source.result.path().stem().string() : name;
}

std::string lead_of(const ReportSource& source) {
  const ResultHeader& header = source.result.header();
  const auto times = source.result.times();
  const std::string status = source.result.status();
  return fmt::format(
      "<p class=\"lead\"><span class=\"status{}\">{}</span> · {} samples from {:g} to {:g} s · model {} · carom "
      "{}</p>\n",
      status == "complete" ? " complete" : "", escaped_html(status), times.size(), times.front(), times.back(),
      escaped_html(header.model_file), escaped_html(header.version));
}

std::string list_of(const ChannelGroup& group) {
  std::string list;
  for (const Component& component : group.components)
    list += fmt::format("{}{} [{}]", list.empty() ? "" : ", ", component.name, component.unit);
  return list;
}

// Thousands of bodies have the same components; each list of them is written once.
std::vector<Fact> recorded_groups(const ResultReader& result) {
  std::vector<Fact> facts;
  std::vector<std::size_t> counts;
  constexpr std::size_t most_named = 6;
  for (const ChannelGroup& group : result.header().groups) {
    const std::string list = list_of(group);
    std::size_t k = 0;
    while (k < facts.size() && facts[k].value != list) ++k;
    if (k == facts.size()) {
      facts.push_back({"", list});
      counts.push_back(0);
    }
    if (counts[k]++ < most_named) facts[k].name += (facts[k].name.empty() ? "" : ", ") + group.name;
  }
  for (std::size_t k = 0; k < facts.size(); ++k) {
    if (counts[k] > most_named) facts[k].name += fmt::format(" and {} more", counts[k] - most_named);
  }
  return facts;
}

// Settings as they are written in a model file.
std::string setting_text(const nlohmann::ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

// The command that makes this result: what differs from the text of the model stands after it.
std::string command_of(const ReportSource& source, const nlohmann::ordered_json& settings) {
  const ResultHeader& header = source.result.header();
  std::string command = "carom run " + shell_word(header.model_file.empty() ? "model.toml" : header.model_file);
  ProblemList ignored;
  const std::filesystem::path folder = std::filesystem::path(header.model_file).parent_path();
  const UseKeptFiles kept(recorded_files(header.settings_json), folder);
  const Model as_written = read_model_text(header.model_text, header.model_file, ignored, {}, folder);
  if (ignored.errors() > 0) return command;
  for (const auto& [name, value] : source.viewed.model.parameters) {
    const auto written = as_written.parameters.find(name);
    if (written != as_written.parameters.end() && written->second == value) continue;
    command += " --set " + shell_word(fmt::format("{}={}", name, value));
  }
  if (const auto method = settings.find("method");
      method != settings.end() && method->is_string() && *method != name_of(as_written.solver.method))
    command += " --method " + shell_word(method->get<std::string>());
  return command + " -o " + shell_word(source.result.path().filename().string());
}

}  // namespace

PageSection summary_section(const ReportSource& source) {
  std::string html;
  if (source.result.status() == status_unfinished)
    html += paragraph("The run is still going, or was killed: the page shows what it had written so far.", "warning");
  std::vector<Fact> facts;
  for (const SummaryLine& line : summary_lines(source.result.statistics_json())) {
    if (line.what == "warning") {
      html += paragraph(line.value, "warning");
    } else if (!line.what.starts_with("  by ")) {  // whose work it was stands among the energies
      facts.push_back({line.what, line.value});
    }
  }
  for (const std::string& warning : source.viewed.warnings) html += paragraph(warning, "warning");
  if (facts.empty()) html += paragraph("The run has left no statistics.");
  if (!source.result.header().event_kinds.empty())
    facts.push_back({"events", fmt::format("{}", source.result.events().size())});
  html += facts_table(facts);
  html += "<h3>Recorded</h3>\n" + facts_table(recorded_groups(source.result));
  return {"summary", "Summary", html};
}

std::optional<PageSection> motion_section(const ReportSource& source) {
  if (!source.viewed.drawable || source.viewed.model.bodies.empty()) return std::nullopt;
  std::vector<Panel> positions;
  Panel mechanism;
  try {
    mechanism = draw_mechanism(source.viewed);
    positions = draw_positions(source.viewed, strip_positions);
  } catch (const ResultError& error) {
    return PageSection{"motion", "Motion", paragraph(error.what(), "note")};
  }
  mechanism.title.clear();
  for (Panel& panel : positions) panel.x_label = panel.y_label = "";
  const Animation animation = make_animation(source.viewed);
  std::string html =
      "<div class=\"player\">\n<canvas id=\"stage\" role=\"img\" aria-label=\"moving picture of the "
      "mechanism\"></canvas>\n<div class=\"controls\"><button id=\"play\" type=\"button\">Play</button>"
      "<input id=\"slider\" type=\"range\" min=\"0\" max=\"0\" step=\"any\" value=\"0\" "
      "aria-label=\"time\"><output id=\"clock\"></output><label>speed <select id=\"speed\">";
  for (const char* speed : {"0.1", "0.25", "0.5", "1", "2", "4"})
    html += fmt::format("<option{0} value=\"{1}\">{1} ×</option>", std::string(speed) == "1" ? " selected" : "", speed);
  html += "</select></label>";
  if (animation.has_forces) html += "<label><input id=\"forces\" type=\"checkbox\" checked> contact forces</label>";
  html += "</div>\n</div>\n";
  html += inline_figure({.panels = positions, .columns = static_cast<int>(positions.size() > 1 ? 2 : 1)}, "", "strip");
  html += paragraph(
      fmt::format("{}{}",
                  animation.stride == 1 ? fmt::format("All {} samples.", animation.shown)
                                        : fmt::format("{} of {} samples, every {}.", animation.shown,
                                                      source.viewed.samples->times().size(), animation.stride),
                  source.viewed.model.planar ? "" : " Drag to turn."),
      "note");
  html += inline_figure({.panels = {mechanism}, .width = 560},
                        "Positions of the run that differ most; the first one is filled.");
  html += fmt::format("<script type=\"application/json\" id=\"scene\">{}</script>\n", escaped_json(animation.scene));
  html += fmt::format("<script type=\"text/plain\" id=\"frames\">{}</script>\n", animation.frames);
  return PageSection{"motion", "Motion", html};
}

PageSection model_section(const ReportSource& source) {
  return {"model", "Model", listing(source.result.header().model_text), true};
}

PageSection reproduction_section(const ReportSource& source) {
  const ResultHeader& header = source.result.header();
  const auto settings = nlohmann::ordered_json::parse(header.settings_json, nullptr, false);
  std::string html = fmt::format(
      "<p>The model above, run by carom {}, gives these numbers again:</p>\n<pre>{}\n{}</pre>\n",
      escaped_html(header.version),
      escaped_html(fmt::format("carom info {} --model > {}", shell_word(source.result.path().filename().string()),
                               shell_word(header.model_file.empty() ? "model.toml" : header.model_file))),
      escaped_html(command_of(source, settings)));
  std::vector<Fact> facts = {{"carom", header.version}, {"model file", header.model_file}};
  std::vector<Fact> parameters;
  if (settings.is_object()) {
    for (const auto& [name, value] : settings.items()) {
      if (name == "files") {
        for (const auto& [file, text] : value.items()) facts.push_back({"file", file});
        continue;
      }
      if (name != "parameters") {
        facts.push_back({name, setting_text(value)});
        continue;
      }
      for (const auto& [parameter, number] : value.items()) parameters.push_back({parameter, setting_text(number)});
    }
  }
  facts.push_back({"seed", fmt::format("{}", header.seed)});
  html += "<h3>Settings after defaults, SI</h3>\n" + facts_table(facts);
  if (!parameters.empty()) html += "<h3>Parameters, SI</h3>\n" + facts_table(parameters);
  html += paragraph(fmt::format("Page written by carom {}.", carom_version), "note");
  return {"reproduction", "How to get this result again", html};
}

std::string result_report(const std::filesystem::path& file, const ReportOptions& options) {
  const ResultReader result(file);
  if (result.sample_count() == 0)
    throw ResultError(fmt::format("{} holds no samples to report; its status is: {}", file.string(), result.status()));
  select_quantities(result.quantities(), options.quantities);  // an unknown one ends the work before it begins
  const Viewed viewed = view_result(file);
  auto statistics = nlohmann::ordered_json::parse(result.statistics_json(), nullptr, false);
  if (!statistics.is_object()) statistics = nlohmann::ordered_json::object();
  const ReportSource source{result, viewed, statistics};

  Page page{.title = name_of(source), .lead = lead_of(source)};
  const auto add = [&](std::optional<PageSection> section) {
    if (section) page.sections.push_back(std::move(*section));
  };
  add(summary_section(source));
  add(motion_section(source));
  add(plots_section(source, options.quantities));
  add(events_section(source, options.events));
  add(forces_section(source));
  add(energy_section(source));
  if (options.verification)
    for (PageSection& section : verification_sections(*options.verification)) add(std::move(section));
  add(reproduction_section(source));
  add(model_section(source));
  page.script = animation_js;
  return html_of(page);
}

}  // namespace carom::inline reporting
