#pragma once

#include <memory>
#include <string>
#include <vector>

#include "integrators/nonsmooth/position_correction.h"
#include "integrators/nonsmooth/smooth_motion.h"
#include "model/solver_types.h"

// Schemes of the nonsmooth method: what of the three stages of a step they do in their own way. One file each;
// catalogue.cpp lists them. Every function is called once per step.
namespace carom::inline nonsmooth_integrators {

template <int D>
class Scheme {
 public:
  explicit Scheme(SchemeTraits its_traits) : traits(its_traits) {}
  virtual ~Scheme() = default;

  // The first stage: end, load, reaction and travel of the smooth motion. False: not found, and the context knows why.
  virtual bool move(StepContext<D>&, SmoothMotion<D>& motion, StepStart<D>& start, double t_end,
                    SmoothState<D>& state) {
    return motion.move(start, t_end, state);
  }
  // The second stage.
  virtual bool correct(PositionCorrection<D>& correction, const StepStart<D>& start, const SmoothState<D>& smooth,
                       CorrectedState<D>& state) {
    return correction.run(start, smooth, state);
  }
  // After the velocity jump: positions that depend on it.
  virtual void finish(StepContext<D>&, const StepStart<D>&, const JumpedState<D>&, CorrectedState<D>&) {}

  const SchemeTraits traits;
};

struct SchemeDescription : SchemeType {
  std::unique_ptr<Scheme<2>> (*make_planar)(const SolverSettings& settings) = nullptr;
  std::unique_ptr<Scheme<3>> (*make_spatial)(const SolverSettings& settings) = nullptr;
};

// All of them, by name.
const std::vector<SchemeDescription>& scheme_catalogue();
// The scheme that the settings name; it must be there.
template <int D>
std::unique_ptr<Scheme<D>> make_scheme(const SolverSettings& settings);

}  // namespace carom::inline nonsmooth_integrators
