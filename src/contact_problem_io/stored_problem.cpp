#include "contact_problem_io/stored_problem.h"

namespace carom::inline contact_problem_io {
namespace {

// Row of the stored form by row of the problem. −1: FCLIB has no place for it.
std::vector<int> stored_places(const ContactProblem& problem, int dimension) {
  std::vector<int> place(problem.rows, -1);
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ProblemContact& contact = problem.contacts[c];
    const int first = dimension * static_cast<int>(c);
    place[contact.row] = first;
    if (contact.balls != 1) continue;
    const FrictionBall& ball = problem.balls[contact.first_ball];
    if (ball.size != dimension - 1) continue;
    for (int k = 0; k < ball.size; ++k) place[ball.row + k] = first + 1 + k;
  }
  return place;
}

}  // namespace

ContactProblem contact_problem(const StoredProblem& stored) {
  ContactProblem problem;
  const int d = stored.dimension;
  for (int c = 0; c < stored.contacts(); ++c) {
    problem.contacts.push_back({.row = d * c, .first_ball = c, .balls = 1});
    problem.balls.push_back({.row = d * c + 1, .size = d - 1, .radius = stored.friction[c]});
  }
  problem.rows = stored.rows();
  problem.make_room();
  for (int i = 0; i < problem.rows; ++i) {
    problem.offset[i] = stored.free_velocity[i];
    for (int j = 0; j < problem.rows; ++j) problem.delassus_row(i)[j] = stored.delassus(i, j);
  }
  problem.set_weights();
  return problem;
}

std::vector<double> stored_rows(const ContactProblem& problem, int dimension, const std::vector<double>& values) {
  const std::vector<int> place = stored_places(problem, dimension);
  std::vector<double> stored(dimension * problem.contacts.size(), 0.0);
  for (int i = 0; i < problem.rows; ++i) {
    if (place[i] >= 0) stored[place[i]] = values[i];
  }
  return stored;
}

std::optional<StoredProblem> stored_problem(const ContactProblem& problem, int dimension) {
  const std::vector<int> place = stored_places(problem, dimension);
  if (std::find(place.begin(), place.end(), -1) != place.end()) return std::nullopt;
  StoredProblem stored;
  stored.dimension = dimension;
  const int rows = dimension * static_cast<int>(problem.contacts.size());
  stored.delassus.setZero(rows, rows);
  stored.free_velocity.setZero(rows);
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ProblemContact& contact = problem.contacts[c];
    stored.friction.push_back(contact.balls > 0 ? problem.balls[contact.first_ball].radius : 0);
    if (contact.balls > 0) continue;
    const double normal = problem.delassus_row(contact.row)[contact.row];
    for (int k = 1; k < dimension; ++k) stored.delassus(dimension * c + k, dimension * c + k) = normal;
  }
  for (int i = 0; i < problem.rows; ++i) {
    stored.free_velocity[place[i]] = problem.offset[i];
    for (int j = 0; j < problem.rows; ++j) stored.delassus(place[i], place[j]) = problem.delassus_row(i)[j];
  }
  return stored;
}

}  // namespace carom::inline contact_problem_io
