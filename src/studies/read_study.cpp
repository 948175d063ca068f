#include "studies/read_study.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "documents/any_quantity.h"
#include "model_io/read_model.h"
#include "model_io/validate.h"
#include "studies/read_figures.h"
#include "studies/read_quantities.h"
#include "studies/read_varied.h"
#include "studies/reductions.h"

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

class StudyReader {
 public:
  StudyReader(const Documents& documents, ProblemList& problems) : shared_(documents, problems) {}

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
    for_each("quantity", [&](const Node& table, const KeyPath& key) { quantities_.read(table, key); });
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
    if (problems_.errors() == 0) quantities_.check_known();
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
    const Names files = shared_.texts(table, "model", key);
    for (std::size_t k = 0; k < files.size(); ++k)
      read_model_file(directory / files[k], files[k], StudyReading::item_of(*table.find("model"), k), key / "model");
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
    const Names methods = shared_.texts(table, "method", key), known = choices_of<ContactMethod>();
    if (!methods.empty()) study_.methods = methods;
    for (std::size_t k = 0; k < methods.size(); ++k) {
      const Node& at = StudyReading::item_of(*table.find("method"), k);
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
        name ? ParameterUnit{text_in_models(*name), shared_.dimension_in_models(*name)} : ParameterUnit{};
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
    if (std::find(StudyReading::table_columns().begin(), StudyReading::table_columns().end(), name) !=
        StudyReading::table_columns().end())
      return reading_.complain(at, key,
                               {quoted_text(name) + ", which is a column of every table", "another name",
                                "rename the parameter in the model"});
    for (const VariedParameter& each : study_.varied) {
      if (each.parameter == name)
        return reading_.complain(at, key, {quoted_text(name) + ", which is varied already", "each parameter once", ""});
    }
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

  void read_steady(const Node& table) {
    const KeyPath key = KeyPath::section("steady");
    const Settings settings = read_keys(reading_, table, steady_rows(), {"period"}, key);
    study_.steady.from = settings.number("from", study_.steady.from);
    study_.steady.skip_turns = settings.number("skip_turns");
    study_.steady.place = shared_.place_of(table, "[steady]");
    if (const Node* node = table.find("period")) {
      study_.steady.period = shared_.read_time(*node, key / "period");
      study_.steady.place = shared_.place_of(*node, "steady.period");
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

  StudyReading shared_;
  Reading& reading_ = shared_.reading;
  ProblemList& problems_ = shared_.problems;
  const Node& root_ = shared_.root;
  Study& study_ = shared_.study;
  QuantityReader quantities_{shared_};
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
