#include "base/write_file.h"
#include "bindings.h"
#include "plotting/figure.h"
#include "plotting/film.h"
#include "reporting/result_report.h"
#include "viewing/bode.h"
#include "viewing/mechanism_drawing.h"
#include "viewing/mechanism_film.h"
#include "viewing/quantity_panels.h"

namespace carom::python {
namespace {

SampleChoice part_of(double from, double to) {
  SampleChoice part;
  if (std::isfinite(from)) part.from = from;
  if (std::isfinite(to)) part.to = to;
  return part;
}

// What `carom plot` draws: quantities over time or over another one, the mechanism in several positions, Bode plots.
Figure figure_of(const std::filesystem::path& file, const py::dict& said) {
  const auto part = part_of(said["from"].cast<double>(), said["to"].cast<double>());
  const auto quantities = said["quantities"].cast<std::vector<std::string>>();
  const ResultReader result(file);
  Figure figure;
  figure.title = said["title"].cast<std::string>();
  if (said["bode"].cast<bool>()) figure.panels = bode_panels(result.statistics_json());
  if (said["mechanism"].cast<bool>()) figure.panels.push_back(draw_mechanism(view_result(file), part));
  if (figure.panels.empty() || !quantities.empty()) {
    CurveChoice choice{.quantities = quantities, .x = said["x"].cast<std::string>(), .part = part};
    for (const auto& unit : said["units"].cast<std::vector<std::string>>()) choice.units.push_back({.unit = unit});
    choice.most_panels = 8, choice.most_curves = 10;
    const QuantityPanels drawn = choose_panels(result, choice);
    figure.panels.insert(figure.panels.end(), drawn.panels.begin(), drawn.panels.end());
  }
  if (figure.panels.empty()) throw ResultError(file.string() + " holds no samples to draw");
  figure.columns = figure.panels.size() > 3 ? 2 : 1;
  figure.dpi = said["dpi"].cast<double>();
  return figure;
}

std::string film(const std::filesystem::path& file, double seconds, const std::string& quantity) {
  const ResultReader result(file);
  return film_svg(mechanism_film(view_result(file), result, {.seconds = seconds, .quantity = quantity}));
}

}  // namespace

void bind_drawings(py::module_& module) {
  module.def("figure_svg",
             [](const std::filesystem::path& file, const py::dict& said) { return figure_svg(figure_of(file, said)); });
  module.def("write_figure",
             [](const std::filesystem::path& file, const py::dict& said, const std::filesystem::path& output) {
               try {
                 write_figure(figure_of(file, said), output,
                              said["paper"].cast<bool>() ? FigureStyle::paper : FigureStyle::screen);
               } catch (const FigureError& error) {
                 throw ResultError(error.what());
               }
             });
  module.def("film", &film, py::arg("file"), py::arg("seconds"), py::arg("quantity"));
  module.def(
      "report",
      [](const std::filesystem::path& file, const std::vector<std::string>& quantities) {
        return result_report(file, {.quantities = quantities});
      },
      py::arg("file"), py::arg("quantities"));
}

}  // namespace carom::python
