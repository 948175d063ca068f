#pragma once

#include <string>
#include <string_view>

namespace carom::inline documents {

// The unit of a quantity such as "5 mm" with every name in it replaced by its SI form; "" for a plain number. Throws
// ComputationError if the database of units cannot be read.
std::string si_unit_of(std::string_view text);

}  // namespace carom::inline documents
