#include "studies/read_study.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "documents/any_quantity.h"
#include "documents/reading.h"
#include "dynamics/system.h"
#include "model_io/read_model.h"
#include "model_io/validate.h"
#include "recording/select_quantities.h"
#include "simulation/model_lyapunov.h"
#include "studies/journal.h"
#include "studies/lyapunov_quantity.h"
#include "studies/read_figures.h"
#include "studies/read_varied.h"
#include "studies/reductions.h"
#include "studies/study_channels.h"
#include "studies/study_run.h"

namespace carom::inline studies {
namespace {

using Kind = ParameterKind;
using Names = std::vector<std::string>;

const std::vector<ParameterDescription>& study_rows() {
  static const std::vector<ParameterDescription> rows = {
      {.name = "name", .kind = Kind::text},
      {.name = "sampling", .kind = Kind::choice, .choices = sampling_names()},
      {.name = "samples", .kind = Kind::integer, .minimum = 1},
      {.name = "seed", .kind = Kind::integer, .minimum = 0},
      {.name = "keep", .kind = Kind::boolean}};
  return rows;
}

const std::vector<ParameterDescription>& steady_rows() {
  static const std::vector<ParameterDescription> rows = {
      {.name = "from", .unit = "s"}, {.name = "skip_turns", .minimum = 0}, {.name = "detect", .kind = Kind::boolean}};
  return rows;
}

const std::vector<ParameterDescription>& section_rows() {
  static const std::vector<ParameterDescription> rows = {
      {.name = "event", .kind = Kind::text},
      {.name = "kind", .kind = Kind::text},
      {.name = "crossing", .kind = Kind::text},
      {.name = "direction", .kind = Kind::choice, .choices = {"up", "down", "both"}}};
  return rows;
}

const std::vector<ParameterDescription>& woehler_rows() {
  static const std::vector<ParameterDescription> rows = {
      {.name = "cycles", .required = true, .minimum = 0, .minimum_allowed = false},
      {.name = "exponent", .required = true, .minimum = 0, .minimum_allowed = false}};
  return rows;
}

std::vector<ParameterDescription> quantity_rows() {
  Names names;
  for (const ReductionDescription& each : reductions()) names.push_back(each.name);
  return {{.name = "name", .kind = Kind::text},
          {.name = "reduce", .kind = Kind::choice, .choices = names},
          {.name = "percent", .minimum = 0, .maximum = 100},
          {.name = "exponent", .minimum = 0, .minimum_allowed = false},
          {.name = "rating", .unit = "N", .minimum = 0, .minimum_allowed = false},
          {.name = "kind", .kind = Kind::text},
          {.name = "how", .kind = Kind::choice, .choices = {"separation", "variation"}},
          {.name = "separation", .minimum = 1e-9, .maximum = 1e-2},
          {.name = "from", .unit = "s"},
          {.name = "to", .unit = "s"},
          {.name = "every", .kind = Kind::integer, .minimum = 1},
          {.name = "unit", .kind = Kind::text}};
}

class StudyReader {
 public:
  StudyReader(const Documents& documents, ProblemList& problems)
      : reading_(documents, problems), problems_(problems), root_(documents.all.back().root) {}

  Study read(const std::filesystem::path& file) {
    study_.file = file.string();
    study_.text = reading_.documents.text;
    read_keys(reading_, root_, {}, {"study", "vary", "steady", "quantity", "figure"}, KeyPath{"", ""});
    const Node* head = section("study", true);
    if (head) read_head(*head, file.parent_path());
    if (study_.models.empty()) return std::move(study_);  // nothing else can be reported
    find_parameters();
    for_each("vary", [&](const Node& table, const KeyPath& key) { read_vary(table, key); });
    check_sampling(head);
    if (const Node* steady = section("steady", false)) read_steady(*steady);
    for_each("quantity", [&](const Node& table, const KeyPath& key) { read_quantity_of(table, key); });
    if (!root_.find("quantity"))
      reading_.complain(root_, KeyPath::section("quantity"),
                        {"nothing", "at least one [[quantity]]", "say what is asked of each run"});
    check_detection();
    std::vector<const Node*> figures;
    for_each("figure", [&](const Node& table, const KeyPath& key) {
      study_.figures.push_back(read_figure(reading_, table, key));
      figures.push_back(&table);
    });
    if (problems_.errors() == 0) check_figures(reading_, study_, figures);
    if (problems_.errors() == 0) check_known();
    return std::move(study_);
  }

