#include "validation/read_case.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "documents/check_value.h"
#include "documents/document.h"

namespace carom::inline validation {

const std::vector<std::string>& check_kind_names() {
  static const std::vector<std::string> names = {
      "reference", "final", "extreme",  "constant", "falls", "bound",       "reaches",    "period", "residual",
      "drift",     "mode",  "episodes", "sum",      "rises", "penetration", "iterations", "wear"};
  return names;
}

const std::string& name_of(CheckKind kind) {
  return check_kind_names()[static_cast<std::size_t>(kind)];
}

const std::vector<std::string>& chosen_moments() {
  static const std::vector<std::string> names = {"before", "after", "not recorded"};
  return names;
}

namespace {

using Names = std::vector<std::string>;

// Keys of a kind besides name, kind, reason.
struct KindKeys {
  Names required, optional;
};

const KindKeys& keys_of(CheckKind kind) {
  static const Names tolerances = {"tolerance_relative", "tolerance_absolute"};
  static const KindKeys table[] = {
      {{"quantity"}, tolerances},
      {{"quantity", "value"}, tolerances},
      {{"quantity", "which", "value"}, tolerances},
      {{"quantity"}, {"tolerance_relative", "tolerance_absolute", "scale"}},
      {{"quantity"}, tolerances},
      {{"quantity", "limit"}, {"begin"}},
      {{"quantity", "limit"}, {"begin"}},
      {{"quantity", "value"}, tolerances},
      {{"tolerance_relative"}, {}},
      {{"limit"}, {}},
      {{"number", "frequency", "tolerance_relative"}, {"damping_ratio"}},
      {{"contact", "table"}, {"tolerance_relative", "tolerance_absolute", "columns", "count"}},
      {{"quantity", "value"}, tolerances},
      {{"quantity"}, {}},
      {{"limit"}, {}},
      {{"most"}, {}},
      {{"contact", "volumes"}, {"tolerance_relative", "tolerance_absolute", "begin", "growth"}}};
  return table[static_cast<std::size_t>(kind)];
}

class CaseReader {
 public:
  CaseReader(std::string file, ProblemList& problems) : file_(std::move(file)), problems_(problems) {}

  Case read(const Node& root) {
    Case result;
    require(root, "", {"title", "source", "why"}, {"check", "convergence", "variant", "plot", "long", "unnoticed"});
    text(root, "title", "title", result.title);
    text(root, "source", "source", result.source);
    text(root, "why", "why", result.why);
    if (const Node* node = root.find("long")) {
      const bool* given = node->as<bool>();
      if (!given) complain(node->where, "long", found_text(*node), "true or false");
      result.long_run = given && *given;
    }
    each_table(root, "check", [&](const Node& table, const std::string& path) {
      if (auto check = read_check(table, path)) result.checks.push_back(std::move(*check));
    });
    each_table(root, "convergence", [&](const Node& table, const std::string& path) {
      result.convergences.push_back(read_convergence(table, path));
    });
    each_table(root, "variant",
               [&](const Node& table, const std::string& path) { read_variants(table, path, result.variants); });
    each_table(root, "unnoticed", [&](const Node& table, const std::string& path) {
      result.unnoticed.push_back(read_unnoticed(table, path));
    });
    check_variants(root, result);
    if (const Node* plot = root.find("plot")) read_plot(*plot, result.plot);
    if (!root.find("check") && !root.find("convergence")) {
      complain(root.where, "check", "none", "at least one [[check]] or [[convergence]]");
    }
    return result;
  }

