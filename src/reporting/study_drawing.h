#pragma once

#include <filesystem>

#include "plotting/figure.h"
#include "studies/study_figure.h"

namespace carom::inline reporting {

// The figure of a study; each kind shows:
//
// - curves: over a column, by default the first varied parameter, a curve for every combination of the others, points
//   where samples were drawn; a quantity that is a list as a cloud of points, the bifurcation diagram
// - cloud: list over list, a colour a run
// - map: colours over two varied parameters
// - gallery: a panel a run, list over list
//
// Throws InputError where the study does not have what is asked for.
Figure draw_study(const Table& table, const StudyFigure& figure);

// Into FOLDER/NAME.FORMAT; the path.
std::filesystem::path write_study_figure(const Table& table, const StudyFigure& figure,
                                         const std::filesystem::path& folder);

}  // namespace carom::inline reporting
