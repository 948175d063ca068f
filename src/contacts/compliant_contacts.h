#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "contact_laws/friction_law.h"
#include "contact_laws/normal_law.h"
#include "contact_laws/resistance.h"
#include "contacts/contact_pairs.h"
#include "contacts/contact_state.h"

// Compliant contact: forces of what overlaps, and what every contact remembers for them.
//
// A contact point is free or touching. These modes, and the impact speed of a touching point, are discrete state: they
// change only between steps, through begin and end, and forces see them frozen (formulation of 6.2 in the theory
// pages). A free point gives no force even where a trial state lies in penetration.
namespace carom::inline contacts {

// Of pairs of shapes that are alike.
struct CompliantLaw {
  std::unique_ptr<NormalLaw> normal;
  double stiffness = 0, exponent = 0, mass = 0;  // K and n of the elastic force K δⁿ; kg, effective
  double axis_ratio = 1;                         // b/a of the ellipse of contact
  // m, that the stiffness is made for, of pairs whose radius varies: those that press over areas, and those whose
  // curvature depends on the point; 0: it does not.
  double radius = 0;
  bool by_point = false;     // the latter
  double damping_power = 1;  // the damping force goes with this power of the stiffness
  bool event_free = false;   // acts wherever shapes overlap
};

// What all pairs of a group share.
struct CompliantGroup {
  std::unique_ptr<FrictionLaw> friction;  // null: none
  Resistance rolling, spinning;
  double minimum_speed = 0;  // m/s; 0: by the load
  bool elastic_when_slow = false;

  bool resists_rotation() const { return rolling.is_present() || spinning.is_present(); }
};

// Force and its share of power at one point.
template <int D>
struct CompliantAction {
  VectorOf<D> place, force;                    // of the force on b
  AngularOf<D> torque = AngularOf<D>::Zero();  // on b: rolling and spinning resistance
  double normal = 0, power = 0;
};

template <int D>
class CompliantContacts {
 public:
  using Vector = VectorOf<D>;
  using Pair = ContactPair<D>;
  using Action = CompliantAction<D>;

  explicit CompliantContacts(ContactPairs<D>& pairs) : pairs_(pairs) {}

  // Building. The law of a pair is its number here.
  int add_law(CompliantLaw law);
  void add_group(CompliantGroup group) { groups_.push_back(std::move(group)); }
  // All fixed pairs are there.
  void start();

  // Lets contacts act wherever shapes overlap, whether their touch was noticed or not. Refused, with false, if one of
  // the laws needs to know how its contact began.
  bool make_event_free();
  // Lets contacts act wherever shapes overlap, by their elastic force alone: for equilibria, and modes about them.
  void act_elastically();
  bool is_elastic_only() const { return elastic_only_; }
  void set_guard(double penetration) { guard_ = penetration; }

  // Adds the forces of touching points; adds the power of what they do not store to power[group], which may be null.
  // False when a free point lies deeper than the guard.
  bool apply(const Bodies<D>& bodies, Loads<D>& loads, double* power) const;
  // Of one pair only, for differences.
  void apply_pair(int pair, const Bodies<D>& bodies, Loads<D>& loads) const;
  double energy(const Bodies<D>& bodies) const;  // J, stored in touching points
  void read(const Bodies<D>& bodies, ContactReading* readings) const;

  bool touches(int point) const { return points_[point].touching; }
  bool remembers_depth(int point) const { return law_of(point).normal->remembers_depth(); }
  bool is_stiff_at_rest(int point) const;
  // Mode changes at an instant. `dissipated` is what the point's group has dissipated so far.
  void begin(int point, double t, const ContactReading& reading, double dissipated);
  ContactEpisode end(int point, double t, const ContactReading& reading, double dissipated);
  // J, in a touching point.
  double stored(int point, const ContactReading& reading) const;
  // Takes note of depth and force of touching points, between steps.
  int touching(int pair) const { return touching_[pair]; }  // points
  void note(int point, double t, double penetration, double force, std::vector<std::string>& remarks);
  // The episode of a touching point so far.
  const ContactEpisode& episode(int point) const { return episodes_[point]; }
  // s, duration of an elastic impact of a point at the speed given, with its bodies free.
  double impact_duration(int point, double speed) const;
  // Points have new numbers: what touches goes on.
  void renumber();
  // What is touching, and since when, of another one of the same model.
  void take_memory(const CompliantContacts& other) {
    touching_ = other.touching_;
    points_ = other.points_;
    episodes_ = other.episodes_;
    bristles_ = other.bristles_, bristle_rates_ = other.bristle_rates_;
    scales_ = other.scales_;
  }

  // Internal state of friction, D numbers for each point whose law has a bristle: its deflections, which are integrated
  // with the motion, and their rates as of the last apply.
  int bristle_size() const { return static_cast<int>(bristles_.size()); }
  void set_bristles(const double* deflections) { std::copy_n(deflections, bristle_size(), bristles_.data()); }
  const std::vector<double>& bristle_rates() const { return bristle_rates_; }
  // Where the bristle of a point is among them; −1: it has none.
  int bristle_of(int point) const { return points_[point].bristle; }

