#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/problem.h"

// Episodes of a contact, from touch to release: those of a run and those of a reference.
namespace carom::inline validation {

struct Episode {
  double begin = 0, end = 0;  // s
  bool over = true;           // false: the run ended before the episode
  double impact_speed = 0, separation_speed = 0;
  double begin_penetration = 0, largest_penetration = 0;
  double peak_force = 0, dissipated = 0;
};

// Columns that a table of episodes may have besides `variant` and `number`.
const std::vector<std::string>& episode_columns();

std::string episode_unit(const std::string& column);

// One of these. An episode that is not over ends at infinity.
double episode_value(const Episode& episode, const std::string& column);

// What a reference says about some episodes.
struct EpisodeTable {
  struct Row {
    std::string variant;         // empty: the table has no such column
    int number = 1;              // of the episode, the first is 1
    std::vector<double> values;  // one a column; NaN: says nothing, infinite: never
  };
  std::vector<std::string> columns;
  bool has_variants = false;
  std::vector<Row> rows;

  std::size_t find(const std::string& column) const;  // columns.size(): no such column
  std::vector<const Row*> rows_of(const std::string& variant) const;
};

// Reads a CSV file: comments start with #, then a header, then a row a line. Every problem is added with its line.
EpisodeTable read_episodes(const std::filesystem::path& file, ProblemList& problems);

}  // namespace carom::inline validation
