#pragma once

#include <vector>

#include <Eigen/Core>

#include "impact/contact_problem.h"

namespace carom::inline impact {

// A contact problem by blocks: B rows for each contact, of which those that it has not stay zero. Rows are scaled by
// the roots of their weights,
//   λ = s x,  u ← s u,  W ← s W s,  b ← s b,  s = √w,
// so that the metric of x is that of the energy, and every weight is one. Only blocks of W that are not zero are kept:
// in heaps a contact acts on few others. Nothing is allocated once the largest problem has been seen.
template <int B>
class ContactBlocks {
 public:
  using Block = Eigen::Matrix<double, B, B>;
  using Vector = Eigen::Matrix<double, B, 1>;
  using Vectors = std::vector<Vector>;

  // Rows of a contact that its normal impulse, row 0, bounds.
  struct Ball {
    int contact = 0;
    int first = 1, size = 0;
    double radius = 0;  // of scaled rows, > 0
  };
  struct Contact {
    int first_ball = 0, balls = 0;
    bool bilateral = false;
    int diagonal = 0;  // its own block
  };

  static bool fits(const ContactProblem& problem);
  void gather(const ContactProblem& problem);

  int size() const { return static_cast<int>(contacts.size()); }
  static double length(const Ball& ball, const Vector& v) { return norm_of(v.data() + ball.first, ball.size); }
  // u_c = Σ W_cd x_d + b_c
  Vector velocity(int c, const Vectors& x) const {
    Vector sum = free[c];
    for (int k = first[c]; k < first[c + 1]; ++k) sum.noalias() += delassus[k] * x[columns[k]];
    return sum;
  }
  void from_impulses(const std::vector<double>& impulses, Vectors& x) const;
  void to_impulses(const Vectors& x, std::vector<double>& impulses) const;
  // u of the problem, from the impulses and from u in scaled rows.
  void to_velocities(const ContactProblem& problem, const Vectors& u, const std::vector<double>& impulses,
                     std::vector<double>& velocities) const;
  // The largest |f|/s of a normal row or a ball.
  double largest_velocity(const Vectors& f) const;

  std::vector<Contact> contacts;
  std::vector<Ball> balls;
  std::vector<int> first, columns;  // of the blocks, by contact
  std::vector<Block> delassus;
  Vectors free;          // b
  double free_size = 0;  // |b|

 private:
  struct Place {
    int row = -1;  // of the problem; −1: none
    double scale = 0;
  };
  void take_contacts(const ContactProblem& problem);
  void take_pattern(const ContactProblem& problem);
  void make_symmetric();

  std::vector<Place> places_;    // B for each contact
  std::vector<int> contact_of_;  // by row of the problem; −1: its impulse is zero
  std::vector<int> local_;       // row within its contact
  std::vector<int> seen_, turned_first_, turned_, joined_;
  int rows_ = 0;
};

extern template class ContactBlocks<2>;
extern template class ContactBlocks<3>;
extern template class ContactBlocks<6>;

// How far x is from solving the problem, by the projections of Alart and Curnier in scaled rows (see natural_map.h).
template <int B>
class BlockResidual {
 public:
  using Vector = typename ContactBlocks<B>::Vector;
  enum class Law : char { open, stick, slip };

  // Fills u, F and the laws. Returns |F|.
  double evaluate(const ContactBlocks<B>& blocks, const std::vector<Vector>& x);
  // Of |F|: what the natural map divides by, and the smaller one of that and |b|, by which Coulomb's law does.
  double natural_scale = 0, scale = 0;

  std::vector<Vector> u, f;
  std::vector<Law> laws;  // of contacts without balls and of balls: of contact c from place c on, then of the balls
  bool same_laws(const std::vector<Law>& others) const { return laws == others; }
};

extern template class BlockResidual<2>;
extern template class BlockResidual<3>;
extern template class BlockResidual<6>;

}  // namespace carom::inline impact
