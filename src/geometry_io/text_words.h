#pragma once

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

// Words and numbers of a text, line by line, for readers of geometry files.
namespace carom::inline geometry_io {

class TextWords {
 public:
  explicit TextWords(std::string_view text) : text_(text) {}

  // Goes to the next line that has a word; false at the end of the text.
  bool next_line() {
    while (at_ < text_.size()) {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      line_ = text_.substr(at_, end - at_);
      at_ = std::min(end + 1, text_.size());
      ++number_;
      skip_blanks();
      if (!line_.empty()) return true;
    }
    line_ = {};
    return false;
  }
  // The next word of this line; empty at its end.
  std::string_view word() {
    skip_blanks();
    std::size_t end = 0;
    while (end < line_.size() && !is_blank(line_[end])) ++end;
    const std::string_view found = line_.substr(0, end);
    line_.remove_prefix(end);
    return found;
  }
  // The next word of this or a later line.
  std::string_view word_anywhere() {
    for (;;) {
      if (const std::string_view found = word(); !found.empty()) return found;
      if (!next_line()) return {};
    }
  }
  double number(std::string_view word) const {
    if (!word.empty() && word.front() == '+') word.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || error == std::errc::invalid_argument || end != word.data() + word.size())
      fail(word.empty() ? "a number is missing" : fmt::format("found `{}`, expected a number", shown(word)));
    if (error == std::errc::result_out_of_range || !std::isfinite(value))
      fail(fmt::format("`{}` is not a finite number", shown(word)));
    return value;
  }
  long integer(std::string_view word) const {
    long value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size())
      fail(fmt::format("found `{}`, expected a whole number", shown(word)));
    return value;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw std::invalid_argument(fmt::format("line {}: {}", number_, what));
  }
  // A piece of a foreign text that may be anything.
  static std::string shown(std::string_view word) {
    std::string result;
    for (const char c : word.substr(0, 24)) result += c >= ' ' && c < 127 ? c : '?';
    return word.size() > 24 ? result + "…" : result;
  }
  int line_number() const { return number_; }
  std::size_t position() const { return at_; }  // of the line after this one
  std::string_view rest() const { return line_; }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
  void skip_blanks() {
    while (!line_.empty() && is_blank(line_.front())) line_.remove_prefix(1);
  }

  std::string_view text_, line_;
  std::size_t at_ = 0;
  int number_ = 0;
};

}  // namespace carom::inline geometry_io
