#pragma once

#include <atomic>

#include "model/model.h"
#include "signals/chaos.h"

// The largest Lyapunov exponent of a model: how fast motions that begin near each other part, or come together.
namespace carom::inline simulation {

// Motions are told apart by positions, in parts of the typical length of the model, by angles, in rad, and by both
// velocities times interval/2π.
struct ModelLyapunovSettings {
  double interval = 0;       // s, between renormalisations
  double from = 0, to = 0;   // s, what is counted; before it the difference turns into its direction
  double separation = 1e-6;  // of two motions, as reported above
};

// The longest time that mean and error need: so many intervals.
constexpr int fewest_intervals = 10;

// From two motions of the model that are kept near each other (Benettin, Galgani and Strelcyn 1976, and A. Stefański,
// Chaos Solitons Fractals 11 (2000) 2443–2451, for impacts). They are integrated to a ten-thousandth of the separation,
// or better if the model asks for it. Throws ComputationError where a motion cannot be carried on, where nothing can
// move differently, and where less than ten intervals are left; InputError as a run does.
LyapunovEstimate model_lyapunov_by_separation(const Model& model, const ModelLyapunovSettings& settings,
                                              const std::atomic<bool>* interrupted = nullptr);

// From the equations of motion linearised about one motion, whose derivatives are central differences along the
// difference that is followed: exact but for about 1e-10. Throws ComputationError as above, and for models with
// contacts or elements that act one-sidedly, whose motions are not smooth.
LyapunovEstimate model_lyapunov_by_variation(const Model& model, const ModelLyapunovSettings& settings,
                                             const std::atomic<bool>* interrupted = nullptr);

// Why the second way is closed to a model; empty: it is open.
std::string not_smooth_because(const Model& model);

}  // namespace carom::inline simulation
