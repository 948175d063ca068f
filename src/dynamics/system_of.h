#pragma once

#include <set>
#include <utility>

#include "beams/beam_element.h"
#include "dynamics/body_system.h"
#include "dynamics/planar_linkage.h"
#include "dynamics/system_signals.h"
#include "force_elements/force_element.h"
#include "joints/joint.h"
#include "math/kkt_solver.h"

namespace carom::inline dynamics {

// Feedback of constraint violations.
struct Baumgarte {
  double alpha = 0, beta = 0;  // 1/s
  bool is_off() const { return alpha == 0 && beta == 0; }
};

// Workspaces of a system, each filled by what it is named after.
struct ConstraintRows {  // solve_constraints, and projections
  Eigen::VectorXd lambda, residual, time_rate;
};
struct CoupledSolve {  // accelerations and multipliers, where beams couple the masses
  KktSolver solver;
  Eigen::VectorXd right, solution, rest;
};
struct JacobianMatrix {  // constraint_jacobian
  Eigen::SparseMatrix<double> matrix;
  std::vector<double> q;    // where it was taken
  std::vector<int> places;  // first entry of each column of each slot
};

// The equations of motion in the plane (D = 2) or in space (D = 3).
//
// Accelerations come from the multipliers: with M block diagonal and constant, (G M⁻¹ Gᵀ) λ = G M⁻¹ f − γ is solved by
// a block LDLᵀ whose pattern follows the graph of the mechanism, then v̇ = M⁻¹ (f − Gᵀ λ). The cost grows with the
// number of joints, not with its cube. Bodies on a single pin or slide to the ground enter the accelerations with their
// one degree of freedom, and linkages in the plane that have only pins besides take a path of their own. With beams M
// couples neighbouring nodes, and the whole system of accelerations and multipliers is solved as a sparse one.
template <int D>
class SystemOf final : public BodySystem<D>, private ContactPoints, private SystemSignals {
 public:
  using JointResidual = System::JointResidual;
  using Projection = System::Projection;

  explicit SystemOf(const Model& model);

  int position_size() const override { return body_count() * coordinates_per_body; }
  int velocity_size() const override { return body_count() * dofs; }
  int constraint_size() const override { return constraints_.row_count(); }
  int work_size() const override { return static_cast<int>(work_names_.size()); }
  int internal_size() const override { return contacts_.bristle_size() + static_cast<int>(signals_.states.size()); }
  int bristle_size() const override { return contacts_.bristle_size(); }
  void set_internal(const double* internal) override;
  void follow_internal(const double* base, double weight) override;
  void present_internal(double* internal) const override;
  void internal_rates(double t, const double* q, const double* v, double* rates) override;
  SystemSignals* signals() override { return signals_.network ? this : nullptr; }
  int signal_count() const override { return signals_.network->size(); }
  double signal_at(const State& state, int signal) override;
  int state_of(int signal) const override { return contacts_.bristle_size() + signals_.network->first_state(signal); }
  double next_sample(double t) const override { return signals_.network->next_sample(t); }
  bool sample_signals(State& state) override;
  double shortest_delay() const override { return signals_.network->shortest_delay(); }
  void note_history(const State& state, int node) override {
    take_state(state);
    signals_.network->note_inputs(node);
  }
  void end_history(double begin, double end) override { signals_.network->end_step(begin, end); }
  int switch_count() const override { return signals_.network->switch_count(); }
  double until_switch(const State& state, int k) override;
  void switch_over(State& state, int k) override;
  std::string switch_name(int k) const override { return signals_.network->switch_name(k); }
  double event_value(const State& state, int event) override;
  void set_signals(State& state, int event) override;
  std::vector<double> joint_values(const State& state, const std::string& joint) override;
  JointStates::Grip grip(const State& state, const std::string& joint) override;
  int event_work(int event) const override { return signals_.events[event].work; }
  bool has_signal_drives() const override { return signals_.network && signals_.network->drive_count() > 0; }
  SpeedGap largest_speed_gap(const State& state) override;
  void take_up_drive(State& state, const std::string& motion) override;
  int active_constraints() const override { return constraints_.used_row_count(); }
  State initial_state() const override { return initial_; }

