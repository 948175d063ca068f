#include "viewing/spectrum_pictures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "base/problem.h"
#include "base/units.h"
#include "recording/quantity_label.h"
#include "signals/waterfall.h"
#include "viewing/quantity_curves.h"

namespace carom::inline viewing {
namespace {

constexpr int most_harmonics = 8, drawn_side_bands = 2;
constexpr std::size_t map_columns = 160, map_rows = 180;  // of a map: as fine as a page shows
constexpr double usual_windows = 40;
constexpr double shown_range = 1e-3;  // weakest over strongest colour

// A curve within the part, shown in the first of the units that fits.
struct ShownCurve {
  std::string label = {}, unit = {};
  std::vector<double> times = {}, values = {};  // values in the unit
  double in_si = 1;                             // of one of the unit
};

ShownCurve curve_in_part(const QuantityCurves& curves, const std::string& text, const WaterfallChoice& choice,
                         const char* option, std::vector<bool>& used) {
  const std::vector<std::string> names = curves.names(text);
  if (names.size() != 1)
    throw ResultError(fmt::format("{} {}: means {} quantities; give one", option, carom::quoted(text), names.size()));
  const QuantityCurve curve = curves.curve(names.front(), false);
  ShownCurve shown{.unit = curve.unit};
  for (std::size_t k = 0; k < choice.units.size(); ++k) {
    const QuantityResult one = parse_quantity("1 " + choice.units[k], curve.unit);
    if (!one.ok() || !(one.value > 0)) continue;
    shown.unit = choice.units[k], shown.in_si = one.value;
    used[k] = true;
    break;
  }
  shown.label = with_unit(curve.name, shown.unit);
  for (std::size_t k = 0; k < curve.times.size(); ++k) {
    if (curve.times[k] < choice.part.from || curve.times[k] > choice.part.to) continue;
    shown.times.push_back(curve.times[k]);
    shown.values.push_back(curve.values[k] / shown.in_si);
  }
  return shown;
}

// Mean of a quantity over the window about each time.
std::vector<double> means_about(const ShownCurve& curve, const std::vector<double>& middles, double window) {
  std::vector<double> means;
  for (const double middle : middles) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t k = 0; k < curve.times.size(); ++k) {
      if (std::abs(curve.times[k] - middle) > window / 2) continue;
      sum += curve.values[k];
      ++count;
    }
    means.push_back(sum / static_cast<double>(count));
  }
  return means;
}

void require_one_way(const std::string& label, const std::vector<double>& places) {
  const bool rises = places.back() > places.front();
  for (std::size_t k = 1; k < places.size(); ++k) {
    if (rises ? places[k] > places[k - 1] : places[k] < places[k - 1]) continue;
    throw ResultError(fmt::format(
        "--waterfall over {}: it goes back at {:.4g}; give a part in which it rises or falls throughout by --from and "
        "--to, a longer --window, or leave out -x for a map over time",
        label, places[k]));
  }
}

// Between the middles, and as far beyond the outer ones.
std::vector<double> edges_of(const std::vector<double>& middles) {
  std::vector<double> edges = {1.5 * middles[0] - 0.5 * middles[1]};
  for (std::size_t k = 1; k < middles.size(); ++k) edges.push_back((middles[k - 1] + middles[k]) / 2);
  edges.push_back(1.5 * middles.back() - 0.5 * middles[middles.size() - 2]);
  return edges;
}

// Lines of a window, the strongest of neighbours where there are more than rows.
void add_column(const std::vector<double>& lines, std::size_t count, double resolution, double left, double right,
                ColorMap& map) {
  const std::size_t pooled = (count + map_rows - 1) / map_rows;
  for (std::size_t first = 0; first < count; first += pooled) {
    const std::size_t last = std::min(first + pooled, count);
    const double strongest = *std::max_element(lines.begin() + static_cast<std::ptrdiff_t>(first),
                                               lines.begin() + static_cast<std::ptrdiff_t>(last));
    map.cells.push_back({.left = std::min(left, right),
                         .right = std::max(left, right),
                         .low = std::max(0.0, (static_cast<double>(first) - 0.5) * resolution),
                         .high = (static_cast<double>(last) - 0.5) * resolution,
                         .value = strongest});
  }
}

void draw_orders(const WaterfallChoice& choice, const ShownCurve& over, const std::vector<double>& edges, double top,
                 Panel& panel) {
  if (choice.orders.empty()) return;
  const QuantityResult speed = parse_quantity("1 " + (over.unit.empty() ? "1" : over.unit), "rad/s");
  if (choice.x.empty() || !speed.ok())
    refuse("--orders", over.label, "a speed in rad/s or rpm on the horizontal axis",
           "give it by -x, for example -x body:shaft.omega");
  for (const double order : choice.orders) {
    const double slope = order * over.in_si / (2 * std::numbers::pi);  // Hz in one of the unit
    Series line{.label = fmt::format("order {:g}", order), .style = Series::Style::dashed};
    for (const double x : edges) {
      const double frequency = slope * std::abs(x);
      line.x.push_back(x);
      line.y.push_back(frequency <= top ? frequency : std::numeric_limits<double>::quiet_NaN());
    }
    panel.series.push_back(std::move(line));
  }
}

}  // namespace