 private:
  const Node* section(const std::string& name, bool required) {
    const Node* node = root_.find(name);
    if (node && node->as<Node::Table>()) return node;
    if (node) reading_.complain(*node, KeyPath::section(name), {found_text(*node), "a table [" + name + "]", ""});
    if (!node && required)
      reading_.complain(root_, KeyPath::section(name),
                        {"nothing", "a table [" + name + "]", "is this a study file, or a model?"});
    return nullptr;
  }

  template <class Action>
  void for_each(const std::string& name, Action action) {
    const Node* node = root_.find(name);
    if (!node) return;
    const auto* list = node->as<Node::List>();
    if (!list)
      return reading_.complain(*node, KeyPath::section(name), {found_text(*node), "tables [[" + name + "]]", ""});
    for (std::size_t k = 0; k < list->size(); ++k) {
      const Node& item = (*list)[k];
      const Node* label = item.find(name == "vary" ? "parameter" : "name");
      const std::string* text = label ? label->as<std::string>() : nullptr;
      const KeyPath key = KeyPath::entry(KeyPath::section(name), k, text ? *text : "");
      if (item.as<Node::Table>()) {
        action(item, key);
      } else {
        reading_.complain(item, key, {found_text(item), "a table [[" + name + "]]", ""});
      }
    }
  }

  // One text or several.
  Names texts(const Node& table, const std::string& name, const KeyPath& key) {
    const Node* node = table.find(name);
    if (!node) return {};
    Names result;
    const auto add = [&](const Node& item) {
      const auto* text = item.as<std::string>();
      if (text && !text->empty()) result.push_back(*text);
      if (!text || text->empty()) reading_.complain(item, key / name, {found_text(item), "a text", ""});
    };
    if (const auto* list = node->as<Node::List>()) {
      if (list->empty()) reading_.complain(*node, key / name, {"an empty list", "at least one entry", ""});
      for (const Node& item : *list) add(item);
    } else {
      add(*node);
    }
    return result;
  }

  const Node& item_of(const Node& node, std::size_t index) {
    const auto* list = node.as<Node::List>();
    return list && index < list->size() ? (*list)[index] : node;
  }

  void read_head(const Node& table, const std::filesystem::path& directory) {
    const KeyPath key = KeyPath::section("study");
    const Settings settings = read_keys(reading_, table, study_rows(), {"model", "method"}, key);
    study_.name = settings.text("name", std::filesystem::path(study_.file).stem().string());
    const std::string sampling = settings.text("sampling", "grid");
    const auto found = std::find(sampling_names().begin(), sampling_names().end(), sampling);
    if (found != sampling_names().end()) study_.sampling = static_cast<Sampling>(found - sampling_names().begin());
    study_.samples = static_cast<std::size_t>(settings.number("samples"));
    study_.seed = static_cast<std::uint64_t>(settings.number("seed"));
    study_.keep = settings.boolean("keep");
    if (!table.find("model"))
      reading_.complain(table, key / "model", {"nothing", "a model file, or a list of them", "add the key `model`"});
    const Names files = texts(table, "model", key);
    for (std::size_t k = 0; k < files.size(); ++k)
      read_model_file(directory / files[k], files[k], item_of(*table.find("model"), k), key / "model");
    read_methods(table, key);
  }

  void read_model_file(const std::filesystem::path& path, const std::string& file, const Node& at, const KeyPath& key) {
    StudyModel model{.file = file, .documents = {}, .base = {}};
    ProblemList found;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
      return reading_.complain(at, key,
                               {quoted_text(file) + (std::filesystem::exists(path, error) ? ", which is no plain file"
                                                                                          : ", which is not there"),
                                "a model file beside the study, or with the way to it", "check the name"});
    model.documents = read_documents(path, found);
    if (found.errors() == 0) model.base = read_model(model.documents, found);
    problems_.add(found);
    if (found.errors() == 0) study_.models.push_back(std::move(model));
  }

