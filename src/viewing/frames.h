#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "viewing/viewed.h"

// The numbers that a picture of one instant needs, one row of floats per sample.
namespace carom::inline viewing {

struct FrameColumn {
  enum class Rule {
    constant,   // `value`, because nothing was recorded
    recorded,   // as it is
    half_sine,  // of a recorded angle: z of the quaternion
    half_cosine,
    per_time,  // a recorded sum since the last sample, over the time since then
  };
  Rule rule = Rule::constant;
  std::size_t group = 0, component = 0;
  float value = 0;
};

/// Where what lies in a row. Places count floats from the beginning of the row.
struct FrameLayout {
  std::vector<FrameColumn> columns;

  struct Body {
    std::size_t place = 0;  // x y z of the origin in m, then the quaternion x y z w
    bool position_recorded = false, turn_recorded = false;
  };
  std::vector<Body> bodies;  // as in the model

  /// A force at a point: contacts and clearance joints.
  struct Contact {
    std::string group;
    // Touching, px py pz in m, fx fy fz in N on the second body; with friction or over an area nx ny nz; over an area
    // patch_area in m², and cx cy cz in place of px py pz.
    std::size_t place = 0;
    bool mean = false;       // the force is an impulse over the sampling interval
    double friction = 0;     // coefficient; 0: none, or the normal was not recorded
    bool over_area = false;  // surfaces press over an area
  };
  std::vector<Contact> contacts;

  /// Numbers that belong to the joint, beam or bearing of this index in the model.
  struct Part {
    std::size_t index = 0, place = 0, count = 0;
  };
  std::vector<Part> reactions;       // fx fy fz in N on the second body at the joint
  std::vector<Part> eccentricities;  // ex ey ez in m, axes of the bearing's body
  std::vector<Part> stresses;        // Pa, one an element
  std::vector<Part> bearings;        // N, loads of the elements on the inner race
};

FrameLayout lay_out_frames(const Viewed& viewed);

/// Rows of the samples first, first + stride, … below last. Throws ResultError when they cannot be read.
std::vector<float> read_frames(const Viewed& viewed, const FrameLayout& layout, std::size_t first, std::size_t last,
                               std::size_t stride);

}  // namespace carom::inline viewing
