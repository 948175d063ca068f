#include "contacts/contact_outputs.h"

#include <cmath>

#include <fmt/format.h>

namespace carom::inline contacts {
namespace {

// An episode that lasts longer than so many elastic impacts of the same speed is a continuous contact.
constexpr double impacts_of_continuous_contact = 3;
constexpr double slowest = 1e-6;  // m/s, for durations

enum class JointMode { free_flight, impact, continuous };

std::vector<OutputDescription> compliant_quantities() {
  return {
      {"touching", "1", "number of points in contact"},
      {"mode", "1", "0: free flight, 1: impact, 2: continuous contact, of the longest contact"},
      {"penetration", "m", "of the deepest point; negative: the smallest gap"},
      {"penetration_rate", "m/s", "of the deepest point, positive in compression"},
      {"impact_speed", "m/s", "rate of penetration with which the contact of the deepest point began; 0: it is open"},
      {"normal_force", "N", "sum over the points; presses the bodies apart"},
      {"tangential_force", "N",
       "a magnitude, never negative: those of the points added up; its direction is in f and n"},
      {"slip_speed", "m/s", "of the surfaces against each other at the deepest point, a magnitude"},
      {"force_distance", "N m", "normal force times the way slid, since the start: wear grows with it"}};
}

std::vector<OutputDescription> nonsmooth_quantities() {
  return {
      {"touching", "1", "number of closed points"},
      {"status", "1", "0: open, 1: sticks, 2: slips, 3: rolls; the largest of the points"},
      {"gap", "m", "smallest distance; negative: overlap"},
      {"gap_rate", "m/s", "of the smallest gap, positive when it opens"},
      {"normal_impulse", "N s", "since the last sample, sum over the points; presses the bodies apart"},
      {"tangential_impulse", "N s", "since the last sample, a magnitude, never negative: those of the points added up"},
      {"closed_force", "N", "impulse over the step, of points that were closed before it as well; no impacts"},
      {"impact_impulse", "N s", "the part of normal_impulse that impacts made"},
      {"peak_force", "N", "largest force behind an impact since the last sample; 0: none that can be reported"},
      {"slip_speed", "m/s", "of the surfaces against each other at the smallest gap, a magnitude"},
      {"force_distance", "N m", "normal force times the way slid, since the start: wear grows with it"}};
}

}  // namespace

std::vector<OutputDescription> contact_quantities(bool nonsmooth) {
  return nonsmooth ? nonsmooth_quantities() : compliant_quantities();
}

template <int D>
void ContactOutputs<D>::add_bearing(BearingGroups bearing) {
  groups_.push_back({.bearing = static_cast<int>(bearings_.size())});
  bearings_.push_back(std::move(bearing));
}

template <int D>
void ContactOutputs<D>::forget_recent() {
  for (Group& group : groups_) group.recent_impact = group.recent_peak = 0;
}

template <int D>
std::vector<OutputDescription> ContactOutputs<D>::describe_bearing(const BearingGroups& bearing) const {
  return D == 2 ? bearing_quantities(nonsmooth_)
                : bearing_quantities(nonsmooth_, bearing.inner.size(), bearing.pressure_factors[0] > 0);
}

template <int D>
std::vector<OutputDescription> ContactOutputs<D>::describe(int group) const {
  if (groups_[group].bearing >= 0) return describe_bearing(bearings_[groups_[group].bearing]);
  std::vector<OutputDescription> list = contact_quantities(nonsmooth_);
  const auto add_vector = [&](const std::string& name, const std::string& unit, const std::string& meaning) {
    for (int k = 0; k < D; ++k) {
      const char axis = "xyz"[k];
      list.push_back({name + axis, unit, fmt::format("{} {}", meaning, axis)});
    }
  };
  if (nonsmooth_) {
    add_vector("i", "N s", "impulse on the second body since the last sample, world");
    add_vector("p", "m", "place of the smallest gap, world");
  } else {
    add_vector("f", "N", "force on the second body, world");
    add_vector("p", "m", "place of the deepest point, world");
  }
  add_vector("n", "1", "unit normal there, towards the second body, world");
  if (groups_[group].over_areas) {
    list.push_back({"patch_area", "m^2", "of the surfaces under pressure, sum over the patches"});
    list.push_back({"mean_pressure", "Pa", "normal force over that area"});
    list.push_back({"peak_pressure", "Pa", "largest of the patches"});
    add_vector("c", "m", "centre of pressure of all patches, world; without any, the place nearest to touch:");
  }
  if (!groups_[group].is_joint) return list;
  list.push_back({"eccentricity", "m", "distance of the journal's centre from the bearing's, a magnitude"});
  for (int k = 0; k < D; ++k) {
    const std::string axis(1, "xyz"[k]);
    list.push_back({"e" + axis, "m",
                    "journal's centre from the bearing's, along " + axis +
                        " of the body that has the bearing, which turn with it"});
  }
  return list;
}

template <int D>
void ContactOutputs<D>::write(int group, const Bodies<D>& bodies, double t, double* values) const {
  if (groups_[group].bearing >= 0) return write_bearing(bearings_[groups_[group].bearing], bodies, values);
  if (nonsmooth_) return write_nonsmooth(group, bodies, values);
  write_compliant(group, bodies, t, values);
}

template <int D>
void ContactOutputs<D>::look(Nearest& nearest, const Pair& pair, int point, const ContactPoint<D>& contact,
                             const Bodies<D>& bodies) const {
  if (!(contact.gap < nearest.gap)) return;
  nearest.gap = contact.gap;
  nearest.point = point;
  nearest.place = pairs_.place_of(pair, contact);
  nearest.direction = pair.swapped ? Vector(-contact.normal) : contact.normal;
  const Vector relative = pairs_.relative_velocity(pair, nearest.place, bodies);
  nearest.rate = contact.normal.dot(relative);
  nearest.slip = (relative - nearest.rate * contact.normal).norm();
}

template <int D>
void ContactOutputs<D>::write_compliant(int index, const Bodies<D>& bodies, double t, double* values) const {
  int touching = 0;
  JointMode mode = JointMode::free_flight;
  double normal_sum = 0, tangential_sum = 0;
  Vector force = Vector::Zero();
  Nearest nearest;
  Patches patches;
  pairs_.for_each_point(index, bodies, [&](const Pair& pair, int k, const ContactPoint<D>& contact) {
    look(nearest, pair, k, contact, bodies);
    if (!compliant_.acts(pair, k, contact) || !(compliant_.touches(k) || contact.gap < 0)) return;
    ++touching;
    const ContactEpisode& episode = compliant_.episode(k);
    const double speed = std::max({episode.impact_speed, compliant_.minimum_speed(index), slowest});
    const double lasting = impacts_of_continuous_contact * compliant_.impact_duration(k, speed);
    const bool lasts = compliant_.is_elastic_only() || t - episode.begin > lasting;
    mode = std::max(mode, lasts ? JointMode::continuous : JointMode::impact);
    CompliantAction<D> action;
    if (!compliant_.act(pair, k, contact, bodies, action)) return;
    normal_sum += action.normal;
    patches.add(contact.area, action);
    tangential_sum += (action.force - action.normal * contact.normal).norm();
    force += pair.swapped ? Vector(-action.force) : action.force;
  });
  const bool found = nearest.point >= 0;
  const double impact_speed =
      found && compliant_.touches(nearest.point) ? compliant_.episode(nearest.point).impact_speed : 0;
  for (const double value :
       {static_cast<double>(touching), static_cast<double>(mode), -nearest.gap, found ? -nearest.rate : 0, impact_speed,
        normal_sum, tangential_sum, nearest.slip, groups_[index].force_distance}) {
    *values++ = value;
  }
  for (const Vector& vector : {force, nearest.place, nearest.direction}) {
    for (int k = 0; k < D; ++k) *values++ = vector[k];
  }
  if (groups_[index].over_areas) {
    const Vector centre = normal_sum > 0 ? Vector(patches.moment / normal_sum) : nearest.place;
    for (const double value : {patches.area, patches.area > 0 ? patches.force / patches.area : 0, patches.peak})
      *values++ = value;
    for (int k = 0; k < D; ++k) *values++ = centre[k];
  }
  if (groups_[index].is_joint) put_eccentricity(index, bodies, values);
}

template <int D>
void ContactOutputs<D>::write_nonsmooth(int index, const Bodies<D>& bodies, double* values) const {
  int closed = 0, status = 0;
  double normal = 0, tangential = 0, force = 0;
  Vector impulse = Vector::Zero();
  Nearest nearest;
  pairs_.for_each_point(index, bodies, [&](const Pair& pair, int k, const ContactPoint<D>& contact) {
    look(nearest, pair, k, contact, bodies);
    const NonsmoothMemory<D>& memory = impulses_.memory(k);
    normal += memory.recent_normal, tangential += memory.recent_tangential;
    impulse += pair.swapped ? Vector(-memory.recent) : memory.recent;
    if (!impulses_.is_closed(k)) return;
    force += memory.force;
    ++closed;
    status = std::max(status, static_cast<int>(memory.status));
  });
  const Group& group = groups_[index];
  for (const double value :
       {static_cast<double>(closed), static_cast<double>(status), nearest.gap, nearest.rate, normal, tangential, force,
        group.recent_impact, group.recent_peak, nearest.slip, group.force_distance}) {
    *values++ = value;
  }
  for (const Vector& vector : {impulse, nearest.place, nearest.direction}) {
    for (int k = 0; k < D; ++k) *values++ = vector[k];
  }
  if (group.is_joint) put_eccentricity(index, bodies, values);
}

template <int D>
void ContactOutputs<D>::put_eccentricity(int group, const Bodies<D>& bodies, double* values) const {
  const Pair& pair = pairs_.pairs()[pairs_.groups()[group].first_pair];
  const Shape<D>&bearing = pairs_.shape_a(pair), &journal = pairs_.shape_b(pair);
  const BodyState<D>&outer = bodies[bearing.body], &inner = bodies[journal.body];
  const Vector middle =
      pair.kind->middle ? pair.kind->middle(bearing, journal, outer, inner) : centre_of<D>(bearing, outer);
  const Vector apart = centre_of<D>(journal, inner) - middle;
  *values++ = apart.norm();
  const Vector local = bodies[bearing.body].orientation.back(apart);
  for (int k = 0; k < D; ++k) *values++ = local[k];
}

template class ContactOutputs<2>;
template class ContactOutputs<3>;

}  // namespace carom::inline contacts
