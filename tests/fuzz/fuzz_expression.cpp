#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/expression.h"

// Any text must compile or give an error inside it; what compiles must evaluate.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto result = carom::Expression::compile(text, {"t", "x"}, {{"a", 2.0}, {"speed", -3.5}});
  if (const auto* error = std::get_if<carom::ExpressionError>(&result)) {
    if (error->message.empty()) __builtin_trap();
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
  return 0;
}
