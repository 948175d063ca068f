#pragma once

#include <array>
#include <optional>

#include "bearings/quasi_static.h"
#include "contact_laws/hertz_stress.h"

// Patches and pressures of the elements of a bearing on its races, from their loads.
namespace carom::inline bearings {

struct ContactFigure {
  double pressure = 0;    // Pa, the largest
  double major_axis = 0;  // m, half axes of the ellipse; of a roller half its length and half the width of its contact
  double minor_axis = 0;
  bool line = false;
  int race = 0;
};

struct StressSummary {
  double shear = 0, shear_depth = 0, orthogonal_shear = 0;  // Pa, m, Pa
};

StressSummary summary_of(const ContactFigure& figure, double poisson);

class ContactFigures {
 public:
  explicit ContactFigures(const RollingGeometry& geometry);

  // Largest shear stress below a contact, Pa: a share of its pressure that the curvatures alone say.
  double shear(const ContactFigure& figure) const { return shear_share_[figure.race] * figure.pressure; }
  // Of a load on the inner (0) or the outer (1) race, N; of a roller, per length in N/m.
  ContactFigure figure(int race, double load) const;
  // The one of both contacts of an element with the larger pressure; of a roller its slice that is pressed most.
  ContactFigure worse(const QuasiStaticBearing& bearing, int index, const RingPlace& place, const RingSpeeds& speeds,
                      const ElementResult& element) const;

 private:
  std::array<std::optional<EllipticContact>, 2> ellipse_;
  std::array<double, 2> radius_{}, modulus_{};  // of the line contact
  std::array<double, 2> shear_share_{};
  double slice_ = 0, length_ = 0;              // m
  mutable std::vector<double> inner_, outer_;  // loads of slices
};

}  // namespace carom::inline bearings
