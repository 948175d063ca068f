#include "carom/value.h"

#include <array>
#include <charconv>
#include <cmath>

#include "facade/model_text.h"

namespace carom::v1 {
namespace {

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 32> digits = {};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), end.ptr};
}

template <class Items>
std::string list_text(const Items& items) {
  std::string text = "[";
  for (const auto& item : items) text += (text.size() > 1 ? ", " : "") + Value(item).text();
  return text + "]";
}

}  // namespace

std::string toml_text(std::string_view text) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      result += "\\u00";
      result += hexadecimal[byte >> 4];
      result += hexadecimal[byte & 15];
    } else {
      result += c;
    }
  }
  return result + "\"";
}

Value::Value(bool value) : text_(value ? "true" : "false") {}
Value::Value(double value) : text_(number_text(value)) {}
Value::Value(const char* text) : text_(toml_text(text)) {}
Value::Value(const std::string& text) : text_(toml_text(text)) {}
Value::Value(std::string_view text) : text_(toml_text(text)) {}
Value::Value(std::initializer_list<Value> items) : text_("[") {
  for (const Value& item : items) text_ += (text_.size() > 1 ? ", " : "") + item.text();
  text_ += "]";
}
Value::Value(const std::vector<double>& items) : text_(list_text(items)) {}
Value::Value(const std::vector<std::string>& items) : text_(list_text(items)) {}

Value Value::table(std::initializer_list<std::pair<std::string, Value>> entries) {
  Value result;
  for (const auto& [key, value] : entries) {
    result.text_ += (result.text_.empty() ? "{ " : ", ") + toml_text(key) + " = " + value.text();
  }
  result.text_ += result.text_.empty() ? "{}" : " }";
  return result;
}

}  // namespace carom::v1
