// What beams cost: how a step grows with the number of elements, and what a step of a loose flexible mechanism costs
// beside the factorisations that it cannot do without.
//   beam_report MODEL            tables; MODEL is a loose flexible mechanism
//   beam_report MODEL steps n    n steps of it after some that are not contacts yet, for counting instructions
//   beam_report MODEL factor n   n factorisations of its matrix
//   beam_report MODEL klu n      the same by KLU, which keeps its pivots, too
//   beam_report MODEL band n     the same as a band matrix, by LAPACK
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <klu.h>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/cuthill_mckee_ordering.hpp>

#include "analyses/assembly.h"
#include "integrators/nonsmooth/nonsmooth_integrator.h"
#include "integrators/smooth/integrator.h"
#include "math/kkt_solver.h"
#include "model_io/read_model.h"

extern "C" void dgbtrf_(const int* rows, const int* columns, const int* below, const int* above, double* band,
                        const int* leading, int* pivots, int* info);

namespace {

using namespace carom;

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "beam_report: %s\n", why.c_str());
  std::exit(1);
}

class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// A cantilever in space that is let go.
Model cantilever(int elements) {
  const std::string text =
      "[model]\ngravity = [0, 0, -9.81]\n[material.steel]\nyoung = \"210 GPa\"\npoisson = 0.3\ndensity = 7850\n"
      "[section.bar]\nshape = \"rectangle\"\nwidth = 0.02\nheight = 0.01\n[[beam]]\nname = \"arm\"\n"
      "points = [[0, 0, 0], [1, 0, 0]]\nsection = \"bar\"\nmaterial = \"steel\"\nelements = " +
      std::to_string(elements) +
      "\n[[joint]]\nname = \"clamp\"\ntype = \"fixed\"\nbodies = [\"ground\", \"arm\"]\nat = [0, 0, 0]\n"
      "[solver]\nintegrator = \"generalized-alpha\"\nrho_infinity = 0.5\nstep = 1e-4\nend = 1\n";
  ProblemList problems;
  Model model = read_model_text(text, "cantilever", problems);
  if (problems.errors() > 0) give_up(problems.text());
  return model;
}

using Sparse = Eigen::SparseMatrix<double>;

struct Matrices {
  Matrices(System& system, const State& state) : mass(system.mass()) {
    const Eigen::VectorXd lambda = Eigen::VectorXd::Zero(system.constraint_size());
    system.tangents(state.t, state.q.data(), state.v.data(), lambda, stiffness, damping);
    jacobian = system.constraint_jacobian(state.t, state.q.data());
  }
  Sparse mass, stiffness, damping, jacobian;
};

// Factorises [M + hC + h²K, Gᵀ; G, 0] of a state again and again; seconds for one.
double factorise(System& system, const State& state, double h, int times) {
  const Matrices at(system, state);
  const KktSolver::Factors factors{.mass = 1, .damping = h, .stiffness = h * h};
  KktSolver solver;
  solver.factor(factors, at.mass, at.damping, at.stiffness, at.jacobian);
  const Clock clock;
  for (int k = 0; k < times; ++k) solver.factor(factors, at.mass, at.damping, at.stiffness, at.jacobian);
  return clock.seconds() / times;
}

// The whole of that matrix.
Sparse assembled(System& system, const State& state, double h) {
  const Matrices at(system, state);
  const int nv = system.velocity_size(), size = nv + system.constraint_size();
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](const Sparse& matrix, double factor, int row, bool transposed) {
    for (int column = 0; column < matrix.outerSize(); ++column) {
      for (Sparse::InnerIterator entry(matrix, column); entry; ++entry) {
        const int i = row + static_cast<int>(entry.row());
        entries.emplace_back(transposed ? column : i, transposed ? i : column, factor * entry.value());
      }
    }
  };
  add(at.mass, 1, 0, false), add(at.damping, h, 0, false), add(at.stiffness, h * h, 0, false);
  add(at.jacobian, 1, nv, false), add(at.jacobian, 1, nv, true);
  for (int i = nv; i < size; ++i) entries.emplace_back(i, i, -1e-9);
  Sparse matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

