#pragma once

#include <optional>

#include "contact_problem_io/stored_problem.h"

namespace carom::inline contact_problem_io {

// Of the eigenvalues of the symmetric part of W.
struct DelassusSpectrum {
  double largest = 0, least = 0;
  double least_positive = 0;  // of those that count for the rank
  int rank = 0;               // eigenvalues above `redundant` of the largest

  double condition() const { return least_positive > 0 ? largest / least_positive : 0; }  // on the range of W
};

struct ProblemProperties {
  double least_friction = 0, largest_friction = 0;
  double density = 0;                        // share of the entries of W that are not zero
  double asymmetry = 0;                      // largest |W − Wᵀ| over the largest |W|
  int approaching = 0;                       // contacts whose free velocity closes, q_N < 0
  std::optional<DelassusSpectrum> spectrum;  // none for more than `most_spectrum_rows`
};

inline constexpr double redundant_eigenvalue = 1e-8;  // of the largest
inline constexpr int most_spectrum_rows = 2000;

ProblemProperties properties_of(const StoredProblem& problem);

// FCLIB's merit function MERIT_1 from the natural map with ρ = 1: √(Σ F²) / (1 + √|q|).
double fclib_merit(const StoredProblem& problem, double unweighted_residual);

}  // namespace carom::inline contact_problem_io
