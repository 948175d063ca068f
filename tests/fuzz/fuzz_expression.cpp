#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/expression.h"
#include "base/units.h"

// Any text must compile or give an error inside it; what compiles must evaluate.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const carom::KnownDimensions dimensions = {.meant = {{"t", carom::dimension_of_unit("s").value()}},
                                                    .written = {{"speed", carom::dimension_of_unit("m/s").value()}}};
  const auto result = carom::Expression::compile(text, {"t", "x"}, {{"a", 2.0}, {"speed", -3.5}}, dimensions);
  if (const auto* error = std::get_if<carom::ExpressionError>(&result)) {
    if (error->message.empty() || error->column < 1 || error->column > static_cast<int>(size) + 1) __builtin_trap();
    return 0;
  }
  const auto& expression = std::get<carom::Expression>(result);
  for (const double t : {0.0, 1.5, -1e300}) {
    const std::array arguments = {t, 0.5};
    expression.value(arguments);
    expression.derivatives(arguments, 0);
    expression.derivatives(arguments, 1);
  }
  expression.switching_points(0);
  if (expression.dimension()) {
    if (expression.dimension()->text().empty()) __builtin_trap();
    if (expression.plain_factor()) expression.plain_factor()->remedy(*expression.dimension());
  }
  return 0;
}
