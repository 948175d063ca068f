#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "contacts/compliant_contacts.h"
#include "contacts/contact_pairs.h"
#include "contacts/nonsmooth_contacts.h"
#include "model/attachment.h"
#include "model/description.h"

// What groups of contacts report, and the sums that are kept for it.
namespace carom::inline contacts {

// A ball bearing, whose contacts are pairs as others are.
struct BearingGroups {
  std::vector<int> inner, outer;       // groups of the balls on the inner and on the outer race
  std::vector<int> balls;              // bodies
  int outer_race = 0, inner_race = 0;  // shapes
  // In space.
  AttachmentPair rings = {};
  std::array<double, 2> pressure_factors{};  // Pa/N^(1/3), inner and outer: of the cube root of a load; 0: not known
};

// What every group of contacts of a method reports first; vectors follow.
std::vector<OutputDescription> contact_quantities(bool nonsmooth);

// Likewise a ball bearing whose balls are bodies, in the plane and in space.
std::vector<OutputDescription> bearing_quantities(bool nonsmooth);
std::vector<OutputDescription> bearing_quantities(bool nonsmooth, std::size_t balls, bool pressures);

template <int D>
class ContactOutputs {
 public:
  using Vector = VectorOf<D>;
  using Pair = ContactPair<D>;

  // `nonsmooth`: which of the two acts.
  ContactOutputs(const ContactPairs<D>& pairs, const CompliantContacts<D>& compliant,
                 const NonsmoothContacts<D>& impulses, bool nonsmooth)
      : pairs_(pairs), compliant_(compliant), impulses_(impulses), nonsmooth_(nonsmooth) {}

  // Building: one call for every group, in their order.
  void add_pairs(bool is_joint) { groups_.push_back({.is_joint = is_joint}); }
  // Pairs of the group added last press over areas.
  void report_areas() { groups_.back().over_areas = true; }
  // The group has no pairs and reports what this bearing does as a whole.
  void add_bearing(BearingGroups bearing);

  // Recorded quantities of a group.
  std::vector<OutputDescription> describe(int group) const;
  void write(int group, const Bodies<D>& bodies, double t, double* values) const;

  // N m, normal force times the way that the surfaces slid under it; from the start on.
  void note_slide(int group, double force_distance) { groups_[group].force_distance += force_distance; }
  // N s, part of an impulse that an impact made, and N, the force behind it: kept until they are forgotten.
  void note_impact(int group, double impulse) { groups_[group].recent_impact += impulse; }
  void note_peak_force(int group, double force) {
    groups_[group].recent_peak = std::max(groups_[group].recent_peak, force);
  }
  void forget_recent();
  // The sums of another one of the same model.
  void take_memory(const ContactOutputs& other) { groups_ = other.groups_; }

 private:
  struct Group {
    bool is_joint = false, over_areas = false;
    int bearing = -1;                           // −1: it is none
    double force_distance = 0;                  // N m, since the start
    double recent_impact = 0, recent_peak = 0;  // N s and N, of impacts since they were last recorded
  };
  // Where the surfaces of a group are nearest, or deepest, in each other.
  struct Nearest {
    double gap = std::numeric_limits<double>::infinity();  // m
    int point = -1;
    double rate = 0, slip = 0;  // m/s, of the gap, and along the surfaces
    Vector place = Vector::Zero(), direction = Vector::Zero();
  };

  // What areas of a group add up to.
  struct Patches {
    double area = 0, force = 0, peak = 0;  // m², N, Pa
    Vector moment = Vector::Zero();        // N m, of places times normal forces, all points included

    void add(const ContactArea& patch, const CompliantAction<D>& action) {
      moment += action.normal * action.place;
      if (!(patch.area > 0)) return;
      area += patch.area, force += action.normal;
      peak = std::max(peak, patch.peak * action.normal / patch.area);
    }
  };

  void look(Nearest& nearest, const Pair& pair, int point, const ContactPoint<D>& contact,
            const Bodies<D>& bodies) const;
  void write_compliant(int group, const Bodies<D>& bodies, double t, double* values) const;
  void write_nonsmooth(int group, const Bodies<D>& bodies, double* values) const;
  void put_eccentricity(int group, const Bodies<D>& bodies, double* values) const;
  std::vector<OutputDescription> describe_bearing(const BearingGroups& bearing) const;
  // bearing_outputs.cpp, in space rolling_bearing_outputs.cpp
  void write_bearing(const BearingGroups& bearing, const Bodies<D>& bodies, double* values) const;

  const ContactPairs<D>& pairs_;
  const CompliantContacts<D>& compliant_;
  const NonsmoothContacts<D>& impulses_;
  bool nonsmooth_;
  std::vector<Group> groups_;
  std::vector<BearingGroups> bearings_;
};

template <>
void ContactOutputs<3>::write_bearing(const BearingGroups& bearing, const Bodies<3>& bodies, double* values) const;

extern template class ContactOutputs<2>;
extern template class ContactOutputs<3>;

}  // namespace carom::inline contacts
