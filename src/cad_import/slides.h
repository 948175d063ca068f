#pragma once

#include "cad_import/fits.h"

namespace carom::inline cad_import {

// Whether two flat faces lie before each other, seen along a direction.
bool face_each_other(const FlatFeature& one, const FlatFeature& two, const Eigen::Vector3d& across);

// Blocks in guides: four walls of one part around four sides of another.
void find_slides(const Features& features, const FitLimits& limits, Fits& result);

}  // namespace carom::inline cad_import
