#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contact_geometry/broad_phase.h"
#include "contact_geometry/pair.h"
#include "contact_laws/friction_law.h"
#include "contact_laws/normal_law.h"
#include "contact_laws/resistance.h"
#include "contacts/contact_state.h"
#include "contacts/crossed_pair.h"
#include "contacts/rigid_contact.h"
#include "math/bodies.h"
#include "model/description.h"
#include "model/model.h"

// What touches, with which law, and what every contact remembers.
//
// A contact point is free or touching. These modes, and the impact speed of a touching point, are discrete state: they
// change only between steps, through begin and end, and forces see them frozen (formulation of 6.2 in the theory
// pages). A free point gives no force even where a trial state lies in penetration.
namespace carom {

template <int D>
class StartSearch;

template <int D>
class ContactSet {
 public:
  using Vector = VectorOf<D>;

  explicit ContactSet(const Model& model);
  ~ContactSet();
  ContactSet(const ContactSet&) = delete;
  ContactSet& operator=(const ContactSet&) = delete;

  bool empty() const { return groups_.empty(); }
  // Points that can touch now. With many bodies they are those of pairs that are near each other, and change in
  // refresh.
  int point_count() const { return static_cast<int>(points_.size()); }
  bool pairs_change() const { return broad_phase_ != nullptr; }
  // Looks for pairs that have come near; true when points have new numbers. Between steps only.
  bool refresh(const Bodies<D>& bodies);
  // False when bodies have moved so far since the last refresh that near pairs may be missing.
  bool is_fresh(const Bodies<D>& bodies) const { return !broad_phase_ || !broad_phase_->needs_update(bodies); }
  // Lets contacts act wherever shapes overlap, whether their touch was noticed or not. Refused, with false, if one of
  // the laws needs to know how its contact began.
  bool act_unnoticed();
  // Lets contacts act wherever shapes overlap, by their elastic force alone: for equilibria, and modes about them.
  void act_elastically();
  int group_count() const { return static_cast<int>(groups_.size()); }
  const std::string& group_name(int group) const { return groups_[group].name; }
  // "joint:pin", "contact:ball/floor"; with the slot where a pair has several points.
  std::string point_name(int point) const;
  int group_of(int point) const { return pairs_[points_[point].pair].group; }
  bool allows_initial_penetration(int point) const { return groups_[group_of(point)].allow_initial_penetration; }
  bool remembers_depth(int point) const { return laws_[pairs_[points_[point].pair].law].normal->remembers_depth(); }
  bool is_stiff_at_rest(int point) const {
    const Point& each = points_[point];
    const Group& group = groups_[group_of(point)];
    return !laws_[pairs_[each.pair].law].normal->is_memoryless() && !group.elastic_when_slow &&
           histories_[point].episode.impact_speed < group.minimum_speed;
  }
  // Pairs of bodies that may act on each other, for the patterns of implicit methods; not those that change.
  std::vector<std::pair<int, int>> body_pairs() const;

