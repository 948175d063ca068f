#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>

#include "base/characters.h"
#include "base/dimension_check.h"
#include "base/expression.h"
#include "base/expression_program.h"
#include "base/linear_form.h"
#include "base/nearest_name.h"
#include "base/problem.h"
#include "base/units.h"

namespace carom::inline base {

namespace {

constexpr int deepest_nesting = 200;  // of parentheses, branches and exponents: bounds the compiler's own recursion

struct BinaryOperator {
  std::string_view token;
  Operation operation;
  int rank;  // larger binds tighter
};

constexpr int comparison_rank = 3;

// Longer tokens before those they begin with.
constexpr std::array binary_operators = {
    BinaryOperator{"||", Operation::logical_or, 1},
    BinaryOperator{"&&", Operation::logical_and, 2},
    BinaryOperator{"<=", Operation::less_equal, comparison_rank},
    BinaryOperator{">=", Operation::greater_equal, comparison_rank},
    BinaryOperator{"==", Operation::equal, comparison_rank},
    BinaryOperator{"!=", Operation::not_equal, comparison_rank},
    BinaryOperator{"<", Operation::less, comparison_rank},
    BinaryOperator{">", Operation::greater, comparison_rank},
    BinaryOperator{"+", Operation::add, 4},
    BinaryOperator{"-", Operation::subtract, 4},
    BinaryOperator{"*", Operation::multiply, 5},
    BinaryOperator{"/", Operation::divide, 5},
};

// What people write and what they should write instead.
struct Habit {
  std::string_view written;
  std::string_view instead;
};

constexpr std::array habits = {Habit{"·", "*"},
                               Habit{"×", "*"},
                               Habit{"−", "-"},
                               Habit{"²", "^2"},
                               Habit{"³", "^3"},
                               Habit{"≤", "<="},
                               Habit{"≥", ">="},
                               Habit{"π", "pi"},
                               Habit{"=", "=="},
                               Habit{"&", "&&"},
                               Habit{"|", "||"},
                               Habit{"%", "mod(a, b)"},
                               Habit{",", "a decimal point"}};

bool is_letter(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_';
}

}  // namespace

// Recursive descent over the text; emits postfix instructions as it goes. Errors leave by exception, within this file.
class ExpressionCompiler {
 public:
  ExpressionCompiler(std::string_view text, const std::vector<std::string>& arguments,
                     const std::map<std::string, double>& constants, const KnownDimensions& dimensions)
      : text_(text), arguments_(arguments), constants_(constants), dimensions_(dimensions), check_(text_) {}

  Expression compile() {
    skip_space();
    if (position_ == text_.size()) fail(position_, "the expression is empty");
    condition();
    if (position_ < text_.size()) fail_at_unexpected();
    if (check_.error()) throw ExpressionError(*check_.error());
    program_.dimension = check_.dimension();
    program_.plain_factor = check_.plain_factor();
    program_.text = text_;
    program_.argument_count = static_cast<int>(arguments_.size());
    program_.names_used.assign(names_used_.begin(), names_used_.end());
    return Expression(std::make_shared<const Expression::Program>(std::move(program_)));
  }

 private:
  using Program = Expression::Program;

  // Counts the levels of recursion while it lives.
  struct Nesting {
    explicit Nesting(ExpressionCompiler& compiler) : level(compiler.nesting_) {
      if (++level > deepest_nesting) compiler.fail(compiler.position_, "the expression is nested too deeply");
    }
    ~Nesting() { --level; }
    int& level;
  };

  [[noreturn]] void fail(std::size_t position, std::string message, std::string remedy = "") const {
    throw ExpressionError{static_cast<int>(position) + 1, std::move(message), std::move(remedy)};
  }

