#pragma once

#include <filesystem>
#include <vector>

#include "plotting/figure.h"
#include "validation/mutation_scores.h"
#include "validation/run_case.h"

namespace carom::inline validation {

// The curves of a case with the samples of its reference laid over, the energy balance and the convergence; none of
// them: no panels.
Figure case_figure(const CaseResult& result);

// Writes folder/index.md and one folder/NAME.svg a case, with the scores where there are any. Throws FigureError or
// ResultError if a file cannot be written.
void write_page(const std::vector<CaseResult>& results, const std::filesystem::path& folder,
                const MutationScores& scores = {});

}  // namespace carom::inline validation
