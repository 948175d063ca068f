#include "integrators/nonsmooth/contact_rows.h"

namespace carom::inline nonsmooth_integrators {

template <int D>
typename ContactRows<D>::Row ContactRows<D>::slide_of_a(const NonsmoothContact<D>& contact,
                                                        const VectorOf<D>& direction, const Bodies<D>& bodies) {
  Row row;
  row.template head<D>() = -direction.transpose();
  row.template tail<Space<D>::rotational_dofs>() =
      -bodies[contact.a].orientation.angular_to_body(cross(contact.lever_a, direction)).transpose();
  return row;
}

template <int D>
typename ContactRows<D>::Row ContactRows<D>::slide_of_b(const NonsmoothContact<D>& contact,
                                                        const VectorOf<D>& direction, const Bodies<D>& bodies) {
  Row row;
  row.template head<D>() = direction.transpose();
  row.template tail<Space<D>::rotational_dofs>() =
      bodies[contact.b].orientation.angular_to_body(cross(contact.lever_b, direction)).transpose();
  return row;
}

template <int D>
typename ContactRows<D>::Normal ContactRows<D>::normal_of(const NonsmoothContact<D>& contact, const Bodies<D>& bodies) {
  Normal normal;
  if (contact.a > 0) normal.on_a = slide_of_a(contact, contact.normal, bodies);
  if (contact.b > 0) normal.on_b = slide_of_b(contact, contact.normal, bodies);
  return normal;
}

template <int D>
void ContactRows<D>::put_turn(int row, const NonsmoothContact<D>& contact, const AngularOf<D>& axis,
                              const Bodies<D>& bodies) {
  constexpr int rotational_dofs = Space<D>::rotational_dofs;
  on_a.row(row).setZero(), on_b.row(row).setZero();
  on_a.row(row).template tail<rotational_dofs>() = -bodies[contact.a].orientation.angular_to_body(axis).transpose();
  on_b.row(row).template tail<rotational_dofs>() = bodies[contact.b].orientation.angular_to_body(axis).transpose();
}

template <int D>
void ContactRows<D>::set(const NonsmoothContact<D>& contact, const NonsmoothLaw& law, const Bodies<D>& bodies,
                         const Normal& normal, Level level) {
  const bool turning = level == Level::velocity;
  slides_ = law.friction > 0;
  coupled_ = turning && is_coupled(law);
  rolls_ = turning && law.rolling > 0;
  spins_ = turning && D == 3 && law.spinning > 0 && !coupled_;
  frame.col(0) = contact.normal;
  if constexpr (D == 2) {
    frame.col(1) = Eigen::Vector2d(-contact.normal.y(), contact.normal.x());
  } else {
    if (slides_ || rolls_) {
      const Eigen::Matrix3d triad = triad_about(contact.normal);
      frame.col(1) = triad.col(0), frame.col(2) = triad.col(1);
    }
  }
  if (contact.a > 0) on_a.row(0) = normal.on_a;
  if (contact.b > 0) on_b.row(0) = normal.on_b;
  count = 1;
  if (slides_) {
    for (int k = 1; k < D; ++k) put_slide(count++, contact, frame.col(k), bodies);
  }
  if constexpr (D == 2) {
    if (rolls_) put_turn(count++, contact, AngularOf<2>(1.0), bodies);
  } else {
    if (coupled_) put_turn(count++, contact, law.spinning / law.friction * contact.normal, bodies);
    if (rolls_) {
      put_turn(count++, contact, frame.col(1), bodies);
      put_turn(count++, contact, frame.col(2), bodies);
    }
    if (spins_) put_turn(count++, contact, contact.normal, bodies);
  }
}

template <int D>
void ContactRows<D>::add_to(ContactProblem& problem, const NonsmoothLaw& law) const {
  ProblemContact contact{.row = problem.rows, .first_ball = static_cast<int>(problem.balls.size())};
  int row = problem.rows + 1;
  const auto add_ball = [&](int size, double radius) {
    problem.balls.push_back({.row = row, .size = size, .radius = radius});
    row += size;
    ++contact.balls;
  };
  if (slides_) add_ball(slips + (coupled_ ? 1 : 0), law.friction);
  if (rolls_) add_ball(D == 2 ? 1 : 2, law.rolling);
  if (spins_) add_ball(1, law.spinning);
  problem.contacts.push_back(contact);
  problem.rows += count;
}

template struct ContactRows<2>;
template struct ContactRows<3>;

}  // namespace carom::inline nonsmooth_integrators
