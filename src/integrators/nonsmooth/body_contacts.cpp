#include "integrators/nonsmooth/body_contacts.h"

#include <algorithm>

namespace carom::inline nonsmooth_integrators {
namespace {

constexpr std::size_t many_contacts = 30, many_bouncing = 500;
constexpr std::size_t most_constrained = 64;  // bodies whose inverse masses are kept as one matrix
constexpr double fixed_share = 1e-9;          // of the inverse mass of a free body: it is driven
// Islands that are small enough to be assembled, if they are settled at the tolerance, and if they are not.
constexpr int most_rows = 90, most_rows_unsettled = 300;
constexpr double deep_in_hole = 0.1;    // of the clearance
constexpr int few_contacts = 10;        // of an island that is solved exactly where the rest is solved roughly
constexpr double settled_share = 1e-6;  // of the tolerance: nothing is left to do

// The first column of triad_about.
Eigen::Vector3d tangent_of(const Eigen::Vector3d& normal) {
  const Eigen::Vector3d z = normal.normalized(), size = z.cwiseAbs();
  if (size.x() <= size.y() && size.x() <= size.z()) return Eigen::Vector3d(0, -z.z(), z.y()).normalized();
  if (size.y() <= size.z()) return Eigen::Vector3d(z.z(), 0, -z.x()).normalized();
  return Eigen::Vector3d(-z.y(), z.x(), 0).normalized();
}

}  // namespace

template <int D>
BodyContacts<D>::BodyContacts(StepContext<D>& context, Mechanism<D>& mechanism)
    : context_(context), mechanism_(mechanism) {
  const std::vector<bool> constrained = context.system.constrained_bodies();
  for (std::size_t b = 0; b < constrained.size(); ++b) {
    if (constrained[b]) constrained_bodies_.push_back(static_cast<int>(b));
  }
  right_.setZero(context.nv + context.rows);
}

// Impacts that bounce are passed on in small problems, for which Gauss–Seidel iterations are no gain.
template <int D>
bool BodyContacts<D>::takes(const std::vector<NonsmoothContact<D>>& contacts, const Bodies<D>& smooth) const {
  if (context_.contact_form == ContactForm::assembled || contacts.empty() ||
      constrained_bodies_.size() > most_constrained || has_play(contacts, smooth))
    return false;
  if (context_.contact_form == ContactForm::by_bodies) return true;
  if (contacts.size() <= many_contacts) return false;
  return contacts.size() > many_bouncing || !context_.sequential ||
         std::none_of(contacts.begin(), contacts.end(), [&](const NonsmoothContact<D>& contact) {
           return context_.contacts.nonsmooth_law(contact.law).restitution > 0;
         });
}

// In the hole of a mechanism's joint, or where a step is long for the clearance, the multiplier must find its direction
// together with its size.
template <int D>
bool BodyContacts<D>::has_play(const std::vector<NonsmoothContact<D>>& contacts, const Bodies<D>& smooth) const {
  return std::any_of(contacts.begin(), contacts.end(), [&](const NonsmoothContact<D>& contact) {
    if (!context_.constrained && !(-contact.gap > deep_in_hole * context_.gap_scale)) return false;
    const auto clearance = context_.contacts.nonsmooth_clearance(contact.point, smooth);
    return clearance && (context_.constrained || -contact.gap > deep_in_hole * clearance->clearance);
  });
}

template <int D>
void BodyContacts<D>::set_velocities(const Bodies<D>& bodies, const Eigen::VectorXd& v) {
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    problem.bodies[b].velocity = v.segment<D>(dofs * (b - 1));
    problem.bodies[b].angular_velocity =
        bodies[b].orientation.angular_to_world(AngularOf<D>(v.segment<Space<D>::rotational_dofs>(dofs * (b - 1) + D)));
  }
}

template <int D>
void BodyContacts<D>::take_velocities(const Bodies<D>& bodies, Eigen::VectorXd& v) const {
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    v.segment<D>(dofs * (b - 1)) = problem.bodies[b].velocity;
    v.segment<Space<D>::rotational_dofs>(dofs * (b - 1) + D) =
        bodies[b].orientation.angular_to_body(problem.bodies[b].angular_velocity);
  }
}

