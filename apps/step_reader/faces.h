#pragma once

#include <TopoDS_Shape.hxx>

#include "step/assembly.h"

namespace carom {

// Volume, faces and triangles of a part, from mm to m. Throws Standard_Failure.
void measure_part(const TopoDS_Shape& shape, double chord, StepPart& part);

}  // namespace carom
