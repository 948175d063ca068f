#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "viewing/viewed.h"

// The parameters of a model as fields of the page.
namespace carom::inline viewing {

/// Values by the names of the parameters they replace, as after --set.
using Assignments = std::map<std::string, std::string>;

/// A model that the page can run, with the values that the command line gives.
struct RunnableModel {
  std::filesystem::path file;
  Assignments set;
};

/// Of a model file as it is now: name, value as the file says it (`base`, or what the command line sets), as `chosen`
/// replaces it (`text`), in SI units, unit, and the remark behind it. Throws InputError if the file cannot be read.
nlohmann::ordered_json describe_parameters(const RunnableModel& model, const Assignments& chosen);

/// Of a run that is over: the values that it had.
nlohmann::ordered_json describe_parameters(const Viewed& viewed);

/// What is wrong with values for parameters: sentences by the name of the parameter; what belongs to none of them under
/// "". Empty: the model can be read with them.
std::map<std::string, std::string> complaints_about(const RunnableModel& model, const Assignments& chosen);

/// Those of the page over those of the command line.
Assignments merged(const Assignments& base, const Assignments& chosen);

}  // namespace carom::inline viewing
