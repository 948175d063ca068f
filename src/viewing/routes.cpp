#include "viewing/routes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <new>
#include <optional>

#include "signals/poincare_map.h"
#include "signals/spectrum.h"
#include "viewing/curves.h"
#include "viewing/embedded_files.h"
#include "viewing/scene.h"

namespace carom::inline viewing {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_columns = 20000;            // of a curve; no screen is wider
constexpr std::size_t most_floats = 64 * 1024 * 1024;  // of one answer with frames
constexpr std::size_t most_events = 1000;              // of one page of the log
constexpr const char* binary_type = "application/octet-stream";

/// A request that cannot be answered; the message goes to the client.
struct BadRequest {
  std::string message;
};

Answer json_answer(const Json& json, int status = 200) {
  return {status, "application/json", json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

Answer error_answer(int status, const std::string& message) {
  return json_answer({{"error", message}}, status);
}

template <class Number>
Answer binary_answer(const std::vector<Number>& numbers) {
  static_assert(std::endian::native == std::endian::little, "the page expects little-endian numbers");
  std::string body(numbers.size() * sizeof(Number), '\0');
  if (!numbers.empty()) std::memcpy(body.data(), numbers.data(), body.size());
  return {200, binary_type, std::move(body)};
}

const std::string& text_of(const Query& query, const std::string& name) {
  const auto found = query.find(name);
  if (found == query.end() || found->second.empty()) throw BadRequest{"give `" + name + "`"};
  return found->second;
}

template <class Number>
Number number_of(const Query& query, const std::string& name, Number fallback) {
  const auto found = query.find(name);
  if (found == query.end()) return fallback;
  const std::string& text = found->second;
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool finite = true;
  if constexpr (std::is_floating_point_v<Number>) finite = std::isfinite(value);
  if (error != std::errc() || end != text.data() + text.size() || !finite) {
    throw BadRequest{"`" + name + "` must be a " + (std::is_floating_point_v<Number> ? "" : "whole, not negative ") +
                     "number"};
  }
  return value;
}

TimeSpan span_of(const Viewed& viewed, const Query& query) {
  const auto& times = viewed.samples->times();
  const double first = times.empty() ? 0 : times.front(), last = times.empty() ? 0 : times.back();
  const TimeSpan span{number_of(query, "from", first), number_of(query, "to", last)};
  if (span.to < span.from) throw BadRequest{"`to` must not be less than `from`"};
  return span;
}

std::size_t columns_of(const Query& query) {
  return std::clamp<std::size_t>(number_of<std::size_t>(query, "points", 1000), 2, most_columns);
}

Answer frames_answer(const Viewed& viewed, const FrameLayout& layout, const Query& query) {
  const std::size_t samples = viewed.samples->times().size();
  const auto last = std::min(number_of<std::size_t>(query, "to", samples), samples);
  const auto first = std::min(number_of<std::size_t>(query, "from", 0), last);
  const auto stride = std::max<std::size_t>(number_of<std::size_t>(query, "stride", 1), 1);
  const std::size_t rows = (last - first) / stride + 1;
  if (rows > most_floats / std::max<std::size_t>(layout.columns.size(), 1)) {
    throw BadRequest{"too many samples at once; ask for fewer or a larger `stride`"};
  }
  return binary_answer(read_frames(viewed, layout, first, last, stride));
}

Answer times_answer(const Viewed& viewed, const Query& query) {
  const auto& times = viewed.samples->times();
  const auto stride = std::max<std::size_t>(number_of<std::size_t>(query, "stride", 1), 1);
  const auto last = std::min(number_of<std::size_t>(query, "to", times.size()), times.size());
  std::vector<double> chosen;
  for (std::size_t i = std::min(number_of<std::size_t>(query, "from", 0), last); i < last;) {
    chosen.push_back(times[i]);
    if (stride >= last - i) break;
    i += stride;
  }
  return binary_answer(chosen);
}

Answer events_answer(const Viewed& viewed, const Query& query) {
  const auto& events = viewed.samples->events();
  const auto after = number_of(query, "after", -std::numeric_limits<double>::max());
  const auto begin =
      std::lower_bound(events.begin(), events.end(), after, [](const EventRecord& a, double t) { return a.time < t; });
  const auto at = static_cast<std::size_t>(begin - events.begin());
  const auto first = std::min(at + std::min(number_of<std::size_t>(query, "first", 0), events.size()), events.size());
  const auto count = std::min({number_of<std::size_t>(query, "count", 100), most_events, events.size() - first});
  Json kinds = Json::array(), list = Json::array();
  for (const EventKind& kind : viewed.samples->event_kinds()) {
    Json values = Json::array();
    for (const Component& value : kind.values) {
      values.push_back({{"name", value.name}, {"unit", value.unit}, {"meaning", value.meaning}});
    }
    kinds.push_back({{"name", kind.name}, {"values", std::move(values)}});
  }
  for (std::size_t i = first; i < first + count; ++i) {
    list.push_back({{"time", events[i].time},
                    {"kind", events[i].kind},
                    {"subject", events[i].subject},
                    {"values", events[i].values}});
  }
  return json_answer({{"total", events.size()}, {"first", first}, {"kinds", kinds}, {"events", list}});
}

Answer marks_answer(const Viewed& viewed, const Query& query) {
  Json list = Json::array();
  for (const EventMark& mark : event_marks(viewed, span_of(viewed, query), columns_of(query))) {
    list.push_back({{"first", mark.first},
                    {"last", mark.last},
                    {"count", mark.count},
                    {"kind", mark.kind},
                    {"subject", mark.subject}});
  }
  return json_answer(list);
}

Answer summary_answer(const Viewed& viewed) {
  Json json = {
      {"file", viewed.file}, {"status", viewed.status}, {"version", viewed.version}, {"report", viewed.report}};
  json["statistics"] = viewed.statistics_json.empty() ? Json() : Json::parse(viewed.statistics_json, nullptr, false);
  return json_answer(json);
}

Answer curve_answer(ViewedFile& file, const Query& query) {
  const auto values = file.column(text_of(query, "name"));
  return binary_answer(
      thin_curve(file.viewed().samples->times(), *values, span_of(file.viewed(), query), columns_of(query)));
}

Answer phase_answer(ViewedFile& file, const Query& query) {
  const auto x = file.column(text_of(query, "x")), y = file.column(text_of(query, "y"));
  const auto& times = file.viewed().samples->times();
  const TimeSpan span = span_of(file.viewed(), query);
  if (!query.contains("above")) return binary_answer(thin_phase_curve(times, *x, *y, span, columns_of(query)));
  std::vector<double> t = times, xs = *x, ys = *y;
  keep_above(number_of(query, "above", 0.0), t, xs, ys);
  return binary_answer(thin_phase_curve(t, xs, ys, span, columns_of(query)));
}

// Points at every period, or where a quantity passes a level, as triples t, x, y.
Answer map_answer(ViewedFile& file, const Query& query) {
  const auto x = file.column(text_of(query, "x")), y = file.column(text_of(query, "y"));
  const auto& times = file.viewed().samples->times();
  const TimeSpan span = span_of(file.viewed(), query);
  std::vector<MapPoint> points;
  if (query.contains("period")) {
    const double period = number_of(query, "period", 0.0);
    if (!(period > 0)) throw BadRequest{"`period` must be positive"};
    if ((span.to - span.from) / period > static_cast<double>(times.size())) {
      throw BadRequest{"the period is shorter than the time between samples; give a longer one"};
    }
    points = stroboscopic_map(times, *x, *y, {.first = span.from, .period = period});
  } else {
    const auto section = file.column(text_of(query, "section"));
    const std::string& way = text_of(query, "crossing");
    if (way != "rising" && way != "falling" && way != "both") {
      throw BadRequest{"`crossing` must be rising, falling or both"};
    }
    const auto crossing = way == "rising" ? Crossing::rising : way == "falling" ? Crossing::falling : Crossing::both;
    points = section_map(times, *x, *y, {.values = *section, .level = number_of(query, "level", 0.0), .way = crossing});
  }
  // Of very many, evenly chosen ones.
  const std::size_t step = points.size() / most_columns + 1;
  std::vector<double> triples;
  for (std::size_t i = 0; i < points.size(); i += step) {
    if (points[i].t < span.from || points[i].t > span.to) continue;
    triples.insert(triples.end(), {points[i].t, points[i].x, points[i].y});
  }
  return binary_answer(triples);
}

Answer spectrum_answer(ViewedFile& file, const Query& query) {
  const auto values = file.column(text_of(query, "name"));
  const TimeSpan span = span_of(file.viewed(), query);
  const auto& all = file.viewed().samples->times();
  const auto first = std::lower_bound(all.begin(), all.end(), span.from) - all.begin();
  const auto last = std::upper_bound(all.begin(), all.end(), span.to) - all.begin();
  const Spectrum spectrum =
      amplitude_spectrum({all.begin() + first, all.begin() + last}, {values->begin() + first, values->begin() + last});
  const std::vector<double>& amplitudes = spectrum.amplitudes;
  if (amplitudes.size() < 2) throw BadRequest{"too few samples for a spectrum; record more of them, or a longer run"};
  // Thinned over equal parts of the axis as it is drawn, over the logarithm of the frequency where that is asked for.
  const bool logarithmic = query.contains("log");
  const auto place = [&](double f) { return logarithmic ? std::log10(f) : f; };
  const std::size_t begin = logarithmic ? 1 : 0;
  std::vector<double> places, kept;
  for (std::size_t k = begin; k < amplitudes.size(); ++k) {
    places.push_back(place(static_cast<double>(k) * spectrum.resolution));
  }
  kept.assign(amplitudes.begin() + static_cast<std::ptrdiff_t>(begin), amplitudes.end());
  const auto pairs = thin_curve(places, kept, {places.front(), places.back()}, columns_of(query));
  Json curve = Json::array(), peaks = Json::array();
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    curve.push_back({logarithmic ? std::pow(10, pairs[i]) : pairs[i], pairs[i + 1]});
  }
  for (const SpectrumPeak& peak : spectrum.peaks) peaks.push_back({peak.frequency, peak.amplitude});
  return json_answer({{"resolution", spectrum.resolution},
                      {"samples", spectrum.samples},
                      {"curve", std::move(curve)},
                      {"peaks", std::move(peaks)}});
}

Json describe_run(const ModelRun& run) {
  const ModelRun::State state = run.state();
  const char* const phases[] = {"idle", "running", "ended"};
  std::error_code ignored;
  return {{"phase", phases[static_cast<int>(state.phase)]},
          {"number", state.number},
          {"t", state.t},
          {"from", state.from},
          {"to", state.to},
          {"seconds", state.seconds},
          {"stopped", state.stopped},
          {"code", state.code},
          {"words", state.words},
          {"result", run.result().string()},
          {"replaces", std::filesystem::exists(run.result(), ignored)}};
}

// Values for parameters in the body of a request; none: it is no such list.
std::optional<Assignments> assignments_in(std::string_view body) {
  if (body.empty()) return Assignments{};
  const Json json = Json::parse(body, nullptr, false);
  if (!json.is_object() || !json.contains("set") || !json["set"].is_object()) return std::nullopt;
  Assignments assignments;
  for (const auto& [name, value] : json["set"].items()) {
    if (!value.is_string() || name.empty()) return std::nullopt;
    assignments.emplace(name, value.get<std::string>());
  }
  return assignments;
}

}  // namespace

ViewerRoutes::ViewerRoutes(std::vector<ViewedFile> files, ModelRun* run) : files_(std::move(files)), run_(run) {}

ViewedFile& ViewerRoutes::file_of(const Query& query) {
  const auto index = number_of<std::size_t>(query, "of", 0);
  if (index >= files_.size()) {
    throw BadRequest{"`of` must be less than " + std::to_string(files_.size()) + ", the number of files shown"};
  }
  return files_[index];
}

// Once the run has begun to write, its result is what there is to see.
void ViewerRoutes::take_up_run() {
  if (!run_) return;
  const ModelRun::State state = run_->state();
  if (!state.writes || state.number == run_shown_) return;
  if (run_shown_ > 0) files_[0].close();  // an older result in the same file
  try {
    ViewedFile file(run_->result(), [result = run_->result()] { return view_result(result); });
    // The first samples take a second to reach the disk; until then the model itself shows more.
    if (file.viewed().samples->times().empty() && state.phase == ModelRun::Phase::running) return;
    generation_ += files_[0].generation();
    files_[0] = std::move(file);
    run_shown_ = state.number;
  } catch (const ResultError&) {
    // Not readable yet, or not at all; the next time reports.
  }
}

// What may have changed since: the page asks again and again, so this is cheap when nothing has.
Answer ViewerRoutes::describe_state() {
  take_up_run();
  Json list = Json::array();
  for (std::size_t k = 0; k < files_.size(); ++k) {
    ViewedFile& file = files_[k];
    try {
      file.refresh();
    } catch (const ResultError& error) {
      list.push_back({{"error", error.what()}});
      continue;
    } catch (const InputError& error) {
      list.push_back({{"error", error.problems().text()}});
      continue;
    }
    const auto& times = file.viewed().samples->times();
    list.push_back({{"kind", file.viewed().kind},
                    {"file", file.viewed().file},
                    {"generation", file.generation() + (k == 0 ? generation_ : 0)},
                    {"status", file.viewed().status},
                    {"samples", times.size()},
                    {"start", times.empty() ? 0.0 : times.front()},
                    {"end", times.empty() ? 0.0 : times.back()},
                    {"growing", file.viewed().status == status_unfinished}});
  }
  return json_answer({{"files", std::move(list)}, {"run", run_ ? describe_run(*run_) : Json()}});
}

Answer ViewerRoutes::act(std::string_view path, std::string_view body) {
  if (!run_) return error_answer(404, "only a model can be run; start carom view with a model file");
  if (path == "/api/run") return start_run(body);
  run_->stop();
  return json_answer(describe_run(*run_));
}

Answer ViewerRoutes::start_run(std::string_view body) {
  const auto chosen = assignments_in(body);
  if (!chosen) return error_answer(400, R"(give values for parameters as {"set": {"NAME": "VALUE"}}, or nothing)");
  const std::lock_guard lock(mutex_);
  // Without values of its own the run says itself what is wrong with the model.
  const auto complaints =
      chosen->empty() ? std::map<std::string, std::string>() : complaints_about(run_->model(), *chosen);
  if (!complaints.empty()) {
    const auto general = complaints.find("");
    return json_answer(
        {{"error", general == complaints.end() ? "Some values do not fit; nothing was run." : general->second},
         {"fields", complaints}},
        422);
  }
  // An older result of this model must not be open while the run writes over it.
  if (run_shown_ > 0 && run_->state().phase != ModelRun::Phase::running) files_[0].close();
  if (!run_->start(*chosen)) return error_answer(409, "the model is being run already; stop that run first");
  return json_answer(describe_run(*run_));
}

Answer ViewerRoutes::answer(std::string_view path, const Query& query) {
  if (path.starts_with("/api/")) {
    const std::lock_guard lock(mutex_);
    try {
      return answer_data(path.substr(5), query);
    } catch (const BadRequest& bad) {
      return error_answer(400, bad.message);
    } catch (const ResultError& error) {
      return error_answer(404, error.what());
    } catch (const InputError& error) {
      return error_answer(404, error.problems().text());
    } catch (const std::bad_alloc&) {
      return error_answer(500, "not enough memory for this answer");
    } catch (const std::exception& error) {
      return error_answer(500, error.what());
    }
  }
  // Only files of this list are served, so a path cannot lead out of it.
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path == (path == "/" ? "/index.html" : path)) {
      return {200, std::string(file.type), std::string(file.contents)};
    }
  }
  return error_answer(404, "there is no such page");
}

