#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "contact_laws/stiffness.h"
#include "durability/duty_cycle.h"
#include "durability/load_life.h"
#include "durability/rolling_life.h"
#include "json_text.h"
#include "option_quantity.h"
#include "plotting/figure.h"
#include "recording/quantity_label.h"
#include "recording/write_csv.h"
#include "simulation/recorded_model.h"
#include "split_list.h"

namespace carom {
namespace {

struct BearingArguments {
  int balls = 0, rows = 1;
  std::string ball_diameter, pitch_diameter, contact_angle = "0", groove = "0.52", young = "207 GPa", poisson = "0.3";
};

struct LifeArguments {
  std::string result, from, to, rating, speed, axial, factors, woehler, output, plot;
  BearingArguments bearing;
  std::vector<std::string> quantities, ball_loads;
  int bins = 20;
  double reliability = 0.9, a_iso = 1;
  bool stress = false, roller = false, json = false;
};

std::optional<BallBearing> bearing_of(const BearingArguments& arguments) {
  const bool any = arguments.balls > 0 || !arguments.ball_diameter.empty() || !arguments.pitch_diameter.empty();
  if (!any) return std::nullopt;
  if (arguments.balls == 0 || arguments.ball_diameter.empty() || arguments.pitch_diameter.empty())
    refuse(arguments.balls == 0              ? "--balls"
           : arguments.ball_diameter.empty() ? "--ball-diameter"
                                             : "--pitch-diameter",
           "nothing", "balls, ball diameter and pitch diameter together",
           "for example --balls 9 --ball-diameter 7.938mm --pitch-diameter 39.04mm");
  BallBearing bearing;
  bearing.rows = arguments.rows, bearing.balls = arguments.balls;
  bearing.ball_diameter = quantity_option("--ball-diameter", arguments.ball_diameter, "m");
  bearing.pitch_diameter = quantity_option("--pitch-diameter", arguments.pitch_diameter, "m");
  bearing.contact_angle = quantity_option("--contact-angle", arguments.contact_angle, "rad");
  const double groove = quantity_option("--groove", arguments.groove, "");
  if (!(bearing.ball_diameter > 0) || !(bearing.pitch_diameter > bearing.ball_diameter))
    refuse("--pitch-diameter", arguments.pitch_diameter, "more than the ball diameter, which is positive");
  if (!(groove > 0.5) || groove > 1)
    refuse("--groove", arguments.groove, "radius of the grooves over the ball diameter, above 0.5 and up to 1");
  bearing.inner_groove_radius = bearing.outer_groove_radius = groove * bearing.ball_diameter;
  if (bearing.rows == 2) bearing.reduction_factor = 0.9;
  return bearing;
}

AxialFactors factors_of(const LifeArguments& arguments) {
  const auto parts = split_list(arguments.factors);
  if (parts.size() != 3)
    refuse("--factors", carom::quoted(arguments.factors), "e,X,Y of the bearing's table",
           "for example --factors 0.22,0.56,1.99");
  return {quantity_option("--factors", parts[0], ""), quantity_option("--factors", parts[1], ""),
          quantity_option("--factors", parts[2], "")};
}

// Its ranges are in the unit of the load.
WoehlerLine line_of(const LifeArguments& arguments, const std::string& unit) {
  const auto parts = split_list(arguments.woehler);
  if (parts.size() < 3 || parts.size() > 4)
    refuse("--woehler", carom::quoted(arguments.woehler), "RANGE,CYCLES,EXPONENT[,LIMIT]",
           "for example --woehler \"400 MPa,1e6,9\"");
  WoehlerLine line{.reference_range = quantity_option("--woehler", parts[0], unit),
                   .reference_cycles = quantity_option("--woehler", parts[1], ""),
                   .exponent = quantity_option("--woehler", parts[2], "")};
  if (parts.size() == 4) line.endurance_limit = quantity_option("--woehler", parts[3], unit);
  if (!(line.reference_range > 0) || !(line.reference_cycles > 0) || !(line.exponent > 0))
    refuse("--woehler", carom::quoted(arguments.woehler), "positive numbers");
  return line;
}

// A number with a unit is constant; a name is a recorded quantity in rad/s.
void ask_for_speed(const LifeArguments& arguments, LifeRequest& request) {
  if (arguments.speed.empty()) return;
  if (arguments.speed.find(':') != std::string::npos) {
    request.speed_quantity = arguments.speed;
  } else {
    request.speed = quantity_option("--speed", arguments.speed, "rad/s");
  }
}

double steel_modulus(const BearingArguments& arguments) {
  const double young = quantity_option("--young", arguments.young, "Pa"),
               poisson = quantity_option("--poisson", arguments.poisson, "");
  if (!(young > 0) || !(poisson >= 0) || !(poisson <= 0.5))
    refuse("--young", arguments.young, "Young's modulus above 0, and --poisson from 0 to 0.5");
  return composite_modulus(young, poisson, young, poisson);
}

LifeRequest request_of(const LifeArguments& arguments, const std::optional<Model>& model) {
  LifeRequest request{.load = arguments.quantities,
                      .pressure_in = model ? &*model : nullptr,
                      .axial = arguments.axial,
                      .exponent = arguments.roller ? roller_life_exponent : ball_life_exponent,
                      .reliability = arguments.reliability,
                      .a_iso = arguments.a_iso,
                      .bearing = bearing_of(arguments.bearing),
                      .ball_loads = arguments.ball_loads,
                      .bins = static_cast<std::size_t>(arguments.bins)};
  if (!arguments.from.empty()) request.from = quantity_option("--from", arguments.from, "s");
  if (!arguments.to.empty()) request.to = quantity_option("--to", arguments.to, "s");
  if (!arguments.axial.empty()) request.factors = factors_of(arguments);
  if (!arguments.rating.empty()) {
    request.rating = quantity_option("--rating", arguments.rating, "N");
    if (!(*request.rating > 0)) refuse("--rating", arguments.rating, "a load rating above 0");
  }
  ask_for_speed(arguments, request);
  if (!arguments.ball_loads.empty()) {
    if (!request.bearing)
      refuse("--ball-loads", "no bearing", "its geometry", "give --balls, --ball-diameter and --pitch-diameter");
    request.composite_modulus = steel_modulus(arguments.bearing);
  }
  if (!arguments.woehler.empty())
    request.line = [&arguments](const std::string& unit) { return line_of(arguments, unit); };
  return request;
}

double cycle_count(const std::vector<CountedCycle>& cycles) {
  double count = 0;
  for (const CountedCycle& cycle : cycles) count += cycle.count;
  return count;
}

std::string number_in(double value, const std::string& unit) {
  const std::string scaled =
      unit == "Pa" ? fmt::format("{:.5g} MPa", 1e-6 * value) : fmt::format("{:.5g} {}", value, unit);
  return scaled;
}

std::string life_text(double revolutions, const LoadLife& life) {
  if (!std::isfinite(revolutions)) return "no end: nothing is loaded";
  std::string text = fmt::format("{:.4g} million revolutions", 1e-6 * revolutions);
  if (life.speed && *life.speed > 0)
    text += fmt::format(", {:.4g} h at {:.4g} rpm", life_in_hours(revolutions, *life.speed), *life.speed * 30 / M_PI);
  return text;
}

void print_life(const LoadLife& life, const LifeArguments& arguments) {
  const auto line = [](const std::string& what, const std::string& value) { fmt::print("  {:<26} {}\n", what, value); };
  const auto [low, high] = std::minmax_element(life.load.value.begin(), life.load.value.end());
  const std::string& unit = life.load.unit;
  double largest = 0;
  for (const CountedCycle& cycle : life.cycles) largest = std::max(largest, cycle.range);
  const double span = life.load.time.back() - life.load.time.front();
  fmt::print("{}: {}\n", arguments.result, life.load.name);
  line("samples",
       fmt::format("{} from {:g} to {:g} s", life.load.value.size(), life.load.time.front(), life.load.time.back()));
  line("from … to", number_in(*low, unit) + " … " + number_in(*high, unit));
  line("counted cycles", fmt::format("{:g}, largest range {}", cycle_count(life.cycles), number_in(largest, unit)));
  line("equivalent load", fmt::format("{} (exponent {:.4g}, weighted by {})", number_in(life.equivalent, unit),
                                      life.exponent, life.speed ? "the way turned" : "time"));
  if (life.rating) {
    line("dynamic rating C",
         number_in(*life.rating, "N") + (life.rating_computed ? ", from the geometry (ISO 281)" : ""));
    line("basic rating life L10", life_text(life.revolutions, life));
    if (life.factor != 1)
      line("modified life Lnm",
           fmt::format("{} (a1 {:.4g} for {:g} %, aISO {:g})", life_text(life.factor * life.revolutions, life), life.a1,
                       100 * arguments.reliability, arguments.a_iso));
    if (life.equivalent > *life.rating / 2) line("remark", "the load is above C/2: the rating life is not valid there");
  }
  if (life.from_stresses) line("life from ball stresses", life_text(*life.from_stresses, life));
  if (life.damage) {
    line("damage of this run", fmt::format("{:.4g} (Palmgren and Miner)", *life.damage));
    if (*life.damage > 0)
      line("until 1", fmt::format("{:.4g} such runs, {:.4g} h", 1 / *life.damage, span / *life.damage / 3600));
  }
  if (!life.rating && !life.damage && !life.from_stresses)
    line("life", "give --rating, the geometry of a ball bearing, or --woehler");
}

nlohmann::ordered_json json_of(const LoadLife& life, const LifeArguments& arguments) {
  nlohmann::ordered_json json = {{"file", arguments.result},
                                 {"quantity", life.load.name},
                                 {"unit", life.load.unit},
                                 {"samples", life.load.value.size()},
                                 {"counted_cycles", cycle_count(life.cycles)},
                                 {"equivalent_load", life.equivalent},
                                 {"exponent", life.exponent}};
  if (life.speed) json["speed"] = *life.speed;
  if (life.rating) {
    json["dynamic_rating"] = *life.rating;
    json["L10"] = life.revolutions;
    json["a1"] = life.a1, json["aISO"] = arguments.a_iso;
    json["Lnm"] = life.factor * life.revolutions;
    if (life.speed && *life.speed > 0) json["L10h"] = life_in_hours(life.revolutions, *life.speed);
  }
  if (life.from_stresses) json["L10_from_stresses"] = *life.from_stresses;
  if (life.damage) json["damage"] = *life.damage;
  json["cycles"] = nlohmann::ordered_json::array();
  for (const CountedCycle& cycle : life.cycles)
    json["cycles"].push_back({{"range", cycle.range}, {"mean", cycle.mean}, {"count", cycle.count}});
  return json;
}

// The bins of the histogram; each cycle by itself where there are none.
std::string histogram_csv(const LoadLife& life) {
  std::string text = fmt::format("range from [{0}],range to [{0}],cycles\n", life.load.unit);
  if (!life.histogram) return text;
  const auto& counts = life.histogram->counts();
  for (std::size_t k = 0; k < counts.size(); ++k)
    text += fmt::format("{},{},{}\n", static_cast<double>(k) * life.histogram->width(),
                        static_cast<double>(k + 1) * life.histogram->width(), counts[k]);
  return text;
}

void draw(const LoadLife& life, const std::string& file) {
  Figure figure{.title = "Load cycles"};
  const bool pressure = life.load.unit == "Pa";
  const double factor = pressure ? 1e-6 : 1;
  const std::string unit = pressure ? "MPa" : life.load.unit;
  Series history{.x = life.load.time, .y = life.load.value};
  for (double& value : history.y) value *= factor;
  figure.panels.push_back({.title = life.load.name,
                           .x_label = "time [s]",
                           .y_label = with_unit(pressure ? "max pressure" : "value", unit),
                           .series = {history}});
  Panel bins{.title = "Rainflow count (ASTM E1049)", .x_label = with_unit("range", unit), .y_label = "cycles"};
  Series outline;  // the axes follow series, not shapes
  if (life.histogram) {
    const double width = factor * life.histogram->width();
    const auto& counts = life.histogram->counts();
    for (std::size_t k = 0; k < counts.size(); ++k) {
      const double left = width * static_cast<double>(k), right = left + width;
      bins.shapes.push_back({.kind = DrawnShape::Kind::polygon,
                             .x = {left, right, right, left},
                             .y = {0, 0, counts[k], counts[k]},
                             .stroke = 0,
                             .fill = 0,
                             .opacity = 0.5});
      for (const double x : {left, right}) outline.x.push_back(x), outline.y.push_back(counts[k]);
    }
  } else {
    outline = {.x = {0, 1}, .y = {0, 0}};
  }
  bins.series.push_back(outline);
  figure.panels.push_back(std::move(bins));
  write_figure(figure, file);
}

// "bearing:front" without a quantity: a whole bearing.
std::string asked_bearing(const LifeArguments& arguments) {
  const std::string start = "bearing:", &first = arguments.quantities.front();
  const bool whole =
      arguments.quantities.size() == 1 && first.starts_with(start) && first.find('.') == std::string::npos;
  return whole ? first.substr(start.size()) : "";
}

void print_reference_life(const RecordedLife& life, const LifeArguments& arguments, double factor, double a1) {
  const auto line = [](const std::string& what, const std::string& value) { fmt::print("  {:<26} {}\n", what, value); };
  const auto text = [&](double revolutions) {
    if (!std::isfinite(revolutions)) return std::string("no end: nothing is loaded");
    return fmt::format("{:.4g} million revolutions{}", 1e-6 * revolutions,
                       life.speed > 0 ? fmt::format(", {:.4g} h at {:.4g} rpm", life_in_hours(revolutions, life.speed),
                                                    life.speed * 30 / M_PI)
                                      : "");
  };
  fmt::print("{}: {}\n", arguments.result, arguments.quantities.front());
  line("samples", fmt::format("{}", life.samples));
  line("inside", fmt::format("{} {}, {:.5g} mm on {:.5g} mm{}", life.geometry.elements * life.geometry.rows.size(),
                             life.geometry.balls() ? "balls" : "rollers", 1e3 * life.geometry.element_diameter,
                             1e3 * life.geometry.pitch_diameter,
                             life.geometry.estimated ? ", estimated from the designation" : ""));
  line("dynamic rating C", number_in(life.rating, "N") + ", from the geometry (ISO 281)");
  line("reference life L10r", text(life.revolutions) + " (ISO/TS 16281)");
  if (factor != 1)
    line("modified life Lnmr", fmt::format("{} (a1 {:.4g} for {:g} %, aISO {:g})", text(factor * life.revolutions), a1,
                                           100 * arguments.reliability, arguments.a_iso));
  line("largest pressure", number_in(life.max_pressure, "Pa"));
  line("static safety", fmt::format("{:.4g}, against {} MPa", life.static_safety, life.geometry.balls() ? 4200 : 4000));
}

int tell_reference_life(const ResultReader& result, const LifeArguments& arguments, const std::string& bearing) {
  LifeRequest times;
  if (!arguments.from.empty()) times.from = quantity_option("--from", arguments.from, "s");
  if (!arguments.to.empty()) times.to = quantity_option("--to", arguments.to, "s");
  const Model model = model_of(result);
  const RecordedLife life = recorded_life(result, model, bearing, times.from, times.to);
  const double a1 = arguments.reliability == 0.9 ? 1 : reliability_factor(arguments.reliability);
  const double factor = a1 * arguments.a_iso;
  if (!arguments.json) {
    print_reference_life(life, arguments, factor, a1);
    return exit_done;
  }
  nlohmann::ordered_json json = {{"file", arguments.result},
                                 {"bearing", bearing},
                                 {"samples", life.samples},
                                 {"dynamic_rating", life.rating},
                                 {"L10r", life.revolutions},
                                 {"a1", a1},
                                 {"aISO", arguments.a_iso},
                                 {"Lnmr", factor * life.revolutions},
                                 {"max_pressure", life.max_pressure},
                                 {"static_safety", life.static_safety},
                                 {"estimated", life.geometry.estimated}};
  if (life.speed > 0) json["speed"] = life.speed, json["L10rh"] = life_in_hours(life.revolutions, life.speed);
  fmt::print("{}\n", to_utf8(json));
  return exit_done;
}

void print_duties(const DutyLife& life, const std::vector<Duty>& duties, const RecordedLife& one,
                  const LifeArguments& arguments) {
  fmt::print("{}: {}\n", arguments.result, arguments.quantities.front());
  fmt::print("  {:<24} {:>9} {:>10} {:>14} {:>11} {:>8}\n", "duty", "hours", "rpm", "L10r [10^6]", "P [N]", "damage");
  for (std::size_t k = 0; k < duties.size(); ++k) {
    const DutyLife::Part& part = life.parts[k];
    fmt::print("  {:<24} {:>9.5g} {:>10.5g} {:>14.5g} {:>11.5g} {:>6.1f} %\n", duties[k].result.filename().string(),
               part.hours, part.turns / part.hours / 60, 1e-6 * part.life, part.load, 100 * part.share);
  }
  const auto line = [](const std::string& what, const std::string& value) { fmt::print("  {:<26} {}\n", what, value); };
  line("a cycle", fmt::format("{:.5g} h, {:.5g} revolutions", life.hours, life.turns));
  line("dynamic rating C", number_in(one.rating, "N") + ", from the geometry (ISO 281)");
  line("mean equivalent load Pm", number_in(life.mean_load, "N"));
  line("life under the cycle",
       std::isfinite(life.cycles)
           ? fmt::format("{:.4g} h, {:.4g} million revolutions, {:.4g} cycles (Palmgren and Miner)",
                         life.cycles * life.hours, 1e-6 * life.cycles * life.turns, life.cycles)
           : "no end: nothing is loaded");
}

// A table of results and hours.
int tell_duties(const LifeArguments& arguments) {
  const std::string bearing = asked_bearing(arguments);
  if (bearing.empty())
    refuse("QUANTITY", carom::quoted(arguments.quantities.front()),
           "a bearing, as bearing:NAME, for a table of duties");
  const std::vector<Duty> duties = read_duties(arguments.result);
  std::vector<RecordedLife> lives;
  const LifeRequest all;
  for (const Duty& duty : duties) {
    const ResultReader result(duty.result);
    if (const std::string status = result.status(); status.starts_with("failed"))
      refuse("RESULT", carom::quoted(duty.result.string()) + ", which " + status, "a run that came to its end");
    lives.push_back(recorded_life(result, model_of(result), bearing, all.from, all.to));
  }
  const DutyLife life = life_under_duties(duties, lives);
  if (!arguments.json) {
    print_duties(life, duties, lives.front(), arguments);
    return exit_done;
  }
  nlohmann::ordered_json json = {{"file", arguments.result},    {"bearing", bearing},
                                 {"hours", life.hours},         {"revolutions", life.turns},
                                 {"mean_load", life.mean_load}, {"dynamic_rating", lives.front().rating},
                                 {"cycles", life.cycles},       {"L10rh", life.cycles * life.hours}};
  json["duties"] = nlohmann::json::array();
  for (std::size_t k = 0; k < duties.size(); ++k) {
    const DutyLife::Part& part = life.parts[k];
    json["duties"].push_back({{"result", duties[k].result.string()},
                              {"hours", part.hours},
                              {"revolutions", part.turns},
                              {"L10r", part.life},
                              {"load", part.load},
                              {"damage_share", part.share}});
  }
  fmt::print("{}\n", to_utf8(json));
  return exit_done;
}

int tell_life(const LifeArguments& arguments) {
  if (arguments.result.ends_with(".csv")) return tell_duties(arguments);
  const ResultReader result(arguments.result);
  if (const std::string bearing = asked_bearing(arguments); !bearing.empty())
    return tell_reference_life(result, arguments, bearing);
  std::optional<Model> model;
  if (arguments.stress) model = model_of(result);
  const LoadLife life = find_life(result, request_of(arguments, model));
  if (arguments.json) {
    fmt::print("{}\n", to_utf8(json_of(life, arguments)));
  } else {
    print_life(life, arguments);
  }
  if (!arguments.output.empty()) write_csv(arguments.output, histogram_csv(life));
  if (!arguments.plot.empty()) draw(life, arguments.plot);
  return exit_done;
}

}  // namespace

void add_life_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<LifeArguments>();
  Command command =
      app.add_subcommand("life", "Count load cycles of a result; life of bearings and of materials under them");
  command
      .add_option("RESULT", arguments->result,
                  "result file (HDF5), or a table (.csv) of duties that repeat: titles result and hours")
      .required();
  command
      .add_option(
          "QUANTITY", arguments->quantities,
          "the load, such as joint:pin.normal_force; several are components of one vector, whose length counts; "
          "bearing:NAME alone: reference life of a rolling bearing in space (ISO/TS 16281)")
      .required();
  command.add_flag("--stress", arguments->stress,
                   "count the largest Hertz pressure under this normal force of a contact");
  command.add_option("--from", arguments->from, "first time that counts");
  command.add_option("--to", arguments->to, "last time that counts");
  command.add_option("--bins", arguments->bins, "of the histogram of ranges").range(1, 10000).show_default();
  command.add_option("--rating", arguments->rating, "dynamic load rating C of the bearing, such as \"14 kN\"");
  command.add_option("--balls", arguments->bearing.balls, "of a row, for C and stresses from the geometry")
      .range(1, 1000);
  command.add_option("--ball-diameter", arguments->bearing.ball_diameter, "of that bearing");
  command.add_option("--pitch-diameter", arguments->bearing.pitch_diameter, "of the circle of its ball centres");
  command.add_option("--contact-angle", arguments->bearing.contact_angle, "such as \"15 deg\"").show_default();
  command.add_option("--groove", arguments->bearing.groove, "radius of its grooves over the ball diameter")
      .show_default();
  command.add_option("--rows", arguments->bearing.rows, "of balls").range(1, 4).show_default();
  command.add_flag("--roller", arguments->roller, "a roller bearing: life exponent 10/3 instead of 3");
  command.add_option("--axial", arguments->axial, "quantity that is its axial load");
  command.add_option("--factors", arguments->factors, "e,X,Y of its table, with --axial");
  command.add_option("--speed", arguments->speed, "such as 1500rpm, or a quantity in rad/s such as body:crank.omega");
  command.add_option("--reliability", arguments->reliability, "of the modified life, 0.9 to 0.9995")
      .range(0.9, 0.9995)
      .show_default();
  command.add_option("--a-iso", arguments->a_iso, "life modification factor of ISO 281").positive().show_default();
  command.add_option("--ball-loads", arguments->ball_loads,
                     "recorded loads of single balls over whole turns of their cage: life by Lundberg and Palmgren");
  command.add_option("--young", arguments->bearing.young, "of balls and rings").show_default();
  command.add_option("--poisson", arguments->bearing.poisson, "of balls and rings").show_default();
  command.add_option("--woehler", arguments->woehler,
                     "RANGE,CYCLES,EXPONENT[,LIMIT]: line of the material, for Miner's damage");
  command.add_option("-o,--output", arguments->output, "write the histogram of ranges (CSV)");
  command.add_option("--plot", arguments->plot, "draw history and histogram (.svg, .png or .pdf)");
  command.add_flag("--json", arguments->json, "as JSON, with every cycle");
  command.callback([arguments, &exit_code] { exit_code = tell_life(*arguments); });
}

}  // namespace carom
