#pragma once

#include <vector>

#include "dynamics/body_system.h"
#include "impact/impulse_solver.h"
#include "impact/islands.h"
#include "integrators/nonsmooth/contact_rows.h"
#include "math/kkt_solver.h"

namespace carom::inline nonsmooth_integrators {

// Closed contacts of one state: their rows, the groups of bodies (islands) that they hold together, and how impulses
// change the velocities of the bodies. Of a free body its inverse mass tells; bodies constrained by joints or forces
// move together, through the factorised matrix of the step, and count as one.
template <int D>
class ContactSystem {
 public:
  using Level = typename ContactRows<D>::Level;
  static constexpr int dofs = Space<D>::dofs;

  explicit ContactSystem(BodySystem<D>& system);

  bool has_constrained_bodies() const { return has_constrained_; }
  const std::vector<bool>& constrained_bodies() const { return constrained_; }

  // Normals alone, by which velocities are judged; directions of impulses and islands, where there will be impulses.
  void place(const std::vector<NonsmoothContact<D>>& contacts, const Bodies<D>& bodies);
  void complete(const std::vector<NonsmoothContact<D>>& contacts, const Bodies<D>& bodies, Level level);
  void build(const std::vector<NonsmoothContact<D>>& contacts, const Bodies<D>& bodies, Level level) {
    place(contacts, bodies);
    complete(contacts, bodies, level);
  }
  // How impulses change velocities, M⁻¹ Hᵀ, before any problem is made. `constrained` solves for the constrained
  // bodies; null where there are none. Free bodies have `share` of their inverse masses.
  void respond(KktSolver* constrained, double share = 1);
  // The normal velocities are those of another state from now on; impulses keep their directions.
  void measure(const std::vector<NonsmoothContact<D>>& contacts, const Bodies<D>& bodies);

  // How far forces at the points of contacts, any direction, move these and the others apart: D rows and columns each,
  // world axes.
  void compliance(const std::vector<NonsmoothContact<D>>& contacts, const Bodies<D>& bodies, KktSolver* constrained,
                  Eigen::MatrixXd& result);

  int contact_count() const { return static_cast<int>(measured_.size()); }
  int row_count() const { return row_count_; }
  int first_row(int contact) const { return first_row_[contact]; }
  const ContactRows<D>& rows(int contact) const { return rows_[contact]; }
  const NonsmoothLaw& law(int contact) const { return *laws_[contact]; }

  const Islands& islands() const { return islands_; }

  // kg, along the normal; infinite where nothing can move it.
  double effective_mass(int contact) const { return 1 / row_response(contact, 0, contact, 0); }
  // 1/kg, W of the first rows, normal and slip, of one contact with friction.
  Eigen::Matrix<double, D, D> delassus(int contact) const;
  // Squared, of 1: how far a normal impulse at one contact is taken up by another one that it closes. None where it
  // opens it.
  double coupling(int contact, int other) const;
  // u = H x, of all rows of a contact.
  void velocity(int contact, const Eigen::VectorXd& x, double* u) const;
  double normal_velocity(int contact, const Eigen::VectorXd& x) const;  // the first of them
  // The problem of the contacts chosen, all of one island; offsets are not set.
  void make_problem(const std::vector<int>& chosen, ContactProblem& problem) const;
  // Adds what the impulses of a contact do: to generalised impulses p, and to the motion x of the bodies, or to this
  // and the reactions of joints where x is long enough.
  void add_impulse(int contact, const double* impulses, Eigen::VectorXd& p) const;
  void add_response(int contact, const double* impulses, Eigen::VectorXd& x) const;
  // Work of a constant load on the bodies along that motion.
  double work_of_response(int contact, const double* impulses, const Eigen::VectorXd& load) const;
  // Impulse on b in world axes.
  VectorOf<D> world(int contact, const double* impulses) const;

 private:
  using Rows = typename ContactRows<D>::Rows;
  void find_islands();
  static void spread(const Rows& rows, int count, const double* impulses, double* to);  // to += rowsᵀ impulses
  bool share_body(int contact, int other) const;
  void set_own_block(int contact, double* to, std::ptrdiff_t stride) const;  // of W, both bodies free
  double row_response(int row_contact, int row, int contact, int column) const;

  BodySystem<D>& system_;
  std::vector<bool> constrained_;  // by body
  bool has_constrained_ = false;
  std::vector<bool> principal_;  // by body: its axes are those of its inertia
  int row_count_ = 0;
  std::vector<int> body_a_, body_b_, first_row_;
  std::vector<ContactRows<D>> rows_;
  std::vector<typename ContactRows<D>::Normal> measured_;
  std::vector<const NonsmoothLaw*> laws_;
  std::vector<Rows> change_a_, change_b_;  // M⁻¹ Hᵀ, a row per row of the contact; of free bodies
  std::vector<int> first_column_;          // in columns_, −1: both bodies are free
  Eigen::MatrixXd columns_;                // M⁻¹ Hᵀ of the whole system, with the reactions of its joints
  int columns_used_ = 0;
  Eigen::VectorXd right_;
  Islands islands_;
};

extern template class ContactSystem<2>;
extern template class ContactSystem<3>;

}  // namespace carom::inline nonsmooth_integrators
