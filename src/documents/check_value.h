#pragma once

#include <optional>
#include <string>

#include "model/description.h"
#include "model/settings.h"

namespace carom::inline documents {

// What is wrong with one value, apart from its place.
struct Complaint {
  std::string found, expected, remedy;
};

// What a key may hold, for messages: "a quantity in kg, > 0", "a list of 2 quantities in m".
std::string expected_text(const ParameterDescription& row, bool planar);

// Whether a value is of the kind of its row, of the right length, finite and within the bounds.
std::optional<Complaint> check_value(const ParameterDescription& row, const Value& value, bool planar);

// Whether so many entries do for a list of this kind.
bool right_count(const ParameterDescription& row, std::size_t count, bool planar);

// What to do if a list is too long or too short only because the model is planar, or is not; else empty.
std::string count_remedy(const ParameterDescription& row, std::size_t count, bool planar);

// For names that are in no catalogue and like none that is.
inline constexpr const char* plugin_remedy = "parts made by users are loaded with --plugin FILE";

// The complaint about a key that no row describes.
Complaint unknown_key(const std::string& key, const std::vector<std::string>& valid);

// "`a`, `b` or `c`"; long lists are cut.
std::string alternatives(const std::vector<std::string>& names);

// A number as it would be written in a file, shortest form that reads back to the same value.
std::string number_text(double value);

}  // namespace carom::inline documents
