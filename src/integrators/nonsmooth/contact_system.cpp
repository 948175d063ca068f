#include "integrators/nonsmooth/contact_system.h"

#include <algorithm>
#include <type_traits>

namespace carom::inline nonsmooth_integrators {
namespace {

// Normal and slip are the rows of most contacts: with their number known beforehand, loops over rows are unrolled.
template <int D, typename Use>
void with_count(int count, const Use& use) {
  if (count == D) {
    use(std::integral_constant<int, D>{});
  } else {
    use(count);
  }
}

template <int Size>
double product(const double* x, const double* y) {
  double sum = 0;
  for (int j = 0; j < Size; ++j) sum += x[j] * y[j];
  return sum;
}

}  // namespace

template <int D>
ContactSystem<D>::ContactSystem(BodySystem<D>& system) : system_(system) {
  constrained_ = system.constrained_bodies();
  has_constrained_ = std::find(constrained_.begin(), constrained_.end(), true) != constrained_.end();
  principal_ = {true};
  for (const BodyInertia<D>& body : system.inertia()) principal_.push_back(body.inverse_tensor.isDiagonal(0));
  islands_.start(constrained_.size());
  right_.setZero(system.velocity_size() + system.constraint_size());
}

template <int D>
void ContactSystem<D>::place(const std::vector<NonsmoothContact<D>>& contacts, const Bodies<D>& bodies) {
  const std::size_t count = contacts.size();
  body_a_.resize(count), body_b_.resize(count);
  measured_.resize(count);
  for (std::size_t c = 0; c < count; ++c) {
    body_a_[c] = contacts[c].a, body_b_[c] = contacts[c].b;
    measured_[c] = ContactRows<D>::normal_of(contacts[c], bodies);
  }
}

template <int D>
void ContactSystem<D>::complete(const std::vector<NonsmoothContact<D>>& contacts, const Bodies<D>& bodies,
                                Level level) {
  const std::size_t count = contacts.size();
  first_row_.resize(count), first_column_.resize(count);
  rows_.resize(count);
  laws_.resize(count);
  row_count_ = 0;
  const ContactSet<D>& set = system_.contact_set();
  for (std::size_t c = 0; c < count; ++c) {
    laws_[c] = &set.nonsmooth_law(contacts[c].law);
    rows_[c].set(contacts[c], *laws_[c], bodies, measured_[c], level);
    first_row_[c] = row_count_;
    row_count_ += rows_[c].count;
  }
  find_islands();
}

template <int D>
void ContactSystem<D>::measure(const std::vector<NonsmoothContact<D>>& contacts, const Bodies<D>& bodies) {
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (contacts[c].a > 0) measured_[c].on_a = ContactRows<D>::slide_of_a(contacts[c], contacts[c].normal, bodies);
    if (contacts[c].b > 0) measured_[c].on_b = ContactRows<D>::slide_of_b(contacts[c], contacts[c].normal, bodies);
  }
}

template <int D>
void ContactSystem<D>::compliance(const std::vector<NonsmoothContact<D>>& contacts, const Bodies<D>& bodies,
                                  KktSolver* constrained, Eigen::MatrixXd& result) {
  const auto segment = [&](int body) { return right_.segment<dofs>(dofs * (body - 1)); };
  const auto apply_inverse_inertia = [&](int body) {
    const BodyInertia<D>& inertia = system_.inertia()[body - 1];
    segment(body).template head<D>() *= inertia.inverse_mass;
    segment(body).template tail<Space<D>::rotational_dofs>() =
        (inertia.inverse_tensor * segment(body).template tail<Space<D>::rotational_dofs>()).eval();
  };
  const auto count = static_cast<Eigen::Index>(contacts.size());
  result.resize(D * count, D * count);
  for (Eigen::Index j = 0; j < D * count; ++j) {
    const NonsmoothContact<D>& by = contacts[j / D];
    const VectorOf<D> direction = VectorOf<D>::Unit(j % D);
    right_.setZero();
    if (by.a > 0) segment(by.a) = ContactRows<D>::slide_of_a(by, direction, bodies).transpose();
    if (by.b > 0) segment(by.b) += ContactRows<D>::slide_of_b(by, direction, bodies).transpose();
    if (constrained_[by.a] || constrained_[by.b]) {
      constrained->solve(right_);
    } else {
      if (by.a > 0) apply_inverse_inertia(by.a);
      if (by.b > 0) apply_inverse_inertia(by.b);
    }
    for (Eigen::Index i = 0; i < D * count; ++i) {
      const NonsmoothContact<D>& of = contacts[i / D];
      const VectorOf<D> along = VectorOf<D>::Unit(i % D);
      double sum = 0;
      if (of.a > 0) sum += ContactRows<D>::slide_of_a(of, along, bodies).dot(segment(of.a));
      if (of.b > 0) sum += ContactRows<D>::slide_of_b(of, along, bodies).dot(segment(of.b));
      result(i, j) = sum;
    }
  }
}

