// Solves a contact problem from a file by one of Carom's solvers, again and again, for benchmarks/problem_report.py:
//   problem_carom FILE SOLVER TOLERANCE IMPULSES
// prints seconds of processor time and iterations, and writes the impulses as doubles.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "contact_problem_io/problem_file.h"
#include "impact/problem_solver.h"

int main(int count, char** arguments) {
  constexpr int expected = 5;
  constexpr double least_seconds = 0.05, longest_once = 0.5;
  if (count != expected) return 2;
  const carom::StoredProblem stored = carom::read_problem_file(arguments[1]);
  const carom::ContactProblem problem = carom::contact_problem(stored);
  const carom::ProblemSolverSettings settings{.solver = arguments[2], .tolerance = std::stod(arguments[3])};
  const auto now = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  double best = 1e300;
  carom::SolvedProblem solved;
  // The fastest of three rounds, each long enough for the clock.
  for (int round = 0; round < 3 && !(best < 1e300 && best > longest_once); ++round) {
    const double start = now();
    int runs = 0;
    do {
      solved = carom::solve_problem(problem, settings);
      ++runs;
    } while (now() - start < least_seconds);
    best = std::min(best, (now() - start) / runs);
  }
  std::ofstream out(arguments[4], std::ios::binary);
  const std::vector<double> r = carom::stored_rows(problem, stored.dimension, solved.impulses);
  out.write(reinterpret_cast<const char*>(r.data()), static_cast<std::streamsize>(r.size() * sizeof(double)));
  std::printf("%.9g %d\n", best, solved.iterations);
}
