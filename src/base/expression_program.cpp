#include "base/expression_program.h"

#include <algorithm>
#include <array>

namespace carom::inline base {

namespace {

constexpr std::array functions = {
    NamedFunction{"abs", Operation::abs},           NamedFunction{"acos", Operation::acos},
    NamedFunction{"asin", Operation::asin},         NamedFunction{"atan", Operation::atan},
    NamedFunction{"atan2", Operation::atan2},       NamedFunction{"cbrt", Operation::cbrt},
    NamedFunction{"ceil", Operation::ceil},         NamedFunction{"cos", Operation::cos},
    NamedFunction{"cosh", Operation::cosh},         NamedFunction{"exp", Operation::exp},
    NamedFunction{"floor", Operation::floor},       NamedFunction{"hypot", Operation::hypot},
    NamedFunction{"if", Operation::select},         NamedFunction{"ln", Operation::log},
    NamedFunction{"log", Operation::log},           NamedFunction{"log10", Operation::log10},
    NamedFunction{"max", Operation::maximum, true}, NamedFunction{"min", Operation::minimum, true},
    NamedFunction{"mod", Operation::mod},           NamedFunction{"pow", Operation::power},
    NamedFunction{"sign", Operation::sign},         NamedFunction{"sin", Operation::sin},
    NamedFunction{"sinh", Operation::sinh},         NamedFunction{"smoothstep5", Operation::smoothstep5},
    NamedFunction{"sqrt", Operation::sqrt},         NamedFunction{"step", Operation::step},
    NamedFunction{"tan", Operation::tan},           NamedFunction{"tanh", Operation::tanh},
};

}  // namespace

const NamedFunction* find_function(std::string_view name) {
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [name](const NamedFunction& function) { return function.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const NamedFunction& function : functions) names.emplace_back(function.name);
  return names;
}

}  // namespace carom::inline base
