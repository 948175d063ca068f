#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "math/coordinate.h"
#include "math/function.h"

// The constraint equations of a system, g(q, t) = 0, built from a few primitives. Joints are combinations of these.
//
// Rows are packed in blocks of D rows; a joint starts a new block, and rows left over in its last block are unused (all
// zero). Uniform blocks let the factorisation of G M⁻¹ Gᵀ run on fixed-size matrices.
namespace carom::inline joints {

// A row that a joint works out by itself: g(q) = 0 of two bodies.
template <int D>
class PairRow {
 public:
  virtual ~PairRow() = default;
  virtual double value(const Bodies<D>& bodies) const = 0;
  virtual CoordinateRow<D> row(const Bodies<D>& bodies) const = 0;
};

template <int D>
class ConstraintSet {
 public:
  using Vector = VectorOf<D>;
  using Block = Eigen::Matrix<double, D, Space<D>::dofs>;  // ∂(rows)/∂(velocity of one body)

  struct Term {
    int coordinate = 0;
    double coefficient = 1;
  };
  // Part of the Jacobian: the rows of one block that belong to one body.
  struct Slot {
    int block = 0;
    int body = 0;  // ≥ 1
  };
  struct RowLabel {
    int joint = 0;     // index of the owner, in order of begin_joint
    std::string what;  // "position x", "tilt about …"
    bool used = false;
  };

  // Building. Every joint begins with begin_joint and then adds its rows; finish() closes the set.
  void begin_joint();
  // Joints that begin from now on hold nothing, or do so again; their coordinates are there all the same.
  void mute(bool muted) { muted_ = muted; }
  void coincide(int body_i, const Vector& point_i, int body_j, const Vector& point_j);
  void hold_coordinate(const Coordinate<D>& coordinate, const std::string& what);  // stays zero
  // Directions fixed on the two bodies stay perpendicular; only in space.
  void hold_perpendicular(int body_i, const Vector& direction_i, int body_j, const Vector& direction_j,
                          const std::string& what);
  void hold_distance(int body_i, const Vector& point_i, int body_j, const Vector& point_j, double length);
  void hold_row(int body_i, int body_j, std::shared_ptr<const PairRow<D>> row, const std::string& what);
  int add_coordinate(const Coordinate<D>& coordinate);
  // Σ coefficient · coordinate = target(t)
  void hold_combination(std::vector<Term> terms, const Function& target, const std::string& what);
  void finish();

  int block_count() const { return static_cast<int>(bias_.size()); }
  int row_count() const { return D * block_count(); }
  int used_row_count() const { return used_rows_; }
  const std::vector<Slot>& slots() const { return slots_; }
  const RowLabel& label(int row) const { return labels_[row]; }
  int first_block(int joint) const { return joint_starts_[joint]; }
  int end_block(int joint) const {
    return joint + 1 < static_cast<int>(joint_starts_.size()) ? joint_starts_[joint + 1] : block_count();
  }
  // Range of the slots that belong to a joint; slots are stored in the order of their blocks.
  std::pair<int, int> slots_of(int joint) const;
  // A point of one body held on a point of another.
  struct Coincidence {
    int body_i, body_j;
    Vector point_i, point_j;
    int block, slot_i = -1, slot_j = -1;
  };
  // The coincidences that were not set aside, if there is nothing else among the rows that stayed but so many
  // combinations.
  std::optional<std::vector<Coincidence>> kept_pins(int combinations) const;
  const std::vector<Coordinate<D>>& coordinates() const { return coordinates_; }
  bool depends_on_time() const { return !combinations_.empty(); }
  void set_target(int combination, const Function& target) { combinations_[combination].target = target; }
  int combination_count() const { return static_cast<int>(combinations_.size()); }
  int combination_row(int combination) const { return combinations_[combination].row; }
  const Function& target(int combination) const { return combinations_[combination].target; }