  SolveStatus rates(double t, const double* q, const double* v, double* q_rate, double* v_rate, double* power,
                    double* internal_rate = nullptr) override;
  const Eigen::VectorXd& multipliers(double t, const double* q, const double* v) override;
  void set_baumgarte(double alpha, double beta) override {
    baumgarte_ = {alpha, beta};
    choose_path();
  }

  void position_residual(double t, const double* q, Eigen::VectorXd& g) override;
  void velocity_residual(double t, const double* q, const double* v, Eigen::VectorXd& g_rate) override;
  Projection project_position(double t, double* q, double tolerance, int max_iterations) override;
  Projection project_velocity(double t, const double* q, double* v) override;
  void normalise(double* q) const override;
  void accept(double t, const double* q, const double* v) override;
  void forget_turns(const double* q) override;
  void take_memory(const System& other) override;
  bool replace_forces(const Model& model) override;
  void retract(const double* q, const double* increment, double* result) const override;
  void increment(const double* a, const double* b, double* result) const override;
  void position_rate(const double* q, const double* v, double* q_rate) const override;

  void loads(double t, const double* q, const double* v, Eigen::VectorXd& f) override;
  const Eigen::SparseMatrix<double>& mass() const override { return mass_matrix_; }
  const Eigen::SparseMatrix<double>& constraint_jacobian(double t, const double* q) override;
  void tangents(double t, const double* q, const double* v, const Eigen::VectorXd& lambda,
                Eigen::SparseMatrix<double>& stiffness, Eigen::SparseMatrix<double>& damping) override;
  void tangents_by_differences(double t, const double* q, const double* v, Eigen::SparseMatrix<double>& stiffness,
                               Eigen::SparseMatrix<double>& damping) override;

  Energy energy(double t, const double* q, const double* v) override;
  std::vector<std::string> work_names() const override { return work_names_; }
  std::vector<RedundantRow> redundant_rows(double t, const double* q) override;
  std::vector<JointResidual> residual_by_joint(double t, const double* q) override;
  ContactPoints* contacts() override { return contacts_.empty() ? nullptr : this; }
  int contact_points() const override { return contacts_.point_count(); }
  void read_contacts(const State& state, std::vector<ContactReading>& readings) override;
  bool refresh_contacts(const State& state) override;
  bool contacts_are_fresh(const State& state) override;
  bool pairs_change() const override { return contacts_.pairs_change(); }
  bool contacts_have_slid() const override { return contacts_.have_slid(); }
  void search_step(const StepMotion& motion) override { search_.start(motion, bodies_.size()); }
  bool refresh_for_step() override;
  ContactStart find_start(double depth, double until, const std::vector<ContactReading>& at_start,
                          const std::vector<ContactReading>& at_end) override {
    return search_.find_first(depth, until, at_start.data(), at_end.data());
  }
  double largest_travel() override { return search_.largest_travel(); }
  const SearchStatistics& search_statistics() const override { return search_.statistics(); }
  bool make_event_free() override { return contacts_.make_event_free(); }
  void act_elastically() override { contacts_.act_elastically(); }
  bool touches(int point) const override { return contacts_.touches(point); }
  std::string contact_name(int point) const override { return contacts_.point_name(point); }
  void begin_contact(int point, State& state, const ContactReading& reading) override;
  ContactEpisode end_contact(int point, State& state, const ContactReading& reading) override;
  void note_contact(int point, double t, double penetration, double force) override {
    contacts_.note(point, t, penetration, force);
  }
  void note_slide(int point, double force_distance) override { contacts_.note_slide(point, force_distance); }
  const ContactEpisode& contact_episode(int point) const override { return contacts_.episode(point); }
  bool allows_initial_penetration(int point) const override { return contacts_.allows_initial_penetration(point); }
  bool has_breakpoint_at_turn(int point) const override { return contacts_.remembers_depth(point); }
  bool is_stiff_at_rest(int point) const override { return contacts_.is_stiff_at_rest(point); }
  void guard_contacts(double penetration) override { contacts_.set_guard(penetration); }
  double impact_duration(int point, double speed) const override { return contacts_.impact_duration(point, speed); }
  const std::vector<std::string>& contact_remarks() const override { return contacts_.remarks(); }
  void forget_impulses() override { contacts_.forget_recent_impulses(); }
  void note_peak_force(int group, double force) override { contacts_.note_peak_force(group, force); }
  const std::vector<ChannelDescription>& channels() const override { return channels_; }
  void record(const State& state, const Eigen::VectorXd& v_rate, const Eigen::VectorXd& lambda,
              std::vector<double>& values) override;
  double length_scale() const override { return length_scale_; }

