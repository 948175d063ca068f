#include "model/description.h"

#include <algorithm>

namespace carom::inline model {

const ParameterDescription* find_row(const std::vector<ParameterDescription>& rows, const std::string& name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

std::vector<std::string> row_names(const std::vector<ParameterDescription>& rows) {
  std::vector<std::string> names;
  for (const ParameterDescription& row : rows) names.push_back(row.name);
  return names;
}

}  // namespace carom::inline model