  // Evaluation. linearise fills jacobian() and bias() = γ, the right-hand side of G v̇ = γ; it needs positions and
  // velocities. Rows of joints that were set aside are linearised only when asked for.
  enum class Scope { all, kept };
  void set_aside(const std::vector<int>& joints);  // after finish
  void linearise(const Bodies<D>& bodies, double t, Scope scope = Scope::all);
  void residual(const Bodies<D>& bodies, double t, Eigen::VectorXd& g) const;
  // ∂g/∂t, so that the velocity constraint reads G v + g_t = 0.
  void time_rate(double t, Eigen::VectorXd& g_t) const;
  // Keeps count of full turns; call after every accepted step.
  void remember_turns(const Bodies<D>& bodies);
  void forget_turns(const Bodies<D>& bodies);
  // Those that another set of the same model has counted.
  void take_turns(const ConstraintSet& other) {
    for (std::size_t k = 0; k < coordinates_.size(); ++k)
      coordinates_[k].turn_memory = other.coordinates_[k].turn_memory;
  }

  // Geometric stiffness: hands ∂(Gᵀλ)/∂q to add(body_row, body_column, block), in increments of the bodies' positions.
  using SquareBlock = Eigen::Matrix<double, Space<D>::dofs, Space<D>::dofs>;
  void geometric_stiffness(Bodies<D>& bodies, const Eigen::VectorXd& lambda,
                           const std::function<void(int, int, const SquareBlock&)>& add) const;
  // Pairs of bodies that geometric_stiffness may couple, repetitions allowed.
  std::vector<std::pair<int, int>> coupled_bodies() const;

  const std::vector<Block>& jacobian() const { return jacobian_; }
  const std::vector<Vector>& bias() const { return bias_; }

 private:
  struct Held {  // a coordinate that stays zero
    int body_i, body_j;
    Coordinate<D> coordinate;
    int row, slot_i = -1, slot_j = -1;
  };
  struct Perpendicular {
    int body_i, body_j;
    Vector direction_i, direction_j;
    int row, slot_i = -1, slot_j = -1;
  };
  struct Distance {
    int body_i, body_j;
    Vector point_i, point_j;
    double length;
    int row, slot_i = -1, slot_j = -1;
  };
  struct Own {
    int body_i, body_j;
    std::shared_ptr<const PairRow<D>> function;
    int row, slot_i = -1, slot_j = -1;
  };
  struct Combination {
    std::vector<Term> terms;
    Function target;
    int row;
    std::vector<int> slots;  // two per term
  };

  static CoordinateRow<D> row_of(const Held& held, const Bodies<D>& bodies) {
    return coordinate_row(held.coordinate, bodies);
  }
  static CoordinateRow<D> row_of(const Perpendicular& perpendicular, const Bodies<D>& bodies);
  static CoordinateRow<D> row_of(const Distance& distance, const Bodies<D>& bodies);
  static CoordinateRow<D> row_of(const Own& own, const Bodies<D>& bodies) { return own.function->row(bodies); }
  template <class Primitive>
  void linearise_rows(const std::vector<Primitive>& primitives, std::size_t count, const Bodies<D>& bodies);

  int take_rows(int count, const std::string& what);
  int slot_of(int row, int body);

  std::vector<Coincidence> coincidences_;
  std::vector<Held> held_;
  std::vector<Perpendicular> perpendiculars_;
  std::vector<Distance> distances_;
  std::vector<Own> own_;
  std::vector<Combination> combinations_;
  std::vector<Coordinate<D>> coordinates_;

  std::vector<RowLabel> labels_;
  std::vector<int> joint_starts_;
  std::vector<Slot> slots_;
  int used_rows_ = 0, next_row_ = 0;
  bool muted_ = false;

  // Primitives that were not set aside come first; this many of each.
  std::size_t kept_coincidences_ = 0, kept_held_ = 0, kept_perpendiculars_ = 0, kept_distances_ = 0, kept_own_ = 0;

  std::vector<Block> jacobian_;  // one per slot
  std::vector<Vector> bias_;     // one per block
};

extern template class ConstraintSet<2>;
extern template class ConstraintSet<3>;

}  // namespace carom::inline joints
