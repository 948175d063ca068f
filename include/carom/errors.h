#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "carom/export.h"

namespace carom::v1 {

// One thing wrong with a model: where it stands, what was found, what was expected, and how to put it right.
// Fields that say nothing are empty. A model built in C++ has no file; its problems are placed by their key.
struct CAROM_EXPORT Problem {
  bool warning = false;      // the model can be used all the same
  std::string file;          // of a model that was loaded
  int line = 0, column = 0;  // counted from 1; 0: unknown
  std::string key;           // dotted path, such as body.crank.mass
  std::string found;         // what stands there
  std::string expected;      // what may stand there
  std::string remedy;        // what to do, such as "did you mean `restitution`?"
};

// One line, without a line end.
CAROM_EXPORT std::string to_text(const Problem& problem);

// What every exception of the library derives from.
class CAROM_EXPORT Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~Error() override;
};

// The model cannot be used. Carries every problem found, not only the first; what() lists them line by line.
class CAROM_EXPORT InputError : public Error {
 public:
  explicit InputError(std::vector<Problem> problems);
  ~InputError() override;
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

// A result file cannot be written or read, or does not hold the quantity asked for.
class CAROM_EXPORT ResultError : public Error {
 public:
  using Error::Error;
  ~ResultError() override;
};

}  // namespace carom::v1
