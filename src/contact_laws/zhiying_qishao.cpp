#include <cmath>

#include "contact_laws/hysteresis_law.h"

namespace carom::inline contact_laws {
namespace {

double zhiying_qishao_factor(double e) {
  return 0.75 * (1 - e * e) * std::exp(2 * (1 - e));
}

}  // namespace

NormalLawDescription describe_zhiying_qishao_law() {
  NormalLawDescription description{{.name = "zhiying-qishao",
                                    .summary = "Lankarani and Nikravesh with an exponential correction.",
                                    .reference = "Zhiying, Qishao, J. Dyn. Control 4 (2006) 294–298"}};
  description.formula = "F = f_e (1 + h δ̇/v₀), h = 3/4 (1 − e²) exp(2(1 − e))";
  description.usable_from = 0.35;
  return hysteresis_member<zhiying_qishao_factor>(description);
}

}  // namespace carom::inline contact_laws
