#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "impact/contact_solution.h"
#include "integrators/smooth/integrator.h"

// Time stepping with impacts as jumps of the velocity. Steps are much longer than an impact; what happens inside a step
// is not resolved, and contacts open and close with the steps.
namespace carom::inline nonsmooth_integrators {

struct SubproblemStatistics {
  long solved = 0, iterations = 0;
  int most = 0;  // iterations of one

  void add(int count) {
    ++solved;
    iterations += count;
    most = count > most ? count : most;
  }
};

// Large: one count or extreme of each kind, which the summary prints one by one.
struct NonsmoothStatistics {
  SubproblemStatistics smooth, position, velocity;
  long impacts = 0;        // as many as are logged: contacts that closed with a speed, and what closed ones passed on
  long passed_on = 0;      // of these: impulses that contacts which were closed before passed on
  int most_problems = 0;   // of one sequence of impacts
  long cut_sequences = 0;  // that did not end by themselves: what was left was taken as plastic
  long line_searches = 0, gauss_seidel_iterations = 0, halved_steps = 0;
  long unsettled = 0;  // islands that projected Gauss–Seidel left above its tolerance, too large to be assembled
  // Steps whose iterations had a finer tolerance than was asked for, because contacts would have given energy; and the
  // finest.
  long finer_steps = 0;
  double finest_tolerance = std::numeric_limits<double>::infinity();
  // Contact problems whose iterations left impulses that would have given energy, and which were scaled down, and the
  // most that one would have given, J.
  long scaled_solutions = 0;
  double scaled_gain = 0;
  long handed_over = 0;   // problems that the chosen solver left to Newton's method
  long left_torques = 0;  // steps whose impulses changed gyroscopic torques so much that the next one got the change
  long passages = 0;      // steps whose corrections pushed bodies through each other
  std::string passed_contact;
  long left_overlaps = 0;          // steps that left overlaps of a heap, beyond the tolerance, to the next ones
  double largest_penetration = 0;  // m, at the end of a step
  std::string deepest_contact;
  double complementarity = 0;  // m/s, largest error of the contact laws, measured on the velocities that came out
  double energy_gain = 0;      // J, largest in one impact: rounding
  std::string gaining_contact;
  // Impacts whose restitution was reduced so that they gain no energy: how many, the largest gain avoided (J), and the
  // first of them (s).
  long reduced_impacts = 0;
  double avoided_gain = 0, reduced_time = 0;
  std::string reduced_contact;
  bool reduced_newton = true;  // by the law of Newton
};

// A contact that closed at a speed, at the end of the step in which it did; or one that was closed without a speed of
// its own and passed on the impulse of another one. The latter has no speed of approach, its impulse is what it bore
// above the load of the step before, and that load.
struct ImpactEvent {
  double t = 0;
  std::string contact;
  int group = 0;                                      // of contacts, that it belongs to
  double approach_speed = 0, separation_speed = 0;    // m/s, ≥ 0 before; after
  double normal_impulse = 0, tangential_impulse = 0;  // N s
  // For the force behind the impulse: the mass that the contact feels, with all that is constrained to its bodies (kg);
  // the speed at the instant of touch inside the step (m/s); K of the elastic force K δⁿ, 0 where the model does not
  // tell it; what presses the bodies together besides (N); and the restitution of the contact, which the speeds before
  // and after the step do not show where one impact follows another.
  double effective_mass = 0, impact_speed = 0, stiffness = 0, load = 0;
  double axis_ratio = 1;  // b/a of the ellipse of contact
  double restitution = 1;
  // Of a light body squeezed between two others both contacts are one spring: mass, speed and load are then those of
  // their common compression, and this is K of the other one; 0: none.
  double backing_stiffness = 0;
};

// Called with a contact problem of a velocity jump as it was solved, its solution in the rows of the problem, and the
// end of the step (s). A step that is taken again in halves has been shown with its first end before. Solvers that do
// not assemble the Delassus operator assemble it for the observer, up to a size; beyond it the problem has no
// rows.
inline constexpr int most_observed_rows = 10'000;
using ProblemObserver = std::function<void(const ContactProblem&, const ContactSolution&, double t)>;

class NonsmoothIntegrator : public Integrator {
 public:
  // From the next step on; an empty one: nobody looks, and nothing is spent on it.
  virtual void observe_problems(ProblemObserver observer) = 0;
  virtual const NonsmoothStatistics& contact_statistics() const = 0;
  // Goes on with the counts of another one.
  virtual void continue_counts(const NonsmoothStatistics& counts) = 0;
  // Since they were last cleared, by the caller.
  virtual std::vector<ImpactEvent>& impacts() = 0;
  // Of the last step, means over it: what impulses did is in them.
  virtual const Eigen::VectorXd& accelerations() const = 0;
  virtual const Eigen::VectorXd& multipliers() const = 0;
  // Things that a user should know, each said once.
  virtual const std::vector<std::string>& remarks() const = 0;
  // Goes on from a state that differs from that of the last step in its internal states and its work only.
  virtual void change_internal(const State& state) = 0;
  // Bodies were put elsewhere: what the last step has closed is open until the next one.
  virtual void forget_contacts() = 0;
  // Contacts that are deeper than the tolerance, which the model does not allow.
  virtual std::vector<InitialOverlap> initial_overlaps(const State& state, double tolerance) = 0;
};

// By the scheme that the settings name. The system must have been built for the non-smooth method, and outlive it.
std::unique_ptr<NonsmoothIntegrator> make_nonsmooth_integrator(System& system, const SolverSettings& settings);

}  // namespace carom::inline nonsmooth_integrators
