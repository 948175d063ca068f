#pragma once

#include <vector>

#include "joints/constraint_set.h"
#include "math/block_ldlt.h"

namespace carom::inline dynamics {

template <int D>
struct BodyInertia {
  using AngularMatrix = Eigen::Matrix<double, Space<D>::rotational_dofs, Space<D>::rotational_dofs>;
  double mass = 1, inverse_mass = 1;                                                             // kg
  AngularMatrix tensor = AngularMatrix::Identity(), inverse_tensor = AngularMatrix::Identity();  // kg m², body axes
  VectorOf<D> origin = VectorOf<D>::Zero();  // of the body's axes, from the mass centre
};

// A body that one pin or one slide to the ground leaves a single degree of freedom: its velocity is h(q) times one
// speed.
template <int D>
struct GroundedBody {
  int body = 0, joint = 0;
  bool turns = true;                                     // pin, else slide
  VectorOf<D> pivot = VectorOf<D>::Zero();               // pin: the joint point, body axes from the mass centre
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();       // pin: axis in world axes; slide: direction
  AngularOf<D> angular_velocity = AngularOf<D>::Zero();  // rotational part of h, body axes: constant
  double inverse_inertia = 1;                            // 1 / (hᵀ M h): constant
};

// Solves (G M⁻¹ Gᵀ) λ = r and applies v̇ −= M⁻¹ Gᵀ λ over the graph of the mechanism.
//
// Joints of grounded bodies may be left out: such a body enters with its one degree of freedom, M⁻¹ replaced by h hᵀ /
// (hᵀ M h), which is what the elimination of the joint's rows would give. Half of the rows of a typical mechanism
// disappear this way.
template <int D>
class ConstraintSolver {
 public:
  using Vector = VectorOf<D>;
  using Dofs = typename Space<D>::Dofs;
  using Block = typename ConstraintSet<D>::Block;

  void build(const ConstraintSet<D>& constraints, const std::vector<BodyInertia<D>>& inertia,
             std::vector<GroundedBody<D>> grounded);

  // Directions of the grounded bodies at this configuration.
  void place_grounded(const Bodies<D>& bodies);
  // Accelerations of the grounded bodies under loads alone: replaces M⁻¹ f by h (hᵀ f)/(hᵀ M h) + what their angular
  // velocity adds.
  void hold_grounded(const Bodies<D>& bodies, const Eigen::VectorXd& load, double* v_rate) const;

  // Assembles and factorises; the constraints have been linearised. Returns the number of dependent rows.
  int factor(const ConstraintSet<D>& constraints);
  std::vector<int> dropped_rows() const;  // as rows of the constraint set

  // Right-hand side r, one vector per block of the constraint set. `fill` is called with (block, vector).
  template <class Fill>
  void set_right_hand_side(const Fill& fill) {
    for (std::size_t k = 0; k < blocks_.size(); ++k) fill(blocks_[k], unknown_[k]);
  }
  // Adds G a, for accelerations or velocities a of all bodies.
  void add_product(const ConstraintSet<D>& constraints, const double* a);
  void solve() { ldlt_.solve_in_order(unknown_.data()); }
  void apply(double* v_rate) const;
  void copy_multipliers(Eigen::VectorXd& lambda) const;

  const std::vector<GroundedBody<D>>& grounded() const { return grounded_; }

 private:
  static constexpr int dofs = Space<D>::dofs;
  struct Slot {
    int slot;      // of the constraint set
    int body;      // ≥ 1
    int grounded;  // −1: a free body
    double inverse_mass;
  };
  struct Pair {
    int a, b;  // entries of slots_
    int target;
    bool first;              // assigns instead of adding
    double inverse_inertia;  // of a grounded body
    int grounded;
  };
  // Blocks that stay, in their own order, and where they meet; while the solver is built.
  struct Graph {
    const ConstraintSet<D>& constraints;
    std::vector<int> grounded_of;                                // by body; −1: free
    std::vector<int> kept, index;                                // blocks that stay, and the place of a block there
    std::vector<std::vector<int>> slots_of_body, slots_of_kept;  // slots of the constraint set
    std::vector<int> entry_of = {};                              // by slot: its place in slots_

    int block(int slot) const { return constraints.slots()[slot].block; }
    int index_of(int slot) const { return index[block(slot)]; }
  };

  Graph find_graph(const ConstraintSet<D>& constraints) const;
  void order_blocks(const Graph& graph);
  void list_slots(Graph& graph);
  void list_pairs(const Graph& graph);
  void find_fill();
  void find_spare_rows(const ConstraintSet<D>& constraints);

  const std::vector<BodyInertia<D>>* inertia_ = nullptr;
  std::vector<GroundedBody<D>> grounded_;
  std::vector<Dofs> direction_;  // h of the grounded bodies
  std::vector<int> blocks_;      // blocks of the set in the order of elimination
  std::vector<int> slot_start_;  // slots of the k-th block in that order
  std::vector<Slot> slots_;
  std::vector<Pair> pairs_;
  std::vector<int> spare_;                        // rows (in elimination order) that no constraint uses
  std::vector<int> fill_;                         // off-diagonal blocks that nothing is assembled into
  std::vector<Block> weighted_;                   // J M⁻¹ of free bodies
  std::vector<Vector> column_, weighted_column_;  // J h, and over the inertia, of grounded bodies
  std::vector<Vector> unknown_;
  BlockLdlt<D> ldlt_;
};

extern template class ConstraintSolver<2>;
extern template class ConstraintSolver<3>;

}  // namespace carom::inline dynamics
