#include "contacts/compliant_contacts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

// Modes, episodes and memory of compliant contacts.
namespace carom::inline contacts {
namespace {

constexpr double slowest_impact = 1e-6;  // m/s: what a law sees of a touch without any speed
// Of the speed of an impact as deep as a contact has become: below it a contact that began at rest would creep.
constexpr double pressed = 0.1;
// So many times slower than such an impact, the touch makes a contact that creeps and needs tiny steps: its damper is
// so many times as fast as the bodies would vibrate on their contact.
constexpr double creeps = 100;

// m/s, of an elastic impact as deep as this, ½ m v² = ∫ K δⁿ dδ.
double speed_of_impact(const CompliantLaw& law, double scale, double depth) {
  const double n = law.exponent;
  return std::sqrt(2 * scale * law.stiffness * std::pow(depth, n + 1) / ((n + 1) * law.mass));
}

// Once for a group, as its deepest contact has it: how fast a touch its law would have to see.
void remark_on_slow_touch(const std::string& group, double minimum_speed, double touch, double speed,
                          std::vector<std::string>& remarks) {
  const auto reported = std::find_if(remarks.begin(), remarks.end(),
                                     [&](const std::string& each) { return each.starts_with(group + " is pressed"); });
  std::string text = fmt::format(
      "{} is pressed by its load as deep as an impact at {:.2g} m/s goes, but damps as for one at {}{:.2g} m/s: it "
      "creeps, and steps must be short; leave minimum_speed out, or let it be {:.1g} m/s",
      group, speed, touch > minimum_speed ? "" : "minimum_speed = ", touch, pressed * speed);
  if (reported == remarks.end()) {
    remarks.push_back(std::move(text));
  } else {
    *reported = std::move(text);
  }
}

}  // namespace

template <int D>
int CompliantContacts<D>::add_law(CompliantLaw law) {
  laws_.push_back(std::move(law));
  return static_cast<int>(laws_.size()) - 1;
}

template <int D>
void CompliantContacts<D>::start() {
  touching_.assign(pairs_.pair_count(), 0);
  points_.assign(pairs_.point_count(), {});
  episodes_.assign(pairs_.point_count(), {});
  scales_.assign(pairs_.point_count(), 1);
  for (int k = 0; k < pairs_.point_count(); ++k) {
    const CompliantGroup& group = groups_[pairs_.group_of(k)];
    if (!group.friction || !group.friction->has_bristle()) continue;
    points_[k].bristle = bristle_size();
    bristles_.resize(bristles_.size() + D, 0);
  }
  bristle_rates_.assign(bristles_.size(), 0);
}

template <int D>
bool CompliantContacts<D>::is_stiff_at_rest(int point) const {
  const CompliantGroup& group = groups_[pairs_.group_of(point)];
  return !law_of(point).normal->is_memoryless() && !group.elastic_when_slow &&
         episodes_[point].impact_speed < group.minimum_speed;
}

template <int D>
void CompliantContacts<D>::begin(int index, double t, const ContactReading& reading, double dissipated) {
  Point& point = points_[index];
  const CompliantGroup& group = groups_[pairs_.group_of(index)];
  const CompliantLaw& law = law_of(index);
  if (!point.touching) ++touching_[pairs_.pair_of(index)];
  point.touching = true;
  pairs_.keep(index, true);
  // A slow touch would damp without bound; an infinite impact speed does not damp at all: nothing is known of that of a
  // feature that appears a little later.
  const double least = group.minimum_speed > 0 ? group.minimum_speed : slowest_impact;
  const bool unknown = !std::isfinite(reading.penetration);
  point.impact_speed = reading.rate >= least                ? reading.rate
                       : group.elastic_when_slow || unknown ? std::numeric_limits<double>::infinity()
                                                            : least;
  point.deepest = std::max(0.0, reading.penetration);
  point.scale = reading.scale;
  // What is found at a depth, as surfaces that come into sight of each other, damps as an impact that goes as deep.
  if (reading.deep && !(group.minimum_speed > 0))
    point.impact_speed = std::max(point.impact_speed, 2 * pressed * speed_of_impact(law, reading.scale, point.deepest));
  episodes_[index] = {.point = index,
                      .begin = t,
                      .end = t,
                      .impact_speed = reading.rate,
                      .begin_penetration = unknown ? 0 : reading.penetration,
                      .largest_penetration = point.deepest,
                      .dissipated = dissipated,
                      .stiffness = reading.scale * law.stiffness,
                      .axis_ratio = law.by_point ? reading.axis_ratio : law.axis_ratio};
  if (reading.kin >= 0 && reading.penetration > 0) take_after(index, reading);
}

// An area that has come off another one begins without an impact, and goes on as that one.
template <int D>
void CompliantContacts<D>::take_after(int index, const ContactReading& reading) {
  const Point& kin = points_[reading.kin];
  points_[index].impact_speed = kin.impact_speed;
  points_[index].deepest = reading.kin_penetration > 0
                               ? std::max(1.0, kin.deepest / reading.kin_penetration) * reading.penetration
                               : std::max(kin.deepest, reading.penetration);
  episodes_[index].impact_speed = episodes_[reading.kin].impact_speed;
}

template <int D>
ContactEpisode CompliantContacts<D>::end(int index, double t, const ContactReading& reading, double dissipated) {
  Point& point = points_[index];
  if (point.touching) --touching_[pairs_.pair_of(index)];
  point.touching = false;
  pairs_.keep(index, false);
  ContactEpisode& episode = episodes_[index];
  episode.end = t;
  episode.separation_speed = -reading.rate;
  episode.dissipated = dissipated - episode.dissipated;
  return episode;
}

template <int D>
double CompliantContacts<D>::stored(int index, const ContactReading& reading) const {
  const Point& point = points_[index];
  if (!(reading.penetration > 0)) return 0;
  return reading.scale * law_of(index).normal->energy({.penetration = reading.penetration,
                                                       .rate = reading.rate,
                                                       .impact_speed = point.impact_speed,
                                                       .deepest = point.deepest});
}

// What began without any speed, or much slower than its load presses it in, is no impact, and by the speed of its touch
// its damping would be without bound: it is taken from an impact as deep as this, ½ m v² = ∫ K δⁿ dδ.
template <int D>
void CompliantContacts<D>::press(int index, double penetration, std::vector<std::string>& remarks) {
  Point& point = points_[index];
  const int number = pairs_.group_of(index);
  const CompliantGroup& group = groups_[number];
  const CompliantLaw& law = law_of(index);
  if (law.normal->is_memoryless()) return;
  const double touch = episodes_[index].impact_speed;
  const bool by_touch = touch >= slowest_impact && point.impact_speed == touch;
  const bool by_load = !(group.minimum_speed > 0);
  const double speed = speed_of_impact(law, scales_[index], penetration);
  const double bound = by_load && !by_touch ? 1 / pressed : creeps;
  if (!std::isfinite(speed) || !(speed > bound * point.impact_speed)) return;
  if (by_load) {
    point.impact_speed = 2 * pressed * speed;  // seldom, because each is a jump of the force
  } else {
    remark_on_slow_touch(pairs_.group(number).name, group.minimum_speed, point.impact_speed, speed, remarks);
  }
}

template <int D>
void CompliantContacts<D>::note(int index, double t, double penetration, double force,
                                std::vector<std::string>& remarks) {
  Point& point = points_[index];
  if (penetration > point.deepest) {
    point.deepest = penetration;
    press(index, penetration, remarks);
  }
  ContactEpisode& episode = episodes_[index];
  episode.largest_penetration = std::max(episode.largest_penetration, penetration);
  if (law_of(index).radius > 0) episode.stiffness = scales_[index] * law_of(index).stiffness;
  if (force > episode.peak_force) {
    episode.peak_force = force;
    episode.peak_time = t;
  }
}

template <int D>
bool CompliantContacts<D>::make_event_free() {
  if (std::any_of(laws_.begin(), laws_.end(), [](const CompliantLaw& law) { return !law.normal->is_memoryless(); }))
    return false;
  for (CompliantLaw& law : laws_) law.event_free = true;
  return true;
}

template <int D>
void CompliantContacts<D>::act_elastically() {
  elastic_only_ = true;
  for (CompliantLaw& law : laws_) law.event_free = true;
}

template <int D>
void CompliantContacts<D>::renumber() {
  const int fixed_pairs = pairs_.fixed_pair_count(), fixed_points = pairs_.fixed_point_count();
  old_touching_.swap(touching_), old_points_.swap(points_), old_episodes_.swap(episodes_);
  touching_.assign(old_touching_.begin(), old_touching_.begin() + fixed_pairs);
  points_.assign(old_points_.begin(), old_points_.begin() + fixed_points);
  episodes_.assign(old_episodes_.begin(), old_episodes_.begin() + fixed_points);
  touching_.resize(pairs_.pair_count());
  points_.resize(pairs_.point_count());
  episodes_.resize(pairs_.point_count());
  scales_.resize(pairs_.point_count(), 1);
  pairs_.for_each_carried([&](int before, int after) {
    const Pair& pair = pairs_.pairs()[after];
    const int from = pairs_.first_point_before(before), to = pair.first_point;
    touching_[after] = old_touching_[before];
    for (int k = 0; k < pair.points; ++k) {
      points_[to + k] = old_points_[from + k];
      episodes_[to + k] = old_episodes_[from + k];
      episodes_[to + k].point = to + k;
    }
  });
}

// Undamped central impact of two free bodies (formulation of Hertz' law for any exponent).
template <int D>
double CompliantContacts<D>::impact_duration(int point, double speed) const {
  const CompliantLaw& law = law_of(point);
  const double n = law.exponent;
  const double depth = std::pow((n + 1) * law.mass * speed * speed / (2 * scales_[point] * law.stiffness), 1 / (n + 1));
  return 2 * depth / speed * std::sqrt(M_PI) * std::tgamma(1 + 1 / (n + 1)) / std::tgamma(0.5 + 1 / (n + 1));
}

template class CompliantContacts<2>;
template class CompliantContacts<3>;

}  // namespace carom::inline contacts
