#include <cmath>
#include <limits>

#include "parts/describe_part.h"
#include "parts/guarded_call.h"
#include "parts/part_keys.h"

namespace carom::inline parts {
namespace {

class UserDrive final : public NamedDrive {
 public:
  UserDrive(const std::string& name, Settings settings, std::string title, std::unique_ptr<v1::Drive> drive)
      : NamedDrive(name, std::move(settings)), title_(std::move(title)), drive_(std::move(drive)) {}

  Jet derivatives(double t) const override {
    const v1::DriveValue result = guarded(
        title_, [&] { return drive_->evaluate(t); }, v1::DriveValue{unknown, unknown, unknown});
    if (!std::isfinite(result.value + result.rate + result.acceleration)) note_not_finite(title_);
    return {result.value, result.rate, result.acceleration};
  }
  std::vector<double> breakpoints() const override {
    return guarded(
        title_, [&] { return drive_->breakpoints(); }, std::vector<double>());
  }

 private:
  std::string title_;
  std::unique_ptr<v1::Drive> drive_;
};

}  // namespace

DriveDescription describe_part(const v1::DrivePart& part) {
  DriveDescription description{
      {.name = part.name, .summary = part.summary, .reference = part.reference, .parameters = rows_of(part.keys)}};
  description.unit = part.unit;
  const std::string title = "drive `" + part.name + "`";
  description.make = [part, title](const Settings& settings) -> std::shared_ptr<const GivenFunction> {
    return std::make_shared<UserDrive>(part.name, settings, title, made_part<v1::Drive>(title, [&] {
                                         return part.make(values_of(part.keys, settings));
                                       }));
  };
  return description;
}

}  // namespace carom::inline parts
