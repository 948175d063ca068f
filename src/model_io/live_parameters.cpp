#include "model_io/live_parameters.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "model_io/read_model.h"

namespace carom::inline model_io {
namespace {

bool starts_name(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_';
}

bool continues_name(char c) {
  return starts_name(c) || ('0' <= c && c <= '9');
}

// The names in an expression; units in brackets are none.
std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '[') k = std::min(text.find(']', k), text.size() - 1);
    const bool inside = k > 0 && (continues_name(text[k - 1]) || text[k - 1] == '.');
    if (!starts_name(text[k]) || inside) continue;
    std::size_t end = k;
    while (end < text.size() && continues_name(text[end])) ++end;
    names.push_back(text.substr(k, end - k));
    k = end - 1;
  }
  return names;
}

// "body.rod" of an entry of a list, if it has a name.
std::string entry_key(const std::string& key, const Node& item) {
  const Node* name = item.as<Node::Table>() ? item.find("name") : nullptr;
  const std::string* text = name ? name->as<std::string>() : nullptr;
  return text ? key + "." + *text : key;
}

}  // namespace

LiveParameters::LiveParameters(Documents documents) : documents_(std::move(documents)) {
  for (const Document& document : documents_.all) {
    if (const Node* table = document.root.find("parameters"); table && table->as<Node::Table>()) {
      for (const Entry& entry : *table->as<Node::Table>()) {
        names_.push_back(entry.key);
        if (entry.value.as<Node::Table>()) fixed_uses_[entry.key].emplace_back("a signal that events set");
        const std::string* text = entry.value.as<std::string>();
        if (!text || !text->starts_with('=')) continue;
        for (const std::string& other : names_in(*text)) users_[other].insert(entry.key);
      }
    }
    for (const Entry& entry : *document.root.as<Node::Table>()) {
      if (entry.key != "parameters") note_uses(entry.value, entry.key, entry.key == "force");
    }
  }
}

void LiveParameters::note_uses(const Node& node, const std::string& key, bool in_force) {
  if (const auto* text = node.as<std::string>(); text && text->starts_with('=')) {
    for (const std::string& name : names_in(*text)) {
      if (in_force) {
        in_forces_.insert(name);
      } else {
        fixed_uses_[name].push_back(key);
      }
    }
  } else if (const auto* list = node.as<Node::List>()) {
    for (const Node& item : *list) note_uses(item, entry_key(key, item), in_force);
  } else if (const auto* table = node.as<Node::Table>()) {
    for (const Entry& entry : *table) note_uses(entry.value, key + "." + entry.key, in_force);
  }
}

std::string LiveParameters::why_fixed(const std::string& name) const {
  if (std::find(names_.begin(), names_.end(), name) == names_.end()) {
    const std::string remedy = did_you_mean(name, names_);
    return "there is no parameter of this name" + (remedy.empty() ? "" : "; " + remedy);
  }
  std::set<std::string> affected = {name};
  std::vector<std::string> open = {name};
  while (!open.empty()) {
    const auto users = users_.find(open.back());
    open.pop_back();
    if (users == users_.end()) continue;
    for (const std::string& user : users->second) {
      if (affected.insert(user).second) open.push_back(user);
    }
  }
  bool in_forces = false;
  for (const std::string& each : affected) {
    in_forces = in_forces || in_forces_.contains(each);
    if (const auto uses = fixed_uses_.find(each); uses != fixed_uses_.end())
      return fmt::format(
          "{} depends on it, which is taken in at the start; only parameters of force elements may change",
          uses->second.front());
  }
  return in_forces ? "" : "no force element depends on it";
}

Model LiveParameters::with(const std::string& name, const std::string& text) {
  ProblemList problems;
  if (const std::string why = why_fixed(name); !why.empty()) {
    problems.add(Problem{.file = documents_.files.front(),
                         .where = {},
                         .key = "parameters." + name,
                         .found = "a change while the simulation goes on: " + why,
                         .expected = "a parameter that force elements alone depend on",
                         .remedy = ""});
    throw InputError(problems);
  }
  std::map<std::string, std::string> changed = set_;
  changed[name] = text;
  Model model = read_model(documents_, problems, {.set = {changed.begin(), changed.end()}});
  if (problems.errors() > 0) throw InputError(problems);
  set_ = std::move(changed);
  return model;
}

}  // namespace carom::inline model_io