Answer ViewerRoutes::answer_data(std::string_view path, const Query& query) {
  if (path == "state") return describe_state();
  ViewedFile& file = file_of(query);
  if (path == "scene" || !file.is_open()) file.refresh();
  const Viewed& viewed = file.viewed();
  if (path == "scene") return json_answer(describe_scene(viewed, file.layout()));
  if (path == "quantities") return json_answer(describe_quantities(viewed));
  if (path == "frames") return frames_answer(viewed, file.layout(), query);
  if (path == "times") return times_answer(viewed, query);
  if (path == "column") return curve_answer(file, query);
  if (path == "phase") return phase_answer(file, query);
  if (path == "map") return map_answer(file, query);
  if (path == "spectrum") return spectrum_answer(file, query);
  if (path == "events") return events_answer(viewed, query);
  if (path == "marks") return marks_answer(viewed, query);
  if (path == "summary") return summary_answer(viewed);
  if (path == "parameters") {
    const bool runs = run_ && &file == &files_[0];
    return json_answer(
        {{"runs", runs},
         {"list", runs ? describe_parameters(run_->model(), run_->chosen()) : describe_parameters(viewed)}});
  }
  if (path == "model_text") return {200, "text/plain; charset=utf-8", viewed.model_text};
  return error_answer(404,
                      "there is no such data; ask for state, scene, quantities, frames, times, column, phase, map, "
                      "spectrum, events, marks, summary, parameters or model_text");
}

}  // namespace carom::inline viewing
