#include "base/nearest_name.h"

#include <algorithm>
#include <limits>

#include "base/problem.h"

namespace carom::inline base {

namespace {

char lower(char letter) {
  return 'A' <= letter && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// A suggestion further away than this would puzzle more than help.
int cut_off(std::string_view a, std::string_view b) {
  return std::clamp(static_cast<int>(std::max(a.size(), b.size()) / 3), 1, 3);
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<int> before_last(columns), last(columns), current(columns);
  for (std::size_t j = 0; j < columns; ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = static_cast<int>(i);
    for (std::size_t j = 1; j < columns; ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last.back();
}

std::optional<std::string> nearest_name(std::string_view wrong, const std::vector<std::string>& valid) {
  std::optional<std::string> nearest;
  int nearest_distance = std::numeric_limits<int>::max();
  for (const std::string& name : valid) {
    const int limit = cut_off(wrong, name);
    const auto difference = wrong.size() > name.size() ? wrong.size() - name.size() : name.size() - wrong.size();
    if (difference > static_cast<std::size_t>(limit)) continue;  // spares the table for absurdly long names
    const int distance = edit_distance(wrong, name);
    // A name of which no letter is left is no suggestion: "x" for "y".
    const bool near = distance <= limit && distance < static_cast<int>(std::max(wrong.size(), name.size()));
    if (!near || distance >= nearest_distance) continue;
    nearest = name;
    nearest_distance = distance;
  }
  return nearest;
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& valid) {
  const std::optional<std::string> name = nearest_name(wrong, valid);
  return name ? "did you mean " + quoted(*name) + "?" : "";
}

bool matches_pattern(std::string_view name, std::string_view pattern) {
  std::size_t n = 0, p = 0;
  // After a mismatch the last star takes one character more: no recursion, at most name × pattern comparisons.
  std::size_t star = std::string_view::npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace carom::inline base
