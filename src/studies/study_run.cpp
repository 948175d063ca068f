#include "studies/study_run.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <new>

#include <fmt/format.h>

#include "model_io/read_model.h"
#include "model_io/validate.h"
#include "recording/recorded_run.h"
#include "signals/poincare_map.h"
#include "signals/settling.h"
#include "simulation/simulation.h"
#include "studies/lyapunov_quantity.h"

namespace carom::inline studies {
namespace {

// HDF5 is not made for several threads.
std::mutex file_mutex;

// One line for a table.
std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

RunRecord failed_run(const Study& study, std::size_t index, const std::string& reason) {
  return {.index = index,
          .failed = true,
          .reason = one_line(reason),
          .reduced = nothing_reduced(study),
          .statistics = std::vector<double>(statistics_columns().size(), 0)};
}

// What a quantity is made of among the samples of a run with this model.
std::vector<std::string> recorded_of(const StudyQuantity& quantity, std::size_t model) {
  std::vector<std::string> names;
  if (quantity.reduce == "count_events" || !quantity.asked_of(model)) return names;
  for (const std::string& name : quantity.of)
    if (name != trace_of_time && name != trace_of_turns) names.push_back(name);
  return names;
}

std::vector<std::string> needed(const Study& study, std::size_t model) {
  std::vector<std::string> names;
  for (const StudyQuantity& quantity : study.quantities) {
    const std::vector<std::string> own = recorded_of(quantity, model);
    names.insert(names.end(), own.begin(), own.end());
    if (quantity.at && !quantity.at->crossing.empty() && quantity.asked_of(model))
      names.push_back(quantity.at->crossing);
  }
  return names;
}

std::vector<double> statistics_of(const RunSummary& summary) {
  return {summary.t,
          static_cast<double>(summary.samples),
          static_cast<double>(summary.statistics.steps),
          static_cast<double>(summary.statistics.rejected),
          static_cast<double>(summary.nonsmooth ? summary.nonsmooth->impacts : summary.contacts.begun),
          summary.nonsmooth ? summary.nonsmooth->largest_penetration : summary.contacts.largest_penetration,
          summary.energy.largest_residual};
}

std::vector<double> arguments_of(const Study& study, const Model& model) {
  std::vector<double> values;
  for (const std::string& name : study.parameters) values.push_back(model.parameters.at(name));
  return values;
}

// Throws ComputationError where there is nothing to look at.
Window window_of(const Study& study, const Model& model, const std::vector<double>& parameters) {
  Window window{.from = std::max(model.solver.start, study.steady.from), .to = model.solver.end};
  if (study.steady.period) {
    window.period = study.steady.period->value(parameters);
    if (!(window.period > 0))
      throw ComputationError(fmt::format("{}: the period of [steady] is {:g} s and should be positive",
                                         study.steady.place, window.period));
    const double turns = (window.to - window.from) / window.period;
    if (turns > most_map_points)
      throw ComputationError(
          fmt::format("{}: the period of [steady] is {:g} s, which means {:.3g} turns of the run and "
                      "should mean at most {:g}",
                      study.steady.place, window.period, turns, most_map_points));
    window.from = std::max(window.from, model.solver.start + study.steady.skip_turns * window.period);
  }
  if (window.from >= window.to && model.solver.analysis == Analysis::dynamic)
    throw ComputationError(fmt::format("{}: the run ends at {:g} s, before [steady] begins at {:g} s",
                                       study.steady.place, window.to, window.from));
  return window;
}

// The whole turns after which all that is asked for has settled are left out of the window. Throws ComputationError
// where something has not.
double drop_transient(const Study& study, const RecordedRun& run, Window& window) {
  std::size_t turns = 0;
  for (const StudyQuantity& quantity : study.quantities) {
    for (const std::string& name : recorded_of(quantity, window.model)) {
      const auto settled = turns_to_settle(run.times, run.column(name), window.from, window.period);
      if (!settled)
        throw ComputationError(fmt::format(
            "{} has not settled: more than half of the {:.0f} turns seem to belong to the transient; let it "
            "run for more turns, or leave out `detect`",
            name, std::floor((window.to - window.from) / window.period + 1e-9)));
      turns = std::max(turns, *settled);
    }
  }
  window.from += static_cast<double>(turns) * window.period;
  return static_cast<double>(turns);
}

}  // namespace

std::string parameter_text(double value) {
  return fmt::format("{}", value);
}

Model model_of_run(const Study& study, const StudyPlan& plan, std::size_t index, ProblemList& problems) {
  const PlannedRun run = plan.run(index);
  ReadOptions options;
  for (std::size_t k = 0; k < study.varied.size(); ++k)
    options.set.emplace_back(study.varied[k].parameter, parameter_text(plan.values(index)[k]));
  Model model = read_model(study.models[run.model].documents, problems, options);
  const auto method = find_named<ContactMethod>(study.methods[run.method]);
  if (problems.errors() > 0 || !method || *method == model.solver.method) return model;
  model.solver.method = *method;
  validate(model, problems);
  return model;
}

std::optional<RunRecord> execute_run(const Study& study, const StudyPlan& plan, std::size_t index,
                                     const std::optional<std::filesystem::path>& file,
                                     const std::atomic<bool>* interrupted) {
  try {
    ProblemList problems;
    Model model = model_of_run(study, plan, index, problems);
    if (problems.errors() > 0) throw InputError(problems);
    const std::vector<std::string> names = needed(study, plan.run(index).model);
    if (!file) model.output.record.clear();
    model.output.record.insert(model.output.record.end(), names.begin(), names.end());
    const std::vector<double> parameters = arguments_of(study, model);
    Window window = window_of(study, model, parameters);
    window.model = plan.run(index).model;
    RecordedRun recorded;
    const RunSummary summary =
        run(model, {.output = {}, .memory = &recorded, .progress = {}, .interrupted = interrupted});
    if (summary.status == RunStatus::interrupted) return std::nullopt;
    RunRecord record{.index = index,
                     .failed = summary.status == RunStatus::failed,
                     .reason = one_line(summary.reason),
                     .reduced = nothing_reduced(study),
                     .statistics = statistics_of(summary)};
    if (!record.failed) {
      const double dropped = study.steady.detect ? drop_transient(study, recorded, window) : 0;
      auto known = lyapunov_quantities(study, model, window, parameters, interrupted);
      if (study.steady.detect) known[turns_dropped] = dropped;
      record.reduced = reduce(study, recorded, window, parameters, known);
    }
    if (file) {
      const std::lock_guard lock(file_mutex);
      write_result(recorded, *file, to_json(summary), record.failed ? "failed: " + summary.reason : "complete");
    }
    return record;
  } catch (const Interrupted&) {
    return std::nullopt;
  } catch (const InputError& error) {
    return failed_run(study, index, error.problems().text());
  } catch (const ComputationError& error) {
    return failed_run(study, index, error.what());
  } catch (const std::bad_alloc&) {
    return failed_run(study, index, "not enough memory");
  }
}

}  // namespace carom::inline studies
