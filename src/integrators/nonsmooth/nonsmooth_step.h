#pragma once

#include "impact/sweep_solver.h"
#include "integrators/nonsmooth/contact_system.h"
#include "integrators/nonsmooth/nonsmooth_integrator.h"
#include "integrators/smooth/alpha_step.h"

namespace carom {

// One step of the decoupled non-smooth generalized-α method (Cosimo, Galvez, Cavalieri, Cardona, Brüls, Multibody Syst.
// Dyn. 48 (2020) 127–157), or of Moreau's and Jean's scheme. See docs/theory/nonsmooth.md.
template <int D>
class NonsmoothStep {
 public:
  NonsmoothStep(SystemOf<D>& system, const SolverSettings& settings, IntegratorStatistics& counts,
                NonsmoothStatistics& statistics);

  // From a state on its constraints; the smooth accelerations there.
  bool start(const State& state);
  // A step to t_end. False: it did not converge, and `failure` says why; the state stands.
  bool advance(double t_end);
  void commit(std::vector<ImpactEvent>& events);

  const AlphaPoint& begin() const { return begin_; }
  const AlphaPoint& end() const { return end_; }  // after corrections
  const Eigen::VectorXd& accelerations() const { return mean_acceleration_; }
  const Eigen::VectorXd& multipliers() const { return mean_lambda_; }
  const std::string& failure() const { return failure_; }
  // Bodies that moved farther in the last step than their own size.
  int fast_body() const { return fast_body_; }

 private:
  static constexpr int freedoms = Space<D>::freedoms;
  using Level = typename ContactRows<D>::Level;

  bool fail(std::string reason) {
    failure_ = std::move(reason);
    return false;
  }
  // nonsmooth_step.cpp
  bool move_smoothly(double t_end);
  void fall_freely(double t_end);
  bool move_explicitly(double t_end);
  void look_for_fast_bodies();
  void keep_angular_momentum();
  void account_work();
  std::string name_of(int closed) const { return contacts_.point_name(closed_[closed].point); }

  // contact_notes.cpp
  void note_contacts(std::vector<ImpactEvent>& events);
  double impact_speed(int closed) const;
  double impact_mass(int closed) const;
  double impact_load(int closed, double mass, double speed) const;
  bool is_squeezed(int closed) const { return notes_[closed].squeeze > 0 && notes_[closed].backing >= 0; }

  // position_correction.cpp
  bool correct_positions();
  bool solve_corrections();
  bool corrections_hold(bool first);
  bool correct_once();
  bool take_in_violated();
  void expect_lasting();
  void sort_pressed();
  void choose_directions();
  void find_plays();
  void aim(bool first);
  void find_landings();
  bool factor_for_positions();
  void gather_correction_load();
  void note_smooth_gaps();
  void place_corrected();

  // sweep_contacts.cpp; sweep_mechanism.cpp for the bodies of a mechanism among them
  static constexpr int most_sweeps = 400;
  static constexpr int most_rounds = 20;  // of sweeps and of the joints and forces of a mechanism
  bool sweeps(const std::vector<RigidContact<D>>& contacts) const;
  bool sweep_positions();
  bool sweep_mechanism_positions(double tolerance);
  bool sweep_velocities();
  double follow_mechanism();
  void place_sweep_bodies(const Bodies<D>& bodies);
  void find_tied_response(const Bodies<D>& bodies);
  bool has_play(const std::vector<RigidContact<D>>& contacts) const;
  void add_sweep_impulses(const Bodies<D>& bodies, Eigen::VectorXd& sum) const;
  void set_sweep_velocities(const Bodies<D>& bodies, const Eigen::VectorXd& v);
  void take_sweep_velocities(const Bodies<D>& bodies, Eigen::VectorXd& v) const;
  void note_lift_work();
  SweepContact<D> sweep_contact(const RigidContact<D>& contact, Level level);

  // velocity_jump.cpp
  static int most_problems(int contacts);  // of a sequence of impacts, before the rest is taken as plastic
  bool jump_velocities();
  bool factor_for_velocities();
  void weight_response();
  void add_reactions();
  double free_jump();  // joints and smooth forces, `pushed_` given; the largest change of a velocity
  bool resolve_island(int island, bool& moved);
  void squeeze(const int* contacts, int size);
  bool solve_problem(bool plastic);
  void note_jump();
  void note_work();
  void load_change(const Eigen::VectorXd& q, const Eigen::VectorXd& v);  // → load_

  SystemOf<D>& system_;
  ContactSet<D>& contacts_;
  IntegratorStatistics& counts_;
  NonsmoothStatistics& statistics_;
  const int nv_, rows_, nw_;
  const bool moreau_, sequential_;
  const std::string contact_solver_;
  const double sweep_tolerance_;
  const bool tied_, forces_vary_;
  const bool driven_;  // by others than gravity
  const double length_;
  double gap_tolerance_ = 0;

