#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <Eigen/Dense>

#include "../support/temporary_folder.h"
#include "contact_problem_io/problem_properties.h"
#include "impact/coulomb_residual.h"
#include "problem_scene.h"

namespace carom {
namespace {

using namespace scene;

std::string bytes_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<double> list_of(const Eigen::VectorXd& values) {
  return {values.begin(), values.end()};
}

TEST(ProblemFiles, ComeBackAsTheyWereWritten) {
  const TemporaryFolder folder;
  for (const int dimension : {2, 3}) {
    StoredProblem problem = random_stored(5, dimension, 1);
    problem.solution = StoredSolution{list_of(problem.free_velocity), list_of(2 * problem.free_velocity)};
    problem.guesses = {*problem.solution, {problem.solution->u, problem.solution->r}};
    write_problem_file(folder / "a.hdf5", problem);
    const StoredProblem read = read_problem_file(folder / "a.hdf5");
    EXPECT_EQ(read.dimension, dimension);
    EXPECT_EQ(read.friction, problem.friction);
    EXPECT_EQ(read.delassus, problem.delassus);
    EXPECT_EQ(read.free_velocity, problem.free_velocity);
    EXPECT_EQ(read.info.title, "random");
    EXPECT_EQ(read.info.description, problem.info.description);
    EXPECT_EQ(read.info.mathematics, "positive definite");
    ASSERT_TRUE(read.solution);
    EXPECT_EQ(read.solution->r, problem.solution->r);
    EXPECT_EQ(read.solution->u, problem.solution->u);
    ASSERT_EQ(read.guesses.size(), 2);
    EXPECT_EQ(read.guesses[1].r, problem.solution->u);
    EXPECT_FALSE(read.form.global);
    write_problem_file(folder / "b.hdf5", read);
    EXPECT_EQ(bytes_of(folder / "a.hdf5"), bytes_of(folder / "b.hdf5"));
  }
}

TEST(ProblemFiles, AreReadInAllKindsOfStorage) {
  const TemporaryFolder folder;
  StoredProblem problem = random_stored(4, 3, 2);
  problem.delassus(2, 7) = 0.25;  // rows and columns must not be mixed up
  using Storage = FclibFile::Storage;
  for (const Storage storage : {Storage::triplets, Storage::columns, Storage::rows}) {
    FclibFile(folder / "a.hdf5").local(problem, storage);
    EXPECT_EQ(read_problem_file(folder / "a.hdf5").delassus, problem.delassus);
  }
}

// A chain of bodies with joints: the reduced problem moves like the bodies do.
TEST(ProblemFiles, GlobalProblemsAreReduced) {
  const TemporaryFolder folder;
  std::mt19937 random(3);
  const int n = 12, m = 6, p = 3;
  const Eigen::MatrixXd a = random_matrix(random, n, n), h = random_matrix(random, n, m);
  const Eigen::MatrixXd mass = a * a.transpose() + n * Eigen::MatrixXd::Identity(n, n);
  Eigen::MatrixXd g = random_matrix(random, n, p);
  const Eigen::VectorXd f = random_matrix(random, n, 1), w = random_matrix(random, m, 1);
  Eigen::VectorXd b = random_matrix(random, p, 1);
  for (const bool redundant : {false, true}) {
    if (redundant) g.col(2) = 2 * g.col(0) - g.col(1), b[2] = 2 * b[0] - b[1];
    {
      FclibFile file(folder / "a.hdf5");
      file.integers("/fclib_global/spacedim", {3});
      file.matrix("/fclib_global/M", mass, FclibFile::Storage::columns);
      file.matrix("/fclib_global/H", h, FclibFile::Storage::triplets);
      file.matrix("/fclib_global/G", g, FclibFile::Storage::rows);
      file.numbers("/fclib_global/vectors/f", f);
      file.numbers("/fclib_global/vectors/w", w);
      file.numbers("/fclib_global/vectors/b", b);
      file.numbers("/fclib_global/vectors/mu", std::vector<double>{0.2, 0.3});
    }
    const StoredProblem read = read_problem_file(folder / "a.hdf5");
    EXPECT_TRUE(read.form.global);
    EXPECT_EQ(read.form.degrees_of_freedom, n);
    EXPECT_EQ(read.form.constraints, p);
    EXPECT_EQ(read.form.dependent, redundant ? 1 : 0);
    EXPECT_EQ(read.friction, (std::vector<double>{0.2, 0.3}));
    // M v = H r + G λ + f, Gᵀ v + b = 0 in one piece, without the constraint that others imply.
    const int independent = redundant ? p - 1 : p;
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n + independent, n + independent);
    all.topLeftCorner(n, n) = mass;
    all.topRightCorner(n, independent) = -g.leftCols(independent);
    all.bottomLeftCorner(independent, n) = g.leftCols(independent).transpose();
    const Eigen::VectorXd r = random_matrix(random, m, 1);
    Eigen::VectorXd right(n + independent);
    right << h * r + f, -b.head(independent);
    const Eigen::VectorXd v = all.partialPivLu().solve(right).head(n);
    const Eigen::VectorXd wrong = read.delassus * r + read.free_velocity - h.transpose() * v - w;
    EXPECT_LT(wrong.cwiseAbs().maxCoeff(), 1e-11);
  }
}

TEST(ProblemFiles, EqualityConstraintsOfLocalProblemsAreEliminated) {
  const TemporaryFolder folder;
  std::mt19937 random(5);
  const StoredProblem problem = random_stored(2, 3, 5);
  const Eigen::MatrixXd v = random_matrix(random, 6, 2);
  Eigen::MatrixXd constraints(2, 2);
  constraints << 3, 1, 1, 2;
  const Eigen::VectorXd s = random_matrix(random, 2, 1), r = random_matrix(random, 6, 1);
  {
    FclibFile file(folder / "a.hdf5");
    file.local(problem);
    file.matrix("/fclib_local/V", v, FclibFile::Storage::triplets);
    file.matrix("/fclib_local/R", constraints, FclibFile::Storage::rows);
    file.numbers("/fclib_local/vectors/s", s);
  }
  const StoredProblem read = read_problem_file(folder / "a.hdf5");
  const Eigen::VectorXd lambda = -constraints.inverse() * (v.transpose() * r + s);
  const Eigen::VectorXd u = problem.delassus * r + v * lambda + problem.free_velocity;
  EXPECT_LT((read.delassus * r + read.free_velocity - u).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(read.form.constraints, 2);
}

TEST(StoredProblem, IsTheProblemOfTheSolvers) {
  const StoredProblem stored = random_stored(4, 3, 7);
  const ContactProblem problem = contact_problem(stored);
  EXPECT_EQ(problem.rows, 12);
  EXPECT_EQ(problem.balls[3].radius, stored.friction[3]);
  const auto again = stored_problem(problem, 3);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->delassus, stored.delassus);
  EXPECT_EQ(again->free_velocity, stored.free_velocity);
  EXPECT_EQ(again->friction, stored.friction);
}

// Contacts without friction have one row only; in a file they get tangents, and bear the same.
TEST(StoredProblem, HasTangentsForContactsWithoutFriction) {
  ContactProblem problem;
  problem.rows = 4;
  problem.contacts = {{.row = 0, .first_ball = 0, .balls = 0}, {.row = 1, .first_ball = 0, .balls = 1}};
  problem.balls = {{.row = 2, .size = 2, .radius = 0.5}};
  problem.make_room();
  for (int k = 0; k < 4; ++k) problem.delassus_row(k)[k] = 2;
  problem.delassus_row(0)[1] = problem.delassus_row(1)[0] = 0.5;
  problem.offset = {-1, -2, 0.1, 0};
  problem.set_weights();
  const auto stored = stored_problem(problem, 3);
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->friction, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(stored->delassus(0, 3), 0.5);
  EXPECT_EQ(stored->delassus(1, 1), 2);
  const std::vector<double> impulse = {4.0 / 15, 14.0 / 15, -0.05, 0};
  EXPECT_NEAR(coulomb_residual(problem, impulse).relative, 0, 1e-15);
  EXPECT_NEAR(coulomb_residual(contact_problem(*stored), stored_rows(problem, 3, impulse)).relative, 0, 1e-15);
}

TEST(StoredProblem, HasNoPlaceForRollingResistance) {
  ContactProblem problem;
  problem.rows = 5;
  problem.contacts = {{.row = 0, .first_ball = 0, .balls = 2}};
  problem.balls = {{.row = 1, .size = 2, .radius = 0.5}, {.row = 3, .size = 2, .radius = 0.01}};
  problem.make_room();
  EXPECT_FALSE(stored_problem(problem, 3));
}

TEST(ProblemProperties, TellRankAndCondition) {
  StoredProblem problem;
  problem.dimension = 2;
  problem.friction = {0.1, 0.4};
  problem.delassus = Eigen::Vector4d(8, 2, 0, 4).asDiagonal();
  problem.free_velocity = Eigen::Vector4d(-1, 0, 1, 0);
  const ProblemProperties properties = properties_of(problem);
  ASSERT_TRUE(properties.spectrum);
  EXPECT_EQ(properties.spectrum->rank, 3);
  EXPECT_NEAR(properties.spectrum->condition(), 4, 1e-12);
  EXPECT_EQ(properties.approaching, 1);
  EXPECT_EQ(properties.asymmetry, 0);
  EXPECT_EQ(properties.density, 3.0 / 16);
  EXPECT_EQ(properties.least_friction, 0.1);
  EXPECT_EQ(properties.largest_friction, 0.4);
}

}  // namespace
}  // namespace carom
