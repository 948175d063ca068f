#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contacts/compliant_contacts.h"
#include "contacts/contact_outputs.h"
#include "contacts/contact_pairs.h"
#include "contacts/nonsmooth_contacts.h"
#include "model/model.h"

// The contacts of a model: geometry, the method that acts (compliant or nonsmooth), and what they report. Each is a
// part of its own; this is their common face for dynamics and integrators. Points go by their numbers.
namespace carom::inline contacts {

template <int D>
class StartSearch;

template <int D>
class ContactSet {
 public:
  explicit ContactSet(const Model& model);
  ContactSet(const ContactSet&) = delete;
  ContactSet& operator=(const ContactSet&) = delete;

  bool empty() const { return pairs_.group_count() == 0; }
  // Points that can touch now. With many bodies they are those of pairs that are near each other, and change in
  // refresh.
  int point_count() const { return pairs_.point_count(); }
  int group_count() const { return pairs_.group_count(); }
  int pair_count() const { return pairs_.pair_count(); }
  const std::string& group_name(int group) const { return pairs_.groups()[group].name; }
  // "joint:pin", "contact:ball/floor"; with the slot where a pair has several points.
  std::string point_name(int point) const { return pairs_.point_name(point); }
  int group_of(int point) const { return pairs_.group_of(point); }
  bool allows_initial_penetration(int point) const {
    return pairs_.groups()[group_of(point)].allow_initial_penetration;
  }
  double gap_scale() const { return pairs_.gap_scale(); }
  std::vector<double> smallest_shapes(int bodies) const { return pairs_.smallest_shapes(bodies); }

  bool pairs_change() const { return pairs_.change(); }
  // Whether a contact was seen at another feature than its own since the last refresh.
  bool have_slid() const { return pairs_.slid(); }
  // Looks for pairs that have come near; true when points have new numbers. Between steps only.
  bool refresh(const Bodies<D>& bodies);
  bool is_fresh(const Bodies<D>& bodies) const { return pairs_.is_fresh(bodies); }
  // The list of near pairs of a step that starts here and takes no shape farther than `travel`, m; true when points
  // have new numbers.
  bool refresh_for(const Bodies<D>& bodies, double travel);

  // For searches along a path: a pair as it is now, its points at a state, and what they remember from call to call.
  struct PairView {
    const PairDescription<D>* kind = nullptr;
    const Shape<D>*a = nullptr, *b = nullptr;
    int first_point = 0, points = 0, touching = 0;
  };
  PairView view(int pair) const {
    const ContactPair<D>& each = pairs_.pairs()[pair];
    return {each.kind,        &pairs_.shape_a(each), &pairs_.shape_b(each),
            each.first_point, each.points,           nonsmooth_ ? 0 : compliant_.touching(pair)};
  }
  const ContactPoint<D>* points_of(int pair, const BodyState<D>& body_a, const BodyState<D>& body_b) const {
    return pairs_.follow(pairs_.pairs()[pair], body_a, body_b);
  }
  Feature feature_of_point(int point) const { return pairs_.feature_of_point(point); }
  double* memory_of(int pair) const { return pairs_.memory_of(pairs_.pairs()[pair]); }
  const std::vector<Shape<D>>& shapes() const { return pairs_.shapes(); }

  // Compliant contact. With the other method no point ever touches, and nothing acts.
  bool make_event_free() { return compliant_.make_event_free(); }
  void act_elastically() { compliant_.act_elastically(); }
  // Pairs of bodies that may act on each other, for the patterns of implicit methods; not those that change.
  std::vector<std::pair<int, int>> body_pairs() const;
  // Those that do not come and go and act by forces; they come first.
  int fixed_pair_count() const { return nonsmooth_ ? 0 : pairs_.fixed_pair_count(); }
  std::pair<int, int> pair_bodies(int pair) const { return pairs_.bodies_of(pair); }
  // Adds the forces of touching points; writes the power of what they do not store to power[group]. False when a free
  // point lies deeper than the guard.
  bool apply(const Bodies<D>& bodies, Loads<D>& loads, double* power) const {
    for (int k = 0; power && k < group_count(); ++k) power[k] = 0;
    return nonsmooth_ || compliant_.apply(bodies, loads, power);
  }
  void apply_pair(int pair, const Bodies<D>& bodies, Loads<D>& loads) const {
    compliant_.apply_pair(pair, bodies, loads);
  }
  double energy(const Bodies<D>& bodies) const { return nonsmooth_ ? 0 : compliant_.energy(bodies); }  // J
  void set_guard(double penetration) { compliant_.set_guard(penetration); }
  void read(const Bodies<D>& bodies, ContactReading* readings) const;  // point_count of them
  int bristle_size() const { return compliant_.bristle_size(); }
  void set_bristles(const double* deflections) { compliant_.set_bristles(deflections); }
  const std::vector<double>& bristle_rates() const { return compliant_.bristle_rates(); }
  int bristle_of(int point) const { return compliant_.bristle_of(point); }
  bool touches(int point) const { return !nonsmooth_ && compliant_.touches(point); }
  bool remembers_depth(int point) const { return compliant_.remembers_depth(point); }
  bool is_stiff_at_rest(int point) const { return compliant_.is_stiff_at_rest(point); }
  void begin(int point, double t, const ContactReading& reading, double dissipated) {
    compliant_.begin(point, t, reading, dissipated);
  }
  ContactEpisode end(int point, double t, const ContactReading& reading, double dissipated) {
    return compliant_.end(point, t, reading, dissipated);
  }
  double stored(int point, const ContactReading& reading) const { return compliant_.stored(point, reading); }
  void note(int point, double t, double penetration, double force) {
    compliant_.note(point, t, penetration, force, remarks_);
  }
  const ContactEpisode& episode(int point) const { return compliant_.episode(point); }
  double impact_duration(int point, double speed) const { return compliant_.impact_duration(point, speed); }

