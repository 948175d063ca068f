#pragma once

#include <filesystem>

#include "contact_problem_io/stored_problem.h"

// Contact problems in files of FCLIB (HDF5).
namespace carom::inline contact_problem_io {

// Matrices are dense once they are read: larger problems are refused.
inline constexpr int most_problem_rows = 10'000;
inline constexpr int most_problem_dofs = 200'000;        // of a global one
inline constexpr long most_matrix_entries = 20'000'000;  // stored ones of a sparse matrix

// Reads a local (/fclib_local: W, q, μ, with V, R, s) or a global problem (/fclib_global: M, H, G, f, w, b, μ), in any
// of FCLIB's three kinds of sparse storage, and brings it into its local form. Every size and every index is checked
// before it is used. Throws InputError with file, dataset and remedy.
StoredProblem read_problem_file(const std::filesystem::path& path);

// Writes the local form, W as compressed columns, with its solution and guesses where there are any. The file is there
// in full or not at all; equal problems give equal bytes. Throws ResultError.
void write_problem_file(const std::filesystem::path& path, const StoredProblem& problem);

}  // namespace carom::inline contact_problem_io
