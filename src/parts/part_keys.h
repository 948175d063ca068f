#pragma once

#include <vector>

#include "carom/parts.h"
#include "model/description.h"
#include "model/settings.h"

namespace carom::inline parts {

// Rows of the tables that reader, validator, schema and reference page walk through.
std::vector<ParameterDescription> rows_of(const std::vector<v1::Key>& keys);

// What the model gives, with the defaults of what it does not give.
v1::KeyValues values_of(const std::vector<v1::Key>& keys, const Settings& settings);

}  // namespace carom::inline parts
