#include "validation/reference_table.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "validation/csv_line.h"

namespace carom::inline validation {
namespace {

bool to_number(const std::string& text, double& value) {
  return csv_number(text, value) && std::isfinite(value);
}

class CsvReader {
 public:
  CsvReader(const std::filesystem::path& file, ProblemList& problems) : file_(file.string()), problems_(problems) {}

  ReferenceTable read() {
    std::ifstream stream(file_);
    if (!stream) complain("", "cannot be opened", "a readable file");
    for (auto parts = next_csv_line(stream, line_); !parts.empty(); parts = next_csv_line(stream, line_)) {
      if (table_.names.empty()) {
        if (!read_header(parts)) return {};
      } else {
        read_sample(parts);
      }
    }
    if (stream.eof() && table_.time.empty() && problems_.errors() == 0) complain("", "no samples", "at least one");
    return std::move(table_);
  }

 private:
  bool read_header(const std::vector<std::string>& parts) {
    if (parts.front() == "time" && parts.size() > 1) {
      table_.names.assign(parts.begin() + 1, parts.end());
      table_.columns.resize(table_.names.size());
      return true;
    }
    complain("", carom::quoted(parts.front()), "a header `time,QUANTITY,…`");
    return false;
  }

  void read_sample(const std::vector<std::string>& parts) {
    if (parts.size() != table_.names.size() + 1) {
      return complain("", fmt::format("{} values", parts.size()), fmt::format("{}", table_.names.size() + 1));
    }
    std::vector<double> values(parts.size());
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (!to_number(parts[k], values[k])) {
        return complain(k == 0 ? "time" : table_.names[k - 1], carom::quoted(parts[k]), "a finite number");
      }
    }
    if (!table_.time.empty() && values[0] <= table_.time.back()) return complain("time", parts[0], "increasing times");
    table_.time.push_back(values[0]);
    for (std::size_t k = 1; k < values.size(); ++k) table_.columns[k - 1].push_back(values[k]);
  }

  void complain(const std::string& key, const std::string& found, const std::string& expected) {
    problems_.add(Problem{.file = file_, .where = {line_, 0}, .key = key, .found = found, .expected = expected});
  }

  std::string file_;
  ProblemList& problems_;
  ReferenceTable table_;
  int line_ = 0;
};

}  // namespace

const std::vector<double>* ReferenceTable::find(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? nullptr : &columns[static_cast<std::size_t>(found - names.begin())];
}

ReferenceTable read_reference(const std::filesystem::path& file, ProblemList& problems) {
  return CsvReader(file, problems).read();
}

}  // namespace carom::inline validation
