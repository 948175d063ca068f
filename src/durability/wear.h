#pragma once

#include <cstddef>
#include <vector>

// Archard's wear of sliding contacts: the worn volume grows with normal force and sliding distance, V = k F s/H.
// J. F. Archard, J. Appl. Phys. 24 (1953) 981–988; P. Flores, Mech. Mach. Theory 44 (2009) 1211–1222, for clearance
// joints. Valid for steady (mild or severe) wear of one regime; k is a measured number that scatters by a factor of two
// and more and depends on pairing, lubrication, temperature and pressure. Each of the two bodies has its own.
namespace carom::inline durability {

// k' = k/H, m³/(N m): dimensionless coefficient k (10⁻⁸ … 10⁻²), hardness H of the softer body in Pa.
double specific_wear_rate(double coefficient, double hardness);

// Worn volume, m³, from k' in m³/(N m), a normal force in N (none when it pulls) and the distance slid in m (its sign
// does not matter).
double worn_volume(double specific_rate, double normal_force, double sliding_distance);

// A step of a run, m³: force at its begin and end, slip speeds in m/s likewise, duration in s. By Simpson's rule for
// the product of two straight lines; a slip that turns within the step is counted on both sides of the turn.
double worn_volume_of_step(double specific_rate, double force_begin, double force_end, double slip_begin,
                           double slip_end, double duration);

// An impact: normal impulse in N s while the surfaces slip at the speeds before and after it, m/s, m³.
double worn_volume_of_impulse(double specific_rate, double normal_impulse, double slip_before, double slip_after);

// Mean depth of a volume worn from an area, m. Locally the depth is k' p s, with the pressure p in Pa.
double worn_depth(double volume, double area);

// Wear of a revolute joint with clearance: journal of radius R_J in a bearing of radius R_B, both worn, each along its
// own circumference. Depths are kept in sectors of equal angle; what is worn is shared between the two nearest sectors,
// so that the volume is kept exactly and the depth does not jump with the direction of the force.
class RevoluteWear {
 public:
  // Radii and length of the joint in m, k' of journal and bearing in m³/(N m).
  RevoluteWear(double journal_radius, double bearing_radius, double length, double journal_rate, double bearing_rate,
               std::size_t sectors = 72);

  // Normal force in N times distance slid in m, at the angles of the contact point in the axes of the journal and of
  // the bearing, rad.
  void add(double force_times_distance, double angle_on_journal, double angle_on_bearing);

  double journal_volume() const { return journal_volume_; }  // m³
  double bearing_volume() const { return bearing_volume_; }
  double length() const { return length_; }  // m
  // Depth worn at an angle in the axes of that part, straight between the middles of the sectors, m.
  double journal_depth(double angle) const;
  double bearing_depth(double angle) const;
  // Radial clearance where the journal's point at one angle meets the bearing's point at another:
  // R_B − R_J + both depths, m.
  double clearance(double angle_on_journal, double angle_on_bearing) const;
  // Mean growth of the radial clearance around the joint: that of wear spread evenly, m.
  double mean_growth() const;

 private:
  void spread(std::vector<double>& volumes, double volume, double angle) const;
  double depth(const std::vector<double>& volumes, double radius, double angle) const;

  double journal_radius_, bearing_radius_, length_;
  double journal_rate_, bearing_rate_;
  double journal_volume_ = 0, bearing_volume_ = 0;
  std::vector<double> on_journal_, on_bearing_;  // volume worn per sector, m³
};

}  // namespace carom::inline durability
