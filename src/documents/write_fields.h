#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/problem.h"
#include "model/drive.h"
#include "model/fields.h"

namespace carom::inline documents {

// A text of a model file, section by section. Values are written so that they read back to the last bit.
class FieldWriter {
 public:
  // Expressions may use the parameters; what cannot be written is reported of the file, unless there is no list.
  FieldWriter(bool planar, const std::map<std::string, double>& parameters, std::string file, ProblemList* problems)
      : planar_(planar), parameters_(parameters), file_(std::move(file)), problems_(problems) {}

  void heading(const std::string& title);
  void line(const std::string& key, const std::string& value) { text_ += key + " = " + value + "\n"; }
  void lines(const std::vector<SaidKey>& keys);
  template <class Struct>
  void write(const Fields<Struct>& fields, const Struct& held) {
    lines(said_of(fields, held, planar_));
  }
  // key = { … }; nothing if there is nothing in it.
  void inline_table(const std::string& key, const std::vector<SaidKey>& keys);

  bool planar() const { return planar_; }
  std::string take_text() { return std::move(text_); }

  static std::string text_value(const std::string& text);  // in quotes
  static std::string number_value(double number);

 private:
  std::optional<std::string> value_text(const ParameterDescription& row, const Value& value) const;
  std::optional<std::string> function_text(const Function& function, const ParameterDescription& row) const;
  std::optional<std::string> drive_text(const NamedDrive& drive) const;
  std::string numbers_text(const ParameterDescription& row, const std::vector<double>& numbers) const;
  void complain(const std::string& key, const SaidKey& said);

  bool planar_;
  const std::map<std::string, double>& parameters_;
  std::string file_;
  ProblemList* problems_;
  std::string text_, section_;
};

}  // namespace carom::inline documents
