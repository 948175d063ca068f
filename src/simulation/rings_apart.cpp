#include "simulation/rings_apart.h"

#include <cmath>
#include <memory>

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

// Of a body along the axis of the outer ring, N, where it would still be there the distance further; else nothing.
double load_without_hold(System& system, const State& state, const AttachmentPair& rings, int body, double distance) {
  constexpr double noticeable = 1e-6;  // of the load on the body, whatever its direction
  Bodies<3> bodies(static_cast<std::size_t>(state.q.size() / 7) + 1);
  system.spatial()->place(state.q.data(), state.v.data(), bodies);
  const Eigen::Vector3d axis = bodies[rings.at[0].body].orientation.matrix() * rings.at[0].frame.col(2);
  Eigen::VectorXd along = Eigen::VectorXd::Zero(state.v.size()), load = along;
  const Eigen::Index first = 6 * (body - 1);
  along.segment<3>(first) = axis;
  if ((system.constraint_jacobian(state.t, state.q.data()) * along).norm() > 1e-9) return 0;
  system.loads(state.t, state.q.data(), state.v.data(), load);
  const double here = load.dot(along), size = load.segment<6>(first).norm();
  if (std::abs(here) <= noticeable * size) return 0;
  State further = state;
  further.q.segment<3>(7 * (body - 1)) += (here > 0 ? distance : -distance) * axis;
  system.loads(further.t, further.q.data(), further.v.data(), load);
  return load.dot(along) / here > 0.5 ? std::abs(here) : 0;
}

}  // namespace

std::vector<std::string> rings_apart(const Model& model, System& system, const State& state) {
  std::vector<std::string> found;
  BodySystem<3>* const spatial = system.spatial();
  if (!spatial || !state.q.allFinite()) return found;
  Bodies<3> bodies(static_cast<std::size_t>(state.q.size() / 7) + 1);
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

std::vector<std::string> loads_without_hold(const Model& model, const State& state) {
  std::vector<std::string> found;
  std::unique_ptr<System> system;
  for (const BearingModel& bearing : model.bearings) {
    const Settings& settings = bearing.element.settings;
    if (model.planar || !bearing.is_element) continue;
    const RollingGeometry geometry = stated_geometry(settings);
    if (geometry.type != BearingType::cylindrical_roller && geometry.type != BearingType::needle) continue;
    if (!system) system = System::create(model);
    const AttachmentPair rings = attach_rings(model, settings);
    const int body = rings.at[1].body > 0 ? rings.at[1].body : rings.at[0].body;
    const double load = load_without_hold(*system, state, rings, body, geometry.length / 2);
    if (load == 0) continue;
    found.push_back(
        fmt::format("{:.3g} N act on body {} along the axis of bearing.{}, and nothing holds it that way: {}, or hold "
                    "the body along the axis by another bearing or a joint",
                    load, body_at(model, body).name, bearing.element.name, remedy_of(geometry)));
  }
  return found;
}

}  // namespace carom::inline simulation
