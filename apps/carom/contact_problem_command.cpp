#include <chrono>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/protected_files.h"
#include "commands.h"
#include "contact_problem_io/problem_file.h"
#include "contact_problem_io/problem_properties.h"
#include "documents/check_value.h"
#include "impact/contact_solver.h"
#include "impact/problem_solver.h"
#include "json_text.h"
#include "option_quantity.h"
#include "output_path.h"

namespace carom {
namespace {

struct ProblemArguments {
  std::string file, output, solver = "auto", guess = "zero";
  double tolerance = ProblemSolverSettings{}.tolerance;
  int max_iterations = 0;
  bool json = false;
};

void print_line(const char* what, const std::string& value) {
  fmt::print("  {:<14}{}\n", what, value);
}

std::string size_text(const StoredProblem& problem) {
  const StoredForm& form = problem.form;
  std::string text = fmt::format("{} in {}", problem.contacts(), problem.dimension == 2 ? "the plane" : "space");
  if (form.global) text += fmt::format("; reduced from {} degrees of freedom", form.degrees_of_freedom);
  if (form.constraints > 0) {
    text += fmt::format("; {} equality constraints eliminated", form.constraints);
    if (form.dependent > 0) text += fmt::format(", {} of them redundant", form.dependent);
  }
  return text;
}

std::string friction_text(const ProblemProperties& properties) {
  if (properties.least_friction == properties.largest_friction) return fmt::format("{:g}", properties.least_friction);
  return fmt::format("{:g} to {:g}", properties.least_friction, properties.largest_friction);
}

void print_head(const ProblemArguments& arguments, const StoredProblem& problem, const ProblemProperties& properties) {
  fmt::print("{}{}{}\n", arguments.file, problem.info.title.empty() ? "" : ": ", problem.info.title);
  print_line("contacts", size_text(problem));
  print_line("friction", friction_text(properties));
}

nlohmann::ordered_json head_json(const ProblemArguments& arguments, const StoredProblem& problem,
                                 const ProblemProperties& properties) {
  nlohmann::ordered_json json = {{"file", arguments.file},
                                 {"title", problem.info.title},
                                 {"form", problem.form.global ? "global" : "local"},
                                 {"contacts", problem.contacts()},
                                 {"dimension", problem.dimension},
                                 {"rows", problem.rows()},
                                 {"least_friction", properties.least_friction},
                                 {"largest_friction", properties.largest_friction}};
  if (problem.form.global) json["degrees_of_freedom"] = problem.form.degrees_of_freedom;
  json["constraints"] = problem.form.constraints;
  json["redundant_constraints"] = problem.form.dependent;
  return json;
}

// What the natural map says of the solution that came with the file.
struct Judgement {
  CoulombResidual residual;
  double merit = 0;
};

Judgement judge(const StoredProblem& problem, const std::vector<double>& r) {
  const CoulombResidual residual = coulomb_residual(contact_problem(problem), r);
  return {residual, fclib_merit(problem, residual.unweighted)};
}

void print_spectrum(const StoredProblem& problem, const ProblemProperties& properties) {
  if (!properties.spectrum) {
    print_line("rank", fmt::format("not computed for more than {} rows", most_spectrum_rows));
    return;
  }
  const DelassusSpectrum& spectrum = *properties.spectrum;
  const int redundant = problem.rows() - spectrum.rank;
  print_line("rank", fmt::format("{} of {}{}", spectrum.rank, problem.rows(),
                                 redundant > 0 ? fmt::format(", {} redundant", redundant) : ""));
  print_line("condition", fmt::format("{:.3g} on the range of W, eigenvalues {:.3g} to {:.3g}", spectrum.condition(),
                                      spectrum.least, spectrum.largest));
}

int show_info(const ProblemArguments& arguments) {
  const StoredProblem problem = read_problem_file(arguments.file);
  const ProblemProperties properties = properties_of(problem);
  std::optional<Judgement> stored;
  if (problem.solution) stored = judge(problem, problem.solution->r);
  if (arguments.json) {
    nlohmann::ordered_json json = head_json(arguments, problem, properties);
    json["description"] = problem.info.description;
    json["approaching"] = properties.approaching;
    json["density"] = properties.density;
    json["asymmetry"] = properties.asymmetry;
    if (properties.spectrum) {
      json["rank"] = properties.spectrum->rank;
      json["condition"] = properties.spectrum->condition();
      json["eigenvalues"] = {properties.spectrum->least, properties.spectrum->largest};
    }
    json["guesses"] = problem.guesses.size();
    if (stored) json["solution"] = {{"residual", stored->residual.relative}, {"fclib_merit", stored->merit}};
    fmt::print("{}\n", to_utf8(json));
    return exit_done;
  }
  print_head(arguments, problem, properties);
  if (!problem.info.description.empty()) print_line("about", problem.info.description);
  print_line("approaching", fmt::format("{} contacts, by their free velocity", properties.approaching));
  print_line("W", fmt::format("{} × {}, {:.3g} % filled, asymmetry {:.2g}", problem.rows(), problem.rows(),
                              100 * properties.density, properties.asymmetry));
  print_spectrum(problem, properties);
  print_line("solution",
             stored ? fmt::format("natural map {:.3g}, FCLIB merit {:.3g}", stored->residual.relative, stored->merit)
                    : "none in the file");
  print_line("guesses", std::to_string(problem.guesses.size()));
  return exit_done;
}

// "newton" rather than "direct": what the method is called elsewhere.
const std::string& common_name(const ContactSolverDescription& solver) {
  return solver.aliases.empty() ? solver.name : solver.aliases.front();
}

std::vector<std::string> solver_names(const ContactSolverDescription* but = nullptr) {
  std::vector<std::string> names;
  for (const ContactSolverDescription& each : contact_solver_catalogue()) {
    if (&each != but) names.push_back(common_name(each));
  }
  return names;
}

// "gauss-seidel 10 to 3e-2, newton 4 to 2e-12": what a solver with several methods did, and what each left.
std::string stages_text(const std::vector<SolverStage>& stages) {
  std::string text;
  for (const SolverStage& stage : stages)
    text += fmt::format("{}{} {} to {:.2g}", text.empty() ? "" : ", ", stage.method, stage.iterations, stage.residual);
  return text;
}

ProblemSolverSettings settings_of(const ProblemArguments& arguments) {
  if (!find_contact_solver(arguments.solver))
    refuse("--solver", carom::quoted(arguments.solver), alternatives(solver_names()));
  ProblemSolverSettings settings{
      .solver = arguments.solver, .tolerance = arguments.tolerance, .max_iterations = arguments.max_iterations};
  if (!(arguments.tolerance > 0)) refuse("--tolerance", fmt::format("{}", arguments.tolerance), "a number > 0");
  return settings;
}

// The first impulses, where the user asks for those of the file.
std::vector<double> first_guess(const ProblemArguments& arguments, const StoredProblem& problem) {
  if (arguments.guess == "zero") return {};
  if (arguments.guess != "file") refuse("--guess", carom::quoted(arguments.guess), "zero or file");
  if (!problem.guesses.empty()) return problem.guesses.front().r;
  refuse("--guess", "file, and the file has none", "a file with /guesses", "leave the option out");
}

struct Contacts {
  int open = 0, sticking = 0, slipping = 0;
};

// By impulses and bounds alone: one that bears nothing is open, one at its bound slips.
Contacts count_contacts(const ContactProblem& problem, const SolvedProblem& solved) {
  constexpr double near = 1e-6;
  double largest = 0;
  for (const ProblemContact& contact : problem.contacts) largest = std::max(largest, solved.impulses[contact.row]);
  Contacts counts;
  for (const ProblemContact& contact : problem.contacts) {
    const FrictionBall& ball = problem.balls[contact.first_ball];
    double square = 0;
    for (int k = 0; k < ball.size; ++k) square += solved.impulses[ball.row + k] * solved.impulses[ball.row + k];
    const double normal = solved.impulses[contact.row];
    if (!(normal > near * near * largest)) {
      ++counts.open;
    } else if (std::sqrt(square) >= (1 - near) * ball.radius * normal) {
      ++counts.slipping;
    } else {
      ++counts.sticking;
    }
  }
  return counts;
}

void report_solution(const ProblemArguments& arguments, const StoredProblem& stored, const ContactProblem& problem,
                     const SolvedProblem& solved, double seconds) {
  const ProblemProperties properties = properties_of(stored);
  const Contacts counts = count_contacts(problem, solved);
  const double merit = fclib_merit(stored, solved.residual.unweighted);
  if (arguments.json) {
    nlohmann::ordered_json json = head_json(arguments, stored, properties);
    json["solver"] = arguments.solver;
    json["tolerance"] = arguments.tolerance;
    json["converged"] = solved.converged;
    json["iterations"] = solved.iterations;
    json["stages"] = nlohmann::ordered_json::array();
    for (const SolverStage& stage : solved.stages)
      json["stages"].push_back(
          {{"method", stage.method}, {"iterations", stage.iterations}, {"residual", stage.residual}});
    json["residual"] = solved.residual.relative;
    json["fclib_merit"] = merit;
    json["worst_contact"] = solved.residual.worst;
    json["open"] = counts.open;
    json["sticking"] = counts.sticking;
    json["slipping"] = counts.slipping;
    if (properties.spectrum) json["rank"] = properties.spectrum->rank;
    json["wall_seconds"] = seconds;
    fmt::print("{}\n", to_utf8(json));
    return;
  }
  print_head(arguments, stored, properties);
  print_spectrum(stored, properties);
  print_line("solver", arguments.solver);
  print_line("iterations", std::to_string(solved.iterations));
  if (!solved.stages.empty()) print_line("stages", stages_text(solved.stages));
  print_line("natural map",
             fmt::format("{:.3g} relative, {} at most asked for", solved.residual.relative, arguments.tolerance));
  print_line("FCLIB merit", fmt::format("{:.3g}", merit));
  print_line("result", fmt::format("{} open, {} sticking, {} slipping", counts.open, counts.sticking, counts.slipping));
  print_line("time", fmt::format("{:.3g} s", seconds));
}

int solve_file(const ProblemArguments& arguments) {
  const ProblemSolverSettings settings = settings_of(arguments);
  StoredProblem stored = read_problem_file(arguments.file);
  const std::filesystem::path output =
      arguments.output.empty() ? std::filesystem::path() : output_path(arguments.file, arguments.output);
  if (!output.empty()) require_replaceable(output, [](const auto&) { return true; });  // never what it reads
  const ContactProblem problem = contact_problem(stored);
  const std::vector<double> guess = first_guess(arguments, stored);
  const auto start = std::chrono::steady_clock::now();
  const SolvedProblem solved = solve_problem(problem, settings, guess);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  report_solution(arguments, stored, problem, solved, seconds.count());
  if (!output.empty()) {
    stored.solution = StoredSolution{solved.impulses, solved.velocities};
    write_problem_file(output, stored);
  }
  if (solved.converged) return exit_done;
  fmt::print(stderr,
             "carom: {}: not solved: after {} iterations the natural map is {:.3g}, worst at contact {}, and {:g} was "
             "asked for; try --solver {}, more --max-iterations or a larger --tolerance\n",
             arguments.file, solved.iterations, solved.residual.relative, solved.residual.worst, settings.tolerance,
             alternatives(solver_names(find_contact_solver(arguments.solver))));
  return exit_failed;
}

// "200 of newton, 20000 of gauss-seidel"
std::string usual_iterations() {
  std::string text;
  for (const ContactSolverDescription& each : contact_solver_catalogue())
    text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", each.usual_iterations, common_name(each));
  return text;
}

}  // namespace

void add_contact_problem_command(Command app, int& exit_code) {
  auto arguments = std::make_shared<ProblemArguments>();
  Command command =
      app.add_subcommand("contact-problem", "Solve a contact problem from a file (FCLIB), or report what it holds");
  command.require_subcommand();
  Command solve = command.add_subcommand("solve", "Solve the problem and judge the result by its natural map");
  solve.add_option("FILE", arguments->file, "contact problem in the FCLIB layout (HDF5)").required();
  solve.add_option("--solver", arguments->solver, alternatives(solver_names()) + "; default: auto");
  solve.add_option("--tolerance", arguments->tolerance, "of the natural map, relative; default: 1e-8");
  solve.add_option("--max-iterations", arguments->max_iterations, "default: " + usual_iterations()).positive();
  solve.add_option("--guess", arguments->guess, "impulses to start from: zero, or file for its first guess");
  solve.add_option("-o,--output", arguments->output,
                   "write the problem in its local form, with the solution, to this file");
  solve.add_flag("--json", arguments->json, "as JSON");
  solve.callback([arguments, &exit_code] { exit_code = solve_file(*arguments); });
  Command info = command.add_subcommand("info", "Report size, friction, rank and conditioning of the problem");
  info.add_option("FILE", arguments->file, "contact problem in the FCLIB layout (HDF5)").required();
  info.add_flag("--json", arguments->json, "as JSON");
  info.callback([arguments, &exit_code] { exit_code = show_info(*arguments); });
}

}  // namespace carom
