#pragma once

#include <string>
#include <vector>

#include "base/problem.h"

namespace carom::inline validation {

// A key of a model and the value it gets, as TOML writes it: {"contact.floor.law", "\"flores\""}. Entries of a list of
// tables are named: "body.ball.velocity".
struct Change {
  std::string path, value;
};

// The text of a model file with some values replaced, and keys added where their table has none. Lines stay where they
// are as long as no key is added. A key that is replaced stands on a line of its own.
std::string vary_model(const std::string& text, const std::string& file, const std::vector<Change>& changes,
                       ProblemList& problems);

}  // namespace carom::inline validation
