#pragma once

#include <TopoDS_Shape.hxx>

#include "step/assembly.h"

namespace carom {

// Takes the edges between the faces of a part, which are there already, in the order in which the shape has them.
void take_edges(const TopoDS_Shape& shape, StepPart& part);

}  // namespace carom