  void read_methods(const Node& table, const KeyPath& key) {
    const Names methods = texts(table, "method", key), known = choices_of<ContactMethod>();
    if (!methods.empty()) study_.methods = methods;
    for (std::size_t k = 0; k < methods.size(); ++k) {
      const Node& at = item_of(*table.find("method"), k);
      if (std::find(known.begin(), known.end(), methods[k]) == known.end()) {
        reading_.complain(at, key / "method",
                          {quoted_text(methods[k]), alternatives(known), did_you_mean(methods[k], known)});
        continue;
      }
      for (const StudyModel& each : study_.models) {
        Model model = each.base;
        model.solver.method = *find_named<ContactMethod>(methods[k]);
        ProblemList found;
        validate(model, found);
        if (found.errors() > 0)
          reading_.complain(at, key / "method",
                            {quoted_text(methods[k]), "a method that fits " + each.file, to_text(found.all().front())});
      }
    }
  }

  void find_parameters() {
    for (const auto& [name, value] : study_.models.front().base.parameters) {
      if (std::all_of(study_.models.begin(), study_.models.end(),
                      [&, &wanted = name](const StudyModel& each) { return each.base.parameters.contains(wanted); }))
        study_.parameters.push_back(name);
    }
  }

  void read_vary(const Node& table, const KeyPath& key) {
    VariedParameter varied;
    const Node* node = table.find("parameter");
    const std::string* name = node ? node->as<std::string>() : nullptr;
    if (!name) {
      reading_.complain(node ? *node : table, key / "parameter",
                        {node ? found_text(*node) : "nothing", "the name of a parameter of the model", ""});
    } else {
      varied.parameter = *name;
      check_parameter(*node, *name, key / "parameter");
    }
    const ParameterUnit in_model =
        name ? ParameterUnit{text_in_models(*name), dimension_in_models(*name)} : ParameterUnit{};
    read_varied(reading_, table, key, in_model, varied);
    if (in_model.text.empty() && !in_model.dimension && !varied.shown.empty()) check_new_unit(table, key, varied);
    study_.varied.push_back(std::move(varied));
  }

  // The study gives a unit to a parameter that had none: the models say whether it fits.
  void check_new_unit(const Node& table, const KeyPath& key, const VariedParameter& varied) {
    if (problems_.errors() > 0) return;
    for (const StudyModel& each : study_.models) {
      ProblemList found;
      const double value = each.base.parameters.at(varied.parameter);
      read_model(each.documents, found,
                 {.set = {{varied.parameter, number_text(value) + " " + si_unit_of("1 " + varied.shown)}}});
      if (found.errors() > 0)
        return reading_.complain(
            table, key, {"values in " + varied.shown, "values that fit " + each.file, to_text(found.all().front())});
    }
  }

  // What all models say of the dimension of a parameter; none where one knows nothing, or another one.
  std::optional<Dimension> dimension_in_models(const std::string& name) const {
    std::optional<Dimension> result;
    for (const StudyModel& model : study_.models) {
      const auto known = model.base.parameter_dimensions.find(name);
      if (known == model.base.parameter_dimensions.end() || (result && *result != known->second)) return std::nullopt;
      result = known->second;
    }
    return result;
  }

  ExpressionArguments parameters_as_arguments() const {
    ExpressionArguments arguments{study_.parameters, {}};
    for (const std::string& name : study_.parameters) {
      if (const auto dimension = dimension_in_models(name)) arguments.dimensions.written.emplace(name, *dimension);
    }
    return arguments;
  }

  void check_parameter(const Node& at, const std::string& name, const KeyPath& key) {
    for (const StudyModel& model : study_.models) {
      if (model.base.parameters.contains(name)) continue;
      Names names;
      for (const auto& [each, value] : model.base.parameters) names.push_back(each);
      return reading_.complain(
          at, key,
          {quoted_text(name) + ", which " + model.file + " does not have",
           names.empty() ? "a model with [parameters]" : alternatives(names), did_you_mean(name, names)});
    }
    if (std::find(table_columns().begin(), table_columns().end(), name) != table_columns().end())
      return reading_.complain(at, key,
                               {quoted_text(name) + ", which is a column of every table", "another name",
                                "rename the parameter in the model"});
    for (const VariedParameter& each : study_.varied) {
      if (each.parameter == name)
        return reading_.complain(at, key, {quoted_text(name) + ", which is varied already", "each parameter once", ""});
    }
  }

  // Names that neither parameters nor quantities may have.
  static const Names& table_columns() {
    static const Names names = [] {
      Names all = {"run", "model", "model_number", "method", "status", "reason", "t"};
      for (const Component& each : statistics_columns()) all.push_back(each.name);
      return all;
    }();
    return names;
  }

