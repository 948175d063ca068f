#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace carom::inline recording {

/// The quantities (of the form group.component) meant by the patterns, each once, in the order of the patterns and,
/// within one, of `quantities`. A pattern may match whole names ("body:*.x") or groups ("body:*", "energy"). No pattern
/// at all means every quantity. A pattern that matches nothing throws ResultError with close names.
std::vector<std::string> select_quantities(const std::vector<std::string>& quantities,
                                           const std::vector<std::string>& patterns);

/// At most `limit` of `names` that `wanted` may have been meant for, nearest first.
std::vector<std::string> close_names(std::string_view wanted, const std::vector<std::string>& names,
                                     std::size_t limit = 4);

}  // namespace carom::inline recording
