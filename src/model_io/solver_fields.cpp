#include "model_io/field_tables.h"
#include "model_io/sections.h"
#include "model_io/solver_tables.h"

namespace carom::inline model_io {
namespace {

Fields<SolverSettings> what_is_computed() {
  using S = SolverSettings;
  return {field(&S::analysis, {.name = "analysis", .meaning = "what is computed", .default_text = "{}"}),
          field(&S::method, {.name = "method", .meaning = "how contact is treated", .default_text = "{}"}),
          field(&S::start, {.name = "start", .unit = "s", .meaning = "start of the time span", .default_text = "{}"}),
          field(&S::end, {.name = "end", .unit = "s", .meaning = "end of the time span", .default_text = "{}"})};
}

Fields<SolverSettings> integration() {
  using S = SolverSettings;
  return {
      field(&S::integrator, {.name = "integrator",
                             .meaning = "time integration; `auto` chooses by the model and by how it goes",
                             .default_text = "{}",
                             .choices = solver_choice("integrator").names()}),
      field(&S::tolerance, {.name = "tolerance",
                            .meaning = "relative tolerance of the integrator",
                            .default_text = "{}",
                            .minimum = 0,
                            .maximum = 1e-2,
                            .minimum_allowed = false}),
      field(&S::step,
            {.name = "step",
             .unit = "s",
             .meaning = "fixed step of generalized-alpha and of the non-smooth method",
             .default_text = "chosen by the tolerance; non-smooth: a thousandth of the time span, 1 ms at most",
             .minimum = 0,
             .minimum_allowed = false}),
      field(&S::first_step, {.name = "first_step",
                             .unit = "s",
                             .meaning = "first step of the others",
                             .default_text = "chosen",
                             .minimum = 0,
                             .minimum_allowed = false}),
      field(&S::max_step, {.name = "max_step",
                           .unit = "s",
                           .meaning = "largest step",
                           .default_text = "no bound",
                           .minimum = 0,
                           .minimum_allowed = false}),
      // The reader has another default for some models.
      always(field(&S::rho_infinity,
                   {.name = "rho_infinity",
                    .meaning = "spectral radius at infinite frequency, generalized-alpha; 1: no numerical damping",
                    .default_text = "{}; non-smooth method with beams: 0",
                    .minimum = 0,
                    .maximum = 1})),
      field(&S::constraints, {.name = "constraints", .meaning = "how the constraints are kept", .default_text = "{}"})};
}

Fields<SolverSettings> beginning_contacts() {
  using S = SolverSettings;
  return {field(&S::penetration_control,
                {.name = "penetration_control",
                 .meaning = "how the start of a contact is met: by root finding, by shorter steps, by linear "
                            "interpolation (for comparison), not at all",
                 .default_text = "{}"}),
          field(&S::penetration_tolerance, {.name = "penetration_tolerance",
                                            .unit = "m",
                                            .meaning = "deepest start of a contact",
                                            .default_text = "{} m",
                                            .minimum = 0,
                                            .minimum_allowed = false}),
          field(&S::smallest_step, {.name = "smallest_step",
                                    .unit = "s",
                                    .meaning = "of `penetration_control = \"reject\"`: shorter steps are not tried",
                                    .default_text = "as short as penetration_tolerance asks for",
                                    .minimum = 0,
                                    .minimum_allowed = false})};
}

Fields<SolverSettings> nonsmooth_method() {
  using S = SolverSettings;
  return {
      field(&S::scheme, {.name = "scheme",
                         .meaning = "of the non-smooth method",
                         .default_text = "{}",
                         .choices = solver_choice("scheme").names()}),
      field(&S::impacts, {.name = "impacts",
                          .meaning = "several at once in the non-smooth method: passed on one after the other, or "
                                     "Newton's law for all together",
                          .default_text = "{}"}),
      field(&S::contact_solver, {.name = "contact_solver",
                                 .meaning = "of the non-smooth method: how contact problems are solved",
                                 .default_text = "{}",
                                 .choices = solver_choice("contact_solver").names()}),
      field(&S::load_steps, {.name = "load_steps",
                             .meaning = "of a static analysis: equilibria at so many times after the start, evenly "
                                        "up to the end, each from the one before; forces and drives may grow with t",
                             .default_text = "one equilibrium, at the start",
                             .minimum = 1,
                             .maximum = 1000000}),
      field(&S::inputs,
            {.name = "inputs", .meaning = "of a linear analysis: signals of type held that act from outside"}),
      field(&S::outputs, {.name = "outputs", .meaning = "of a linear analysis: signals that are looked at"}),
      field(&S::contact_tolerance,
            {.name = "contact_tolerance",
             .meaning =
                 "of the Gauss–Seidel iterations: error of velocities and places, as a part of what the weight does in "
                 "one step",
             .default_text = "{}",
             .minimum = 0,
             .maximum = 100,
             .minimum_allowed = false})};
}

// Of all schemes and solvers together; which of them go together is said by the validation.
Fields<SolverSettings> keys_of_types() {
  Fields<SolverSettings> fields;
  for (const SolverChoice& choice : solver_choices()) {
    for (const TypeDescription* type : choice.types) {
      for (const ParameterDescription& row : type->parameters) {
        if (!find_row(fields.rows(), row.name)) fields.add(kept_in(&SolverSettings::type_settings, row));
      }
    }
  }
  return fields;
}

}  // namespace

const Fields<SolverSettings>& solver_fields() {
  static const Fields<SolverSettings> all = [] {
    Fields<SolverSettings> fields;
    for (const auto& part :
         {what_is_computed(), integration(), beginning_contacts(), nonsmooth_method(), keys_of_types()})
      fields.add(part);
    return fields;
  }();
  return all;
}

const Fields<SolverSettings>& baumgarte_fields() {
  static const Fields<SolverSettings> all = {
      field(&SolverSettings::baumgarte_alpha,
            {.name = "alpha", .unit = "1/s", .meaning = "α", .default_text = "{}", .minimum = 0}),
      field(&SolverSettings::baumgarte_beta,
            {.name = "beta", .unit = "1/s", .meaning = "β", .default_text = "{}", .minimum = 0})};
  return all;
}

const Fields<OutputSettings>& output_fields() {
  static const Fields<OutputSettings> all = {
      field(&OutputSettings::every, {.name = "every",
                                     .unit = "s",
                                     .meaning = "interval of samples",
                                     .default_text = "a thousandth of the time span",
                                     .minimum = 0,
                                     .minimum_allowed = false}),
      field(&OutputSettings::record,
            {.name = "record",
             .meaning = "patterns of quantities: body:*, joint:pin, motion:*, force:*, contact:*, bearing:*, energy",
             .default_text = "everything"}),
      field(&OutputSettings::compress,
            {.name = "compress",
             .meaning = "compresses the result file when the run has ended: smaller, and slower to read and to write",
             .default_text = "false"})};
  return all;
}

const Fields<Model>& model_fields() {
  static const Fields<Model> all = {
      field(&Model::name, {.name = "name", .meaning = "title of the model"}),
      field_by<Model>(
          {.name = "plane",
           .kind = ParameterKind::choice,
           .meaning = "makes the model planar: three degrees of freedom per body",
           .default_text = "spatial",
           .choices = {"xy"}},
          [](const Model& model, bool) { return std::string(model.planar ? "xy" : ""); },
          [](Model& model, const Value&, bool) { model.planar = true; }),
      field(&Model::gravity, {.name = "gravity", .unit = "m/s^2", .meaning = "acceleration", .default_text = "{}"})};
  return all;
}

}  // namespace carom::inline model_io