  BodySystem<2>* planar() override {
    if constexpr (D == 2) return this;
    return nullptr;
  }
  BodySystem<3>* spatial() override {
    if constexpr (D == 3) return this;
    return nullptr;
  }
  bool has_forces() const override { return !forces_.empty() || !beams_.empty(); }
  bool has_drives() const override { return !motions_.empty(); }
  std::vector<bool> constrained_bodies() const override;
  void powers(double t, const double* q, const double* v, const Eigen::VectorXd& lambda, double* power) override;
  void drive_powers(const Bodies<D>& bodies, const Eigen::VectorXd& lambda, double* power) const override;
  void place(const double* q, const double* v, Bodies<D>& bodies) const override;

 private:
  static constexpr int dofs = Space<D>::dofs;
  static constexpr int rotational_dofs = Space<D>::rotational_dofs;
  static constexpr int coordinates_per_body = Space<D>::coordinates;
  using Vector = VectorOf<D>;
  using Angular = AngularOf<D>;
  using AngularMatrix = Eigen::Matrix<double, rotational_dofs, rotational_dofs>;
  using Dofs = typename Space<D>::Dofs;
  using Block = typename ConstraintSet<D>::Block;
  using SquareBlock = typename ConstraintSet<D>::SquareBlock;

  using Inertia = BodyInertia<D>;
  struct JointRecord {
    std::string name;
    bool ties_joints = false;
    int body_i = 0, body_j = 0;
    Eigen::Vector3d point_i = Eigen::Vector3d::Zero();
    Eigen::Matrix3d frame_i = Eigen::Matrix3d::Identity();
    Vector point_j = Vector::Zero();
    std::vector<std::string> coordinate_names;
    std::vector<int> coordinates;
  };
  struct MotionRecord {
    std::string name;
    int coordinate = 0, combination = 0;  // −1: it is switched off
    int by_signals = -1;                  // the number among the drives that are; −1: it is not
  };
  struct ForceRecord {
    std::string name, group;  // "force:" or "bearing:"
    std::unique_ptr<ForceElement<D>> element;
    std::vector<int> bodies;  // that feel it
    int work = -1;            // entry of State::work, −1 when conservative
    int outputs = 0;
    int loss = -1;                   // likewise, of what it loses besides; −1: nothing
    int first_state = -1;            // of its own, among those of signals and elements; −1: it has none
    std::vector<int> involved = {};  // bodies that it depends on by signals, those that feel it included; else none
    bool by_signals() const { return !involved.empty(); }
  };

  struct BeamRecord {
    std::string name;
    int first = 0, count = 0;  // elements
    double mass_damping = 0;   // 1/s
    int work = -1;             // entry of State::work, −1 without damping
    BeamModel::Section section;
    double shear_stiffness_y = 0, shear_stiffness_z = 0;  // N, for the shear strain that is reported
  };
  struct BeamMass {                        // what couples the nodes of an element, beyond their own masses
    double mass = 0;                       // kg, a sixth of the element's
    AngularMatrix own_a, own_b, coupling;  // kg m², axes of the bodies; coupling: rows a, columns b
  };

