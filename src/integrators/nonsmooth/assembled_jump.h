#pragma once

#include "integrators/nonsmooth/contact_system.h"
#include "integrators/nonsmooth/jump_dynamics.h"
#include "integrators/nonsmooth/mechanism.h"

namespace carom::inline nonsmooth_integrators {

// The velocity jump with the Delassus operator assembled for each group of contacts, by Newton's method.
template <int D>
class AssembledJump final : public JumpDynamics<D> {
 public:
  AssembledJump(StepContext<D>& context, Mechanism<D>& mechanism);

  void build(const StepStart<D>& start, const CorrectedState<D>& corrected) override;
  void complete(const CorrectedState<D>& corrected) override;
  void respond() override;
  int row_count() const override { return system_.row_count(); }
  int first_row(int contact) const override { return system_.first_row(contact); }
  int row_count(int contact) const override { return system_.rows(contact).count; }
  VectorOf<D> tangent(int contact, int k) const override { return system_.rows(contact).frame.col(k); }
  int group_count() const override { return system_.islands().count(); }
  std::span<const int> group(int group) const override {
    return {system_.islands().contacts(group), static_cast<std::size_t>(system_.islands().size(group))};
  }
  std::span<const int> neighbours(int island, int) const override { return group(island); }
  void velocity(int contact, const Eigen::VectorXd& v, double* u) const override { system_.velocity(contact, v, u); }
  double normal_velocity(int contact, const Eigen::VectorXd& v) const override {
    return system_.normal_velocity(contact, v);
  }
  void velocities(const Eigen::VectorXd& v, std::vector<double>& u) override {
    for (int c = 0; c < system_.contact_count(); ++c) system_.velocity(c, v, u.data() + system_.first_row(c));
  }
  void normal_velocities(const Eigen::VectorXd& v, std::vector<double>& u) override {
    for (int c = 0; c < system_.contact_count(); ++c) u[c] = system_.normal_velocity(c, v);
  }
  double effective_mass(int contact) const override { return system_.effective_mass(contact); }
  double coupling(int contact, int other) const override { return system_.coupling(contact, other); }
  Eigen::Matrix<double, D, D> delassus(int contact) const override { return system_.delassus(contact); }
  VectorOf<D> world(int contact, const double* impulses) const override { return system_.world(contact, impulses); }
  void add_impulse(int contact, const double* impulses, Eigen::VectorXd& p) const override {
    system_.add_impulse(contact, impulses, p);
  }
  void add_reactions(const std::vector<double>& impulses, Eigen::VectorXd& reactions) override;
  double negligible_speed() const override { return negligible_speed_; }
  double least_approach(double negligible, bool all_at_once) const override;
  void solve(const JumpProblem& problem, const Eigen::VectorXd& v, Eigen::VectorXd& jump,
             ContactSolution& solution) override;
  double note_follow(const Eigen::VectorXd&) override { return 0; }  // its jump knows
  void finish(const Eigen::VectorXd& from, Eigen::VectorXd& jump, Eigen::VectorXd& v) const override {
    v = from + jump;
  }
  bool is_iterative() const override { return false; }

 private:
  void take_followed(const JumpProblem& task, ContactSolution& solution) const;

  StepContext<D>& context_;
  Mechanism<D>& mechanism_;
  ContactSystem<D> system_;
  ContactProblem problem_;
  Eigen::VectorXd right_;
  bool responds_ = false;
  double negligible_speed_ = 0;  // m/s
};

extern template class AssembledJump<2>;
extern template class AssembledJump<3>;

}  // namespace carom::inline nonsmooth_integrators
