#pragma once

#include <string>

#include "model/model.h"

namespace carom::inline viewing {

/// The coefficient of sliding friction of a contact or loose joint, by the name of its recorded group ("contact:ball",
/// "joint:pin"), as its law has it: given, or combined from the materials of the first shapes that the pair names. 0:
/// none.
double friction_of(const Model& model, const std::string& group);

}  // namespace carom::inline viewing
