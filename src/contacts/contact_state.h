#pragma once

#include <string>

namespace carom::inline contacts {

// A contact point as a law sees it at one state.
struct ContactReading {
  double penetration = 0;  // m, δ > 0 in contact
  double rate = 0;         // m/s, δ̇ > 0 in compression
  double level = 0;        // m, δ at which the contact would end (touching) or begin (free)
  double force = 0;        // N, normal; as frozen by the mode
  double axis_ratio = 1;   // b/a of the ellipse of contact, where it depends on the point
  double slip = 0;         // m/s, speed of the surfaces along each other; of points that act
  double scale = 1;        // of the stiffness, where the point stands for an area
  // Another area of the pair, which touches: of a free area that overlaps, or of one that is gone. It may have come off
  // that one, or have grown together with it. −1: there is none.
  int kin = -1;
  double kin_penetration = 0;  // m
  bool deep = false;           // of a contact that begins: it was there before anything was known of it
};

// A free point whose surfaces meet inside a step.
struct ContactStart {
  int point = -1;                   // −1: there is none
  double theta = 1;                 // part of the step, from 0 to 1
  int first_point = 0, points = 0;  // of its pair: which of them meets may depend on where it was looked before
};

// What searches for starts have cost, and whether one had to become coarser than it was asked for.
struct SearchStatistics {
  long instants = 0;             // at which a pair was looked at
  double coarsest = 0;           // m, overlap that the coarsest of these searches may have missed; 0: none
  std::string coarsest_contact;  // whose it was
};

// One episode of contact, from touch to release.
struct ContactEpisode {
  int point = 0;
  double begin = 0, end = 0;       // s
  double impact_speed = 0;         // m/s, δ̇ at the first touch
  double separation_speed = 0;     // m/s, −δ̇ at release
  double begin_penetration = 0;    // m, with which the episode began
  double largest_penetration = 0;  // m
  double peak_force = 0;           // N
  double peak_time = 0;            // s, when it acted
  double dissipated = 0;           // J, of the group while this episode lasted
  double stiffness = 0;            // K of the elastic force K δⁿ, SI units
  double axis_ratio = 1;           // b/a of the ellipse of contact
};

}  // namespace carom::inline contacts
