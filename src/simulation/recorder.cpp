#include "simulation/recorder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "base/nearest_name.h"
#include "base/version.h"
#include "force_elements/force_element.h"
#include "model_io/recorded_files.h"
#include "model_io/write_model.h"
#include "parts/plugins.h"
#include "recording/compress_result.h"

namespace carom::inline simulation {
namespace {

const ChannelDescription energy_quantities = {
    "energy",
    {{"kinetic", "J", "of all bodies"},
     {"potential", "J", "potential energy of gravity and of conservative elements"},
     {"contact", "J", "stored in what touches"},
     {"total", "J", "kinetic + potential + contact"},
     {"supplied", "J",
      "work of drives, of given forces and torques, and of other elements that have given more than they took; not a "
      "number in load steps"},
     {"dissipated", "J",
      "energy taken out by dampers, contacts and other elements that have taken more than they gave; not a number in "
      "load steps"},
     {"residual", "J", "total − total at the start − supplied + dissipated; not a number in load steps"}}};

// A touch is logged when it happens, the episode it begins when that is over.
const std::vector<EventKind> contact_events = {
    {"touch", {{"impact_speed", "m/s", "rate of penetration"}, {"penetration", "m", "with which the contact begins"}}},
    {"contact",
     {{"begin", "s", "of the episode that ends here"},
      {"impact_speed", "m/s", "rate of penetration at its beginning"},
      {"separation_speed", "m/s", "at its end; not a number: the contact is closed when the run ends"},
      {"begin_penetration", "m", "with which it began"},
      {"largest_penetration", "m", "of the episode"},
      {"peak_force", "N", "largest normal force of the episode"},
      {"dissipated", "J", "meanwhile, by all points of this contact"},
      {"stiffness", "", "K of K δⁿ in SI units"},
      {"axis_ratio", "1", "b/a of the ellipse of contact; 1: round"},
      {"peak_time", "s", "when the largest normal force acted"}}}};

const EventKind model_event = {"event", {{"number", "1", "place of the event in the model, from 1"}}};

const std::vector<EventKind> impact_events = {
    {"impact",
     {{"approach_speed", "m/s", "before the step"},
      {"separation_speed", "m/s", "after it"},
      {"normal_impulse", "N s", "in the step"},
      {"tangential_impulse", "N s", "in the step, magnitude"},
      {"effective_mass", "kg", "that the contact feels along its normal"},
      {"impact_speed", "m/s", "of approach at the instant of touch"},
      {"stiffness", "", "K of K δⁿ in SI units; 0: not known"},
      {"load", "N", "that presses the bodies together besides"},
      {"axis_ratio", "1", "b/a of the ellipse of contact; 1: round"},
      {"restitution", "1", "of the contact"},
      {"backing_stiffness", "", "K of the contact behind a light body that is squeezed; 0: none"},
      {"peak_force", "N", "behind the impulse; 0: it cannot be reported"},
      {"duration", "s", "of the pulse that it belongs to"}}}};

// 0: unknown.
std::size_t expected_samples(const Model& model) {
  constexpr double most = 1e9, same = 1e-9;  // the latter of a sample
  const double steps = (model.solver.end - model.solver.start) / sample_interval(model);
  if (model.solver.analysis != Analysis::dynamic || !(steps < most)) return 0;
  return static_cast<std::size_t>(std::ceil(steps - same)) + 1;
}

}  // namespace

double sample_interval(const Model& model) {
  return model.output.every > 0 ? model.output.every : (model.solver.end - model.solver.start) / 1000;
}

const ChannelDescription& energy_channel() {
  return energy_quantities;
}

const std::vector<EventKind>& event_kinds(ContactMethod method) {
  return method == ContactMethod::nonsmooth ? impact_events : contact_events;
}

WorkBook work_book(const Model& model, const std::string& name) {
  if (name.starts_with("motion:")) return WorkBook::supplied;
  if (name.starts_with("event:")) return WorkBook::dissipated;
  for (const ElementModel& force : model.forces) {
    if (name != "force:" + force.name) continue;
    const ForceElementDescription* type = find_force_element(force.type);
    return type && type->supplies ? WorkBook::supplied : WorkBook::by_balance;
  }
  // What a bearing does besides storing energy depends on its speed, either way.
  for (const BearingModel& bearing : model.bearings) {
    if (bearing.is_element && name == "bearing:" + bearing.element.name) return WorkBook::by_balance;
  }
  return WorkBook::dissipated;
}

bool is_supplied(WorkBook book, double work) {
  return book == WorkBook::supplied || (book == WorkBook::by_balance && work > 0);
}

EventRecord to_record(const ContactEvent& event) {
  const ContactEpisode& e = event.episode;
  if (event.begins) return {e.begin, "touch", event.contact, {e.impact_speed, e.begin_penetration}};
  return {e.end,
          "contact",
          event.contact,
          {e.begin, e.impact_speed, e.separation_speed, e.begin_penetration, e.largest_penetration, e.peak_force,
           e.dissipated, e.stiffness, e.axis_ratio, e.peak_time}};
}

EventRecord to_record(const ImpactEvent& event, const ImpactPulse& pulse) {
  return {event.t,
          "impact",
          event.contact,
          {event.approach_speed, event.separation_speed, event.normal_impulse, event.tangential_impulse,
           event.effective_mass, event.impact_speed, event.stiffness, event.load, event.axis_ratio, event.restitution,
           event.backing_stiffness, pulse.peak_force, pulse.duration}};
}

EventRecord to_record(const HappenedEvent& event) {
  return {event.t, model_event.name, "event:" + event.name, {static_cast<double>(event.event + 1)}};
}

Recorder::Recorder(System& system, const Model& model, const std::optional<std::filesystem::path>& path,
                   RecordedRun* memory)
    : system_(&system),
      follows_work_(model.solver.analysis != Analysis::statics || model.solver.load_steps == 0),
      memory_(memory) {
  for (const std::string& name : system.work_names()) books_.push_back(work_book(model, name));

  std::vector<ChannelDescription> channels = system.channels();
  channels.push_back(energy_channel());
  ResultHeader header;
  header.model_text = model.text.empty() ? write_model(model) : model.text;
  // Not the way to it: the same model gives the same bytes wherever it lies and however it is named.
  header.model_file = std::filesystem::path(model.file).filename().string();
  header.settings_json = with_files(with_part_sources(recorded_settings(model)), model);
  header.version = carom_version;
  if (system.contacts()) header.event_kinds = event_kinds(model.solver.method);
  if (!model.events.empty()) header.event_kinds.push_back(model_event);
  std::size_t index = 0;
  for (const ChannelDescription& channel : channels) {
    ChannelGroup group{channel.name, {}};
    for (const auto& component : channel.components) {
      const bool wanted =
          std::any_of(model.output.record.begin(), model.output.record.end(), [&](const std::string& pattern) {
            return matches_pattern(channel.name, pattern) ||
                   matches_pattern(channel.name + "." + component.name, pattern);
          });
      if (wanted) {
        group.components.push_back({component.name, component.unit, component.meaning});
        kept_.push_back(index);
      }
      ++index;
    }
    if (!group.components.empty()) header.groups.push_back(std::move(group));
  }
  all_.reserve(index);
  row_.resize(kept_.size());
  if (path) writer_ = std::make_unique<ResultWriter>(*path, header, expected_samples(model));
  if (model.output.compress) compressed_path_ = path;
  if (memory_) *memory_ = {.header = std::move(header)};
}

void Recorder::balance(const State& state) {
  const Energy energy = system_->energy(state.t, state.q.data(), state.v.data());
  ledger_ = {energy.kinetic, energy.potential, energy.contact, 0, 0, 0};
  for (std::size_t k = 0; k < books_.size(); ++k) {
    const double work = state.work[static_cast<Eigen::Index>(k)];
    const bool supplies = is_supplied(books_[k], work);
    (supplies ? ledger_.supplied : ledger_.dissipated) += supplies ? work : -work;
  }
  if (samples_ == 0) {
    // A run that continues with work done before starts its balance there.
    first_total_ = energy.total() - ledger_.supplied + ledger_.dissipated;
    first_ = energy;
  }
  if (!follows_work_) {
    ledger_.supplied = ledger_.dissipated = ledger_.residual = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  ledger_.residual = energy.total() - first_total_ - ledger_.supplied + ledger_.dissipated;
  // What is no number would be lost in a maximum.
  largest_residual_ = std::isfinite(energy.kinetic + energy.potential + ledger_.residual)
                          ? std::max(largest_residual_, std::abs(ledger_.residual))
                          : std::numeric_limits<double>::infinity();
  largest_energy_ =
      std::max({largest_energy_, energy.kinetic, std::abs(energy.potential - first_.potential),
                std::abs(energy.contact - first_.contact), std::abs(ledger_.supplied), std::abs(ledger_.dissipated)});
  rounding_ = std::max(
      rounding_, rounding_share * std::max({largest_energy_, std::abs(energy.potential), std::abs(energy.contact)}));
}

void Recorder::record(const State& state, const Eigen::VectorXd& v_rate, const Eigen::VectorXd& lambda) {
  balance(state);
  ++samples_;
  if (!keeps()) return;
  system_->record(state, v_rate, lambda, all_);
  for (const double value : {ledger_.kinetic, ledger_.potential, ledger_.contact, ledger_.total(), ledger_.supplied,
                             ledger_.dissipated, ledger_.residual}) {
    all_.push_back(value);
  }
  for (std::size_t k = 0; k < kept_.size(); ++k) row_[k] = all_[kept_[k]];
  if (writer_) writer_->append(state.t, row_);
  if (!memory_) return;
  memory_->times.push_back(state.t);
  memory_->values.insert(memory_->values.end(), row_.begin(), row_.end());
}

void Recorder::add(EventRecord event) {
  if (writer_) writer_->add_event(event);
  if (memory_) memory_->events.push_back(std::move(event));
}

void Recorder::record_event(const ContactEvent& event) {
  if (keeps()) add(to_record(event));
}

void Recorder::record_event(const ImpactEvent& event, const ImpactPulse& pulse) {
  if (keeps()) add(to_record(event, pulse));
}

void Recorder::record_event(const HappenedEvent& event) {
  if (keeps()) add(to_record(event));
}

void Recorder::flush() {
  if (writer_) writer_->flush();
}

std::string Recorder::finish(const std::string& statistics_json, const std::string& status) {
  if (!writer_) return {};
  writer_->finish(statistics_json, status);
  return compressed_path_ ? compress_result(*compressed_path_) : "";
}

}  // namespace carom::inline simulation
