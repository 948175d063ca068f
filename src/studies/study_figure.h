#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recording/table_file.h"

// Pictures of a study as its file, or the command line, asks for them.
namespace carom::inline studies {

// Runs by a column of the table: its name and the values it may have, as written ("5000 rpm", "pin.toml").
using RunFilter = std::pair<std::string, std::vector<std::string>>;

struct StudyFigure {
  // Quantities over a parameter, lists as clouds; list over list of all runs in one panel; colours over two parameters;
  // list over list with a panel a run.
  enum class Kind { curves, cloud, map, gallery };

  std::string name = {}, title = {}, caption = {};
  std::string format = "svg", style = "screen";
  Kind kind = Kind::curves;
  std::vector<std::string> y = {};        // columns, lists or patterns; none: every quantity
  std::vector<std::string> x = {};        // a column; of lists, one list for all y or one for each; none: chosen
  std::vector<RunFilter> where = {};      // all hold for the runs shown
  std::vector<RunFilter> reference = {};  // gallery: what sets the run apart that is drawn behind each
  std::vector<std::string> labels = {};   // gallery: titles of the panels
  std::string circle = {};                // gallery: radius in the unit of x, an expression over varied parameters
  std::string log = {};                   // of x, y and z, the colours: those with a logarithmic scale
  bool points = false;                    // gallery: traces as points
  int columns = 0;                        // panels side by side; 0: chosen
};

const std::vector<std::string>& figure_kinds();  // in the order of StudyFigure::Kind

// What is wrong with a figure: a key of its table, and a complaint.
struct FigureProblem {
  std::string key, found, expected, remedy;
};

// The first thing that the table of a study, whose numbers may still be missing, does not have.
std::optional<FigureProblem> problem_of(const StudyFigure& figure, const Table& table);

// The rows of the table that a filter lets through, in their order. The filter was found sound.
std::vector<std::size_t> selected_rows(const std::vector<RunFilter>& where, const Table& table);

// Varied parameters, model and method, where the rows differ in them.
std::vector<const TableColumn*> differing_columns(const Table& table, const std::vector<std::size_t>& rows);

// What is on the horizontal axis of a figure of columns: what it says, or the first varied parameter that the rows
// differ in, or the first; null where nothing is varied.
const TableColumn* x_column(const StudyFigure& figure, const Table& table, const std::vector<std::size_t>& rows);

// The columns and lists that the figure draws.
std::vector<std::string> drawn_quantities(const StudyFigure& figure, const Table& table);

// Radius of the circle for a row.
double circle_radius(const StudyFigure& figure, const Table& table, std::size_t row);

}  // namespace carom::inline studies