  // How the first model that gives the parameter with a unit writes it.
  std::string text_in_models(const std::string& name) const {
    for (const StudyModel& model : study_.models) {
      for (auto document = model.documents.all.rbegin(); document != model.documents.all.rend(); ++document) {
        const Node* table = document->root.find("parameters");
        const Node* node = table ? table->find(name) : nullptr;
        const std::string* text = node ? node->as<std::string>() : nullptr;
        if (text && !text->starts_with('=')) return *text;
        if (node) break;
      }
    }
    return "";
  }

  void check_sampling(const Node* head) {
    const KeyPath key = KeyPath::section("study");
    const bool drawn = study_.sampling != Sampling::grid && study_.sampling != Sampling::list;
    if (drawn && !head->find("samples"))
      reading_.complain(*head, key / "samples", {"nothing", "how many samples are drawn", "add the key `samples`"});
    if (!drawn && head->find("samples"))
      reading_.complain(*head->find("samples"), key / "samples",
                        {"a number of samples", "none with sampling = \"grid\" or \"list\", where the values are given",
                         "add sampling = \"latin-hypercube\", \"sobol\" or \"random\""});
    const auto* list = root_.find("vary") ? root_.find("vary")->as<Node::List>() : nullptr;
    std::size_t runs = study_.models.size() * study_.methods.size(), longest = 0;
    for (std::size_t k = 0; k < study_.varied.size() && list; ++k) {
      const VariedParameter& varied = study_.varied[k];
      const KeyPath place = KeyPath::entry(KeyPath::section("vary"), k, varied.parameter);
      const Node& table = (*list)[k];
      if (!drawn && varied.values.empty() && varied.spread) {
        const bool range = table.find("range") != nullptr;
        reading_.complain(table, place,
                          {range ? "a range without `count`" : "a distribution",
                           range ? "a `count` of values, or samples that are drawn" : "samples that are drawn",
                           "add sampling = \"latin-hypercube\" and samples = 100 to [study]"});
      }
      if (study_.sampling == Sampling::list && k > 0 && varied.values.size() != study_.varied[0].values.size())
        reading_.complain(
            table, place,
            {fmt::format("{} values", varied.values.size()),
             fmt::format("{} values, as many as `{}` has", study_.varied[0].values.size(), study_.varied[0].parameter),
             "sampling = \"grid\" runs every combination"});
      longest = std::max(longest, varied.values.size());
      if (study_.sampling == Sampling::grid) runs = multiplied(runs, varied.values.size());
    }
    if (drawn) runs = multiplied(runs, study_.samples);
    if (study_.sampling == Sampling::list) runs = multiplied(runs, std::max<std::size_t>(longest, 1));
    if (runs > most_runs)
      reading_.complain(*head, key, {"more than ten million runs", "at most ten million", "vary less, or coarser"});
  }

  static std::size_t multiplied(std::size_t a, std::size_t b) {
    return b > 0 && a > most_runs / b ? most_runs + 1 : a * std::max<std::size_t>(b, 1);
  }

  // For errors that are only seen in a run.
  std::string place_of(const Node& at, const char* key) const {
    return fmt::format("{}:{}:{}: {}", study_.file, at.where.line, at.where.column, key);
  }

  void read_steady(const Node& table) {
    const KeyPath key = KeyPath::section("steady");
    const Settings settings = read_keys(reading_, table, steady_rows(), {"period"}, key);
    study_.steady.from = settings.number("from", study_.steady.from);
    study_.steady.skip_turns = settings.number("skip_turns");
    study_.steady.place = place_of(table, "[steady]");
    if (const Node* node = table.find("period")) {
      study_.steady.period = read_time(*node, key / "period");
      study_.steady.place = place_of(*node, "steady.period");
    }
    if (table.find("from") && table.find("skip_turns"))
      reading_.complain(*table.find("skip_turns"), key / "skip_turns",
                        {"`from` and `skip_turns`", "one of them", "leave one out"});
    study_.steady.detect = settings.boolean("detect");
    if (study_.steady.detect)
      study_.quantities.push_back({.name = turns_dropped, .unit = "1", .reduce = turns_dropped});
    if ((table.find("skip_turns") || study_.steady.detect) && !table.find("period"))
      reading_.complain(table, key / "period",
                        {"nothing", "the time of a turn, for example \"=2*pi/speed\"", "add the key `period`"});
  }

