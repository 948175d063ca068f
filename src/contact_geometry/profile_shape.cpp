#include "contact_geometry/mass_properties.h"
#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

namespace {

template <int D>
double profile_bounding_radius(const Shape<D>& shape) {
  return shape.profile ? shape.profile->bounding_radius() : 0;
}

template <int D>
double profile_sharpness(const Shape<D>& shape) {
  double most = 0;
  const auto samples = shape.profile->samples();
  for (std::size_t k = 0; k + 1 < samples.size(); ++k) {
    const double h = samples[k + 1].s - samples[k].s;
    for (const double part : {0.0, 0.5, 1.0}) most = std::max(most, shape.profile->curvature(samples[k].s + part * h));
  }
  return 1.2 * most;
}

}  // namespace

template <int D>
ShapeDescription<D> describe_profile_shape() {
  return {.kind = ShapeKind::profile,
          .name = "profile",
          .required = {"points"},
          .optional = {"closed"},
          .form = ShapeForm::outline,
          .bounding_radius = profile_bounding_radius<D>,
          .sharpness = profile_sharpness<D>,
          .mass = profile_mass<D>};
}

template ShapeDescription<2> describe_profile_shape<2>();
template ShapeDescription<3> describe_profile_shape<3>();

}  // namespace carom::inline contact_geometry
