#include "base/problem.h"

#include <algorithm>
#include <utility>

namespace carom::inline base {

namespace {

int count(const std::vector<Problem>& problems, Severity severity) {
  return static_cast<int>(std::count_if(problems.begin(), problems.end(),
                                        [severity](const Problem& problem) { return problem.severity == severity; }));
}

std::string place(const Problem& problem) {
  std::string text = problem.file;
  for (const int number : {problem.where.line, problem.where.column}) {
    if (number <= 0) break;  // a column without a line says nothing
    if (!text.empty()) text += ':';
    text += std::to_string(number);
  }
  return text;
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string result(1, '`');
  result += text;
  result += '`';
  return result;
}

std::string to_text(const Problem& problem) {
  std::string text = place(problem);
  if (!text.empty()) text += ": ";
  text += problem.severity == Severity::error ? "error" : "warning";
  if (!problem.key.empty()) text += ": " + problem.key;

  std::string separator = ": ";
  const auto append = [&](const std::string& label, const std::string& part) {
    if (part.empty()) return;
    text += separator + label + part;
    separator = "; ";
  };
  append("found ", problem.found);
  append("expected ", problem.expected);
  append("", problem.remedy);
  return text;
}

void ProblemList::add(Problem problem) {
  problems_.push_back(std::move(problem));
}

void ProblemList::add(const ProblemList& others) {
  const std::vector<Problem> copy = others.problems_;  // the list may be added to itself
  problems_.insert(problems_.end(), copy.begin(), copy.end());
}

int ProblemList::errors() const {
  return count(problems_, Severity::error);
}

int ProblemList::warnings() const {
  return count(problems_, Severity::warning);
}

std::string ProblemList::text() const {
  std::string text;
  for (const Problem& problem : problems_) text += to_text(problem) + '\n';
  return text;
}

InputError::InputError(ProblemList problems) : std::runtime_error(problems.text()), problems_(std::move(problems)) {}

void refuse(const std::string& key, const std::string& found, const std::string& expected, const std::string& remedy) {
  ProblemList problems;
  problems.add(Problem{.key = key, .found = found, .expected = expected, .remedy = remedy});
  throw InputError(problems);
}

}  // namespace carom::inline base
