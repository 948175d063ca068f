#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "durability/load_history.h"
#include "envelope_report.h"
#include "force_recovery/contact_surfaces.h"
#include "json_text.h"
#include "option_quantity.h"
#include "plotting/figure.h"
#include "recording/asked_contacts.h"
#include "recording/event_times.h"
#include "recording/quantity_label.h"
#include "signals/chaos.h"
#include "signals/poincare_map.h"
#include "signals/spectrum.h"
#include "simulation/recorded_model.h"

namespace carom {
namespace {

struct MotionArguments {
  std::string result, quantity, period, event, kind, crossing, level = "0", direction = "up", from, to, x, plot;
  struct {
    bool asked = false;
    std::string band, bearing, speed, up_to;
    std::vector<std::string> marks;
  } envelope;
  bool json = false;
};

// What is reported of a motion, for text and JSON alike.
struct Motion {
  LoadHistory history;
  std::vector<MapPoint> points;  // the quantity as y, that of the horizontal axis as x
  std::string taken;             // how these were
  MotionVerdict verdict;
  Spectrum spectrum;
};

double time_option(const std::string& option, const std::string& text, double otherwise) {
  return text.empty() ? otherwise : quantity_option(option, text, "s");
}

void take_points(const MotionArguments& arguments, const ResultReader& result, double from, double to, Motion& motion) {
  const LoadHistory &y = motion.history, x = arguments.x.empty() ? y : load_history(result, {arguments.x}, from, to);
  if (!arguments.period.empty()) {
    const double period = quantity_option("--period", arguments.period, "s");
    if (!(period > 0)) refuse("--period", carom::quoted(arguments.period), "a time above 0");
    const double count = (y.time.back() - y.time.front()) / period;
    if (count > most_map_points)
      refuse("--period", fmt::format("{}, which means {:.3g} points", carom::quoted(arguments.period), count),
             fmt::format("at most {:g} points", most_map_points), "give a longer period");
    motion.points = stroboscopic_map(y.time, x.value, y.value, {y.time.front(), period});
    motion.taken = fmt::format("once in {:g} s", period);
  } else if (!arguments.event.empty()) {
    const std::vector<EventRecord> events = result.events();
    require_contacts({arguments.event}, contact_groups(model_of(result)), events, arguments.result);
    require_event_kind(arguments.kind, result);
    const auto times = event_times(events, {arguments.event}, arguments.kind, y.time.front(), y.time.back());
    motion.points = instant_map(y.time, x.value, y.value, times);
    motion.taken = "at events of " + arguments.event;
  } else if (!arguments.crossing.empty()) {
    const LoadHistory passing = load_history(result, {arguments.crossing}, from, to);
    const double level = quantity_option("--level", arguments.level, passing.unit);
    const Crossing way = arguments.direction == "up"     ? Crossing::rising
                         : arguments.direction == "down" ? Crossing::falling
                                                         : Crossing::both;
    motion.points = section_map(y.time, x.value, y.value, {.values = passing.value, .level = level, .way = way});
    motion.taken = fmt::format("where {} passes {:g} {}", passing.name, level, passing.unit);
  } else {
    refuse("--period", "nothing", "when points of the motion are taken",
           "give --period, --event or --crossing, for example --period 20ms, or --envelope");
  }
  if (motion.points.size() < 4)
    throw ComputationError(
        fmt::format("{} points {} are too few to tell the kind of a motion", motion.points.size(), motion.taken));
}

Motion look_at(const MotionArguments& arguments, const ResultReader& result) {
  const double far = std::numeric_limits<double>::max();
  const double from = time_option("--from", arguments.from, -far), to = time_option("--to", arguments.to, far);
  Motion motion;
  motion.history = load_history(result, {arguments.quantity}, from, to);
  take_points(arguments, result, from, to, motion);
  std::vector<double> values;
  for (const MapPoint& point : motion.points) values.push_back(point.y);
  const auto [low, high] = std::minmax_element(motion.history.value.begin(), motion.history.value.end());
  motion.verdict = classify_motion(values, *high - *low);
  motion.spectrum = amplitude_spectrum(motion.history.time, motion.history.value);
  return motion;
}

void print_motion(const Motion& motion, const MotionArguments& arguments) {
  const auto line = [](const std::string& what, const std::string& value) { fmt::print("  {:<22} {}\n", what, value); };
  fmt::print("{}: {}\n", arguments.result, motion.history.name);
  line("points", fmt::format("{}, {}, from {:g} to {:g} s", motion.points.size(), motion.taken, motion.points.front().t,
                             motion.points.back().t));
  line("motion", name_of(motion.verdict.kind));
  line("evidence", motion.verdict.evidence());
  std::string peaks;
  for (const SpectrumPeak& peak : motion.spectrum.peaks)
    peaks += fmt::format("{}{:.5g} Hz ({:.3g} {})", peaks.empty() ? "" : ", ", peak.frequency, peak.amplitude,
                         motion.history.unit);
  line("strongest frequencies", peaks.empty() ? "none" : peaks);
  line("spectral entropy", fmt::format("{:.3f}", spectral_entropy(motion.spectrum)));
}

void print_json(const Motion& motion, const MotionArguments& arguments) {
  nlohmann::ordered_json json = {{"file", arguments.result},
                                 {"quantity", motion.history.name},
                                 {"unit", motion.history.unit},
                                 {"taken", motion.taken},
                                 {"points", motion.points.size()},
                                 {"motion", name_of(motion.verdict.kind)},
                                 {"repeats_after", motion.verdict.period},
                                 {"repetition", motion.verdict.repetition},
                                 {"zero_one", motion.verdict.zero_one},
                                 {"spectral_entropy", spectral_entropy(motion.spectrum)},
                                 {"frequencies", nlohmann::json::array()}};
  for (const SpectrumPeak& peak : motion.spectrum.peaks)
    json["frequencies"].push_back({{"frequency", peak.frequency}, {"amplitude", peak.amplitude}});
  fmt::print("{}\n", to_utf8(json));
}

// The points over another quantity, or each over the one before it.
void draw_points(const Motion& motion, const MotionArguments& arguments, const ResultReader& result) {
  const std::string label = with_unit(motion.history.name, motion.history.unit);
  Series series{.style = Series::Style::points};
  for (std::size_t k = 0; k < motion.points.size(); ++k) {
    if (!arguments.x.empty()) {
      series.x.push_back(motion.points[k].x);
      series.y.push_back(motion.points[k].y);
    } else if (k > 0) {
      series.x.push_back(motion.points[k - 1].y);
      series.y.push_back(motion.points[k].y);
    }
  }
  Panel panel{.x_label = arguments.x.empty() ? label : with_unit(arguments.x, result.component(arguments.x).unit)};
  panel.y_label = arguments.x.empty() ? "next " + label : label;
  panel.series.push_back(std::move(series));
  Figure figure;
  figure.title = motion.history.name + " " + motion.taken + ": " + name_of(motion.verdict.kind);
  figure.panels.push_back(std::move(panel));
  figure.columns = 1;
  write_figure(figure, arguments.plot, FigureStyle::screen);
  fmt::print("{}\n", arguments.plot);
}

int tell_motion(const MotionArguments& arguments) {
  const ResultReader result(arguments.result);
  if (arguments.envelope.asked) {
    const double far = std::numeric_limits<double>::max();
    return tell_envelope({.result = arguments.result,
                          .quantity = arguments.quantity,
                          .band = arguments.envelope.band,
                          .bearing = arguments.envelope.bearing,
                          .speed = arguments.envelope.speed,
                          .up_to = arguments.envelope.up_to,
                          .plot = arguments.plot,
                          .marks = arguments.envelope.marks,
                          .from = time_option("--from", arguments.from, -far),
                          .to = time_option("--to", arguments.to, far),
                          .json = arguments.json},
                         result);
  }
  const Motion motion = look_at(arguments, result);
  if (arguments.json) {
    print_json(motion, arguments);
  } else {
    print_motion(motion, arguments);
  }
  if (!arguments.plot.empty()) draw_points(motion, arguments, result);
  return exit_done;
}

void add_envelope_options(Command command, MotionArguments& arguments, const std::vector<CommandOption>& others) {
  CommandOption envelope =
      command.add_flag("--envelope", arguments.envelope.asked,
                       "instead, the spectrum of the envelope: how often something is struck and rings");
  for (const CommandOption& other : others) envelope.excludes(other);
  command
      .add_option("--band", arguments.envelope.band,
                  "frequencies of the ringing, LOW,HIGH such as 2kHz,5kHz; default: where it is least steady")
      .needs(envelope);
  command
      .add_option("--bearing", arguments.envelope.bearing,
                  "a [[bearing]] of the model: mark the frequencies of faults of its races, balls and cage")
      .needs(envelope);
  command
      .add_option("--speed", arguments.envelope.speed,
                  "of the inner race, such as 3000rpm, the outer one at rest; default: as recorded")
      .needs(envelope);
  command
      .add_option("--mark", arguments.envelope.marks,
                  "a further frequency to look for, NAME=FREQUENCY or NAME=FREQUENCY,SIDEBANDS; repeatable")
      .needs(envelope)
      .one_value_each()
      .take_all();
  command.add_option("--up-to", arguments.envelope.up_to, "highest frequency of the picture, Hz").needs(envelope);
}

}  // namespace

void add_motion_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<MotionArguments>();
  Command command = app.add_subcommand("motion",
                                       "Report whether a motion is periodic, quasi-periodic or chaotic, and why; or "
                                       "the faults of a bearing, by its envelope spectrum");
  command.add_option("RESULT", arguments->result, "result file (HDF5)").required();
  command.add_option("QUANTITY", arguments->quantity, "by which it is reported, such as body:slider.vx").required();
  CommandOption period =
      command.add_option("--period", arguments->period, "points are taken once in this time, such as 20ms");
  CommandOption event = command.add_option("--event", arguments->event,
                                           "points are taken when a contact or an impact begins, such as joint:pin");
  command.add_option("--kind", arguments->kind, "of the events, if not any beginning").needs(event);
  CommandOption crossing =
      command.add_option("--crossing", arguments->crossing, "points are taken where this quantity passes a level");
  command.add_option("--level", arguments->level, "that it passes").needs(crossing).show_default();
  command.add_option("--direction", arguments->direction, "in which it passes: up, down or both")
      .needs(crossing)
      .one_of({"up", "down", "both"})
      .show_default();
  period.excludes(event).excludes(crossing);
  event.excludes(crossing);
  add_envelope_options(command, *arguments, {period, event, crossing});
  command.add_option("--from", arguments->from, "first time that counts: leave out the run-up");
  command.add_option("--to", arguments->to, "last time that counts");
  CommandOption plot = command.add_option(
      "--plot", arguments->plot, "draw the points (.svg, .png or .pdf), each over the one before, or the envelope");
  command.add_option("-x", arguments->x, "quantity to draw them over instead: a Poincaré map").needs(plot);
  command.add_flag("--json", arguments->json, "as JSON");
  command.callback([arguments, &exit_code] { exit_code = tell_motion(*arguments); });
}

}  // namespace carom
