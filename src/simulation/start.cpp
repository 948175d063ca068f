#include "simulation/start.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "base/problem.h"
#include "bearings/balls_as_bodies.h"
#include "model/attachment.h"
#include "model/bearing_start.h"
#include "model/ring_frames.h"

namespace carom::inline simulation {
namespace {

// The model with its clearance joints made ideal, and bearings made hinges; none when it has nothing of the kind.
std::optional<Model> with_ideal_joints(const Model& model) {
  const auto loose = [](const ElementModel& joint) { return joint.clearance.has_value(); };
  const auto has_balls_of_its_own = [](const BearingModel& bearing) { return !bearing.is_element; };
  if (std::none_of(model.joints.begin(), model.joints.end(), loose) &&
      std::none_of(model.bearings.begin(), model.bearings.end(), has_balls_of_its_own))
    return std::nullopt;
  Model ideal = model;
  for (ElementModel& joint : ideal.joints) joint.clearance.reset();
  for (const BearingModel& bearing : model.bearings) {
    if (bearing.is_element) continue;
    ElementModel hinge = bearing.element;
    hinge.type = "revolute";
    ideal.joints.push_back(std::move(hinge));
  }
  return ideal;
}

RollingState state_of_race(const Attachment& at, const State& state) {
  RollingState race;
  if (at.body == 0) {
    race.position = at.point.head<2>();
    return race;
  }
  const auto q = state.q.segment<3>(3 * (at.body - 1)), v = state.v.segment<3>(3 * (at.body - 1));
  const Eigen::Vector2d arm = Eigen::Rotation2Dd(q[2]) * at.point.head<2>();
  race.position = q.head<2>() + arm;
  race.velocity = v.head<2>() + v[2] * Eigen::Vector2d(-arm.y(), arm.x());
  race.angular_velocity = v[2];
  return race;
}

RaceStates states_of_races(const Model& model, const BearingModel& bearing, const State& state) {
  const AttachmentPair place = attach_pair(model, bearing.element.settings);
  return {.outer = state_of_race(place.at[0], state), .inner = state_of_race(place.at[1], state)};
}

RingState state_of_ring(const Attachment& at, const State& state) {
  RingState ring{.centre = at.point, .axes = at.frame};
  if (at.body == 0) return ring;
  const auto q = state.q.segment<7>(7 * (at.body - 1));
  const auto v = state.v.segment<6>(6 * (at.body - 1));
  const Eigen::Matrix3d turn = Eigen::Quaterniond(q[3], q[4], q[5], q[6]).toRotationMatrix();
  const Eigen::Vector3d arm = turn * at.point;
  ring.angular_velocity = turn * v.tail<3>();
  ring.centre = q.head<3>() + arm;
  ring.velocity = v.head<3>() + ring.angular_velocity.cross(arm);
  ring.axes = turn * at.frame;
  return ring;
}

RingStates states_of_rings(const Model& model, const BearingModel& bearing, const State& state) {
  const AttachmentPair place = attach_rings(model, bearing.element.settings);
  return {.outer = state_of_ring(place.at[0], state), .inner = state_of_ring(place.at[1], state)};
}

void place_balls_in_space(const Model& model, const BearingModel& bearing, State& state) {
  const RingStates rings = states_of_rings(model, bearing, state);
  const BallsBetweenRings between(rolling_geometry(model, bearing), bearing.rolling_start);
  const auto put = [&](int body, const PartState& part) {
    const Eigen::Quaterniond& turn = part.orientation;
    state.q.segment<7>(7 * (body - 1)) << part.position, turn.w(), turn.x(), turn.y(), turn.z();
    state.v.segment<6>(6 * (body - 1)) << part.velocity, turn.conjugate() * part.angular_velocity;
  };
  for (std::size_t k = 0; k < bearing.balls.size(); ++k)
    put(bearing.balls[k], between.ball(rings, static_cast<int>(k)));
  for (int row = 0; bearing.cage > 0 && row < between.rows(); ++row) put(bearing.cage + row, between.cage(rings, row));
}

// Balls and cages follow the races, wherever the assembly has put them and however fast they turn.
void place_balls(const Model& model, State& state) {
  for (const BearingModel& bearing : model.bearings) {
    if (bearing.is_element) continue;
    if (!model.planar) {
      place_balls_in_space(model, bearing, state);
      continue;
    }
    const RaceStates races = states_of_races(model, bearing, state);
    const auto put = [&](int body, const RollingState& part) {
      state.q.segment<2>(3 * (body - 1)) = part.position;
      state.v.segment<3>(3 * (body - 1)) << part.velocity, part.angular_velocity;
    };
    for (std::size_t k = 0; k < bearing.balls.size(); ++k)
      put(bearing.balls[k], start_of_ball(bearing, races, static_cast<int>(k)));
    if (bearing.cage > 0) put(bearing.cage, start_of_cage(bearing, races));
  }
}

// Rigid balls leave the inner race at most so far from the centre: it then lies on two of them. Elastic ones yield.
bool races_fit(const Model& model, const State& state, double tolerance) {
  const double yielding =
      model.solver.method == ContactMethod::compliant ? 1e-3 : 0;  // of a ball's radius, under heavy loads
  return std::all_of(model.bearings.begin(), model.bearings.end(), [&](const BearingModel& bearing) {
    if (bearing.is_element) return true;
    if (!model.planar) {
      const BallsBetweenRings between(rolling_geometry(model, bearing), bearing.rolling_start);
      return between.tightest(states_of_rings(model, bearing, state)) <= 5 * yielding * bearing.ball_radius + tolerance;
    }
    const RaceStates races = states_of_races(model, bearing, state);
    const double farthest =
        std::max(0.0, bearing.clearance()) / std::cos(M_PI / static_cast<double>(bearing.balls.size())) +
        yielding * bearing.ball_radius;
    return (races.inner.position - races.outer.position).norm() <= farthest + tolerance;
  });
}

// Whether joints are closed, and journals inside their bearings, where the file puts the bodies.
bool stands_in_its_play(System& system, const Model& model, const State& state) {
  constexpr double closed = 1e-9;  // of the typical length
  const double tolerance = closed * system.length_scale();
  Eigen::VectorXd residual;
  system.position_residual(state.t, state.q.data(), residual);
  if (residual.size() > 0 && !(residual.lpNorm<Eigen::Infinity>() <= tolerance)) return false;
  if (!races_fit(model, state, tolerance)) return false;
  ContactPoints& contacts = *system.contacts();
  contacts.refresh_contacts(state);
  std::vector<ContactReading> readings;
  contacts.read_contacts(state, readings);
  for (int k = 0; k < contacts.contact_points(); ++k) {
    if (contacts.contact_name(k).starts_with("joint:") && readings[k].penetration > tolerance) return false;
  }
  return true;
}

// Velocities are those of ideal joints; places, too, unless the file gives places that fit.
AssemblyReport assemble_as_ideal(System& system, const Model& model, const Model& ideal, State& state) {
  const auto tight = System::create(ideal);
  State start = tight->initial_state();
  AssemblyReport report = assemble(*tight, ideal, start);
  state.v = start.v;
  if (stands_in_its_play(system, model, state)) {
    system.project_velocity(state.t, state.q.data(), state.v.data());
  } else {
    state.q = start.q;
  }
  place_balls(model, state);
  report.redundant = system.redundant_rows(state.t, state.q.data());
  report.degrees_of_freedom =
      system.velocity_size() - system.active_constraints() + static_cast<int>(report.redundant.size());
  system.forget_turns(state.q.data());
  return report;
}

// Fixed steps must resolve an impact; how long one takes follows from the materials.
std::optional<std::string> advise_step(const ContactPoints& contacts, double step) {
  constexpr double steps_per_impact = 50, usual_speed = 1;  // m/s
  double shortest = std::numeric_limits<double>::infinity();
  std::string contact;
  for (int k = 0; k < contacts.contact_points(); ++k) {
    const double duration = contacts.impact_duration(k, usual_speed);
    if (duration < shortest) shortest = duration, contact = contacts.contact_name(k);
  }
  if (!(step > shortest / steps_per_impact)) return std::nullopt;
  return fmt::format(
      "an impact at {:g} m/s in {} lasts {:.3g} s; a fixed step should not exceed {:.2g} s, it is {:g} s", usual_speed,
      contact, shortest, shortest / steps_per_impact, step);
}

}  // namespace

AssemblyReport assemble_start(System& system, const Model& model, State& state) {
  state = system.initial_state();
  const auto ideal = with_ideal_joints(model);
  AssemblyReport report = ideal ? assemble_as_ideal(system, model, *ideal, state) : assemble(system, model, state);
  if (!report.assembled) {
    ProblemList problems;
    problems.add(Problem{.file = model.file,
                         .where = {},
                         .key = "joint",
                         .found = unassemblable_message(report),
                         .expected = "a configuration in which all joints close",
                         .remedy = "correct the positions, points or lengths of the joints named"});
    throw InputError(problems);
  }
  return report;
}

std::vector<std::string> assembly_warnings(const AssemblyReport& report) {
  std::vector<std::string> warnings;
  if (!report.warning.empty()) warnings.push_back(report.warning);
  if (!report.redundant.empty()) {
    warnings.push_back(
        fmt::format("{} redundant constraint row{}: {}; the motion is unique, the reactions of the joints in these "
                    "loops are one choice of many",
                    report.redundant.size(), report.redundant.size() == 1 ? "" : "s", list_rows(report.redundant)));
  }
  return warnings;
}

std::string list_rows(const std::vector<RedundantRow>& rows) {
  std::string names;
  for (const RedundantRow& row : rows)
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", row.joint, row.what);
  return names;
}

void refuse_overlaps(const Model& model, const std::vector<InitialOverlap>& overlaps) {
  ProblemList problems;
  constexpr std::size_t most_named = 10;
  if (overlaps.size() > most_named) {
    std::vector<InitialOverlap> deepest(3);
    std::partial_sort_copy(
        overlaps.begin(), overlaps.end(), deepest.begin(), deepest.end(),
        [](const InitialOverlap& a, const InitialOverlap& b) { return a.penetration > b.penetration; });
    problems.add(Problem{
        .file = model.file,
        .where = {},
        .key = deepest.front().contact,
        .found = fmt::format("bodies that lie {:.4g} m deep in each other at the start, as do those of {} other "
                             "contacts, such as {} and {}",
                             deepest.front().penetration, overlaps.size() - 1, deepest[1].contact, deepest[2].contact),
        .expected = fmt::format("no overlap beyond penetration_tolerance = {:g} m", model.solver.penetration_tolerance),
        .remedy = "move them apart, or set allow_initial_penetration = true in the pairs"});
    throw InputError(problems);
  }
  for (const InitialOverlap& overlap : overlaps) {
    problems.add(Problem{
        .file = model.file,
        .where = {},
        .key = overlap.contact,
        .found = fmt::format("bodies that lie {:.4g} m deep in each other at the start", overlap.penetration),
        .expected = fmt::format("no overlap beyond penetration_tolerance = {:g} m", model.solver.penetration_tolerance),
        .remedy = "move them apart, or set allow_initial_penetration = true in the pair"});
  }
  if (problems.errors() > 0) throw InputError(problems);
}

double fitting_step(const SolverSettings& settings, double interval) {
  double step = settings.step > 0 ? settings.step : std::min(1e-3, (settings.end - settings.start) / 1000);
  if (settings.max_step > 0) step = std::min(step, settings.max_step);
  return interval > step ? interval / std::ceil(interval / step - 1e-9) : step;
}

std::vector<std::string> contact_warnings(const ContactPoints& contacts, const SolverSettings& settings) {
  std::vector<std::string> warnings = contacts.contact_remarks();
  const auto add = [&](const std::optional<std::string>& warning) {
    if (warning) warnings.push_back(*warning);
  };
  if (settings.step > 0) add(advise_step(contacts, settings.step));
  return warnings;
}

}  // namespace carom::inline simulation
