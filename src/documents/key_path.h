#pragma once

#include <map>
#include <set>
#include <string>

#include "base/problem.h"

namespace carom::inline documents {

// Path of a key, once exact, by number of the entry (joint[2].axis), and once as it is shown (joint.pin.axis).
struct KeyPath {
  std::string exact, shown;

  KeyPath operator/(const std::string& key) const { return {exact + "." + key, shown + "." + key}; }
  // Entry number `index` of a list of values; shown like the list.
  KeyPath item(std::size_t index) const { return {exact + ".#" + std::to_string(index), shown}; }

  // Entry number `index` of a list of tables; shown by its name if it has one, else counted from 1.
  static KeyPath entry(const KeyPath& section, std::size_t index, const std::string& name) {
    const std::string number = "[" + std::to_string(index + 1) + "]";
    return {section.exact + number, name.empty() ? section.shown + number : section.shown + "." + name};
  }
  static KeyPath section(const std::string& name) { return {name, name}; }
};

// Where the keys of a model stand in its files.
class SourceMap {
 public:
  struct Place {
    std::string file;
    SourceLocation where;
  };

  void note(const KeyPath& key, Place place) { places_[key.exact] = std::move(place); }

  // Whether the key stands in the file, be its value sound or not.
  bool given(const KeyPath& key) const { return places_.contains(key.exact); }

  // A key whose value is unsound and has been reported: what depends on it is not checked.
  void mark_broken(const KeyPath& key) { broken_.insert(key.exact); }
  bool broken(const KeyPath& key) const { return broken_.contains(key.exact); }

  // The place of the key, or of the nearest section around it; null if none is known.
  const Place* find(const KeyPath& key) const {
    for (std::string path = key.exact;; path.resize(path.rfind('.'))) {
      const auto found = places_.find(path);
      if (found != places_.end()) return &found->second;
      if (path.rfind('.') == std::string::npos) return nullptr;
    }
  }

 private:
  std::map<std::string, Place> places_;
  std::set<std::string> broken_;
};

}  // namespace carom::inline documents
