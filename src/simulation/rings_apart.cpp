#include "simulation/rings_apart.h"

#include <cmath>

#include <fmt/format.h>

#include "bearings/geometry.h"
#include "dynamics/body_system.h"
#include "model/ring_frames.h"

namespace carom::inline simulation {
namespace {

// By which the inner ring stands along the axis of the outer one, m.
double axial_shift(const AttachmentPair& rings, const Bodies<3>& bodies) {
  const auto& [outer, inner] = rings.at;
  const BodyState<3>&first = bodies[outer.body], &second = bodies[inner.body];
  const Eigen::Vector3d apart = second.position + second.lever(inner.point) - first.position - first.lever(outer.point);
  return apart.dot(first.orientation.matrix() * outer.frame.col(2));
}

std::string remedy_of(const RollingGeometry& geometry) {
  if (geometry.type == BearingType::cylindrical_roller)
    return "take one with ribs that hold it that way (NJ, NUP, or `ribs`)";
  if (geometry.type == BearingType::needle) return "needles bear no load along the axis: take another type";
  return "a row with a contact angle bears loads one way: turn the bearing round, or take two that face each other";
}

}  // namespace

std::vector<std::string> rings_apart(const Model& model, System& system, const State& state) {
  std::vector<std::string> found;
  BodySystem<3>* const spatial = system.spatial();
  if (!spatial) return found;
  Bodies<3> bodies(model.bodies.size() + 1);
  spatial->place(state.q.data(), state.v.data(), bodies);
  for (const BearingModel& bearing : model.bearings) {
    if (!bearing.is_element) continue;
    const Settings& settings = bearing.element.settings;
    const RollingGeometry geometry = stated_geometry(settings);
    const double moved = axial_shift(attach_rings(model, settings), bodies);
    const double most = (geometry.balls() ? geometry.element_diameter : geometry.length) / 2;
    if (!(std::abs(moved) > most)) continue;
    found.push_back(
        fmt::format("the inner ring of bearing.{} has moved by {:.3g} m along its axis, off its {}, and nothing has "
                    "held it: {}, or hold the shaft along its axis by another bearing or a joint",
                    bearing.element.name, moved, geometry.balls() ? "balls" : "rollers", remedy_of(geometry)));
  }
  return found;
}

}  // namespace carom::inline simulation
