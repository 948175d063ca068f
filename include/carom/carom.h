#pragma once

// Carom: multibody dynamics. This is the header to include; it makes every public name a member of namespace carom:
//
//   carom::Model model("Pendulum");
//   model.planar().gravity({0, -9.81});
//   model.body("rod").mass(1).inertia(0.083).position({0.5, 0});
//   model.joint("pivot", "revolute").between("ground", "rod").at({0, 0});
//   model.solver().end(2).tolerance(1e-10);
//   carom::Result result = carom::simulate(model, "pendulum.h5");
//   std::vector<double> angle = result.column("body:rod.angle");
//
// Lengths, masses and times are SI wherever a plain number stands. A text may hold a quantity with a unit ("5000 rpm")
// or an expression ("=2*pi/speed"), as in a model file. No type of another library appears in these headers.
//
// The names are declared in namespace carom::v1 and lifted into carom here, so that a later interface can stand beside
// this one in the same program. To declare a name ahead, declare it in carom::v1.

#include "carom/catalogue.h"
#include "carom/errors.h"
#include "carom/export.h"
#include "carom/model.h"
#include "carom/parts.h"
#include "carom/registry.h"
#include "carom/result.h"
#include "carom/simulate.h"
#include "carom/simulation.h"
#include "carom/value.h"

namespace carom {
using namespace v1;
}
