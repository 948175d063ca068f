#include "studies/reductions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/nearest_name.h"
#include "recording/event_times.h"
#include "signals/chaos.h"
#include "signals/curve.h"
#include "signals/poincare_map.h"
#include "signals/power_mean.h"
#include "signals/spectrum.h"

namespace carom::inline studies {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The samples of a quantity within its window.
struct Samples {
  std::vector<double> t, x;
  double duration() const { return t.back() - t.front(); }
};

// Of straight lines between samples, and never beyond these by rounding; over a single sample, the value itself.
double time_mean(const Samples& s) {
  if (!(s.duration() > 0)) return s.x.front();
  const auto [low, high] = std::minmax_element(s.x.begin(), s.x.end());
  return std::clamp(integral_of(s.t, s.x, s.t.front(), s.t.back()) / s.duration(), *low, *high);
}

Samples mapped(Samples s, double (*map)(double)) {
  std::transform(s.x.begin(), s.x.end(), s.x.begin(), map);
  return s;
}

double square(double x) {
  return x * x;
}

double magnitude(double x) {
  return std::abs(x);
}

double deviation(const Samples& s) {
  const double mean = time_mean(s);
  Samples about = s;
  for (double& x : about.x) x = square(x - mean);
  return std::sqrt(time_mean(about));
}

// By straight lines between the ranks of the samples.
double percentile(std::vector<double> x, double percent) {
  std::sort(x.begin(), x.end());
  const double rank = percent / 100 * static_cast<double>(x.size() - 1);
  const auto low = static_cast<std::size_t>(rank);
  const std::size_t high = std::min(low + 1, x.size() - 1);
  return std::clamp(x[low] + (rank - static_cast<double>(low)) * (x[high] - x[low]), x[low], x[high]);
}

struct LoadedInterval {
  double load = 0, weight = 0;
};

// Of magnitudes, over time.
double mean_of_power(const Samples& s, double exponent) {
  std::vector<LoadedInterval> parts;
  for (std::size_t k = 0; k + 1 < s.t.size(); ++k)
    parts.push_back({0.5 * (std::abs(s.x[k]) + std::abs(s.x[k + 1])), s.t[k + 1] - s.t[k]});
  return parts.empty() ? std::abs(s.x.front())
                       : power_mean(parts, exponent, &LoadedInterval::load, &LoadedInterval::weight);
}

// Samples themselves: a curve laid through them would tell of forces at jumps that nothing ever had.
CurvePoint largest(const Samples& s) {
  return extreme_sample(s.t, s.x, true);
}

CurvePoint smallest(const Samples& s) {
  return extreme_sample(s.t, s.x, false);
}

double range_of(const Samples& s) {
  return largest(s).x - smallest(s).x;
}

// The root may round to beyond the largest magnitude, or the squares underflow.
double root_mean_square(const Samples& s) {
  const Samples magnitudes = mapped(s, magnitude);
  return std::clamp(std::sqrt(time_mean(mapped(s, square))), smallest(magnitudes).x, largest(magnitudes).x);
}

// Hz, of the strongest peak.
double dominant_frequency(const Spectrum& spectrum) {
  const auto strongest = std::max_element(spectrum.peaks.begin(), spectrum.peaks.end(),
                                          [](const auto& a, const auto& b) { return a.amplitude < b.amplitude; });
  return strongest == spectrum.peaks.end() ? nan : strongest->frequency;
}

// s, until the last sample farther from the final value than 2 % of the farthest one, by straight lines between
// samples.
double settling_time(const Samples& s) {
  constexpr double band = 0.02;
  const double end = s.x.back();
  double farthest = 0;
  for (const double x : s.x) farthest = std::max(farthest, std::abs(x - end));
  const double level = band * farthest;
  std::size_t k = s.x.size() - 1;
  while (k > 0 && std::abs(s.x[k - 1] - end) <= level) --k;
  if (k == 0) return 0;
  const double before = std::abs(s.x[k - 1] - end), after = std::abs(s.x[k] - end);
  return s.t[k - 1] + (before - level) / (before - after) * (s.t[k] - s.t[k - 1]) - s.t.front();
}

double reduced(const StudyQuantity& quantity, const Samples& s) {
  const std::string& how = quantity.reduce;
  if (how == "max") return largest(s).x;
  if (how == "min") return smallest(s).x;
  if (how == "peak") return largest(mapped(s, magnitude)).x;
  if (how == "range") return range_of(s);
  if (how == "mean") return time_mean(s);
  if (how == "rms") return root_mean_square(s);
  if (how == "deviation") return deviation(s);
  if (how == "percentile") return percentile(s.x, quantity.percent);
  if (how == "first") return s.x.front();
  if (how == "final") return s.x.back();
  if (how == "time_of_max") return largest(s).t;
  if (how == "time_of_min") return smallest(s).t;
  if (how == "time_of_peak") return largest(mapped(s, magnitude)).t;
  if (how == "settling_time") return settling_time(s);
  if (how == "integral") return integral_of(s.t, s.x, s.t.front(), s.t.back());
  if (how == "energy") return s.x.back() - s.x.front();
  if (how == "power_mean") return mean_of_power(s, quantity.exponent);
  if (how == "damage") return miner_damage(count_rainflow(s.x), *quantity.woehler);
  if (how == "equivalent_range") return equivalent_range(count_rainflow(s.x), quantity.exponent);
  if (how == "spectral_entropy") return spectral_entropy(amplitude_spectrum(s.t, s.x));
  if (how == "dominant_frequency") return dominant_frequency(amplitude_spectrum(s.t, s.x));
  if (how == "life") return 1e6 * std::pow(quantity.rating / mean_of_power(s, quantity.exponent), quantity.exponent);
  return nan;
}

// Several quantities: the length of the vector.
std::vector<double> length_of(const RecordedRun& run, const std::vector<std::string>& names) {
  std::vector<double> x = run.column(names.front());
  if (names.size() == 1) return x;
  for (double& each : x) each *= each;
  for (std::size_t k = 1; k < names.size(); ++k) {
    const std::vector<double> y = run.column(names[k]);
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) x[i] += y[i] * y[i];
  }
  for (double& each : x) each = std::sqrt(each);
  return x;
}

