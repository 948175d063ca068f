#include "envelope_report.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bearings/geometry.h"
#include "commands.h"
#include "durability/load_history.h"
#include "json_text.h"
#include "model/attachment.h"
#include "option_quantity.h"
#include "plotting/figure.h"
#include "recording/quantity_label.h"
#include "signals/curve.h"
#include "signals/envelope.h"
#include "simulation/recorded_model.h"
#include "split_list.h"
#include "viewing/spectrum_pictures.h"

namespace carom {
namespace {

constexpr double reach_share = 0.01;   // of a frequency, within which its line is looked for
constexpr double side_band_width = 3;  // a band holds so many harmonics of the fastest mark
constexpr double usual_bands = 16;     // of the spectrum, without marks
constexpr std::size_t told_peaks = 8;
constexpr double shown_marks = 5;  // harmonics of the fastest mark in a picture

// The two rings, turns a second.
struct RingSpeeds {
  double inner = 0, outer = 0;
};

// A line that a fault would have, and what is there.
struct Found {
  MarkedFrequency mark = {};
  SpectrumPeak peak = {};
  double lower = 0, upper = 0;  // amplitudes of the first side bands; 0: none
};

struct Report {
  LoadHistory history = {};
  EvenSamples samples = {};
  BandChoice choice = {};
  bool chosen = false;
  std::vector<MarkedFrequency> marks = {};
  Spectrum spectrum = {};
  std::vector<Found> found = {};
};

const BearingModel& bearing_named(const Model& model, const std::string& name, const std::string& file) {
  std::string known;
  for (const BearingModel& bearing : model.bearings) {
    if (bearing.element.name == name) return bearing;
    known += (known.empty() ? "" : ", ") + bearing.element.name;
  }
  refuse("--bearing", carom::quoted(name),
         known.empty() ? "nothing: " + file + " has no [[bearing]]" : "one of " + known,
         "or give frequencies by --mark, such as --mark BPFO=107.4Hz");
}

// Turns a second, the mean of a recorded speed.
double mean_turns(const std::string& quantity, const EnvelopeRequest& request, const ResultReader& result) {
  const LoadHistory speed = load_history(result, {quantity}, request.from, request.to);
  const double span = speed.time.back() - speed.time.front();
  return integral_of(speed.time, speed.value, speed.time.front(), speed.time.back()) / span / (2 * std::numbers::pi);
}

RingSpeeds speeds_of(const Model& model, const BearingModel& bearing, const EnvelopeRequest& request,
                     const ResultReader& result) {
  if (!request.speed.empty()) return {quantity_option("--speed", request.speed, "rad/s") / (2 * std::numbers::pi), 0};
  if (!model.planar) {
    const std::string name = "bearing:" + bearing.element.name;
    const double outer = mean_turns(name + ".outer_speed", request, result);
    return {outer + mean_turns(name + ".spin", request, result), outer};
  }
  const AttachmentPair place = attach_pair(model, bearing.element.settings);
  const auto turns_of = [&](const std::string& body) {
    return body == "ground" ? 0 : mean_turns("body:" + body + ".omega", request, result);
  };
  return {turns_of(body_at(model, place.at[1].body).name), turns_of(body_at(model, place.at[0].body).name)};
}

std::vector<MarkedFrequency> marks_asked_for(const EnvelopeRequest& request, const ResultReader& result) {
  std::vector<MarkedFrequency> marks;
  if (!request.bearing.empty()) {
    const Model model = model_of(result);
    const BearingModel& bearing = bearing_named(model, request.bearing, request.result);
    const RingSpeeds speeds = speeds_of(model, bearing, request, result);
    if (!(std::abs(speeds.inner - speeds.outer) > 0))
      refuse("--bearing", "rings that do not turn against each other", "a shaft that turns", "or give --speed");
    const RollingGeometry stated = stated_geometry(bearing.element.settings);
    const RollingDimensions geometry{.elements = stated.elements,
                                     .element_diameter = stated.element_diameter,
                                     .pitch_diameter = stated.pitch_diameter,
                                     .contact_angle = stated.contact_angle};
    marks = marks_of(defect_frequencies(geometry, speeds.inner, speeds.outer), speeds.inner, speeds.outer);
  }
  for (const std::string& text : request.marks) {
    const std::size_t place = text.find('=');
    if (place == std::string::npos || place == 0)
      refuse("--mark", carom::quoted(text), "NAME=FREQUENCY, such as BPFO=107.4Hz",
             "with side bands: BPFI=162.2Hz,30Hz");
    const auto parts = split_list(text.substr(place + 1));
    if (parts.empty() || parts.size() > 2)
      refuse("--mark", carom::quoted(text), "NAME=FREQUENCY or NAME=FREQUENCY,SIDEBANDS");
    marks.push_back({text.substr(0, place), quantity_option("--mark", parts[0], "Hz"),
                     parts.size() == 2 ? quantity_option("--mark", parts[1], "Hz") : 0});
    if (!(marks.back().frequency > 0)) refuse("--mark", carom::quoted(text), "a frequency above 0");
  }
  return marks;
}

double fastest(const std::vector<MarkedFrequency>& marks) {
  double most = 0;
  for (const MarkedFrequency& mark : marks) most = std::max(most, mark.frequency);
  return most;
}

void take_band(const EnvelopeRequest& request, Report& report) {
  const double highest = highest_frequency(report.samples);
  if (request.band.empty()) {
    const double least = report.marks.empty() ? highest / usual_bands : side_band_width * fastest(report.marks);
    report.choice = choose_band(report.samples, std::min(least, highest / 2));
    report.chosen = true;
    return;
  }
  const auto parts = split_list(request.band);
  if (parts.size() != 2) refuse("--band", carom::quoted(request.band), "LOW,HIGH such as 2kHz,5kHz");
  FrequencyBand& band = report.choice.band;
  band = {quantity_option("--band", parts[0], "Hz"), quantity_option("--band", parts[1], "Hz")};
  if (!(band.low >= 0) || !(band.high > band.low) || !(band.low < highest))
    refuse("--band", carom::quoted(request.band),
           fmt::format("LOW below HIGH, within the {:g} Hz that the samples show", highest),
           "record more often by `every` of [output] for higher frequencies");
}

Report look_at(const EnvelopeRequest& request, const ResultReader& result) {
  Report report{.history = load_history(result, {request.quantity}, request.from, request.to)};
  report.samples = even_samples(report.history.time, report.history.value);
  if (report.samples.values.size() < 256)
    throw ComputationError(fmt::format("{} samples of {} are too few for an envelope; record more often",
                                       report.history.value.size(), request.quantity));
  report.marks = marks_asked_for(request, result);
  take_band(request, report);
  report.spectrum = envelope_spectrum(report.samples, report.choice.band, told_peaks);
  for (const MarkedFrequency& mark : report.marks) {
    const auto near = [&](double frequency) {
      const double reach = std::max(reach_share * mark.frequency, report.spectrum.resolution);
      return peak_near(report.spectrum, frequency, mark.side_bands > 0 ? std::min(reach, mark.side_bands / 3) : reach);
    };
    Found found{.mark = mark, .peak = near(mark.frequency)};
    if (mark.side_bands > 0) {
      found.lower = near(mark.frequency - mark.side_bands).amplitude;
      found.upper = near(mark.frequency + mark.side_bands).amplitude;
    }
    report.found.push_back(found);
  }
  return report;
}

std::string name_of_line(const Report& report, double frequency) {
  const double tolerance = std::max(0.005 * frequency, 0.5 * report.spectrum.resolution);
  return text_of(name_line(frequency, report.marks, tolerance), report.marks);
}

std::string text_of(const Found& found, const std::string& unit) {
  std::string text = fmt::format("{:.5g} Hz", found.mark.frequency);
  if (!(found.peak.amplitude > 0)) return text + ": no line";
  const double off = 100 * (found.peak.frequency / found.mark.frequency - 1);
  text += fmt::format(": {:.3g} {} at {:.5g} Hz ({:+.2f} %)", found.peak.amplitude, unit, found.peak.frequency, off);
  if (!(found.mark.side_bands > 0)) return text;
  const auto band = [&](double amplitude) {
    return amplitude > 0 ? fmt::format("{:.3g}", amplitude) : std::string("none");
  };
  return text + fmt::format("; {} and {} at ±{:.5g} Hz", band(found.lower), band(found.upper), found.mark.side_bands);
}

void print_report(const Report& report, const EnvelopeRequest& request) {
  const auto line = [](const std::string& what, const std::string& value) { fmt::print("  {:<22} {}\n", what, value); };
  const std::string& unit = report.history.unit;
  const FrequencyBand& band = report.choice.band;
  fmt::print("{}: envelope of {}\n", request.result, report.history.name);
  line("samples", fmt::format("{} from {:g} to {:g} s, one in {:.4g} s", report.samples.values.size(),
                              report.history.time.front(), report.history.time.back(), report.samples.step));
  line("band", fmt::format("{:.5g} to {:.5g} Hz{}", band.low, band.high,
                           report.chosen ? fmt::format(", chosen by its kurtosis of {:.3g}", report.choice.kurtosis)
                                         : std::string()));
  for (const Found& found : report.found) line(found.mark.name, text_of(found, unit));
  std::vector<SpectrumPeak> peaks = report.spectrum.peaks;
  std::sort(peaks.begin(), peaks.end(), [](const auto& a, const auto& b) { return a.amplitude > b.amplitude; });
  bool first = true;
  for (const SpectrumPeak& peak : peaks) {
    const std::string name = name_of_line(report, peak.frequency);
    line(first ? "strongest lines" : "",
         fmt::format("{:.5g} Hz: {:.3g} {}{}", peak.frequency, peak.amplitude, unit, name.empty() ? "" : ", " + name));
    first = false;
  }
  if (peaks.empty()) line("strongest lines", "none");
}

void print_json(const Report& report, const EnvelopeRequest& request) {
  nlohmann::ordered_json json = {{"file", request.result},
                                 {"quantity", report.history.name},
                                 {"unit", report.history.unit},
                                 {"samples", report.samples.values.size()},
                                 {"band", {report.choice.band.low, report.choice.band.high}},
                                 {"resolution", report.spectrum.resolution},
                                 {"marks", nlohmann::json::array()},
                                 {"frequencies", nlohmann::json::array()}};
  if (report.chosen) json["kurtosis"] = report.choice.kurtosis;
  for (const Found& found : report.found)
    json["marks"].push_back({{"name", found.mark.name},
                             {"expected", found.mark.frequency},
                             {"frequency", found.peak.frequency},
                             {"amplitude", found.peak.amplitude},
                             {"side_bands", found.mark.side_bands},
                             {"lower", found.lower},
                             {"upper", found.upper}});
  for (const SpectrumPeak& peak : report.spectrum.peaks)
    json["frequencies"].push_back(
        {{"frequency", peak.frequency}, {"amplitude", peak.amplitude}, {"name", name_of_line(report, peak.frequency)}});
  fmt::print("{}\n", to_utf8(json));
}

void draw_report(const Report& report, const EnvelopeRequest& request) {
  const double highest = highest_frequency(report.samples);
  double up_to = report.marks.empty() ? highest : std::min(highest, shown_marks * fastest(report.marks));
  if (!request.up_to.empty()) up_to = quantity_option("--up-to", request.up_to, "Hz");
  if (!(up_to > 4 * report.spectrum.resolution))
    refuse("--up-to", carom::quoted(request.up_to),
           fmt::format("more than four lines, {:.3g} Hz", 4 * report.spectrum.resolution));
  Figure figure;
  figure.title = fmt::format("Envelope of {}, {:.4g} to {:.4g} Hz", report.history.name, report.choice.band.low,
                             report.choice.band.high);
  figure.panels.push_back(
      marked_spectrum(report.spectrum, with_unit("amplitude", report.history.unit), report.marks, up_to));
  write_figure(figure, request.plot, FigureStyle::screen);
  fmt::print("{}\n", request.plot);
}

}  // namespace

int tell_envelope(const EnvelopeRequest& request, const ResultReader& result) {
  const Report report = look_at(request, result);
  if (request.json) {
    print_json(report, request);
  } else {
    print_report(report, request);
  }
  if (!request.plot.empty()) draw_report(report, request);
  return exit_done;
}

}  // namespace carom
