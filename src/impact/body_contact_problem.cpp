#include "impact/body_contact_problem.h"

#include <algorithm>
#include <cmath>

namespace carom::inline impact {
namespace {

double inverse(double value) {
  return value > 0 ? 1 / value : 0;
}

}  // namespace

template <int D>
typename BodyContactProblem<D>::Wrench BodyContactProblem<D>::change_of(int body, int loaded, const Wrench& by) const {
  constexpr int dofs = Space<D>::dofs;
  const ProblemBody<D>& one = bodies[body];
  if (one.constrained >= 0 && bodies[loaded].constrained >= 0)
    return constrained_response.block<dofs, dofs>(dofs * one.constrained, dofs * bodies[loaded].constrained) * by;
  Wrench result = Wrench::Zero();
  if (body != loaded) return result;
  result.template head<D>() = one.inverse_mass * by.template head<D>();
  result.template tail<Space<D>::rotational_dofs>() =
      one.inverse_inertia * by.template tail<Space<D>::rotational_dofs>();
  return result;
}

template <int D>
void BodyContactProblem<D>::push_constrained(const BodyContact<D>& contact, const Wrench& on_a, const Wrench& on_b) {
  const auto move = [](ProblemBody<D>& body, const Wrench& by) {
    body.velocity += by.template head<D>();
    body.angular_velocity += AngularOf<D>(by.template tail<Space<D>::rotational_dofs>());
  };
  const auto apply_one = [&](int loaded, const Wrench& by) {
    if (bodies[loaded].constrained >= 0) {
      for (const int body : constrained_bodies) move(bodies[body], change_of(body, loaded, by));
    } else if (bodies[loaded].inverse_mass > 0) {
      move(bodies[loaded], change_of(loaded, loaded, by));
    }
  };
  apply_one(contact.a, -on_a);
  apply_one(contact.b, on_b);
}

template <int D>
void BodyContactProblem<D>::set_constrained_weights(BodyContact<D>& contact) {
  const auto response = [&](const Wrench& a, const Wrench& b, const Wrench& felt_a, const Wrench& felt_b) {
    return felt_a.dot(change_of(contact.a, contact.a, a) - change_of(contact.a, contact.b, b)) +
           felt_b.dot(change_of(contact.b, contact.b, b) - change_of(contact.b, contact.a, a));
  };
  const auto at_point = [&](const VectorOf<D>& along, const VectorOf<D>& felt) {
    return response(wrench<D>(contact.lever_a, along), wrench<D>(contact.lever_b, along),
                    wrench<D>(contact.lever_a, felt), wrench<D>(contact.lever_b, felt));
  };
  contact.normal_weight = inverse(at_point(contact.normal, contact.normal));
  double slip = at_point(contact.tangent, contact.tangent);
  if constexpr (D == 3) {
    const VectorOf<D> second = second_tangent(contact);
    slip = std::max(slip, at_point(second, second)) + std::abs(at_point(contact.tangent, second));
  }
  contact.slip_weight = inverse(slip);
  if (contact.turning < 0) return;
  TurningResistance<D>& turning = turnings[contact.turning];
  double most = 0;
  for (int k = 0; k < Space<D>::rotational_dofs; ++k) {
    double sum = 0;
    for (int l = 0; l < Space<D>::rotational_dofs; ++l) {
      const Wrench by = moment<D>(AngularOf<D>::Unit(k)), felt = moment<D>(AngularOf<D>::Unit(l));
      sum += std::abs(response(by, by, felt, felt));
    }
    most = std::max(most, sum);
  }
  turning.rolling_weight = turning.spinning_weight = inverse(most);
  if (turning.lever > 0) contact.slip_weight = inverse(slip + turning.lever * turning.lever * most);
}

template <int D>
void BodyContactProblem<D>::set_weights(BodyContact<D>& contact) {
  if (is_constrained(contact)) return set_constrained_weights(contact);
  const ProblemBody<D>&a = bodies[contact.a], &b = bodies[contact.b];
  const auto response = [&](const VectorOf<D>& direction, const VectorOf<D>& felt) {
    const AngularOf<D> turn_a = a.inverse_inertia * cross(contact.lever_a, direction);
    const AngularOf<D> turn_b = b.inverse_inertia * cross(contact.lever_b, direction);
    return (a.inverse_mass + b.inverse_mass) * direction.dot(felt) + felt.dot(cross(turn_a, contact.lever_a)) +
           felt.dot(cross(turn_b, contact.lever_b));
  };
  const bool round = (a.is_round || !(a.inverse_mass > 0)) && (b.is_round || !(b.inverse_mass > 0));
  contact.settles = false;
  if (round) {
    // The slip of levers along the normal; others give less.
    const double masses = a.inverse_mass + b.inverse_mass, turn_a = a.inverse_inertia(0, 0),
                 turn_b = b.inverse_inertia(0, 0);
    const double across_a = cross(contact.lever_a, contact.normal).squaredNorm(),
                 long_a = contact.lever_a.squaredNorm();
    const double across_b = cross(contact.lever_b, contact.normal).squaredNorm(),
                 long_b = contact.lever_b.squaredNorm();
    contact.settles = contact.turning < 0 && (!(a.inverse_mass > 0) || across_a < 1e-20 * long_a) &&
                      (!(b.inverse_mass > 0) || across_b < 1e-20 * long_b);
    contact.normal_weight = inverse(masses + turn_a * across_a + turn_b * across_b);
    contact.slip_weight = inverse(masses + turn_a * long_a + turn_b * long_b);
  } else {
    contact.normal_weight = inverse(response(contact.normal, contact.normal));
  }
  const double slip = round ? 0 : response(contact.tangent, contact.tangent);
  if constexpr (D == 2) {
    if (!round) contact.slip_weight = inverse(slip);
  } else if (!round) {
    const VectorOf<D> second = second_tangent(contact);
    const double mixed = std::abs(response(contact.tangent, second));
    contact.slip_weight = inverse(std::max(slip, response(second, second)) + mixed);
  }
  if (contact.turning < 0) return;
  TurningResistance<D>& turning = turnings[contact.turning];
  const auto sum = (a.inverse_inertia + b.inverse_inertia).eval();
  if constexpr (D == 2) {
    turning.rolling_weight = inverse(sum(0, 0));
  } else {
    turning.rolling_weight = turning.spinning_weight = inverse(sum.cwiseAbs().rowwise().sum().maxCoeff());
    if (turning.lever > 0) {
      // One ball of slip and lever × spin.
      const double both = 1 / contact.slip_weight + turning.lever * turning.lever / turning.spinning_weight;
      contact.slip_weight = inverse(both);
    }
  }
}

template <int D>
int BodyContactProblem<D>::row_count(const BodyContact<D>& contact) const {
  int count = contact.friction > 0 ? D : 1;
  if (contact.turning < 0) return count;
  const TurningResistance<D>& turning = turnings[contact.turning];
  if constexpr (D == 2) return count + (turning.rolling > 0 ? 1 : 0);
  if (turning.rolling > 0) count += 2;
  return count + (turning.lever > 0 || turning.spinning > 0 ? 1 : 0);
}

template <int D>
void BodyContactProblem<D>::local_velocity(const BodyContact<D>& contact, const VectorOf<D>& relative,
                                           const AngularOf<D>& angular_velocity, double* u) const {
  *u++ = contact.normal.dot(relative);
  if (contact.friction > 0) {
    *u++ = contact.tangent.dot(relative);
    if constexpr (D == 3) *u++ = second_tangent(contact).dot(relative);
  }
  if (contact.turning < 0) return;
  const TurningResistance<D>& turning = turnings[contact.turning];
  if constexpr (D == 2) {
    if (turning.rolling > 0) *u = angular_velocity[0];
  } else {
    if (turning.lever > 0) *u++ = turning.lever * contact.normal.dot(angular_velocity);
    if (turning.rolling > 0) {
      *u++ = contact.tangent.dot(angular_velocity);
      *u++ = second_tangent(contact).dot(angular_velocity);
    }
    if (turning.spinning > 0 && !(turning.lever > 0)) *u = contact.normal.dot(angular_velocity);
  }
}

template <int D>
void BodyContactProblem<D>::local_impulse(const BodyContact<D>& contact, double* impulses) const {
  const int sliding = contact.friction > 0 ? D : 1;
  for (int k = 0; k < sliding; ++k) *impulses++ = contact.impulse[k];
  if (contact.turning < 0) return;
  const TurningResistance<D>& turning = turnings[contact.turning];
  if constexpr (D == 2) {
    if (turning.rolling > 0) *impulses = turning.impulse[0];
  } else {
    if (turning.lever > 0) *impulses++ = contact.normal.dot(turning.impulse) / turning.lever;
    if (turning.rolling > 0) {
      *impulses++ = contact.tangent.dot(turning.impulse);
      *impulses++ = second_tangent(contact).dot(turning.impulse);
    }
    if (turning.spinning > 0 && !(turning.lever > 0)) *impulses = contact.normal.dot(turning.impulse);
  }
}

template <int D>
AngularOf<D> BodyContactProblem<D>::turning_moment(const BodyContact<D>& contact, const double* impulses) const {
  AngularOf<D> sum = AngularOf<D>::Zero();
  if (contact.turning < 0) return sum;
  const TurningResistance<D>& turning = turnings[contact.turning];
  if constexpr (D == 2) {
    if (turning.rolling > 0) sum[0] = *impulses;
  } else {
    if (turning.lever > 0) sum += *impulses++ * turning.lever * contact.normal;
    if (turning.rolling > 0) {
      sum += *impulses++ * contact.tangent;
      sum += *impulses++ * second_tangent(contact);
    }
    if (turning.spinning > 0 && !(turning.lever > 0)) sum += *impulses * contact.normal;
  }
  return sum;
}

template <int D>
void BodyContactProblem<D>::wrenches(const BodyContact<D>& contact, Wrench* on_a, Wrench* on_b) const {
  const auto slide = [&](const VectorOf<D>& along) {
    *on_a++ = wrench<D>(contact.lever_a, along), *on_b++ = wrench<D>(contact.lever_b, along);
  };
  const auto turn = [&](const AngularOf<D>& about) { *on_a++ = moment<D>(about), *on_b++ = moment<D>(about); };
  slide(contact.normal);
  if (contact.friction > 0) {
    slide(contact.tangent);
    if constexpr (D == 3) slide(second_tangent(contact));
  }
  if (contact.turning < 0) return;
  const TurningResistance<D>& turning = turnings[contact.turning];
  if constexpr (D == 2) {
    if (turning.rolling > 0) turn(AngularOf<D>::Ones());
  } else {
    if (turning.lever > 0) turn(turning.lever * contact.normal);
    if (turning.rolling > 0) turn(contact.tangent), turn(second_tangent(contact));
    if (turning.spinning > 0 && !(turning.lever > 0)) turn(contact.normal);
  }
}

template <int D>
double BodyContactProblem<D>::row_response(const BodyContact<D>& of, const Wrench& of_a, const Wrench& of_b,
                                           const BodyContact<D>& by, const Wrench& by_a, const Wrench& by_b) const {
  return of_b.dot(change_of(of.b, by.b, by_b) - change_of(of.b, by.a, by_a)) -
         of_a.dot(change_of(of.a, by.b, by_b) - change_of(of.a, by.a, by_a));
}

template <int D>
double BodyContactProblem<D>::coupling(const BodyContact<D>& contact, const BodyContact<D>& other) const {
  const bool shared = (bodies[contact.a].moves() && (contact.a == other.a || contact.a == other.b)) ||
                      (bodies[contact.b].moves() && (contact.b == other.a || contact.b == other.b));
  if (!shared) return 0;
  const auto on_a = [](const BodyContact<D>& each) { return wrench<D>(each.lever_a, each.normal); };
  const auto on_b = [](const BodyContact<D>& each) { return wrench<D>(each.lever_b, each.normal); };
  const double across = row_response(other, on_a(other), on_b(other), contact, on_a(contact), on_b(contact));
  return across < 0 ? across * across * contact.normal_weight * other.normal_weight : 0;
}

template <int D>
Eigen::Matrix<double, D, D> BodyContactProblem<D>::sliding_delassus(const BodyContact<D>& contact) const {
  Wrench on_a[most_rows], on_b[most_rows];
  wrenches(contact, on_a, on_b);
  Eigen::Matrix<double, D, D> w;
  for (int k = 0; k < D; ++k) {
    for (int l = 0; l < D; ++l) w(k, l) = row_response(contact, on_a[k], on_b[k], contact, on_a[l], on_b[l]);
  }
  return w;
}

template <int D>
void BodyContactProblem<D>::assemble(const std::vector<int>& chosen, ContactProblem& problem,
                                     std::vector<double>& impulses) const {
  problem.clear();
  for (const int c : chosen) {
    const BodyContact<D>& contact = contacts[c];
    ProblemContact each{.row = problem.rows, .first_ball = static_cast<int>(problem.balls.size())};
    int row = problem.rows + 1;
    const auto add_ball = [&](int size, double radius) {
      problem.balls.push_back({.row = row, .size = size, .radius = radius});
      row += size;
      ++each.balls;
    };
    const TurningResistance<D>* turning = contact.turning < 0 ? nullptr : &turnings[contact.turning];
    const bool coupled = turning && turning->lever > 0;
    if (contact.friction > 0) add_ball(D - 1 + (coupled ? 1 : 0), contact.friction);
    if (turning && turning->rolling > 0) add_ball(D - 1, turning->rolling);
    if (D == 3 && turning && turning->spinning > 0 && !coupled) add_ball(1, turning->spinning);
    problem.contacts.push_back(each);
    problem.rows = row;
  }
  problem.make_room();
  impulses.assign(problem.rows, 0.0);
  Wrench of_a[most_rows], of_b[most_rows], by_a[most_rows], by_b[most_rows];
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const BodyContact<D>& of = contacts[chosen[i]];
    const int row = problem.contacts[i].row, rows = row_count(of);
    wrenches(of, of_a, of_b);
    local_impulse(of, impulses.data() + row);
    local_velocity(of, relative_velocity(of), bodies[of.b].angular_velocity - bodies[of.a].angular_velocity,
                   problem.offset.data() + row);
    problem.offset[row] += of.offset[0];
    if (of.friction > 0) {
      for (int k = 1; k < D; ++k) problem.offset[row + k] += of.offset[k];
    }
    for (std::size_t j = 0; j < chosen.size(); ++j) {
      const BodyContact<D>& by = contacts[chosen[j]];
      const int column = problem.contacts[j].row, columns = row_count(by);
      wrenches(by, by_a, by_b);
      for (int k = 0; k < rows; ++k) {
        for (int l = 0; l < columns; ++l)
          problem.delassus_row(row + k)[column + l] = row_response(of, of_a[k], of_b[k], by, by_a[l], by_b[l]);
      }
    }
  }
  for (int i = 0; i < problem.rows; ++i) {
    for (int j = 0; j < problem.rows; ++j) problem.offset[i] -= problem.delassus_row(i)[j] * impulses[j];
  }
  problem.set_weights();
}

