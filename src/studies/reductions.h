#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "recording/recorded_run.h"
#include "studies/study.h"

// From the samples of a run to the numbers a study asks for.
namespace carom::inline studies {

struct ReductionDescription {
  std::string name, meaning;
  std::string unit = "*";  // of the result: "*" that of the quantity, "*s" that times the second
  bool of_points = false;  // taken once a period of [steady], or as `at` says
  bool is_list = false;
};

// What a trace may be of besides recorded quantities: the time in s, or in turns from the window's beginning.
inline const std::string trace_of_time = "time", trace_of_turns = "turn";

// In the order of the guide.
const std::vector<ReductionDescription>& reductions();
const ReductionDescription* find_reduction(const std::string& name);

// The quantity that a study has by itself when [steady] detects: turns that were left out.
constexpr const char* turns_dropped = "turns_dropped";

// What a run is looked at.
struct Window {
  double from = 0, to = 0;  // s
  double period = 0;        // s; 0: none is given
  std::size_t model = 0;    // which of the study's
};

struct ReducedRun {
  std::vector<double> values;              // one a quantity; of a list, how many entries it has
  std::vector<std::vector<double>> lists;  // of the quantities that are lists, in their order
};

// All quantities of a study. `parameters` are the values of Study::parameters, `known` those of quantities that samples
// do not tell, by name. A quantity without samples in its window is NaN, and so is what is computed from it.
ReducedRun reduce(const Study& study, const RecordedRun& run, const Window& window, std::span<const double> parameters,
                  const std::map<std::string, double>& known = {});

// The same with NaN everywhere: of a run that failed.
ReducedRun nothing_reduced(const Study& study);

}  // namespace carom::inline studies