 private:
  std::optional<Check> read_check(const Node& table, const std::string& path) {
    Check check;
    std::string kind;
    if (!text(table, "kind", path + ".kind", kind)) {
      if (!table.find("kind")) complain(table.where, path + ".kind", "nothing", alternatives(check_kind_names()));
      return std::nullopt;
    }
    const Names& kinds = check_kind_names();
    const auto found = std::find(kinds.begin(), kinds.end(), kind);
    if (found == kinds.end()) {
      complain(table.find("kind")->where, path + ".kind", carom::quoted(kind), alternatives(kinds),
               did_you_mean(kind, kinds));
      return std::nullopt;
    }
    check.kind = static_cast<CheckKind>(found - kinds.begin());
    KindKeys keys = keys_of(check.kind);
    keys.required.insert(keys.required.end(), {"name", "kind", "reason"});
    keys.optional.insert(keys.optional.end(), {"variant", "chosen"});
    require(table, path, keys.required, keys.optional);
    names(table, "variant", path + ".variant", check.variants);
    text(table, "contact", path + ".contact", check.contact);
    text(table, "table", path + ".table", check.table);
    names(table, "columns", path + ".columns", check.columns);
    if (double count = 0; number(table, "count", path, count)) check.count = static_cast<int>(count);
    text(table, "name", path + ".name", check.name);
    text(table, "reason", path + ".reason", check.reason);
    read_chosen(table, path + ".chosen", check.chosen);
    names(table, "quantity", path + ".quantity", check.quantities);
    positive(table, "tolerance_relative", path, check.tolerance_relative);
    positive(table, "tolerance_absolute", path, check.tolerance_absolute);
    positive(table, "limit", path, check.limit);
    number(table, "begin", path, check.begin);
    if (const Node* most = table.find("most"))
      read_numbers(*most, path + ".most", 3, "three numbers: smooth motion, position, velocity", check.most);
    if (const Node* volumes = table.find("volumes"))
      read_numbers(*volumes, path + ".volumes", 2, "two volumes in m³, in the order of the bodies", check.volumes);
    if (double growth = 0; positive(table, "growth", path, growth)) check.growth = growth;
    positive(table, "frequency", path, check.frequency);
    number(table, "value", path, check.value);
    number(table, "damping_ratio", path, check.damping_ratio);
    if (double scale = 0; positive(table, "scale", path, scale)) check.scale = scale;
    if (double count = 1; positive(table, "number", path, count)) check.number = static_cast<int>(count);
    std::string which = "max";
    if (text(table, "which", path + ".which", which) && which != "min" && which != "max") {
      complain(table.find("which")->where, path + ".which", carom::quoted(which), "`min` or `max`");
    }
    check.largest = which == "max";
    const Names& optional = keys_of(check.kind).optional;
    const bool tolerance_asked = std::find(optional.begin(), optional.end(), "tolerance_absolute") != optional.end();
    if (tolerance_asked && !table.find("tolerance_relative") && !table.find("tolerance_absolute")) {
      complain(table.where, path, "no tolerance", "tolerance_relative, tolerance_absolute or both");
    }
    return check;
  }

  void read_chosen(const Node& table, const std::string& path, std::string& chosen) {
    if (!text(table, "chosen", path, chosen)) return;
    const std::string moment = chosen.substr(0, chosen.find(':'));
    if (std::ranges::count(chosen_moments(), moment) == 0) {
      complain(table.find("chosen")->where, path, carom::quoted(chosen),
               alternatives(chosen_moments()) + ", and words after a colon");
    }
  }

  void read_numbers(const Node& node, const std::string& path, std::size_t count, const std::string& expected,
                    std::vector<double>& numbers) {
    if (const auto* list = node.as<Node::List>()) {
      double value = 0;
      for (const Node& each : *list) {
        if (to_number(each, value)) numbers.push_back(value);
      }
    }
    if (numbers.size() != count) complain(node.where, path, found_text(node), expected);
  }

  Convergence read_convergence(const Node& table, const std::string& path) {
    Convergence result;
    require(table, path, {"name", "integrator", "period", "quantity", "order", "tolerance", "reason"},
            {"constraints", "rho_infinity", "chosen"});
    text(table, "name", path + ".name", result.name);
    text(table, "integrator", path + ".integrator", result.integrator);
    if (const Node* node = table.find("integrator"); node && steps_per_period(result.integrator) == 0) {
      complain(node->where, path + ".integrator", found_text(*node),
               "`generalized-alpha` or `rk`, which take fixed steps");
    }
    text(table, "constraints", path + ".constraints", result.constraints);
    text(table, "reason", path + ".reason", result.reason);
    read_chosen(table, path + ".chosen", result.chosen);
    read_groups(table, path + ".quantity", result.groups);
    positive(table, "order", path, result.order);
    positive(table, "tolerance", path, result.tolerance);
    if (double rho = 0; number(table, "rho_infinity", path, rho)) result.rho_infinity = rho;
    positive(table, "period", path, result.period);
    return result;
  }

  Unnoticed read_unnoticed(const Node& table, const std::string& path) {
    Unnoticed result;
    require(table, path, {"parameter", "reason"}, {});
    if (const Node* node = table.find("parameter"))
      read_names(*node, path + ".parameter", result.parameters, "a parameter", "parameters");
    text(table, "reason", path + ".reason", result.reason);
    if (const Node* node = table.find("reason"); node && result.reason.find_first_not_of(" \t\n") == std::string::npos)
      complain(node->where, path + ".reason", "nothing", "why no check can notice it");
    return result;
  }

