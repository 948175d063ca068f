#include <fmt/format.h>

#include "contact_problem_io/fclib_datasets.h"
#include "contact_problem_io/mixed_problem.h"
#include "contact_problem_io/problem_file.h"

namespace carom::inline contact_problem_io {
namespace {

constexpr int most_guesses = 1000;

Eigen::VectorXd as_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

void expect_size(const FclibDatasets& data, const std::string& name, const Eigen::SparseMatrix<double>& matrix,
                 Eigen::Index rows, Eigen::Index columns) {
  if (matrix.rows() == rows && matrix.cols() == columns) return;
  data.refuse(name, fmt::format("{} × {}", matrix.rows(), matrix.cols()), fmt::format("{} × {}", rows, columns),
              "the sizes in the file do not fit together");
}

// Space dimension and friction, once the number of rows of r is known.
void read_friction(const FclibDatasets& data, const std::string& group, Eigen::Index rows, const std::string& matrix,
                   StoredProblem& stored) {
  stored.dimension = data.integer(group + "/spacedim", 2, 5);
  if (stored.dimension > 3)
    data.refuse(group + "/spacedim", fmt::format("{}", stored.dimension), "2 or 3",
                "problems with rolling friction are not read");
  if (rows == 0 || rows % stored.dimension != 0)
    data.refuse(matrix, fmt::format("{} rows of impulses", rows),
                fmt::format("{} for each contact, by spacedim", stored.dimension), "correct what wrote the file");
  const std::size_t contacts = rows / stored.dimension;
  stored.friction = data.numbers(group + "/vectors/mu", contacts, "one per contact");
  for (std::size_t c = 0; c < contacts; ++c) {
    if (stored.friction[c] < 0)
      data.refuse(group + "/vectors/mu", fmt::format("{} as entry {}", stored.friction[c], c), "μ ≥ 0",
                  "correct what wrote the file");
  }
  stored.info = {data.text(group + "/info/title"), data.text(group + "/info/description"),
                 data.text(group + "/info/math_info")};
}

void read_local(const FclibDatasets& data, const std::filesystem::path& path, StoredProblem& stored) {
  const std::string group = "/fclib_local";
  const Eigen::SparseMatrix<double> w = data.matrix(group + "/W", most_problem_rows, most_problem_rows);
  expect_size(data, group + "/W", w, w.rows(), w.rows());
  read_friction(data, group, w.rows(), group + "/W", stored);
  MixedProblem mixed;
  mixed.delassus = w;
  mixed.free_velocity = as_vector(data.numbers(group + "/vectors/q", w.rows(), "the rows of W"));
  if (data.has(group + "/R") || data.has(group + "/V")) {
    const Eigen::SparseMatrix<double> r = data.matrix(group + "/R", most_problem_rows, most_problem_rows);
    const Eigen::SparseMatrix<double> v = data.matrix(group + "/V", most_problem_rows, most_problem_rows);
    expect_size(data, group + "/R", r, r.rows(), r.rows());
    expect_size(data, group + "/V", v, w.rows(), r.rows());
    mixed.constraints = r;
    mixed.coupling = v;
    mixed.coupling_transposed = mixed.coupling.transpose();
    mixed.constraint_offset = as_vector(data.numbers(group + "/vectors/s", r.rows(), "the rows of R"));
  }
  eliminate_constraints(mixed, path, stored);
}

void read_global(const FclibDatasets& data, const std::filesystem::path& path, StoredProblem& stored) {
  const std::string group = "/fclib_global";
  GlobalProblem global;
  global.mass = data.matrix(group + "/M", most_problem_dofs, most_problem_dofs);
  const Eigen::Index n = global.mass.rows();
  expect_size(data, group + "/M", global.mass, n, n);
  global.contacts = data.matrix(group + "/H", most_problem_dofs, most_problem_rows);
  const Eigen::Index m = global.contacts.cols();
  expect_size(data, group + "/H", global.contacts, n, m);
  read_friction(data, group, m, group + "/H", stored);
  global.load = as_vector(data.numbers(group + "/vectors/f", n, "the rows of M"));
  global.contact_offset = as_vector(data.numbers(group + "/vectors/w", m, "the columns of H"));
  global.constraints.resize(n, 0);
  if (data.has(group + "/G")) {
    global.constraints = data.matrix(group + "/G", most_problem_dofs, most_problem_rows);
    expect_size(data, group + "/G", global.constraints, n, global.constraints.cols());
    global.constraint_offset =
        as_vector(data.numbers(group + "/vectors/b", global.constraints.cols(), "the columns of G"));
  }
  stored.form.global = true;
  stored.form.degrees_of_freedom = static_cast<int>(n);
  eliminate_constraints(mixed_problem(global, path), path, stored);
}

StoredSolution read_solution(const FclibDatasets& data, const std::string& group, int rows) {
  return {data.numbers(group + "/r", rows, "the impulses of all contacts"),
          data.numbers(group + "/u", rows, "the local velocities of all contacts")};
}

}  // namespace

StoredProblem read_problem_file(const std::filesystem::path& path) {
  const FclibDatasets data(path);
  StoredProblem stored;
  const bool local = data.has("/fclib_local"), global = data.has("/fclib_global");
  if (!local && !global)
    data.refuse("/", "neither fclib_local nor fclib_global", "a contact problem in the FCLIB layout",
                data.has("/samples") ? "this is a result: carom run --save-problems writes problems"
                                     : "carom run --save-problems writes such files");
  if (local) {
    read_local(data, path, stored);
  } else {
    read_global(data, path, stored);
  }
  if (data.has("/solution")) stored.solution = read_solution(data, "/solution", stored.rows());
  if (data.has("/guesses/number_of_guesses")) {
    const int count = data.integer("/guesses/number_of_guesses", 0, most_guesses);
    for (int k = 1; k <= count; ++k)
      stored.guesses.push_back(read_solution(data, "/guesses/" + std::to_string(k), stored.rows()));
  }
  return stored;
}

}  // namespace carom::inline contact_problem_io
