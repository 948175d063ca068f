#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "reporting/html.h"
#include "reporting/report_sections.h"
#include "reporting/report_units.h"
#include "viewing/quantity_panels.h"

namespace carom::inline reporting {
namespace {

constexpr std::size_t most_curves = 6;  // a panel
constexpr std::size_t most_read = 300;  // columns of a family that are looked at

// Quantities that are looked at together.
struct Family {
  const char* title;
  std::vector<const char*> patterns;  // of names
};

const std::vector<Family>& families() {
  static const std::vector<Family> list = {
      {"Positions", {"body:*.x", "body:*.y", "body:*.z", "body:*.angle"}},
      {"Velocities", {"body:*.vx", "body:*.vy", "body:*.vz", "body:*.omega", "body:*.w?"}},
      {"Forces of joints and drives", {"joint:*.f?", "joint:*.t?", "joint:*.force", "motion:*.force"}},
      {"Contacts", {"*.normal_force", "*.tangential_force", "*.peak_force", "*.closed_force", "*.normal_impulse"}},
      {"Bearings", {"bearing:*.largest_load", "bearing:*.f?"}},
      {"Springs and loads", {"force:*.force", "force:*.torque"}},
      {"Stresses of beams", {"beam:*.largest_stress"}},
      {"Energies", {"energy.kinetic", "energy.potential", "energy.total", "energy.supplied", "energy.dissipated"}},
      {"Energy residual", {"energy.residual"}}};
  return list;
}

double range_of(const std::vector<double>& values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return high > low ? high - low : 0;
}

struct Candidate {
  std::string quantity, unit;
  double range = 0;
};

std::vector<Candidate> candidates_of(const ReportSource& source, const Family& family) {
  // Nodes of beams move, too, but there are many, and the beam is in the picture.
  std::set<std::string> nodes;
  const Model& model = source.viewed.model;
  for (const BeamModel& beam : model.beams)
    for (const int node : beam.nodes) nodes.insert("body:" + model.bodies[static_cast<std::size_t>(node) - 1].name);
  std::vector<Candidate> candidates;
  for (const std::string& quantity : source.result.quantities()) {
    if (candidates.size() == most_read) break;
    const auto fits = [&](const char* pattern) { return matches_pattern(quantity, pattern); };
    if (std::none_of(family.patterns.begin(), family.patterns.end(), fits)) continue;
    if (nodes.size() < model.bodies.size() && nodes.contains(quantity.substr(0, quantity.rfind('.')))) continue;
    candidates.push_back({quantity, source.result.component(quantity).unit, range_of(source.result.column(quantity))});
  }
  return candidates;
}

// Of each unit those that vary most, in the order in which they were recorded.
std::vector<std::string> telling(const std::vector<Candidate>& candidates, std::size_t& left_out) {
  std::vector<std::string> chosen;
  for (const Candidate& one : candidates) {
    if (!(one.range > 0)) continue;
    const auto stronger = std::count_if(candidates.begin(), candidates.end(), [&](const Candidate& other) {
      return other.unit == one.unit && (other.range > one.range || (other.range == one.range && &other < &one));
    });
    if (static_cast<std::size_t>(stronger) < most_curves) {
      chosen.push_back(one.quantity);
    } else {
      ++left_out;
    }
  }
  return chosen;
}

std::string figures_of(const std::vector<Panel>& panels) {
  std::string html = "<div class=\"figures\">\n";
  for (const Panel& panel : panels) html += inline_figure({.panels = {panel}, .width = panel_width});
  return html + "</div>\n";
}

}  // namespace

std::optional<PageSection> plots_section(const ReportSource& source, const std::vector<std::string>& patterns) {
  if (!patterns.empty())
    return PageSection{"plots", "Plots", figures_of(quantity_panels(source.result, patterns, report_units())), true};
  if (source.result.sample_count() < 2) return std::nullopt;
  std::string html;
  for (const Family& family : families()) {
    std::size_t left_out = 0;
    const auto chosen = telling(candidates_of(source, family), left_out);
    if (chosen.empty()) continue;
    html += fmt::format("<h3>{}</h3>\n{}", family.title,
                        figures_of(quantity_panels(source.result, chosen, report_units())));
    if (left_out > 0)
      html += paragraph(
          fmt::format("Those that vary most; {} more were left out. `carom report --plot QUANTITY` chooses others.",
                      left_out),
          "note");
  }
  if (html.empty()) return std::nullopt;
  return PageSection{"plots", "Plots", html, true};
}

}  // namespace carom::inline reporting
