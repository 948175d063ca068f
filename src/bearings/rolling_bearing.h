#pragma once

#include <memory>

#include "bearings/geometry.h"
#include "force_elements/force_element.h"

namespace carom::inline bearings {

// A rolling bearing in space with quasi-static detail, as a force between its two bodies; the second carries the inner
// ring. docs/theory/rolling_bearings.md.
//
// Forces and moments of the elements act at the centre of the inner ring. The conservative part is that of the standing
// bearing; what the speed changes, damping and friction make up the rest. The rings feel opposite forces: the
// centrifugal forces of the elements, which balance each other on the outer ring but for a little, act on nobody.
//
// Every element of a model's bearing has these keys as its settings (model_io/bearing_fields.cpp).
std::unique_ptr<ForceElement<3>> make_rolling_bearing(const Model& model, const BearingModel& bearing);

// What it records; from what the keys of a bearing say, however little that is (stated_geometry).
std::vector<OutputDescription> rolling_bearing_outputs(const RollingGeometry& geometry);

// f₀, f₁ and f₂ of Palmgren's torque, of bearings with oil in a bath; M₀ = f₀ 10⁻⁷ (ν n)^(2/3) D_pw³ N mm (ν n ≥ 2000,
// in mm²/s and 1/min; D_pw in mm), else 160 · 10⁻⁷ f₀ D_pw³, M₁ = f₁ F D_pw with the resultant force F, and M₂ = f₂
// ΣQ_f D_pw with the loads of the ribs; f₁ of tapered bearings contains that. A. Palmgren, Ball and Roller Bearing
// Engineering, 1959; T. A. Harris, Rolling Bearing Analysis.
std::array<double, 3> usual_friction_factors(BearingType type);

}  // namespace carom::inline bearings
