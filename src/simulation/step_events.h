#pragma once

#include <string>
#include <vector>

#include "dynamics/system_signals.h"
#include "integrators/smooth/events.h"
#include "model/model.h"

namespace carom::inline simulation {

// An event of the model that has happened.
struct HappenedEvent {
  int event = 0;  // index
  std::string name;
  double t = 0;  // s
};

// What happens between steps besides contacts: sampled blocks act at their instants, blocks jump, and events of the
// model happen; steps end there.
class StepEvents final : public StepWatch {
 public:
  // System and model must outlive this.
  StepEvents(System& system, const Model& model);

  // s, after t, at which something is to happen whatever the motion does.
  double next_instant(double t) const;
  // Whether there is anything that the motion may bring about.
  bool watches() const { return !watched_.empty(); }
  // On the dense output of a step; two changes within an eighth of a step go unseen.
  StepStop first_stop(Integrator& integrator, double until) override;
  void accept_stop() override { watched_[found_].armed = true; }
  // A step up to t counts; its dense output is there.
  void note_step(Integrator& integrator, double t);
  // What is due at this state happens to it: samples, then jumps, then events in the order of the model. False: nothing
  // did. Events are appended to `happened`, also those whose consequences are for others to draw. `endless`: why, if
  // something happens again and again without time passing.
  // `at_instant`: the state has come to the instant that was next; samples are taken there, once.
  bool happen(State& state, bool at_instant, std::vector<HappenedEvent>& happened, std::string& endless);
  // Which events have happened, of another one of the same model.
  void take_memory(const StepEvents& other);

 private:
  struct Watched {
    int place = 0;  // of the block, or of the event
    bool is_event = false;
    double sign = 1;    // of the value: the event is where it becomes positive
    bool armed = true;  // it has been negative since it happened last
    // Nothing else has happened since: rounding at its zero does not count.
    bool happened_last = false;
  };
  double value(const Watched& watched, const State& state) const;
  bool jump(State& state, std::string& endless);
  bool happen_events(State& state, std::vector<HappenedEvent>& happened, std::string& endless);
  bool is_over(const EventModel& event, int place) const { return event.once && times_[place] > 0; }
  bool is_over(const Watched& watched) const {
    return watched.is_event && is_over(model_.events[watched.place], watched.place);
  }
  bool goes_on(double t);
  bool is_instant(double t, double at) const;
  void take_place(int event, State& state, std::vector<HappenedEvent>& happened);

  const Model& model_;
  SystemSignals* signals_;
  std::vector<Watched> watched_;
  std::vector<long> times_;  // that events have happened
  State sample_;
  std::vector<double> before_, now_;
  int found_ = 0;         // of the watched, by first_stop
  double last_ = -1;      // s, of the last of them
  int without_time_ = 0;  // in a row
};

}  // namespace carom::inline simulation