// The ground joins nothing. All constrained bodies are one.
template <int D>
void ContactSystem<D>::find_islands() {
  islands_.start(constrained_.size());
  int first_constrained = -1;
  for (int c = 0; c < contact_count(); ++c) {
    for (const int body : {body_a_[c], body_b_[c]}) {
      if (!constrained_[body]) continue;
      if (first_constrained < 0) first_constrained = body;
      islands_.join(body, first_constrained);
    }
    if (body_a_[c] > 0 && body_b_[c] > 0) islands_.join(body_a_[c], body_b_[c]);
  }
  islands_.sort_contacts(contact_count(), [this](int c) { return body_a_[c] > 0 ? body_a_[c] : body_b_[c]; });
}

template <int D>
void ContactSystem<D>::respond(KktSolver* constrained, double share) {
  const int count = contact_count();
  change_a_.resize(count), change_b_.resize(count);
  columns_used_ = 0;
  const auto change_of = [&](int body, const Rows& rows, int rows_used, Rows& changes) {
    if (body == 0) return;
    const BodyInertia<D>& inertia = system_.inertia()[body - 1];
    for (int k = 0; k < rows_used; ++k) {
      changes.row(k).template head<D>() = share * inertia.inverse_mass * rows.row(k).template head<D>();
      auto rotational_dofs = changes.row(k).template tail<Space<D>::rotational_dofs>();
      if (principal_[body]) {
        rotational_dofs = rows.row(k).template tail<Space<D>::rotational_dofs>().cwiseProduct(
            inertia.inverse_tensor.diagonal().transpose());
      } else {
        rotational_dofs.noalias() = rows.row(k).template tail<Space<D>::rotational_dofs>() * inertia.inverse_tensor;
      }
      if (share != 1) changes.row(k).template tail<Space<D>::rotational_dofs>() *= share;
    }
  };
  for (int c = 0; c < count; ++c) {
    const int a = body_a_[c], b = body_b_[c];
    const ContactRows<D>& rows = rows_[c];
    first_column_[c] = -1;
    if (!constrained_[a] && !constrained_[b]) {
      change_of(a, rows.on_a, rows.count, change_a_[c]);
      change_of(b, rows.on_b, rows.count, change_b_[c]);
      continue;
    }
    first_column_[c] = columns_used_;
    if (columns_.cols() < columns_used_ + rows.count || columns_.rows() != right_.size())
      columns_.conservativeResize(right_.size(),
                                  std::max<Eigen::Index>(columns_used_ + rows.count, 2 * columns_.cols()));
    for (int k = 0; k < rows.count; ++k) {
      right_.setZero();
      if (a > 0) right_.segment<dofs>(dofs * (a - 1)) = rows.on_a.row(k).transpose();
      if (b > 0) right_.segment<dofs>(dofs * (b - 1)) += rows.on_b.row(k).transpose();
      constrained->solve(right_);
      columns_.col(columns_used_++) = right_;
    }
  }
}

