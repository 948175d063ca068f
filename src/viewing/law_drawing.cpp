#include "viewing/law_drawing.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>

namespace carom::inline viewing {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr int palette_length = 8;  // more laws than colours: the rest is dashed

Series series_of(std::size_t index, const std::string& label) {
  const int place = static_cast<int>(index);
  return {.label = label,
          .style = place < palette_length ? Series::Style::line : Series::Style::dashed,
          .color = place % palette_length};
}

bool accepts(const NormalLawDescription& law, double restitution) {
  return law.least_allowed ? restitution >= law.least_restitution : restitution > law.least_restitution;
}

// A curve over the restitution asked for, broken where the law is not defined or the value leaves the panel.
Series curve(std::size_t index, const NormalLawDescription& law, const std::function<double(double)>& value,
             double largest) {
  Series series = series_of(index, law.name);
  for (int k = 0; k <= 200; ++k) {
    const double e = k / 200.0, y = accepts(law, e) ? value(e) : nothing;
    series.x.push_back(e);
    series.y.push_back(y <= largest ? y : nothing);
  }
  return series;
}

// A free impact of unit mass and stiffness, stepped by fourth-order Runge–Kutta; penetration and force are measured by
// those of the undamped impact.
Series loop(std::size_t index, const NormalLawDescription& description, double restitution) {
  Series series = series_of(index, "");
  const bool is_linear = description.elastic == "linear";
  const auto elastic = ElasticLaw::power(1, is_linear ? 1 : 1.5);
  const auto law = description.make({elastic, restitution, 1, Settings()});
  const double depth = elastic_penetration(elastic, 1, 1), largest = elastic.force(depth), step = depth / 500;
  NormalContact contact{.impact_speed = 1};
  const auto force = [&](double penetration, double rate) {
    NormalContact there = contact;
    there.penetration = std::max(0.0, penetration);
    there.rate = rate;
    return law->force(there);
  };
  double x = 0, v = 1;
  series.x.push_back(0);
  series.y.push_back(0);
  for (int k = 0; k < 20000; ++k) {
    contact.penetration = x;
    contact.rate = v;
    if (k > 0 && x <= law->release_penetration(contact)) break;
    if (k % 10 == 0) {
      series.x.push_back(x / depth);
      series.y.push_back(law->force(contact) / largest);
    }
    const double a1 = -force(x, v), a2 = -force(x + step / 2 * v, v + step / 2 * a1);
    const double a3 = -force(x + step / 2 * v + step * step / 4 * a1, v + step / 2 * a2);
    const double a4 = -force(x + step * v + step * step / 2 * a2, v + step * a3);
    x += step * v + step * step / 6 * (a1 + a2 + a3);
    v += step / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    contact.deepest = std::max(contact.deepest, x);
  }
  series.x.push_back(std::max(x, 0.0) / depth);
  series.y.push_back(0);
  return series;
}

}  // namespace

bool can_be_compared(const NormalLawDescription& law) {
  return std::none_of(law.parameters.begin(), law.parameters.end(),
                      [](const ParameterDescription& parameter) { return parameter.required; });
}

Figure compare_laws(const std::vector<const NormalLawDescription*>& laws, double restitution) {
  Panel factor{.title = "Hysteresis factor", .x_label = "restitution asked for, e [1]", .y_label = "factor h [1]"};
  Panel output{.title = "Restitution of a free impact",
               .x_label = "restitution asked for, e [1]",
               .y_label = "restitution that comes out [1]",
               .equal_axes = true};
  Panel loops{.title = fmt::format("Force and penetration at e = {:g}", restitution),
              .x_label = "penetration δ/δ_H [1]",
              .y_label = "force F/F_H [1]"};
  output.series.push_back(
      {.label = "as asked for", .x = {0, 1}, .y = {0, 1}, .style = Series::Style::dashed, .color = color_muted});
  for (std::size_t k = 0; k < laws.size(); ++k) {
    const NormalLawDescription& law = *laws[k];
    if (law.factor) factor.series.push_back(curve(k, law, law.factor, 8));
    if (law.restitution_out) {
      output.series.push_back(curve(k, law, law.restitution_out, 1.001));
      // Named once, where it appears first.
      if (law.factor) output.series.back().label.clear();
    }
    if (!accepts(law, restitution)) continue;
    loops.series.push_back(loop(k, law, restitution));
    if (!law.factor && !law.restitution_out) loops.series.back().label = law.name;
  }
  Figure figure{.title = "Contact laws",
                .caption = "F_H, δ_H: largest force and penetration of the undamped impact.",
                .columns = 3,
                .width = 1080,
                .height = 420};
  for (Panel* panel : {&factor, &output, &loops})
    if (!panel->series.empty()) figure.panels.push_back(std::move(*panel));
  figure.columns = static_cast<int>(figure.panels.size());
  return figure;
}

}  // namespace carom::inline viewing