  // Adds the forces of touching points; writes the power of what they do not store to power[group]. False when a free
  // point lies deeper than the guard.
  bool apply(const Bodies<D>& bodies, Loads<D>& loads, double* power) const;
  // Deflections of bristles, D numbers for each point whose friction has one, and their rates as of the last apply.
  // They are continuous state, integrated with the motion.
  int bristle_size() const { return static_cast<int>(bristles_.size()); }
  void set_bristles(const double* deflections) { std::copy_n(deflections, bristle_size(), bristles_.data()); }
  const std::vector<double>& bristle_rates() const { return bristle_rates_; }
  // Where the bristle of a point is among them; −1: it has none.
  int bristle_of(int point) const { return points_[point].bristle; }
  // Of one pair only, for differences.
  void apply_pair(int pair, const Bodies<D>& bodies, Loads<D>& loads) const;
  int pair_count() const { return static_cast<int>(pairs_.size()); }
  // Those that do not come and go and act by forces; they come first.
  int fixed_pair_count() const { return rigid_ ? 0 : fixed_pairs_; }
  std::pair<int, int> pair_bodies(int pair) const;
  // For searches along a path: a pair as it is now, its points at a state, and what they remember from call to call.
  struct PairView {
    const PairDescription<D>* kind = nullptr;
    const Shape<D>*a = nullptr, *b = nullptr;
    int first_point = 0, points = 0, touching = 0;
  };
  PairView view(int pair) const {
    const Pair& each = pairs_[pair];
    return {each.kind, &shapes_[each.a], &shapes_[each.b], each.first_point, each.points, each.touching};
  }
  const ContactPoint<D>* points_of(int pair, const BodyState<D>& body_a, const BodyState<D>& body_b) const {
    const Pair& each = pairs_[pair];
    each.kind->evaluate(shapes_[each.a], shapes_[each.b], body_a, body_b, contacts_.data(),
                        memory_.data() + each.memory);
    return contacts_.data();
  }
  double* memory_of(int pair) const { return memory_.data() + pairs_[pair].memory; }
  const std::vector<Shape<D>>& shapes() const { return shapes_; }
  // The list of near pairs of a step that starts here and takes no shape farther than `travel`, m; true when points
  // have new numbers.
  bool refresh_for(const Bodies<D>& bodies, double travel);
  double energy(const Bodies<D>& bodies) const;  // J, stored in touching points
  void set_guard(double penetration) { guard_ = penetration; }

  void read(const Bodies<D>& bodies, ContactReading* readings) const;  // point_count of them
  bool touches(int point) const { return points_[point].touching; }
  // Mode changes at an instant. `dissipated` is what the point's group has dissipated so far.
  void begin(int point, double t, const ContactReading& reading, double dissipated);
  ContactEpisode end(int point, double t, const ContactReading& reading, double dissipated);
  // J, in a touching point.
  double stored(int point, const ContactReading& reading) const;
  // Takes note of depth and force of touching points, between steps.
  void note(int point, double penetration, double force);
  // N m, normal force times the way that the surfaces slid under it; kept by group, from the start on.
  void note_slide(int point, double force_distance) { groups_[group_of(point)].force_distance += force_distance; }
  // The episode of a touching point so far.
  const ContactEpisode& episode(int point) const;

  // Contact by impulses. Nothing of the above acts then: no point ever touches.
  bool is_rigid() const { return rigid_; }
  const RigidLaw& rigid_law(int law) const { return laws_[law].rigid; }
  // All points with a gap of at most `within`, sorted by point. Pairs whose bodies have not moved as far as they were
  // apart are not looked at.
  void find_rigid(const Bodies<D>& bodies, double within, std::vector<RigidContact<D>>& contacts);
  // Pairs that the path of a step crosses, so that its end shows nothing of it or shows it from the wrong side: until
  // the next call they touch where they met first, and only where their gap there is small, unless they are taken as
  // `closed`. `search` knows the path, from bodies without overlap to `end`.
  void find_crossed(StartSearch<D>& search, const Bodies<D>& end, double within, bool closed);
  void forget_crossed() { crossed_.clear(); }
  int crossed_count() const { return static_cast<int>(crossed_.size()); }
  // The same contacts, sorted by point, at another state.
  void update_rigid(const Bodies<D>& bodies, std::vector<RigidContact<D>>& contacts) const;
  // None: the point is not one of a round body in a round hole.
  std::optional<RigidPlay<D>> rigid_play(int point, const Bodies<D>& bodies) const;
  RigidMemory<D>& rigid_memory(int point) { return histories_[point].rigid; }
  // Contacts of the step that ends are noted after this.
  void begin_rigid_step() { ++rigid_step_; }
  long rigid_step() const { return rigid_step_; }
  // N s, part of an impulse that an impact made, and N, the force behind it: kept by group until they are forgotten.
  void note_impact(int point, double impulse) { groups_[group_of(point)].recent_impact += impulse; }
  void note_peak_force(int group, double force) {
    groups_[group].recent_peak = std::max(groups_[group].recent_peak, force);
  }
  void forget_recent_impulses();
  // m, smallest clearance of the holes, or size of the shapes: what a gap is to be compared with.
  double gap_scale() const;
  // m, by body: radius of the largest sphere that its smallest shape holds; infinity without such shapes.
  std::vector<double> smallest_shapes(int bodies) const;