  // One variant, or with `grid` one for every combination of its values.
  void read_variants(const Node& table, const std::string& path, std::vector<Variant>& variants) {
    const Node* grid = table.find("grid");
    require(table, path, grid ? Names{} : Names{"name", "set"}, {"name", "set", "grid", "reference", "fails"});
    Variant variant;
    text(table, "name", path + ".name", variant.name);
    text(table, "reference", path + ".reference", variant.reference_file);
    text(table, "fails", path + ".fails", variant.fails);
    if (const Node* set = table.find("set")) {
      each_change(*set, "", path + ".set", [&](const std::string& key, const Node& value) {
        variant.changes.push_back({key, toml_text(value)});
      });
    }
    std::vector<Variant> all = {std::move(variant)};
    if (grid) {
      each_change(*grid, "", path + ".grid", [&](const std::string& key, const Node& values) {
        const auto* list = values.as<Node::List>();
        if (!list || list->empty())
          return complain(values.where, path + ".grid." + key, found_text(values), "a list of values");
        std::vector<Variant> more;
        for (const Variant& one : all) {
          for (const Node& value : *list) {
            more.push_back(one);
            more.back().changes.push_back({key, toml_text(value)});
            more.back().name += (one.name.empty() ? "" : " ") + more.back().label_of(key);
          }
        }
        all = std::move(more);
      });
    }
    variants.insert(variants.end(), all.begin(), all.end());
  }

  // Calls action(path, value) for every value in nested tables.
  template <class Action>
  void each_change(const Node& node, const std::string& prefix, const std::string& path, const Action& action) {
    const auto* entries = node.as<Node::Table>();
    if (!entries) return complain(node.where, path, found_text(node), "a table: { \"contact.floor.law\" = … }");
    for (const Entry& entry : *entries) {
      const std::string key = prefix + entry.key;
      if (entry.value.as<Node::Table>()) {
        each_change(entry.value, key + ".", path, action);
      } else {
        action(key, entry.value);
      }
    }
  }

  static std::string toml_text(const Node& node) {
    if (const auto* given = node.as<std::string>()) {
      std::string quoted = "\"";
      for (const char c : *given) quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
      return quoted + "\"";
    }
    if (const auto* truth = node.as<bool>()) return *truth ? "true" : "false";
    if (const auto* whole = node.as<std::int64_t>()) return fmt::format("{}", *whole);
    if (const auto* real = node.as<double>()) return fmt::format("{}", *real);
    std::string all;
    if (const auto* list = node.as<Node::List>()) {
      for (const Node& item : *list) all += (all.empty() ? "" : ", ") + toml_text(item);
    }
    return "[" + all + "]";
  }

  void check_variants(const Node& root, const Case& result) {
    Names known;
    for (const Variant& variant : result.variants) {
      if (std::find(known.begin(), known.end(), variant.name) != known.end())
        complain(root.where, "variant." + variant.name, "a name that is taken", "names that differ");
      known.push_back(variant.name);
    }
    if (!known.empty() && !result.convergences.empty())
      complain(root.where, "convergence", "variants", "a case without variants");
    for (const Check& check : result.checks) {
      const auto held =
          std::count_if(known.begin(), known.end(), [&](const auto& name) { return check.holds_for(name); });
      if (check.kind == CheckKind::rises && held < 2)
        complain(root.where, "check." + check.name, fmt::format("{} variants", held),
                 "two variants or more to compare");
      for (const std::string& pattern : check.variants) {
        if (std::any_of(known.begin(), known.end(), [&](const std::string& name) {
              return matches_pattern(name, pattern.substr(pattern.starts_with('!') ? 1 : 0));
            }))
          continue;
        complain(root.where, "check." + check.name + ".variant", carom::quoted(pattern), "a variant of the case",
                 did_you_mean(pattern, known));
      }
    }
  }

  void read_panel(const Node& table, const std::string& path, PlotPanel& panel) {
    const bool over_variants = table.find("contact") != nullptr;
    if (over_variants) {
      require(table, path, {"contact", "x", "y"}, {"series", "number", "title", "variant"});
    } else {
      require(table, path, {"quantity"}, {"x", "begin", "end", "where", "title", "variant"});
    }
    text(table, "title", path + ".title", panel.title);
    names(table, "quantity", path + ".quantity", panel.quantities);
    names(table, "variant", path + ".variant", panel.variants);
    text(table, "x", path + ".x", panel.x);
    text(table, "where", path + ".where", panel.where);
    number(table, "begin", path, panel.begin);
    number(table, "end", path, panel.end);
    text(table, "contact", path + ".contact", panel.contact);
    text(table, "y", path + ".y", panel.y);
    text(table, "series", path + ".series", panel.series);
    if (double count = 1; positive(table, "number", path, count)) panel.number = static_cast<int>(count);
    const Names& columns = episode_columns();
    if (over_variants && std::find(columns.begin(), columns.end(), panel.y) == columns.end()) {
      complain(table.where, path + ".y", carom::quoted(panel.y), alternatives(columns), did_you_mean(panel.y, columns));
    }
  }

