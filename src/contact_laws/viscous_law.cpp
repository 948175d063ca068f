#include "contact_laws/viscous_law.h"

#include <cmath>

namespace carom::inline contact_laws {

double damping_ratio(double restitution) {
  const double logarithm = std::log(restitution);
  return -logarithm / std::sqrt(M_PI * M_PI + logarithm * logarithm);
}

double clamped_restitution(double restitution) {
  const double ratio = damping_ratio(restitution), rest = std::sqrt(1 - ratio * ratio);
  const double phase = std::atan2(2 * ratio * rest, 2 * ratio * ratio - 1);
  return restitution == 1 ? 1 : std::exp(-ratio * phase / rest);
}

ParameterDescription end_parameter() {
  return {.name = "end",
          .kind = ParameterKind::choice,
          .meaning =
              "where an episode ends: `clamped` when the force is back at zero, `adhesive` when the penetration "
              "is, with a pull for a moment",
          .default_text = "clamped",
          .choices = {"clamped", "adhesive"}};
}

ContactEnd contact_end(const Settings& settings) {
  return settings.text("end", "clamped") == "adhesive" ? ContactEnd::adhesive : ContactEnd::clamped;
}

}  // namespace carom::inline contact_laws
