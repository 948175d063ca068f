#pragma once

#include <functional>
#include <memory>
#include <string>

#include "model/catalogue.h"
#include "model/description.h"
#include "model/settings.h"

namespace carom::inline model {

// Drives: functions of the time with a name and keys, position = { drive = "NAME", … }. None is built in; expressions
// and tables say most of what there is to say.
struct DriveDescription : TypeDescription {
  std::string unit = "*";  // SI, of its value; "*": that of the key which it is given for
  std::function<std::shared_ptr<const GivenFunction>(const Settings&)> make = nullptr;
};

// A drive with its keys, as the file gives them.
class NamedDrive : public GivenFunction {
 public:
  NamedDrive(std::string name, Settings settings) : name_(std::move(name)), settings_(std::move(settings)) {}
  const std::string& name() const { return name_; }
  const Settings& settings() const { return settings_; }
  std::string description() const override;  // "drive `dwell` (rise = 0.01)"

 private:
  std::string name_;
  Settings settings_;
};

// The catalogue, sorted by name.
const Catalogue<DriveDescription>& drive_catalogue();
const DriveDescription* find_drive(const std::string& name);
bool add_drive(DriveDescription description);  // false: the name is taken

}  // namespace carom::inline model
