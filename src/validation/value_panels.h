#pragma once

#include <set>
#include <string>
#include <vector>

#include "plotting/figure.h"
#include "validation/run_case.h"

// Single values of a reference in the figures of a case: last and extreme values, frequencies, episodes of contact.
namespace carom::inline validation {

/// A quantity of a variant that a panel shows, as "variant/quantity".
std::string shown_name(const std::string& variant, const std::string& quantity);

/// The last and the extreme values that the case expects of a quantity, where they should lie on its curve.
Series expected_points(const CaseResult& result, const std::string& variant, const std::string& quantity);

/// What the quantity must not exceed, or must reach: a line over the given times; none: no such check, or a limit that
/// is far outside the curve.
std::vector<Series> limit_lines(const CaseResult& result, const std::string& variant, const std::string& quantity,
                                const Series& curve);

/// Values and frequencies of checks whose quantities no panel shows: a stroke is what was computed, a point what was
/// expected. Values of one unit share a panel.
std::vector<Panel> value_panels(const CaseResult& result, const std::set<std::string>& shown);

/// Episodes of contact that the case compares with a table, one panel a column of it.
std::vector<Panel> episode_panels(const CaseResult& result);

}  // namespace carom::inline validation
