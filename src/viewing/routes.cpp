#include "viewing/routes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <new>
#include <optional>

#include "viewing/curves.h"
#include "viewing/embedded_files.h"
#include "viewing/scene.h"

namespace carom {
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

}  // namespace

ViewerRoutes::ViewerRoutes(std::function<Viewed()> open, std::filesystem::path file)
    : open_(std::move(open)), file_(std::move(file)) {
  std::error_code ignored;
  opened_state_ = std::filesystem::last_write_time(file_, ignored);
  viewed_ = open_();
  layout_ = lay_out_frames(viewed_);
}

void ViewerRoutes::open_if_changed() {
  std::error_code ignored;
  const auto state = std::filesystem::last_write_time(file_, ignored);
  if (viewed_.samples && state == opened_state_ && viewed_.status != status_unfinished) return;
  // Closed first: the HDF5 library would hand out what it remembers of a file that is open already.
  viewed_.samples.reset();
  viewed_ = open_();
  layout_ = lay_out_frames(viewed_);
  opened_state_ = state;
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
  if (path == "scene" || !viewed_.samples) open_if_changed();
  if (path == "scene") return json_answer(describe_scene(viewed_, layout_));
  if (path == "quantities") return json_answer(describe_quantities(viewed_));
  if (path == "frames") return frames_answer(viewed_, layout_, query);
  if (path == "times") return times_answer(viewed_, query);
  if (path == "column") {
    return binary_answer(curve_of(viewed_, text_of(query, "name"), span_of(viewed_, query), columns_of(query)));
  }
  if (path == "phase") {
    return binary_answer(
        phase_curve_of(viewed_, text_of(query, "x"), text_of(query, "y"), span_of(viewed_, query), columns_of(query)));
  }
  if (path == "events") return events_answer(viewed_, query);
  if (path == "marks") return marks_answer(viewed_, query);
  if (path == "summary") return summary_answer(viewed_);
  if (path == "model_text") return {200, "text/plain; charset=utf-8", viewed_.model_text};
  return error_answer(404,
                      "there is no such data; ask for scene, quantities, frames, times, column, phase, events, "
                      "marks, summary or model_text");
}

}  // namespace carom
