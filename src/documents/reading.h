#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/dimension.h"
#include "base/expression.h"
#include "base/units.h"
#include "documents/check_value.h"
#include "documents/document.h"
#include "documents/key_path.h"
#include "model/description.h"
#include "model/fields.h"
#include "model/settings.h"

namespace carom::inline documents {

// After so many problems a file is hopeless, and the rest is not listed.
inline constexpr std::size_t most_problems = 1000;
void add_problem(ProblemList& problems, Problem problem);

// What is known while a model is read, and the one place where its problems are reported.
class Reading {
 public:
  Reading(const Documents& source, ProblemList& list) : documents(source), problems_(list) {}

  const Documents& documents;
  SourceMap sources;
  bool planar = false;
  std::map<std::string, double> parameters;
  std::map<std::string, Dimension> dimensions;  // of parameters whose unit is known; any of the others
  std::set<std::string> counted_in_cycles;      // parameters such as "50 Hz": right for a frequency, not for rad/s
  std::set<std::string> replaced_parameters;    // by --set
  std::set<std::string> broken_parameters;      // reported already; what uses them is not reported again
  bool check_dimensions = true;                 // of expressions
  std::map<std::string, ModelFile> files;       // that keys have named so far, by their paths
  std::vector<std::string> signals;             // names, in the order of the file
  std::map<std::string, Dimension> signal_dimensions;  // of those whose unit is known
  bool takes_signals = false;                          // what is read now may use them in its functions
  std::set<std::string> variables;                     // parameters that events may set: signals, and no numbers
  struct UsedQuantity {                                // [joint:pivot.rotation] in an expression
    std::string text;
    int file = 0;
    SourceLocation where = {};
    KeyPath key;
  };
  std::vector<UsedQuantity> quantities;
  // Of such a quantity, where it is known.
  std::function<std::optional<Dimension>(const std::string&)> quantity_dimension;

  void complain(const Node& at, const KeyPath& key, Complaint complaint);
  void complain(int file, SourceLocation where, const KeyPath& key, Complaint complaint);
  void warn(const Node& at, const KeyPath& key, Complaint complaint);
  void add(Problem problem) { add_problem(problems_, std::move(problem)); }
  void note(const KeyPath& key, const Node& value);

 private:
  ProblemList& problems_;
};

// Any unit, converted to SI.
inline const std::string any_unit = "*";
QuantityResult parse_any_quantity(std::string_view text);

// A value in SI and its dimension; none if it may have any.
struct Measured {
  double value = 0;
  std::optional<Dimension> dimension = {};
  bool counts_cycles = false;  // a multiple of Hz
};

// A number, a quantity or an expression over the parameters; none, and a problem, if it is nothing of these or not of
// the unit's dimension.
std::optional<Measured> read_measured(Reading& reading, const Node& node, const std::string& unit,
                                      const std::string& expected, const KeyPath& key);
std::optional<double> read_quantity(Reading& reading, const Node& node, const std::string& unit,
                                    const std::string& expected, const KeyPath& key);

// Names of arguments, and what is known of their dimensions.
struct ExpressionArguments {
  std::vector<std::string> names = {};
  KnownDimensions dimensions = {};
};
ExpressionArguments arguments_of(const ParameterDescription& row);

// Expression::compile with the names known so far, broken parameters included.
std::variant<Expression, ExpressionError> compile_expression(const Reading& reading, std::string_view text,
                                                             const ExpressionArguments& arguments);

// The expression in a text that starts with =; none, and a problem with the column inside the file, if it is unsound.
std::optional<Expression> read_expression(Reading& reading, const Node& node, const ExpressionArguments& arguments,
                                          const KeyPath& key);

// Whether the expression at the node can be a value in this unit; else a problem that names the parameters in it.
bool check_unit(Reading& reading, const Node& node, const Expression& expression, const std::string& unit,
                const std::string& expected, const KeyPath& key);

std::optional<Function> read_function(Reading& reading, const Node& node, const ParameterDescription& row,
                                      const KeyPath& key);

// The path of a file that a value names: from the folder of the file that names it.
std::filesystem::path path_from(const Reading& reading, const Node& node, const std::string& name);

// A file that a value names, read once however often it is named; none, and a problem, if it cannot be read.
std::optional<ModelFile> read_file(Reading& reading, const Node& node, const KeyPath& key);

// A value as its row asks for; none, and a problem, if it is not.
std::optional<Value> read_value(Reading& reading, const Node& node, const ParameterDescription& row,
                                const KeyPath& key);

// The keys of one table by their rows. Keys in `skipped` are read elsewhere; unknown ones are reported. The place of
// every key is noted, also where the value is unsound and left out.
Settings read_keys(Reading& reading, const Node& table, const std::vector<ParameterDescription>& rows,
                   const std::vector<std::string>& skipped, const KeyPath& key);

// Reports required rows that the table does not give.
void require_keys(Reading& reading, const Node& table, const std::vector<ParameterDescription>& rows,
                  const KeyPath& key);

// The keys of one table into a struct. Nested ones are read elsewhere, and required ones that are not there reported.
template <class Struct>
void read_fields(Reading& reading, const Node& table, const Fields<Struct>& fields,
                 const std::vector<std::string>& nested, const KeyPath& key, Struct& into) {
  take(fields, read_keys(reading, table, fields.rows(), nested, key), into, reading.planar);
  require_keys(reading, table, fields.rows(), key);
}

// Fills reading.parameters from the [parameters] sections; replacements are name and text.
void read_parameters(Reading& reading, const Node& table,
                     const std::vector<std::pair<std::string, std::string>>& replacements);

}  // namespace carom::inline documents
