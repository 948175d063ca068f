#include "impact/contact_blocks.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace carom::inline impact {
namespace {

// Rows of a contact that can be other than zero.
int live_rows(const ContactProblem& problem, const ProblemContact& contact) {
  int rows = 1;
  for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b)
    rows += problem.balls[b].radius > 0 ? problem.balls[b].size : 0;
  return rows;
}

}  // namespace

template <int B>
bool ContactBlocks<B>::fits(const ContactProblem& problem) {
  return std::all_of(problem.contacts.begin(), problem.contacts.end(),
                     [&](const ProblemContact& contact) { return live_rows(problem, contact) <= B; });
}

template <int B>
void ContactBlocks<B>::take_contacts(const ContactProblem& problem) {
  rows_ = problem.rows;
  contacts.clear(), balls.clear(), places_.clear();
  contact_of_.assign(problem.rows, -1), local_.assign(problem.rows, 0);
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ProblemContact& contact = problem.contacts[c];
    const auto index = static_cast<int>(c);
    int next = 0;
    const auto take = [&](int row, double weight) {
      contact_of_[row] = index, local_[row] = next++;
      places_.push_back({row, std::sqrt(weight)});
    };
    contacts.push_back({static_cast<int>(balls.size()), 0, contact.bilateral, 0});
    take(contact.row, contact.weight);
    for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
      const FrictionBall& ball = problem.balls[b];
      if (!(ball.radius > 0)) continue;
      balls.push_back({index, next, ball.size, ball.radius * std::sqrt(contact.weight / ball.weight)});
      ++contacts.back().balls;
      for (int k = ball.row; k < ball.row + ball.size; ++k) take(k, ball.weight);
    }
    places_.resize(B * (c + 1));
  }
}

template <int B>
void ContactBlocks<B>::take_pattern(const ContactProblem& problem) {
  const int n = size();
  first.assign(1, 0);
  columns.clear();
  seen_.assign(n, -1);
  for (int c = 0; c < n; ++c) {
    const auto begin = static_cast<std::ptrdiff_t>(columns.size());
    const auto take = [&](int other) {
      if (other < 0 || seen_[other] == c) return;
      seen_[other] = c;
      columns.push_back(other);
    };
    take(c);
    for (int k = 0; k < B; ++k) {
      const int row = places_[B * c + k].row;
      if (row < 0) continue;
      const double* w = problem.delassus_row(row);
      for (int j = 0; j < problem.rows; ++j) {
        if (w[j] != 0) take(contact_of_[j]);
      }
    }
    std::sort(columns.begin() + begin, columns.end());
    first.push_back(static_cast<int>(columns.size()));
  }
}

// Where W has (c, d) and not (d, c), both are taken.
template <int B>
void ContactBlocks<B>::make_symmetric() {
  const int n = size();
  turned_first_.assign(n + 1, 0);
  for (const int column : columns) ++turned_first_[column + 1];
  for (int c = 0; c < n; ++c) turned_first_[c + 1] += turned_first_[c];
  turned_.resize(columns.size());
  seen_.assign(turned_first_.begin(), turned_first_.end() - 1);
  for (int c = 0; c < n; ++c) {
    for (int k = first[c]; k < first[c + 1]; ++k) turned_[seen_[columns[k]]++] = c;
  }
  if (turned_ == columns) return;
  joined_.clear();
  for (int c = 0; c < n; ++c) {
    const int begin = first[c];
    first[c] = static_cast<int>(joined_.size());
    std::set_union(columns.begin() + begin, columns.begin() + first[c + 1], turned_.begin() + turned_first_[c],
                   turned_.begin() + turned_first_[c + 1], std::back_inserter(joined_));
  }
  first[n] = static_cast<int>(joined_.size());
  columns.swap(joined_);
}