  void check_detection() {
    const auto sampled = [](const StudyQuantity& each) { return !each.of.empty() && each.reduce != "count_events"; };
    if (study_.steady.detect && problems_.errors() == 0 &&
        std::none_of(study_.quantities.begin(), study_.quantities.end(), sampled))
      reading_.complain(*root_.find("steady"), KeyPath::section("steady") / "detect",
                        {"true, and no quantity by whose turns it could be reported when the motion has settled",
                         "a quantity `of` something recorded", "add one"});
  }

  std::optional<Expression> read_time(const Node& node, const KeyPath& key) {
    const auto* text = node.as<std::string>();
    const std::string expected = "a time, or an expression over the parameters in s";
    if (text && text->starts_with('=')) {
      auto expression = read_expression(reading_, node, parameters_as_arguments(), key);
      if (!expression || !check_unit(reading_, node, *expression, "s", expected, key)) return std::nullopt;
      return expression;
    }
    const auto value = read_quantity(reading_, node, "s", expected, key);
    if (!value) return std::nullopt;
    return std::get<Expression>(Expression::compile(number_text(*value), study_.parameters, {}));
  }

  void read_quantity_of(const Node& table, const KeyPath& key) {
    const Settings settings =
        read_keys(reading_, table, quantity_rows(), {"of", "value", "interval", "at", "woehler", "models"}, key);
    StudyQuantity quantity;
    quantity.name = settings.text("name");
    quantity.unit = settings.text("unit");
    quantity.reduce = settings.text("reduce");
    quantity.percent = settings.number("percent", quantity.percent);
    quantity.exponent = settings.number("exponent", quantity.exponent);
    quantity.rating = settings.number("rating");
    quantity.kind = settings.text("kind");
    quantity.how = settings.text("how", quantity.how);
    quantity.separation = settings.number("separation", quantity.separation);
    if (settings.has("from")) quantity.from = settings.number("from");
    if (settings.has("to")) quantity.to = settings.number("to");
    quantity.every = static_cast<std::size_t>(settings.number("every", 1));
    read_models_of(table, quantity, key / "models");
    check_name(table, quantity.name, key / "name");
    const Node* value = table.find("value");
    if (value && (table.find("of") || table.find("reduce"))) {
      reading_.complain(*value, key / "value", {"`value` and `of` or `reduce`", "one way to compute it", ""});
    } else if (value) {
      read_value_of(*value, quantity, key / "value");
    } else {
      read_reduction(table, quantity, key);
    }
    study_.quantities.push_back(std::move(quantity));
  }

  void read_models_of(const Node& table, StudyQuantity& quantity, const KeyPath& key) {
    Names files;
    for (const StudyModel& model : study_.models) files.push_back(model.file);
    const Names wanted = texts(table, "models", key);
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const auto found = std::find(files.begin(), files.end(), wanted[k]);
      if (found != files.end()) {
        quantity.models.push_back(static_cast<std::size_t>(found - files.begin()));
      } else {
        reading_.complain(
            item_of(*table.find("models"), k), key,
            {quoted_text(wanted[k]), "models of the study: " + alternatives(files), did_you_mean(wanted[k], files)});
      }
    }
  }

  void check_name(const Node& table, const std::string& name, const KeyPath& key) {
    const Node* node = table.find("name");
    const auto letter = [](char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_'; };
    const bool sound = !name.empty() && letter(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
      return letter(c) || ('0' <= c && c <= '9');
    });
    if (!sound) {
      if (node && !node->as<std::string>()) return;  // reported
      return reading_.complain(node ? *node : table, key,
                               {node ? found_text(*node) : "nothing",
                                "a name of letters, digits and _ that does not start with a digit", ""});
    }
    const Names& reserved = table_columns();
    const bool taken = std::any_of(study_.quantities.begin(), study_.quantities.end(),
                                   [&](const StudyQuantity& each) { return each.name == name; }) ||
                       std::find(study_.parameters.begin(), study_.parameters.end(), name) != study_.parameters.end() ||
                       std::find(reserved.begin(), reserved.end(), name) != reserved.end();
    if (taken)
      reading_.complain(*node, key,
                        {quoted_text(name) + ", which is taken",
                         "a name that no parameter, no other quantity and no column of the table has", ""});
  }