double factorise_by_klu(System& system, const State& state, double h, int times) {
  Sparse matrix = assembled(system, state, h);
  const int size = static_cast<int>(matrix.cols());
  int *start = matrix.outerIndexPtr(), *row = matrix.innerIndexPtr();
  klu_common common;
  klu_defaults(&common);
  klu_symbolic* symbolic = klu_analyze(size, start, row, &common);
  klu_numeric* numeric = klu_factor(start, row, matrix.valuePtr(), symbolic, &common);
  const Clock clock;
  for (int k = 0; k < times; ++k) {
    if (!klu_refactor(start, row, matrix.valuePtr(), symbolic, numeric, &common) ||
        !klu_rgrowth(start, row, matrix.valuePtr(), symbolic, numeric, &common))
      give_up("KLU cannot factorise the matrix");
  }
  const double seconds = clock.seconds() / times;
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  return seconds;
}

// In the order of Cuthill and McKee, which keeps the band narrow.
double factorise_by_lapack(System& system, const State& state, double h, int times) {
  const Sparse matrix = assembled(system, state, h);
  const int size = static_cast<int>(matrix.cols());
  const auto each = [&](const auto& visit) {
    for (int column = 0; column < size; ++column) {
      for (Sparse::InnerIterator entry(matrix, column); entry; ++entry)
        visit(static_cast<int>(entry.row()), column, entry.value());
    }
  };
  using Graph = boost::adjacency_list<
      boost::setS, boost::vecS, boost::undirectedS,
      boost::property<boost::vertex_color_t, boost::default_color_type, boost::property<boost::vertex_degree_t, int>>>;
  Graph graph(static_cast<std::size_t>(size));
  each([&](int row, int column, double) {
    if (row < column) boost::add_edge(static_cast<std::size_t>(row), static_cast<std::size_t>(column), graph);
  });
  std::vector<std::size_t> order(static_cast<std::size_t>(size));
  boost::cuthill_mckee_ordering(graph, order.begin(), boost::get(boost::vertex_color, graph),
                                boost::make_degree_map(graph));
  std::vector<int> place(static_cast<std::size_t>(size));
  for (int k = 0; k < size; ++k) place[order[static_cast<std::size_t>(k)]] = k;
  int width = 0;
  each([&](int row, int column, double) { width = std::max(width, std::abs(place[row] - place[column])); });
  const int leading = 3 * width + 1;
  std::vector<double> band(static_cast<std::size_t>(leading) * size, 0.0), work;
  each([&](int row, int column, double value) {
    const int i = place[row], j = place[column];
    band[static_cast<std::size_t>(j) * leading + (2 * width + i - j)] = value;
  });
  std::vector<int> pivots(static_cast<std::size_t>(size));
  const Clock clock;
  for (int k = 0; k < times; ++k) {
    work = band;
    int info = 0;
    dgbtrf_(&size, &size, &width, &width, work.data(), &leading, pivots.data(), &info);
    if (info != 0) give_up("LAPACK cannot factorise the matrix");
  }
  const double seconds = clock.seconds() / times;
  std::printf("  band matrix: %d rows, %d entries on each side of the diagonal\n", size, width);
  return seconds;
}

