#include <algorithm>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/units.h"
#include "documents/any_quantity.h"
#include "documents/reading.h"

namespace carom::inline documents {
namespace {

bool is_identifier(const std::string& name) {
  const auto letter = [](char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return '0' <= c && c <= '9'; };
  return !name.empty() && letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || digit(c); });
}

bool counts_cycles(const std::string& quantity) {
  const auto unit = unit_of_quantity(quantity);
  return unit && unit->counts_cycles;
}

// The parameters as a graph: who refers to whom.
class ParameterSet {
 public:
  ParameterSet(Reading& reading, const Node& table,
               const std::vector<std::pair<std::string, std::string>>& replacements)
      : reading_(reading) {
    collect(table);
    replace(replacements);
    // With all names known and no values yet, expressions show what they refer to.
    for (const auto& [name, source] : sources_) reading_.parameters.emplace(name, 0);
    for (auto& [name, source] : sources_) find_references(name, source);
    reading_.parameters.clear();
  }

  void evaluate() {
    std::map<std::string, std::vector<std::string>> users;
    std::map<std::string, std::size_t> waiting;
    std::vector<std::string> ready;
    for (const auto& [name, source] : sources_) {
      for (const std::string& other : source.references) users[other].push_back(name);
      waiting[name] = source.references.size();
      if (source.references.empty()) ready.push_back(name);
    }
    while (!ready.empty()) {
      const std::string name = ready.back();
      ready.pop_back();
      waiting.erase(name);
      evaluate_one(name, sources_.at(name));
      for (const std::string& user : users[name]) {
        if (--waiting.at(user) == 0) ready.push_back(user);
      }
    }
    report_cycles(waiting);
  }

 private:
  struct Source {
    Node node;
    bool replaced = false;      // by --set
    std::string replaces = {};  // the quantity of the file that was replaced; empty if it had no unit
    std::vector<std::string> references = {};
    bool broken = false;
  };

  static KeyPath key_of(const std::string& name) { return KeyPath::section("parameters") / name; }

  void collect(const Node& table) {
    const Node::Table* entries = table.as<Node::Table>();
    if (!entries) return;
    for (const Entry& entry : *entries) {
      reading_.note(key_of(entry.key), entry.value);
      if (!is_identifier(entry.key) || entry.key == "t") {
        reading_.complain(entry.value.file, entry.where, key_of(entry.key),
                          {entry.key == "t" ? "the name of the time" : "a name no expression can use",
                           "a name of letters, digits and _ that does not start with a digit and is not `t`", ""});
        continue;
      }
      sources_[entry.key] = {entry.value.as<Node::Table>() ? variable_of(entry) : entry.value};
    }
  }

  // k = { value = "200 N/m", variable = true }
  Node variable_of(const Entry& entry) {
    for (const Entry& each : *entry.value.as<Node::Table>()) {
      if (each.key == "value" || each.key == "variable") continue;
      reading_.complain(each.value.file, each.where, key_of(entry.key) / each.key,
                        unknown_key(each.key, {"value", "variable"}));
    }
    const Node *value = entry.value.find("value"), *flag = entry.value.find("variable");
    if (!value || (flag && !flag->as<bool>())) {
      reading_.complain(entry.value, key_of(entry.key),
                        {found_text(entry.value), "a number, a quantity or an expression",
                         "a parameter that events set is { value = …, variable = true }"});
      return Node{0.0, entry.value.where, entry.value.file};
    }
    if (flag && *flag->as<bool>()) reading_.variables.insert(entry.key);
    return *value;
  }

  void replace(const std::vector<std::pair<std::string, std::string>>& replacements) {
    for (const auto& [name, text] : replacements) {
      const auto found = sources_.find(name);
      if (found == sources_.end()) {
        std::vector<std::string> names;
        for (const auto& [each, source] : sources_) names.push_back(each);
        complain_about_option(
            name, {"an unknown parameter", names.empty() ? "a model with [parameters]" : alternatives(names),
                   did_you_mean(name, names)});
        continue;
      }
      const std::string* before = found->second.node.as<std::string>();
      if (before && !before->starts_with('=')) found->second.replaces = *before;
      found->second.node.value = text;
      found->second.replaced = true;
      reading_.replaced_parameters.insert(name);
    }
  }

