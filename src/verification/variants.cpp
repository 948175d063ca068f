#include "verification/variants.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/problem.h"
#include "contacts/resolved_contacts.h"
#include "integrators/smooth/integrator.h"
#include "model_io/validate.h"
#include "simulation/start.h"
#include "verification/other_start.h"

namespace carom::inline verification {
namespace {

constexpr double finest_tolerance = 1e-13;  // relative: rounding is near
constexpr double fewest_samples_of_run = 1000;
constexpr double other_samples = 0.8;  // fifths of the model's interval, where the finest run has fourths
constexpr double near_exact = 1e-10;   // tolerance of a run beside one with fixed steps

bool takes_fixed_steps(const SolverSettings& solver) {
  return solver.step > 0 && (solver.integrator == "rk" || solver.integrator == "generalized-alpha");
}

std::string step_text(double seconds) {
  return fmt::format("{:.4g} s", seconds);
}

// The contact methods' own words for how finely they work.
std::string fineness(const Model& model) {
  const SolverSettings& solver = model.solver;
  if (solver.analysis == Analysis::statics)
    return solver.load_steps > 0 ? fmt::format("{} load steps", solver.load_steps) : "";
  const std::string samples = "samples every " + step_text(interval_of_samples(model));
  if (solver.analysis == Analysis::kinematic) return samples;
  std::string text;
  if (solver.method == ContactMethod::nonsmooth) {
    text = "step " + step_text(fitting_step(solver, interval_of_samples(model)));
  } else if (takes_fixed_steps(solver)) {
    text = "step " + step_text(solver.step);
  } else {
    text = fmt::format("tolerance {:.3g}", solver.tolerance);
    const double longest = solver.step > 0 ? solver.step : solver.max_step;
    if (longest > 0) text += ", steps up to " + step_text(longest);
  }
  return text + ", " + samples;
}

std::string method_text(const Model& model) {
  const SolverSettings& solver = model.solver;
  if (solver.analysis != Analysis::dynamic) return carom::name_of(solver.analysis) + " analysis";
  if (solver.method == ContactMethod::nonsmooth) return "nonsmooth, " + solver.scheme;
  const std::string constraints =
      solver.constraints == ConstraintTreatment::index2 ? " with constraints of index 2" : "";
  return solver.integrator + constraints;
}

std::string joined(const std::string& first, const std::string& second) {
  return second.empty() ? first : first + ", " + second;
}

// Empty: the model can be run.
std::string complaint_about(const Model& model) {
  ProblemList problems;
  validate(model, problems);
  for (const Problem& problem : problems.all())
    if (problem.severity == Severity::error) return to_text(problem);
  return "";
}

ModelVariant finished(Role role, const std::string& name, const std::string& change, Model model) {
  std::string impossible = complaint_about(model);
  return {role, name, change, std::move(impossible), std::move(model)};
}

// Into so many parts the interval of samples is cut besides, where they are too few to find a peak.
double more_samples(const Model& model) {
  const double samples = (model.solver.end - model.solver.start) / interval_of_samples(model);
  return std::max(1.0, std::ceil(fewest_samples_of_run / samples - 1e-9));
}

// Level 1 is finer, level 2 finest.
Model refined(Model model, int level, double longest_step) {
  SolverSettings& solver = model.solver;
  const double half = std::pow(0.5, level), tolerance = solver.tolerance * std::pow(0.1, level);
  const double own_interval = interval_of_samples(model);
  model.output.every = half * own_interval / more_samples(model);
  if (solver.analysis == Analysis::statics) {
    solver.load_steps *= 1 << level;
    return model;
  }
  if (solver.method == ContactMethod::nonsmooth) solver.step = fitting_step(solver, own_interval);  // the model's own
  for (double* step : {&solver.step, &solver.max_step, &solver.first_step}) *step *= half;
  if (solver.method == ContactMethod::nonsmooth) return model;
  solver.penetration_tolerance *= std::pow(0.1, level);
  if (tolerance < 0.9 * finest_tolerance && !takes_fixed_steps(solver) && longest_step > 0)
    solver.max_step = solver.max_step > 0 ? std::min(solver.max_step, half * longest_step) : half * longest_step;
  solver.tolerance = std::min(solver.tolerance, std::max(finest_tolerance, tolerance));
  return model;
}

ModelVariant finer(const Model& model, int level, double longest_step) {
  Model own = refined(model, level, longest_step);
  const std::string change = fineness(own);
  return finished(level == 1 ? Role::finer : Role::finest, level == 1 ? "finer" : "finest", change, std::move(own));
}

// Another family, for motions as stiff as the one that was used found them.
void choose_another(SolverSettings& solver, const std::string& used) {
  const bool reduced_index = solver.constraints == ConstraintTreatment::index2;
  if (used.find("bdf") != std::string::npos) {
    if (reduced_index) {
      solver.integrator = "generalized-alpha";
    } else {
      solver.integrator = "bdf", solver.constraints = ConstraintTreatment::index2;
    }
  } else if (reduced_index) {
    solver.integrator = "bdf";
  } else {
    solver.integrator = used.find("adams") != std::string::npos ? "rk" : "adams";
  }
}

ModelVariant with_other_scheme(const Model& model) {
  Model other = refined(model, 2, 0);
  other.solver.scheme = model.solver.scheme == "decoupled" ? "moreau-jean" : "decoupled";
  if (!complaint_about(other).empty()) other.solver.type_settings = {};  // keys of the scheme left
  const std::string change = joined(method_text(other), fineness(other));
  return finished(Role::other_integrator, "other integrator", change, std::move(other));
}

ModelVariant with_other_integrator(const Model& model, const RunSummary& own) {
  if (model.solver.method == ContactMethod::nonsmooth) return with_other_scheme(model);
  Model other = refined(model, 2, own.statistics.largest_step);
  other.output.every *= other_samples;
  if (takes_fixed_steps(model.solver)) {
    other.solver.step = 0, other.solver.tolerance = std::min(near_exact, other.solver.tolerance);
    other.solver.integrator = "auto";
  } else {
    choose_another(other.solver, own.integrator);
  }
  if (other.solver.method == ContactMethod::compliant) {
    // Bristles of friction are internal states, which not every integrator takes.
    const auto* chosen = find_integrator(other.solver.integrator);
    const bool index2 = other.solver.constraints == ConstraintTreatment::index2;
    const auto system = System::create(other);
    if (system->bristle_size() > 0 && (index2 || !chosen->integrates_bristles)) {
      other.solver.constraints = model.solver.constraints;
      other.solver.integrator = "rk";
    }
  }
  const std::string change = joined(method_text(other), fineness(other));
  return finished(Role::other_integrator, "other integrator", change, std::move(other));
}

// A kinematic analysis knows no forces of inertia until it is done; the equations of motion go the other way.
ModelVariant by_dynamics(const Model& model) {
  Model other = refined(model, 2, 0);
  other.solver.analysis = Analysis::dynamic;
  other.solver.tolerance = std::min(near_exact, other.solver.tolerance);
  const std::string change = "equations of motion, " + method_text(other) + ", " + fineness(other);
  return finished(Role::other_integrator, "other integrator", change, std::move(other));
}

Model with_other_method(const Model& model) {
  Model other = model;
  SolverSettings& solver = other.solver;
  if (solver.method == ContactMethod::compliant) {
    solver.method = ContactMethod::nonsmooth;
    return other;
  }
  solver.method = ContactMethod::compliant;
  // Steps of the nonsmooth method pass over impacts, those of this one have to follow them.
  solver.step = solver.max_step = solver.first_step = 0;
  if (solver.integrator == "generalized-alpha") solver.integrator = "auto";
  return other;
}

void add_other_method(const Model& model, std::vector<ModelVariant>& variants) {
  if (resolve_contacts(model).empty()) return;
  const Model other = with_other_method(model);
  const std::string method = carom::name_of(other.solver.method);
  variants.push_back(finished(Role::other_method, "other method", joined(method, fineness(other)), other));
  if (!variants.back().impossible.empty()) return;
  const Model fine = refined(other, 1, 0);
  variants.push_back(finished(Role::other_method_finer, "other method, finer", joined(method, fineness(fine)), fine));
}

}  // namespace

double interval_of_samples(const Model& model) {
  return model.output.every > 0 ? model.output.every : (model.solver.end - model.solver.start) / 1000;
}

Refinement refinement_of(const Model& model) {
  const SolverSettings& solver = model.solver;
  if (solver.analysis == Analysis::kinematic) return Refinement::samples;
  if (solver.analysis == Analysis::statics) return solver.load_steps > 0 ? Refinement::load_steps : Refinement::nothing;
  const bool steps = solver.method == ContactMethod::nonsmooth || takes_fixed_steps(solver);
  return steps ? Refinement::step : Refinement::tolerance;
}

const std::string& name_of(Refinement refinement) {
  static const std::vector<std::string> names = {"tolerance", "step", "load steps", "samples", "nothing"};
  return names[static_cast<std::size_t>(refinement)];
}

ModelVariant as_it_stands(const Model& model) {
  return {Role::model, "model", joined(method_text(model), fineness(model)), "", model};
}

std::vector<ModelVariant> variants_of(const Model& model, const RunSummary& own) {
  std::vector<ModelVariant> variants;
  if (refinement_of(model) != Refinement::nothing)
    for (const int level : {1, 2}) variants.push_back(finer(model, level, own.statistics.largest_step));
  if (model.solver.analysis == Analysis::statics) {
    if (model.solver.load_steps == 0)
      variants.push_back(
          {Role::other_start, "other start",
           fmt::format("bodies moved by {:g} of the size of the model before equilibrium is sought", moved_by), "",
           model});
  } else if (model.solver.analysis == Analysis::kinematic) {
    variants.push_back(by_dynamics(model));
  } else {
    variants.push_back(with_other_integrator(model, own));
    add_other_method(model, variants);
  }
  return variants;
}

}  // namespace carom::inline verification
