#pragma once

#include <limits>

#include "integrators/nonsmooth/persistent_contacts.h"

namespace carom::inline nonsmooth_integrators {

template <int D>
class Scheme;

// The first stage of a step: the motion without changes of contact.
template <int D>
class SmoothMotion {
 public:
  SmoothMotion(StepContext<D>& context, const SolverSettings& settings);

  // False: it was not found.
  bool run(Scheme<D>& scheme, StepStart<D>& start, double t_end, SmoothState<D>& state);
  // Of it, what a scheme may do in another way: generalized-α with joints at the velocity level, and with contacts that
  // last. Fills all but the bodies.
  bool move(StepStart<D>& start, double t_end, SmoothState<D>& state);
  // Sets sizes, and forgets what earlier steps have left.
  void restart(SmoothState<D>& state);
  // The velocities have jumped: accelerations before it say nothing of the next step.
  void coast_next() { alpha_.coast_next(); }
  // After a step: of free bodies whose angular velocity has jumped, and that rest on nothing, the angular accelerations
  // are those of the new one. Those before may be a thousand times as large.
  void renew_accelerations(const Eigen::VectorXd& jump, const std::vector<NonsmoothContact<D>>& resting,
                           AlphaPoint& point) const;
  // A contact of which the path from the start to the corrected state leads from one side to the other; −1: none.
  // Where the smooth motion crossed nothing, corrections that are short for all shapes need no look.
  int find_passed(const StepStart<D>& start, const CorrectedState<D>& corrected);
  // The step is done.
  void accept() { persistent_.accept(); }
  const AlphaStep& alpha() const { return alpha_; }

  // A body of one of the contacts that moved farther in the step than its own size; 0: there is none.
  int fast_body(const SmoothState<D>& state, const std::vector<NonsmoothContact<D>>& contacts) const;

 private:
  static constexpr int dofs = Space<D>::dofs;
  bool move_with_contacts(StepStart<D>& start, double t_end, SmoothState<D>& state);
  void refresh(double travel, StepStart<D>& start, SmoothState<D>& state);
  double rotation_gain(const StepStart<D>& start, const SmoothState<D>& state, std::size_t body) const;
  bool gains(const StepStart<D>& start, const SmoothState<D>& state) const;
  void keep_energy(const StepStart<D>& start, SmoothState<D>& state) const;
  void turn_freely(const StepStart<D>& start, double t_end, SmoothState<D>& state);
  void fall_freely(const StepStart<D>& start, double t_end, SmoothState<D>& state);
  void look_along_path(StepStart<D>& start, SmoothState<D>& state);
  StraightMotion path_from(const StepStart<D>& start);

  StepContext<D>& context_;
  BodySystem<D>& system_;
  AlphaStep alpha_;
  PersistentContacts<D> persistent_;
  Eigen::VectorXd no_jerk_, way_;
  std::vector<int> old_points_;
  Eigen::VectorXd path_end_;          // of the trial path
  Bodies<D> path_bodies_;             // there
  std::vector<std::size_t> turning_;  // free bodies in space that feel gyroscopic torques
  std::vector<double> sizes_;         // m, of the smallest shapes of the bodies
  double least_size_ = 0;             // m, of them
  // m, that a shape goes in the step, at the most, where that is known.
  double farthest_ = std::numeric_limits<double>::infinity();
};

extern template class SmoothMotion<2>;
extern template class SmoothMotion<3>;

}  // namespace carom::inline nonsmooth_integrators
