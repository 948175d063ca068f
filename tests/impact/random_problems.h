#pragma once

#include <random>

#include "impact/body_contact_problem.h"

// Contact problems made at random, of bodies that fall on each other and on the ground.
namespace carom::random_problems {

struct Scene {
  int contacts = 1, bodies = 1;
  double friction = 0, resistance = 0;  // m
  double largest_ratio = 1;             // of masses
  bool redundant = false;               // contacts lie on one another
};

inline double uniform(std::mt19937& random, double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(random);
}

template <int D>
VectorOf<D> direction(std::mt19937& random) {
  std::normal_distribution<double> normal;
  VectorOf<D> result;
  for (int k = 0; k < D; ++k) result[k] = normal(random);
  return result.normalized();
}

template <int D>
void add_bodies(std::mt19937& random, const Scene& scene, BodyContactProblem<D>& problem) {
  problem.bodies.resize(scene.bodies + 1);
  for (int b = 1; b <= scene.bodies; ++b) {
    const double mass = std::pow(10, uniform(random, 0, std::log10(scene.largest_ratio)));
    ProblemBody<D>& body = problem.bodies[b];
    body.inverse_mass = 1 / mass;
    body.inverse_inertia.setIdentity();
    for (int k = 0; k < Space<D>::rotational_dofs; ++k) body.inverse_inertia(k, k) = uniform(random, 2, 5) / mass;
    body.velocity = uniform(random, 0.1, 1) * direction<D>(random);
    body.velocity[D - 1] -= 1;
  }
}

// Each body on the ground or on one before it, so that impulses can stop what approaches.
template <int D>
BodyContactProblem<D> random_problem(std::mt19937& random, const Scene& scene) {
  BodyContactProblem<D> problem;
  add_bodies(random, scene, problem);
  for (int c = 0; c < scene.contacts; ++c) {
    BodyContact<D> contact;
    contact.b = 1 + c % scene.bodies;
    contact.a = static_cast<int>(uniform(random, 0, contact.b - 1e-9));
    contact.normal = (VectorOf<D>::Unit(D - 1) + 0.3 * direction<D>(random)).normalized();
    contact.lever_b = -0.5 * contact.normal + 0.3 * direction<D>(random);
    contact.lever_a = contact.a == 0 ? VectorOf<D>(VectorOf<D>::Zero()) : VectorOf<D>(0.5 * contact.normal);
    if (scene.redundant && c >= scene.bodies) contact = BodyContact<D>(problem.contacts[c - scene.bodies]);
    if constexpr (D == 2) {
      contact.tangent = Eigen::Vector2d(-contact.normal.y(), contact.normal.x());
    } else {
      contact.tangent = contact.normal.unitOrthogonal();
    }
    contact.offset.setZero(), contact.impulse.setZero();
    contact.friction = scene.friction;
    if (scene.resistance > 0) {
      contact.turning = static_cast<int>(problem.turnings.size());
      problem.turnings.push_back({.rolling = scene.resistance, .spinning = scene.resistance});
    }
    problem.set_weights(contact);
    problem.contacts.push_back(contact);
  }
  return problem;
}

}  // namespace carom::random_problems
