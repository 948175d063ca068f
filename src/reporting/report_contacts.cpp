#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "force_recovery/contact_forces.h"
#include "recording/quantity_label.h"
#include "reporting/html.h"
#include "reporting/report_sections.h"
#include "reporting/report_units.h"

namespace carom::inline reporting {
std::optional<std::size_t> place_of(const EventKind& kind, const std::string& value) {
  for (std::size_t k = 0; k < kind.values.size(); ++k) {
    if (kind.values[k].name == value) return k;
  }
  return std::nullopt;
}

namespace {

// What is shown of an event, as far as its kind has it.
const std::vector<std::string> shown_values = {"impact_speed",   "approach_speed",     "separation_speed",
                                               "normal_impulse", "tangential_impulse", "largest_penetration",
                                               "peak_force",     "duration",           "dissipated"};

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.5g}", value) : "–";
}

std::string words(const std::string& name) {
  std::string text = name;
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string events_table(const EventKind& kind, const std::vector<EventRecord>& all, std::size_t most) {
  const std::size_t force = *place_of(kind, "peak_force");
  std::vector<const EventRecord*> events;
  for (const EventRecord& event : all) {
    if (event.kind == kind.name) events.push_back(&event);
  }
  // Where no force can be reported, by their impulses.
  const auto impulse = place_of(kind, "normal_impulse");
  const bool by_force = !impulse || std::any_of(events.begin(), events.end(),
                                                [&](const EventRecord* event) { return event->values[force] > 0; });
  const std::size_t sorted_by = by_force ? force : *impulse;
  const char* what_is_large = by_force ? "force" : "impulse";
  const auto strength = [&](const EventRecord* event) {
    return std::isfinite(event->values[sorted_by]) ? event->values[sorted_by] : -1.0;
  };
  std::stable_sort(events.begin(), events.end(),
                   [&](const EventRecord* a, const EventRecord* b) { return strength(a) > strength(b); });
  const std::size_t total = events.size();
  if (total > most) events.resize(most);
  std::vector<std::string> head = {"contact", "time [s]"};
  for (const std::string& value : shown_values) {
    if (const auto at = place_of(kind, value))
      head.push_back(with_unit(words(value), shown_unit(value, kind.values[*at].unit).unit));
  }
  std::vector<std::vector<std::string>> rows;
  for (const EventRecord* event : events) {
    std::vector<std::string> row = {event->subject, fmt::format("{:.7g}", event->time)};
    for (const std::string& value : shown_values) {
      const auto at = place_of(kind, value);
      if (!at) continue;
      const bool unknown = value == "peak_force" && !by_force;  // 0 says so
      row.push_back(unknown ? "–" : number(shown_unit(value, kind.values[*at].unit).factor * event->values[*at]));
    }
    rows.push_back(std::move(row));
  }
  const char* what = kind.name == "impact" ? "impacts" : "episodes of contact that have ended";
  const std::string title = total > most
                                ? fmt::format("The {} with the largest {} of {} {}.", most, what_is_large, total, what)
                                : fmt::format("All {} {}, the largest {} first.", total, what, what_is_large);
  return paragraph(title) + table(head, rows, 1);
}

std::string patch_text(const HertzPatch& patch) {
  if (!std::isfinite(patch.major_half_axis)) return fmt::format("strip, {:.4g}", 1e3 * patch.minor_half_axis);
  return fmt::format("{:.4g} × {:.4g}", 1e3 * patch.major_half_axis, 1e3 * patch.minor_half_axis);
}

// A row for every contact, and what is to be said of them.
struct ForceTable {
  bool resolved = false;  // the run followed the forces itself
  bool stresses = false;  // of some contact they are known
  std::vector<std::vector<std::string>> rows = {};
  std::string remarks = {};
};

std::vector<std::string> force_columns(const ForceTable& table) {
  std::vector<std::string> head = {"contact",        "law",     table.resolved ? "episodes" : "impacts",
                                   "peak force [N]", "at [s]",  "duration [ms]",
                                   "depth [µm]",     "rebound", "closed contact [N]"};
  if (table.stresses) head.insert(head.end(), {"pressure [MPa]", "patch, half axes [mm]", "shear [MPa] at depth [mm]"});
  return head;
}

// Columns that are not known are left out; the table is filled up at the end.
void add_forces(const ReportSource& source, const std::string& name, const ContactForces& contact, ForceTable& table) {
  const auto remark = [&](const std::string& text) { table.remarks += paragraph(name + ": " + text, "note"); };
  if (contact.unknown > 0)
    remark(fmt::format("of {} of them no force can be reported: {}", contact.unknown, contact.why));
  std::vector<std::string>& row = table.rows.emplace_back();
  row = {name, "–", fmt::format("{}", contact.impacts)};
  if (!contact.hardest) return;
  const RecoveredImpact& one = *contact.hardest;
  row[1] = one.law.description->name;
  for (const double value : {one.pulse.peak_force, one.time, 1e3 * one.pulse.duration, 1e6 * one.pulse.max_penetration,
                             one.pulse.restitution})
    row.push_back(number(value));
  const double closed = table.resolved ? -1 : closed_force(source.result, name);
  row.push_back(closed < 0 ? "–" : number(closed));
  if (one.patch) {
    const StressMaxima stress = stress_maxima(*one.patch, one.poisson);
    table.stresses = true;
    row.insert(row.end(),
               {number(1e-6 * one.patch->max_pressure), patch_text(*one.patch),
                fmt::format("{} at {}", number(1e-6 * stress.shear.value), number(1e3 * stress.shear.depth))});
  } else {
    const std::string missing = contact_surfaces(source.viewed.model, name).missing;
    remark("no stresses: " + (missing.empty() ? "its stiffness is not known" : missing));
  }
}

}  // namespace

std::optional<PageSection> events_section(const ReportSource& source, std::size_t most) {
  const auto& events = source.viewed.samples->events();
  std::string html;
  for (const EventKind& kind : source.viewed.samples->event_kinds()) {
    const bool happened =
        std::any_of(events.begin(), events.end(), [&](const EventRecord& event) { return event.kind == kind.name; });
    if (!place_of(kind, "peak_force")) {
      const auto count = std::count_if(events.begin(), events.end(),
                                       [&](const EventRecord& event) { return event.kind == kind.name; });
      html += paragraph(fmt::format("{} events of kind “{}”.", count, kind.name));
    } else if (happened) {
      html += events_table(kind, events, most);
    }
  }
  if (html.empty() || events.empty()) return std::nullopt;
  return PageSection{"events", "Contact events", html};
}

std::optional<PageSection> forces_section(const ReportSource& source) {
  if (!source.viewed.drawable || source.viewed.samples->events().empty()) return std::nullopt;
  std::vector<RecoveredImpact> impacts;
  try {
    impacts = recover_forces(source.result, source.viewed.model, {});
  } catch (const ResultError&) {
    return std::nullopt;  // no contacts
  }
  if (impacts.empty()) return std::nullopt;
  ForceTable forces{.resolved = impacts.front().resolved};
  for (const auto& [name, contact] : by_contact(impacts)) add_forces(source, name, contact, forces);
  const std::vector<std::string> head = force_columns(forces);
  for (auto& row : forces.rows) row.resize(head.size(), "–");
  const std::string way = forces.resolved
                              ? "The hardest episode of each contact, as the run followed it."
                              : "The hardest impact of each contact; the forces behind the impulses are recovered by "
                                "the exact solution of the contact's law.";
  return PageSection{"forces", "Contact forces and stresses",
                     paragraph(way) + table(head, forces.rows, 2) + forces.remarks};
}

}  // namespace carom::inline reporting
