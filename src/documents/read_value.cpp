#include <cmath>

#include "documents/reading.h"

namespace carom::inline documents {
namespace {

using Kind = ParameterKind;

class ValueReader {
 public:
  ValueReader(Reading& reading, const ParameterDescription& row, const KeyPath& key)
      : reading_(reading), row_(row), key_(key), expected_(expected_text(row, reading.planar)) {}

  // Long: one case per kind.
  std::optional<Value> read(const Node& node) {
    switch (row_.kind) {
      case Kind::number:
      case Kind::integer:
        return wrap(quantity(node));
      case Kind::boolean:
        return wrap(plain<bool>(node));
      case Kind::text:
      case Kind::choice:
      case Kind::body:
      case Kind::joint:
      case Kind::marker:
      case Kind::material:
      case Kind::contact:
        return wrap(plain<std::string>(node));
      case Kind::file:
        return wrap(read_file(reading_, node, key_));
      case Kind::vector:
      case Kind::counts:
        return wrap(list<double>(node, [&](const Node& item) { return component(item); }));
      case Kind::numbers:
      case Kind::angular_velocity:
      case Kind::inertia:
        return wrap(one_or_list<double>(node, [&](const Node& item) { return component(item); }));
      case Kind::points:
        return wrap(list<Eigen::Vector3d>(node, [&](const Node& item) { return point(item); }));
      case Kind::function:
        return wrap(read_function(reading_, node, row_, key_));
      case Kind::functions:
        return wrap(
            one_or_list<Function>(node, [&](const Node& item) { return read_function(reading_, item, row_, key_); }));
      case Kind::bodies:
      case Kind::joints:
      case Kind::markers:
      case Kind::texts:
      case Kind::materials:
      case Kind::shapes:
        return wrap(list<std::string>(node, [&](const Node& item) { return plain<std::string>(item); }));
      case Kind::orientation:
        return wrap(orientation(node));
    }
    return std::nullopt;
  }

 private:
  template <class T>
  static std::optional<Value> wrap(std::optional<T> value) {
    return value ? std::optional<Value>(std::move(*value)) : std::nullopt;
  }

  std::nullopt_t reject(const Node& node, const std::string& remedy = {}) {
    reading_.complain(node, key_, {found_text(node), expected_, remedy});
    return std::nullopt;
  }

  std::optional<double> quantity(const Node& node) {
    return read_quantity(reading_, node, unit(node), expected_, key_);
  }
  std::optional<double> component(const Node& node) {
    return read_quantity(reading_, node, unit(node), row_.unit.empty() ? "a number" : "a quantity in " + row_.unit,
                         key_);
  }
  // A direction may be computed of lengths: only their ratio counts.
  const std::string& unit(const Node& node) const {
    const std::string* text = node.as<std::string>();
    const bool direction = (row_.kind == Kind::vector || row_.kind == Kind::points) && row_.unit.empty();
    return (row_.unit_depends || direction) && text && text->starts_with('=') ? any_unit : row_.unit;
  }

  template <class T>
  std::optional<T> plain(const Node& node) {
    const T* value = node.as<T>();
    if (!value) return reject(node);
    return *value;
  }

  // All entries are read, so that all problems are found.
  template <class T, class ReadItem>
  std::optional<std::vector<T>> list(const Node& node, ReadItem read_item) {
    const Node::List* items = node.as<Node::List>();
    if (!items) return reject(node);
    std::vector<T> result;
    for (const Node& item : *items) {
      // Names may turn out to be unknown later, and then their own place is wanted.
      if (std::is_same_v<T, std::string>) reading_.note(key_.item(result.size()), item);
      if (auto value = read_item(item)) result.push_back(std::move(*value));
    }
    return result.size() == items->size() ? std::optional(result) : std::nullopt;
  }

