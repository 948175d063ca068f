#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../support/falling_ball.h"
#include "command_line.h"
#include "contact_problem_io/problem_file.h"

namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

// A beam on a row of supports: more contacts than it takes to hold it.
StoredProblem beam_on_supports(int supports) {
  StoredProblem problem;
  problem.dimension = 2;
  Eigen::MatrixXd rows(2 * supports, 3);
  for (int k = 0; k < supports; ++k) {
    rows.row(2 * k) << 0, 1, k - 0.4 * supports;
    rows.row(2 * k + 1) << 1, 0, 0.1;
    problem.friction.push_back(0.3);
  }
  problem.delassus = rows * rows.transpose();
  problem.free_velocity = rows * Eigen::Vector3d(0.01, -0.1, 0.02);
  problem.info.title = "a beam";
  return problem;
}

class ContactProblemCommand : public testing::Test {
 protected:
  void SetUp() override { write_problem_file(folder_ / "beam.hdf5", beam_on_supports(6)); }

  void expect_refused(const std::vector<std::string>& words, const std::vector<std::string>& says) {
    const Outcome outcome = carom(folder_, words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out, IsEmpty());
    for (const std::string& part : says) EXPECT_THAT(outcome.err, HasSubstr(part));
  }
  std::vector<std::string> files_in(const std::string& name) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_ / name)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

  const Folder folder_;
};

TEST_F(ContactProblemCommand, TellsWhatAFileHolds) {
  const Outcome outcome = carom(folder_, {"contact-problem", "info", "beam.hdf5"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"beam.hdf5: a beam", "6 in the plane", "0.3", "3 of 12, 9 redundant", "none in the file"})
    EXPECT_THAT(outcome.out, HasSubstr(part));
  const auto json = nlohmann::json::parse(carom(folder_, {"contact-problem", "info", "beam.hdf5", "--json"}).out);
  EXPECT_EQ(json["contacts"], 6);
  EXPECT_EQ(json["rank"], 3);
  EXPECT_EQ(json["form"], "local");
}

TEST_F(ContactProblemCommand, SolvesWithEverySolver) {
  for (const char* solver : {"auto", "newton", "gauss-seidel", "admm", "interior-point", "direct"}) {
    const Outcome outcome =
        carom(folder_, {"contact-problem", "solve", "beam.hdf5", "--solver", solver, "--json", "-o", "solved.hdf5"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_TRUE(json["converged"]);
    EXPECT_LE(json["residual"], 1e-8);
    EXPECT_GT(json["residual"], 0);
    // What the file says of the solution is what the command said.
    const auto again = nlohmann::json::parse(carom(folder_, {"contact-problem", "info", "solved.hdf5", "--json"}).out);
    EXPECT_EQ(again["solution"]["residual"], json["residual"]);
    EXPECT_EQ(again["solution"]["fclib_merit"], json["fclib_merit"]);
    const StoredProblem solved = read_problem_file(folder_ / "solved.hdf5");
    ASSERT_TRUE(solved.solution);
    double borne = 0;
    for (int c = 0; c < 6; ++c) borne += solved.solution->r[2 * c];
    EXPECT_NEAR(borne, 0.1, 0.02);  // of 1 kg that falls at 0.1 m/s and turns
  }
  EXPECT_THAT(carom(folder_, {"contact-problem", "solve", "beam.hdf5"}).out,
              AllOf(HasSubstr("natural map"), HasSubstr("FCLIB merit"), HasSubstr("redundant"), HasSubstr("auto"),
                    HasSubstr("stages")));
  const auto json = nlohmann::json::parse(carom(folder_, {"contact-problem", "solve", "beam.hdf5", "--json"}).out);
  ASSERT_FALSE(json["stages"].empty());
  int iterations = 0;
  for (const auto& stage : json["stages"]) iterations += stage["iterations"].get<int>();
  EXPECT_EQ(iterations, json["iterations"]);
  EXPECT_LE(json["stages"].back()["residual"], 1e-8);
}

TEST_F(ContactProblemCommand, SaysWhenAProblemIsNotSolved) {
  const Outcome outcome =
      carom(folder_, {"contact-problem", "solve", "beam.hdf5", "--solver", "gauss-seidel", "--max-iterations", "1"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("iterations"));
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("beam.hdf5"), HasSubstr("not solved"), HasSubstr("--max-iterations"),
                                 HasSubstr("worst at contact")));
}

TEST_F(ContactProblemCommand, StartsFromTheGuessOfTheFile) {
  StoredProblem problem = beam_on_supports(6);
  ASSERT_EQ(carom(folder_, {"contact-problem", "solve", "beam.hdf5", "-o", "solved.hdf5"}).code, 0);
  problem.guesses = {*read_problem_file(folder_ / "solved.hdf5").solution};
  write_problem_file(folder_ / "guess.hdf5", problem);
  const Outcome outcome = carom(folder_, {"contact-problem", "solve", "guess.hdf5", "--guess", "file", "--json"});
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["iterations"], 0);
  expect_refused({"contact-problem", "solve", "beam.hdf5", "--guess", "file"}, {"--guess", "has none"});
}

