#include "validation/episode.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "validation/csv_line.h"

namespace carom::inline validation {
namespace {

class EpisodeReader {
 public:
  EpisodeReader(const std::filesystem::path& file, ProblemList& problems) : file_(file.string()), problems_(problems) {}

  EpisodeTable read() {
    std::ifstream stream(file_);
    if (!stream) complain("", "cannot be opened", "a readable file");
    header_ = next_csv_line(stream, line_);
    if (!read_header()) return {};
    for (auto parts = next_csv_line(stream, line_); !parts.empty(); parts = next_csv_line(stream, line_))
      read_row(parts);
    if (table_.rows.empty() && problems_.errors() == 0) complain("", "no rows", "at least one");
    return std::move(table_);
  }

 private:
  bool read_header() {
    std::vector<std::string> valid = episode_columns();
    valid.insert(valid.end(), {"variant", "number"});
    for (const std::string& name : header_) {
      if (std::find(valid.begin(), valid.end(), name) == valid.end()) {
        complain("", carom::quoted(name), "columns of a table of episodes", did_you_mean(name, valid));
        return false;
      }
      table_.has_variants = table_.has_variants || name == "variant";
      if (name != "variant" && name != "number") table_.columns.push_back(name);
    }
    return true;
  }

  void read_row(const std::vector<std::string>& parts) {
    if (parts.size() != header_.size())
      return complain("", fmt::format("{} values", parts.size()), fmt::format("{}", header_.size()));
    EpisodeTable::Row row;
    int number = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      double value = 0;
      if (header_[k] == "variant") {
        row.variant = parts[k];
        continue;
      }
      if (!csv_number(parts[k], value)) return complain(header_[k], carom::quoted(parts[k]), "a number, nan or inf");
      if (header_[k] != "number") {
        row.values.push_back(value);
      } else if (value >= 1 && value == std::floor(value) && value < std::numeric_limits<int>::max()) {
        number = static_cast<int>(value);
      } else {
        return complain("number", parts[k], "1, 2, …");
      }
    }
    int& last = last_[row.variant];
    row.number = last = number > 0 ? number : last + 1;
    table_.rows.push_back(std::move(row));
  }

  void complain(const std::string& key, const std::string& found, const std::string& expected,
                const std::string& remedy = {}) {
    problems_.add(Problem{
        .file = file_, .where = {line_, 0}, .key = key, .found = found, .expected = expected, .remedy = remedy});
  }

  std::string file_;
  ProblemList& problems_;
  EpisodeTable table_;
  std::vector<std::string> header_;
  std::map<std::string, int> last_;  // number of the last row, by variant
  int line_ = 0;
};

}  // namespace

const std::vector<std::string>& episode_columns() {
  static const std::vector<std::string> names = {"begin",
                                                 "end",
                                                 "duration",
                                                 "impact_speed",
                                                 "separation_speed",
                                                 "restitution",
                                                 "begin_penetration",
                                                 "largest_penetration",
                                                 "peak_force",
                                                 "dissipated"};
  return names;
}

std::string episode_unit(const std::string& column) {
  if (column == "peak_force") return "N";
  if (column == "dissipated") return "J";
  if (column.ends_with("_speed")) return "m/s";
  if (column.ends_with("_penetration")) return "m";
  return column == "restitution" ? "" : "s";
}

double episode_value(const Episode& episode, const std::string& column) {
  const double never = std::numeric_limits<double>::infinity();
  if (column == "begin") return episode.begin;
  if (column == "end") return episode.over ? episode.end : never;
  if (column == "duration") return episode.over ? episode.end - episode.begin : never;
  if (column == "impact_speed") return episode.impact_speed;
  if (column == "separation_speed") return episode.separation_speed;
  if (column == "restitution") return episode.separation_speed / episode.impact_speed;
  if (column == "begin_penetration") return episode.begin_penetration;
  if (column == "largest_penetration") return episode.largest_penetration;
  if (column == "peak_force") return episode.peak_force;
  if (column == "dissipated") return episode.dissipated;
  return std::numeric_limits<double>::quiet_NaN();
}

std::size_t EpisodeTable::find(const std::string& column) const {
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin());
}

std::vector<const EpisodeTable::Row*> EpisodeTable::rows_of(const std::string& variant) const {
  std::vector<const Row*> result;
  for (const Row& row : rows) {
    if (!has_variants || row.variant == variant) result.push_back(&row);
  }
  return result;
}

EpisodeTable read_episodes(const std::filesystem::path& file, ProblemList& problems) {
  return EpisodeReader(file, problems).read();
}

}  // namespace carom::inline validation