template <int B>
void ContactBlocks<B>::gather(const ContactProblem& problem) {
  take_contacts(problem);
  take_pattern(problem);
  make_symmetric();
  delassus.resize(columns.size());
  free.resize(size());
  double square = 0;
  for (int c = 0; c < size(); ++c) {
    for (int k = first[c]; k < first[c + 1]; ++k) {
      if (columns[k] == c) contacts[c].diagonal = k;
      for (int i = 0; i < B; ++i) {
        const Place& row = places_[B * c + i];
        for (int j = 0; j < B; ++j) {
          const Place& column = places_[B * columns[k] + j];
          const bool none = row.row < 0 || column.row < 0;
          delassus[k](i, j) = none ? 0 : row.scale * problem.delassus_row(row.row)[column.row] * column.scale;
        }
      }
    }
    for (int i = 0; i < B; ++i) {
      const Place& row = places_[B * c + i];
      free[c][i] = row.row < 0 ? 0 : row.scale * problem.offset[row.row];
    }
    square += free[c].squaredNorm();
  }
  free_size = std::sqrt(square);
}

template <int B>
void ContactBlocks<B>::from_impulses(const std::vector<double>& impulses, Vectors& x) const {
  x.resize(size());
  for (int c = 0; c < size(); ++c) {
    for (int i = 0; i < B; ++i) {
      const Place& place = places_[B * c + i];
      x[c][i] = place.row < 0 ? 0 : impulses[place.row] / place.scale;
    }
  }
}

template <int B>
void ContactBlocks<B>::to_impulses(const Vectors& x, std::vector<double>& impulses) const {
  impulses.assign(rows_, 0.0);
  for (int c = 0; c < size(); ++c) {
    for (int i = 0; i < B; ++i) {
      const Place& place = places_[B * c + i];
      if (place.row >= 0) impulses[place.row] = x[c][i] * place.scale;
    }
  }
}

template <int B>
void ContactBlocks<B>::to_velocities(const ContactProblem& problem, const Vectors& u,
                                     const std::vector<double>& impulses, std::vector<double>& velocities) const {
  velocities.resize(rows_);
  for (int row = 0; row < rows_; ++row) {
    const int c = contact_of_[row];
    if (c >= 0) {
      velocities[row] = u[c][local_[row]] / places_[B * c + local_[row]].scale;
      continue;
    }
    velocities[row] = problem.offset[row];
    for (int j = 0; j < rows_; ++j) velocities[row] += problem.delassus_row(row)[j] * impulses[j];
  }
}

template <int B>
double ContactBlocks<B>::largest_velocity(const Vectors& f) const {
  double largest = 0;
  for (int c = 0; c < size(); ++c) {
    largest = std::max(largest, std::abs(f[c][0]) / places_[B * c].scale);
    for (int b = contacts[c].first_ball; b < contacts[c].first_ball + contacts[c].balls; ++b)
      largest = std::max(largest, length(balls[b], f[c]) / places_[B * c + balls[b].first].scale);
  }
  return largest;
}

template <int B>
double BlockResidual<B>::evaluate(const ContactBlocks<B>& blocks, const std::vector<Vector>& x) {
  const int n = blocks.size();
  u.resize(n), f.resize(n);
  laws.resize(n + blocks.balls.size());
  double total = 0, square = 0;
  for (int c = 0; c < n; ++c) {
    const auto& contact = blocks.contacts[c];
    u[c] = blocks.velocity(c, x);
    const double sigma = x[c][0] - u[c][0];
    const bool open = sigma < 0 && !contact.bilateral;
    laws[c] = open ? Law::open : Law::stick;
    f[c] = open ? x[c] : u[c];
    square += std::max(x[c][0] * x[c][0], sigma * sigma);
    for (int b = contact.first_ball; b < contact.first_ball + contact.balls; ++b) {
      const auto& ball = blocks.balls[b];
      laws[n + b] = laws[c];
      if (open) continue;
      const Vector trial = x[c] - u[c];
      const double size = blocks.length(ball, trial), bound = ball.radius * std::max(0.0, sigma);
      if (size < bound) continue;
      laws[n + b] = Law::slip;
      const double shrink = size > 0 ? bound / size : 0;
      for (int k = ball.first; k < ball.first + ball.size; ++k) f[c][k] = x[c][k] - shrink * trial[k];
    }
    total += f[c].squaredNorm();
  }
  natural_scale = std::sqrt(square);
  scale = std::min(natural_scale, blocks.free_size);
  return std::sqrt(total);
}

template class ContactBlocks<2>;
template class ContactBlocks<3>;
template class ContactBlocks<6>;
template class BlockResidual<2>;
template class BlockResidual<3>;
template class BlockResidual<6>;

}  // namespace carom::inline impact
