#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "validation/episode.h"
#include "validation/reference_table.h"
#include "validation/vary_model.h"

// A validation case as its folder says it: model.toml, case.toml, tables of references (cases/README.md).
namespace carom::inline validation {

enum class CheckKind {
  reference,
  final_value,
  extreme,
  constant,
  falls,
  bound,
  reaches,
  period,
  residual,
  drift,
  mode,
  episodes,
  sum,
  rises,
  penetration,
  iterations,
  wear
};

const std::vector<std::string>& check_kind_names();  // in the order of CheckKind
const std::string& name_of(CheckKind kind);

// When a limit was chosen: before a result was seen, after one, or nobody knows. Words may follow after a colon.
const std::vector<std::string>& chosen_moments();

// One statement about a run. Limits are |error| ≤ absolute + relative · what the kind is relative to.
struct Check {
  std::string name;
  CheckKind kind = CheckKind::reference;
  std::vector<std::string> quantities = {};
  double tolerance_relative = 0, tolerance_absolute = 0;
  std::string reason = {};
  std::string chosen = {};                  // when the limit was chosen (chosen_moments), and what is to be said of it
  std::vector<std::string> variants = {};   // patterns of the variants it holds for; empty: all
  double value = 0;                         // final, extreme, period, sum
  bool largest = true;                      // extreme: the maximum, else the minimum
  std::optional<double> scale = {};         // constant
  double limit = 0;                         // bound, reaches, drift, penetration
  double begin = -1e300;                    // bound, reaches, wear: s, what was before does not count
  std::vector<double> most = {};            // iterations: of the smooth motion, the position and the velocity
  int number = 1;                           // mode, 1 = lowest frequency
  double frequency = 0, damping_ratio = 0;  // mode; Hz, –
  std::string contact = {}, table = {};     // episodes: "contact:ball-floor", "contacts.csv"
  std::vector<std::string> columns = {};    // episodes: of the table; empty: all
  std::optional<int> count = {};            // episodes: of the whole run
  EpisodeTable episodes = {};               // content of the table
  std::vector<double> volumes = {};         // wear: m³ worn off the two parts
  std::optional<double> growth = {};        // wear: m, of the radial clearance of a joint, on the mean around it

  bool holds_for(const std::string& variant) const;
};

// The model run again with fixed steps of several sizes, over one period. Sizes and end follow from the period by a
// rule (cases/README.md). The error of a quantity is the largest over the times of the reference, relative to the
// largest magnitude of its column there.
struct Convergence {
  std::string name;
  std::string integrator;
  std::string constraints = {};                       // empty: as in the model
  std::optional<double> rho_infinity = {};            // none: as in the model
  double period = 1;                                  // s, of the fastest motion
  std::vector<std::vector<std::string>> groups = {};  // each a vector of quantities, whose error is its largest one
  double order = 2, tolerance = 0.1;                  // of the slope through the finest steps
  std::string reason = {};
  std::string chosen = {};  // as of a check
};

// How many of its first steps an integrator is given for a period; 0 if it takes no fixed steps.
int steps_per_period(const std::string& integrator);

// The model of the case with other values of some keys.
struct Variant {
  std::string name;
  std::vector<Change> changes;
  std::string reference_file = {};  // of its own; empty: reference.csv
  std::optional<ReferenceTable> reference = {};
  std::string fails = {};  // the run must stop before its end, with these words in its reason; empty: it must not

  std::string label_of(const std::string& path) const;  // the value a change gives, a text without quotes; empty: none
};

// A pair of axes. Either quantities over time or over the quantity x, for every variant that is asked for;
// or, with a contact, a value of one episode over a value that the variants differ in.
struct PlotPanel {
  std::string title = {};
  std::vector<std::string> quantities = {};
  std::vector<std::string> variants = {};  // patterns; empty: all
  std::string x = {};                      // quantity, or path of a change
  double begin = -std::numeric_limits<double>::infinity(), end = std::numeric_limits<double>::infinity();  // s, shown
  std::string where = {};            // quantity: only samples at which it is above zero are shown; empty: all
  std::string contact = {}, y = {};  // column of an episode
  std::string series = {};           // path of a change: a curve for every value of it
  int number = 1;                    // of the episode

  bool shows(const std::string& variant) const;
};

// Parameters of the model whose change no check of the case can see, and why that is so: for tools/mutate.
struct Unnoticed {
  std::vector<std::string> parameters;  // names or patterns of names, as tools/mutate writes them
  std::string reason;
};

struct CasePlot {
  std::string title;
  std::vector<PlotPanel> panels;
};

struct Case {
  std::string name;  // of the folder
  std::filesystem::path folder;
  std::string title, source, why;
  bool long_run = false;  // `long`: takes minutes, and is run only when asked for
  std::vector<Check> checks;
  std::vector<Convergence> convergences;
  std::vector<Variant> variants;  // empty: the model is run as it is
  CasePlot plot;
  std::vector<Unnoticed> unnoticed;
  ReferenceTable reference;  // empty if there is no reference.csv

  const ReferenceTable& reference_of(const std::string& variant) const;
};

}  // namespace carom::inline validation
