#pragma once

#include <string>
#include <vector>

#include "plotting/figure.h"
#include "recording/table_file.h"

namespace carom {

// Quantities of a study over a varied parameter, by default the first: a curve for every combination of the others,
// points where samples were drawn; a quantity that is a list as a cloud of points, the bifurcation diagram. With `map`,
// the values over two varied parameters as shades. Throws InputError where the study does not have what is asked for.
std::vector<Panel> draw_study(const Table& table, const std::vector<std::string>& patterns, const std::string& x,
                              bool map);

}  // namespace carom