  void read_value_of(const Node& node, StudyQuantity& quantity, const KeyPath& key) {
    const auto* text = node.as<std::string>();
    if (!text || !text->starts_with('='))
      return reading_.complain(node, key,
                               {found_text(node), "an expression over parameters and quantities: \"=peak/mean\"", ""});
    ExpressionArguments arguments = parameters_as_arguments();
    for (const StudyQuantity& each : study_.quantities) arguments.names.push_back(each.name);
    if (auto expression = read_expression(reading_, node, arguments, key)) quantity.expression = std::move(*expression);
    // What depends on parameters alone can be looked at beforehand.
    if (auto known = Expression::compile(std::string_view(*text).substr(1), study_.parameters, {});
        auto* expression = std::get_if<Expression>(&known))
      known_.push_back({&node, key, std::move(*expression)});
  }

  // In the first and in the last run.
  void check_known() {
    if (known_.empty()) return;
    const StudyPlan plan(study_);
    for (const std::size_t index : {std::size_t{0}, plan.size() - 1}) {
      ProblemList ignored;  // a run that cannot be is recorded as failed
      const Model model = model_of_run(study_, plan, index, ignored);
      if (ignored.errors() > 0) continue;
      std::vector<double> values;
      for (const std::string& name : study_.parameters) values.push_back(model.parameters.at(name));
      for (const KnownValue& each : known_) {
        const double value = each.expression.value(values);
        if (!std::isfinite(value))
          return reading_.complain(*each.node, each.key,
                                   {fmt::format("{}, which is {} in run {}", found_text(*each.node),
                                                std::isnan(value) ? "no number" : "infinite", index + 1),
                                    "a formula with a finite value", "look at its parameters with --list"});
      }
    }
  }

  void read_reduction(const Node& table, StudyQuantity& quantity, const KeyPath& key) {
    if (!table.find("reduce"))
      return reading_.complain(
          table, key / "reduce",
          {"nothing", "how one number comes out of the samples", "add `reduce`, or `value` with an expression"});
    const ReductionDescription* reduction = find_reduction(quantity.reduce);
    if (!reduction) return;  // reported
    if (is_lyapunov(quantity)) return read_lyapunov(table, quantity, key);
    quantity.of = texts(table, "of", key);
    if (!table.find("of"))
      return reading_.complain(
          table, key / "of",
          {"nothing", "a recorded quantity, such as \"joint:pin.normal_force\"", "add the key `of`"});
    quantity.is_list = reduction->is_list;
    if (quantity.reduce == "trace" && (quantity.of == Names{trace_of_time} || quantity.of == Names{trace_of_turns}))
      return read_trace_of_time(table, quantity, key);
    if (const Node* at = table.find("at")) {
      read_section(*at, quantity, *reduction, key / "at");
    } else if (reduction->of_points && !study_.steady.period) {
      reading_.complain(table, key / "reduce",
                        {quoted_text(quantity.reduce), "a [steady] section with the `period` of a turn",
                         "add it, or `at` with an event or a crossing"});
    }
    if (quantity.reduce == "life" && !table.find("rating"))
      reading_.complain(table, key / "rating", {"nothing", "the dynamic load rating in N", "add the key `rating`"});
    if (quantity.reduce == "count_events") return check_subject(table, quantity, key);
    check_channels(table, quantity, *reduction, key / "of");
    if (quantity.reduce == "damage") read_woehler(table, quantity, key / "woehler");
  }

  void read_section(const Node& node, StudyQuantity& quantity, const ReductionDescription& reduction,
                    const KeyPath& key) {
    if (!reduction.of_points)
      return reading_.complain(
          node, key,
          {"`at` with " + quoted_text(quantity.reduce),
           "it with poincare, poincare_spread, zero_one, motion or turns_to_repeat", "leave it out"});
    if (!node.as<Node::Table>())
      return reading_.complain(node, key,
                               {found_text(node), "a table { event = … } or { crossing = …, value = … }", ""});
    const Settings settings = read_keys(reading_, node, section_rows(), {"value"}, key);
    StudySection section{
        .event = settings.text("event"), .kind = settings.text("kind"), .crossing = settings.text("crossing")};
    if (section.event.empty() == section.crossing.empty())
      return reading_.complain(node, key,
                               {section.event.empty() ? "neither `event` nor `crossing`" : "`event` and `crossing`",
                                "one of them", "for example at = { event = \"joint:pin\" }"});
    const std::string direction = settings.text("direction", "up");
    section.way = direction == "up" ? Crossing::rising : direction == "down" ? Crossing::falling : Crossing::both;
    if (section.event.empty()) {
      const std::string unit = unit_of(*node.find("crossing"), section.crossing, quantity, key / "crossing");
      if (const Node* value = node.find("value"))
        section.value = read_quantity(reading_, *value, unit, "the level that is passed", key / "value").value_or(0);
    } else {
      check_contact(*node.find("event"), section.event, quantity, key / "event");
      if (const Node* kind = node.find("kind")) check_kind(*kind, section.kind, quantity, key / "kind");
    }
    quantity.at = std::move(section);
  }

