#pragma once

#include "integrators/nonsmooth/body_contacts.h"
#include "integrators/nonsmooth/jump_dynamics.h"

namespace carom::inline nonsmooth_integrators {

// The velocity jump of many contacts, by projected Gauss–Seidel that starts from the impulses of the step before.
template <int D>
class BodyJump final : public JumpDynamics<D> {
 public:
  BodyJump(StepContext<D>& context, BodyContacts<D>& contacts) : context_(context), contacts_(contacts) {}

  void build(const StepStart<D>& start, const CorrectedState<D>& corrected) override;
  void complete(const CorrectedState<D>&) override {}
  void respond() override {}  // known from the weights of its contacts
  int row_count() const override { return first_row_.back(); }
  int first_row(int contact) const override { return first_row_[contact]; }
  int row_count(int contact) const override { return first_row_[contact + 1] - first_row_[contact]; }
  VectorOf<D> tangent(int contact, int k) const override;
  int group_count() const override { return all_.empty() ? 0 : 1; }
  std::span<const int> group(int) const override { return all_; }
  std::span<const int> neighbours(int group, int contact) const override;
  void velocity(int contact, const Eigen::VectorXd& v, double* u) const override;
  double normal_velocity(int contact, const Eigen::VectorXd& v) const override;
  void velocities(const Eigen::VectorXd& v, std::vector<double>& u) override;
  void normal_velocities(const Eigen::VectorXd& v, std::vector<double>& u) override;
  double effective_mass(int contact) const override;
  double coupling(int contact, int other) const override;
  Eigen::Matrix<double, D, D> delassus(int contact) const override;
  VectorOf<D> world(int contact, const double* impulses) const override;
  void add_impulse(int contact, const double* impulses, Eigen::VectorXd& p) const override;
  void add_reactions(const std::vector<double>&, Eigen::VectorXd&) override {}
  double negligible_speed() const override { return negligible_speed_; }
  double least_approach(double, bool all_at_once) const override { return all_at_once ? 0 : tolerance_; }
  void solve(const JumpProblem& problem, const Eigen::VectorXd& v, Eigen::VectorXd& jump,
             ContactSolution& solution) override;
  double take_back_gain(const JumpProblem& problem, const Eigen::VectorXd& v, Eigen::VectorXd& jump,
                        ContactSolution& solution) override;
  double note_follow(const Eigen::VectorXd& v) override;
  void finish(const Eigen::VectorXd& from, Eigen::VectorXd& jump, Eigen::VectorXd& v) const override;
  bool is_iterative() const override { return true; }

 private:
  static constexpr int dofs = Space<D>::dofs;
  struct Motion {
    VectorOf<D> velocity;
    AngularOf<D> angular_velocity;
  };
  Motion motion_of(int body, const Eigen::VectorXd& v) const;
  static VectorOf<D> relative(const BodyContact<D>& contact, const Motion& a, const Motion& b) {
    return b.velocity - a.velocity + cross(b.angular_velocity, contact.lever_b) -
           cross(a.angular_velocity, contact.lever_a);
  }
  void move(const Eigen::VectorXd& v);
  void start_impulses(const JumpProblem& problem);
  // m/s, error of the laws; with the works of the islands.
  double take_solution(const JumpProblem& problem, ContactSolution& solution);
  void add_work(const JumpProblem& problem, int contact, const double* impulses, const double* after);
  bool any_gains() const;
  void scale(BodyContact<D>& contact, double share);
  void show_problem(const JumpProblem& problem) const;
  void find_neighbours();

  StepContext<D>& context_;
  BodyContacts<D>& contacts_;
  const CorrectedState<D>* corrected_ = nullptr;
  double tolerance_ = 0;         // m/s, of the solver
  double negligible_speed_ = 0;  // m/s, of the tolerance that was asked for
  bool solved_ = false;          // a problem, whose velocities were taken
  std::vector<int> first_row_;   // one more than contacts
  std::vector<int> all_;         // contacts
  std::vector<int> neighbours_, first_neighbour_;
  std::vector<int> of_body_, first_of_body_;  // contacts by body
  // Of an island, J: half of what its impulses do along the velocities before and after them, and the sum of the
  // magnitudes that make it up.
  struct Work {
    double before = 0, after = 0, size = 0;
    bool gains() const { return before + after > rounding * size; }
    static constexpr double rounding = 1e-14;
  };
  std::vector<Work> works_;      // by island
  std::vector<Motion> motions_;  // of all bodies, world axes
  Eigen::VectorXd taken_;
};

extern template class BodyJump<2>;
extern template class BodyJump<3>;

}  // namespace carom::inline nonsmooth_integrators
