#include "studies/study_table.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "base/protected_files.h"
#include "base/version.h"
#include "model_io/read_model.h"
#include "model_io/validate.h"
#include "model_io/write_model.h"
#include "parts/plugins.h"
#include "signals/chaos.h"
#include "studies/checksum.h"
#include "studies/study_run.h"

namespace carom::inline studies {
namespace {

constexpr const char* varied_meaning = "varied parameter";
constexpr const char* quantity_meaning = "quantity";
const std::string shown_in = ", in ";

std::string mark_text(std::uint64_t mark) {
  return fmt::format("{:016x}", mark);
}

TableColumn number_column(const Component& component) {
  return {.component = component};
}

TableColumn text_column(const std::string& name, const std::string& meaning) {
  return {.component = {name, "", meaning}, .is_text = true};
}

std::vector<const TableColumn*> columns_meaning(const Table& table, const std::string& start) {
  std::vector<const TableColumn*> result;
  for (const TableColumn& column : table.columns)
    if (column.component.meaning.starts_with(start)) result.push_back(&column);
  return result;
}

std::string quantity_text(const StudyQuantity& quantity) {
  std::string of;
  for (const std::string& each : quantity.of) of += (of.empty() ? "" : ", ") + each;
  return fmt::format("{}: {}", quantity_meaning,
                     quantity.reduce.empty() ? "=" + quantity.expression.text()
                     : of.empty()            ? quantity.reduce
                                             : quantity.reduce + " of " + of);
}

void add_models(const Study& study, Table& table) {
  for (std::size_t k = 0; k < study.models.size(); ++k) {
    const StudyModel& model = study.models[k];
    table.attributes.emplace_back(fmt::format("model {}", k + 1), model.documents.text);
    table.attributes.emplace_back(fmt::format("model {} file", k + 1), model.documents.files.front());
    table.attributes.emplace_back(fmt::format("model {} mark", k + 1), mark_text(checksum(write_model(model.base))));
  }
}

void add_lists(const Study& study, const std::vector<RunRecord>& records, Table& table) {
  std::size_t place = 0;
  for (const StudyQuantity& quantity : study.quantities) {
    if (!quantity.is_list) continue;
    TableList& list = table.lists.emplace_back();
    list.component = {quantity.name, quantity.unit, quantity_text(quantity)};
    for (std::size_t row = 0; row < records.size(); ++row) {
      for (const double value : records[row].reduced.lists.at(place)) {
        list.rows.push_back(static_cast<double>(row));
        list.values.push_back(value);
      }
    }
    ++place;
  }
}

[[noreturn]] void refuse_table(const std::filesystem::path& path, const std::string& why) {
  throw ResultError(fmt::format("{}: {}", path.string(), why));
}

const std::string& required(const Table& table, const std::filesystem::path& path, const std::string& name) {
  const std::string* text = table.attribute(name);
  if (!text) refuse_table(path, "it is a table without `" + name + "`; was it written by carom study?");
  return *text;
}

bool is_csv_of_study(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string line;
  return std::getline(stream, line) && line.starts_with("run,model,model_number,method,");
}

}  // namespace

Table study_table(const Study& study, const StudyPlan& plan, const std::vector<RunRecord>& records) {
  Table table;
  table.attributes = {{"kind", "carom study"},
                      {"version", carom_version},
                      {"name", study.name},
                      {"study", study.text},
                      {"study file", study.file},
                      {"mark", mark_text(fingerprint(study))},
                      {"sampling", sampling_names()[static_cast<std::size_t>(study.sampling)]}};
  if (!part_sources().empty()) table.attributes.emplace_back("plugins", with_part_sources("{}"));
  add_models(study, table);
  TableColumn number = number_column({"run", "", "number of the run"}), model = text_column("model", "model file"),
              place = number_column({"model_number", "", "among the models of the study"}),
              method = text_column("method", "treatment of contact"), status = text_column("status", ""),
              reason = text_column("reason", "of a failure");
  std::vector<TableColumn> varied, quantities, statistics;
  for (const VariedParameter& each : study.varied)
    varied.push_back(
        number_column({each.parameter, each.unit,
                       fmt::format("{}{}{}", varied_meaning, each.logarithmic ? ", logarithmic" : "",
                                   each.shown.empty() || each.shown == each.unit ? "" : shown_in + each.shown)}));
  for (const StudyQuantity& each : study.quantities)
    quantities.push_back(number_column(
        {each.name, each.is_list ? "1" : each.unit, each.is_list ? "entries of a list" : quantity_text(each)}));
  for (const Component& each : statistics_columns()) statistics.push_back(number_column(each));
  for (const RunRecord& record : records) {
    const PlannedRun run = plan.run(record.index);
    number.numbers.push_back(static_cast<double>(record.index + 1));
    model.texts.push_back(study.models[run.model].file);
    place.numbers.push_back(static_cast<double>(run.model + 1));
    method.texts.push_back(study.methods[run.method].empty() ? name_of(study.models[run.model].base.solver.method)
                                                             : study.methods[run.method]);
    for (std::size_t k = 0; k < varied.size(); ++k) varied[k].numbers.push_back(plan.values(record.index)[k]);
    for (std::size_t k = 0; k < quantities.size(); ++k) quantities[k].numbers.push_back(record.reduced.values.at(k));
    for (std::size_t k = 0; k < statistics.size(); ++k) statistics[k].numbers.push_back(record.statistics.at(k));
    status.texts.emplace_back(record.failed ? "failed" : "complete");
    reason.texts.push_back(record.reason);
  }
  table.columns = {std::move(number), std::move(model), std::move(place), std::move(method)};
  for (auto* group : {&varied, &quantities, &statistics})
    table.columns.insert(table.columns.end(), group->begin(), group->end());
  table.columns.push_back(std::move(status));
  table.columns.push_back(std::move(reason));
  add_lists(study, records, table);
  return table;
}

std::vector<std::filesystem::path> write_study(const Table& table, const std::filesystem::path& path) {
  std::vector<std::filesystem::path> files = {path, std::filesystem::path(path).replace_extension(".csv")};
  write_table_file(table, path);
  write_table_csv(table, files.back());
  for (const TableList& list : table.lists) {
    std::filesystem::path file = path;
    file.replace_filename(path.stem().string() + "_" + list.component.name + ".csv");
    write_list_csv(table, list, file);
    files.push_back(file);
  }
  return files;
}

void check_replaceable(const std::filesystem::path& path, const Study& study, bool fresh) {
  std::error_code error;
  const std::filesystem::path csv = std::filesystem::path(path).replace_extension(".csv");
  require_replaceable(csv, is_csv_of_study);
  may_replace(csv);  // its titles may be others
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size == 0 || replaces_by_force()) return;
  if (!is_table_file(path))
    refuse_table(path,
                 "it exists and is not the table of a study; give another output by -o, or replace it by --force");
  const Table table = read_table_file(path);
  may_replace(path);
  const std::string* mark = table.attribute("mark");
  if (fresh || (mark && *mark == mark_text(fingerprint(study)))) return;
  refuse_table(
      path,
      "it is the table of another study: the study file, a model or Carom has changed since; give another output by "
      "-o, or replace it by --fresh");
}

