#pragma once

#include "model/attachment.h"

namespace carom::inline model {

// Where both rings of a bearing in space are attached, first that with the outer race: z is the axis, and x that of the
// world as far as it stands across the axis, y where the axis lies along it. The axes of markers stay as they are.
AttachmentPair attach_rings(const Model& model, const Settings& settings);

}  // namespace carom::inline model
