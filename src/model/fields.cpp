#include "model/fields.h"

#include <charconv>

namespace carom::inline model {
namespace {

bool same_number(double a, double b) {
  return a == b || (a != a && b != b);
}

bool same_function(const Function& a, const Function& b) {
  if (a.is_constant() || b.is_constant())
    return a.is_constant() && b.is_constant() && same_number(a.value(0.0), b.value(0.0));
  const auto table = a.table_points(), other = b.table_points();
  if (table.has_value() != other.has_value()) return false;
  if (table) return table->x == other->x && table->y == other->y && table->interpolation == other->interpolation;
  return a.description() == b.description();
}

std::string shortest(double value) {
  std::array<char, 32> buffer;
  std::string text(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
  const std::size_t exponent = text.find("e-0");
  return exponent == std::string::npos ? text : text.erase(exponent + 2, 1);
}

}  // namespace

bool same_value(const Value& a, const Value& b) {
  if (a.index() != b.index()) return false;
  struct Visitor {
    const Value& other;
    bool operator()(bool held) const { return held == std::get<bool>(other); }
    bool operator()(double held) const { return same_number(held, std::get<double>(other)); }
    bool operator()(const std::string& held) const { return held == std::get<std::string>(other); }
    bool operator()(const std::vector<double>& held) const {
      const auto& more = std::get<std::vector<double>>(other);
      return std::equal(held.begin(), held.end(), more.begin(), more.end(), same_number);
    }
    bool operator()(const std::vector<std::string>& held) const {
      return held == std::get<std::vector<std::string>>(other);
    }
    bool operator()(const std::vector<Eigen::Vector3d>& held) const {
      return held == std::get<std::vector<Eigen::Vector3d>>(other);
    }
    bool operator()(const Function& held) const { return same_function(held, std::get<Function>(other)); }
    bool operator()(const std::vector<Function>& held) const {
      const auto& more = std::get<std::vector<Function>>(other);
      return std::equal(held.begin(), held.end(), more.begin(), more.end(), same_function);
    }
    bool operator()(const ModelFile& held) const { return held == std::get<ModelFile>(other); }
  };
  return std::visit(Visitor{b}, a);
}

std::string default_text(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return shortest(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean ? "true" : "false";
  if (const auto* numbers = std::get_if<std::vector<double>>(&value)) {
    const bool zero = std::all_of(numbers->begin(), numbers->end(), [](double each) { return each == 0; });
    return zero ? "0" : "";
  }
  return "";
}

}  // namespace carom::inline model