  void read_woehler(const Node& table, StudyQuantity& quantity, const KeyPath& key) {
    const Node* node = table.find("woehler");
    if (!node || !node->as<Node::Table>())
      return reading_.complain(node ? *node : table, key,
                               {node ? found_text(*node) : "nothing", "the line of the material",
                                "for example woehler = { range = \"400 MPa\", cycles = 1e6, exponent = 9 }"});
    const Settings settings = read_keys(reading_, *node, woehler_rows(), {"range", "limit"}, key);
    require_keys(reading_, *node, woehler_rows(), key);
    const auto& units = channels_of(quantity.models.empty() ? 0 : quantity.models.front()).units;
    const auto unit = quantity.of.empty() ? units.end() : units.find(quantity.of.front());
    if (unit == units.end()) return;  // reported
    const auto range = [&](const char* name) {
      const Node* value = node->find(name);
      return value ? read_quantity(reading_, *value, unit->second, "a range of the quantity", key / name)
                   : std::nullopt;
    };
    quantity.woehler = {.reference_range = range("range").value_or(0),
                        .reference_cycles = settings.number("cycles"),
                        .exponent = settings.number("exponent"),
                        .endurance_limit = range("limit").value_or(0)};
    if (!(quantity.woehler->reference_range > 0))
      reading_.complain(*node, key / "range",
                        {node->find("range") ? found_text(*node->find("range")) : "nothing",
                         "a range above 0, which the material bears for `cycles`", ""});
  }

  // Of a recorded quantity that all models have of which `quantity` is asked; else it is reported.
  std::string unit_of(const Node& at, const std::string& name, const StudyQuantity& quantity, const KeyPath& key) {
    std::string unit;
    for (std::size_t m = 0; m < study_.models.size(); ++m) {
      if (!quantity.asked_of(m)) continue;
      const StudyChannels& channels = channels_of(m);
      const auto found = channels.units.find(name);
      if (found != channels.units.end()) {
        if (unit.empty()) unit = found->second;
        continue;
      }
      const Names close = close_names(name, channels.names, 4);
      reading_.complain(at, key,
                        {quoted_text(name) + ", which " + study_.models[m].file + " does not have",
                         "a quantity that can be recorded", close.empty() ? "" : "near it: " + alternatives(close)});
      break;
    }
    return unit;
  }

  void read_lyapunov(const Node& table, StudyQuantity& quantity, const KeyPath& key) {
    if (quantity.unit.empty()) quantity.unit = find_reduction(quantity.reduce)->unit;
    if (const Node* of = table.find("of"))
      reading_.complain(*of, key / "of",
                        {found_text(*of), "nothing: the exponent is that of the whole model", "leave it out"});
    if (const Node* node = table.find("interval")) {
      quantity.interval = read_time(*node, key / "interval");
    } else if (!study_.steady.period) {
      reading_.complain(table, key / "interval",
                        {"nothing", "the time after which the difference of two motions is made small again",
                         "add `interval`, or the `period` of a turn to [steady]"});
    }
    for (std::size_t m = 0; m < study_.models.size(); ++m) {
      const StudyModel& model = study_.models[m];
      if (!quantity.asked_of(m)) continue;
      const std::string why = quantity.how == "variation" ? not_smooth_because(model.base) : "";
      if (!why.empty())
        reading_.complain(
            *table.find("how"), key / "how",
            {"\"variation\"", "a smooth model, and of " + model.file + " " + why, "use how = \"separation\""});
    }
  }

  void read_trace_of_time(const Node& table, StudyQuantity& quantity, const KeyPath& key) {
    const bool turns = quantity.of.front() == trace_of_turns;
    if (quantity.unit.empty()) quantity.unit = turns ? "1" : "s";
    if (turns && !study_.steady.period)
      reading_.complain(*table.find("of"), key / "of",
                        {quoted_text(trace_of_turns), "a [steady] section with the `period` of a turn", "add it"});
  }