  // For outputs: whether a point may act, and what it does; false where nothing acts. The contact is among the points
  // of its pair that were evaluated last.
  bool acts(const Pair& pair, int point, const ContactPoint<D>& contact) const {
    return memory_of(pair, point, &contact - (point - pair.first_point)).acts;
  }
  bool act(const Pair& pair, int point, const ContactPoint<D>& contact, const Bodies<D>& bodies, Action& action) const {
    const Memory memory = memory_of(pair, point, &contact - (point - pair.first_point));
    return memory.acts && act(pair, memory.point, contact, bodies, action);
  }
  double minimum_speed(int group) const { return groups_[group].minimum_speed; }

 private:
  void take_after(int point, const ContactReading& reading);
  // A touching point has become deeper.
  void press(int point, double penetration, std::vector<std::string>& remarks);
  struct Point {
    bool touching = false;
    int bristle = -1;         // first of its numbers in bristles_
    double impact_speed = 1;  // m/s, as the law sees it
    double deepest = 0;       // m
    double scale = 1;         // of the stiffness, of a touching point, where the curvature depends on the point
  };

  const CompliantLaw& law_of(int point) const { return laws_[pairs_.law_of(point)]; }
  // A point that is not there for the modes may still act.
  bool acts(const Pair& pair, const Point& point) const { return point.touching || laws_[pair.law].event_free; }
  bool is_over_areas(const Pair& pair) const {
    return D == 3 && laws_[pair.law].radius > 0 && !laws_[pair.law].by_point;
  }
  // What a point remembers. An area that has come off a touching one acts at once, by what that one remembers.
  struct Memory {
    bool acts;
    const Point& point;
  };
  Memory memory_of(const Pair& pair, int point, const ContactPoint<D>* contacts) const {
    const Point& own = points_[point];
    if (acts(pair, own)) return {true, own};
    if (!is_over_areas(pair) || !(contacts[point - pair.first_point].gap < 0)) return {false, own};
    const int kin = kin_of(pair, point, contacts);
    return {kin >= 0, kin >= 0 ? borrow(own, points_[kin]) : own};
  }
  const Point& borrow(const Point& own, const Point& kin) const;
  // The nearest touching area of the same pair, −1: there is none.
  int kin_of(const Pair& pair, int point, const ContactPoint<D>* contacts) const;
  // By how much a point is stiffer than its law, K ∝ √R, and its patch. Where the curvature depends on the point, that
  // of a touching one stays as it began, so that its force has a potential.
  double scale(const Pair& pair, const Point& point, const ContactPoint<D>& contact, const Bodies<D>& bodies,
               double* axis_ratio = nullptr) const;
  NormalContact seen(const Point& point, const ContactPoint<D>& contact, const Vector& relative) const;
  bool act(const Pair& pair, const Point& point, const ContactPoint<D>& contact, const Bodies<D>& bodies,
           Action& action) const;
  // Adds the friction of an area on b.
  static void rub(const FrictionLaw& law, const ContactPoint<D>& contact, const Vector& slip,
                  const AngularOf<D>& angular_velocity, Action& action);
  Vector bristle_friction(const FrictionLaw& law, const Point& point, const Vector& normal, const Vector& slip,
                          double normal_force) const;
  static AngularOf<D> resist(const CompliantGroup& group, const Vector& normal, const AngularOf<D>& angular_velocity,
                             double force, double& power);
  void load(const Pair& pair, const Action& action, const Bodies<D>& bodies, Loads<D>& loads) const;
  void read_point(const Pair& pair, const Point& point, const ContactPoint<D>& contact, const Bodies<D>& bodies,
                  ContactReading& reading) const;
  void read_kin(const Pair& pair, int point, const ContactPoint<D>* contacts, ContactReading& reading) const;

  ContactPairs<D>& pairs_;
  std::vector<CompliantLaw> laws_;
  std::vector<CompliantGroup> groups_;
  std::vector<int> touching_, old_touching_;  // points that touch, by pair
  std::vector<Point> points_, old_points_;
  // Apart from the points, so that forces of many run through little memory.
  std::vector<ContactEpisode> episodes_, old_episodes_;
  mutable std::vector<double> scales_;         // of the stiffness of areas, by point, as read last
  std::vector<double> bristles_;               // m, world axes
  mutable std::vector<double> bristle_rates_;  // m/s
  mutable Point borrowed_;
  double guard_ = std::numeric_limits<double>::infinity();
  bool elastic_only_ = false;  // no damping, no friction; laws that remember see the depth of now
};

extern template class CompliantContacts<2>;
extern template class CompliantContacts<3>;

}  // namespace carom::inline contacts
