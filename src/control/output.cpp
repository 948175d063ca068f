#include "control/block.h"

namespace carom::inline control {

BlockDescription describe_output() {
  return {{.name = output_type,
           .summary = "A further output of a block that has several.",
           .reference = "",
           .parameters = {{.name = "block",
                           .kind = ParameterKind::text,
                           .meaning = "the signal of type state-space whose output it is",
                           .required = true},
                          {.name = "number",
                           .kind = ParameterKind::integer,
                           .meaning = "of the output, 1 being the first: the row of C and D",
                           .required = true,
                           .minimum = 1}}}};
}

}  // namespace carom::inline control