// What does not turn along with the bodies.
template <int D>
void BodyContacts<D>::set_inertia(std::size_t bodies) {
  problem.bodies.resize(bodies);
  oriented_bodies_.clear();
  for (std::size_t b = 1; b < bodies; ++b) {
    const BodyInertia<D>& inertia = context_.system.inertia()[b - 1];
    ProblemBody<D>& body = problem.bodies[b];
    body.inverse_mass = inertia.inverse_mass;
    body.is_round = is_isotropic(inertia);
    body.inverse_inertia = inertia.inverse_tensor;
    if (D == 3 && !body.is_round) oriented_bodies_.push_back(static_cast<int>(b));
  }
}

template <int D>
void BodyContacts<D>::place(const Bodies<D>& bodies) {
  problem.clear();
  // Those of constrained bodies are lost below.
  if (problem.bodies.size() != bodies.size() || context_.constrained) set_inertia(bodies.size());
  if constexpr (D == 3) {
    for (const int b : oriented_bodies_) {
      const Eigen::Matrix3d& turn = bodies[b].orientation.matrix();
      problem.bodies[b].inverse_inertia.noalias() =
          turn * context_.system.inertia()[b - 1].inverse_tensor * turn.transpose();
    }
  }
  if (context_.constrained) find_constrained_response(bodies);
}

// Velocities of the constrained bodies after unit impulses and moments in world axes, by the matrix of the problem at
// hand.
template <int D>
void BodyContacts<D>::find_constrained_response(const Bodies<D>& bodies) {
  constexpr int rotational_dofs = Space<D>::rotational_dofs;
  const auto count = static_cast<int>(constrained_bodies_.size());
  Eigen::MatrixXd& response = constrained_response_;
  response.resize(dofs * count, dofs * count);
  for (int column = 0; column < dofs * count; ++column) {
    const int loaded = constrained_bodies_[column / dofs], k = column % dofs;
    right_.setZero();
    auto own = right_.segment<dofs>(dofs * (loaded - 1));
    if (k < D) {
      own[k] = 1;
    } else {
      own.template tail<rotational_dofs>() =
          bodies[loaded].orientation.angular_to_body(AngularOf<D>(AngularOf<D>::Unit(k - D)));
    }
    mechanism_.solve(right_);
    for (int row = 0; row < count; ++row) {
      const auto moved = right_.segment<dofs>(dofs * (constrained_bodies_[row] - 1));
      response.block<D, 1>(dofs * row, column) = moved.template head<D>();
      response.block<rotational_dofs, 1>(dofs * row + D, column) =
          bodies[constrained_bodies_[row]].orientation.angular_to_world(
              AngularOf<D>(moved.template tail<rotational_dofs>()));
    }
  }
  problem.constrained_bodies.clear();
  constrained_places_.clear();
  for (int k = 0; k < count; ++k) {
    const BodyInertia<D>& inertia = context_.system.inertia()[constrained_bodies_[k] - 1];
    const auto own = response.diagonal().segment<dofs>(dofs * k);
    const bool shifts = own.template head<D>().maxCoeff() > fixed_share * inertia.inverse_mass;
    const bool turns = own.template tail<rotational_dofs>().maxCoeff() > fixed_share * inertia.inverse_tensor.trace();
    ProblemBody<D>& body = problem.bodies[constrained_bodies_[k]];
    body.inverse_mass = 0, body.is_round = false, body.constrained = -1;
    body.inverse_inertia.setZero();
    if (!shifts && !turns) continue;
    body.constrained = static_cast<int>(problem.constrained_bodies.size());
    problem.constrained_bodies.push_back(constrained_bodies_[k]);
    for (int j = 0; j < dofs; ++j) constrained_places_.push_back(dofs * k + j);
  }
  problem.constrained_response = response(constrained_places_, constrained_places_);
}

