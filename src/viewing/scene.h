#pragma once

#include <nlohmann/json.hpp>

#include "viewing/frames.h"

namespace carom::inline viewing {

/// All that the page has to know before it draws: bodies with their shapes, joints, force elements, beams, contacts,
/// the layout of frames, the range of times, what is missing and what to do about it. Lengths in m, quaternions x y z
/// w.
nlohmann::ordered_json describe_scene(const Viewed& viewed, const FrameLayout& layout);

/// The recorded groups, each with the place of its components in a list of lists of name, unit and meaning.
nlohmann::ordered_json describe_quantities(const Viewed& viewed);

}  // namespace carom::inline viewing
