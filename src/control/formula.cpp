#include "control/block.h"

namespace carom::inline control {

BlockDescription describe_formula() {
  return {{.name = formula_type,
           .summary = "An expression over the time, the parameters and other signals. `value` alone says as much.",
           .reference = "",
           .parameters = {input_row("value", "an expression, such as \"=setpoint - angle\"")}},
          {"value"},
          OutputUnit::input};
}

}  // namespace carom::inline control