TEST_F(ContactProblemCommand, RefusesWhatItCannotUse) {
  expect_refused({"contact-problem", "solve", "missing.hdf5"}, {"missing.hdf5", "No such file"});
  expect_refused({"contact-problem", "info", "."}, {"a folder"});
  expect_refused({"contact-problem", "solve", "beam.hdf5", "--solver", "simplex"}, {"--solver", "gauss-seidel"});
  expect_refused({"contact-problem", "solve", "beam.hdf5", "--tolerance", "0"}, {"--tolerance", "> 0"});
  expect_refused({"contact-problem", "solve", "beam.hdf5", "-o", "beam.hdf5"}, {"--force"});
  expect_refused({"contact-problem", "solve"}, {"FILE"});
  expect_refused({"contact-problem"}, {"contact-problem"});
  folder_.write("text.hdf5", "not a problem");
  expect_refused({"contact-problem", "solve", "text.hdf5"}, {"text.hdf5", "no HDF5 file"});
}

// A ball bounces once on its way: the problems of steps with a contact are there, and their solutions hold.
TEST_F(ContactProblemCommand, RunsSaveTheProblemsOfTheirSteps) {
  const std::string model = build::FallingBall{.contact = "restitution = 0.5\nfriction = 0.2",
                                               .solver = "method = \"nonsmooth\"\nend = 0.4\nstep = 1e-3"}
                                .text();
  folder_.write("ball.toml", model);
  const Outcome outcome = carom(folder_, {"run", "ball.toml", "--save-problems", "1", "--json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  const std::vector<std::string> files = files_in("ball_problems");
  ASSERT_FALSE(files.empty());
  EXPECT_EQ(json["contact_problems"]["files"], files.size());
  EXPECT_THAT(files.front(), HasSubstr("_t_0.3"));  // it falls for √(2 · 0.5/10) s
  const StoredProblem problem = read_problem_file(folder_ / "ball_problems" / files.front());
  EXPECT_EQ(problem.dimension, 2);
  EXPECT_EQ(problem.friction, std::vector<double>{0.2});
  EXPECT_NEAR(problem.delassus(0, 0), 0.5, 1e-12);                    // 1/m
  EXPECT_NEAR(problem.free_velocity[0], -1.5 * std::sqrt(10), 0.02);  // with what restitution asks for
  EXPECT_THAT(problem.info.title, "Ball");
  const Outcome info = carom(folder_, {"contact-problem", "info", "ball_problems/" + files.front(), "--json"});
  EXPECT_LE(nlohmann::json::parse(info.out)["solution"]["residual"], 1e-9);
  // Nothing is overwritten, and nothing is run before that is said.
  expect_refused({"run", "ball.toml", "--save-problems", "1"}, {"--save-problems", "not empty", "-o"});
}

TEST_F(ContactProblemCommand, SavesEveryNthStepOnly) {
  const std::string model = build::FallingBall{.height = "0.1",
                                               .contact = "restitution = 0\nfriction = 0.2",
                                               .solver = "method = \"nonsmooth\"\nend = 0.02\nstep = 1e-3"}
                                .text();
  folder_.write("ball.toml", model);
  ASSERT_EQ(carom(folder_, {"run", "ball.toml", "--save-problems", "5", "--quiet"}).code, 0);
  EXPECT_THAT(files_in("ball_problems"),
              testing::ElementsAre("step_00000001_t_0.001_001.hdf5", "step_00000006_t_0.006_001.hdf5",
                                   "step_00000011_t_0.011_001.hdf5", "step_00000016_t_0.016_001.hdf5"));
}

// Projected Gauss–Seidel assembles no problem: it is put together for the file, and what the step found solves it.
TEST_F(ContactProblemCommand, SavesWhatTheIterativeSolverSolved) {
  const std::string model = build::FallingBall{.planar = false,
                                               .height = "0.1",
                                               .contact = "restitution = 0\nfriction = 0.2",
                                               .solver =
                                                   "method = \"nonsmooth\"\nend = 5e-3\nstep = 1e-3\ncontact_solver = "
                                                   "\"iterative\"\ncontact_tolerance = 1e-9"}
                                .text();
  folder_.write("ball.toml", model);
  ASSERT_EQ(carom(folder_, {"run", "ball.toml", "--save-problems", "1", "--quiet"}).code, 0);
  const std::vector<std::string> files = files_in("ball_problems");
  ASSERT_EQ(files.size(), 5);
  for (const std::string& file : files) {
    const StoredProblem problem = read_problem_file(folder_ / "ball_problems" / file);
    EXPECT_EQ(problem.dimension, 3);
    EXPECT_NEAR(problem.delassus(0, 0), 0.5, 1e-12);     // 1/m
    EXPECT_NEAR(problem.free_velocity[0], -0.01, 1e-9);  // g h
    ASSERT_TRUE(problem.solution);
    EXPECT_NEAR(problem.solution->r[0], 0.02, 1e-8);  // m g h
    const Outcome info = carom(folder_, {"contact-problem", "info", "ball_problems/" + file, "--json"});
    EXPECT_LE(nlohmann::json::parse(info.out)["solution"]["residual"], 1e-8);
  }
}

TEST_F(ContactProblemCommand, OnlyTheNonsmoothMethodHasProblems) {
  folder_.write("ball.toml", build::FallingBall{}.text());
  expect_refused({"run", "ball.toml", "--save-problems", "1"}, {"--save-problems", "compliant", "--method nonsmooth"});
  expect_refused({"run", "ball.toml", "--save-problems", "0"}, {"--save-problems"});
  EXPECT_FALSE(fs::exists(folder_ / "ball_problems"));
}

}  // namespace
}  // namespace carom::cli
