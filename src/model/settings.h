#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "math/function.h"

namespace carom::inline model {

// A file that a key names, with what it held when the model was read.
struct ModelFile {
  std::string name = {};                               // as the model says it
  std::shared_ptr<const std::string> bytes = nullptr;  // null: it has not been read

  std::string_view content() const { return bytes ? std::string_view(*bytes) : std::string_view(); }
  friend bool operator==(const ModelFile& a, const ModelFile& b) {
    return a.name == b.name && (a.bytes == b.bytes || a.content() == b.content());
  }
};

using Value = std::variant<bool, double, std::string, std::vector<double>, std::vector<std::string>,
                           std::vector<Eigen::Vector3d>, Function, std::vector<Function>, ModelFile>;

// The keys given for one element, already checked against its parameter table, in SI units.
// Vectors are kept as std::vector<double> with 2 or 3 entries; points as Vector3d (z = 0 in planar models).
class Settings {
 public:
  void set(const std::string& name, Value value) { entries_[name] = std::move(value); }
  bool has(const std::string& name) const { return entries_.contains(name); }
  // The value as it was set; null if it was not.
  const Value* find(const std::string& name) const {
    const auto entry = entries_.find(name);
    return entry == entries_.end() ? nullptr : &entry->second;
  }
  std::vector<std::string> keys() const {
    std::vector<std::string> result;
    for (const auto& [name, entry] : entries_) result.push_back(name);
    return result;
  }

  double number(const std::string& name, double fallback = 0) const { return get(name, fallback); }
  bool boolean(const std::string& name, bool fallback = false) const { return get(name, fallback); }
  std::string text(const std::string& name, const std::string& fallback = {}) const { return get(name, fallback); }
  Function function(const std::string& name) const { return get(name, Function()); }
  std::vector<Function> functions(const std::string& name) const { return get(name, std::vector<Function>()); }
  std::vector<std::string> names(const std::string& name) const { return get(name, std::vector<std::string>()); }
  std::vector<double> numbers(const std::string& name) const { return get(name, std::vector<double>()); }
  std::vector<Eigen::Vector3d> points(const std::string& name) const {
    return get(name, std::vector<Eigen::Vector3d>());
  }
  ModelFile file(const std::string& name) const { return get(name, ModelFile()); }
  // A vector padded with zeros to three components.
  Eigen::Vector3d vector(const std::string& name, const Eigen::Vector3d& fallback = Eigen::Vector3d::Zero()) const {
    if (!has(name)) return fallback;
    Eigen::Vector3d result = Eigen::Vector3d::Zero();
    const auto given = numbers(name);
    for (std::size_t k = 0; k < given.size() && k < 3; ++k) result[static_cast<Eigen::Index>(k)] = given[k];
    return result;
  }

 private:
  template <class T>
  T get(const std::string& name, const T& fallback) const {
    const auto entry = entries_.find(name);
    if (entry == entries_.end()) return fallback;
    const T* value = std::get_if<T>(&entry->second);
    return value ? *value : fallback;
  }
  std::map<std::string, Value> entries_;
};

}  // namespace carom::inline model
