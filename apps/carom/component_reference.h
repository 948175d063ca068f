#pragma once

#include <string>
#include <vector>

#include "recording/result_types.h"

namespace carom {

// Components of a group as a table of Markdown: name, unit and meaning.
std::string component_table(const std::vector<Component>& components);

// Every component that a result may hold, with unit, axes, sign and meaning, and every value of events: sections in
// Markdown, made of what systems with one of each kind record.
std::string component_reference();

}  // namespace carom
