#pragma once

#include <string>
#include <vector>

#include "simulation/run.h"

// The runs that a model is judged by: itself, and others that should give the same answers.
namespace carom::inline verification {

enum class Role { model, finer, finest, other_integrator, other_method, other_method_finer, other_start };

// What makes a run finer.
enum class Refinement { tolerance, step, load_steps, samples, nothing };

struct ModelVariant {
  Role role = Role::model;
  std::string name, change;     // for people: "finer", "tolerance 1e-9, samples every 0.5 ms"
  std::string impossible = {};  // why it cannot be run; empty: it can
  Model model = {};
};

// s, between samples.
double interval_of_samples(const Model& model);

Refinement refinement_of(const Model& model);
// "step", "tolerance" …
const std::string& name_of(Refinement refinement);

ModelVariant as_it_stands(const Model& model);

// The others, once the run of the model itself is known:
//
// - finer, finest: tolerances of a tenth and a hundredth, steps and intervals of samples of a half and a quarter, and
// at
//   least 2000 and 4000 samples. Where
//   a tenth of the tolerance would be rounding, the longest step of the model's run is halved instead.
// - other integrator: of another family, as fine as the finest; of the nonsmooth method another scheme; of a kinematic
//   analysis the equations of motion.
// - other method: where something can touch; once more with half the step or a tenth of the tolerance.
// - other start, of a static analysis without load steps: bodies moved a little.
std::vector<ModelVariant> variants_of(const Model& model, const RunSummary& own);

}  // namespace carom::inline verification
