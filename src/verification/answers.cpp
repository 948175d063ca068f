#include "verification/answers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "model/contact_names.h"
#include "studies/reductions.h"

namespace carom::inline verification {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

using Kind = AnswerSource::Kind;

// Place of a number in the records of a kind of events; none where it has no such number.
std::optional<std::size_t> place_of(const RecordedRun& run, const std::string& kind, const std::string& value) {
  for (const EventKind& each : run.header.event_kinds) {
    if (each.name != kind) continue;
    for (std::size_t k = 0; k < each.values.size(); ++k)
      if (each.values[k].name == value) return k;
  }
  return std::nullopt;
}

// An impact whose force cannot be reported says 0; where all do, there is nothing to report.
double largest_of_events(const AnswerSource& source, const RecordedRun& run, const RecordedRun& sampled) {
  double largest = 0;
  std::size_t events = 0;
  for (const EventRecord& event : run.events) {
    const auto place = place_of(run, event.kind, source.value);
    if (!place || !belongs_to_any(event.subject, source.quantity.of)) continue;
    ++events;
    if (std::isfinite(event.values.at(*place))) largest = std::max(largest, event.values[*place]);
  }
  if (!source.column.empty())
    for (const double value : sampled.column(source.column))
      if (std::isfinite(value)) largest = std::max(largest, value);
  return events > 0 && largest == 0 ? nan : largest;
}

double count_of_events(const AnswerSource& source, const RecordedRun& run) {
  const auto approach = place_of(run, "impact", "approach_speed");
  const auto counted = [&](const EventRecord& event) {
    if (event.kind == "contact" || !belongs_to_any(event.subject, source.quantity.of)) return false;
    return event.kind != "impact" || !approach || event.values.at(*approach) > 0;
  };
  return static_cast<double>(std::count_if(run.events.begin(), run.events.end(), counted));
}

double sum_of(const RecordedRun& run, const std::string& column) {
  const std::vector<double> values = run.column(column);
  if (values.empty()) return nan;
  double sum = 0;
  for (const double value : values) sum += std::isfinite(value) ? value : 0;
  return sum;
}

Study study_of(const std::vector<ModelAnswer>& answers, ContactMethod method) {
  Study study;
  for (const ModelAnswer& answer : answers) study.quantities.push_back(answer.source(method).quantity);
  return study;
}

Window window_of(const RecordedRun& run) {
  return run.times.empty() ? Window{} : Window{.from = run.times.front(), .to = run.times.back()};
}

bool reads_samples(const ModelAnswer& answer, ContactMethod method) {
  return answer.source(method).kind == Kind::samples;
}

}  // namespace

std::vector<std::string> needed_columns(const std::vector<ModelAnswer>& answers, ContactMethod method) {
  std::set<std::string> names;
  for (const ModelAnswer& answer : answers) {
    const AnswerSource& source = answer.source(method);
    if (source.kind == Kind::samples || source.kind == Kind::sum)
      names.insert(source.quantity.of.begin(), source.quantity.of.end());
    if (!source.column.empty()) names.insert(source.column);
  }
  return {names.begin(), names.end()};
}

std::vector<double> read_answers(const std::vector<ModelAnswer>& answers, const RecordedRun& run,
                                 const RecordedRun& sampled, ContactMethod method) {
  std::vector<ModelAnswer> of_samples;
  std::copy_if(answers.begin(), answers.end(), std::back_inserter(of_samples),
               [&](const ModelAnswer& answer) { return reads_samples(answer, method); });
  const std::vector<double> reduced = reduce(study_of(of_samples, method), sampled, window_of(sampled), {}).values;
  std::vector<double> values;
  std::size_t next = 0;
  for (const ModelAnswer& answer : answers) {
    const AnswerSource& source = answer.source(method);
    switch (source.kind) {
      case Kind::samples:
        values.push_back(reduced[next++]);
        break;
      case Kind::sum:
        values.push_back(sum_of(run, source.quantity.of.front()));
        break;
      case Kind::largest_of_events:
        values.push_back(largest_of_events(source, run, sampled));
        break;
      case Kind::count_of_events:
        values.push_back(count_of_events(source, run));
        break;
      case Kind::none:
        values.push_back(nan);
    }
  }
  return values;
}

ModelAnswer reduced_by(ModelAnswer answer, const std::string& reduction, double percent) {
  for (AnswerSource* source : {&answer.compliant, &answer.nonsmooth}) {
    if (source->kind != Kind::samples) continue;
    source->quantity.reduce = reduction;
    source->quantity.percent = percent;
  }
  return answer;
}

std::vector<double> ranges_of(const std::vector<ModelAnswer>& answers, const RecordedRun& run, ContactMethod method) {
  std::vector<ModelAnswer> ranges;
  for (const ModelAnswer& answer : answers) ranges.push_back(reduced_by(answer, "range"));
  std::vector<double> values = read_answers(ranges, run, run, method);
  for (std::size_t k = 0; k < answers.size(); ++k)
    if (!reads_samples(answers[k], method) || !std::isfinite(values[k])) values[k] = 0;
  return values;
}

}  // namespace carom::inline verification