Panel marked_spectrum(const Spectrum& spectrum, const std::string& label, const std::vector<MarkedFrequency>& marks,
                      double up_to) {
  Panel panel{.x_label = "frequency [Hz]", .y_label = label};
  Series lines{.color = color_ink};
  double top = 0;
  for (std::size_t k = 1; k < spectrum.amplitudes.size(); ++k) {
    const double frequency = static_cast<double>(k) * spectrum.resolution;
    if (frequency > up_to) break;
    lines.x.push_back(frequency);
    lines.y.push_back(spectrum.amplitudes[k]);
    top = std::max(top, spectrum.amplitudes[k]);
  }
  const auto fits = [&](double frequency) { return frequency > 0 && frequency <= up_to; };
  for (const MarkedFrequency& mark : marks) {
    if (!fits(mark.frequency)) continue;
    Series dashes{.label = fmt::format("{} {:.5g} Hz", mark.name, mark.frequency), .style = Series::Style::dashed};
    for (int order = 1; order <= most_harmonics && fits(order * mark.frequency); ++order) {
      for (const double y : {0.0, top, std::numeric_limits<double>::quiet_NaN()}) {
        dashes.x.push_back(order * mark.frequency);
        dashes.y.push_back(y);
      }
      if (!(mark.side_bands > 0)) continue;
      for (int band = -drawn_side_bands; band <= drawn_side_bands; ++band) {
        const double there = order * mark.frequency + band * mark.side_bands;
        if (band == 0 || !fits(there)) continue;
        panel.shapes.push_back(
            {.x = {there, there}, .y = {0, 0.6 * top}, .stroke = color_muted, .stroke_width = 0.7, .dashed = true});
      }
    }
    panel.series.push_back(std::move(dashes));
  }
  panel.series.push_back(std::move(lines));
  return panel;
}

Panel waterfall_panel(const ResultReader& result, const WaterfallChoice& choice) {
  const QuantityCurves curves(result);
  std::vector<bool> used(choice.units.size(), false);
  const ShownCurve curve = curve_in_part(curves, choice.quantity, choice, "--waterfall", used);
  const EvenSamples samples = even_samples(curve.times, curve.values);
  if (samples.values.empty())
    throw ResultError(fmt::format("{} has {} samples between the times asked for; a waterfall needs hundreds",
                                  choice.quantity, curve.times.size()));
  const double span = samples.step * static_cast<double>(samples.values.size());
  const double window = choice.window > 0 ? choice.window : span / usual_windows;
  const Waterfall waterfall = waterfall_of(samples, window, map_columns);
  if (waterfall.times.size() < 3)
    refuse("--window", fmt::format("{:g} s", window),
           fmt::format("at least 8 samples, {:.3g} s, and at most a half of the part, {:.3g} s", 8 * samples.step,
                       span / 2),
           "record more samples, or choose another window");
  Panel panel{.y_label = "frequency [Hz]"};
  ShownCurve over{.label = "time [s]", .unit = "s"};
  std::vector<double> places = waterfall.times;
  if (!choice.x.empty()) {
    over = curve_in_part(curves, choice.x, choice, "-x", used);
    places = means_about(over, waterfall.times, window);
    require_one_way(over.label, places);
  }
  for (std::size_t k = 0; k < used.size(); ++k) {
    if (!used[k]) refuse("--unit", carom::quoted(choice.units[k]), "a unit of what is drawn");
  }
  panel.x_label = over.label;
  const double highest = choice.up_to > 0 ? choice.up_to : std::numeric_limits<double>::infinity();
  const std::size_t lines = waterfall.amplitudes.front().size();
  const auto count =
      static_cast<std::size_t>(std::min(static_cast<double>(lines), std::floor(highest / waterfall.resolution) + 1));
  const std::vector<double> edges = edges_of(places);
  for (std::size_t k = 0; k < places.size(); ++k)
    add_column(waterfall.amplitudes[k], count, waterfall.resolution, edges[k], edges[k + 1], panel.map);
  double strongest = 0;
  for (const ColorMap::Cell& cell : panel.map.cells) strongest = std::max(strongest, cell.value);
  if (!(strongest > 0)) throw ResultError(fmt::format("{} does not change; nothing is to be drawn", choice.quantity));
  panel.map.label = curve.label;
  panel.map.low = shown_range * strongest, panel.map.high = strongest;
  panel.map.logarithmic = true;
  for (ColorMap::Cell& cell : panel.map.cells) cell.value = std::max(cell.value, panel.map.low);
  draw_orders(choice, over, edges, (static_cast<double>(count) - 0.5) * waterfall.resolution, panel);
  return panel;
}

}  // namespace carom::inline viewing
