#pragma once

#include <string>
#include <vector>

#include "model/model.h"
#include "recording/recorded_run.h"
#include "studies/study.h"

// The numbers for whose sake a model is run, and how they are read from a run.
namespace carom::inline verification {

struct AnswerSource {
  enum class Kind {
    none,               // the method does not report it
    samples,            // `quantity` as a study reduces it
    sum,                // of what a column tells since the sample before
    largest_of_events,  // of the number `value` of events of the contact, and of the samples of `column`, if named
    count_of_events     // that begin something; impacts only where bodies came near each other
  };

  Kind kind = Kind::none;
  StudyQuantity quantity = {};  // of: columns, or what touches
  std::string value = {}, column = {};
};

struct ModelAnswer {
  std::string subject;  // "body:slider"
  std::string what;     // "position at the end"
  std::string part;     // "x", where it has several numbers; else empty
  std::string unit;
  AnswerSource compliant, nonsmooth;
  bool is_count = false;

  const AnswerSource& source(ContactMethod method) const {
    return method == ContactMethod::compliant ? compliant : nonsmooth;
  }
  std::string title() const { return subject + ", " + what; }
};

// What is asked for: recorded quantities or patterns of them, as `carom plot` takes them, and reductions of studies.
struct AskedAnswers {
  std::vector<std::string> quantities, reductions;
};

// Largest forces, impulses, numbers of contacts, penetration, work of drives, states at the end, energies, life of
// bearings: whatever the model has of it. Of more bodies or contacts than these, so many in even distances.
inline constexpr std::size_t most_subjects = 200;
std::vector<ModelAnswer> usual_answers(const Model& model);

// Throws InputError where the model records nothing of the name, or a reduction is none of one number.
std::vector<ModelAnswer> asked_answers(const Model& model, const AskedAnswers& asked);

// The reductions that may be asked for.
std::vector<std::string> answer_reductions();

// Columns that a run must record for them.
std::vector<std::string> needed_columns(const std::vector<ModelAnswer>& answers, ContactMethod method);

// One number each; NaN where the run does not report it. Samples are those of `sampled`, events and sums those of
// `run`, of which it is a part or all.
std::vector<double> read_answers(const std::vector<ModelAnswer>& answers, const RecordedRun& run,
                                 const RecordedRun& sampled, ContactMethod method);

// Largest − smallest of the samples that an answer is read from; 0 where it is read from none.
std::vector<double> ranges_of(const std::vector<ModelAnswer>& answers, const RecordedRun& run, ContactMethod method);

// The answer by another reduction of the same samples; of no samples: itself.
ModelAnswer reduced_by(ModelAnswer answer, const std::string& reduction, double percent = 50);

}  // namespace carom::inline verification
