#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/expression.h"
#include "documents/document.h"
#include "durability/fatigue_life.h"
#include "model/model.h"
#include "signals/poincare_map.h"
#include "studies/study_figure.h"

// A study as its file says it: which models run with which values, and what is asked of each run.
namespace carom::inline studies {

// A distribution of a varied value, in SI.
struct Spread {
  enum class Kind { uniform, log_uniform, normal, weibull };

  Kind kind = Kind::uniform;
  double from = 0, to = 1;         // uniform, log_uniform
  double mean = 0, deviation = 1;  // normal
  double shape = 1, scale = 1;     // weibull
  double location = 0;             // weibull: smallest value
  double lower = -std::numeric_limits<double>::infinity(),
         upper = std::numeric_limits<double>::infinity();  // normal, weibull: what lies outside is not drawn
};

// One parameter of the model and the values it takes: listed ones, or those of a distribution.
struct VariedParameter {
  std::string parameter, unit;  // SI unit for titles; empty: none is known
  std::vector<double> values = {};
  std::optional<Spread> spread = {};
  bool logarithmic = false;  // a range with this scale
  std::string shown = {};    // unit of the study file, for pictures; empty: the SI unit
};

enum class Sampling { grid, list, latin_hypercube, sobol, random };
const std::vector<std::string>& sampling_names();  // in the order of Sampling

// When the values of a Poincaré section are taken, if not once a period: at events, or where a quantity passes a level.
struct StudySection {
  std::string event = {}, kind = {};  // what touches, a pattern; and the kind of event, empty: any beginning
  std::string crossing = {};          // a recorded quantity
  double value = 0;                   // in its unit
  Crossing way = Crossing::rising;
};

// One number, or one list of numbers, out of a run.
struct StudyQuantity {
  std::string name, unit = {};
  std::vector<std::string> of = {};  // recorded quantities; several: the length of the vector. count_events: a subject
  std::string reduce = {};           // empty: an expression
  Expression expression = {};        // over Study::parameters and the quantities of one number before this one
  double percent = 50;               // percentile
  double exponent = 3;               // power_mean, life
  double rating = 0;                 // life
  std::string kind = {};             // count_events: of the event; empty: any
  std::string how = "separation";    // lyapunov: or "variation"
  double separation = 1e-6;          // lyapunov: of two motions, relative
  std::optional<Expression> interval = {};   // lyapunov: s, over Study::parameters; none: the period of [steady]
  std::optional<double> from = {}, to = {};  // s, instead of those of the study
  std::optional<StudySection> at = {};       // poincare and what follows from it; none: once a period
  std::optional<WoehlerLine> woehler = {};   // damage
  std::size_t every = 1;                     // trace: so many samples a value
  std::vector<std::size_t> models = {};      // that it is asked of; empty: all
  bool is_list = false;

  bool asked_of(std::size_t model) const;
};

// What is left out at the beginning of each run.
struct Steady {
  double from = -std::numeric_limits<double>::infinity();  // s
  double skip_turns = 0;
  std::optional<Expression> period = {};  // s, over Study::parameters
  bool detect = false;                    // what comes before the motion settles is left out, too
  std::string place = {};                 // file, line and key, for messages
};

struct StudyModel {
  std::string file;     // as written in the study
  Documents documents;  // as they were when the study was read
  Model base;           // with the values of its own file
};

struct Study {
  std::string name, file, text;
  std::vector<StudyModel> models;
  std::vector<std::string> methods = {""};  // empty: that of the model
  std::vector<VariedParameter> varied;
  Sampling sampling = Sampling::grid;
  std::size_t samples = 0;
  std::uint64_t seed = 0;
  bool keep = false;  // result files of all runs
  Steady steady;
  std::vector<StudyQuantity> quantities;
  std::vector<StudyFigure> figures;
  std::vector<std::string> parameters;  // that all models have: arguments of the expressions

  std::size_t number_of_lists() const;
};

// A mark of the study, its models and this program: equal only if a run means the same. Figures do not count: they may
// be changed and drawn again without a run.
std::uint64_t fingerprint(const Study& study);

}  // namespace carom::inline studies