  struct BeamParts {
    std::vector<BeamRecord> records;
    std::vector<BeamElement<D>> elements;    // of all beams
    std::vector<BeamMass> masses;            // of the elements
    std::vector<std::array<int, 4>> places;  // of the elements in TangentMatrices::columns, blocks aa, ab, ba, bb
    bool empty() const { return records.empty(); }
  };
  // Workspace of `tangents`.
  struct TangentMatrices {
    Eigen::SparseMatrix<double> pattern;
    std::map<std::pair<int, int>, int> places;          // (row body, column body) → entry of columns
    std::vector<std::array<int, 6>> columns;            // first entry of each column of a block
    std::vector<SquareBlock> by_position, by_velocity;  // of one element, per body
    ForceTangents<D> of_force;
    std::vector<int> involved;
  };

  int body_count() const { return static_cast<int>(inertia_.size()); }
  // Of rows: a joint, a drive, or what events have locked.
  std::string owner_of(int joint) const {
    return joint < static_cast<int>(joints_.size()) ? joints_[joint].name : "lock";
  }

  // system_build.cpp
  void build_bodies(const Model& model);
  void build_joints(const Model& model);
  void build_motions(const Model& model);
  void build_forces(const Model& model);
  void add_force(const std::string& name, const std::string& group, std::unique_ptr<ForceElement<D>> element);
  void build_contacts();
  void build_solver(const Model& model);
  std::vector<GroundedBody<D>> find_grounded(const Model& model) const;
  std::vector<PlanarLinkage::Drive> find_driven(const std::vector<GroundedBody<D>>& grounded) const;
  void build_matrices();
  void build_channels(const Model& model);
  int find_coordinate(const std::string& path) const;

  // system_events.cpp
  void build_events(const Model& model);
  void build_locks(const Model& model);

  // system_signals.cpp
  ElementModel with_signals(const ElementModel& element) const;
  void build_sensors(const Model& model);
  void build_states();
  SignalSensor<D> make_sensor(const Model& model, const ElementModel& signal, std::set<int>& sensed) const;
  int measured_coordinate(const MeasuredQuantity& quantity) const;
  int group_of(const std::string& owner) const;
  std::vector<int> all_bodies() const;
  void find_bearing(const std::string& owner, SignalSensor<D>& sensor) const;
  double measure(const SignalSensor<D>& sensor, double t);
  double measure_body(const SignalSensor<D>& sensor) const;
  double measure_between(const SignalSensor<D>& sensor) const;
  // Signals, and states of elements, for the bodies as they are placed.
  void look(double t) {
    if (signals_.network || signals_.states.size() > 0) evaluate_signals(t);
  }
  // Likewise, where constraints depend on them.
  void aim(double t) {
    if (has_signal_drives()) evaluate_signals(t);
  }
  void evaluate_signals(double t);
  void follow_motion(double t);
  double measure_rate(const SignalSensor<D>& sensor) const;
  void work_out_signals(double t);
  void state_rates(double t, double* rates) const;  // of signals as worked out, and of elements
  void rates_by_states(double t, Eigen::MatrixXd& matrix);
  bool have_states() const { return signals_.states.size() > 0; }
  void take_state(const State& state);
  Energy energy_of_bodies(double t, const double* v) const;
  void velocities_of_bodies(Eigen::VectorXd& v) const;

  // system_beams.cpp
  void build_beams(const Model& model);
  void add_beam_mass(std::vector<Eigen::Triplet<double>>& mass) const;
  void place_beam_tangents();
  void apply_beams(double* power);
  void add_gyroscopic_coupling();
  void add_beam_tangents(Eigen::SparseMatrix<double>& stiffness, Eigen::SparseMatrix<double>& damping);
  double strain_energy(const BeamRecord& beam) const;
  SolveStatus coupled_accelerations(double t, const double* q, const double* v, double* v_rate);
  void build_beam_channels();
  void record_beams(const State& state, double*& out);

