#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "model/description.h"
#include "model/enumerations.h"
#include "model/settings.h"

// Tables of fields: what the keys of a section of the model file are, and where in a struct their values are kept.
// Reader, writer, checks of ranges, comparison, schema, reference page and recorded settings walk through them.
namespace carom::inline model {

// Whether two values say the same. Functions do if they are written the same.
bool same_value(const Value& a, const Value& b);

// A default for the documentation, in its shortest form: "1e-8", "true", "0" for a vector of zeros.
std::string default_text(const Value& value);

template <class Struct>
struct Field {
  ParameterDescription row;
  // The value, as the file would say it, and back. Vectors have 2 entries in planar models and 3 in spatial ones.
  std::function<Value(const Struct&, bool planar)> get;
  std::function<void(Struct&, const Value&, bool planar)> set;
  // Whether there is anything to say. What is not given is not written, and its range is not checked.
  std::function<bool(const Struct&, bool planar)> given;
  bool of_type = false;  // a key of one type of a catalogue: there is no value unless it is given
};

// The fields of a struct, in the order in which the file names them.
template <class Struct>
class Fields {
 public:
  Fields() = default;
  Fields(std::initializer_list<Field<Struct>> fields) {
    for (const Field<Struct>& each : fields) add(each);
  }

  void add(Field<Struct> field) {
    rows_.push_back(field.row);
    all_.push_back(std::move(field));
  }
  void add(const Fields& more) {
    for (const Field<Struct>& each : more) add(each);
  }

