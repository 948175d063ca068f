#pragma once

#include <optional>
#include <string>

// Functions of parts made by users are called deep inside a step, where nothing may be thrown. What they do wrong is
// kept here, for the thread they were called in, while their numbers become NaN; where the step then fails, the fault
// is its reason.
namespace carom::inline base {

// The first fault is kept until it is taken or dropped.
void note_part_fault(const std::string& text);
std::optional<std::string> take_part_fault();
void drop_part_fault();

// The reason with that of a part before it, if there is one.
std::string with_part_fault(const std::string& reason);

}  // namespace carom::inline base
