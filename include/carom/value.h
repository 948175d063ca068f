#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carom/export.h"

namespace carom::v1 {

// What may stand behind a key: a number (SI), a truth value, a text, a list of values, or a table of keys and values.
//
// A text is taken as in a model file: a quantity with a unit ("0.05 mm", "5000 rpm"), an expression that starts with =
// ("=4*pi/speed"), or a name, whichever the key asks for. Braces make a list: {0, -9.81}, {{0, 0}, {1, 0}}.
class CAROM_EXPORT Value {
 public:
  Value(bool value);
  Value(double value);
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) Value(Integer value) : Value(static_cast<double>(value)) {}
  Value(const char* text);
  Value(const std::string& text);
  Value(std::string_view text);
  Value(std::initializer_list<Value> items);
  Value(const std::vector<double>& items);
  Value(const std::vector<std::string>& items);

  // { axis = [0, 0, 1], angle = "30 deg" } is Value::table({{"axis", {0, 0, 1}}, {"angle", "30 deg"}}).
  static Value table(std::initializer_list<std::pair<std::string, Value>> entries);

  // The value as it is written in a model file. Numbers are written so that they come back to the last bit.
  const std::string& text() const { return text_; }

 private:
  Value() = default;
  std::string text_;
};

}  // namespace carom::v1
