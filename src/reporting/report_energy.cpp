#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "reporting/html.h"
#include "reporting/report_sections.h"
#include "simulation/recorder.h"

namespace carom::inline reporting {
namespace {

using Json = nlohmann::ordered_json;

double number(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : std::nan("");
}

std::string joules(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "–";
}

std::string row(const std::string& name, const std::string& begin, const std::string& end, const char* style) {
  return fmt::format("<tr{}><td{}>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
                     std::string(style) == "sum" ? " class=\"sum\"" : "",
                     std::string(style) == "inset" ? " class=\"inset\"" : "", escaped_html(name), begin, end);
}

// At the first sample, where it was recorded.
std::string first_of(const ReportSource& source, const std::string& quantity) {
  const auto all = source.result.quantities();
  if (std::find(all.begin(), all.end(), quantity) == all.end()) return "";
  return joules(source.result.column(quantity).front());
}

}  // namespace

std::optional<PageSection> energy_section(const ReportSource& source) {
  const auto energy = source.statistics.find("energy");
  if (energy == source.statistics.end() || !energy->is_object() ||
      source.statistics.value("analysis", Json("")) != "dynamic")
    return std::nullopt;
  const double kinetic = number(*energy, "kinetic"), potential = number(*energy, "potential"),
               contact = number(*energy, "contact"), largest = number(*energy, "largest"),
               residual = number(*energy, "largest_residual");
  std::string html =
      "<div class=\"scroll\"><table>\n<thead><tr><th>energy [J]</th><th class=\"number\">at the start</th>"
      "<th class=\"number\">at the end</th></tr></thead>\n<tbody>\n";
  html += row("kinetic", first_of(source, "energy.kinetic"), joules(kinetic), "inset");
  html += row("potential", first_of(source, "energy.potential"), joules(potential), "inset");
  html += row("in contacts", first_of(source, "energy.contact"), joules(contact), "inset");
  html += row("stored", first_of(source, "energy.total"), joules(kinetic + potential + contact), "sum");
  std::string supplied, dissipated;
  if (const auto works = source.statistics.find("work"); works != source.statistics.end() && works->is_object()) {
    for (const auto& [name, work] : works->items()) {
      const double value = work.is_number() ? work.get<double>() : std::nan("");
      const bool gives = is_supplied(work_book(source.viewed.model, name), value);
      (gives ? supplied : dissipated) += row("by " + name, "", joules(gives ? value : -value + 0.0), "inset");
    }
  }
  html += row("supplied", "", joules(number(*energy, "supplied")), "sum") + supplied;
  html += row("dissipated", "", joules(number(*energy, "dissipated")), "sum") + dissipated;
  html += row("largest residual", "", joules(residual), "sum");
  html += "</tbody></table></div>\n";
  const double rounding = number(*energy, "rounding");  // of results that have it
  const std::string compared = residual <= rounding && residual > 1e-12 * largest
                                   ? "rounding of the energies summed"
                                   : fmt::format("{:.2g} of the largest energy of the run, {:.6g} J",
                                                 largest > 0 ? residual / largest : 0.0, largest);
  html += paragraph("The residual is stored − stored at the start − supplied + dissipated; its largest magnitude is " +
                        compared + ".",
                    "note");
  return PageSection{"energy", "Energy", html};
}

}  // namespace carom::inline reporting
