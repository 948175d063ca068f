#include "recording/select_samples.h"

#include <algorithm>

#include <fmt/format.h>

#include "recording/result_types.h"

namespace carom::inline recording {

SampleRange select_samples(const std::vector<double>& times, const SampleChoice& choice) {
  const auto first = std::lower_bound(times.begin(), times.end(), choice.from);
  const auto last = std::upper_bound(first, times.end(), choice.to);
  if (first == last && !times.empty())
    throw ResultError(fmt::format("no sample lies between --from and --to; the samples go from {:g} to {:g} s",
                                  times.front(), times.back()));
  return {static_cast<std::size_t>(first - times.begin()), static_cast<std::size_t>(last - times.begin()),
          std::max<std::size_t>(choice.every, 1)};
}

}  // namespace carom::inline recording
