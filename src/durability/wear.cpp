#include "durability/wear.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace carom::inline durability {
namespace {

// An angle among the middles of the sectors: the sector below it, and how far it is to the next one.
struct Place {
  std::size_t below, above;
  double share;
};

Place place_of(double angle, std::size_t sectors) {
  const auto count = static_cast<double>(sectors);
  const double turns = angle / (2 * M_PI);
  const double position = (turns - std::floor(turns)) * count;
  const double floor = std::floor(position);
  const auto below = static_cast<std::size_t>(floor) % sectors;
  return {.below = below, .above = (below + 1) % sectors, .share = position - floor};
}

// ∫ F |v| dt over a part of a step in which both run straight and v keeps its sign.
double sliding_work(double force_begin, double force_end, double slip_begin, double slip_end, double duration) {
  const double middle = (force_begin + force_end) * (slip_begin + slip_end);
  return std::abs(force_begin * slip_begin + middle + force_end * slip_end) * duration / 6;
}

}  // namespace

double specific_wear_rate(double coefficient, double hardness) {
  assert(coefficient >= 0 && hardness > 0);
  return coefficient / hardness;
}

double worn_volume(double specific_rate, double normal_force, double sliding_distance) {
  return specific_rate * std::max(0.0, normal_force) * std::abs(sliding_distance);
}

double worn_volume_of_step(double specific_rate, double force_begin, double force_end, double slip_begin,
                           double slip_end, double duration) {
  force_begin = std::max(0.0, force_begin);
  force_end = std::max(0.0, force_end);
  if (slip_begin * slip_end >= 0)
    return specific_rate * sliding_work(force_begin, force_end, slip_begin, slip_end, duration);
  const double turn = slip_begin / (slip_begin - slip_end);
  const double force = force_begin + turn * (force_end - force_begin);
  return specific_rate * (sliding_work(force_begin, force, slip_begin, 0, turn * duration) +
                          sliding_work(force, force_end, 0, slip_end, (1 - turn) * duration));
}

double worn_volume_of_impulse(double specific_rate, double normal_impulse, double slip_before, double slip_after) {
  return worn_volume_of_step(specific_rate, normal_impulse, normal_impulse, slip_before, slip_after, 1);
}

double worn_depth(double volume, double area) {
  assert(area > 0);
  return volume / area;
}

RevoluteWear::RevoluteWear(double journal_radius, double bearing_radius, double length, double journal_rate,
                           double bearing_rate, std::size_t sectors)
    : journal_radius_(journal_radius),
      bearing_radius_(bearing_radius),
      length_(length),
      journal_rate_(journal_rate),
      bearing_rate_(bearing_rate),
      on_journal_(sectors),
      on_bearing_(sectors) {
  assert(journal_radius > 0 && bearing_radius > 0 && length > 0 && sectors > 0);
}

void RevoluteWear::spread(std::vector<double>& volumes, double volume, double angle) const {
  const Place place = place_of(angle, volumes.size());
  volumes[place.below] += (1 - place.share) * volume;
  volumes[place.above] += place.share * volume;
}

double RevoluteWear::depth(const std::vector<double>& volumes, double radius, double angle) const {
  const Place place = place_of(angle, volumes.size());
  const double volume = (1 - place.share) * volumes[place.below] + place.share * volumes[place.above];
  return worn_depth(volume, 2 * M_PI * radius * length_ / static_cast<double>(volumes.size()));
}

void RevoluteWear::add(double force_times_distance, double angle_on_journal, double angle_on_bearing) {
  const double work = std::abs(force_times_distance);
  journal_volume_ += journal_rate_ * work;
  bearing_volume_ += bearing_rate_ * work;
  spread(on_journal_, journal_rate_ * work, angle_on_journal);
  spread(on_bearing_, bearing_rate_ * work, angle_on_bearing);
}

double RevoluteWear::journal_depth(double angle) const {
  return depth(on_journal_, journal_radius_, angle);
}

double RevoluteWear::bearing_depth(double angle) const {
  return depth(on_bearing_, bearing_radius_, angle);
}

double RevoluteWear::clearance(double angle_on_journal, double angle_on_bearing) const {
  return bearing_radius_ - journal_radius_ + journal_depth(angle_on_journal) + bearing_depth(angle_on_bearing);
}

double RevoluteWear::mean_growth() const {
  return worn_depth(journal_volume_, 2 * M_PI * journal_radius_ * length_) +
         worn_depth(bearing_volume_, 2 * M_PI * bearing_radius_ * length_);
}

}  // namespace carom::inline durability
