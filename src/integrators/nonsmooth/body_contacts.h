#pragma once

#include "impact/body_gauss_seidel.h"
#include "impact/island_newton.h"
#include "integrators/nonsmooth/contact_rows.h"
#include "integrators/nonsmooth/mechanism.h"

namespace carom::inline nonsmooth_integrators {

// Contacts and bodies of a step as a contact problem that is not assembled, for many contacts.
//
// Impulses move a free body by its own mass. The bodies of a mechanism, constrained by joints, drives and forces,
// move together, by the factorised matrix of the stage; those that are driven through and through do not move at
// all, and are to the others what the ground is.
template <int D>
class BodyContacts {
 public:
  using Level = typename ContactRows<D>::Level;
  static constexpr int most_iterations = 400;
  static constexpr int most_rounds = 20;  // of Gauss–Seidel iterations and of the joints and forces of a mechanism

  BodyContacts(StepContext<D>& context, Mechanism<D>& mechanism);

  // Whether these contacts are left to projected Gauss–Seidel; `smooth`: the bodies at q̃.
  bool takes(const std::vector<NonsmoothContact<D>>& contacts, const Bodies<D>& smooth) const;
  // Bodies with their inertia in these positions, by the matrix of the stage where they are constrained; no contacts.
  void place(const Bodies<D>& bodies);
  // Without offset and impulse.
  BodyContact<D>& add(const NonsmoothContact<D>& contact, Level level);
  // First guess of a contact from what it remembers, world axes on b.
  static void guess(BodyContact<D>& contact, const VectorOf<D>& impulse);

  // Velocities (or displacements) of the bodies from generalised ones, and back.
  void set_velocities(const Bodies<D>& bodies, const Eigen::VectorXd& v);
  void take_velocities(const Bodies<D>& bodies, Eigen::VectorXd& v) const;
  // Adds the impulses of all contacts, as they are now, to generalised ones.
  void add_impulses(const Bodies<D>& bodies, Eigen::VectorXd& sum) const;
  // Projected Gauss–Seidel, at most so many iterations; counts them. Small islands that it has not settled far below
  // the tolerance go on by Newton's method; larger ones that it has not settled at all are counted.
  using FirstGuess = typename BodyGaussSeidel<D>::FirstGuess;
  void solve(double tolerance, FirstGuess guess = FirstGuess::has_acted, int most = most_iterations);
  // The same, roughly: of what iterations do not settle, only small islands are solved by Newton's method.
  void solve_roughly(double tolerance, FirstGuess guess, int most);
  // Of the last solution.
  const Islands& islands() const { return solver_.islands(); }

  BodyContactProblem<D> problem;

 private:
  static constexpr int dofs = Space<D>::dofs;
  void find_constrained_response(const Bodies<D>& bodies);
  void set_inertia(std::size_t bodies);
  void refine(int island, double tolerance);
  bool has_play(const std::vector<NonsmoothContact<D>>& contacts, const Bodies<D>& smooth) const;

  StepContext<D>& context_;
  Mechanism<D>& mechanism_;
  BodyGaussSeidel<D> solver_;
  IslandNewton<D> newton_;
  std::vector<int> oriented_bodies_;                          // that are not round
  std::vector<int> constrained_bodies_, constrained_places_;  // all, and the degrees of freedom of those that move
  Eigen::MatrixXd constrained_response_;
  Eigen::VectorXd right_;
};

extern template class BodyContacts<2>;
extern template class BodyContacts<3>;

}  // namespace carom::inline nonsmooth_integrators