  const std::vector<ParameterDescription>& rows() const { return rows_; }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  std::vector<Field<Struct>> all_;
  std::vector<ParameterDescription> rows_;
};

// How members of structs are kept in a Value, and which kind of key they are unless the table says more.
template <class Member>
struct Held;

template <>
struct Held<double> {
  static constexpr ParameterKind kind = ParameterKind::number;
  static Value get(double held, bool) { return held; }
  static void set(double& held, const Value& value, bool) { held = std::get<double>(value); }
};
template <>
struct Held<int> {
  static constexpr ParameterKind kind = ParameterKind::integer;
  static Value get(int held, bool) { return static_cast<double>(held); }
  static void set(int& held, const Value& value, bool) { held = static_cast<int>(std::get<double>(value)); }
};
template <>
struct Held<bool> {
  static constexpr ParameterKind kind = ParameterKind::boolean;
  static Value get(bool held, bool) { return held; }
  static void set(bool& held, const Value& value, bool) { held = std::get<bool>(value); }
};
template <>
struct Held<std::string> {
  static constexpr ParameterKind kind = ParameterKind::text;
  static Value get(const std::string& held, bool) { return held; }
  static void set(std::string& held, const Value& value, bool) { held = std::get<std::string>(value); }
};
template <>
struct Held<std::vector<std::string>> {
  static constexpr ParameterKind kind = ParameterKind::texts;
  static Value get(const std::vector<std::string>& held, bool) { return held; }
  static void set(std::vector<std::string>& held, const Value& value, bool) {
    held = std::get<std::vector<std::string>>(value);
  }
};
template <>
struct Held<std::array<std::string, 2>> {
  static constexpr ParameterKind kind = ParameterKind::bodies;
  static Value get(const std::array<std::string, 2>& held, bool) { return std::vector<std::string>{held[0], held[1]}; }
  static void set(std::array<std::string, 2>& held, const Value& value, bool) {
    const auto& names = std::get<std::vector<std::string>>(value);
    held = {names.at(0), names.at(1)};
  }
};
template <>
struct Held<std::vector<double>> {
  static constexpr ParameterKind kind = ParameterKind::numbers;
  static Value get(const std::vector<double>& held, bool) { return held; }
  static void set(std::vector<double>& held, const Value& value, bool) { held = std::get<std::vector<double>>(value); }
};
template <>
struct Held<std::vector<Eigen::Vector3d>> {
  static constexpr ParameterKind kind = ParameterKind::points;
  static Value get(const std::vector<Eigen::Vector3d>& held, bool) { return held; }
  static void set(std::vector<Eigen::Vector3d>& held, const Value& value, bool) {
    held = std::get<std::vector<Eigen::Vector3d>>(value);
  }
};
template <>
struct Held<Eigen::Vector3d> {
  static constexpr ParameterKind kind = ParameterKind::vector;
  static Value get(const Eigen::Vector3d& held, bool planar) {
    return std::vector<double>(held.data(), held.data() + (planar ? 2 : 3));
  }
  static void set(Eigen::Vector3d& held, const Value& value, bool) {
    const auto& numbers = std::get<std::vector<double>>(value);
    held.setZero();
    std::copy_n(numbers.begin(), std::min<std::size_t>(numbers.size(), 3), held.data());
  }
};

template <Enumeration Member>
struct Held<Member> {
  static constexpr ParameterKind kind = ParameterKind::choice;
  static Value get(Member held, bool) { return name_of(held); }
  static void set(Member& held, const Value& value, bool) {
    held = find_named<Member>(std::get<std::string>(value)).value_or(held);
  }
};

// A field by two functions, for what is not kept the way it is said. It is given if it is required or differs from that
// of a fresh struct; {} in its default text becomes the value of a fresh one.
template <class Struct>
Field<Struct> field_by(ParameterDescription row, std::function<Value(const Struct&, bool)> get,
                       std::function<void(Struct&, const Value&, bool)> set) {
  if (const std::size_t place = row.default_text.find("{}"); place != std::string::npos)
    row.default_text.replace(place, 2, default_text(get(Struct{}, true)));
  auto given = [get, required = row.required](const Struct& held, bool planar) {
    return required || !same_value(get(held, planar), get(Struct{}, planar));
  };
  return {std::move(row), std::move(get), std::move(set), std::move(given)};
}

// A member, whose initialiser is the default of the key.
template <class Struct, class Member>
Field<Struct> field(Member Struct::*member, ParameterDescription row) {
  if constexpr (Enumeration<Member>) row.choices = choices_of<Member>();
  if (row.kind == ParameterKind::number) row.kind = row.choices.empty() ? Held<Member>::kind : ParameterKind::choice;
  return field_by<Struct>(
      std::move(row), [member](const Struct& held, bool planar) { return Held<Member>::get(held.*member, planar); },
      [member](Struct& held, const Value& value, bool planar) { Held<Member>::set(held.*member, value, planar); });
}

// A key of a catalogue, kept under its name.
template <class Struct>
Field<Struct> kept_in(Settings Struct::*settings, ParameterDescription row) {
  const std::string name = row.name;
  return {std::move(row),
          [settings, name](const Struct& held, bool) {
            const Value* value = (held.*settings).find(name);
            return value ? *value : Value{};
          },
          [settings, name](Struct& held, const Value& value, bool) { (held.*settings).set(name, value); },
          [settings, name](const Struct& held, bool) { return (held.*settings).has(name); }, true};
}

// Written even where it is the default of the struct.
template <class Struct>
Field<Struct> always(Field<Struct> field) {
  field.given = [](const Struct&, bool) { return true; };
  return field;
}

// Another way to say what the field before or after it says; never written.
template <class Struct>
Field<Struct> another_way(Field<Struct> field) {
  field.given = [](const Struct&, bool) { return false; };
  return field;
}

// Takes the values of a table that has been read into the struct; keys without a field are left alone.
template <class Struct>
void take(const Fields<Struct>& fields, const Settings& settings, Struct& into, bool planar) {
  for (const Field<Struct>& each : fields) {
    if (const Value* value = settings.find(each.row.name)) each.set(into, *value, planar);
  }
}

// A key with its value, as a file would say it.
struct SaidKey {
  const ParameterDescription* row;  // of the table, which must live on
  Value value;
};

// What is to be written of a struct.
template <class Struct>
std::vector<SaidKey> said_of(const Fields<Struct>& fields, const Struct& held, bool planar) {
  std::vector<SaidKey> said;
  for (const Field<Struct>& each : fields) {
    if (each.given(held, planar)) said.push_back({&each.row, each.get(held, planar)});
  }
  return said;
}

// Everything, be it given or not, but for keys of types that are not given.
template <class Struct>
std::vector<SaidKey> all_of(const Fields<Struct>& fields, const Struct& held, bool planar) {
  std::vector<SaidKey> all;
  for (const Field<Struct>& each : fields) {
    if (!each.of_type || each.given(held, planar)) all.push_back({&each.row, each.get(held, planar)});
  }
  return all;
}

template <class Struct>
bool same(const Fields<Struct>& fields, const Struct& a, const Struct& b, bool planar) {
  return std::all_of(fields.begin(), fields.end(), [&](const Field<Struct>& each) {
    const bool given = each.given(a, planar);
    return given == each.given(b, planar) && (!given || same_value(each.get(a, planar), each.get(b, planar)));
  });
}

}  // namespace carom::inline model