template <int D>
void ContactSystem<D>::velocity(int c, const Eigen::VectorXd& x, double* u) const {
  const ContactRows<D>& rows = rows_[c];
  const auto add = [&](int body, const Rows& own, const typename ContactRows<D>::Row& normal, bool first) {
    const double* moves = x.data() + static_cast<std::ptrdiff_t>(dofs) * (body - 1);
    with_count<D>(rows.count, [&](auto count) {
      for (int k = 0; k < count; ++k) {
        const double* row = k == 0 ? normal.data() : own.data() + static_cast<std::ptrdiff_t>(k) * dofs;
        const double sum = product<dofs>(row, moves);
        u[k] = first ? sum : u[k] + sum;
      }
    });
  };
  const int a = body_a_[c], b = body_b_[c];
  if (a > 0) add(a, rows.on_a, measured_[c].on_a, true);
  if (b > 0) add(b, rows.on_b, measured_[c].on_b, a == 0);
}

template <int D>
double ContactSystem<D>::normal_velocity(int c, const Eigen::VectorXd& x) const {
  const auto along = [&](int body, const typename ContactRows<D>::Row& normal) {
    return product<dofs>(normal.data(), x.data() + static_cast<std::ptrdiff_t>(dofs) * (body - 1));
  };
  const int a = body_a_[c], b = body_b_[c];
  if (a == 0) return along(b, measured_[c].on_b);
  const double of_a = along(a, measured_[c].on_a);
  return b > 0 ? of_a + along(b, measured_[c].on_b) : of_a;
}

// What a unit impulse in a row of one contact does to a row of another.
template <int D>
double ContactSystem<D>::row_response(int c, int row, int other, int column) const {
  constexpr auto dot = product<dofs>;
  const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(row) * dofs;
  const std::ptrdiff_t entry = static_cast<std::ptrdiff_t>(column) * dofs;
  const int other_a = body_a_[other], other_b = body_b_[other];
  const auto by = [&](int body, const double* own) {
    if (first_column_[other] >= 0)
      return dot(own,
                 columns_.col(first_column_[other] + column).data() + static_cast<std::ptrdiff_t>(dofs) * (body - 1));
    double sum = 0;
    if (body == other_a) sum += dot(own, change_a_[other].data() + entry);
    if (body == other_b) sum += dot(own, change_b_[other].data() + entry);
    return sum;
  };
  double sum = 0;
  if (body_a_[c] > 0) sum += by(body_a_[c], row == 0 ? measured_[c].on_a.data() : rows_[c].on_a.data() + place);
  if (body_b_[c] > 0) sum += by(body_b_[c], row == 0 ? measured_[c].on_b.data() : rows_[c].on_b.data() + place);
  return sum;
}

template <int D>
bool ContactSystem<D>::share_body(int c, int d) const {
  const int a = body_a_[c], b = body_b_[c];
  return (a > 0 && (a == body_a_[d] || a == body_b_[d])) || (b > 0 && (b == body_a_[d] || b == body_b_[d]));
}

template <int D>
Eigen::Matrix<double, D, D> ContactSystem<D>::delassus(int contact) const {
  Eigen::Matrix<double, D, D> w;
  for (int k = 0; k < D; ++k) {
    for (int l = 0; l < D; ++l) w(k, l) = row_response(contact, k, contact, l);
  }
  return w;
}

template <int D>
double ContactSystem<D>::coupling(int c, int other) const {
  if (!share_body(c, other)) return 0;
  const double across = row_response(other, 0, c, 0);
  if (across >= 0) return 0;
  const double product = row_response(c, 0, c, 0) * row_response(other, 0, other, 0);
  return product > 0 ? across * across / product : 0;
}

// As row_response, which is dear where many problems have one contact.
template <int D>
void ContactSystem<D>::set_own_block(int c, double* to, std::ptrdiff_t stride) const {
  const auto add = [&](const Rows& own, const double* normal, const Rows& changes, bool first) {
    with_count<D>(rows_[c].count, [&](auto count) {
      for (int k = 0; k < count; ++k) {
        const double* row = k == 0 ? normal : own.data() + static_cast<std::ptrdiff_t>(k) * dofs;
        for (int l = 0; l < count; ++l) {
          const double sum = product<dofs>(row, changes.data() + static_cast<std::ptrdiff_t>(l) * dofs);
          to[k * stride + l] = first ? sum : to[k * stride + l] + sum;
        }
      }
    });
  };
  if (body_a_[c] > 0) add(rows_[c].on_a, measured_[c].on_a.data(), change_a_[c], true);
  if (body_b_[c] > 0) add(rows_[c].on_b, measured_[c].on_b.data(), change_b_[c], body_a_[c] == 0);
}

