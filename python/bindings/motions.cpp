#include <chrono>
#include <future>

#include "bindings.h"
#include "facade/translate.h"
#include "signals/chaos.h"
#include "signals/poincare_map.h"
#include "signals/spectrum.h"
#include "simulation/model_lyapunov.h"
#include "simulation/simulation.h"

// Whether a motion repeats itself: spectra, Poincaré maps, exponents.
namespace carom::python {
namespace {

using Numbers = std::vector<double>;

py::dict spectrum_of(const Numbers& times, const Numbers& values, std::size_t most_peaks) {
  Spectrum spectrum = amplitude_spectrum(times, values, most_peaks);
  Numbers frequencies(spectrum.amplitudes.size()), peak_frequencies, peak_amplitudes;
  for (std::size_t k = 0; k < frequencies.size(); ++k) frequencies[k] = static_cast<double>(k) * spectrum.resolution;
  for (const SpectrumPeak& peak : spectrum.peaks)
    peak_frequencies.push_back(peak.frequency), peak_amplitudes.push_back(peak.amplitude);
  py::dict all;
  all["entropy"] = spectral_entropy(spectrum);
  all["frequency"] = array_of(std::move(frequencies));
  all["amplitude"] = array_of(std::move(spectrum.amplitudes));
  all["peak_frequency"] = array_of(std::move(peak_frequencies));
  all["peak_amplitude"] = array_of(std::move(peak_amplitudes));
  return all;
}

py::dict table_of(const std::vector<MapPoint>& points) {
  Numbers t, x, y;
  for (const MapPoint& point : points) t.push_back(point.t), x.push_back(point.x), y.push_back(point.y);
  py::dict table;
  table["time"] = array_of(std::move(t)), table["x"] = array_of(std::move(x)), table["y"] = array_of(std::move(y));
  return table;
}

void same_length(const Numbers& one, const Numbers& other) {
  if (one.size() != other.size()) throw py::value_error("times and values must be of one length");
}

py::dict strobe(const Numbers& times, const Numbers& x, const Numbers& y, double first, double period) {
  same_length(times, x), same_length(times, y);
  if (!(period > 0)) throw py::value_error("the period must be positive");
  if (!times.empty() && (times.back() - times.front()) / period > most_map_points)
    throw py::value_error("that period means more than a million points");
  return table_of(stroboscopic_map(times, x, y, {first, period}));
}

py::dict classify(const Numbers& points, double scale, double tolerance) {
  const MotionVerdict verdict = classify_motion(points, scale, tolerance);
  py::dict all;
  all["kind"] = name_of(verdict.kind);
  all["period"] = verdict.period;
  all["repetition"] = verdict.repetition;
  all["zero_one"] = verdict.zero_one;
  all["evidence"] = verdict.evidence();
  return all;
}

// Runs a computation that calls nobody meanwhile; this thread looks out for Ctrl-C.
template <class Function>
auto watched(Watch& watch, Function function) {
  constexpr auto glance = std::chrono::milliseconds(50);
  auto running = std::async(std::launch::async, function);
  try {
    return unlocked([&] {
      while (running.wait_for(glance) != std::future_status::ready) watch.look(0, 0, 0, 0);
      return running.get();
    });
  } catch (const Interrupted&) {
    watch.raise();
  }
}

py::tuple lyapunov(const v1::Model& model, double interval, double from, double to, double separation,
                   bool by_variation) {
  Watch watch{py::none()};
  const LyapunovEstimate found = watched(watch, [&] {
    const Model read = v1::read(model);
    const ModelLyapunovSettings settings{interval, from, to, separation};
    return by_variation ? model_lyapunov_by_variation(read, settings, watch.flag())
                        : model_lyapunov_by_separation(read, settings, watch.flag());
  });
  return py::make_tuple(found.exponent, found.error);
}

}  // namespace

void bind_motions(py::module_& module) {
  module.def("spectrum", &spectrum_of, py::arg("times"), py::arg("values"), py::arg("most_peaks") = 5);
  module.def("stroboscopic_map", &strobe, py::arg("times"), py::arg("x"), py::arg("y"), py::arg("first"),
             py::arg("period"));
  module.def(
      "instant_map",
      [](const Numbers& times, const Numbers& x, const Numbers& y, const Numbers& instants) {
        same_length(times, x), same_length(times, y);
        return table_of(instant_map(times, x, y, instants));
      },
      py::arg("times"), py::arg("x"), py::arg("y"), py::arg("instants"));
  module.def(
      "section_map",
      [](const Numbers& times, const Numbers& x, const Numbers& y, const Numbers& values, double level, int way) {
        same_length(times, x), same_length(times, y), same_length(times, values);
        const Crossing crossing = way > 0 ? Crossing::rising : way < 0 ? Crossing::falling : Crossing::both;
        return table_of(section_map(times, x, y, {.values = values, .level = level, .way = crossing}));
      },
      py::arg("times"), py::arg("x"), py::arg("y"), py::arg("values"), py::arg("level"), py::arg("way"));
  module.def("classify_motion", &classify, py::arg("points"), py::arg("scale"), py::arg("tolerance"));
  module.def(
      "zero_one_test", [](const Numbers& series) { return zero_one_test(series); }, py::arg("series"));
  module.def("lyapunov", &lyapunov, py::arg("model"), py::arg("interval"), py::arg("start"), py::arg("end"),
             py::arg("separation"), py::arg("by_variation"));
}

}  // namespace carom::python
