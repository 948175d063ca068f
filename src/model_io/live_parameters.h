#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "documents/document.h"
#include "model/model.h"

namespace carom::inline model_io {

// The parameters of a model that may change while it moves: those that only force elements depend on. Everything else
// that a parameter says (masses, places, laws of drives, contacts, the solver) is taken in when a motion starts.
class LiveParameters {
 public:
  // Documents without problems.
  explicit LiveParameters(Documents documents);

  // Empty: it may change. Otherwise why not, naming the keys that depend on it.
  std::string why_fixed(const std::string& name) const;
  // The model with a parameter, among those that may change, set to a quantity as --set takes it. Throws InputError
  // where it is none of those or the text no such quantity; earlier changes then stand.
  Model with(const std::string& name, const std::string& text);
  // The values set so far, by name, to take them back.
  const std::map<std::string, std::string>& set() const { return set_; }
  void take_back(std::map<std::string, std::string> values) { set_ = std::move(values); }

 private:
  void note_uses(const Node& node, const std::string& key, bool in_force);

  Documents documents_;
  std::vector<std::string> names_;
  std::map<std::string, std::set<std::string>> users_;          // parameters that depend on a parameter
  std::map<std::string, std::vector<std::string>> fixed_uses_;  // keys, by parameter
  std::set<std::string> in_forces_;
  std::map<std::string, std::string> set_;
};

}  // namespace carom::inline model_io
