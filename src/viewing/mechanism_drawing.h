#pragma once

#include <vector>

#include "plotting/figure.h"
#include "recording/select_samples.h"
#include "viewing/viewed.h"

// The bodies of a result in some positions of the run: their shapes, where they have any, else links between their
// joints. Planar models are seen along z, spatial ones obliquely from above, gravity pointing down. All need recorded
// positions and throw ResultError when there are none.
namespace carom::inline viewing {

/// What a drawing may hold: a picture of ten thousand balls in seven positions helps nobody.
inline constexpr std::size_t most_drawn_parts = 3000;

/// How the picture lies in space.
struct Outlook {
  Eigen::Vector3d right = Eigen::Vector3d::UnitX(), up = Eigen::Vector3d::UnitY();

  Eigen::Vector3d towards_eye() const { return right.cross(up); }
};
Outlook outlook_on(const Model& model);

/// Several positions of a part of the run over each other; the first stands out, the later ones fade in.
Panel draw_mechanism(const Viewed& viewed, const SampleChoice& part = {});

/// At most `count` positions side by side, from the first sample to the last, all in one scale.
std::vector<Panel> draw_positions(const Viewed& viewed, std::size_t count);

}  // namespace carom::inline viewing
