#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "integrators/smooth/events.h"

namespace carom::inline smooth_integrators {

// A contact that began or ended. For a beginning the episode holds its first instant only.
struct ContactEvent {
  bool begins = true;
  std::string contact;
  ContactEpisode episode;
};

struct ContactStatistics {
  long begun = 0, ended = 0;
  long shortened = 0;                              // steps cut at a beginning, or taken again because of it
  long too_deep = 0;                               // contacts that began deeper than the tolerance
  long search_iterations = 0;                      // instants looked at in the search for contacts inside steps
  double deepest_beginning = 0;                    // m
  double coarsest_search = 0;                      // m, overlap that a search may have missed; 0: as was asked for
  std::string coarsest_searched;                   // contact that it looked for
  double largest_penetration = 0, peak_force = 0;  // m, N
  std::string deepest_contact, strongest_contact, deepest_beginning_contact;
};

// Takes steps with any integrator and begins and ends contacts on time, so that no contact begins deeper than the
// penetration tolerance (Flores and Ambrósio, Multibody Syst. Dyn. 24 (2010) 103–122). How, says
// solver.penetration_control:
//   locate       the step is ended where the gap closes, found by root finding on the integrator's own solution. No
//                contact is missed: overlaps anywhere in the step are found by conservative advancement on its dense
//                output (contacts/start_search.h)
//   reject       a step that begins a contact too deep is taken again with half its length, down to smallest_step, or
//                as short as the tolerance asks for where none is given; multistep methods are made to shorten it
//                themselves, by a right-hand side that fails there
//   interpolate  the state is interpolated linearly to the closing of the gap, put on the constraints, and taken from
//                there: the first procedure of the paper, kept for comparison
//   off          contacts begin where the step happens to end: energy appears from nowhere. Laws without memory act
//                wherever shapes overlap instead
// A contact ends where the law says so; its modes are frozen inside a step.
class ContactStepper {
 public:
  // The system must have contacts, and outlive the stepper.
  ContactStepper(System& system, const SolverSettings& settings);

  // Contacts that are closed at the start; those deeper than the tolerance that the model does not allow are returned.
  std::vector<InitialOverlap> start(State& state);
  // From another state on, or from one of which the caller has changed the contacts; none begins or ends here.
  void go_on_from(const State& state);

  // Steps end where it says, too; null: nobody looks. It must outlive the stepper.
  void watch(StepWatch* watch) { watch_ = watch; }

  // One step, never past t_limit. Calls `before_events` once the length of the step is settled, while its dense output
  // is still there (t is the end of what counts), then changes modes, appends what happened and restarts the
  // integrator if anything did.
  using StepSettled = std::function<void(Integrator&, double t)>;
  StepOutcome advance(Integrator& integrator, double t_limit, const StepSettled& before_events,
                      std::vector<ContactEvent>& events);

  // Closes the books: contacts that still last are reported as ended at the last state.
  void finish(const State& state, std::vector<ContactEvent>& events);

  const ContactStatistics& statistics() const { return statistics_; }
  // Goes on with the counts of another one.
  void continue_counts(const ContactStatistics& counts) { statistics_ = counts; }
  // The touching contact with the largest force, for messages; empty if none touches.
  std::string busiest_contact() const;

 private:
  using Control = PenetrationControl;
  struct Crossing {
    int point = 0;
    double t = 0;
    bool turns = false;  // no change of mode: the deepest penetration, where a plastic law has a breakpoint
    int first_point = 0, points = 0;  // of the pair whose nearest free point starts; none: the point itself
  };

  // Parts of a step. The last two do what follows once its length is settled: without an event, or at one.
  StepOutcome take_step(Integrator& integrator, double t_limit);
  void settle_length(Integrator& integrator);
  Crossing find_events(Integrator& integrator, double& end);
  void pass(Integrator& integrator, const StepSettled& before_events, std::vector<ContactEvent>& events);
  bool happen(Integrator& integrator, const Crossing& first, double end, const StepSettled& before_events,
              std::vector<ContactEvent>& events);  // false: again and again, without any time passing

  bool stop_early(Integrator& integrator, double settled, const StepSettled& before_events);
  bool crosses(int point, const ContactReading& from, const ContactReading& to) const;
  // Areas that part or grow together make no force jump and no step end: their contacts begin and end where it ends.
  bool has_come_off(Integrator& integrator, const Crossing& start);
  bool parts_have_changed() const;
  bool may_end_inside(int point, const ContactReading& from, const ContactReading& to, double h) const;
  void find_crossings(Integrator& integrator);
  void note_crossings(Integrator& integrator);  // by the readings at both ends alone
  // The state at an event that the step is not cut for.
  void interpolate_event(Integrator& integrator, const Crossing& first, double end);
  // The first start inside the step, before `until`; to be called with the readings of both its ends at hand.
  std::optional<Crossing> find_hidden_start(Integrator& integrator, double until);
  // The step, cut at an event, is another one now; looks whether it hits something else before.
  bool look_before_event(Integrator& integrator, Crossing& first);
  void end_step(Integrator& integrator, const Crossing& first);
  // Ends the step at its first crossing. Cut, it has a motion of its own: where what was found is not there, it is
  // halved until it meets something, or nothing. False: nothing.
  bool cut(Integrator& integrator, Crossing& first);
  bool is_at_touch(const Crossing& first);
  // Slots that follow the minima of outlines change numbers on the way: the free point of its pair that is deepest.
  int point_of(const Crossing& crossing, const std::vector<ContactReading>& readings) const;
  void name_points_at_event();
  Crossing first_crossing() const;
  void refresh_for_step(Integrator& integrator);
  double locate(Integrator& integrator, int point);
  double locate_turn(Integrator& integrator, int point);
  double value_at(Integrator& integrator, int point, double t);
  void shorten(Integrator& integrator);
  bool begins_too_deep() const;
  double shortest_step(double t) const;
  void note_slides(double h);
  void observe(Integrator& integrator, double from, double to);
  void refine_peak(Integrator& integrator, int point, double from, double to);
  // False: nothing was due. `settles`: contacts that have slid are left where they are after it.
  bool switch_modes(State& state, bool settles, std::vector<ContactEvent>& events);
  void pass_over(const Crossing& first, double t);
  void begin(int point, State& state, const ContactReading& reading, std::vector<ContactEvent>& events);
  void end(int point, State& state, const ContactReading& reading, std::vector<ContactEvent>& events);
  void put_on_constraints(State& state);

  System& system_;
  ContactPoints& contacts_;
  const Control control_;
  const double tolerance_, smallest_step_;  // m; s, 0: as the tolerance asks for
  StepWatch* watch_ = nullptr;
  bool guarded_ = false;
  bool event_free_ = false;    // contacts act by themselves: modes are for the books only
  double next_limit_ = 0;      // s, end of the first step after a touch
  int turned_point_ = -1;      // whose turn the last event was, so that rounding does not find it again
  int standing_still_ = 0;     // events in a row without progress
  int passed_over_ = 0;        // starts in a row that were none
  bool searches_ = true;       // for starts, in the next step
  double found_at_speed_ = 0;  // m/s, at the most, of shapes in the step in which the last start was found
  ContactStatistics statistics_;
  std::vector<ContactReading> before_, now_, middle_;  // at the begin, the end and half of the step
  std::vector<Crossing> crossings_;
  State sample_, event_;
};

}  // namespace carom::inline smooth_integrators