template <int D>
BodyContact<D>& BodyContacts<D>::add(const NonsmoothContact<D>& contact, Level level) {
  const NonsmoothLaw& law = context_.contacts.nonsmooth_law(contact.law);
  BodyContact<D>& each = problem.contacts.emplace_back();
  each.a = contact.a, each.b = contact.b;
  each.normal = contact.normal;
  if constexpr (D == 2) {
    each.tangent = Eigen::Vector2d(-contact.normal.y(), contact.normal.x());
  } else {
    each.tangent = tangent_of(contact.normal);
  }
  each.lever_a = contact.lever_a, each.lever_b = contact.lever_b;
  each.friction = law.friction;
  each.offset.setZero();
  each.impulse.setZero();
  if (level == Level::velocity && (law.rolling > 0 || law.spinning > 0)) {
    each.turning = static_cast<int>(problem.turnings.size());
    TurningResistance<D> turning;
    turning.rolling = law.rolling, turning.spinning = law.spinning;
    if (D == 3 && law.coupled && law.friction > 0) turning.lever = law.spinning / law.friction;
    problem.turnings.push_back(turning);
  }
  problem.set_weights(each);
  return each;
}

template <int D>
void BodyContacts<D>::guess(BodyContact<D>& contact, const VectorOf<D>& impulse) {
  contact.impulse[0] = std::max(0.0, contact.normal.dot(impulse));
  if (!(contact.friction > 0)) return;
  contact.impulse[1] = contact.tangent.dot(impulse);
  if constexpr (D == 3) contact.impulse[2] = BodyContactProblem<D>::second_tangent(contact).dot(impulse);
}

template <int D>
void BodyContacts<D>::add_impulses(const Bodies<D>& bodies, Eigen::VectorXd& sum) const {
  for (const BodyContact<D>& contact : problem.contacts) {
    const VectorOf<D> impulse = BodyContactProblem<D>::world(contact);
    const auto add = [&](int body, const VectorOf<D>& lever, double sign) {
      if (body == 0) return;
      AngularOf<D> torque = cross(lever, impulse);
      if (contact.turning >= 0) torque += problem.turnings[contact.turning].impulse;
      sum.segment<D>(dofs * (body - 1)) += sign * impulse;
      sum.segment<Space<D>::rotational_dofs>(dofs * (body - 1) + D) +=
          sign * bodies[body].orientation.angular_to_body(torque);
    };
    add(contact.a, contact.lever_a, -1);
    add(contact.b, contact.lever_b, 1);
  }
}

template <int D>
void BodyContacts<D>::solve(double tolerance, FirstGuess guess, int most) {
  context_.statistics.gauss_seidel_iterations +=
      solver_.solve(problem, tolerance, most, 0, guess).gauss_seidel_iterations;
  for (int island = 0; island < solver_.islands().count(); ++island) {
    if (solver_.outcome(island).residual > settled_share * tolerance) refine(island, tolerance);
  }
}

template <int D>
void BodyContacts<D>::solve_roughly(double tolerance, FirstGuess guess, int most) {
  context_.statistics.gauss_seidel_iterations +=
      solver_.solve(problem, tolerance, most, 0, guess).gauss_seidel_iterations;
  for (int island = 0; island < solver_.islands().count(); ++island) {
    if (!(solver_.outcome(island).residual > tolerance)) continue;
    if (solver_.islands().size(island) <= few_contacts) {
      refine(island, tolerance);
    } else {
      ++context_.statistics.unsettled;
    }
  }
}

// A stack, or a heavy body on a light one, moves by as much as it is not settled, step after step.
template <int D>
void BodyContacts<D>::refine(int island, double tolerance) {
  const int* contacts = solver_.islands().contacts(island);
  const int count = solver_.islands().size(island);
  int rows = 0;
  for (int k = 0; k < count && rows <= most_rows_unsettled; ++k)
    rows += problem.row_count(problem.contacts[contacts[k]]);
  const bool unsettled = solver_.outcome(island).residual > tolerance;
  if (rows <= (unsettled ? most_rows_unsettled : most_rows) &&
      newton_.solve(problem, contacts, count, settled_share * tolerance))
    return;
  if (unsettled) ++context_.statistics.unsettled;
}

template class BodyContacts<2>;
template class BodyContacts<3>;

}  // namespace carom::inline nonsmooth_integrators
