#include "integrators/nonsmooth/hole_landings.h"

#include <algorithm>

#include "math/nearest_in_ball.h"

namespace carom::inline nonsmooth_integrators {
namespace {

constexpr int max_iterations = 100;       // over the multipliers, to find their directions
constexpr double settled_landing = 1e-9;  // of the clearance
constexpr double same_direction = 1e-7;   // rad: multipliers that have turned by less keep the compliance

}  // namespace

template <int D>
void HoleLandings<D>::find(const std::vector<NonsmoothContact<D>>& pressed, const Bodies<D>& bodies,
                           const ContactSet<D>& contacts, ContactSystem<D>& system, KktSolver* constrained) {
  holes_.clear();
  centres_.clear();
  for (std::size_t c = 0; c < pressed.size(); ++c) {
    const auto clearance = contacts.nonsmooth_clearance(pressed[c].point, bodies);
    if (!clearance) continue;
    holes_.push_back({.contact = static_cast<int>(c), .clearance = *clearance});
    centres_.push_back(pressed[c]);
    centres_.back().lever_a += clearance->radius_a * pressed[c].normal;
    centres_.back().lever_b += clearance->radius_b * pressed[c].normal;
  }
  if (holes_.empty()) return;
  system.compliance(centres_, bodies, constrained, response_);
  for (std::size_t k = 0; k < holes_.size(); ++k) {
    // Nothing acts along the axis of a bore.
    const VectorOf<D>& axis = holes_[k].clearance.axis;
    auto rows = response_.middleRows<D>(D * k);
    rows -= (axis * (axis.transpose() * rows)).eval();
    auto columns = response_.middleCols<D>(D * k);
    columns -= ((columns * axis) * axis.transpose()).eval();
  }
}

template <int D>
bool HoleLandings<D>::aim(const std::vector<double>& multipliers, const ContactSystem<D>& system,
                          std::vector<NonsmoothContact<D>>& now_closed, std::vector<NonsmoothContact<D>>& directions) {
  for (Hole& each : holes_) {
    const NonsmoothContact<D>& now = now_closed[each.contact];
    each.multiplier = multipliers[system.first_row(each.contact)] * directions[each.contact].normal;
    each.landing = -(each.clearance.clearance - now.gap) * now.normal;
  }
  for (std::size_t k = 0; k < holes_.size(); ++k) {
    holes_[k].unloaded = holes_[k].landing;
    for (std::size_t l = 0; l < holes_.size(); ++l) holes_[k].unloaded -= response(k, l) * holes_[l].multiplier;
  }
  land();
  bool turned_away = false;
  for (std::size_t k = 0; k < holes_.size(); ++k) {
    const Hole& each = holes_[k];
    NonsmoothContact<D>&now = now_closed[each.contact], &direction = directions[each.contact];
    if (each.multiplier.isZero(0)) continue;  // it will be open
    const VectorOf<D> apart = -(each.clearance.clearance - now.gap) * now.normal;
    turned_away = turned_away || (direction.normal + each.landing.normalized()).norm() > same_direction;
    direction = centres_[k];
    direction.normal = -each.landing.normalized();
    direction.lever_a -= each.clearance.radius_a * direction.normal;
    direction.lever_b -= each.clearance.radius_b * direction.normal;
    const VectorOf<D> turned = direction.normal - now.normal;
    now.gap = each.clearance.clearance + direction.normal.dot(apart);
    now.normal = direction.normal;
    now.lever_a -= each.clearance.radius_a * turned;
    now.lever_b -= each.clearance.radius_b * turned;
  }
  return turned_away;
}

// Each in turn, the multipliers of the others given.
template <int D>
void HoleLandings<D>::land() {
  for (int iterate_once = 0; iterate_once < max_iterations; ++iterate_once) {
    double moved = 0;
    for (std::size_t k = 0; k < holes_.size(); ++k) {
      Hole& each = holes_[k];
      VectorOf<D> start = each.unloaded;
      for (std::size_t l = 0; l < holes_.size(); ++l) {
        if (l != k) start += response(k, l) * holes_[l].multiplier;
      }
      const auto nearest = nearest_in_ball<D>(response(k, k), start, each.clearance.clearance);
      moved = std::max(moved, (nearest.point - each.landing).norm() / each.clearance.clearance);
      each.landing = nearest.point, each.multiplier = nearest.reaction();
    }
    if (holes_.size() == 1 || moved < settled_landing) return;
  }
}

template class HoleLandings<2>;
template class HoleLandings<3>;

}  // namespace carom::inline nonsmooth_integrators