  const StudyChannels& channels_of(std::size_t model) {
    while (channels_.size() <= model) channels_.push_back(find_channels(study_.models[channels_.size()].base));
    return channels_[model];
  }

  void check_channels(const Node& table, StudyQuantity& quantity, const ReductionDescription& reduction,
                      const KeyPath& key) {
    for (std::size_t k = 0; k < quantity.of.size(); ++k) {
      const std::string unit = unit_of(item_of(*table.find("of"), k), quantity.of[k], quantity, key);
      if (k > 0 || !quantity.unit.empty()) continue;
      quantity.unit = reduction.unit == "*"    ? unit
                      : reduction.unit == "*s" ? unit + (unit.empty() ? "s" : " s")
                                               : reduction.unit;
    }
  }

  void check_subject(const Node& table, StudyQuantity& quantity, const KeyPath& key) {
    if (quantity.unit.empty()) quantity.unit = "1";
    for (std::size_t k = 0; k < quantity.of.size(); ++k)
      check_contact(item_of(*table.find("of"), k), quantity.of[k], quantity, key / "of");
    if (const Node* kind = table.find("kind")) check_kind(*kind, quantity.kind, quantity, key / "kind");
  }

  // What touches in all models of which `quantity` is asked; else it is reported: nothing would be counted. Of a
  // pattern one model will do: a mechanism without clearance, beside those with, has no knocks.
  void check_contact(const Node& at, const std::string& asked, const StudyQuantity& quantity, const KeyPath& key) {
    const auto touches_in = [&](std::size_t m) {
      return quantity.asked_of(m) && may_touch(study_.models[m].base, channels_of(m), asked);
    };
    const bool pattern = asked.find('*') != std::string::npos;
    for (std::size_t m = 0; pattern && m < study_.models.size(); ++m) {
      if (touches_in(m)) return;
    }
    for (std::size_t m = 0; m < study_.models.size(); ++m) {
      if (!quantity.asked_of(m) || touches_in(m)) continue;
      const StudyModel& model = study_.models[m];
      const StudyChannels& channels = channels_of(m);
      const Names& groups = channels.contact_groups;
      Names close = close_names(asked, groups, 4);
      if (close.empty()) close = close_names(asked, channels.contacts, 4);
      if (close.empty()) close = groups;
      if (close.size() > 6) close.resize(6);
      const bool exists = std::find(channels.groups.begin(), channels.groups.end(), asked) != channels.groups.end();
      return reading_.complain(
          at, key,
          {fmt::format("{}, which {} {}", quoted_text(asked), exists ? "touches nothing in" : "is no contact of",
                       model.file),
           "what touches, a joint with clearance or a [[pair]], such as \"joint:pin\" or \"contact:*\"",
           close.empty() ? "the model has neither" : "it has " + alternatives(close)});
    }
  }

  // Of the methods by which the study runs its models.
  void check_kind(const Node& at, const std::string& kind, const StudyQuantity& quantity, const KeyPath& key) {
    if (kind.empty()) return;
    for (std::size_t m = 0; m < study_.models.size(); ++m) {
      if (!quantity.asked_of(m)) continue;
      Names kinds;
      for (const std::string& method : study_.methods) {
        Model model = study_.models[m].base;
        if (!method.empty()) model.solver.method = find_named<ContactMethod>(method).value_or(model.solver.method);
        const Names own = find_channels(model).event_kinds;
        kinds.insert(kinds.end(), own.begin(), own.end());
      }
      if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) continue;
      return reading_.complain(at, key,
                               {quoted_text(kind) + ", which no event of " + study_.models[m].file + " is",
                                kinds.empty() ? "a model with contacts" : "a kind of event: " + alternatives(kinds),
                                did_you_mean(kind, kinds)});
    }
  }

  Reading reading_;
  ProblemList& problems_;
  const Node& root_;
  Study study_;
  struct KnownValue {
    const Node* node;
    KeyPath key;
    Expression expression;
  };
  std::vector<KnownValue> known_;  // expressions of quantities over parameters alone
  std::vector<StudyChannels> channels_;
};

}  // namespace

Study read_study(const std::filesystem::path& file, ProblemList& problems) {
  ProblemList found;
  const Documents documents = read_documents(file, found);
  Study study;
  if (found.errors() == 0) study = StudyReader(documents, found).read(file);
  problems.add(found);
  return study;
}

}  // namespace carom::inline studies