  // system_rates.cpp
  void choose_path() {
    pure_linkage_ = linkage_.usable() && work_names_.empty() && !has_forces() && contacts_.empty() &&
                    baumgarte_.is_off() && !have_states();
  }
  SolveStatus linkage_rates(const double* q, const double* v, const double* load, double* q_rate, double* v_rate);
  SolveStatus general_rates(double t, const double* q, const double* v, double* q_rate, double* v_rate, double* power,
                            double* internal_rate);
  static void place_positions(const double* q, Bodies<D>& bodies);
  void set_positions(const double* q) { place_positions(q, bodies_); }
  void set_velocities(const double* v) { place_velocities(v, bodies_); }
  // False: a free contact lies deeper than the guard.
  bool gather_loads(double t, double* power = nullptr, double* internal_rate = nullptr);
  Dofs accelerate(int body, const Dofs& load) const;  // M⁻¹ load
  SolveStatus solve_constraints(ConstraintSolver<D>& solver, double t, const double* v, double* v_rate);
  SolveStatus checked(int dropped, const double* v_rate) const;
  bool solve_for_residual();  // residual_ → multipliers of the full solver
  void velocity_residual_now(double t, const double* v, Eigen::VectorXd& g_rate);

  // system_tangents.cpp
  void build_mass();
  void build_jacobian();
  std::set<std::pair<int, int>> interacting_bodies() const;
  void build_tangents();
  void clear_tangents(Eigen::SparseMatrix<double>& stiffness, Eigen::SparseMatrix<double>& damping) const;
  void add_differences(double t, Eigen::SparseMatrix<double>& stiffness, Eigen::SparseMatrix<double>& damping);
  template <class Apply>
  void add_differences(const std::vector<int>& involved, double step, Apply apply,
                       Eigen::SparseMatrix<double>& stiffness, Eigen::SparseMatrix<double>& damping);
  void add_tangent(Eigen::SparseMatrix<double>& matrix, int row, int column, const SquareBlock& block) const;
  void add_tangent(Eigen::SparseMatrix<double>& matrix, int place, const SquareBlock& block) const;

  // system_record.cpp
  void record_body(int body, const State& state, const Eigen::VectorXd& v_rate, double*& out) const;
  void record_joint(int joint, const Eigen::VectorXd& lambda, double*& out) const;

  using BodySystem<D>::inertia_;
  using BodySystem<D>::body_names_;
  using BodySystem<D>::contacts_;
  using BodySystem<D>::search_;
  using BodySystem<D>::first_contact_work_;
  using BodySystem<D>::weight_;
  using BodySystem<D>::place_velocities;

  // What the model says.
  Vector gravity_;
  ConstraintSet<D> constraints_;
  std::vector<JointRecord> joints_;
  std::vector<MotionRecord> motions_;
  std::vector<ForceRecord> forces_;
  BeamParts beams_;
  SignalParts<D> signals_;
  std::vector<std::string> work_names_;
  std::vector<ChannelDescription> channels_;
  State initial_;
  double length_scale_ = 1;
  Baumgarte baumgarte_;

  // Workspace. Positions: set_positions. Velocities: set_velocities.
  Bodies<D> bodies_;
  Eigen::VectorXd load_, load_rate_;  // f, by gather_loads; increments of projections
  // Constraints. `reduced_` leaves the joints of grounded bodies out and serves the accelerations; `full_` serves
  // projection.
  ConstraintSolver<D> reduced_, full_;
  ConstraintRows rows_;
  CoupledSolve coupled_;
  PlanarLinkage linkage_;      // plane only
  bool pure_linkage_ = false;  // no loads but weight, nothing else that does work, no stabilisation

  // Matrices for implicit methods.
  Eigen::SparseMatrix<double> mass_matrix_;
  JacobianMatrix jacobian_;
  TangentMatrices tangents_;
};

extern template class SystemOf<2>;
extern template class SystemOf<3>;

}  // namespace carom::inline dynamics
