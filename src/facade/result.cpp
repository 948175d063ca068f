#include "carom/result.h"

#include <nlohmann/json.hpp>

#include "facade/result_file.h"
#include "facade/translate.h"

namespace carom::v1 {
namespace {

Status status_of(const std::string& text) {
  if (text == "complete") return Status::complete;
  if (text == "interrupted") return Status::interrupted;
  return text.starts_with("failed") ? Status::failed : Status::unfinished;
}

template <class To>
void read(const nlohmann::json& from, const char* key, To& to) {
  const auto found = from.find(key);
  if (found != from.end() && !found->is_null()) found->get_to(to);  // null: a number that is not finite
}

// By force laws, or by impulses.
void read_contacts(const nlohmann::json& json, Summary& summary) {
  if (const auto contacts = json.find("contacts"); contacts != json.end()) {
    read(*contacts, "begun", summary.contacts);
    read(*contacts, "peak_force", summary.peak_force);
    read(*contacts, "strongest_contact", summary.peak_contact);
    read(*contacts, "largest_penetration", summary.largest_penetration);
    read(*contacts, "deepest_contact", summary.deepest_contact);
  }
  const auto impulses = json.find("nonsmooth");
  if (impulses == json.end()) return;
  read(*impulses, "impacts", summary.contacts);
  read(*impulses, "largest_penetration", summary.largest_penetration);
  read(*impulses, "deepest_contact", summary.deepest_contact);
  const auto hardest = impulses->find("hardest_impact");
  if (hardest == impulses->end()) return;
  read(*hardest, "peak_force", summary.peak_force);
  read(*hardest, "contact", summary.peak_contact);
  read(*hardest, "time", summary.peak_time);
}

// The statistics of a result file tell all of it, so that a result just computed and one opened later say the same.
Summary read_summary(const carom::ResultReader& reader) {
  Summary summary;
  summary.status = status_of(reader.status());
  const auto json = nlohmann::json::parse(reader.statistics_json(), nullptr, false);
  if (!json.is_object()) return summary;
  read(json, "reason", summary.reason);
  read(json, "model", summary.model);
  read(json, "analysis", summary.analysis);
  read(json, "integrator", summary.integrator);
  read(json, "constraints", summary.constraints);
  read(json, "time", summary.time);
  read(json, "end", summary.end);
  read(json, "samples", summary.samples);
  read(json, "steps", summary.steps);
  read(json, "rejected_steps", summary.rejected_steps);
  read(json, "evaluations", summary.evaluations);
  read(json, "degrees_of_freedom", summary.degrees_of_freedom);
  read(json, "position_drift", summary.position_drift);
  read(json, "velocity_drift", summary.velocity_drift);
  read(json, "method", summary.method);
  read(json, "verdict", summary.verdict);
  read(json, "warnings", summary.warnings);
  read_contacts(json, summary);
  if (const auto energy = json.find("energy"); energy != json.end()) {
    read(*energy, "kinetic", summary.kinetic);
    read(*energy, "potential", summary.potential);
    read(*energy, "supplied", summary.supplied);
    read(*energy, "dissipated", summary.dissipated);
    read(*energy, "largest_residual", summary.largest_residual);
    read(*energy, "largest", summary.largest_energy);
  }
  if (const auto works = json.find("work"); works != json.end()) {
    for (const auto& [element, work] : works->items()) {
      summary.works.push_back({element, work.is_number() ? work.get<double>() : 0});
    }
  }
  if (const auto modes = json.find("modes"); modes != json.end()) {
    for (const auto& mode : *modes) {
      summary.modes.emplace_back();
      read(mode, "frequency", summary.modes.back().frequency);
      read(mode, "damping_ratio", summary.modes.back().damping_ratio);
    }
  }
  return summary;
}

std::vector<RecordedPart> recorded_parts(const carom::ResultHeader& header, const std::string& prefix) {
  std::vector<RecordedPart> parts;
  for (const carom::ChannelGroup& group : header.groups) {
    if (!group.name.starts_with(prefix)) continue;
    parts.push_back({group.name, {}});
    for (const carom::Component& each : group.components)
      parts.back().quantities.push_back({group.name + "." + each.name, each.unit, each.meaning});
  }
  return parts;
}

// The statistics do not tell when a contact by forces had its peak.
double begin_of_strongest(const std::vector<Event>& events, const Summary& summary) {
  const Event* strongest = nullptr;
  for (const Event& event : events) {
    if (event.kind != "contact" || event.contact != summary.peak_contact) continue;
    if (!strongest || event.peak_force > strongest->peak_force) strongest = &event;
  }
  return strongest ? strongest->begin : 0;
}

}  // namespace

Result::Impl::Impl(const std::filesystem::path& file, bool remove)
    : remove_when_done(remove), path(file), reader(file), summary(read_summary(reader)) {
  for (const std::string& name : reader.quantities()) {
    const carom::Component component = reader.component(name);
    quantities.push_back({name, component.unit, component.meaning});
  }
  for (const carom::EventKind& kind : reader.header().event_kinds) {
    event_kinds.push_back({kind.name, {}});
    for (const carom::Component& value : kind.values)
      event_kinds.back().values.push_back({value.name, value.unit, value.meaning});
  }
  beams = recorded_parts(reader.header(), "beam:");
  bearings = recorded_parts(reader.header(), "bearing:");
  if (summary.peak_force > 0 && summary.method != "nonsmooth")
    summary.peak_time = begin_of_strongest(events(), summary);
}

Result::Impl::~Impl() {
  std::error_code ignored;
  if (remove_when_done) std::filesystem::remove(path, ignored);
}

Result ResultAccess::open(const std::filesystem::path& file, bool remove_when_done) {
  return translating_errors([&] { return Result(std::make_shared<const Result::Impl>(file, remove_when_done)); });
}

Result::Result(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Result::Result(const std::filesystem::path& file) : Result(ResultAccess::open(file, false)) {}

const std::filesystem::path& Result::file() const {
  return impl_->path;
}
const Summary& Result::summary() const {
  return impl_->summary;
}
std::size_t Result::sample_count() const {
  return impl_->reader.sample_count();
}
const std::vector<Quantity>& Result::quantities() const {
  return impl_->quantities;
}
const std::vector<EventKind>& Result::event_kinds() const {
  return impl_->event_kinds;
}
const std::vector<RecordedPart>& Result::beams() const {
  return impl_->beams;
}
const std::vector<RecordedPart>& Result::bearings() const {
  return impl_->bearings;
}
std::string Result::model_text() const {
  return impl_->reader.header().model_text;
}

std::vector<double> Result::times() const {
  return translating_errors([&] { return impl_->reader.times(); });
}

std::vector<double> Result::column(const std::string& quantity) const {
  return translating_errors([&] { return impl_->reader.column(quantity); });
}

std::string Result::unit(const std::string& quantity) const {
  return translating_errors([&] { return impl_->reader.component(quantity).unit; });
}

}  // namespace carom::v1