  void read_plot(const Node& node, CasePlot& plot) {
    require(node, "plot", {}, {"title", "quantities", "panel"});
    text(node, "title", "plot.title", plot.title);
    each_table(node, "panel", [&](const Node& table, const std::string& path) {
      read_panel(table, "plot." + path, plot.panels.emplace_back());
    });
    const Node* quantities = node.find("quantities");
    if (!quantities) return;
    const auto* panels = quantities->as<Node::List>();
    if (!panels)
      return complain(quantities->where, "plot.quantities", found_text(*quantities), "a list of lists of quantities");
    for (const Node& panel : *panels) {
      plot.panels.emplace_back();
      read_names(panel, "plot.quantities", plot.panels.back().quantities);
    }
  }

  template <class Action>
  void each_table(const Node& root, const std::string& key, const Action& action) {
    const Node* node = root.find(key);
    if (!node) return;
    const auto* list = node->as<Node::List>();
    if (!list) return complain(node->where, key, found_text(*node), "a list of tables: [[" + key + "]]");
    for (std::size_t k = 0; k < list->size(); ++k) {
      const Node& item = (*list)[k];
      const Node* name = item.find("name");
      const std::string* label = name ? name->as<std::string>() : nullptr;
      const std::string path = label ? fmt::format("{}.{}", key, *label) : fmt::format("{}[{}]", key, k + 1);
      if (item.as<Node::Table>()) {
        action(item, path);
      } else {
        complain(item.where, path, found_text(item), "a table");
      }
    }
  }

  // All required keys are there, and no others than these and the optional ones.
  void require(const Node& table, const std::string& path, const Names& required, const Names& optional) {
    const auto* entries = table.as<Node::Table>();
    if (!entries) return complain(table.where, path, found_text(table), "a table");
    const std::string prefix = path.empty() ? "" : path + ".";
    for (const std::string& key : required) {
      if (!table.find(key)) complain(table.where, prefix + key, "nothing", "this key");
    }
    Names valid = required;
    valid.insert(valid.end(), optional.begin(), optional.end());
    for (const Entry& entry : *entries) {
      if (std::find(valid.begin(), valid.end(), entry.key) != valid.end()) continue;
      complain(entry.where, prefix + entry.key, "an unknown key", alternatives(valid), did_you_mean(entry.key, valid));
    }
  }

  bool text(const Node& table, const std::string& key, const std::string& path, std::string& value) {
    const Node* node = table.find(key);
    if (!node) return false;
    if (const auto* given = node->as<std::string>(); given && !given->empty()) {
      value = *given;
      return true;
    }
    complain(node->where, path, found_text(*node), "a text");
    return false;
  }

  void names(const Node& table, const std::string& key, const std::string& path, Names& result) {
    if (const Node* node = table.find(key)) read_names(*node, path, result);
  }

  // A list of quantities and of lists of quantities; a single one may stand without the list.
  void read_groups(const Node& table, const std::string& path, std::vector<Names>& groups) {
    const Node* node = table.find("quantity");
    if (!node) return;
    const auto* list = node->as<Node::List>();
    if (!list || list->empty()) return read_names(*node, path, groups.emplace_back());
    for (const Node& group : *list) read_names(group, path, groups.emplace_back());
  }

  void read_names(const Node& node, const std::string& path, Names& result, const std::string& one_of = "a quantity",
                  const std::string& many_of = "quantities") {
    if (const auto* one = node.as<std::string>()) {
      result.push_back(*one);
    } else if (const auto* list = node.as<Node::List>()) {
      for (const Node& item : *list) {
        if (const auto* given = item.as<std::string>()) {
          result.push_back(*given);
        } else {
          complain(item.where, path, found_text(item), "the name of " + one_of);
        }
      }
    }
    if (result.empty()) complain(node.where, path, found_text(node), one_of + " or a list of " + many_of);
  }

  static bool to_number(const Node& node, double& value) {
    if (const auto* real = node.as<double>()) {
      value = *real;
    } else if (const auto* whole = node.as<std::int64_t>()) {
      value = static_cast<double>(*whole);
    } else {
      return false;
    }
    return std::isfinite(value);
  }

  bool number(const Node& table, const std::string& key, const std::string& path, double& value) {
    const Node* node = table.find(key);
    if (!node) return false;
    if (to_number(*node, value)) return true;
    complain(node->where, path + "." + key, found_text(*node), "a number");
    return false;
  }

