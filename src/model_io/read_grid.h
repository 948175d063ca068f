#pragma once

#include <vector>

#include "documents/reading.h"
#include "model/model.h"

namespace carom::inline model_io {

// Most copies that one [body.grid] makes: beyond it the bodies alone take gigabytes before anything moves.
inline constexpr double most_copies = 1e6;

// The copies that [body.grid], read from `node`, makes of a body: NAME1, NAME2, …, the first at the place of the body.
// Copy q lies at (q mod nx, (q / nx) mod ny, q / (nx ny)) of the lattice, displaced along each axis in turn by
// jitter (2 u − 1), where s ← 6364136223846793005 s + 1442695040888963407 mod 2^64 and u = ⌊s / 2^11⌋ / 2^53.
// Copies along `points` are the links of a chain: see ChainPath. If the grid is unsound, which is reported, there are
// two copies, so that what refers to them finds some. The body is reported its grid. Joints between neighbours,
// "NAME1-NAME2", are added to `joints`.
std::vector<BodyModel> read_grid(Reading& reading, const Node& node, const KeyPath& key, BodyModel& body,
                                 std::vector<ElementModel>& joints);

}  // namespace carom::inline model_io
