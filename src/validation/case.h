#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "validation/reference_table.h"

// A validation case as its folder says it: model.toml, case.toml, reference.csv (cases/README.md).
namespace carom {

enum class CheckKind { reference, final_value, extreme, constant, bound, period, residual, drift, mode };

const std::vector<std::string>& check_kind_names();  // in the order of CheckKind
const std::string& name_of(CheckKind kind);

// One statement about a run. Limits are |error| ≤ absolute + relative · what the kind is relative to.
struct Check {
  std::string name;
  CheckKind kind = CheckKind::reference;
  std::vector<std::string> quantities = {};
  double tolerance_relative = 0, tolerance_absolute = 0;
  std::string reason = {};
  double value = 0;                         // final, extreme, period
  bool largest = true;                      // extreme: the maximum, else the minimum
  std::optional<double> scale = {};         // constant
  double limit = 0;                         // bound, drift
  int number = 1;                           // mode, 1 = lowest frequency
  double frequency = 0, damping_ratio = 0;  // mode; Hz, –
};

// The model run again with fixed steps of several sizes, over one period. Sizes and end follow from the period by a
// rule (cases/README.md). The error of a quantity is the largest over the times of the reference, relative to the
// largest magnitude of its column there.
struct Convergence {
  std::string name;
  std::string integrator;
  std::string constraints = {};             // empty: as in the model
  std::optional<double> rho_infinity = {};  // none: as in the model
  double period = 1;                        // s, of the fastest motion
  std::vector<std::string> quantities = {};
  double order = 2, tolerance = 0.1;  // of the slope through all errors above the rounding floor
  std::string reason = {};
};

// How many of its first steps an integrator is given for a period; 0 if it takes no fixed steps.
int steps_per_period(const std::string& integrator);

struct CasePlot {
  std::string title;
  std::vector<std::vector<std::string>> panels;
};

struct Case {
  std::string name;  // of the folder
  std::filesystem::path folder;
  std::string title, source, why;
  std::vector<Check> checks;
  std::vector<Convergence> convergences;
  CasePlot plot;
  ReferenceTable reference;  // empty if there is no reference.csv
};

}  // namespace carom