  template <class T, class ReadItem>
  std::optional<std::vector<T>> one_or_list(const Node& node, ReadItem read_item) {
    if (node.as<Node::List>()) return list<T>(node, read_item);
    auto value = read_item(node);
    if (!value) return std::nullopt;
    return std::vector<T>{std::move(*value)};
  }

  std::optional<Eigen::Vector3d> point(const Node& node) {
    const auto numbers = list<double>(node, [&](const Node& item) { return component(item); });
    if (!numbers) return std::nullopt;
    ParameterDescription single = row_;
    single.kind = Kind::vector;
    if (!right_count(single, numbers->size(), reading_.planar)) {
      return reject(node, count_remedy(single, numbers->size(), reading_.planar));
    }
    return Eigen::Vector3d((*numbers)[0], (*numbers)[1], reading_.planar ? 0 : (*numbers)[2]);
  }

  std::optional<std::vector<double>> orientation(const Node& node) {
    if (reading_.planar && node.as<Node::List>()) {
      return reject(node, count_remedy(row_, node.as<Node::List>()->size(), true));
    }
    if (reading_.planar) return one_or_list<double>(node, [&](const Node& item) { return quantity(item); });
    if (node.as<Node::Table>()) return axis_and_angle(node);
    if (!node.as<Node::List>()) return reject(node, count_remedy(row_, 1, false));
    auto numbers =
        list<double>(node, [&](const Node& item) { return read_quantity(reading_, item, "", "a number", key_); });
    if (!numbers) return std::nullopt;
    if (numbers->size() != 4) return reject(node, count_remedy(row_, numbers->size(), false));
    return unit_length(node, *numbers);
  }

  std::optional<std::vector<double>> axis_and_angle(const Node& node) {
    const std::vector<ParameterDescription> rows = {{.name = "axis", .kind = Kind::vector, .required = true},
                                                    {.name = "angle", .unit = "rad", .required = true}};
    const Settings settings = read_keys(reading_, node, rows, {}, key_);
    require_keys(reading_, node, rows, key_);
    if (!settings.has("axis") || !settings.has("angle")) return std::nullopt;
    const auto axis = unit_length(*node.find("axis"), settings.numbers("axis"));
    if (!axis) return std::nullopt;
    const double half = 0.5 * settings.number("angle"), s = std::sin(half);
    return std::vector<double>{std::cos(half), s * (*axis)[0], s * (*axis)[1], s * (*axis)[2]};
  }

  std::optional<std::vector<double>> unit_length(const Node& node, std::vector<double> numbers) {
    double largest = 0, sum = 0;
    for (const double each : numbers) largest = std::max(largest, std::abs(each)), sum += each * each;
    if (std::abs(sum - 1) < 1e-15) return numbers;  // what was written comes back to the last bit
    if (largest == 0) {
      reading_.complain(node, key_, {"a direction of length 0", expected_, ""});
      return std::nullopt;
    }
    // Scaled first: squares of very large or small numbers leave the range.
    sum = 0;
    for (double& each : numbers) each /= largest, sum += each * each;
    for (double& each : numbers) each /= std::sqrt(sum);
    return numbers;
  }

  Reading& reading_;
  const ParameterDescription& row_;
  const KeyPath& key_;
  std::string expected_;
};

}  // namespace

std::optional<Value> read_value(Reading& reading, const Node& node, const ParameterDescription& row,
                                const KeyPath& key) {
  auto value = ValueReader(reading, row, key).read(node);
  if (!value) return std::nullopt;
  if (auto complaint = check_value(row, *value, reading.planar)) {
    // As it stands in the file, and where that is a unit or an expression also its value.
    const std::string* text = node.as<std::string>();
    if (text && !std::holds_alternative<std::string>(*value))
      complaint->found = found_text(node) + ", which is " + complaint->found;
    if (node.as<double>() || node.as<std::int64_t>()) complaint->found = found_text(node);
    reading.complain(node, key, std::move(*complaint));
    return std::nullopt;
  }
  return value;
}

}  // namespace carom::inline documents
