#include <cmath>
#include <limits>

#include "parts/describe_part.h"
#include "parts/guarded_call.h"
#include "parts/part_keys.h"

namespace carom::inline parts {
namespace {

v1::NormalContact translate(const NormalContact& contact) {
  return {contact.penetration, contact.rate, contact.impact_speed, contact.deepest};
}

class UserNormalLaw final : public NormalLaw {
 public:
  UserNormalLaw(std::string title, std::unique_ptr<v1::NormalLaw> law)
      : title_(std::move(title)),
        law_(std::move(law)),
        remembers_depth_(law_->remembers_depth()),
        memoryless_(law_->is_memoryless()),
        adhesive_(law_->is_adhesive()) {}

  // Nobody asks a law for its derivatives.
  NormalForce evaluate(const NormalContact& contact) const override {
    if (contact.penetration < 0) return {};
    const v1::NormalForce result = value(contact);
    return {result.force, unknown, unknown, result.elastic, result.energy};
  }
  double force(const NormalContact& contact) const override {
    return contact.penetration < 0 ? 0 : value(contact).force;
  }
  double energy(const NormalContact& contact) const override {
    return contact.penetration < 0 ? 0 : value(contact).energy;
  }
  double release_penetration(const NormalContact& contact) const override {
    const double depth = guarded(
        title_, [&] { return law_->release_penetration(translate(contact)); }, unknown);
    if (!std::isfinite(depth)) note_not_finite(title_);
    return depth;
  }
  bool remembers_depth() const override { return remembers_depth_; }
  bool is_memoryless() const override { return memoryless_; }

 private:
  v1::NormalForce value(const NormalContact& contact) const {
    v1::NormalForce result = guarded(
        title_, [&] { return law_->evaluate(translate(contact)); }, v1::NormalForce{unknown, unknown, unknown});
    if (!std::isfinite(result.force + result.elastic + result.energy)) note_not_finite(title_);
    if (result.force <= 0 && !adhesive_) result.force = 0;
    return result;
  }

  std::string title_;
  std::unique_ptr<v1::NormalLaw> law_;
  bool remembers_depth_, memoryless_, adhesive_;
};

v1::NormalLawContext translate(const NormalLawContext& context, const std::vector<v1::Key>& keys) {
  return {.keys = values_of(keys, context.settings),
          .restitution = context.restitution,
          .effective_mass = context.effective_mass,
          .stiffness = context.elastic.stiffness(),
          .exponent = context.elastic.exponent(),
          .elastic = [elastic = context.elastic](double penetration) -> v1::ElasticValue {
            const ElasticForce force = elastic.evaluate(penetration);
            return {force.force, force.slope, force.energy};
          }};
}

}  // namespace

NormalLawDescription describe_part(const v1::ContactLawPart& part) {
  NormalLawDescription description{
      {.name = part.name, .summary = part.summary, .reference = part.reference, .parameters = rows_of(part.keys)}};
  description.formula = part.formula;
  description.elastic = part.elastic;
  description.uses_restitution = part.uses_restitution;
  description.needs_mass = part.needs_mass;
  description.least_restitution = part.least_restitution;
  description.least_allowed = part.least_allowed;
  const std::string title = "contact law `" + part.name + "`";
  if (part.restitution_out) {
    description.restitution_out = [title, out = part.restitution_out](double restitution) {
      return guarded(
          title, [&] { return out(restitution); }, unknown);
    };
  }
  description.make = [part, title](const NormalLawContext& context) -> std::unique_ptr<NormalLaw> {
    return std::make_unique<UserNormalLaw>(
        title, made_part<v1::NormalLaw>(title, [&] { return part.make(translate(context, part.keys)); }));
  };
  return description;
}

}  // namespace carom::inline parts
