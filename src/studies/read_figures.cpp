#include "studies/read_figures.h"

#include <algorithm>

#include "base/nearest_name.h"
#include "studies/sampling.h"
#include "studies/study_table.h"

namespace carom::inline studies {
namespace {

using Kind = ParameterKind;
using Names = std::vector<std::string>;

const std::vector<ParameterDescription>& figure_rows() {
  static const std::vector<ParameterDescription> rows = {
      {.name = "name", .kind = Kind::text},
      {.name = "title", .kind = Kind::text},
      {.name = "caption", .kind = Kind::text},
      {.name = "kind", .kind = Kind::choice, .choices = figure_kinds()},
      {.name = "format", .kind = Kind::choice, .choices = {"svg", "png", "pdf"}},
      {.name = "style", .kind = Kind::choice, .choices = {"screen", "paper"}},
      {.name = "circle", .kind = Kind::text},
      {.name = "log", .kind = Kind::text},
      {.name = "points", .kind = Kind::boolean},
      {.name = "columns", .kind = Kind::integer, .minimum = 1, .maximum = 10}};
  return rows;
}

// A text or a number, or a list of them, as written.
Names texts_of(Reading& reading, const Node& node, const KeyPath& key) {
  if (const auto* list = node.as<Node::List>()) {
    Names all;
    for (const Node& item : *list)
      for (std::string& text : texts_of(reading, item, key)) all.push_back(std::move(text));
    if (list->empty()) reading.complain(node, key, {"an empty list", "at least one entry", ""});
    return all;
  }
  if (const auto* text = node.as<std::string>()) return {*text};
  if (const auto* number = node.as<double>()) return {number_text(*number)};
  if (const auto* number = node.as<std::int64_t>()) return {std::to_string(*number)};
  reading.complain(node, key, {found_text(node), "a text, or a list of texts", ""});
  return {};
}

Names texts(Reading& reading, const Node& table, const std::string& name, const KeyPath& key) {
  const Node* node = table.find(name);
  return node ? texts_of(reading, *node, key / name) : Names{};
}

std::vector<RunFilter> filters(Reading& reading, const Node& table, const std::string& name, const KeyPath& key) {
  std::vector<RunFilter> result;
  const Node* node = table.find(name);
  if (!node) return result;
  const auto* entries = node->as<Node::Table>();
  if (!entries) reading.complain(*node, key / name, {found_text(*node), "a table { speed = \"5000 rpm\", … }", ""});
  for (std::size_t k = 0; entries && k < entries->size(); ++k)
    result.emplace_back((*entries)[k].key, texts_of(reading, (*entries)[k].value, key / name));
  return result;
}

}  // namespace

StudyFigure read_figure(Reading& reading, const Node& table, const KeyPath& key) {
  const Settings settings = read_keys(reading, table, figure_rows(), {"y", "x", "where", "reference", "labels"}, key);
  StudyFigure figure{.name = settings.text("name"),
                     .title = settings.text("title"),
                     .caption = settings.text("caption"),
                     .format = settings.text("format", "svg"),
                     .style = settings.text("style", "screen"),
                     .y = texts(reading, table, "y", key),
                     .x = texts(reading, table, "x", key),
                     .where = filters(reading, table, "where", key),
                     .reference = filters(reading, table, "reference", key),
                     .labels = texts(reading, table, "labels", key),
                     .circle = settings.text("circle"),
                     .log = settings.text("log"),
                     .points = settings.boolean("points"),
                     .columns = static_cast<int>(settings.number("columns"))};
  const auto kind = std::find(figure_kinds().begin(), figure_kinds().end(), settings.text("kind", "curves"));
  if (kind != figure_kinds().end()) figure.kind = static_cast<StudyFigure::Kind>(kind - figure_kinds().begin());
  const auto sound = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; };
  const Node* name = table.find("name");
  if (figure.name.empty() || !std::all_of(figure.name.begin(), figure.name.end(), sound))
    reading.complain(name ? *name : table, key / "name",
                     {name ? found_text(*name) : "nothing", "a name for the file, of letters, digits, _ and -", ""});
  return figure;
}

void check_figures(Reading& reading, const Study& study, const std::vector<const Node*>& tables) {
  if (study.figures.empty()) return;
  const StudyPlan plan(study);
  std::vector<RunRecord> blank;
  for (std::size_t index = 0; index < plan.size(); ++index)
    blank.push_back({.index = index,
                     .reduced = nothing_reduced(study),
                     .statistics = std::vector<double>(statistics_columns().size())});
  const Table table = study_table(study, plan, blank);
  for (std::size_t k = 0; k < study.figures.size(); ++k) {
    const StudyFigure& figure = study.figures[k];
    const KeyPath key = KeyPath::entry(KeyPath::section("figure"), k, figure.name);
    if (std::count_if(study.figures.begin(), study.figures.end(),
                      [&](const StudyFigure& each) { return each.name == figure.name; }) > 1)
      reading.complain(*tables[k], key / "name",
                       {quoted_text(figure.name) + " more than once", "a name for each figure", ""});
    const auto problem = problem_of(figure, table);
    if (!problem) continue;
    const Node* node = tables[k]->find(problem->key);
    reading.complain(node ? *node : *tables[k], key / problem->key,
                     {problem->found, problem->expected, problem->remedy});
  }
}

std::vector<StudyFigure> recorded_figures(const Table& table) {
  const std::string *text = table.attribute("study"), *file = table.attribute("study file");
  if (!text) return {};
  ProblemList problems;
  const Documents documents = read_documents(*text, file ? *file : "", {}, problems);
  if (problems.errors() > 0 || documents.all.empty()) return {};
  Reading reading(documents, problems);
  std::vector<StudyFigure> figures;
  const Node* all = documents.all.back().root.find("figure");
  const auto* list = all ? all->as<Node::List>() : nullptr;
  for (std::size_t k = 0; list && k < list->size(); ++k)
    figures.push_back(read_figure(reading, (*list)[k], KeyPath::entry(KeyPath::section("figure"), k, "")));
  return problems.errors() > 0 ? std::vector<StudyFigure>() : figures;
}

}  // namespace carom::inline studies