template <int D>
void ContactSystem<D>::make_problem(const std::vector<int>& chosen, ContactProblem& problem) const {
  problem.clear();
  for (const int c : chosen) rows_[c].add_to(problem, *laws_[c]);
  problem.make_room();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    for (std::size_t j = 0; j < chosen.size(); ++j) {
      const int c = chosen[i], d = chosen[j];
      if (first_column_[d] < 0 && !share_body(c, d)) continue;
      const int row = problem.contacts[i].row, column = problem.contacts[j].row;
      if (c == d && first_column_[c] < 0 && body_a_[c] != body_b_[c]) {
        set_own_block(c, problem.delassus_row(row) + column, problem.rows);
        continue;
      }
      for (int k = 0; k < rows_[c].count; ++k) {
        double* to = problem.delassus_row(row + k) + column;
        for (int l = 0; l < rows_[d].count; ++l) to[l] = row_response(c, k, d, l);
      }
    }
  }
  problem.set_weights();
}

template <int D>
void ContactSystem<D>::spread(const Rows& rows, int count, const double* impulses, double* to) {
  for (int k = 0; k < count; ++k) {
    const double* row = rows.data() + static_cast<std::ptrdiff_t>(k) * dofs;
    for (int j = 0; j < dofs; ++j) to[j] += impulses[k] * row[j];
  }
}

template <int D>
void ContactSystem<D>::add_impulse(int c, const double* impulses, Eigen::VectorXd& p) const {
  const int a = body_a_[c], b = body_b_[c];
  if (a > 0) spread(rows_[c].on_a, rows_[c].count, impulses, p.data() + static_cast<std::ptrdiff_t>(dofs) * (a - 1));
  if (b > 0) spread(rows_[c].on_b, rows_[c].count, impulses, p.data() + static_cast<std::ptrdiff_t>(dofs) * (b - 1));
}

template <int D>
void ContactSystem<D>::add_response(int c, const double* impulses, Eigen::VectorXd& x) const {
  const int count = rows_[c].count;
  if (first_column_[c] >= 0) {
    x.noalias() +=
        columns_.block(0, first_column_[c], x.size(), count) * Eigen::Map<const Eigen::VectorXd>(impulses, count);
    return;
  }
  const int a = body_a_[c], b = body_b_[c];
  if (a > 0) spread(change_a_[c], count, impulses, x.data() + static_cast<std::ptrdiff_t>(dofs) * (a - 1));
  if (b > 0) spread(change_b_[c], count, impulses, x.data() + static_cast<std::ptrdiff_t>(dofs) * (b - 1));
}

template <int D>
double ContactSystem<D>::work_of_response(int c, const double* impulses, const Eigen::VectorXd& load) const {
  double work = 0;
  const auto add = [&](int body, const Rows& changes) {
    if (body == 0) return;
    const auto own = load.segment<dofs>(dofs * (body - 1));
    for (int k = 0; k < rows_[c].count; ++k) work += impulses[k] * changes.row(k).dot(own);
  };
  if (first_column_[c] >= 0) {
    for (int k = 0; k < rows_[c].count; ++k)
      work += impulses[k] * columns_.col(first_column_[c] + k).head(load.size()).dot(load);
  } else {
    add(body_a_[c], change_a_[c]);
    add(body_b_[c], change_b_[c]);
  }
  return work;
}

template <int D>
VectorOf<D> ContactSystem<D>::world(int c, const double* impulses) const {
  const ContactRows<D>& rows = rows_[c];
  VectorOf<D> sum = impulses[0] * rows.frame.col(0);
  if (laws_[c]->friction > 0) {
    for (int k = 1; k < D; ++k) sum += impulses[k] * rows.frame.col(k);
  }
  return sum;
}

template class ContactSystem<2>;
template class ContactSystem<3>;

}  // namespace carom::inline nonsmooth_integrators
