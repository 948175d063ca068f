#include "contact_laws/resistance.h"

#include <cmath>

namespace carom::inline contact_laws {

ResistanceTorque Resistance::evaluate(double spin, double normal_force) const {
  const double share = std::tanh(spin / spin_scale_);
  return {-length_ * normal_force * share, -length_ * normal_force * (1 - share * share) / spin_scale_,
          -length_ * share};
}

}  // namespace carom::inline contact_laws
