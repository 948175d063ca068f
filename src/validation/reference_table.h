#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/problem.h"

namespace carom::inline validation {

// Samples of some quantities over time.
struct ReferenceTable {
  std::vector<double> time;                  // s
  std::vector<std::string> names;            // of the columns, without the time
  std::vector<std::vector<double>> columns;  // columns[k][i]: names[k] at time[i]

  const std::vector<double>* find(const std::string& name) const;  // null: no such column
};

// Reads a CSV file: lines that start with # are comments, then `time,NAME,…`, then a sample a line. Every problem is
// added to the list with its line.
ReferenceTable read_reference(const std::filesystem::path& file, ProblemList& problems);

}  // namespace carom::inline validation
