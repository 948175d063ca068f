#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "forces_report.h"
#include "in_unit.h"
#include "plotting/figure.h"
#include "text_columns.h"

namespace carom {
namespace {

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double largest(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

// The force behind an impact part: that of an impact of the same mass and restitution whose speed makes this impulse.
double force_of(double impulse, const RecoveredImpact& like, PulseTable& table) {
  if (!like.unknown.empty() || !(impulse > 0)) return 0;
  if (!like.passed_from.empty() || !is_known(like.impact))
    return like.impulse > 0 ? like.pulse.peak_force * impulse / like.impulse : 0;
  Impact impact = like.impact;
  impact.speed = impulse / (impact.mass * (1 + impact.restitution));
  impact.load = 0;
  return table.pulse(impact, like.law).peak_force;
}

}  // namespace

std::vector<SplitContact> split_contacts(std::vector<StepImpulses> all, bool in_three,
                                         const std::vector<RecoveredImpact>& impacts, PulseTable& table) {
  std::vector<SplitContact> contacts;
  for (StepImpulses& steps : all) {
    SplitContact contact{std::move(steps), {}, {}};
    contact.parts = split(contact.steps, in_three);
    contact.force.assign(contact.steps.normal.size(), 0.0);
    // An impact belongs to the sample at the end of its step.
    std::size_t step = 0;
    for (const RecoveredImpact& one : impacts) {
      if (contact_group(one.contact) != contact.steps.contact) continue;
      while (step + 1 < contact.steps.time.size() &&
             contact.steps.time[step] < one.time - 0.5 * contact.steps.length[step])
        ++step;
      const double force = force_of(contact.parts.impact_of(step), one, table);
      contact.force[step] = std::max(contact.force[step], force);
    }
    contacts.push_back(std::move(contact));
  }
  return contacts;
}

void print_split(const std::string& file, const std::vector<SplitContact>& contacts, bool in_three) {
  std::size_t width = 8;
  for (const SplitContact& contact : contacts) width = std::max(width, width_of(contact.steps.contact) + 2);
  fmt::print("{}: impulses of {} steps, split in {}\n", file, contacts.front().steps.normal.size(),
             in_three ? "three: isolated impacts, continuous contact, impacts on a loaded contact"
                      : "two: continuous contact and impacts");
  fmt::print("  {}{:>13}{:>16}{:>14}{:>8}{:>17}{:>16}{:>20}\n", padded("contact", width), "continuous", "largest force",
             "impact part", "peaks", "largest impulse", "force behind", "impacts of the run");
  for (const SplitContact& contact : contacts) {
    const ImpulseParts& parts = contact.parts;
    int peaks = 0, isolated = 0;
    std::vector<double> impact(parts.impact.size());
    for (std::size_t k = 0; k < impact.size(); ++k) {
      impact[k] = parts.impact_of(k);
      if (impact[k] > 0) ++peaks;
      if (!parts.isolated.empty() && parts.isolated[k] > 0) ++isolated;
    }
    const double force = largest(contact.force);
    const std::string run =
        contact.steps.impact.empty() ? "not recorded" : in_unit(sum(contact.steps.impact), 1, "N s");
    fmt::print("  {}{:>13}{:>16}{:>14}{:>8}{:>17}{:>16}{:>20}\n", padded(contact.steps.contact, width),
               in_unit(sum(parts.continuous), 1, "N s"), in_unit(largest(parts.force), 1, "N"),
               in_unit(sum(impact), 1, "N s"), peaks, in_unit(largest(impact), 1, "N s"),
               force > 0 ? in_unit(force, 1, "N") : "not known", run);
    if (in_three)
      fmt::print("    isolated {} in {} peaks, on load {} in {}\n", in_unit(sum(parts.isolated), 1, "N s"), isolated,
                 in_unit(sum(parts.impact), 1, "N s"), peaks - isolated);
  }
  fmt::print(
      "  the filter takes every impulse above both its neighbours for an impact, vibrations too; the last column is "
      "what "
      "approached\n  faster than the loads of a step make it. Forces stand behind peaks that are impacts of the run, "
      "too\n");
}

nlohmann::ordered_json json_of(const SplitContact& contact) {
  nlohmann::ordered_json json = {{"contact", contact.steps.contact},
                                 {"time", contact.steps.time},
                                 {"impulse", contact.steps.normal},
                                 {"continuous", contact.parts.continuous},
                                 {"impact", contact.parts.impact}};
  if (!contact.parts.isolated.empty()) json["isolated"] = contact.parts.isolated;
  json["continuous_force"] = contact.parts.force;
  json["impact_force"] = contact.force;
  return json;
}

std::string split_csv(const std::vector<SplitContact>& contacts) {
  const bool in_three = !contacts.front().parts.isolated.empty();
  std::string text = fmt::format(
      "time [s],contact,normal impulse [N s],tangential impulse [N s],continuous part [N s],{} [N s]{},continuous "
      "force "
      "[N],force behind the impact part [N]\n",
      in_three ? "impact on load" : "impact part", in_three ? ",isolated impact [N s]" : "");
  for (const SplitContact& contact : contacts) {
    const StepImpulses& steps = contact.steps;
    for (std::size_t k = 0; k < steps.time.size(); ++k) {
      text += fmt::format("{},\"{}\",{},{},{},{}", steps.time[k], steps.contact, steps.normal[k],
                          steps.tangential.empty() ? std::nan("") : steps.tangential[k], contact.parts.continuous[k],
                          contact.parts.impact[k]);
      if (in_three) text += fmt::format(",{}", contact.parts.isolated[k]);
      text += fmt::format(",{},{}\n", contact.parts.force[k], contact.force[k]);
    }
  }
  return text;
}

void draw_split(const std::vector<SplitContact>& contacts, const std::string& file) {
  constexpr std::size_t most_drawn = 4;
  Figure figure{.title = "Impulses, split"};
  figure.columns = 2;
  const auto lines = [](const std::vector<double>& x, const std::vector<double>& y) {
    Series series{.x = {x.front(), x.back(), x.back()},
                  .y = {0, 0, std::nan("")}};  // a needle for each value above zero
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!(y[k] > 0)) continue;
      for (const double value : {0.0, y[k]}) series.x.push_back(x[k]), series.y.push_back(value);
      series.x.push_back(x[k]), series.y.push_back(std::nan(""));
    }
    return series;
  };
  for (std::size_t c = 0; c < std::min(most_drawn, contacts.size()); ++c) {
    const SplitContact& contact = contacts[c];
    figure.panels.push_back({.title = contact.steps.contact + ": continuous part",
                             .x_label = "time [s]",
                             .y_label = "force [N]",
                             .series = {{.x = contact.steps.time, .y = contact.parts.force}}});
    const bool forces = largest(contact.force) > 0;
    Panel panel{.title = contact.steps.contact + ": impact part",
                .x_label = "time [s]",
                .y_label = forces ? "force behind the impact [N]" : "impulse [N s]"};
    if (forces) {
      panel.series.push_back(lines(contact.steps.time, contact.force));
    } else {
      panel.series.push_back(lines(contact.steps.time, contact.parts.impact));
      panel.series.front().label = contact.parts.isolated.empty() ? "" : "on load";
      if (!contact.parts.isolated.empty()) {
        panel.series.push_back(lines(contact.steps.time, contact.parts.isolated));
        panel.series.back().label = "isolated";
      }
    }
    figure.panels.push_back(std::move(panel));
  }
  if (contacts.size() > most_drawn)
    figure.caption = fmt::format("the first {} of {} contacts", most_drawn, contacts.size());
  write_figure(figure, file);
}

}  // namespace carom
