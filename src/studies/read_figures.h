#pragma once

#include "documents/reading.h"
#include "studies/study.h"

namespace carom::inline studies {

// One table [[figure]].
StudyFigure read_figure(Reading& reading, const Node& table, const KeyPath& key);

// Whether the study has what its figures show; the tables are theirs. The study was found sound.
void check_figures(Reading& reading, const Study& study, const std::vector<const Node*>& tables);

// Those of the text that the table of a study holds; it was found sound when the study ran.
std::vector<StudyFigure> recorded_figures(const Table& table);

}  // namespace carom::inline studies
