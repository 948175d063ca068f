#include "validation/reference_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

namespace carom {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t comma = line.find(','); comma != std::string::npos; comma = line.find(',', begin)) {
    parts.push_back(line.substr(begin, comma - begin));
    begin = comma + 1;
  }
  parts.push_back(line.substr(begin));
  return parts;
}

bool to_number(const std::string& text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

class CsvReader {
 public:
  CsvReader(const std::filesystem::path& file, ProblemList& problems) : file_(file.string()), problems_(problems) {}

  ReferenceTable read() {
    std::ifstream stream(file_);
    if (!stream) complain("", "cannot be opened", "a readable file");
    std::string line;
    while (std::getline(stream, line)) {
      ++line_;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (line.empty() || line.front() == '#') continue;
      const std::vector<std::string> parts = split(line);
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

}  // namespace carom
