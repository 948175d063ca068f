#pragma once

#include "plotting/figure.h"
#include "recording/result_reader.h"

namespace carom {

// The bodies of the result's model in a few positions of the run, seen along z: the shapes of the model where it has
// any, else lines between a body's joints. Needs recorded positions; throws ResultError when there are none.
Panel draw_mechanism(const ResultReader& result);

}  // namespace carom
