#pragma once

#include <filesystem>
#include <list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "carom/model.h"

namespace carom::v1 {

// A text as a TOML string, in quotes.
std::string toml_text(std::string_view text);

// Keys with their values as TOML, in the order in which they were first set. Lists, so that handles stay valid.
struct detail::Table {
  std::vector<std::pair<std::string, std::string>> keys;
  std::list<Table> markers, shapes;
  std::list<Table> clearance;  // of a joint: one at most

  bool empty() const { return keys.empty() && markers.empty() && shapes.empty() && clearance.empty(); }
};

struct Model::Impl {
  std::filesystem::path file;    // empty: built from nothing, or from a text
  std::string text;              // that was given
  std::filesystem::path folder;  // in which relative names of the text start
  detail::Table model, parameters, ground, solver, output;
  std::list<detail::Table> bodies, joints, motions, forces, pairs;
  std::list<std::pair<std::string, detail::Table>> materials, contacts;

  // Nothing was set beyond what the file says.
  bool unchanged() const {
    return model.empty() && parameters.empty() && ground.empty() && solver.empty() && output.empty() &&
           bodies.empty() && joints.empty() && motions.empty() && forces.empty() && materials.empty() &&
           contacts.empty() && pairs.empty();
  }
};

// The parts of a model, for the sources of the façade.
struct ModelAccess {
  static const Model::Impl& impl(const Model& model) { return *model.impl_; }
};

}  // namespace carom::v1
