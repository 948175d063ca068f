#include "integrators/smooth/cvode_stepper.h"

#include <cvode/cvode.h>
#include <fmt/format.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "integrators/smooth/step_control.h"

namespace carom {
namespace {

constexpr int largest_dense = 60;  // unknowns; above, Krylov iterations are cheaper than a difference-quotient Jacobian
constexpr int max_error_test_failures = 15;  // per step; kinks of contact forces need more than CVODE's 7
constexpr int max_tiny_steps = 20;

double* values(const SundialsOwner<N_Vector>& vector) {
  return N_VGetArrayPointer(vector.get());
}

}  // namespace

CvodeStepper::CvodeStepper(System& system, const SolverSettings& settings, Method method)
    : system_(system),
      method_(method),
      nq_(system.position_size()),
      nv_(system.velocity_size()),
      nw_(system.work_size()),
      size_(nq_ + nv_ + nw_),
      settings_(settings),
      projecting_(settings.constraints == "projection" && system.active_constraints() > 0),
      drift_tolerance_(drift_tolerance(system, settings.tolerance)),
      context_(make_sundials_context()),
      y_(N_VNew_Serial(size_, context_.get())),
      absolute_(N_VNew_Serial(size_, context_.get())),
      dense_(N_VNew_Serial(size_, context_.get())),
      cvode_(CVodeCreate(method == Method::adams ? CV_ADAMS : CV_BDF, context_.get())),
      correction_(Eigen::VectorXd::Zero(size_)),
      residual_(Eigen::VectorXd::Zero(system.constraint_size())) {
  const bool baumgarte = settings.constraints == "baumgarte";
  system.set_baumgarte(baumgarte ? settings.baumgarte_alpha : 0, baumgarte ? settings.baumgarte_beta : 0);
  complaint_.reserve(256);
}

CvodeStepper::~CvodeStepper() {
  CVodeFree(&cvode_);
}

int CvodeStepper::right_hand_side(double t, N_Vector y, N_Vector y_rate, void* self) {
  auto& stepper = *static_cast<CvodeStepper*>(self);
  ++stepper.statistics_.evaluations;
  const double* q = N_VGetArrayPointer(y);
  double* rate = N_VGetArrayPointer(y_rate);
  const int nq = stepper.nq_, nv = stepper.nv_;
  const SolveStatus status = stepper.system_.rates(t, q, q + nq, rate, rate + nq, rate + nq + nv);
  return status == SolveStatus::failed || !all_finite(rate, stepper.size_);  // 1: try again with a shorter step
}

void CvodeStepper::remember_complaint(int, const char*, const char*, char* message, void* self) {
  static_cast<CvodeStepper*>(self)->complaint_ = message;
}

void CvodeStepper::attach_solvers() {
  if (method_ == Method::adams) {
    nonlinear_solver_.reset(SUNNonlinSol_FixedPoint(y_.get(), 0, context_.get()));
    CVodeSetNonlinearSolver(cvode_, nonlinear_solver_.get());
    return;
  }
  if (size_ <= largest_dense) {
    matrix_.reset(SUNDenseMatrix(size_, size_, context_.get()));
    linear_solver_.reset(SUNLinSol_Dense(y_.get(), matrix_.get(), context_.get()));
  } else {
    linear_solver_.reset(SUNLinSol_SPGMR(y_.get(), SUN_PREC_NONE, 0, context_.get()));
  }
  CVodeSetLinearSolver(cvode_, linear_solver_.get(), matrix_.get());
}

void CvodeStepper::start(const State& state) {
  ++statistics_.restarts;
  state_ = state;
  step_begin_ = state.t;
  fresh_ = true;
  has_step_ = false;
  failed_.clear();
  tiny_steps_ = 0;
}

// Hands the starting state to CVODE.
bool CvodeStepper::begin() {
  const Energy energy = system_.energy(state_.t, state_.q.data(), state_.v.data());
  Eigen::Map<Eigen::VectorXd>(values(absolute_), size_) =
      absolute_tolerances(system_, settings_.tolerance, energy.kinetic);
  Eigen::Map<Eigen::VectorXd>(values(y_), size_) << state_.q, state_.v, state_.work;
  bool good = false;
  if (!initialised_) {
    CVodeSetErrHandlerFn(cvode_, remember_complaint, this);
    good = CVodeInit(cvode_, right_hand_side, state_.t, y_.get()) == CV_SUCCESS;
    CVodeSetUserData(cvode_, this);
    attach_solvers();
    CVodeSetMaxErrTestFails(cvode_, max_error_test_failures);
    CVodeSetMaxHnilWarns(cvode_, -1);
    double bound = settings_.max_step;
    if (settings_.step > 0) bound = bound > 0 ? std::min(bound, settings_.step) : settings_.step;
    CVodeSetMaxStep(cvode_, bound);
    initialised_ = true;
  } else {
    update_statistics();
    rejected_before_ = statistics_.rejected;
    setups_before_ = statistics_.factorisations;
    iterations_before_ = statistics_.newton_iterations;
    good = CVodeReInit(cvode_, state_.t, y_.get()) == CV_SUCCESS;
  }
  CVodeSVtolerances(cvode_, settings_.tolerance, absolute_.get());
  CVodeSetInitStep(cvode_, settings_.first_step);
  system_.accept(state_.t, state_.q.data(), state_.v.data());
  fresh_ = !good;
  corrected_ = false;
  return good;
}

StepOutcome CvodeStepper::step(double t_limit) {
  if (!failed_.empty()) return {StepStatus::failed, failed_};
  if (!(t_limit > state_.t)) return {};
  if (fresh_ && t_limit - state_.t < 4 * smallest_step(state_.t, t_limit)) {
    if (step_within_rounding(t_limit)) return {};
    return failure("the equations of motion cannot be solved");
  }
  if (fresh_ && !begin()) return failure("the starting point was refused");
  complaint_.clear();
  CVodeSetStopTime(cvode_, t_limit);
  double t = state_.t;
  const int flag = CVode(cvode_, t_limit, y_.get(), &t, CV_ONE_STEP);
  update_statistics();
  if (flag < 0) {
    switch (flag) {
      case CV_ERR_FAILURE:
        return failure(fmt::format("no step satisfies the tolerance {:g}", settings_.tolerance));
      case CV_CONV_FAILURE:
        return failure("the iteration for the step does not converge; the motion may be too stiff");
      case CV_FIRST_RHSFUNC_ERR:
        return failure("the equations of motion cannot be solved at the starting point");
      case CV_REPTD_RHSFUNC_ERR:
      case CV_UNREC_RHSFUNC_ERR:
      case CV_RHSFUNC_FAIL:
        return failure("the equations of motion cannot be solved, however short the step");
      default:
        return failure("the step was not done");
    }
  }
  // CVODE would creep up to a wall for ever, by steps that t does not feel.
  tiny_steps_ = t < t_limit && t - state_.t < smallest_step(state_.t, t_limit) ? tiny_steps_ + 1 : 0;
  if (tiny_steps_ > max_tiny_steps) return failure("the steps become too short to advance");
  step_begin_ = state_.t;
  state_.t = t;
  has_step_ = true;
  if (!correct_drift()) return failure("the constraints cannot be satisfied after the step");
  system_.accept(t, state_.q.data(), state_.v.data());
  count_step(state_.t - step_begin_);
  return {};
}

// CVODE refuses intervals of a few units in the last place; there the state moves by its rate.
bool CvodeStepper::step_within_rounding(double t_limit) {
  const double h = t_limit - state_.t;
  Eigen::Map<Eigen::VectorXd> y(values(y_), size_);
  y << state_.q, state_.v, state_.work;
  if (right_hand_side(state_.t, y_.get(), dense_.get(), this) != 0) return false;
  y += h * Eigen::Map<Eigen::VectorXd>(values(dense_), size_);
  step_begin_ = state_.t;
  state_ = {t_limit, y.head(nq_), y.segment(nq_, nv_), y.tail(nw_)};
  count_step(h);
  return true;
}

// Copies the new state out, unit quaternions and projected when it has drifted, and lets the history of CVODE know.
bool CvodeStepper::correct_drift() {
  const Eigen::Map<const Eigen::VectorXd> y(values(y_), size_);
  state_.q = y.head(nq_);
  state_.v = y.segment(nq_, nv_);
  state_.work = y.tail(nw_);
  corrected_ = nq_ != nv_;
  if (corrected_) system_.normalise(state_.q.data());
  if (projecting_) {
    system_.position_residual(state_.t, state_.q.data(), residual_);
    const double drift = residual_.lpNorm<Eigen::Infinity>();
    statistics_.largest_position_drift = std::max(statistics_.largest_position_drift, drift);
    if (!(drift <= drift_tolerance_)) {
      ++statistics_.projections;
      corrected_ = true;
      if (!system_.project_position(state_.t, state_.q.data(), drift_tolerance_).converged) return false;
      const auto velocity = system_.project_velocity(state_.t, state_.q.data(), state_.v.data());
      statistics_.largest_velocity_drift = std::max(statistics_.largest_velocity_drift, velocity.before);
      if (!velocity.converged) return false;
    }
  }
  if (!corrected_) return true;
  correction_.head(nq_) = state_.q - y.head(nq_);
  correction_.segment(nq_, nv_) = state_.v - y.segment(nq_, nv_);
  double t, gamma, rl1;
  N_Vector present, yn, fn,
      zn1;  // `present` is the first column of the Nordsieck array: the solution at the end of the step
  void* self;
  if (CVodeGetNonlinearSystemData(cvode_, &t, &present, &yn, &fn, &gamma, &rl1, &zn1, &self) != CV_SUCCESS)
    return false;
  Eigen::Map<Eigen::VectorXd>(N_VGetArrayPointer(present), size_) += correction_;
  return true;
}

void CvodeStepper::interpolate(double t, State& out) {
  if (!has_step_ || CVodeGetDky(cvode_, t, 0, dense_.get()) != CV_SUCCESS) {
    out = state_;
    return;
  }
  Eigen::Map<Eigen::VectorXd> y(values(dense_), size_);
  // The correction moved the whole polynomial; taken back at the beginning of the step, the output stays continuous.
  if (corrected_) y -= (state_.t - t) / (state_.t - step_begin_) * correction_;
  out.t = t;
  out.q = y.head(nq_);
  out.v = y.segment(nq_, nv_);
  out.work = y.tail(nw_);
  if (nq_ != nv_) system_.normalise(out.q.data());
}

void CvodeStepper::update_statistics() {
  long errors = 0, failures = 0, setups = 0, iterations = 0;
  CVodeGetNumErrTestFails(cvode_, &errors);
  CVodeGetNumStepSolveFails(cvode_, &failures);
  CVodeGetNumLinSolvSetups(cvode_, &setups);
  CVodeGetNumNonlinSolvIters(cvode_, &iterations);
  statistics_.rejected = rejected_before_ + errors + failures;
  statistics_.factorisations = setups_before_ + setups;
  statistics_.newton_iterations = iterations_before_ + iterations;
}

StepOutcome CvodeStepper::failure(const std::string& what) {
  const std::string said = complaint_.empty() ? "" : fmt::format("; CVODE says: {}", complaint_);
  const char* remedy =
      method_ == Method::adams
          ? "Look for forces that are not finite or a singular configuration; stiff motion needs bdf or "
            "generalized-alpha"
          : "Look for forces that are not finite or a singular configuration, or loosen the tolerance";
  failed_ = fmt::format("{}: {} (t = {:.9g} s{}). {}", method_ == Method::adams ? "adams" : "bdf", what, state_.t, said,
                        remedy);
  return {StepStatus::failed, failed_};
}

}  // namespace carom
