#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

// From when on a motion that is driven periodically has settled.
namespace carom::inline signals {

// How many of the first values of a series, one a turn, belong to its transient: those without which the standard error
// of its mean is least (K. P. White, Jr., Simulation 69 (1997) 323–334, the marginal standard error rule). Deviations
// up to `resolution` are not told apart. None: more than half of the values, which the rule takes as a sign that the
// transient has not ended.
std::optional<std::size_t> transient_length(std::span<const double> series, double resolution);

// The same for whole turns of a sampled quantity from `start` on: of its means and of its deviations, by turns of
// `period`, whichever settles later. Differences below a ten-thousandth of the range do not count.
std::optional<std::size_t> turns_to_settle(const std::vector<double>& times, const std::vector<double>& values,
                                           double start, double period);

}  // namespace carom::inline signals
