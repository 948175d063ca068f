#pragma once

#include <vector>

#include "math/function.h"

namespace carom::inline force_elements {

// The conservative part of a force f(x, v) that is given as a function of a coordinate and its rate and pulls it back.
//
// A function of x alone is conservative: all of it is stored. Of a function of both, f(x, 0) is, what it does at rest,
// and the remainder is a damper's or a motor's. One that does not depend on x stores nothing: a torque that falls with
// speed is a motor, although it is not zero at rest, and so is a constant one, as where a torque is given.
//
// The energy is the integral of f(x, 0) from x = 0; from the place of the file where none leads there from 0, as with
// 1/x. It is resolved to about 1e-13 of itself and depends on x alone: on no earlier call.
// Of a function that depends on the time, its third argument, or on signals nothing is stored.
inline bool is_timed(const Function& force) {
  return force.depends_on(2) || !force.signals().empty();
}

class StoredPart {
 public:
  StoredPart() = default;  // nothing is stored

  // `start`: x in the configuration of the file; `panel`: a width that is small against the motion, in the unit of x.
  StoredPart(Function force, double start, double panel);

  bool is_all() const { return stores_ && !force_.depends_on(1); }
  double force(double x) const;   // f(x, 0), or 0
  double energy(double x) const;  // J

 private:
  double integral(double from, double to) const;
  double from_reference(double x) const;

  Function force_;
  bool stores_ = false;
  double reference_ = 0, panel_ = 1;
  std::vector<double> marks_;                 // where the force may jump
  mutable std::vector<double> ahead_, back_;  // J, at the ends of panels on both sides of the reference
};

}  // namespace carom::inline force_elements