  // Recorded quantities of a group.
  std::vector<OutputDescription> outputs(int group) const;
  void output(int group, const Bodies<D>& bodies, double t, double* values) const;

  // What comes out for the restitution that goes in, and similar remarks on the choice of laws.
  const std::vector<std::string>& remarks() const { return remarks_; }
  // s, duration of an elastic impact of a point at the speed given, with its bodies free: for the step advisor.
  double impact_duration(int point, double speed) const;

 private:
  struct Law {  // of pairs of shapes that are alike
    std::unique_ptr<NormalLaw> normal;
    double stiffness = 0, exponent = 0, mass = 0;
    double axis_ratio = 1;   // b/a of the ellipse of contact
    bool unnoticed = false;  // acts wherever shapes overlap
    RigidLaw rigid;
  };
  struct Group {
    std::string name;
    bool is_joint = false;
    std::unique_ptr<FrictionLaw> friction;  // null: none
    Resistance rolling, spinning;
    double minimum_speed = 1e-6;  // m/s
    bool elastic_when_slow = false;
    bool allow_initial_penetration = false;
    bool changes = false;  // its pairs come from the broad phase
    int bearing = -1;      // it has no pairs and tells what this bearing does as a whole
    int first_pair = 0, pairs = 0, points = 0;
    double force_distance = 0;                  // N m, since the start
    double recent_impact = 0, recent_peak = 0;  // N s and N, of impacts since they were last recorded
  };
  struct Pair {
    const PairDescription<D>* kind = nullptr;
    int a = 0, b = 0;      // shapes
    bool swapped = false;  // a belongs to the second of the two bodies named
    bool in_hole = false;  // a is a hole
    int group = 0, law = 0;
    int first_point = 0, points = 0;
    int memory = 0;    // first number of search memory
    int touching = 0;  // points that touch
    double open_until =
        -std::numeric_limits<double>::infinity();  // m, way of its two bodies together up to which it surely stays open
  };
  struct Point {
    int pair = 0;
    bool touching = false;
    double impact_speed = 1;  // m/s, as the law sees it
    double deepest = 0;       // m
    int bristle = -1;         // first of its numbers in bristles_
  };
  // A ball bearing, whose contacts are pairs as others are.
  struct Bearing {
    std::vector<int> inner;              // groups of the balls on the inner race
    std::vector<int> balls;              // bodies
    int outer_race = 0, inner_race = 0;  // shapes
  };
  // What a point keeps for the books; apart from it, so that forces of many points run through little memory.
  struct History {
    ContactEpisode episode;
    RigidMemory<D> rigid;
  };
  // What two shapes do to each other when they meet.
  struct Encounter {
    int group = -1, law = 0;  // −1: they do not touch
    const PairDescription<D>* kind = nullptr;
    bool swapped = false;  // the second shape comes first in the pair
  };
  // Force and its share of power at one point.
  struct Action {
    Vector place, force;  // of the force on b
    SpinOf<D> torque;     // on b: rolling and spinning resistance
    double normal = 0, power = 0;
  };

