#include "validation/read_case.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "model_io/check_value.h"
#include "model_io/document.h"

namespace carom {

const std::vector<std::string>& check_kind_names() {
  static const std::vector<std::string> names = {"reference", "final",    "extreme", "constant", "bound",
                                                 "period",    "residual", "drift",   "mode"};
  return names;
}

const std::string& name_of(CheckKind kind) {
  return check_kind_names()[static_cast<std::size_t>(kind)];
}

namespace {

using Names = std::vector<std::string>;

// Keys of a kind besides name, kind, reason.
struct KindKeys {
  Names required, optional;
};

const KindKeys& keys_of(CheckKind kind) {
  static const Names tolerances = {"tolerance_relative", "tolerance_absolute"};
  static const KindKeys table[] = {{{"quantity"}, tolerances},
                                   {{"quantity", "value"}, tolerances},
                                   {{"quantity", "which", "value"}, tolerances},
                                   {{"quantity"}, {"tolerance_relative", "tolerance_absolute", "scale"}},
                                   {{"quantity", "limit"}, {}},
                                   {{"quantity", "value"}, tolerances},
                                   {{"tolerance_relative"}, {}},
                                   {{"limit"}, {}},
                                   {{"number", "frequency", "tolerance_relative"}, {"damping_ratio"}}};
  return table[static_cast<std::size_t>(kind)];
}

class CaseReader {
 public:
  CaseReader(std::string file, ProblemList& problems) : file_(std::move(file)), problems_(problems) {}

  Case read(const Node& root) {
    Case result;
    require(root, "", {"title", "source", "why"}, {"check", "convergence", "plot"});
    text(root, "title", "title", result.title);
    text(root, "source", "source", result.source);
    text(root, "why", "why", result.why);
    each_table(root, "check", [&](const Node& table, const std::string& path) {
      if (auto check = read_check(table, path)) result.checks.push_back(std::move(*check));
    });
    each_table(root, "convergence", [&](const Node& table, const std::string& path) {
      result.convergences.push_back(read_convergence(table, path));
    });
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
    require(table, path, keys.required, keys.optional);
    text(table, "name", path + ".name", check.name);
    text(table, "reason", path + ".reason", check.reason);
    names(table, "quantity", path + ".quantity", check.quantities);
    positive(table, "tolerance_relative", path, check.tolerance_relative);
    positive(table, "tolerance_absolute", path, check.tolerance_absolute);
    positive(table, "limit", path, check.limit);
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

  Convergence read_convergence(const Node& table, const std::string& path) {
    Convergence result;
    require(table, path, {"name", "integrator", "period", "quantity", "order", "tolerance", "reason"},
            {"constraints", "rho_infinity"});
    text(table, "name", path + ".name", result.name);
    text(table, "integrator", path + ".integrator", result.integrator);
    if (const Node* node = table.find("integrator"); node && steps_per_period(result.integrator) == 0) {
      complain(node->where, path + ".integrator", found_text(*node),
               "`generalized-alpha` or `rk`, which take fixed steps");
    }
    text(table, "constraints", path + ".constraints", result.constraints);
    text(table, "reason", path + ".reason", result.reason);
    names(table, "quantity", path + ".quantity", result.quantities);
    positive(table, "order", path, result.order);
    positive(table, "tolerance", path, result.tolerance);
    if (double rho = 0; number(table, "rho_infinity", path, rho)) result.rho_infinity = rho;
    positive(table, "period", path, result.period);
    return result;
  }

  void read_plot(const Node& node, CasePlot& plot) {
    require(node, "plot", {"quantities"}, {"title"});
    text(node, "title", "plot.title", plot.title);
    const Node* quantities = node.find("quantities");
    if (!quantities) return;
    const auto* panels = quantities->as<Node::List>();
    if (!panels)
      return complain(quantities->where, "plot.quantities", found_text(*quantities), "a list of lists of quantities");
    for (const Node& panel : *panels) {
      plot.panels.emplace_back();
      read_names(panel, "plot.quantities", plot.panels.back());
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

  void read_names(const Node& node, const std::string& path, Names& result) {
    if (const auto* one = node.as<std::string>()) {
      result.push_back(*one);
    } else if (const auto* list = node.as<Node::List>()) {
      for (const Node& item : *list) {
        if (const auto* given = item.as<std::string>()) {
          result.push_back(*given);
        } else {
          complain(item.where, path, found_text(item), "the name of a quantity");
        }
      }
    }
    if (result.empty()) complain(node.where, path, found_text(node), "a quantity or a list of quantities");
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

// A reference check needs its columns.
void require_columns(const Case& result, const std::string& file, ProblemList& problems) {
  const auto need = [&](const std::string& quantity, const std::string& key) {
    if (result.reference.find(quantity)) return;
    problems.add(Problem{.file = file,
                         .key = key,
                         .found = carom::quoted(quantity),
                         .expected = "a column of reference.csv",
                         .remedy = did_you_mean(quantity, result.reference.names)});
  };
  for (const Check& check : result.checks) {
    if (check.kind != CheckKind::reference) continue;
    for (const std::string& quantity : check.quantities) need(quantity, "check." + check.name + ".quantity");
  }
  for (const Convergence& convergence : result.convergences) {
    for (const std::string& quantity : convergence.quantities)
      need(quantity, "convergence." + convergence.name + ".quantity");
  }
}

}  // namespace

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
  if (problems.errors() == errors) require_columns(result, file, problems);
  return result;
}

}  // namespace carom