  bool positive(const Node& table, const std::string& key, const std::string& path, double& value) {
    if (!number(table, key, path, value)) return false;
    if (value > 0) return true;
    complain(table.find(key)->where, path + "." + key, number_text(value), "a number > 0");
    return false;
  }

  void complain(SourceLocation where, const std::string& key, const std::string& found, const std::string& expected,
                const std::string& remedy = {}) {
    problems_.add(
        Problem{.file = file_, .where = where, .key = key, .found = found, .expected = expected, .remedy = remedy});
  }

  std::string file_;
  ProblemList& problems_;
};

// The last pattern that fits decides; one that starts with ! excludes. Without any that includes, all are meant.
bool selects(const Names& patterns, const std::string& variant) {
  bool selected =
      std::none_of(patterns.begin(), patterns.end(), [](const std::string& one) { return !one.starts_with('!'); });
  for (const std::string& pattern : patterns) {
    const bool excludes = pattern.starts_with('!');
    if (matches_pattern(variant, pattern.substr(excludes ? 1 : 0))) selected = !excludes;
  }
  return selected;
}

// A reference check needs its columns, and so does one of episodes.
void require_columns(const Case& result, const std::string& file, ProblemList& problems) {
  const auto need_in = [&](const Names& names, const std::string& table, const std::string& name,
                           const std::string& key) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    problems.add(Problem{.file = file,
                         .key = key,
                         .found = carom::quoted(name),
                         .expected = "a column of " + table,
                         .remedy = did_you_mean(name, names)});
  };
  const auto need = [&](const std::string& quantity, const std::string& key) {
    need_in(result.reference.names, "reference.csv", quantity, key);
  };
  for (const Check& check : result.checks) {
    const std::string key = "check." + check.name;
    for (const std::string& column : check.columns)
      need_in(check.episodes.columns, check.table, column, key + ".columns");
    if (check.kind != CheckKind::reference) continue;
    for (const std::string& quantity : check.quantities) {
      if (result.variants.empty()) need(quantity, key + ".quantity");
      for (const Variant& variant : result.variants) {
        if (!check.holds_for(variant.name)) continue;
        need_in(result.reference_of(variant.name).names,
                variant.reference_file.empty() ? "reference.csv" : variant.reference_file, quantity, key + ".quantity");
      }
    }
  }
  for (const Convergence& convergence : result.convergences) {
    for (const Names& group : convergence.groups) {
      for (const std::string& quantity : group) need(quantity, "convergence." + convergence.name + ".quantity");
    }
  }
}

}  // namespace

bool Check::holds_for(const std::string& variant) const {
  return selects(variants, variant);
}

bool PlotPanel::shows(const std::string& variant) const {
  return selects(variants, variant);
}

std::string Variant::label_of(const std::string& path) const {
  for (const Change& change : changes) {
    if (change.path != path) continue;
    const bool text = change.value.size() > 1 && change.value.front() == '"';
    return text ? change.value.substr(1, change.value.size() - 2) : change.value;
  }
  return {};
}

const ReferenceTable& Case::reference_of(const std::string& variant) const {
  for (const Variant& one : variants) {
    if (one.name == variant && one.reference) return *one.reference;
  }
  return reference;
}

std::vector<std::string> list_cases(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (std::filesystem::exists(entry.path() / "case.toml")) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Case read_case_text(std::string_view text, const std::string& file_name, ProblemList& problems) {
  Problem problem{.file = file_name};
  Node root;
  if (!check_text(text, problem) || !parse_toml(text, 0, root, problem)) {
    problems.add(problem);
    return {};
  }
  return CaseReader(file_name, problems).read(root);
}

Case read_case(const std::filesystem::path& folder, ProblemList& problems) {
  const std::string file = (folder / "case.toml").string();
  std::string text;
  Problem problem{.file = file};
  if (!load_text(file, text, problem)) {
    problems.add(problem);
    return {};
  }
  const int errors = problems.errors();
  Case result = read_case_text(text, file, problems);
  result.folder = folder;
  result.name = folder.filename().string();
  if (std::filesystem::exists(folder / "reference.csv")) {
    result.reference = read_reference(folder / "reference.csv", problems);
  }
  for (Variant& variant : result.variants) {
    if (!variant.reference_file.empty()) variant.reference = read_reference(folder / variant.reference_file, problems);
  }
  for (Check& check : result.checks) {
    if (!check.table.empty()) check.episodes = read_episodes(folder / check.table, problems);
  }
  if (problems.errors() == errors) require_columns(result, file, problems);
  return result;
}

}  // namespace carom::inline validation
