#pragma once

#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "dynamics/contact_points.h"
#include "model/model.h"

// The equations of motion of a model,
//   q̇ = N(q) v,   M v̇ + Gᵀ λ = f(q, v, t),   g(q, t) = 0,   G v + g_t = 0,
// behind one interface for planar and spatial systems. Integrators and analyses see only this.
namespace carom::inline dynamics {

struct Energy {
  double kinetic = 0, potential = 0, contact = 0;  // J; contact: stored in what touches
  double total() const { return kinetic + potential + contact; }
};

// Rows of the constraints that depend on others in the present configuration.
struct RedundantRow {
  std::string joint, what;
};

struct ChannelDescription {  // a recorded group of quantities
  struct Component {
    std::string name, unit, meaning;
  };
  std::string name;  // body:crank, joint:pin, motion:drive, force:spring
  std::vector<Component> components;
};

template <int D>
class BodySystem;
class SystemSignals;

enum class SolveStatus { regular, redundant, failed };

class System {
 public:
  virtual ~System() = default;
  static std::unique_ptr<System> create(const Model& model);

  virtual int position_size() const = 0;           // entries of q
  virtual int velocity_size() const = 0;           // entries of v, degrees of freedom without constraints
  virtual int constraint_size() const = 0;         // rows of g; unused rows of the blocks included, always satisfied
  virtual int work_size() const = 0;               // entries of work
  virtual int internal_size() const { return 0; }  // entries of internal
  // The internal states for the evaluations that follow; where there are none this does nothing.
  virtual void set_internal(const double*) {}
  // Those of signals follow the motion: at every evaluation from now on they are the z with
  // z = base + weight · ż(t, q, v, z), as implicit methods have it. Null ends that.
  virtual void follow_internal(const double* /*base*/, double /*weight*/) {}
  virtual void present_internal(double* /*internal*/) const {}  // of signals, as last evaluated
  virtual void internal_rates(double /*t*/, const double* /*q*/, const double* /*v*/, double* /*rates*/) {}
  virtual int bristle_size() const { return 0; }  // how many of them are bristles; these come first
  // Null when the model has no signals.
  virtual SystemSignals* signals() { return nullptr; }
  virtual int active_constraints() const = 0;  // rows in use
  virtual State initial_state() const = 0;     // as the file says, neither assembled nor consistent

  // Right-hand side of the index-1 form: v̇, λ, the powers of the non-conservative elements and the rates of the
  // internal states, where they are asked for. The position rate is N(q) v.
  virtual SolveStatus rates(double t, const double* q, const double* v, double* q_rate, double* v_rate, double* power,
                            double* internal_rate = nullptr) = 0;
  // Multipliers λ of all constraints at a state; rates works out only those it needs.
  virtual const Eigen::VectorXd& multipliers(double t, const double* q, const double* v) = 0;
  // Baumgarte: γ is replaced by γ − 2α (G v + g_t) − β² g in rates. Zero switches it off.
  virtual void set_baumgarte(double alpha, double beta) = 0;

  // Constraint residuals and their control.
  virtual void position_residual(double t, const double* q, Eigen::VectorXd& g) = 0;
  virtual void velocity_residual(double t, const double* q, const double* v, Eigen::VectorXd& g_rate) = 0;
  struct Projection {
    bool converged = true;
    int iterations = 0;
    double before = 0, after = 0;  // largest residual
  };
  virtual Projection project_position(double t, double* q, double tolerance, int max_iterations = 20) = 0;
  virtual Projection project_velocity(double t, const double* q, double* v) = 0;
  // Unit quaternions again; no effect in the plane.
  virtual void normalise(double* q) const = 0;
  // Tells the elements that a step was accepted (full turns are counted here).
  virtual void accept(double t, const double* q, const double* v) = 0;
  // Counts full turns anew: angles at q are again those nearest to zero. Before another run, or another attempt, with
  // one system.
  virtual void forget_turns(const double* q) = 0;

  // What contacts and counters of turns of another system of the same model remember.
  virtual void take_memory(const System&) {}
  // Makes the force elements anew from a model that differs from that of the system in their numbers and functions
  // only: neither in the bodies they act on nor in whether they keep all energy. False: one of them does, and nothing
  // is changed.
  virtual bool replace_forces(const Model&) { return false; }

  // q ⊕ Δ: moves every body by an increment in the space of v (rotation vector in body axes).
  virtual void retract(const double* q, const double* increment, double* result) const = 0;
  // Lie-group increment from a to b, inverse of retract.
  virtual void increment(const double* a, const double* b, double* result) const = 0;
  virtual void position_rate(const double* q, const double* v, double* q_rate) const = 0;

  // Pieces for implicit methods. Loads f(q, v, t) include gyroscopic terms; the mass matrix is block diagonal and
  // constant.
  virtual void loads(double t, const double* q, const double* v, Eigen::VectorXd& f) = 0;
  virtual const Eigen::SparseMatrix<double>& mass() const = 0;
  virtual const Eigen::SparseMatrix<double>& constraint_jacobian(double t, const double* q) = 0;  // fixed pattern
  // K = ∂(Gᵀλ − f)/∂q (in increments) and C = −∂f/∂v, with fixed patterns. Exact for joints, beams and force elements
  // that know their derivatives; other elements and contacts by central differences, one by one.
  virtual void tangents(double t, const double* q, const double* v, const Eigen::VectorXd& lambda,
                        Eigen::SparseMatrix<double>& stiffness, Eigen::SparseMatrix<double>& damping) = 0;
  // The share of the differences in them, which reports how exact they are.
  virtual void tangents_by_differences(double t, const double* q, const double* v,
                                       Eigen::SparseMatrix<double>& stiffness,
                                       Eigen::SparseMatrix<double>& damping) = 0;

  virtual Energy energy(double t, const double* q, const double* v) = 0;
  // Who each entry of work belongs to: "motion:drive", "force:damper".
  virtual std::vector<std::string> work_names() const = 0;

  // Rows that are dependent at q, named; and the joints with the largest residual.
  virtual std::vector<RedundantRow> redundant_rows(double t, const double* q) = 0;
  struct JointResidual {
    std::string joint;
    double residual = 0;
  };
  virtual std::vector<JointResidual> residual_by_joint(double t, const double* q) = 0;

  // Null when nothing in the model can touch.
  virtual ContactPoints* contacts() { return nullptr; }

  // Impulses are recorded as sums since they were last forgotten; non-smooth method only.
  virtual void forget_impulses() {}
  // N, the force behind an impact of a group of contacts, which is recorded with them.
  virtual void note_peak_force(int group, double force) { static_cast<void>(group), static_cast<void>(force); }

  // What can be recorded, and its values at a state with accelerations and multipliers from rates().
  virtual const std::vector<ChannelDescription>& channels() const = 0;
  virtual void record(const State& state, const Eigen::VectorXd& v_rate, const Eigen::VectorXd& lambda,
                      std::vector<double>& values) = 0;

  // The bodies and contacts of a planar or of a spatial model; null: it is the other.
  virtual BodySystem<2>* planar() { return nullptr; }
  virtual BodySystem<3>* spatial() { return nullptr; }

  // Typical size of the entries of q and v, for absolute tolerances.
  virtual double length_scale() const = 0;
};

}  // namespace carom::inline dynamics
