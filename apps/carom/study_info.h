#pragma once

#include <string>

#include "recording/table_file.h"

namespace carom {

// What the table of a study holds: runs, what was varied, what was asked, with the ranges of both.
std::string study_info_text(const Table& table, const std::string& file);
std::string study_info_json(const Table& table, const std::string& file);

}  // namespace carom
