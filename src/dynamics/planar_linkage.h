#pragma once

#include <vector>

#include "dynamics/constraint_solver.h"

namespace carom::inline dynamics {

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
  // Before that, where bodies are driven: their speeds and accelerations at this time.
  void set_drives(double t);
  // After it: what a drive gives, W.
  double drive_power(std::size_t drive) const;
  // Takes orientations from bodies that have them already, instead of from q.
  void take_orientations(const Bodies<2>& bodies);

 private:
  enum class Kind { free, pinned, sliding };
  // How a force changes an acceleration: a symmetric 2 × 2 matrix, 1/kg.
  struct Mobility {
    double xx = 0, xy = 0, yy = 0;
  };
  struct Lever {  // a point from a reference point
    double x = 0, y = 0;
  };
  struct Body {
    Kind kind = Kind::free;
    Mobility mobility;           // of the reference point
    double inverse_inertia = 0;  // 1/(kg m²), about the reference point; 0: driven
    Lever centre;                // mass centre, body axes
    // Workspace of one evaluation.
    double cosine = 1, sine = 0, angular_velocity_squared = 0;
    Lever lever;                     // mass centre, world axes
    double x = 0, y = 0, angle = 0;  // accelerations of the reference point
    double given = 0;                // driven: its angular acceleration
    double moment = 0;               // of loads about the reference point, N m
  };
  struct Pin;
  // Where every pin but the last has one neighbour that is eliminated after it: that pin, what couples the two (as of
  // Coupling), and the block of L.
  struct Successor {
    Pin* pin = nullptr;
    const Lever* own = nullptr;
    const Lever* other = nullptr;
    double inverse_inertia = 0;
    Mobility mobility;
    double l00 = 0, l01 = 0, l10 = 0, l11 = 0;
  };
  // Pins and couplings point into the arrays of bodies, pins and blocks, which stay where build put them.
  struct Pin {
    Body* body_i = nullptr;
    Body* body_j = nullptr;
    bool second_turns = true;  // false: body_j is the ground or on a slide
    Lever point_i, point_j;    // body axes
    Mobility mobility;         // of both bodies together, for forces at their reference points
    // Workspace: the pin from the two reference points, world axes; how far its sides would part, later its force; how
    // a force in the pin changes that.
    Lever lever_i, lever_j;
    double x = 0, y = 0;
    Mobility response;
    double scale = 0;            // xx yy of the response before elimination
    double* diagonal = nullptr;  // block of the matrix
    Successor next;
  };
  struct Coupling {  // two pins on one body
    int row_pin, column_pin;
    const Lever* row;
    const Lever* column;
    double* target;  // block of the matrix
    bool first;      // assigns instead of adding
    // Of the body, negative where one pin has it first and the other second.
    double inverse_inertia;
    Mobility mobility;
  };
  // The joints between bodies while the linkage is built, in their own order: pins_ has that of elimination.
  struct Joints {
    std::vector<ConstraintSet<2>::Coincidence> pins;
    std::vector<std::vector<int>> of_body;
  };
  void place_bodies(const std::vector<BodyInertia<2>>& inertia, const std::vector<GroundedBody<2>>& grounded,
                    const Eigen::VectorXd& q);
  void drive_bodies(const std::vector<Drive>& drives);
  void order_pins(Joints& joints);
  void place_pins(Joints& joints);
  void find_pins_of_drives(const Joints& joints);
  void couple_pins(const Joints& joints);
  void couple(const Joints& joints, int body, int a, int b, std::vector<bool>& assembled);
  void link_chain();

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
    double speed = 0;                // rad/s, along the coordinate of the drive
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

}  // namespace carom::inline dynamics
