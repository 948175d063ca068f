#pragma once

#include <vector>

#include "dynamics/constraint_solver.h"

namespace carom {

// Accelerations of linkages in the plane whose joints are all pins, but for slides to the ground: slider-cranks,
// four-bars, chains, Andrews' mechanism. The same equations as ConstraintSolver, written out for this most frequent
// kind of mechanism, several times faster.
//
// Every body has a reference point: its mass centre, or its pin if that is its only joint to the ground. A force F at a
// lever ρ from the reference point changes the acceleration there by m F (m a constant 2 × 2 matrix: 1/mass, zero for a
// pinned body, along the axis only for a slide) and the angular acceleration by (ρ × F)/I. That makes free, pinned and
// sliding bodies one formula.
class PlanarLinkage {
 public:
  PlanarLinkage() = default;
  PlanarLinkage(const PlanarLinkage&) = delete;
  PlanarLinkage& operator=(const PlanarLinkage&) = delete;

  // False, and unusable, when the mechanism has other joints, drives or ties.
  // q is any position that satisfies the slides.
  bool build(const ConstraintSet<2>& constraints, const std::vector<BodyInertia<2>>& inertia,
             const std::vector<GroundedBody<2>>& grounded, const Eigen::VectorXd& q);
  bool usable() const { return usable_; }

  struct Outcome {
    int dropped = 0;     // dependent rows
    bool finite = true;  // all accelerations are numbers
  };
  // v_rate from positions, velocities and loads, all three numbers per body.
  Outcome accelerate(const double* q, const double* v, const double* load, double* v_rate);

 private:
  enum class Kind { free, pinned, sliding };
  struct Body {
    Kind kind = Kind::free;
    double mobility_xx = 0, mobility_xy = 0, mobility_yy = 0;  // 1/kg, of the reference point
    double inverse_inertia = 0;                                // 1/(kg m²), about the reference point
    double centre_x = 0, centre_y = 0;                         // mass centre from the reference point, body axes
    // Workspace of one evaluation.
    double cosine = 1, sine = 0, spin_squared = 0;
    double lever_x = 0, lever_y = 0;  // mass centre from the reference point, world axes
    double x = 0, y = 0, angle = 0;   // accelerations of the reference point
  };
  struct Normal {
    double x = 0, y = 0;
  };
  // Pins and couplings point into the arrays of bodies, pins and blocks, which stay where build put them.
  struct Pin {
    Body* body_i = nullptr;
    Body* body_j = nullptr;
    double point_ix = 0, point_iy = 0, point_jx = 0, point_jy = 0;  // from the reference points, body axes
    double mobility_xx = 0, mobility_xy = 0, mobility_yy = 0;       // of both bodies together
    Normal normal_i, normal_j;                                      // velocity of the pin per spin of each body
    double* diagonal = nullptr;                                     // block of the matrix
  };
  struct Coupling {  // two pins on one body
    const Normal* row;
    const Normal* column;
    double* target;  // block of the matrix
    bool first;      // assigns instead of adding
    double inverse_inertia, mobility_xx, mobility_xy,
        mobility_yy;  // negative where one pin has the body first and the other second
  };
  static void push(Body& body, const Normal& normal, double fx, double fy);

  bool usable_ = false;
  std::vector<Body> bodies_;  // [0] is the ground
  std::vector<Pin> pins_;     // in the order of elimination
  std::vector<Coupling> couplings_;
  std::vector<int> fill_;
  std::vector<Eigen::Vector2d> force_;
  BlockLdlt<2> ldlt_;
};

}  // namespace carom
