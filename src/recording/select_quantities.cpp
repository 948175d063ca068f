#include "recording/select_quantities.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/nearest_name.h"
#include "recording/result_types.h"

namespace carom::inline recording {

std::vector<std::string> select_quantities(const std::vector<std::string>& quantities,
                                           const std::vector<std::string>& patterns) {
  if (patterns.empty()) return quantities;
  std::vector<std::string> selected;
  std::unordered_set<std::string> taken;
  for (const std::string& pattern : patterns) {
    bool matched = false;
    for (const std::string& quantity : quantities) {
      const std::string_view group = std::string_view(quantity).substr(0, quantity.rfind('.'));
      if (!matches_pattern(quantity, pattern) && !matches_pattern(group, pattern)) continue;
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
    int distance;
    const std::string* name;
  };
  std::vector<Candidate> candidates;
  for (const std::string& name : names) {
    const bool contained = !wanted.empty() && name.find(wanted) != std::string::npos;
    const int distance = contained ? 1 : edit_distance(wanted, name);
    if (distance <= std::max(2, static_cast<int>(wanted.size()) / 3)) candidates.push_back({distance, &name});
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
  std::vector<std::string> close;
  for (const Candidate& candidate : candidates) {
    if (close.size() < limit) close.push_back(*candidate.name);
  }
  return close;
}

}  // namespace carom::inline recording