template <int D>
double BodyContactProblem<D>::law_error(const BodyContact<D>& contact, const double* u) const {
  if (!(contact.normal_weight > 0)) return 0;
  const double wrong = std::abs(std::min(contact.impulse[0] / contact.normal_weight, u[0] + contact.offset[0]));
  if (!(contact.friction > 0) || contact.turning >= 0) return wrong;
  const auto force = contact.impulse.template tail<D - 1>();
  Eigen::Matrix<double, D - 1, 1> trial = force;
  for (int k = 1; k < D; ++k) trial[k - 1] -= contact.slip_weight * (u[k] + contact.offset[k]);
  const double square = trial.squaredNorm(), bound = contact.friction * contact.impulse[0];
  if (square > bound * bound) trial *= bound / std::sqrt(square);
  return std::max(wrong, (force - trial).norm() / contact.slip_weight);
}

template <int D>
typename BodyContactProblem<D>::Error BodyContactProblem<D>::law_error() const {
  Error error;
  long count = 0;
  double u[most_rows];
  for (const BodyContact<D>& contact : contacts) {
    if (!contact.takes_part || !(contact.normal_weight > 0)) continue;
    local_velocity(contact, relative_velocity(contact),
                   bodies[contact.b].angular_velocity - bodies[contact.a].angular_velocity, u);
    const double wrong = law_error(contact, u);
    error.largest = std::max(error.largest, wrong);
    error.mean += wrong;
    ++count;
  }
  if (count > 0) error.mean /= static_cast<double>(count);
  return error;
}

template struct BodyContactProblem<2>;
template struct BodyContactProblem<3>;

}  // namespace carom::inline impact
