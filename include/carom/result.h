#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "carom/errors.h"
#include "carom/export.h"

namespace carom::v1 {

enum class Status {
  complete,
  interrupted,
  failed,
  unfinished
};  // unfinished: still being written, or its writer was killed

struct Mode {
  double frequency = 0;  // Hz
  double damping_ratio = 0;
};

struct Work {
  std::string element;  // "motion:crank", "force:damper"
  double work = 0;      // J, done on the system
};

// What happened in a run. Of an unfinished one only the status is known.
struct Summary {
  Status status = Status::unfinished;
  std::string reason;  // of a failure
  std::string model, analysis, integrator, constraints;
  std::string method;        // of contact: compliant or nonsmooth
  double time = 0, end = 0;  // s, reached and asked for
  long samples = 0, steps = 0, rejected_steps = 0, evaluations = 0;
  int degrees_of_freedom = 0;
  double position_drift = 0, velocity_drift = 0;  // largest violation of the constraints before it was put right
  double kinetic = 0, potential = 0, supplied = 0, dissipated = 0;  // J, at the end
  double largest_residual = 0;                                      // J, of the energy balance over the run
  double largest_energy = 0;                                        // J, to compare the residual with
  long contacts = 0;         // that began, at all points; by the nonsmooth method: impacts
  double peak_force = 0;     // N, largest normal force of a contact; nonsmooth: behind an impact; 0: none is reported
  std::string peak_contact;  // where it acted; "" where none is reported
  double peak_time = 0;      // s, of the impact; compliant: when the contact began that had it
  double largest_penetration = 0;  // m, at the end of any step
  std::string deepest_contact;     // where
  std::vector<Work> works;
  std::vector<Mode> modes;  // linear analysis
  std::string verdict;      // static analysis: stable, unstable, …
  std::vector<std::string> warnings;
};

// Name and unit of something recorded.
struct Quantity {
  std::string name;  // group.component, such as body:crank.x
  std::string unit;  // "" means dimensionless
  std::string meaning;
};

// Something recorded with its quantities, such as beam:boom or bearing:front.
struct RecordedPart {
  std::string name;
  std::vector<Quantity> quantities;
};

// A kind of events and the numbers that each of them carries.
struct EventKind {
  std::string name;
  std::vector<Quantity> values;
};

// Something that happened at a contact: "touch", a contact begins (compliant); "contact", it ends; "impact"
// (nonsmooth). What a kind does not tell is NaN.
struct Event {
  double time = 0;                      // s
  std::string kind = {}, contact = {};  // contact:ball-floor, followed by shapes and point where it has several
  double begin = 0;                     // s, of the contact that ends; else the time
  double approach_speed = 0;            // m/s, normal, when it began; of an impact: before the step
  double separation_speed = 0;          // m/s, normal, when it ended; of an impact: after the step
  double impulse = 0;                   // N s, normal, of an impact
  double peak_force = 0;                // N, normal; of an impact: behind the impulse
  double duration = 0;                  // s, of the contact that ends; of an impact: of the pulse behind it
  double penetration = 0;               // m, largest of the contact that ends; of a touch: with which it begins
  std::vector<double> values = {};      // all that the file holds, as the kind lists them
};

// What happened at a joint with clearance or a pair, at all its shapes and points together.
struct ContactSummary {
  std::string name;                // joint:pin, contact:ball-floor
  long events = 0;                 // contacts that began, or impacts
  double peak_force = 0;           // N, largest of its events; 0: none is reported
  double largest_impulse = 0;      // N s, of an impact; not a number by the compliant method, which has none
  double total_impulse = 0;        // N s, of all impacts; the same
  double largest_penetration = 0;  // m, of contacts that ended
};

// The samples of a run, in a result file. Copies share the file. Throws ResultError.
class CAROM_EXPORT Result {
 public:
  explicit Result(const std::filesystem::path& file);

  const std::filesystem::path& file() const;
  const Summary& summary() const;
  std::size_t sample_count() const;
  const std::vector<Quantity>& quantities() const;
  std::vector<double> times() const;  // s
  // The samples of one quantity, such as "body:crank.x". An unknown name throws, with names close to it.
  std::vector<double> column(const std::string& quantity) const;
  std::string unit(const std::string& quantity) const;
  std::string model_text() const;  // the model as it was run

  // The log of contacts and impacts, by time. A name means all shapes and points of a joint or a pair, or some of them:
  // "contact:knock", "contact:knock point 3", "joint:*". One that no contact has throws, with names close to it.
  const std::vector<Event>& events() const;
  std::vector<Event> events(const std::string& contact) const;
  const std::vector<EventKind>& event_kinds() const;
  // All joints with clearance and pairs of the model, also those that nothing happened to.
  const std::vector<ContactSummary>& contacts() const;
  // Beams, each followed by its elements, and bearings, with their quantities, as far as they were recorded.
  const std::vector<RecordedPart>& beams() const;
  const std::vector<RecordedPart>& bearings() const;

 private:
  friend struct ResultAccess;
  struct Impl;
  explicit Result(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

}  // namespace carom::v1
