#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace carom::inline base {

// Number of insertions, deletions, substitutions and swaps of neighbours that turn one text into the other (optimal
// string alignment form of the Damerau–Levenshtein distance), upper and lower case of ASCII letters being equal.
int edit_distance(std::string_view a, std::string_view b);

// The valid name nearest to a misspelt one; the first of equals. None if all are too far: more than a third of the
// longer name's letters (at least one, at most three) would have to change.
std::optional<std::string> nearest_name(std::string_view wrong, const std::vector<std::string>& valid);

// "did you mean `x`?", or "" if no valid name is near.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& valid);

// Whether the whole name fits the pattern: * stands for any run of characters, also none, and ? for exactly one byte.
bool matches_pattern(std::string_view name, std::string_view pattern);

}  // namespace carom::inline base