  // Nonsmooth contact.
  bool is_nonsmooth() const { return nonsmooth_; }
  const NonsmoothLaw& nonsmooth_law(int law) const { return impulses_.law(law); }
  void find_nonsmooth(const Bodies<D>& bodies, double within, std::vector<NonsmoothContact<D>>& contacts) {
    impulses_.find(bodies, within, contacts);
  }
  void update_nonsmooth(const Bodies<D>& bodies, std::vector<NonsmoothContact<D>>& contacts) const {
    impulses_.update(bodies, contacts);
  }
  std::optional<NonsmoothClearance<D>> nonsmooth_clearance(int point, const Bodies<D>& bodies) const {
    return impulses_.clearance(point, bodies);
  }
  // Pairs that the path of a step crosses, so that its end shows nothing of it or shows it from the wrong side: until
  // the next call they touch where they met first, and only where their gap there is small, unless they are taken as
  // `closed`. `search` knows the path, from bodies without overlap to `end`. Unless `grazes`, what meshes overlap by on
  // the way alone may be a small part of their thickness.
  void find_crossed(StartSearch<D>& search, const Bodies<D>& end, double within, bool closed, bool grazes) {
    impulses_.find_crossed(search, end, within, closed, grazes);
  }
  // Their points with a gap of at most `within` as they are.
  void find_crossed_as_they_are(const Bodies<D>& bodies, double within,
                                std::vector<NonsmoothContact<D>>& contacts) const {
    impulses_.find_crossed_as_they_are(bodies, within, contacts);
  }
  // Whether a path crosses a pair although nothing overlaps at its end; −1: none, else one of the points of the pair.
  int find_passed(StartSearch<D>& search, const Bodies<D>& end, double within) {
    return impulses_.find_passed(search, end, within);
  }
  // Pairs of concave shapes that overlap at the end of a step and did not at its start, whatever their contact points
  // show.
  FoundOverlap find_overlapping(const Bodies<D>& start, const Bodies<D>& end, const OverlapSearch& search) {
    return impulses_.find_overlapping(start, end, search);
  }
  double thinnest_shape() const { return impulses_.thinnest(); }  // m, of those that another could pass through
  void forget_crossed() { impulses_.forget_crossed(); }
  int crossed_count() const { return impulses_.crossed_count(); }
  bool is_enclosed(int point) const { return impulses_.is_enclosed(point); }
  // A round body about its mass centre on a plane of the ground: the directions of its forces never change.
  bool keeps_direction(int point) const { return impulses_.keeps_direction(point); }
  NonsmoothMemory<D>& nonsmooth_memory(int point) { return impulses_.memory(point); }
  void begin_nonsmooth_step() { impulses_.begin_step(); }
  long nonsmooth_step() const { return impulses_.step(); }

  // Outputs, and the sums kept for them.
  std::vector<OutputDescription> outputs(int group) const { return outputs_.describe(group); }
  void output(int group, const Bodies<D>& bodies, double t, double* values) const {
    outputs_.write(group, bodies, t, values);
  }
  void note_slide(int point, double force_distance) { outputs_.note_slide(group_of(point), force_distance); }
  void note_impact(int point, double impulse) { outputs_.note_impact(group_of(point), impulse); }
  void note_peak_force(int group, double force) { outputs_.note_peak_force(group, force); }
  void forget_recent_impulses();
  // All that the contacts of another set of the same model remember.
  void take_memory(const ContactSet& other);
  // What comes out for the restitution that goes in, and similar remarks on the choice of laws.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  void renumber();

  bool nonsmooth_;
  ContactPairs<D> pairs_;
  CompliantContacts<D> compliant_;
  NonsmoothContacts<D> impulses_;
  ContactOutputs<D> outputs_;
  std::vector<std::string> remarks_;
};

extern template class ContactSet<2>;
extern template class ContactSet<3>;

}  // namespace carom::inline contacts
