#pragma once

#include <string>
#include <vector>

#include "analyses/assembly.h"
#include "integrators/smooth/contact_stepper.h"

// What happens before the first step: joints close, bodies that lie in each other are refused, and the user is reported
// what is better known beforehand.
namespace carom::inline simulation {

// Closes the joints from the state of the file. Those with clearance are closed as if they were ideal, which gives the
// velocities to start from; and the configuration, unless the file gives one in which the other joints are closed and
// journals lie in their bearings. They are let loose afterwards. So are ball bearings, whose balls are then put between
// their races. Throws InputError when joints stay open.
AssemblyReport assemble_start(System& system, const Model& model, State& state);
std::vector<std::string> assembly_warnings(const AssemblyReport& report);
std::string list_rows(const std::vector<RedundantRow>& rows);  // "joint (what), joint (what)"

// Throws InputError with all overlaps, if there are any.
void refuse_overlaps(const Model& model, const std::vector<InitialOverlap>& overlaps);

// s, the fixed step of the settings, or the usual one, made to fit into an interval where that is longer.
double fitting_step(const SolverSettings& settings, double interval);

// Of contacts by forces, once they have started: remarks on their laws, and a fixed step that is too long for their
// impacts.
std::vector<std::string> contact_warnings(const ContactPoints& contacts, const SolverSettings& settings);

}  // namespace carom::inline simulation
