#include "simulation/problem_saver.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/problem.h"
#include "base/version.h"
#include "contact_problem_io/problem_file.h"
#include "recording/result_types.h"

namespace carom::inline simulation {
namespace {

constexpr const char* mathematics =
    "local form: u = W r + q, K* ∋ u + μ |u_T| n ⊥ r ∈ K, by contact normal first; r in N s, u and q in m/s; q holds "
    "the "
    "free velocities at the end of the step and what restitution asks for";

void refuse_used(const std::filesystem::path& folder) {
  std::error_code error;
  const auto status = std::filesystem::status(folder, error);
  if (!std::filesystem::exists(status)) return;
  if (std::filesystem::is_directory(status) && std::filesystem::is_empty(folder, error)) return;
  ProblemList problems;
  problems.add({.key = "--save-problems",
                .found = std::filesystem::is_directory(status)
                             ? "the folder " + carom::quoted(folder.string()) + ", which is not empty"
                             : carom::quoted(folder.string()) + ", which is no folder",
                .expected = "a folder for the contact problems that can be made",
                .remedy = "move or remove it, or name the result otherwise with -o"});
  throw InputError(problems);
}

}  // namespace

ProblemSaver::ProblemSaver(const ProblemSaving& saving, const Model& model)
    : saving_(saving), model_(model.name), dimension_(model.planar ? 2 : 3) {
  refuse_used(saving_.folder);
  std::error_code error;
  std::filesystem::create_directories(saving_.folder, error);
  if (error)
    throw ResultError(fmt::format("cannot make the folder {} for contact problems: {}; choose another place with -o",
                                  saving_.folder.string(), error.message()));
}

void ProblemSaver::watch(NonsmoothIntegrator& integrator) {
  seen_.clear();
  if (steps_++ % saving_.every == 0) {
    integrator.observe_problems([this](const ContactProblem& problem, const ContactSolution& solution, double t) {
      note(problem, solution, t);
    });
  } else {
    integrator.observe_problems({});
  }
}

void ProblemSaver::note(const ContactProblem& problem, const ContactSolution& solution, double t) {
  std::optional<StoredProblem> stored;
  if (problem.rows > 0 && dimension_ * problem.contacts.size() <= static_cast<std::size_t>(most_problem_rows))
    stored = stored_problem(problem, dimension_);
  if (stored) {
    stored->solution = StoredSolution{stored_rows(problem, dimension_, solution.impulses),
                                      stored_rows(problem, dimension_, solution.velocities)};
  }
  seen_.push_back({t, stored ? std::move(*stored) : StoredProblem{}});
}

// A step that was taken again in halves has been seen with its end of before.
void ProblemSaver::write(double t) {
  std::erase_if(seen_, [&](const Seen& each) { return each.t != t; });
  for (std::size_t k = 0; k < seen_.size(); ++k) {
    StoredProblem& problem = seen_[k].problem;
    if (problem.friction.empty()) {
      ++saved_.left_out;
      continue;
    }
    problem.info = {model_,
                    fmt::format("step {} to t = {:.9g} s, problem {} of {}; written by carom {}", steps_, t, k + 1,
                                seen_.size(), carom_version),
                    mathematics};
    const std::string name = fmt::format("step_{:08}_t_{:.9g}_{:03}.hdf5", steps_, t, k + 1);
    write_problem_file(saving_.folder / name, problem);
    ++saved_.files;
  }
  seen_.clear();
}

}  // namespace carom::inline simulation
