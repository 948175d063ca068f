#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <system_error>

#include "base/nearest_name.h"
#include "base/protected_files.h"
#include "documents/document.h"
#include "documents/kept_files.h"

namespace carom::inline documents {
namespace {

constexpr int deepest_nesting = 64;

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

SourceLocation location_of(std::string_view text, std::size_t offset) {
  SourceLocation where = {1, 1};
  for (std::size_t k = 0; k < offset; ++k) {
    if (text[k] == '\n') {
      where = {where.line + 1, 1};
    } else if (!is_continuation(text[k])) {
      ++where.column;
    }
  }
  return where;
}

// Length of the UTF-8 sequence at the start of the text; 0 if it is none (overlong forms and surrogates included).
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned>(static_cast<unsigned char>(text[k])); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if (!is_continuation(text[k])) return 0;
  }
  const unsigned second = byte(1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool outside = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return overlong || outside ? 0 : length;
}

bool check_bytes(std::string_view text, Problem& problem) {
  for (std::size_t k = 0; k < text.size();) {
    const std::size_t length = sequence_length(text.substr(k));
    if (length > 0 && text[k] != '\0') {
      k += length;
      continue;
    }
    problem.where = location_of(text, k);
    if (text[k] == '\0') {
      problem.found = "a NUL byte at offset " + std::to_string(k);
    } else {
      std::array<char, 8> digits{};
      std::snprintf(digits.data(), digits.size(), "0x%02x", static_cast<unsigned>(static_cast<unsigned char>(text[k])));
      problem.found = "the byte " + std::string(digits.data()) + " at offset " + std::to_string(k);
    }
    problem.expected = "text in UTF-8";
    problem.remedy = "save the file as UTF-8 text";
    return false;
  }
  return true;
}

// Follows brackets and dotted keys, which are what TOML nests by, past strings and comments.
class NestingScan {
 public:
  explicit NestingScan(std::string_view text) : text_(text) {}

  // Offset at which the nesting becomes too deep; npos if nowhere.
  std::size_t run() {
    int brackets = 0, dots = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        skip_to_line_end();
        continue;
      }
      if (c == '"' || c == '\'') {
        skip_string(c);
        continue;
      }
      if (c == '[' || c == '{') ++brackets;
      if (c == ']' || c == '}') brackets = std::max(0, brackets - 1);
      if (c == '.') {
        ++dots;
      } else if (c == '=' || c == ',' || c == '\n' || c == '[' || c == '{') {
        dots = 0;
      }
      if (brackets > deepest_nesting || dots > deepest_nesting) return at_;
      ++at_;
    }
    return std::string_view::npos;
  }

 private:
  void skip_to_line_end() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  void skip_string(char quote) {
    const bool block = text_.substr(at_, 3) == std::string(3, quote);
    at_ += block ? 3 : 1;
    while (at_ < text_.size()) {
      if (!block && text_[at_] == '\n') return;  // not closed: the parser will say so
      if (quote == '"' && text_[at_] == '\\') {
        at_ += 2;
      } else if (block ? text_.substr(at_, 3) == std::string(3, quote) : text_[at_] == quote) {
        at_ += block ? 3 : 1;
        while (block && at_ < text_.size() && text_[at_] == quote) ++at_;  // up to two more belong to the string
        return;
      } else {
        ++at_;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// What a file that is not there may have been meant to be: one beside it whose name is nearly the same.
std::string like_named(const std::filesystem::path& file) {
  constexpr std::size_t most = 10'000;
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code error;
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end && names.size() < most;
       entry.increment(error))
    names.push_back(entry->path().filename().string());
  std::sort(names.begin(), names.end());
  return did_you_mean(file.filename().string(), names);
}

}  // namespace

bool check_text(std::string_view text, Problem& problem) {
  if (!check_bytes(text, problem)) return false;
  const std::size_t too_deep = NestingScan(text).run();
  if (too_deep == std::string_view::npos) return true;
  problem.where = location_of(text, too_deep);
  problem.found = "tables or lists nested more than " + std::to_string(deepest_nesting) + " deep";
  problem.expected = "at most " + std::to_string(deepest_nesting) + " levels";
  return false;
}

bool is_text(std::string_view bytes) {
  Problem ignored;
  return check_bytes(bytes, ignored);
}

bool load_text(const std::filesystem::path& file, std::string& text, Problem& problem, std::uintmax_t largest) {
  if (const std::string* kept = kept_text(file)) {
    text = *kept;
    return true;
  }
  note_read_file(file);
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  const auto fail = [&](const std::string& found, const std::string& expected) {
    problem.found = found;
    problem.expected = expected;
    return false;
  };
  if (!std::filesystem::exists(status)) {
    problem.remedy = like_named(file);
    return fail("no such file", "a file that can be read");
  }
  if (std::filesystem::is_directory(status)) return fail("a directory", "a file");
  // A device or pipe might never end.
  if (!std::filesystem::is_regular_file(status)) return fail("a device or pipe", "a regular file");
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) return fail("a file whose size cannot be read: " + error.message(), "a file that can be read");
  if (size > largest) {
    return fail("a file of " + std::to_string(size) + " bytes",
                "at most " + std::to_string(largest) + " bytes (" + std::to_string(largest >> 20) + " MiB)");
  }
  std::ifstream stream(file, std::ios::binary);
  text.resize(size);
  if (!stream || !stream.read(text.data(), static_cast<std::streamsize>(size))) {
    return fail("a file that cannot be read", "a file with read permission");
  }
  if (size <= largest_file) note_text(file, text);
  return true;
}

}  // namespace carom::inline documents
