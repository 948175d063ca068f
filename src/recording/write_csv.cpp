#include "recording/write_csv.h"

#include <algorithm>
#include <fstream>
#include <vector>

namespace carom::inline recording {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c != '"') {
      fields.back() += c;
    }
  }
  return fields;
}

// "time [s],body:rod.x [m],energy.total [J]"
bool are_titles_of_samples(const std::string& line) {
  const std::vector<std::string> fields = fields_of(line);
  return fields.size() > 1 && fields.front() == "time [s]" &&
         std::all_of(fields.begin() + 1, fields.end(), [](const std::string& title) {
           const std::size_t point = title.find('.');
           return point != std::string::npos && (title.starts_with("energy.") || title.find(':') < point);
         });
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace

Recognise has_titles(std::string_view titles) {
  return [wanted = first_line(titles)](const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::string line;
    std::getline(stream, line);
    return line == wanted || are_titles_of_samples(line);
  };
}

void write_csv(const std::filesystem::path& path, std::string_view text, bool sync) {
  write_file(path, text, {.written_by_carom = has_titles(text), .sync = sync});
}

}  // namespace carom::inline recording
