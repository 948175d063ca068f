#include <fmt/format.h>
#include <gtest/gtest.h>

#include "heap_problems.h"
#include "impact/problem_solver.h"

// Problems in which hundreds of contacts carry their load in many ways. The natural map judges, which knows no solver.
namespace carom {
namespace {

using random_problems::Heap;

template <int D>
ContactProblem posed_heap(unsigned seed, const Heap& heap) {
  std::mt19937 random(seed);
  const BodyContactProblem<D> bodies = random_problems::heap_problem<D>(random, heap);
  std::vector<int> all;
  for (std::size_t c = 0; c < bodies.contacts.size(); ++c) all.push_back(static_cast<int>(c));
  ContactProblem problem;
  std::vector<double> guess;
  bodies.assemble(all, problem, guess);
  return problem;
}

struct NamedHeap {
  const char* name;
  Heap heap;
  bool planar = false;
  int unsolved = 0;  // at most, of the four to 1e-8
};

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest looks for this name
void PrintTo(const NamedHeap& named, std::ostream* out) {
  *out << named.name;
}

class HeapProblems : public testing::TestWithParam<NamedHeap> {
 protected:
  static ContactProblem posed(unsigned seed) {
    return GetParam().planar ? posed_heap<2>(seed, GetParam().heap) : posed_heap<3>(seed, GetParam().heap);
  }
  static void solve_all(const std::string& solver) {
    constexpr int count = 4;
    int unsolved = 0;
    for (unsigned seed = 1; seed <= count; ++seed) {
      const ContactProblem problem = posed(seed);
      for (const double tolerance : {1e-4, 1e-8}) {
        const SolvedProblem solved = solve_problem(problem, {.solver = solver, .tolerance = tolerance});
        const double residual = coulomb_residual(problem, solved.impulses).relative;
        EXPECT_EQ(solved.converged, residual <= std::max(tolerance, solved.residual.rounding));
        if (!solved.converged) {
          ++unsolved;
          RecordProperty("unsolved_" + std::to_string(seed), fmt::format("{:.2g}", residual));
          EXPECT_LE(residual, 1e-4) << seed;
          continue;
        }
        EXPECT_LE(natural_map_residual(problem, solved.impulses).relative, 10 * tolerance) << seed;
      }
    }
    EXPECT_LE(unsolved, GetParam().unsolved);
  }
};

TEST_P(HeapProblems, AreSolvedByTheInteriorPointMethod) {
  solve_all("interior-point");
}

TEST_P(HeapProblems, AreSolvedByAuto) {
  solve_all("auto");
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, HeapProblems,
    testing::Values(
        NamedHeap{"Balls", {.layers = 5, .wide = 4, .below = 3}},
        NamedHeap{"Capsules", {.layers = 5, .wide = 4, .points = 2, .least_friction = 0.7, .largest_friction = 0.7}},
        NamedHeap{"Boxes", {.layers = 4, .wide = 3, .points = 4, .tilt = 0, .least_friction = 0.3}},
        NamedHeap{"BoxTower",
                  {.layers = 12,
                   .wide = 1,
                   .below = 1,
                   .points = 8,
                   .tilt = 0,
                   .least_friction = 0.7,
                   .largest_friction = 0.7}},
        NamedHeap{"Rocks", {.layers = 4, .wide = 4, .below = 3, .points = 3, .largest_friction = 1.5}},
        NamedHeap{"Rough",
                  {.layers = 4, .wide = 4, .below = 3, .points = 2, .least_friction = 1.5, .largest_friction = 1.5}},
        NamedHeap{"Smooth", {.layers = 4, .wide = 4, .below = 3, .points = 2, .largest_friction = 0}},
        NamedHeap{"MassRatios", {.layers = 5, .wide = 3, .points = 2, .largest_ratio = 1e4}},
        NamedHeap{"PlanarBoxes", {.layers = 8, .wide = 12, .points = 2, .tilt = 0.2}, true, 1},
        NamedHeap{"PlanarBalls", {.layers = 8, .wide = 16, .below = 2, .largest_friction = 1}, true}),
    [](const auto& named) { return named.param.name; });

}  // namespace
}  // namespace carom
