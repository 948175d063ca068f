#include "contact_laws/friction_law.h"

namespace carom::inline contact_laws {
namespace {

class Frictionless final : public FrictionLaw {
 public:
  explicit Frictionless(const Settings&) {}
  Friction evaluate(double, double) const override { return {}; }
};

}  // namespace

FrictionLawDescription describe_no_friction() {
  FrictionLawDescription description{{.name = "none", .summary = "No friction.", .reference = ""}};
  description.formula = "0";
  description.make = make_friction<Frictionless>;
  return description;
}

}  // namespace carom::inline contact_laws
