// The scenes of rigid bodies that every contestant of the non-smooth method runs, and what they are judged by.
//
// All of them are equal balls between planes, written down without any engine. SI units and radians.
#pragma once

#include <array>
#include <memory>
#include <vector>

namespace carom::benchmarks {

using Vector3 = std::array<double, 3>;

struct Ball {
  Vector3 position, velocity, angular_velocity;  // world axes
};

struct SurfaceLaw {
  double friction = 0, restitution = 0;
};

// Solid where normal · x < distance.
struct Wall {
  Vector3 normal;
  double distance = 0;
  SurfaceLaw law;
};

struct BallScene {
  double radius = 0, mass = 0, inertia = 0;
  double gravity = 0;  // along −z
  double step = 1e-3;
  SurfaceLaw between;  // of two balls
  std::vector<Wall> walls;
  std::vector<Ball> balls;
};

// n balls of 5 cm that fall on a slightly disordered lattice 0.3 m onto the floor of a box without a lid; friction 0.3,
// no restitution. First contacts after 0.247 s.
BallScene falling_spheres(int count);
// A billiard ball with 10.7 m/s that slides over the cloth into three balls at rest that touch each other.
BallScene billiard_break();
// n balls in a row, without gravity and friction, restitution 1. All but the first touch, at rest; it comes with 1 m/s
// and arrives after 0.05 s.
BallScene ball_chain(int count);

// What a contestant is asked to do; what it has no use for it ignores.
struct WorldSettings {
  double tolerance = 0;  // of Carom's solver; 0: its default
  int iterations = 0;    // of the solvers of peers; 0: their default
};

// What one contact of a step did.
struct Push {
  int a = -1, b = 0;  // balls; −1: a wall
  Vector3 normal{};   // in which b is pushed
  Vector3 impulse{};  // N s, on b, of the whole step
  double friction = 0;
};

class World {
 public:
  virtual ~World() = default;
  virtual void step() = 0;
  virtual void look(std::vector<Ball>& balls) const = 0;
  virtual long contacts() const = 0;                            // in the last step
  virtual double gauss_seidel_iterations() const { return 0; }  // per step so far; 0: not known
  // A step after which it reports what its contacts did; false: it cannot tell.
  virtual bool tell(std::vector<Push>&) { return false; }
};

// Defined once by each contestant.
extern const char* const contestant_name;
std::unique_ptr<World> make_world(const BallScene& scene, const WorldSettings& settings);

// Overlaps of balls with each other and with walls.
struct Overlaps {
  long count = 0, touching = 0;  // overlapping; with a gap below a thousandth of the radius
  double mean = 0, deepest = 0;  // m, over those that overlap
};
Overlaps overlaps(const BallScene& scene, const std::vector<Ball>& balls);
double kinetic_energy(const BallScene& scene, const std::vector<Ball>& balls);
double total_energy(const BallScene& scene, const std::vector<Ball>& balls);

// How far a step is from the laws of contact without restitution, worked out from what comes out of it alone: for each
// contact |min(i_N w, u_N)| and the distance of the friction from that which belongs to the slip, as speeds.
struct LawError {
  double mean = 0, largest = 0;  // m/s
  double momentum = 0;           // m/s, largest change of a velocity that impulses and weight do not explain
};
LawError law_error(const BallScene& scene, const std::vector<Ball>& before, const std::vector<Ball>& after,
                   const std::vector<Push>& pushes);

}  // namespace carom::benchmarks
