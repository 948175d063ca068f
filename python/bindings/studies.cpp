#include "bindings.h"
#include "recording/table_file.h"
#include "studies/read_study.h"
#include "studies/reductions.h"
#include "studies/run_study.h"
#include "studies/study_table.h"

namespace carom::python {
namespace {

// Columns as arrays or lists of texts, with their units; lists as pairs of rows and values.
py::dict shown(Table table) {
  py::dict columns, units, lists;
  for (TableColumn& column : table.columns) {
    const py::str name(column.component.name);
    if (column.is_text) {
      columns[name] = py::cast(column.texts);
    } else {
      columns[name] = array_of(std::move(column.numbers));
    }
    units[name] = column.component.unit;
  }
  for (TableList& list : table.lists)
    lists[py::str(list.component.name)] =
        py::make_tuple(array_of(std::move(list.rows)), array_of(std::move(list.values)));
  py::dict all;
  all["columns"] = columns, all["units"] = units, all["lists"] = lists;
  return all;
}

Study load_study(const std::filesystem::path& file) {
  ProblemList problems;
  Study study = read_study(file, problems);
  if (problems.errors() > 0) throw InputError(problems);
  return study;
}

// Runs a study file as `carom study` does and writes its table; what was found finished before is not run again.
py::dict run(const std::filesystem::path& file, const std::filesystem::path& output, std::size_t workers, bool fresh,
             py::object progress) {
  const Study study = load_study(file);
  const StudyPlan plan(study);
  Watch watch(std::move(progress));
  StudyOptions options;
  options.workers = workers, options.fresh = fresh;
  options.journal = std::filesystem::path(output).replace_extension(".journal");
  options.folder = std::filesystem::path(output).replace_extension("").string() + "_runs";
  options.progress = [&](const StudyProgress& now) {
    watch.look(static_cast<double>(now.done), 0, static_cast<double>(now.runs), static_cast<long>(now.failed));
  };
  options.interrupted = watch.flag();
  Table table;
  unlocked([&] {
    check_replaceable(output, study, fresh);
    Ranks ranks;
    const StudyOutcome outcome = run_study(study, plan, options, ranks);
    if (outcome.interrupted) return;
    table = study_table(study, plan, outcome.records);
    write_study(table, output);
  });
  if (watch.has_stopped()) watch.raise();
  return shown(std::move(table));
}

}  // namespace

void bind_studies(py::module_& module) {
  module.def("run_study", &run, py::arg("file"), py::arg("output"), py::arg("workers"), py::arg("fresh"),
             py::arg("progress"));
  module.def(
      "read_table", [](const std::filesystem::path& file) { return shown(read_table_file(file)); }, py::arg("file"));
  module.def("reductions", [] {
    py::dict all;
    for (const auto& each : reductions()) all[py::str(each.name)] = each.meaning;
    return all;
  });
}

}  // namespace carom::python
