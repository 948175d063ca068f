#pragma once

#include <string>
#include <vector>

#include "base/problem.h"
#include "validation/case.h"

namespace carom::inline validation {

// The folders in `folder` that hold a case.toml, by name.
std::vector<std::string> list_cases(const std::filesystem::path& folder);

// Reads one case. Bad input never throws: every problem is added with file, line and key.
Case read_case(const std::filesystem::path& folder, ProblemList& problems);

// The text of a case.toml; the reference is left empty.
Case read_case_text(std::string_view text, const std::string& file_name, ProblemList& problems);

}  // namespace carom::inline validation