void print_growth() {
  std::printf(
      "cantilever in space, steps of 0.1 ms by generalized-alpha: times of a step, of an assembly with its solve, and "
      "of a factorisation\n");
  std::printf("  elements  iterations a step        step  assembly and solve  factorisation\n");
  double first = 0, last = 0, first_solve = 0, solve = 0;
  for (const int elements : {10, 100, 1000, 10000}) {
    const Model model = cantilever(elements);
    const auto system = System::create(model);
    const auto stepper = make_integrator(*system, model.solver);
    stepper->start(system->initial_state());
    const int warm = 3, steps = 20;
    for (int k = 0; k < warm; ++k) stepper->step(1e9);
    const long before = stepper->statistics().newton_iterations;
    const Clock clock;
    for (int k = 0; k < steps; ++k) {
      if (!stepper->step(1e9).accepted()) give_up("a step failed");
    }
    last = clock.seconds() / steps;
    const double iterations = static_cast<double>(stepper->statistics().newton_iterations - before) / steps;
    solve = last / iterations;
    if (elements == 10) first = last, first_solve = solve;
    std::printf("  %8d  %17.1f  %7.3f ms  %15.3f ms  %10.3f ms\n", elements, iterations, 1e3 * last, 1e3 * solve,
                1e3 * factorise(*system, stepper->state(), model.solver.step, elements > 1000 ? 5 : 50));
  }
  std::printf("  from 10 to 10000 elements a step grows as N^%.2f, an assembly with its solve as N^%.2f\n\n",
              std::log10(last / first) / 3, std::log10(solve / first_solve) / 3);
}

// The mechanism of a file, in motion.
struct Loose {
  explicit Loose(const std::string& file) {
    ProblemList problems;
    model = read_model(file, problems);
    if (problems.errors() > 0) give_up(problems.text());
    model.solver.step = 1e-6;
    system = System::create(model);
    State start = system->initial_state();
    if (!assemble(*system, model, start).assembled) give_up("the mechanism cannot be assembled");
    stepper = make_nonsmooth_integrator(*system, model.solver);
    stepper->start(start);
  }
  void run(int steps) {
    for (int k = 0; k < steps; ++k) {
      if (const StepOutcome outcome = stepper->step(1e9); !outcome.accepted()) give_up(outcome.reason);
    }
  }

  Model model;
  std::unique_ptr<System> system;
  std::unique_ptr<NonsmoothIntegrator> stepper;
};

void print_loose(const std::string& file) {
  Loose loose(file);
  constexpr int turn = 12000;  // steps of 1 µs at 5000 rpm
  loose.run(2 * turn);
  const Clock clock;
  loose.run(2 * turn);
  const double seconds = clock.seconds();
  const NonsmoothStatistics& statistics = loose.stepper->contact_statistics();
  const double factorisation = factorise(*loose.system, loose.stepper->state(), 1e-6, 5000);
  const double by_klu = factorise_by_klu(*loose.system, loose.stepper->state(), 1e-6, 5000);
  std::printf("%s, two turns at steps of 1 µs\n", loose.model.name.c_str());
  const double by_lapack = factorise_by_lapack(*loose.system, loose.stepper->state(), 1e-6, 5000);
  std::printf("  %.2f s, %.1f µs a step; iterations at the most %d / %d / %d\n", seconds, 1e6 * seconds / (2 * turn),
              static_cast<int>(statistics.smooth.most), static_cast<int>(statistics.position.most),
              static_cast<int>(statistics.velocity.most));
  std::printf(
      "  one factorisation %.1f µs, by KLU %.1f µs, as a band by LAPACK %.1f µs; a step costs %.1f of the last\n",
      1e6 * factorisation, 1e6 * by_klu, 1e6 * by_lapack, seconds / (2 * turn) / by_lapack);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2) {
    print_growth();
    print_loose(argv[1]);
    return 0;
  }
  if (argc != 4) {
    std::fprintf(stderr, "usage: beam_report MODEL [steps n | factor n | klu n | band n]\n");
    return 2;
  }
  const int n = std::atoi(argv[3]);
  Loose loose(argv[1]);
  loose.run(500);
  if (std::string(argv[2]) == "steps") {
    loose.run(n);
  } else if (std::string(argv[2]) == "klu") {
    factorise_by_klu(*loose.system, loose.stepper->state(), 1e-6, n);
  } else if (std::string(argv[2]) == "band") {
    factorise_by_lapack(*loose.system, loose.stepper->state(), 1e-6, n);
  } else {
    factorise(*loose.system, loose.stepper->state(), 1e-6, n);
  }
}
