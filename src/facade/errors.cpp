#include "carom/errors.h"

#include "facade/translate.h"
#include "model_io/read_model.h"
#include "model_io/write_model.h"

namespace carom::v1 {
namespace {

std::string all_lines(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) text += (text.empty() ? "" : "\n") + to_text(problem);
  return text;
}

}  // namespace

std::string to_text(const Problem& problem) {
  return carom::to_text(carom::Problem{.severity = problem.warning ? Severity::warning : Severity::error,
                                       .file = problem.file,
                                       .where = {problem.line, problem.column},
                                       .key = problem.key,
                                       .found = problem.found,
                                       .expected = problem.expected,
                                       .remedy = problem.remedy});
}

Error::~Error() = default;
InputError::~InputError() = default;
ResultError::~ResultError() = default;

InputError::InputError(std::vector<Problem> problems) : Error(all_lines(problems)), problems_(std::move(problems)) {}

std::vector<Problem> translate(const carom::ProblemList& problems) {
  std::vector<Problem> result;
  for (const carom::Problem& problem : problems.all()) {
    // Lines of the text made from a model built in C++ would say nothing: the key does.
    const bool built = problem.file == built_in_cpp;
    result.push_back({problem.severity == Severity::warning, built ? "" : problem.file, built ? 0 : problem.where.line,
                      built ? 0 : problem.where.column, problem.key, problem.found, problem.expected, problem.remedy});
  }
  return result;
}

carom::Model read(const Model& model, carom::ProblemList& problems) {
  const auto& given = ModelAccess::impl(model);
  if (given.file.empty()) return carom::read_model_text(model.text(), built_in_cpp, problems, {}, given.folder);
  if (given.unchanged()) return carom::read_model(given.file, problems);
  carom::Model result = carom::read_model_text(model.text(), built_in_cpp, problems);
  result.file = given.file.string();
  // The text that includes the file would not stand alone in a result; where it can be written out, it is.
  carom::ProblemList unwritable;
  std::string text = carom::write_model(result, &unwritable);
  if (problems.errors() == 0 && unwritable.errors() == 0) result.text = std::move(text);
  return result;
}

carom::Model read(const Model& model) {
  carom::ProblemList problems;
  carom::Model result = read(model, problems);
  if (problems.errors() > 0) throw InputError(translate(problems));
  return result;
}

std::vector<Problem> validate(const Model& model) {
  carom::ProblemList problems;
  translating_errors([&] { read(model, problems); });
  return translate(problems);
}

}  // namespace carom::v1
