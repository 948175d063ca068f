#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "plotting/figure.h"
#include "recording/result_reader.h"

// Loads of the elements of a rolling bearing where they are.
namespace carom::inline viewing {

/// A panel for each bearing in space with quasi-static detail, named as "bearing:front", or for all of them: around the
/// circle the load of every ball or roller on the inner race at the sample nearest to a time, s. Throws InputError for
/// what is none, ResultError where its loads have not been recorded.
std::vector<Panel> polar_panels(const ResultReader& result, const Model& model, const std::vector<std::string>& names,
                                double time);

}  // namespace carom::inline viewing
