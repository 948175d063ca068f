#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace carom::inline base {

// A place in a text file: 1-based line and column; 0 where unknown.
struct SourceLocation {
  int line = 0;
  int column = 0;
};

enum class Severity { error, warning };

// One thing wrong with the input: where it stands, what was found, what was expected, and how to put it right.
// Fields that say nothing stay empty and are left out of the text.
struct Problem {
  Severity severity = Severity::error;
  std::string file = {};
  SourceLocation where = {};
  std::string key = {};       // dotted path, for example contact.dry.restitution
  std::string found = {};     // what stands there
  std::string expected = {};  // what may stand there
  std::string remedy = {};    // what to do, for example "did you mean `restitution`?"
};

// `text`, as messages show names and pieces of input.
std::string quoted(std::string_view text);

// One line, without a line end: `model.toml:12:5: error: body.crank.mass: found -3; expected a number > 0; remedy`.
std::string to_text(const Problem& problem);

// The problems of one reading, in the order in which they were found.
class ProblemList {
 public:
  void add(Problem problem);
  void add(const ProblemList& others);

  int errors() const;    // how many errors
  int warnings() const;  // how many warnings
  bool empty() const { return problems_.empty(); }
  const std::vector<Problem>& all() const { return problems_; }

  std::string text() const;  // one line per problem, every line ended

 private:
  std::vector<Problem> problems_;
};

// The input cannot be used: the command line prints the problems and exits with 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(ProblemList problems);
  const ProblemList& problems() const { return problems_; }

 private:
  ProblemList problems_;
};

// Throws an InputError of one problem: a key or an option that cannot be used.
[[noreturn]] void refuse(const std::string& key, const std::string& found, const std::string& expected,
                         const std::string& remedy = {});

// The input is sound, but a computation on it failed: the command line exits with 1.
class ComputationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace carom::inline base