  // build_contacts.cpp
  class Builder;
  ContactPoint<D>* evaluate(const Pair& pair, const Bodies<D>& bodies) const;
  NormalContact seen(const Point& point, const ContactPoint<D>& contact, const Vector& relative) const;
  // A point that is not there for the modes may still act.
  bool acts(const Pair& pair, const Point& point) const { return point.touching || laws_[pair.law].unnoticed; }
  const Encounter& encounter(int shape_a, int shape_b) const {
    return encounters_[class_of_shape_[shape_a] * classes_ + class_of_shape_[shape_b]];
  }
  void add_points(const Pair& pair);
  void take_candidates();
  static Vector place_of(const Pair& pair, const ContactPoint<D>& contact);
  bool act(const Pair& pair, const Point& point, const ContactPoint<D>& contact, const Bodies<D>& bodies,
           Action& action) const;
  Vector bristle_friction(const FrictionLaw& law, const Point& point, const Vector& normal, const Vector& slip,
                          double normal_force) const;
  static SpinOf<D> resist(const Group& group, const Vector& normal, const SpinOf<D>& spin, double force, double& power);
  void load(const Pair& pair, const Action& action, const Bodies<D>& bodies, Loads<D>& loads) const;
  Vector relative_velocity(const Pair& pair, const Vector& place, const Bodies<D>& bodies) const;
  // Calls visit(pair, k, contact) with all points k of the pairs of a group, in their order.
  template <typename Visit>
  void for_each_point(int group, const Bodies<D>& bodies, const Visit& visit) const {
    const Group& own = groups_[group];
    const int first = own.changes ? fixed_pairs_ : own.first_pair;
    const int last = own.changes ? pair_count() : own.first_pair + own.pairs;
    for (int p = first; p < last; ++p) {
      const Pair& pair = pairs_[p];
      if (pair.group != group) continue;
      const ContactPoint<D>* contact = evaluate(pair, bodies);
      for (int k = 0; k < pair.points; ++k) visit(pair, pair.first_point + k, contact[k]);
    }
  }
  RigidContact<D> rigid_contact(const Pair& pair, int point, const ContactPoint<D>& contact,
                                const Bodies<D>& bodies) const;
  void count_ways(const Bodies<D>& bodies);
  const CrossedPair<D>* crossed(int pair) const;
  bool lasts(const Pair& pair) const;
  void rigid_output(int group, const Bodies<D>& bodies, double* values) const;
  void put_eccentricity(int group, const Bodies<D>& bodies, double* values) const;
  // bearing_outputs.cpp
  std::vector<OutputDescription> bearing_outputs() const;
  void bearing_output(const Bearing& bearing, const Bodies<D>& bodies, double* values) const;

  std::vector<Shape<D>> shapes_;
  std::vector<Law> laws_;
  std::vector<Group> groups_;
  std::vector<Bearing> bearings_;
  std::vector<Pair> pairs_;
  std::vector<Point> points_;
  std::vector<History> histories_;  // of the points
  std::vector<std::string> remarks_;
  bool rigid_ = false;
  long rigid_step_ = 0;
  // m, how far the surface of each body has gone, at the most, in all states that were looked at.
  std::vector<double> ways_, reaches_;
  std::vector<CrossedPair<D>> crossed_;  // by pair
  Bodies<D> seen_;
  double guard_ = std::numeric_limits<double>::infinity();
  bool elastic_only_ = false;  // no damping, no friction; laws that remember see the depth of now

  // Pairs from the broad phase come after the fixed ones. Shapes that are alike share a class, and what two shapes do
  // to each other follows from their classes.
  std::unique_ptr<BroadPhase<D>> broad_phase_;
  std::vector<int> class_of_shape_;
  std::vector<Encounter> encounters_;  // square table by class
  int classes_ = 0, fixed_pairs_ = 0, fixed_points_ = 0;
  std::size_t fixed_memory_ = 0;
  double moved_ = 0;  // m, since the list of near pairs was made
  std::vector<Pair> old_pairs_;
  std::vector<Point> old_points_;
  std::vector<History> old_histories_;
  std::vector<double> old_memory_;

  // Workspace of one pair.
  mutable std::vector<ContactPoint<D>> contacts_;
  mutable std::vector<double> memory_;
  std::vector<double> bristles_;               // m, world axes
  mutable std::vector<double> bristle_rates_;  // m/s
};

extern template class ContactSet<2>;
extern template class ContactSet<3>;

}  // namespace carom