  // Smooth motion.
  AlphaStep smooth_;
  AlphaPoint begin_, end_;
  double h_ = 0;
  Eigen::VectorXd no_jerk_, smooth_q_, smooth_v_, smooth_load_, smooth_reaction_, travel_;
  Bodies<D> begin_bodies_, smooth_bodies_, bodies_;

  // Corrections: of the position (kg m) and of the velocity (N s), with the multipliers of the joints.
  Eigen::VectorXd correction_, correction_lambda_, jump_, jump_lambda_;
  Eigen::VectorXd load_, right_, residual_, response_;
  Eigen::VectorXd pushed_;                           // generalised impulses of contacts
  Eigen::SparseMatrix<double> stiffness_, damping_;  // of Moreau's scheme; else those of the smooth motion serve
  KktSolver matrix_;

  // Contacts.
  ContactSystem<D> contact_system_;
  std::vector<RigidContact<D>> pressed_, pressed_now_;  // that the position correction pushes apart, at q̃ and now
  std::vector<RigidContact<D>> directions_;             // in which it does
  std::vector<RigidContact<D>> closed_, before_;        // at the end of the step, and where they were at its begin
  struct Play {
    int contact = 0;
    RigidPlay<D> play;
    VectorOf<D> unpushed = VectorOf<D>::Zero();  // m, distance of the centres without any of the pushes
    VectorOf<D> push = VectorOf<D>::Zero(), landing = VectorOf<D>::Zero();
  };
  std::vector<Play> plays_;                          // of the pressed contacts that lie in round holes
  std::vector<RigidContact<D>> centres_;             // of these at q̃, with levers to the centres
  Eigen::MatrixXd play_response_;                    // of the distances of the centres to pushes
  std::vector<std::pair<int, double>> smooth_gaps_;  // m, of the pressed contacts at q̃, by point
  std::vector<double> pushes_;                       // multipliers of the position correction
  std::vector<double> impulses_;                     // of the step
  std::vector<double> entry_;                        // local velocities at the begin of the step
  std::vector<double> smooth_local_;                 // local velocities of the smooth motion
  std::vector<double> approach_;                     // m/s, with which a contact went into a problem, at the most
  std::vector<int> backing_;                         // the contact at the other side of a squeezed body, −1: none
  std::vector<double> squeeze_;                      // m/s, with which its neighbours came together, at the most
  bool corrected_ = false;                           // q is not q̃ any more
  double correction_error_ = 0, deepest_ = 0;        // relative, and m: of the pushes that were found
  double left_to_correct_ = 0;                       // m, rad: expected of another iteration
  double negligible_speed_ = 0;                      // m/s
  double second_pass_ = 1;                           // of the jump: what a second pass over the forces changed,
  int second_pass_age_ = 0;                          // so many steps ago
  std::vector<RigidStatus> status_;
  std::vector<double> local_, earlier_, solution_;
  std::vector<int> chosen_;
  ContactProblem problem_;
  ImpulseSolver solver_;
  SweepSolver<D> sweep_;
  std::vector<int> tied_bodies_, tied_places_;  // all, and the freedoms of those that move
  Eigen::MatrixXd tied_response_;
  Eigen::VectorXd tied_lift_;
  std::vector<VectorOf<D>> before_velocities_;
  std::vector<SpinOf<D>> before_spins_;
  // What came out at the closed contacts.
  struct Note {
    VectorOf<D> impulse = VectorOf<D>::Zero();  // N s on b, world axes
    SpinOf<D> moment = SpinOf<D>::Zero();       // N m s on b, of the resistance to rolling and spinning
    double normal = 0;                          // N s
    double approach = 0, by_load = 0;           // m/s, before the jump, and what the loads of the step alone did
    double after = 0;                           // m/s
    double entry = 0, smooth = 0;               // m/s, along the normal, at the begin and after the smooth motion
    double mass = 0;                            // kg, that it feels along the normal
    double squeeze = 0;                         // m/s, with which the neighbours of a squeezed body came together
    int backing = -1;                           // the closed contact at the other side of it, −1: none
    RigidStatus status = RigidStatus::open;
  };
  std::vector<Note> notes_;
  // Faster than what the loads of this step alone would do to a contact at rest (formulation 6.4).
  bool note_is_impact(const Note& note) const {
    return note.normal > 0 && std::max(note.approach, note.squeeze) > 2 * note.by_load + negligible_speed_;
  }

  bool passes_on(const Note& note, double borne, double largest_impact) const;

  // Books.
  Eigen::VectorXd mean_acceleration_, mean_lambda_, power_, power_before_;
  std::vector<double> work_;       // J, of contacts in this step, by group
  std::vector<double> lift_work_;  // J, of the position corrections of the pressed contacts, against gravity
  std::vector<double> jump_work_;  // J, of the impulses of the closed contacts
  int smooth_iterations_ = 0, position_iterations_ = 0, velocity_iterations_ = 0;
  std::vector<double> sizes_;  // m, of the smallest shapes of the bodies
  int fast_body_ = 0;
  std::string failure_;
};

extern template class NonsmoothStep<2>;
extern template class NonsmoothStep<3>;

}  // namespace carom