// Rounding of the window's ends takes no sample away.
bool within(const Window& window, double t) {
  const double slack = 1e-9 * (window.to - window.from);
  return t >= window.from - slack && t <= window.to + slack;
}

// What is not finite is left out.
Samples samples_within(const RecordedRun& run, const StudyQuantity& quantity, const Window& window) {
  const std::vector<double> x = length_of(run, quantity.of);
  Samples samples;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!within(window, run.times[k]) || !std::isfinite(x[k])) continue;
    samples.t.push_back(run.times[k]);
    samples.x.push_back(x[k]);
  }
  return samples;
}

// Once a period, from the beginning of the window on, or as `at` says.
std::vector<double> poincare(const RecordedRun& run, const StudyQuantity& quantity, const Samples& samples,
                             const Window& window) {
  if (samples.t.empty()) return {};
  std::vector<MapPoint> points;
  if (!quantity.at) {
    if (window.period > 0) points = stroboscopic_map(samples.t, samples.x, samples.x, {window.from, window.period});
  } else if (quantity.at->crossing.empty()) {
    points = instant_map(samples.t, samples.x, samples.x,
                         event_times(run.events, {quantity.at->event}, quantity.at->kind, window.from, window.to));
  } else {
    StudyQuantity passing = quantity;
    passing.of = {quantity.at->crossing};
    const Samples level = samples_within(run, passing, window);
    if (level.t.empty()) return {};
    std::vector<double> levels;
    for (const double t : samples.t) levels.push_back(value_at(level.t, level.x, t));
    points = section_map(samples.t, samples.x, samples.x,
                         {.values = levels, .level = quantity.at->value, .way = quantity.at->way});
  }
  std::vector<double> values;
  for (const MapPoint& point : points) values.push_back(point.x);
  return values;
}

// The samples themselves, also those that are not finite, so that the traces of a run go together.
std::vector<double> trace(const RecordedRun& run, const StudyQuantity& quantity, const Window& window) {
  std::vector<double> x;
  if (quantity.of.front() == trace_of_time || quantity.of.front() == trace_of_turns) {
    x = run.times;
    const bool turns = quantity.of.front() == trace_of_turns;
    for (double& t : x) t = turns ? (t - window.from) / window.period : t;
  } else {
    x = length_of(run, quantity.of);
  }
  std::vector<double> kept;
  std::size_t count = 0;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (within(window, run.times[k]) && count++ % quantity.every == 0) kept.push_back(x[k]);
  return kept;
}

std::vector<double> listed(const RecordedRun& run, const StudyQuantity& quantity, const Window& window) {
  if (quantity.reduce == "trace") return trace(run, quantity, window);
  const Samples samples = samples_within(run, quantity, window);
  if (quantity.reduce == "poincare") return poincare(run, quantity, samples, window);
  Spectrum spectrum = amplitude_spectrum(samples.t, samples.x);
  if (quantity.reduce == "frequencies")
    for (std::size_t k = 0; k < spectrum.amplitudes.size(); ++k)
      spectrum.amplitudes[k] = static_cast<double>(k) * spectrum.resolution;
  return spectrum.amplitudes;
}

// What is reported of the points of a section.
double reduced_points(const std::string& how, const std::vector<double>& points, const Samples& samples) {
  if (points.empty()) return nan;
  if (how == "zero_one") return zero_one_test(points);
  if (how == "poincare_spread") {
    const double mean = std::accumulate(points.begin(), points.end(), 0.0) / static_cast<double>(points.size());
    double squares = 0;
    for (const double point : points) squares += square(point - mean);
    return std::sqrt(squares / static_cast<double>(points.size()));
  }
  const MotionVerdict verdict = classify_motion(points, range_of(samples));
  if (how == "motion") return static_cast<double>(verdict.kind);
  return verdict.kind == MotionKind::periodic ? static_cast<double>(verdict.period) : 0;
}

}  // namespace

