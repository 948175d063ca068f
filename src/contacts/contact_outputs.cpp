#include <cmath>

#include <fmt/format.h>

#include "contacts/contact_set.h"

// What a group of contacts reports.
namespace carom {
namespace {

// An episode that lasts longer than so many elastic impacts of the same speed is a continuous contact.
constexpr double impacts_of_continuous_contact = 3;
constexpr double slowest = 1e-6;  // m/s, for durations

enum class JointMode { free_flight, impact, continuous };

}  // namespace

template <int D>
std::vector<OutputDescription> ContactSet<D>::outputs(int group) const {
  if (groups_[group].bearing >= 0) return bearing_outputs();
  std::vector<OutputDescription> list;
  const auto add_vector = [&](const std::string& name, const std::string& unit, const std::string& meaning) {
    for (int k = 0; k < D; ++k) {
      const char axis = "xyz"[k];
      list.push_back({name + axis, unit, fmt::format("{} {}", meaning, axis)});
    }
  };
  const auto add_eccentricity = [&] {
    if (!groups_[group].is_joint) return;
    list.push_back({"eccentricity", "m", "distance of the journal's centre from the bearing's"});
    for (int k = 0; k < D; ++k) {
      const std::string axis(1, "xyz"[k]);
      list.push_back({"e" + axis, "m", "journal from bearing, " + axis + " of the bearing's body"});
    }
  };
  if (rigid_) {
    list = {{"touching", "1", "number of closed points"},
            {"status", "1", "0: open, 1: sticks, 2: slips, 3: rolls; the largest of the points"},
            {"gap", "m", "smallest"},
            {"gap_rate", "m/s", "of the smallest gap, positive when it opens"},
            {"normal_impulse", "N s", "since the last sample, sum over the points"},
            {"tangential_impulse", "N s", "since the last sample, sum of magnitudes over the points"},
            {"closed_force", "N", "impulse over the step, of points that were closed before it as well; no impacts"},
            {"impact_impulse", "N s", "the part of normal_impulse that impacts made"},
            {"peak_force", "N", "largest force behind an impact since the last sample; 0: none that can be told"},
            {"slip_speed", "m/s", "of the surfaces at the smallest gap"},
            {"force_distance", "N m", "normal force times the way slid, since the start: wear grows with it"}};
    add_vector("i", "N s", "impulse on the second body since the last sample, world");
    add_vector("p", "m", "place of the smallest gap, world");
    add_vector("n", "1", "normal there, towards the second body, world");
    add_eccentricity();
    return list;
  }
  list = {{"touching", "1", "number of points in contact"},
          {"mode", "1", "0: free flight, 1: impact, 2: continuous contact, of the longest contact"},
          {"penetration", "m", "of the deepest point; negative: the smallest gap"},
          {"penetration_rate", "m/s", "of the deepest point, positive in compression"},
          {"impact_speed", "m/s", "at which the deepest contact began"},
          {"normal_force", "N", "sum over the points"},
          {"tangential_force", "N", "sum over the points, magnitude"},
          {"slip_speed", "m/s", "of the surfaces at the deepest point"},
          {"force_distance", "N m", "normal force times the way slid, since the start: wear grows with it"}};
  add_vector("f", "N", "force on the second body, world");
  add_vector("p", "m", "place of the deepest point, world");
  add_vector("n", "1", "normal there, towards the second body, world");
  add_eccentricity();
  return list;
}

template <int D>
void ContactSet<D>::output(int index, const Bodies<D>& bodies, double t, double* values) const {
  if (groups_[index].bearing >= 0) return bearing_output(bearings_[groups_[index].bearing], bodies, values);
  if (rigid_) return rigid_output(index, bodies, values);
  const Group& group = groups_[index];
  int touching = 0;
  JointMode mode = JointMode::free_flight;
  double deepest = -std::numeric_limits<double>::infinity(), rate = 0, speed = 0, normal_sum = 0, tangential_sum = 0,
         slip = 0;
  Vector force = Vector::Zero(), place = Vector::Zero(), direction = Vector::Zero();
  for_each_point(index, bodies, [&](const Pair& pair, int k, const ContactPoint<D>& contact) {
    const Point& point = points_[k];
    if (-contact.gap > deepest) {
      deepest = -contact.gap;
      place = place_of(pair, contact);
      direction = pair.swapped ? Vector(-contact.normal) : contact.normal;
      const Vector relative = relative_velocity(pair, place, bodies);
      rate = -contact.normal.dot(relative);
      slip = (relative + rate * contact.normal).norm();
      speed = point.touching ? histories_[k].episode.impact_speed : 0;
    }
    if (!acts(pair, point) || !(point.touching || contact.gap < 0)) return;
    ++touching;
    const double lasting =
        impacts_of_continuous_contact *
        impact_duration(k, std::max({histories_[k].episode.impact_speed, group.minimum_speed, slowest}));
    const bool lasts = elastic_only_ || t - histories_[k].episode.begin > lasting;
    mode = std::max(mode, lasts ? JointMode::continuous : JointMode::impact);
    Action action;
    if (!act(pair, point, contact, bodies, action)) return;
    normal_sum += action.normal;
    tangential_sum += (action.force - action.normal * contact.normal).norm();
    force += pair.swapped ? Vector(-action.force) : action.force;
  });
  const auto put = [&](const Vector& vector) {
    for (int k = 0; k < D; ++k) *values++ = vector[k];
  };
  for (const double value : {static_cast<double>(touching), static_cast<double>(mode), deepest, rate, speed, normal_sum,
                             tangential_sum, slip, group.force_distance}) {
    *values++ = value;
  }
  put(force);
  put(place);
  put(direction);
  if (group.is_joint) put_eccentricity(index, bodies, values);
}

template <int D>
void ContactSet<D>::put_eccentricity(int group, const Bodies<D>& bodies, double* values) const {
  const Pair& pair = pairs_[groups_[group].first_pair];
  const Shape<D>&bearing = shapes_[pair.a], &journal = shapes_[pair.b];
  const Vector apart = centre_of<D>(journal, bodies[journal.body]) - centre_of<D>(bearing, bodies[bearing.body]);
  *values++ = apart.norm();
  const Vector local = bodies[bearing.body].orientation.back(apart);
  for (int k = 0; k < D; ++k) *values++ = local[k];
}

template class ContactSet<2>;
template class ContactSet<3>;

}  // namespace carom
