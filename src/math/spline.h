#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/expression.h"

namespace carom::inline math {

enum class Interpolation { linear, cubic };

// Why the points cannot be interpolated ("x must increase: …"), or "": there must be one or more, as many abscissae as
// ordinates, all finite, the abscissae strictly increasing.
std::string table_error(std::span<const double> x, std::span<const double> y);

// A piecewise polynomial on non-uniform knots, with a polynomial of its own before the first and after the last knot.
// Value, slope and curvature are exact; antiderivatives are again piecewise polynomials, in closed form.
//
// Convention at a knot: the piece on its right; at the last knot the piece on its left, which belongs to the table.
class Spline {
 public:
  // Interpolates the points, linearly or by the natural cubic spline (no curvature at the ends). Outside the table the
  // value of its nearer end is held. Throws std::invalid_argument with table_error's text if the points are unsound.
  static Spline through(std::vector<double> x, std::span<const double> y, Interpolation interpolation);

  // slope · (x − at) + value, everywhere.
  static Spline line(double at, double value, double slope);

  double value(double x) const;
  Jet derivatives(double x) const;

  // F(x) = initial_value + ∫ from `from` to x, for all x.
  Spline antiderivative(double from, double initial_value) const;

  std::span<const double> knots() const { return knots_; }
  std::vector<double> ordinates() const;  // at the knots, of the pieces on their right

  // Knots where the first or second derivative jumps.
  std::vector<double> breakpoints() const;

 private:
  Spline(std::vector<double> knots, int degree);
  std::size_t piece_at(double x) const;
  double origin(std::size_t piece) const;
  Jet evaluate(std::size_t piece, double x) const;

  // Piece 0 lies before the first knot, piece k between knots k − 1 and k, the last piece after the last knot. Each is
  // a polynomial in x − origin, its origin being the knot on its left (piece 0: the first knot).
  std::vector<double> knots_;
  int degree_;
  std::vector<double> coefficients_;  // degree_ + 1 per piece, constant term first
};

}  // namespace carom::inline math