const std::vector<ReductionDescription>& reductions() {
  static const std::vector<ReductionDescription> all = {
      {"peak", "largest magnitude"},
      {"max", "largest value"},
      {"min", "smallest value"},
      {"range", "largest − smallest value"},
      {"mean", "over time"},
      {"rms", "root of the mean square over time"},
      {"deviation", "standard deviation over time"},
      {"percentile", "value below which `percent` of the samples lie"},
      {"first", "at the beginning of the window"},
      {"final", "at its end"},
      {"time_of_max", "when the largest value comes", "s"},
      {"time_of_min", "when the smallest value comes", "s"},
      {"time_of_peak", "when the largest magnitude comes", "s"},
      {"settling_time",
       "from the start of the window until it stays within 2 % of its farthest deviation from the final value", "s"},
      {"integral", "over time", "*s"},
      {"energy", "final − first value: of an energy or a work, what came in the window"},
      {"power_mean", "(mean of |x|^p)^(1/p) over time with p = `exponent`, 3 if not given: the equivalent load"},
      {"life", "10⁶ (`rating`/power_mean)^`exponent`, in revolutions: basic life of a bearing", "1"},
      {"count_events", "contacts or impacts that begin; `of` names what touches, `kind` the event", "1"},
      {"damage", "by Palmgren and Miner, of the rainflow cycles, with the line `woehler`; 1: the end of life", "1"},
      {"equivalent_range", "constant range that does the same damage in as many cycles, with the slope `exponent`"},
      {"dominant_frequency", "of the strongest line of the spectrum", "Hz"},
      {"spectral_entropy", "of the spectrum: near 0 a few tones, near 1 noise", "1"},
      {"spectrum", "a list: amplitudes of the spectrum", "*", false, true},
      {"frequencies", "a list: where these lie", "Hz", false, true},
      {"trace", "a list: the samples of the window; of = \"time\" or \"turn\" the times, in s or turns of the window",
       "*", false, true},
      {"poincare", "a list: the value once a `period` of [steady], or as `at` says", "*", true, true},
      {"poincare_spread", "standard deviation of these values", "*", true},
      {"zero_one", "0–1 test of these values: near 0 regular, near 1 chaotic", "1", true},
      {"motion", "1 periodic, 2 quasi-periodic, 3 chaotic, 0 unclear, by these values", "1", true},
      {"turns_to_repeat", "periods after which a periodic motion repeats; 0: it is none", "1", true},
      {"lyapunov", "largest Lyapunov exponent of the model, `how` = \"separation\" or \"variation\"", "1/s"},
      {"lyapunov_error", "its standard error, from ten parts of the run", "1/s"}};
  return all;
}

const ReductionDescription* find_reduction(const std::string& name) {
  const auto& all = reductions();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

ReducedRun reduce(const Study& study, const RecordedRun& run, const Window& window, std::span<const double> parameters,
                  const std::map<std::string, double>& known) {
  ReducedRun result;
  std::vector<double> arguments(parameters.begin(), parameters.end());
  for (const StudyQuantity& quantity : study.quantities) {
    Window own = window;
    own.from = std::max(run.times.empty() ? window.from : run.times.front(), quantity.from.value_or(window.from));
    own.to = quantity.to.value_or(window.to);
    double value = nan;
    if (!quantity.asked_of(window.model)) {
      if (quantity.is_list) result.lists.emplace_back();
    } else if (const auto found = known.find(quantity.name); found != known.end()) {
      value = found->second;
    } else if (quantity.reduce.empty()) {
      value = quantity.expression.value(
          std::span(arguments).first(static_cast<std::size_t>(quantity.expression.argument_count())));
    } else if (quantity.reduce == "count_events") {
      value = static_cast<double>(event_times(run.events, quantity.of, quantity.kind, own.from, own.to).size());
    } else if (quantity.is_list) {
      result.lists.push_back(listed(run, quantity, own));
      value = static_cast<double>(result.lists.back().size());
    } else if (const Samples samples = samples_within(run, quantity, own); !samples.t.empty()) {
      value = find_reduction(quantity.reduce)->of_points
                  ? reduced_points(quantity.reduce, poincare(run, quantity, samples, own), samples)
                  : reduced(quantity, samples);
    }
    result.values.push_back(value);
    arguments.push_back(value);
  }
  return result;
}

ReducedRun nothing_reduced(const Study& study) {
  return {.values = std::vector<double>(study.quantities.size(), nan),
          .lists = std::vector<std::vector<double>>(study.number_of_lists())};
}

}  // namespace carom::inline studies
