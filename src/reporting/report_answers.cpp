#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "durability/load_life.h"
#include "durability/rolling_life.h"
#include "model/attachment.h"
#include "model/contact_names.h"
#include "reporting/html.h"
#include "reporting/report_sections.h"
#include "reporting/report_units.h"
#include "simulation/run.h"

// What a reader wants to know first: how large forces became and where, what touched, how long bearings last.
namespace carom::inline reporting {
namespace {

constexpr std::size_t most_of_a_kind = 6;  // of one kind
constexpr std::size_t most_groups = 300;   // groups of one kind that are looked at

struct Largest {
  std::string of, what, unit;
  double value = 0, time = 0;  // SI, s
};

bool records(const ResultReader& result, const std::string& quantity) {
  const auto all = result.quantities();
  return std::find(all.begin(), all.end(), quantity) != all.end();
}

std::vector<std::string> groups_of(const ResultReader& result, const std::string& kind) {
  std::vector<std::string> names;
  for (const ChannelGroup& group : result.header().groups) {
    if (group.name.starts_with(kind) && names.size() < most_groups) names.push_back(group.name);
  }
  return names;
}

// Of the length of a vector, or of the magnitude of one number.
std::optional<Largest> largest_of(const ResultReader& result, const std::string& group,
                                  const std::vector<std::string>& components, const std::string& what) {
  std::vector<double> squares;
  std::string unit;
  for (const ChannelGroup& each : result.header().groups) {
    if (each.name != group) continue;
    for (const Component& component : each.components) {
      if (std::find(components.begin(), components.end(), component.name) == components.end()) continue;
      const std::vector<double> column = result.column(group + "." + component.name);
      squares.resize(column.size(), 0);
      for (std::size_t k = 0; k < column.size(); ++k) squares[k] += column[k] * column[k];
      unit = component.unit;
    }
  }
  Largest largest{group, what, unit};
  const std::vector<double> times = result.times();
  for (std::size_t k = 0; k < squares.size(); ++k) {
    if (squares[k] > largest.value * largest.value) largest.value = std::sqrt(squares[k]), largest.time = times[k];
  }
  return largest.value > 0 ? std::optional(largest) : std::nullopt;
}

void keep_largest(std::vector<Largest> found, std::vector<Largest>& rows) {
  std::stable_sort(found.begin(), found.end(), [](const Largest& a, const Largest& b) { return a.value > b.value; });
  if (found.size() > most_of_a_kind) found.resize(most_of_a_kind);
  rows.insert(rows.end(), found.begin(), found.end());
}

// Peaks that contacts report, also between samples; of a run by impulses without known forces, the impulses.
std::vector<Largest> largest_of_contacts(const ReportSource& source) {
  std::map<std::string, Largest> forces, impulses;
  for (const EventKind& kind : source.viewed.samples->event_kinds()) {
    const auto peak = place_of(kind, "peak_force"), when = place_of(kind, "peak_time"),
               impulse = place_of(kind, "normal_impulse");
    for (const EventRecord& event : source.viewed.samples->events()) {
      if (event.kind != kind.name) continue;
      const std::string group = contact_group(event.subject);
      const auto raise = [&](std::map<std::string, Largest>& map, const char* what, const char* unit, double value,
                             double time) {
        Largest& one = map.try_emplace(group, Largest{group, what, unit}).first->second;
        if (value > one.value) one.value = value, one.time = time;
      };
      if (peak) raise(forces, "peak normal force", "N", event.values[*peak], when ? event.values[*when] : event.time);
      if (impulse) raise(impulses, "largest normal impulse", "N s", event.values[*impulse], event.time);
    }
  }
  std::vector<Largest> found;
  for (const auto& [group, force] : forces) {
    if (force.value > 0) {
      found.push_back(force);
    } else if (const auto impulse = impulses.find(group); impulse != impulses.end() && impulse->second.value > 0) {
      found.push_back(impulse->second);
    }
  }
  return found;
}

std::vector<Largest> largest_values(const ReportSource& source) {
  const ResultReader& result = source.result;
  std::vector<Largest> rows;
  keep_largest(largest_of_contacts(source), rows);
  const std::vector<Largest> contacts = rows;
  const auto add = [&](const std::string& kind, const std::vector<std::string>& components, const std::string& what) {
    std::vector<Largest> found;
    for (const std::string& group : groups_of(result, kind)) {
      // Contacts of loose joints stand above with their peaks.
      const bool loose =
          std::any_of(contacts.begin(), contacts.end(), [&](const Largest& row) { return row.of == group; });
      if (auto one = largest_of(result, group, components, what); one && !loose) found.push_back(*one);
    }
    keep_largest(std::move(found), rows);
  };
  add("joint:", {"fx", "fy", "fz"}, "reaction force");
  add("motion:", {"force"}, "force or torque of the drive");
  add("motion:", {"power"}, "power of the drive");
  add("force:", {"force"}, "force");
  add("force:", {"torque"}, "torque");
  add("bearing:", {"largest_load"}, "load of a ball");
  add("beam:", {"largest_stress"}, "equivalent stress");
  return rows;
}

std::string largest_table(const std::vector<Largest>& rows) {
  std::vector<std::vector<std::string>> cells;
  for (const Largest& row : rows) {
    const ShownUnit shown = shown_unit(row.what, row.unit);
    cells.push_back({row.of, row.what, fmt::format("{:.5g} {}", shown.factor * row.value, shown.unit),
                     fmt::format("{:.6g} s", row.time)});
  }
  return table({"of", "what", "largest", "at"}, cells, 2);
}

double of_race(const std::vector<double>& values, std::size_t race) {
  return values.empty() ? 0 : values[std::min(race, values.size() - 1)];
}

// The bearing by its keys, as ISO 281 asks for it.
BallBearing rated(const BearingModel& bearing) {
  const Settings& settings = bearing.element.settings;
  BallBearing rated{.balls = static_cast<int>(settings.number("balls")),
                    .ball_diameter = settings.number("ball_diameter"),
                    .pitch_diameter = settings.number("pitch_diameter")};
  const auto groove = [&](std::size_t race) {
    return settings.has("groove_radius") ? of_race(settings.numbers("groove_radius"), race)
                                         : of_race(settings.numbers("conformity"), race) * rated.ball_diameter;
  };
  rated.inner_groove_radius = groove(0), rated.outer_groove_radius = groove(1);
  return rated;
}

// Of a bearing in space, from the loads of its elements.
std::string reference_life_of(const ReportSource& source, const std::string& name) {
  constexpr double any = std::numeric_limits<double>::max();
  const RecordedLife life = recorded_life(source.result, source.viewed.model, name, -any, any);
  const std::string hours =
      life.speed > 0
          ? fmt::format(", {:.4g} h at {:.5g} rpm", life_in_hours(life.revolutions, life.speed), life.speed * 30 / M_PI)
          : "";
  return paragraph(fmt::format(
      "bearing:{}: basic reference rating life L10r {:.4g} million revolutions{} (ISO/TS 16281, from the loads of its "
      "elements in this run; dynamic rating {:.5g} N by ISO 281), largest pressure {:.4g} MPa.",
      name, 1e-6 * life.revolutions, hours, life.rating, 1e-6 * life.max_pressure));
}

// A sentence about the life of each bearing.
std::string bearing_lives(const ReportSource& source) {
  std::string html;
  for (const BearingModel& bearing : source.viewed.model.bearings) {
    const std::string name = "bearing:" + bearing.element.name;
    if (bearing.is_element) {
      try {
        html += reference_life_of(source, bearing.element.name);
      } catch (const std::runtime_error& error) {
        html += paragraph(fmt::format("{}: no life: {}", name, error.what()), "note");
      }
      continue;
    }
    if (!records(source.result, name + ".fx") || !records(source.result, name + ".fy")) {
      html +=
          paragraph(name + ": no life without its forces fx and fy, which runs with contact forces record.", "note");
      continue;
    }
    try {
      LifeRequest request;
      request.load = {name + ".fx", name + ".fy"};
      request.bearing = rated(bearing);
      const AttachmentPair pair = attach_pair(source.viewed.model, bearing.element.settings);
      if (const int inner = pair.at[1].body; inner > 0) {
        const std::string speed =
            "body:" + source.viewed.model.bodies[static_cast<std::size_t>(inner) - 1].name + ".omega";
        if (records(source.result, speed)) request.speed_quantity = speed;
      }
      const LoadLife life = find_life(source.result, request);
      const bool turns = life.speed && std::abs(*life.speed) > 0;
      html += paragraph(fmt::format(
          "{}: basic rating life L10 {:.4g} million revolutions{} under the loads of this run (equivalent load {:.5g} "
          "N, dynamic rating {:.5g} N by ISO 281). `carom life` takes parts of a run, other ratings and reliabilities.",
          name, 1e-6 * life.revolutions,
          turns ? fmt::format(", {:.4g} h at {:.5g} rpm", life_in_hours(life.revolutions, std::abs(*life.speed)),
                              std::abs(*life.speed) * 30 / M_PI)
                : "",
          life.equivalent, life.rating.value_or(0)));
    } catch (const std::runtime_error& error) {
      html += paragraph(fmt::format("{}: no life: {}", name, error.what()), "note");
    }
  }
  return html;
}

}  // namespace

PageSection answers_section(const ReportSource& source) {
  std::string html;
  if (source.result.status() == status_unfinished)
    html += paragraph("The run is still going, or was killed: the page shows what it had written so far.", "warning");
  std::vector<Fact> facts;
  const std::vector<std::string> told = {"contacts", "impacts", "hardest impact", "peak contact force",
                                         "static equilibrium"};
  for (const SummaryLine& line : summary_lines(source.result.statistics_json())) {
    if (line.what == "warning") html += paragraph(line.value, "warning");
    if (std::find(told.begin(), told.end(), line.what) != told.end()) facts.push_back({line.what, line.value});
  }
  for (const std::string& warning : source.viewed.warnings) html += paragraph(warning, "warning");
  if (!facts.empty()) html += facts_table(facts);
  const std::vector<Largest> rows = largest_values(source);
  if (!rows.empty()) html += "<h3>Largest forces</h3>\n" + largest_table(rows);
  if (const std::string lives = bearing_lives(source); !lives.empty()) html += "<h3>Life of bearings</h3>\n" + lives;
  if (html.empty()) html = paragraph("Neither forces nor contacts were recorded; `output.record` chooses.");
  return {"answers", "Answers", html};
}

}  // namespace carom::inline reporting