  [[noreturn]] void fail_at_unexpected() const {
    const std::string_view rest = std::string_view(text_).substr(position_);
    if (rest.empty()) fail(position_, "the expression ends too early");
    for (const Habit& habit : habits) {
      if (rest.substr(0, habit.written.size()) == habit.written) {
        fail(position_, "unexpected " + quoted(habit.written),
             habit.instead.front() == 'a' ? "use " + std::string(habit.instead) : "use " + quoted(habit.instead));
      }
    }
    if (is_letter(rest.front()) || is_digit(rest.front()) || rest.front() == '.') {
      fail(position_, "unexpected " + quoted(word(position_)), "an operator such as * is missing before it");
    }
    if (rest.front() == '[') fail(position_, "unexpected `[`", "a unit stands right behind a number: `9.81[m/s^2]`");
    if (rest.front() == '(') fail(position_, "unexpected `(`", "an operator such as * is missing before it");
    std::size_t length = 1;  // a whole UTF-8 character
    while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xC0) == 0x80) ++length;
    fail(position_, "unexpected " + quoted(rest.substr(0, length)));
  }

  void skip_space() {
    while (position_ < text_.size() && std::string_view(" \t\r\n").find(text_[position_]) != std::string_view::npos) {
      ++position_;
    }
  }

  bool at(std::string_view token) const { return std::string_view(text_).substr(position_, token.size()) == token; }

  bool take(std::string_view token) {
    if (!at(token)) return false;
    position_ += token.size();
    skip_space();
    return true;
  }

  void require(std::string_view token) {
    if (take(token)) return;
    if (position_ < text_.size()) fail_at_unexpected();
    fail(position_, "a " + quoted(token) + " is missing");
  }

  std::string_view word(std::size_t start) const {
    std::size_t end = start;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '.')) ++end;
    return std::string_view(text_).substr(start, end - start);
  }

  // c ? a : b, or less.
  void condition() {
    const Nesting nesting(*this);
    binary(1);
    if (!take("?")) return;
    condition();
    const std::size_t colon = position_;
    require(":");
    condition();
    emit(Operation::select, ":", colon);
  }

  const BinaryOperator* binary_operator_here() const {
    if (at("**")) return nullptr;
    const auto found = std::find_if(binary_operators.begin(), binary_operators.end(),
                                    [this](const BinaryOperator& candidate) { return at(candidate.token); });
    return found == binary_operators.end() ? nullptr : &*found;
  }

  // Operators of this rank and above, from left to right.
  void binary(int lowest_rank) {
    const std::size_t left = program_.instructions.size();
    unary();
    bool compared = false;
    for (const BinaryOperator* found = binary_operator_here(); found != nullptr && found->rank >= lowest_rank;
         found = binary_operator_here()) {
      const bool comparison = found->rank == comparison_rank;
      if (comparison && compared) fail(position_, "comparisons cannot be chained", "join them with &&");
      compared = comparison;
      const std::size_t place = position_;
      take(found->token);
      const std::size_t right = program_.instructions.size();
      binary(found->rank + 1);
      if (comparison) add_switching_point(left, right, program_.instructions.size());
      emit(found->operation, found->token, place);
    }
  }

  // Signs are gathered in a loop: a long row of them needs no recursion.
  void unary() {
    std::string signs;
    const std::size_t start = position_;
    while (at("-") || at("+") || (at("!") && !at("!="))) {
      signs += text_[position_];
      take(signs.substr(signs.size() - 1));
    }
    power();
    for (auto sign = signs.rbegin(); sign != signs.rend(); ++sign) {
      if (*sign != '+') emit(*sign == '-' ? Operation::negate : Operation::logical_not, "-", start);
    }
  }

  void power() {
    primary();
    const std::size_t place = position_;
    if (!take("^") && !take("**")) return;
    const Nesting nesting(*this);
    unary();
    emit(Operation::power, "^", place);
  }

  void primary() {
    if (position_ == text_.size()) fail_at_unexpected();
    const std::size_t start = position_;
    const char c = text_[start];
    if (is_digit(c) || c == '.') {
      number();
    } else if (is_letter(c)) {
      name();
    } else if (c == '[') {
      quantity();
    } else if (take("(")) {
      condition();
      require(")");
      check_.place(start, position_);
    } else {
      fail_at_unexpected();
    }
  }

  void number() {
    const std::size_t start = position_;
    double value = 0;
    const char* const end = text_.data() + text_.size();
    const auto result = std::from_chars(text_.data() + position_, end, value);
    if (result.ec == std::errc::result_out_of_range) fail(position_, "a number out of range");
    if (result.ec != std::errc()) fail(position_, "unexpected `.`");
    position_ = static_cast<std::size_t>(result.ptr - text_.data());
    if (at(".")) fail(position_, "a number with two decimal points");
    if (at("[")) return unit_behind(value, start);
    check_.push_number(start, position_);
    skip_space();
    push({Operation::constant, 0, value});
  }

  // 9.81[m/s^2]
  void unit_behind(double number, std::size_t start) {
    const std::size_t bracket = position_, end = text_.find(']', bracket);
    if (end == std::string::npos) fail(bracket, "a `]` is missing");
    const std::string unit = text_.substr(bracket + 1, end - bracket - 1);
    if (unit.find_first_not_of(" \t") == std::string::npos) {
      fail(bracket, "a unit is missing between `[` and `]`", "write 1 for a number without a unit");
    }
    const auto parsed = parse_unit(unit);
    if (const auto* error = std::get_if<std::string>(&parsed)) fail(bracket + 1, *error);
    const Unit& known = std::get<Unit>(parsed);
    const double value = known.scale * number + known.offset;
    if (!std::isfinite(value)) fail(start, "a number out of range");
    position_ = end + 1;
    check_.push_known(Dimension(known), true);
    check_.place(start, position_);
    skip_space();
    push({Operation::constant, 0, value});
  }

  // [joint:pivot.rotation], an argument whose name is no word.
  void quantity() {
    const std::size_t start = position_, end = text_.find(']', start);
    if (end == std::string::npos) fail(start, "a `]` is missing");
    const std::string name = text_.substr(start + 1, end - start - 1);
    const auto argument = std::find(arguments_.begin(), arguments_.end(), name);
    if (argument == arguments_.end())
      fail(start, "a quantity of the model, " + quoted("[" + name + "]") + ", where only numbers can stand",
           "a unit stands right behind a number: `9.81[m/s^2]`");
    position_ = end + 1;
    names_used_.insert(name);
    push_dimension(name, start);
    check_.place(start, position_);
    skip_space();
    push({Operation::argument, static_cast<int>(argument - arguments_.begin()), 0});
  }

  void name() {
    const std::size_t start = position_;
    while (position_ < text_.size() && (is_letter(text_[position_]) || is_digit(text_[position_]))) ++position_;
    const std::string name = text_.substr(start, position_ - start);
    skip_space();
    if (at("(")) {
      call(name, start);
    } else if (const auto argument = std::find(arguments_.begin(), arguments_.end(), name);
               argument != arguments_.end()) {
      names_used_.insert(name);
      push_dimension(name, start);
      push({Operation::argument, static_cast<int>(argument - arguments_.begin()), 0});
    } else if (const auto constant = constants_.find(name); constant != constants_.end()) {
      names_used_.insert(name);
      push_dimension(name, start);
      push({Operation::constant, 0, constant->second});
    } else if (name == "pi" || name == "e") {
      check_.push_constant();
      check_.place(start, start + name.size());
      push({Operation::constant, 0, name == "pi" ? std::numbers::pi : std::numbers::e});
    } else {
      fail_at_unknown_name(name, start);
    }
  }

  void push_dimension(const std::string& name, std::size_t start) {
    const auto meant = dimensions_.meant.find(name), written = dimensions_.written.find(name);
    if (meant != dimensions_.meant.end()) {
      check_.push_known(meant->second, false);
    } else if (written != dimensions_.written.end()) {
      check_.push_known(written->second, true);
    } else {
      check_.push_free();
    }
    check_.place(start, start + name.size());
  }

  [[noreturn]] void fail_at_unknown_name(const std::string& name, std::size_t start) const {
    if (find_function(name) != nullptr) fail(start, quoted(name) + " is a function", "write " + quoted(name + "(…)"));
    std::vector<std::string> valid = arguments_;
    for (const auto& [constant, value] : constants_) valid.push_back(constant);
    valid.insert(valid.end(), {"pi", "e"});
    const std::string near = did_you_mean(name, valid);
    if (!near.empty()) fail(start, "unknown name " + quoted(name), near);
    constexpr std::size_t most = 12;
    std::string known;
    for (std::size_t k = 0; k < valid.size() && k < most; ++k) known += (k > 0 ? ", " : "") + valid[k];
    fail(start, "unknown name " + quoted(name), "known here are " + known + (valid.size() > most ? ", …" : ""));
  }

  void call(const std::string& name, std::size_t start) {
    const NamedFunction* function = find_function(name);
    if (function == nullptr) {
      const bool variable = constants_.contains(name) || name == "pi" || name == "e" ||
                            std::find(arguments_.begin(), arguments_.end(), name) != arguments_.end();
      if (variable) fail(start, quoted(name) + " is not a function", "an operator such as * is missing behind it");
      fail(start, "unknown function " + quoted(name), did_you_mean(name, function_names()));
    }
    take("(");
    std::vector<std::size_t> operand_starts;
    if (!at(")")) {
      do {
        operand_starts.push_back(program_.instructions.size());
        condition();
        if (function->any_number && operand_starts.size() > 1) {
          add_switching_point(operand_starts.front(), operand_starts.back(), program_.instructions.size());
          emit(function->operation, name, start);
        }
      } while (take(","));
    }
    require(")");
    check_count(*function, static_cast<int>(operand_starts.size()), start);
    if (!function->any_number) {
      add_switching_points(function->operation, operand_starts);
      emit(function->operation, name, start);
    }
    check_.place(start, position_);
  }

  void check_count(const NamedFunction& function, int count, std::size_t start) const {
    const int expected = operand_count(function.operation);
    if (function.any_number ? count > 0 : count == expected) return;
    const std::string wanted = function.any_number ? "one or more arguments"
                               : expected == 1     ? "one argument"
                                                   : std::to_string(expected) + " arguments";
    fail(start, quoted(function.name) + " takes " + wanted + ", not " + std::to_string(count),
         expected == 5 ? "write " + quoted(std::string(function.name) + "(t, t0, y0, t1, y1)") : "");
  }

  void add_switching_points(Operation operation, const std::vector<std::size_t>& starts) {
    const std::size_t end = program_.instructions.size();
    if (operation == Operation::abs || operation == Operation::sign) {
      add_switching_point(starts[0], end, end);
    } else if (operation == Operation::step || operation == Operation::smoothstep5) {
      const auto form = [&](std::size_t operand) {
        return linear_form(
            std::span(program_.instructions).subspan(starts[operand], starts[operand + 1] - starts[operand]));
      };
      for (const std::size_t border : {1, 3}) add_root(form(0), form(border));
    }
  }

  // Where the piece left … right equals the piece right … end (nothing stands for 0).
  void add_switching_point(std::size_t left, std::size_t right, std::size_t end) {
    const std::span instructions(program_.instructions);
    add_root(linear_form(instructions.subspan(left, right - left)),
             right == end ? LinearForm{} : linear_form(instructions.subspan(right, end - right)));
  }

  void add_root(const std::optional<LinearForm>& left, const std::optional<LinearForm>& right) {
    if (!left || !right) return;
    const std::optional<LinearForm> difference = sum_of(*left, *right, -1);
    if (!difference || difference->argument < 0) return;
    const double root = -difference->b / difference->a;
    if (std::isfinite(root)) program_.switching_points.emplace_back(difference->argument, root + 0.0);  // no -0
  }

  void push(const Instruction& instruction) {
    program_.instructions.push_back(instruction);
    if (++depth_ > deepest_expression_stack) fail(position_, "the expression is nested too deeply");
  }

  // An operation, written as `token`. If its operands are all constants it is carried out at once.
  void emit(Operation operation, std::string_view token, std::size_t place) {
    std::vector<Instruction>& instructions = program_.instructions;
    const Instruction& last = instructions.back();
    check_.apply(operation, token, place,
                 last.operation == Operation::constant ? std::optional(last.constant) : std::nullopt);
    const auto count = static_cast<std::size_t>(operand_count(operation));
    depth_ -= static_cast<int>(count) - 1;
    const auto first = instructions.end() - static_cast<std::ptrdiff_t>(count);
    const bool constant =
        std::all_of(first, instructions.end(), [](const Instruction& i) { return i.operation == Operation::constant; });
    if (!constant) {
      instructions.push_back({operation, 0, 0});
      return;
    }
    std::array<double, 5> operands{};
    std::transform(first, instructions.end(), operands.begin(), [](const Instruction& i) { return i.constant; });
    instructions.erase(first, instructions.end());
    instructions.push_back({Operation::constant, 0, apply(operation, operands.data())});
  }

  std::string text_;
  const std::vector<std::string>& arguments_;
  const std::map<std::string, double>& constants_;
  const KnownDimensions& dimensions_;
  DimensionCheck check_;
  Program program_;
  std::set<std::string> names_used_;
  std::size_t position_ = 0;
  int nesting_ = 0;
  int depth_ = 0;  // of the evaluation stack, behind the last instruction
};

std::variant<Expression, ExpressionError> Expression::compile(std::string_view text,
                                                              const std::vector<std::string>& arguments,
                                                              const std::map<std::string, double>& constants,
                                                              const KnownDimensions& dimensions) {
  try {
    return ExpressionCompiler(text, arguments, constants, dimensions).compile();
  } catch (const ExpressionError& error) {
    return error;
  }
}

}  // namespace carom::inline base
