#pragma once

#include "random_problems.h"

// Contact problems of heaps: bodies in layers, each on some of those below it, with as many contact points between two
// as their shapes have: one between balls, two between capsules or boxes in the plane, four and more between boxes and
// rocks. Much of W depends on the rest of it then.
namespace carom::random_problems {

struct Heap {
  int layers = 4, wide = 4;  // bodies along each side of a layer
  int below = 2;             // bodies that one lies on, at most
  int points = 1;            // of contact, with each of them
  double tilt = 0.3;         // of the normals against the vertical
  double least_friction = 0, largest_friction = 0.5;
  double largest_ratio = 1;  // of masses; the heaviest may lie on top
};

template <int D>
ProblemBody<D> heap_body(std::mt19937& random, const Heap& heap) {
  const double mass = std::pow(heap.largest_ratio, uniform(random, 0, 1));
  ProblemBody<D> body;
  body.inverse_mass = 1 / mass;
  for (int k = 0; k < Space<D>::rotational_dofs; ++k) body.inverse_inertia(k, k) = uniform(random, 3, 12) / mass;
  body.velocity = 0.02 * direction<D>(random);
  body.velocity[D - 1] -= 0.1;  // what gravity adds in a step
  return body;
}

// `between`: from the middle of a to that of b.
template <int D>
void add_heap_contacts(std::mt19937& random, const Heap& heap, int a, int b, const VectorOf<D>& between,
                       BodyContactProblem<D>& problem) {
  BodyContact<D> contact;
  contact.a = a, contact.b = b;
  contact.normal = (VectorOf<D>::Unit(D - 1) + heap.tilt * direction<D>(random)).normalized();
  if constexpr (D == 2) {
    contact.tangent = Eigen::Vector2d(-contact.normal.y(), contact.normal.x());
  } else {
    contact.tangent = contact.normal.unitOrthogonal();
  }
  contact.offset.setZero(), contact.impulse.setZero();
  contact.friction = uniform(random, heap.least_friction, heap.largest_friction);
  const double turn = uniform(random, 0, 3);
  for (int k = 0; k < heap.points; ++k) {
    const double angle = turn + 2 * 3.141592653589793 * k / heap.points;
    VectorOf<D> patch = 0.25 * std::cos(angle) * contact.tangent;
    if constexpr (D == 3) patch += 0.25 * std::sin(angle) * contact.normal.cross(contact.tangent);
    contact.lever_a =
        a == 0 ? VectorOf<D>(VectorOf<D>::Zero()) : VectorOf<D>(0.5 * between + (heap.points > 1) * patch);
    contact.lever_b = -0.5 * between + (heap.points > 1) * patch;
    problem.set_weights(contact);
    problem.contacts.push_back(contact);
  }
}

template <int D>
BodyContactProblem<D> heap_problem(std::mt19937& random, const Heap& heap) {
  BodyContactProblem<D> problem;
  problem.bodies.resize(1);
  const int wide = heap.wide, deep = D == 3 ? heap.wide : 1;
  const auto number = [&](int layer, int i, int j) { return 1 + (layer * deep + j) * wide + i; };
  for (int layer = 0; layer < heap.layers; ++layer) {
    for (int place = 0; place < wide * deep; ++place) {
      const int i = place % wide, j = place / wide, own = number(layer, i, j);
      problem.bodies.push_back(heap_body<D>(random, heap));
      if (layer == 0) {
        add_heap_contacts<D>(random, heap, 0, own, VectorOf<D>::Unit(D - 1), problem);
        continue;
      }
      for (int k = 0; k < heap.below; ++k) {
        const int di = k == 0 ? 0 : static_cast<int>(uniform(random, -1, 2)), dj = D == 3 && k > 1 ? 1 : 0;
        if (i + di < 0 || i + di >= wide || j + dj >= deep) continue;
        VectorOf<D> between = VectorOf<D>::Unit(D - 1);
        between[0] -= 0.5 * di;
        add_heap_contacts<D>(random, heap, number(layer - 1, i + di, j + dj), own, between, problem);
      }
    }
  }
  return problem;
}

}  // namespace carom::random_problems