Model recorded_study_model(const Table& table, const std::filesystem::path& path, std::size_t number) {
  if (const std::string* kind = table.attribute("kind"); !kind || *kind != "carom study")
    refuse_table(path, "it is not the table of a study");
  const TableColumn *runs = table.column("run"), *models = table.column("model_number"),
                    *methods = table.column("method");
  if (!runs || !models || !methods) refuse_table(path, "it is a table without runs");
  const auto found = std::find(runs->numbers.begin(), runs->numbers.end(), static_cast<double>(number));
  if (found == runs->numbers.end())
    refuse_table(path, fmt::format("it has no run {}; it has {} runs, from 1 on", number, runs->numbers.size()));
  const auto row = static_cast<std::size_t>(found - runs->numbers.begin());
  const std::string model_name = fmt::format("model {}", static_cast<int>(models->numbers[row]));
  const std::string &text = required(table, path, model_name), &file = required(table, path, model_name + " file");
  const std::filesystem::path directory = std::filesystem::path(file).parent_path();
  ProblemList problems;
  const Model base = read_model_text(text, file, problems, {}, directory);
  if (problems.errors() > 0) throw InputError(problems);
  if (mark_text(checksum(write_model(base))) != required(table, path, model_name + " mark"))
    refuse_table(path,
                 "a file that the model " + file + " includes has changed since the study; bring the old one back");
  ReadOptions options;
  for (const TableColumn* column : varied_columns(table))
    options.set.emplace_back(column->component.name, parameter_text(column->numbers[row]));
  Model model = read_model_text(text, file, problems, options, directory);
  const auto method = find_named<ContactMethod>(methods->texts[row]);
  if (problems.errors() == 0 && method && model.solver.method != *method) {
    model.solver.method = *method;
    validate(model, problems);
  }
  if (problems.errors() > 0) throw InputError(problems);
  return model;
}

std::string shown_unit(const Component& component) {
  const std::size_t place = component.meaning.find(shown_in);
  const bool varied = component.meaning.starts_with(varied_meaning) && place != std::string::npos;
  return varied ? component.meaning.substr(place + shown_in.size()) : component.unit;
}

std::vector<std::string> class_names(const Component& component) {
  if (!component.meaning.starts_with(std::string(quantity_meaning) + ": motion of ")) return {};
  return {name_of(MotionKind::unclear), name_of(MotionKind::periodic), name_of(MotionKind::quasi_periodic),
          name_of(MotionKind::chaotic)};
}

std::vector<const TableColumn*> varied_columns(const Table& table) {
  return columns_meaning(table, varied_meaning);
}

std::vector<const TableColumn*> quantity_columns(const Table& table) {
  return columns_meaning(table, quantity_meaning);
}

}  // namespace carom::inline studies
