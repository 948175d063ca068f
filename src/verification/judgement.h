#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "verification/answers.h"
#include "verification/variants.h"

// From what the runs say to how far an answer can be trusted.
namespace carom::inline verification {

inline constexpr double not_reported = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::size_t number_of_roles = 7;

// What one run says: with its own samples, and with those at the times of the model's.
struct AnswerReading {
  double value = not_reported, coarse = not_reported;
};

// By Role.
using Readings = std::array<AnswerReading, number_of_roles>;
inline const AnswerReading& of_role(const Readings& readings, Role role) {
  return readings[static_cast<std::size_t>(role)];
}

// The finest that there is of the other method.
double by_other_method(const Readings& readings);

// What an answer hangs on, the most trusted first.
enum class Standing { holds, samples, refinement, integrator, start, method, chaotic, unknown };
const std::string& name_of(Standing standing);  // one word for other programs

// Of an answer that differs from run to run.
struct Statistic {
  std::string name;  // "mean"
  double value = 0;
  double spread = 0;  // standard deviation over the runs
};

struct Judgement {
  Standing standing = Standing::unknown;
  // That hold with finer runs, another integrator and denser samples: the answer differs by less than 10^−digits of its
  // scale. At most `most_digits`.
  int digits = 0;
  double error = not_reported;            // estimate, in the unit of the answer
  double scale = 1;                       // |value|, but at least a tenth of the range of its samples
  double change = not_reported;           // with the first refinement, of the scale
  std::optional<double> order, estimate;  // of fixed steps: observed; and by Richardson's extrapolation
  double sampling = 0;                    // what denser samples change, of the scale
  double integrator = not_reported;       // difference of the other integrator, of the scale
  std::optional<double> method;           // difference of the other method, of the scale
  double method_change = 0;               // of the other method with its refinement, of the scale
  std::vector<Statistic> statistics = {};
  std::string text = {};  // one line for people
};

inline constexpr int most_digits = 12;
inline constexpr double holds_within = 1e-3;    // of the scale: an answer holds
inline constexpr double methods_within = 1e-2;  // of the scale: methods agree

// What is known of all answers alike.
struct Circumstances {
  Refinement refinement = Refinement::tolerance;
  ContactMethod method = ContactMethod::compliant;
  std::string other_integrator = {};  // by name
  bool other_method_ran = false;
  std::string other_method_poor = {};  // why it is not to be compared with; empty: it is
  bool chaotic = false;
  std::string parting = {};  // of a chaotic motion: "the runs part after 0.3 s"
};

// How far the readings hold. `range` is that of the samples; `least` a scale below which everything is zero. Statistics
// are made by whoever has the samples: they become a part of the text.
Judgement judge(const ModelAnswer& answer, const Readings& readings, double range, double least,
                const Circumstances& circumstances);

// The line for people.
std::string verdict(const ModelAnswer& answer, const Readings& readings, const Judgement& judgement,
                    const Circumstances& circumstances);

// "0.4312 m", with so many digits.
std::string value_text(double value, const std::string& unit, int digits);

// The model's own value, to the digits that hold: "x 0.4312 m"; what is below them is 0.
std::string held_text(const ModelAnswer& answer, const Readings& readings, const Judgement& judgement);

// "2.1 %", and small shares as powers of ten.
std::string share_text(double share);

}  // namespace carom::inline verification
