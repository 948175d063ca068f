#include <algorithm>
#include <cmath>
#include <limits>

#include "parts/describe_part.h"
#include "parts/guarded_call.h"
#include "parts/part_keys.h"

namespace carom::inline parts {
namespace {

class UserFriction final : public FrictionLaw {
 public:
  UserFriction(std::string title, std::unique_ptr<v1::FrictionLaw> law)
      : title_(std::move(title)), law_(std::move(law)), has_state_(law_->has_state()) {}

  Friction evaluate(double slip_speed, double normal_force) const override {
    return {checked(guarded(
                title_, [&] { return law_->coefficient(slip_speed, normal_force); }, unknown)),
            unknown};
  }
  bool has_bristle() const override { return has_state_; }
  BristleForce bristle(double deflection, double velocity, double normal_force) const override {
    const v1::BristleForce result = guarded(
        title_, [&] { return law_->bristle(deflection, velocity, normal_force); }, v1::BristleForce{unknown, unknown});
    checked(result.force + result.rate);
    return {result.force, result.rate};
  }
  double bristle_energy(double deflection) const override {
    return checked(guarded(
        title_, [&] { return law_->energy(deflection); }, unknown));
  }

 private:
  double checked(double value) const {
    if (!std::isfinite(value)) note_not_finite(title_);
    return value;
  }

  std::string title_;
  std::unique_ptr<v1::FrictionLaw> law_;
  bool has_state_;
};

std::unique_ptr<v1::FrictionLaw> make(const v1::FrictionLawPart& part, const std::string& title,
                                      const Settings& settings) {
  return made_part<v1::FrictionLaw>(title, [&] { return part.make(values_of(part.keys, settings)); });
}

double sliding_coefficient(const v1::FrictionLawPart& part, const std::string& title, const Settings& settings) {
  const auto law = make(part, title, settings);
  const double coefficient = guarded(
      title, [&] { return law->sliding_coefficient(); }, unknown);
  drop_part_fault();
  if (!(coefficient >= 0 && std::isfinite(coefficient)))
    refuse_part(title, "a sliding coefficient of " + std::to_string(coefficient));
  return coefficient;
}

}  // namespace

FrictionLawDescription describe_part(const v1::FrictionLawPart& part) {
  FrictionLawDescription description{
      {.name = part.name, .summary = part.summary, .reference = part.reference, .parameters = rows_of(part.keys)}};
  description.formula = part.formula;
  const std::string title = "friction law `" + part.name + "`";
  description.make = [part, title](const Settings& settings) -> std::unique_ptr<FrictionLaw> {
    return std::make_unique<UserFriction>(title, make(part, title, settings));
  };
  const bool has_coefficient =
      std::any_of(part.keys.begin(), part.keys.end(), [](const v1::Key& key) { return key.name == "coefficient"; });
  if (!has_coefficient) {
    description.sliding_coefficient = [part, title](const Settings& settings) {
      return sliding_coefficient(part, title, settings);
    };
  }
  return description;
}

}  // namespace carom::inline parts
