#pragma once

#include <array>
#include <vector>

#include "math/bodies.h"

// The motion of bodies over one step, and bounds on it. Everything is counted by the part θ of the step, from 0 at its
// start to 1 at its end, so that speeds are lengths per step.
namespace carom::inline contact_geometry {

// The positions q of a system over one step as polynomials of θ. Quaternions are normalised afterwards.
class StepMotion {
 public:
  virtual ~StepMotion() = default;
  virtual int degree() const = 0;  // at most BodyPath<D>::highest_degree
  // Bernstein coefficients of the entries first … first + count − 1 of q: out[k · count + i] is coefficient k, from 0
  // to the degree, of entry first + i.
  virtual void controls(int first, int count, double* out) const = 0;
  // Where q starts and ends if it goes straight from one to the other; null: it need not.
  struct Ends {
    const double *from = nullptr, *to = nullptr;
  };
  virtual Ends ends() const { return {}; }
};

// From one set of positions straight to another: the trial path of a step without dense output. Quaternions must be on
// the same side of their sphere.
class StraightMotion final : public StepMotion {
 public:
  StraightMotion(const double* from, const double* to) : from_(from), to_(to) {}
  int degree() const override { return 1; }
  void controls(int first, int count, double* out) const override;
  Ends ends() const override { return {from_, to_}; }

 private:
  const double *from_, *to_;
};

// How fast a body turns in a step, at the most.
struct TurnBounds {
  double angular_velocity = 0;  // rad per step
  double bend = 0;  // acceleration of a point per distance from the mass centre, 1 per step²: angular acceleration and
                    // centripetal part together
};

// Poses and bounds of all bodies. A body is worked out when it is asked for first.
template <int D>
class BodyPath {
 public:
  static constexpr int highest_degree = 12;  // of Adams' methods
  static constexpr int turn_size = D == 2 ? 1 : 4;
  using Vector = VectorOf<D>;
  using Turn = Eigen::Matrix<double, turn_size, 1>;

  // Body 0 is the ground; body b has its coordinates at (b − 1) · Space<D>::coordinates of q.
  void start(const StepMotion& motion, std::size_t bodies);

  int degree() const { return degree_; }
  // Position and orientation at θ; velocities are left as they are.
  void place(int body, double theta, BodyState<D>& state);
  // Control points of the mass centre.
  const Vector* positions(int body) { return known(body).position.data(); }
  // m, how far the mass centre goes from its start at the most.
  double travel(int body);
  const TurnBounds& turn(int body);
  // rad, by which the body turns at the most, counted along its way.
  double turned(int body) { return turn(body).angular_velocity; }

 private:
  struct Body {
    long known = 0, travelled = 0, bounded = 0;  // the step that they are of
    double travel = 0;
    TurnBounds turn;
    std::array<Vector, highest_degree + 1> position;
    std::array<Turn, highest_degree + 1> rotation;
  };
  Body& known(int body);
  TurnBounds bounds_of(const Body& body) const;
  void weigh(double theta);

  const StepMotion* motion_ = nullptr;
  StepMotion::Ends ends_;
  int degree_ = 1;
  long step_ = 0;
  std::vector<Body> bodies_;
  std::array<double, (highest_degree + 1) * Space<D>::coordinates> controls_{};
  double weighed_ = -1;  // θ of the weights
  std::array<double, highest_degree + 1> weights_{};
};

extern template class BodyPath<2>;
extern template class BodyPath<3>;

}  // namespace carom::inline contact_geometry
