#include <algorithm>

#include <fmt/format.h>

#include "control/block.h"

namespace carom::inline control {
namespace {

// y = f(u), a table or an expression of x.
class Table final : public BlockOf<Table> {
 public:
  explicit Table(const Settings& settings) : values_(settings.function("values")) {}
  double output_of(double, const double* u, const double*) const { return values_.value(u[0]); }
  Jet output_of(const Jet&, const Jet* u, const Jet*) const { return values_.along(u[0], nullptr); }
  int most_rates() const override {
    const auto table = values_.table_points();
    return table && table->interpolation == Interpolation::linear ? 1 : all_rates;
  }

 private:
  Function values_;
};

// Bilinear between the points of a grid, that of the nearest border outside.
class PlaneTable final : public BlockOf<PlaneTable> {
 public:
  explicit PlaneTable(const Settings& settings)
      : x_(settings.numbers("x")), y_(settings.numbers("y")), values_(settings.numbers("values")) {}
  template <class Number>
  Number output_of(const Number&, const Number* u, const Number*) const {
    const auto [i, a] = place(x_, u[0]);
    const auto [k, b] = place(y_, u[1]);
    const double* row = values_.data() + i * y_.size() + k;
    const double* next = row + y_.size();
    return (1 - a) * ((1 - b) * Number(row[0]) + b * Number(row[1])) +
           a * ((1 - b) * Number(next[0]) + b * Number(next[1]));
  }
  int most_rates() const override { return 1; }

 private:
  // The interval that holds a number, and how far along it lies.
  template <class Number>
  static std::pair<std::size_t, Number> place(const std::vector<double>& knots, const Number& at) {
    const double value = value_of(at);
    if (value <= knots.front()) return {0, Number(0)};
    if (value >= knots.back()) return {knots.size() - 2, Number(1)};
    const std::size_t k =
        static_cast<std::size_t>(std::upper_bound(knots.begin(), knots.end(), value) - knots.begin()) - 1;
    return {k, (1 / (knots[k + 1] - knots[k])) * (at - knots[k])};
  }

  std::vector<double> x_, y_, values_;  // values: all of the first x, then of the next
};

std::string check_plane_table(const Settings& settings) {
  for (const char* const name : {"x", "y"}) {
    const std::vector<double> knots = settings.numbers(name);
    if (knots.size() < 2) return fmt::format("`{}` has {} number; a table has two or more", name, knots.size());
    if (std::adjacent_find(knots.begin(), knots.end(), std::greater_equal<>()) != knots.end())
      return fmt::format("`{}` does not increase", name);
  }
  const std::size_t rows = settings.numbers("x").size(), columns = settings.numbers("y").size();
  if (settings.numbers("values").size() == rows * columns) return "";
  return fmt::format("`values` has {} numbers; {} times {} of `x` and `y` make {}", settings.numbers("values").size(),
                     rows, columns, rows * columns);
}

}  // namespace

BlockDescription describe_table() {
  return {{.name = "table",
           .summary = "A function of the input: a table, or an expression of x.",
           .reference = "",
           .parameters = {input_row(),
                          {.name = "values",
                           .kind = ParameterKind::function,
                           .unit = "*",
                           .meaning = "{ table = [[x, y], …] }, a file, or an expression of x",
                           .required = true,
                           .arguments = {"x"}}}},
          {"input"},
          OutputUnit::own,
          [](const Settings& settings) { return std::make_unique<Table>(settings); }};
}

BlockDescription describe_table_2d() {
  const auto numbers = [](const std::string& name, const std::string& meaning) {
    return ParameterDescription{
        .name = name, .kind = ParameterKind::numbers, .unit = "*", .meaning = meaning, .required = true};
  };
  return {{.name = "table-2d",
           .summary = "A function of two inputs by a table over a grid, bilinear in between, held outside.",
           .reference = "",
           .parameters = {input_row("input", "the first input, along x"), input_row("other", "the second, along y"),
                          numbers("x", "where rows of the table stand, increasing"),
                          numbers("y", "where its columns stand, increasing"),
                          numbers("values", "all values of the first x, then of the next, and so on")}},
          {"input", "other"},
          OutputUnit::own,
          [](const Settings& settings) { return std::make_unique<PlaneTable>(settings); },
          check_plane_table};
}

}  // namespace carom::inline control
