#include "control/signal_history.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom::inline control {
namespace {

constexpr std::size_t kept_when_cleared = 4096;  // forgotten pieces, before the list is made shorter

// Barycentric weights of the extrema of a Chebyshev polynomial: 1, −1, 1, …, half at both ends.
double weight(int k) {
  return (k % 2 == 0 ? 1 : -1) * (k == 0 || k == SignalHistory::nodes - 1 ? 0.5 : 1);
}

}  // namespace

double SignalHistory::node(int k) {
  return 0.5 * (1 - std::cos(std::numbers::pi * k / (nodes - 1)));
}

void SignalHistory::append(double begin, double end, const double* values) {
  if (!(end > begin)) return;
  Piece piece{begin, end, {}};
  std::copy_n(values, nodes, piece.values);
  pieces_.push_back(piece);
}

double SignalHistory::at(double t, double before) const {
  if (first_ == pieces_.size() || t < pieces_[first_].begin) return before;
  // The last piece that begins no later.
  const auto next = std::upper_bound(pieces_.begin() + static_cast<std::ptrdiff_t>(first_), pieces_.end(), t,
                                     [](double at, const Piece& piece) { return at < piece.begin; });
  const Piece& piece = *(next - 1);
  const double x = (std::min(t, piece.end) - piece.begin) / (piece.end - piece.begin);
  double above = 0, below = 0;
  for (int k = 0; k < nodes; ++k) {
    const double distance = x - node(k);
    if (distance == 0) return piece.values[k];
    const double share = weight(k) / distance;
    above += share * piece.values[k], below += share;
  }
  return above / below;
}

void SignalHistory::forget_until(double t) {
  while (first_ + 1 < pieces_.size() && pieces_[first_].end < t) ++first_;
  if (first_ < kept_when_cleared) return;
  pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
}

}  // namespace carom::inline control
