#include "recording/select_quantities.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "recording/result_types.h"

namespace carom {

namespace {

/// Number of characters to insert, delete or replace to turn one text into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({replaced, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0;
  std::size_t star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::vector<std::string> select_quantities(const std::vector<std::string>& quantities,
                                           const std::vector<std::string>& patterns) {
  if (patterns.empty()) return quantities;
  std::vector<std::string> selected;
  std::unordered_set<std::string> taken;
  for (const std::string& pattern : patterns) {
    bool matched = false;
    for (const std::string& quantity : quantities) {
      const std::string_view group = std::string_view(quantity).substr(0, quantity.rfind('.'));
      if (!matches_pattern(pattern, quantity) && !matches_pattern(pattern, group)) continue;
      matched = true;
      if (taken.insert(quantity).second) selected.push_back(quantity);
    }
    if (matched) continue;
    std::string message = "no recorded quantity matches '" + pattern + "'";
    const std::vector<std::string> close = close_names(pattern, quantities);
    for (std::size_t i = 0; i < close.size(); ++i) message += (i == 0 ? "; did you mean " : ", ") + close[i];
    throw ResultError(message + (close.empty() ? "; carom info lists what the file holds" : "?"));
  }
  return selected;
}

std::vector<std::string> close_names(std::string_view wanted, const std::vector<std::string>& names,
                                     std::size_t limit) {
  struct Candidate {
    std::size_t distance;
    const std::string* name;
  };
  std::vector<Candidate> candidates;
  for (const std::string& name : names) {
    const bool contained = !wanted.empty() && name.find(wanted) != std::string::npos;
    const std::size_t distance = contained ? 1 : edit_distance(wanted, name);
    if (distance <= std::max<std::size_t>(2, wanted.size() / 3)) candidates.push_back({distance, &name});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  std::vector<std::string> close;
  for (const Candidate& candidate : candidates) {
    if (close.size() < limit) close.push_back(*candidate.name);
  }
  return close;
}

}  // namespace carom
