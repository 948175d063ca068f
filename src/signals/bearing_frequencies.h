#pragma once

#include <string>
#include <vector>

// What the kinematics of a rolling bearing say of the frequencies at which its faults sound.
namespace carom::inline signals {

struct RollingDimensions {
  int elements = 0;                                 // Z, in a row
  double element_diameter = 0, pitch_diameter = 0;  // m
  double contact_angle = 0;                         // rad
};

/// Under pure rolling, Hz, from the turns per second of the two rings, with their sign (T. A. Harris, Rolling Bearing
/// Analysis, 4th ed., chapter 25). γ = (D_w/D_pw) cos α.
struct DefectFrequencies {
  double shaft = 0;    // |f_i − f_e|, of the inner ring against the outer one
  double cage = 0;     // FTF, |f_i (1 − γ) + f_e (1 + γ)|/2, of the cage
  double outer = 0;    // BPFO, Z |f_i − f_e| (1 − γ)/2: elements pass a place of the outer race
  double inner = 0;    // BPFI, Z |f_i − f_e| (1 + γ)/2: of the inner race
  double element = 0;  // BSF, |f_i − f_e| (1 − γ²)/(2 D_w/D_pw): an element turns about itself, as the cage sees it
};
DefectFrequencies defect_frequencies(const RollingDimensions& geometry, double inner_speed, double outer_speed);

/// A frequency with a name, and how far apart the side bands are that a fault there has about its lines; 0: none.
struct MarkedFrequency {
  std::string name = {};
  double frequency = 0, side_bands = 0;  // Hz
};

/// BPFO; BPFI, whose fault goes round the load with the inner ring; 2 BSF, since a fault of an element strikes both
/// races, with the cage; FTF; shaft. A race that turns goes round the load, one that stands does not.
std::vector<MarkedFrequency> marks_of(const DefectFrequencies& frequencies, double inner_speed, double outer_speed);

/// Which mark a line belongs to: a harmonic `order` of `mark`, `band` side bands away (…, −1, 0, 1, …).
struct LineName {
  int mark = -1;  // index; −1: none
  int order = 0, band = 0;
  double frequency = 0;  // Hz, of the harmonic and its side band
};

/// The simplest of all harmonics up to `most_orders` and side bands up to `most_bands` that lie within `tolerance` (Hz)
/// of the frequency: with the least order + 2 |band|, of those the nearest, then the first mark.
LineName name_line(double frequency, const std::vector<MarkedFrequency>& marks, double tolerance, int most_orders = 10,
                   int most_bands = 3);

/// "BPFO", "2 BPFI − 50 Hz".
std::string text_of(const LineName& line, const std::vector<MarkedFrequency>& marks);

}  // namespace carom::inline signals