  void find_references(const std::string& name, Source& source) {
    const std::string* text = source.node.as<std::string>();
    if (!text || !text->starts_with('=')) return;
    const auto result = compile_expression(reading_, std::string_view(*text).substr(1), {});  // no dimensions known yet
    if (const auto* expression = std::get_if<Expression>(&result)) {
      source.references = expression->names_used();
    } else if (source.replaced) {
      const auto& error = std::get<ExpressionError>(result);
      complain_about_option(name, {quoted_text(*text), "an expression: " + error.message, error.remedy});
      source.broken = true;
    } else {
      read_expression(reading_, source.node, {}, key_of(name));  // reports the error at its column
      source.broken = true;
    }
  }

  void evaluate_one(const std::string& name, const Source& source) {
    std::optional<Measured> read;
    if (!source.broken)
      read = source.replaced ? replaced_value(name, source)
                             : read_measured(reading_, source.node, any_unit, "a number, a quantity or an expression",
                                             key_of(name));
    if (read) {
      reading_.parameters[name] = read->value;
      if (read->dimension) reading_.dimensions.emplace(name, *read->dimension);
      if (read->counts_cycles) reading_.counted_in_cycles.insert(name);
    } else {
      reading_.broken_parameters.insert(name);
    }
  }

  // Problems of --set have no place in a file.
  std::optional<Measured> replaced_value(const std::string& name, const Source& source) {
    ProblemList inside;
    Reading option(reading_.documents, inside);
    option.parameters = reading_.parameters;
    option.dimensions = reading_.dimensions;
    option.counted_in_cycles = reading_.counted_in_cycles;
    option.broken_parameters = reading_.broken_parameters;
    option.check_dimensions = reading_.check_dimensions;
    auto read = read_measured(option, source.node, any_unit, "a number, a quantity or an expression", key_of(name));
    for (const Problem& problem : inside.all()) {
      complain_about_option(name, {problem.found, problem.expected, problem.remedy});
    }
    if (!read || source.replaces.empty() || !parse_any_quantity(source.replaces).ok()) return read;
    const std::string& text = *source.node.as<std::string>();
    const auto before = dimension_of_quantity(source.replaces);
    const bool same_kind = text.starts_with('=')
                               ? !reading_.check_dimensions || !read->dimension || !before || read->dimension == before
                               : parse_quantity(text, si_unit_of(source.replaces)).ok();
    if (!same_kind) {
      const std::string unit = !text.starts_with('=')      ? ""
                               : read->dimension->is_one() ? ", which has no unit"
                                                           : ", which is in " + read->dimension->text();
      complain_about_option(name,
                            {quoted_text(text) + unit,
                             "a quantity of the same kind as " + quoted_text(source.replaces) + " in the file", ""});
      return std::nullopt;
    }
    if (!read->dimension) {  // a plain number is SI, of what the file says
      read->dimension = before;
      read->counts_cycles = counts_cycles(source.replaces);
    }
    return read;
  }

  void complain_about_option(const std::string& name, const Complaint& complaint) {
    reading_.add({Severity::error, "--set " + name, {}, "", complaint.found, complaint.expected, complaint.remedy});
  }

  // `waiting` holds the members of cycles and all that refer to them; every cycle is reported once.
  void report_cycles(const std::map<std::string, std::size_t>& waiting) {
    std::set<std::string> seen;
    for (const auto& [start, count] : waiting) {
      reading_.broken_parameters.insert(start);
      std::vector<std::string> path;
      std::string name = start;
      while (seen.insert(name).second) {
        path.push_back(name);
        const auto& references = sources_.at(name).references;
        name = *std::find_if(references.begin(), references.end(),
                             [&](const auto& each) { return waiting.contains(each); });
      }
      const auto first = std::find(path.begin(), path.end(), name);
      if (first == path.end()) continue;  // leads into a cycle that is reported already
      std::string text;
      constexpr int longest = 20;  // names of a cycle that are shown
      for (auto each = first; each != path.end() && each - first < longest; ++each) {
        text += *each;
        text += " → ";
      }
      if (path.end() - first > longest) text += "… → ";
      reading_.complain(sources_.at(name).node, key_of(name),
                        {fmt::format("a cycle: {}{}", text, name), "parameters that do not depend on themselves", ""});
    }
  }

  Reading& reading_;
  std::map<std::string, Source> sources_;
};

}  // namespace

void read_parameters(Reading& reading, const Node& table,
                     const std::vector<std::pair<std::string, std::string>>& replacements) {
  ParameterSet(reading, table, replacements).evaluate();
}

}  // namespace carom::inline documents
