#include <cmath>

#include "contact_laws/hysteresis_law.h"

namespace carom::inline contact_laws {
namespace {

// The logarithm is natural; pole at e = exp(−3.85238) = 0.02123, negative below.
double hu_factor(double e) {
  return -6.66264 * std::log(e) / (3.85238 + std::log(e));
}

}  // namespace

NormalLawDescription describe_hu_law() {
  NormalLawDescription description{
      {.name = "hu",
       .summary = "Logarithmic fit of the exact factor; restitution within 0.016 above 0.05, pole at 0.0212.",
       .reference = "Hu, Hu, Jian, Liu, Wan, J. Comput. 6 (2011) 984–988"}};
  description.formula = "F = f_e (1 + h δ̇/v₀), h = −6.66264 ln e/(3.85238 + ln e)";
  description.least_restitution = 0.022;
  description.least_allowed = false;
  description.usable_from = 0.05;
  return hysteresis_member<hu_factor>(description);
}

}  // namespace carom::inline contact_laws
