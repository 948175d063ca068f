#pragma once

#include <filesystem>

#include "base/problem.h"
#include "studies/study.h"

namespace carom::inline studies {

// Reads a study file and the models it names. Bad input never throws: every problem is added to the list, with its
// place, as for models. The study is only meaningful if no errors were added.
Study read_study(const std::filesystem::path& file, ProblemList& problems);

// More runs than this are refused.
inline constexpr std::size_t most_runs = 10'000'000;

}  // namespace carom::inline studies
