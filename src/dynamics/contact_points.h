#pragma once

#include <string>
#include <vector>

#include "contact_geometry/body_path.h"
#include "contacts/contact_state.h"
#include "dynamics/state.h"

namespace carom::inline dynamics {

// The places of a system where bodies touch or may touch, as the run loop sees them. A point is free or touching; these
// modes are discrete state, frozen in rates and loads, and change only here, between steps.
class ContactPoints {
 public:
  virtual ~ContactPoints() = default;
  virtual int contact_points() const = 0;
  virtual void read_contacts(const State& state, std::vector<ContactReading>& readings) = 0;
  // Whether contacts were seen at other features than those they started the step with.
  virtual bool contacts_have_slid() const = 0;
  // Looks for pairs that have come near each other, and leaves contacts that have slid where they are; true when points
  // have new numbers.
  virtual bool refresh_contacts(const State& state) = 0;
  // False when bodies have moved so far that near pairs may be missing; and whether pairs come and go at all.
  virtual bool contacts_are_fresh(const State& state) = 0;
  virtual bool pairs_change() const = 0;
  // A search for contacts that start inside a step: the motion first, which must stay as it is meanwhile. Then, where
  // pairs come and go, those that may meet in it; true when points have new numbers. Then the first start before a part
  // `until` of the step, from the readings at both ends of the step: every overlap deeper than `depth`, m, is found.
  virtual void search_step(const StepMotion& motion) = 0;
  virtual bool refresh_for_step() = 0;
  virtual ContactStart find_start(double depth, double until, const std::vector<ContactReading>& at_start,
                                  const std::vector<ContactReading>& at_end) = 0;
  // m, how far a shape goes in the step that is searched, at the most.
  virtual double largest_travel() = 0;
  virtual const SearchStatistics& search_statistics() const = 0;
  // Lets contacts act before their touch is noticed; false where a law does not allow that.
  virtual bool make_event_free() = 0;
  // Lets contacts act by their elastic force wherever shapes overlap, for equilibria and modes; there is no way back.
  virtual void act_elastically() = 0;
  virtual bool touches(int point) const = 0;
  virtual std::string contact_name(int point) const = 0;  // "joint:pin", "contact:ball-floor point 3"
  // A new contact starts with its bristle unbent, in the state too; an area that has come off another one with that of
  // the other.
  virtual void begin_contact(int point, State& state, const ContactReading& reading) = 0;
  // What the law still stores when it lets go is lost, and booked so in the state.
  virtual ContactEpisode end_contact(int point, State& state, const ContactReading& reading) = 0;
  virtual void note_contact(int point, double t, double penetration, double force) = 0;
  // N m, normal force times the way that the surfaces of the point slid meanwhile.
  virtual void note_slide(int point, double force_distance) = 0;
  virtual const ContactEpisode& contact_episode(int point) const = 0;
  virtual bool allows_initial_penetration(int point) const = 0;
  // Whether the law has a breakpoint where penetration turns into restitution, because it remembers the greatest depth.
  virtual bool has_breakpoint_at_turn(int point) const = 0;
  // Whether the law of a touching point damps by an impact speed that has been put in for one that was too slow.
  virtual bool is_stiff_at_rest(int point) const = 0;
  // Makes rates fail where a free point is deeper than this; infinity switches it off.
  virtual void guard_contacts(double penetration) = 0;
  virtual double impact_duration(int point, double speed) const = 0;  // s, elastic, of the two bodies alone
  virtual const std::vector<std::string>& contact_remarks() const = 0;
};

}  // namespace carom::inline dynamics
