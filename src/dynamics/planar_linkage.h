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

  // A body on a pin to the ground whose angle is given: sign · angle = target(t).
  struct Drive {
    int body = 0;
    double sign = 1;
    const Function* target = nullptr;
  };

  // False, and unusable, when the mechanism has other joints, drives or ties.
  // q is any position that satisfies the slides.
  bool build(const ConstraintSet<2>& constraints, const std::vector<BodyInertia<2>>& inertia,
             const std::vector<GroundedBody<2>>& grounded, const std::vector<Drive>& drives, const Eigen::VectorXd& q);
  bool usable() const { return usable_; }

  struct Outcome {
    int dropped = 0;     // dependent rows
    bool finite = true;  // all accelerations are numbers
  };
  // Rates of positions and velocities from positions, velocities and loads, all three numbers per body.
  Outcome accelerate(const double* q, const double* v, const double* load, double* q_rate, double* v_rate);
  // Before that, where bodies are driven: their accelerations at this time.
  void set_drives(double t);
  // After it: torque of a drive along its coordinate, N m.
  double drive_torque(std::size_t drive) const;
  // Takes orientations from bodies that have them already, instead of from q.
  void take_orientations(const Bodies<2>& bodies);

 private:
  enum class Kind { free, pinned, sliding };
  struct Body {
    Kind kind = Kind::free;
    double mobility_xx = 0, mobility_xy = 0, mobility_yy = 0;  // 1/kg, of the reference point
    double inverse_inertia = 0;                                // 1/(kg m²), about the reference point; 0: driven
    double centre_x = 0, centre_y = 0;                         // mass centre from the reference point, body axes
    // Workspace of one evaluation.
    double cosine = 1, sine = 0, angular_velocity_squared = 0;
    double lever_x = 0, lever_y = 0;  // mass centre from the reference point, world axes
    double x = 0, y = 0, angle = 0;   // accelerations of the reference point
    double given = 0;                 // driven: its angular acceleration
    double moment = 0;                // of loads about the reference point, N m
  };
  struct Lever {
    double x = 0, y = 0;
  };
  // Pins and couplings point into the arrays of bodies, pins and blocks, which stay where build put them.
  struct Pin {
    Body* body_i = nullptr;
    Body* body_j = nullptr;
    bool second_turns = true;                                       // false: body_j is the ground or on a slide
    double point_ix = 0, point_iy = 0, point_jx = 0, point_jy = 0;  // from the reference points, body axes
    double mobility_xx = 0, mobility_xy = 0, mobility_yy = 0;       // of both bodies together
    // Workspace: the pin from the two reference points, world axes; how far its sides would part, later its force; how
    // a force in the pin changes that.
    Lever lever_i, lever_j;
    double x = 0, y = 0;
    double xx = 0, xy = 0, yy = 0;
    double scale = 0;            // xx yy before elimination
    double* diagonal = nullptr;  // block of the matrix
    // Where every pin but the last has one neighbour that is eliminated after it: that pin, what couples the two, and
    // the block of L.
    Pin* next = nullptr;
    const Lever* own = nullptr;
    const Lever* other = nullptr;
    double shared_inertia = 0, shared_xx = 0, shared_xy = 0, shared_yy = 0;
    double l00 = 0, l01 = 0, l10 = 0, l11 = 0;
  };
  struct Coupling {  // two pins on one body
    int row_pin, column_pin;
    const Lever* row;
    const Lever* column;
    double* target;  // block of the matrix
    bool first;      // assigns instead of adding
    double inverse_inertia, mobility_xx, mobility_xy,
        mobility_yy;  // negative where one pin has the body first and the other second
  };
  static void push(Body& body, const Lever& lever, double fx, double fy);
  void turn_bodies(const double* q);
  void load_bodies(const double* v, const double* load, double* q_rate);
  void open_pins();
  bool solve_chain();   // false: dependent rows, nothing done
  int solve_general();  // number of dependent rows
  bool store(double* v_rate) const;

  bool usable_ = false;
  bool oriented_ = false;  // take_orientations was called for the coming evaluation
  struct DrivenBody {
    Drive drive;
    Body* body = nullptr;
    double inertia = 0;              // kg m², about its pin
    std::vector<const Pin*> pins_i;  // that have it as their first body, and as their second
    std::vector<const Pin*> pins_j;
  };
  std::vector<DrivenBody> driven_;
  bool is_chain_ = false;     // every pin has at most one neighbour left when its turn comes
  std::vector<Body> bodies_;  // [0] is the ground
  std::vector<Pin> pins_;     // in the order of elimination
  std::vector<Coupling> couplings_;
  std::vector<int> fill_;
  std::vector<Eigen::Vector2d> force_;
  BlockLdlt<2> ldlt_;
};

}  // namespace carom
