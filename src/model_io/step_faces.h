#pragma once

#include "documents/reading.h"
#include "model/model.h"

namespace carom::inline model_io {

// A shape that is one face of a STEP part (`face = "hole 1"`) becomes the bore, cylinder, cavity or sphere that this
// face is, with its true sizes and in its place. Returns whether it was one; what is wrong with it is reported.
bool resolve_step_face(Reading& reading, const KeyPath& key, Geometry& geometry);

}  // namespace carom::inline model_io
