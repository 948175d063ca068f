// libFuzzer target: any text must either compile and evaluate, or give an error with a column inside the text.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/expression.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace carom;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto result = Expression::compile(text, {"t", "x"}, {{"omega", 3.0}});
  if (const ExpressionError* error = std::get_if<ExpressionError>(&result)) {
    const bool sound = error->column >= 1 && error->column <= static_cast<int>(size) + 1 && !error->message.empty();
    if (!sound) std::abort();
    return 0;
  }
  const Expression& expression = std::get<Expression>(result);
  for (const double t : {-1.5, 0.0, 0.25, 1e300}) {
    const std::array<double, 2> at = {t, 2.0};
    const double value = expression.value(at);
    for (const int argument : {0, 1}) {
      const double again = expression.derivatives(at, argument).value;
      const bool same = again == value || (again != again && value != value);
      if (!same) std::abort();
    }
  }
  expression.switching_points(0);
  return 0;
}
