#include "model/drive.h"

#include "model/fields.h"

namespace carom::inline model {
namespace {

Catalogue<DriveDescription>& catalogue() {
  static Catalogue<DriveDescription> all({});
  return all;
}

std::string value_text(const Value& value) {
  if (const auto* function = std::get_if<Function>(&value)) return function->description();
  if (const auto* numbers = std::get_if<std::vector<double>>(&value)) {
    std::string text;
    for (const double each : *numbers) text += (text.empty() ? "" : ", ") + default_text(each);
    return "[" + text + "]";
  }
  return default_text(value);
}

}  // namespace

std::string NamedDrive::description() const {
  std::string keys;
  for (const std::string& key : settings_.keys())
    keys += (keys.empty() ? "" : ", ") + key + " = " + value_text(*settings_.find(key));
  return "drive `" + name_ + "`" + (keys.empty() ? "" : " (" + keys + ")");
}

const Catalogue<DriveDescription>& drive_catalogue() {
  return catalogue();
}

const DriveDescription* find_drive(const std::string& name) {
  return catalogue().find(name);
}

bool add_drive(DriveDescription description) {
  return catalogue().add(std::move(description));
}

}  // namespace carom::inline model
