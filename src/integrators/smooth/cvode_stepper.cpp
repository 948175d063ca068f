#include "integrators/smooth/cvode_stepper.h"

#include <cvode/cvode.h>
#include <fmt/format.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "integrators/smooth/step_control.h"

namespace carom::inline smooth_integrators {
namespace {

constexpr int largest_dense = 200;  // unknowns; above, Krylov iterations are cheaper than a matrix by differences
}  // namespace

const CvodeStepper::Library& CvodeStepper::library() {
  static const Library library = {"CVODE",
                                  CVodeSetErrHandlerFn,
                                  CVodeSetMaxErrTestFails,
                                  CVodeSetMaxStep,
                                  CVodeSetStopTime,
                                  CVodeGetDky,
                                  CVodeGetLastOrder,
                                  CVodeGetNumErrTestFails,
                                  CVodeGetNumStepSolveFails,
                                  CVodeGetNumLinSolvSetups,
                                  CVodeGetNumNonlinSolvIters};
  return library;
}

CvodeStepper::CvodeStepper(System& system, const SolverSettings& settings, Method method)
    : SundialsStepper(system, settings, library()),
      method_(method),
      size_(nq_ + nv_ + nw_ + nz_),
      absolute_(N_VNew_Serial(size_, context_.get())),
      correction_(Eigen::VectorXd::Zero(size_)),
      taken_back_(Eigen::VectorXd::Zero(nq_)),
      residual_(Eigen::VectorXd::Zero(system.constraint_size())) {
  for (auto* vector : {&y_, &dense_}) vector->reset(N_VNew_Serial(size_, context_.get()));
  memory_ = CVodeCreate(method == Method::adams ? CV_ADAMS : CV_BDF, context_.get());
}

CvodeStepper::~CvodeStepper() {
  CVodeFree(&memory_);
}

int CvodeStepper::right_hand_side(double t, N_Vector y, N_Vector y_rate, void* self) {
  auto& stepper = *static_cast<CvodeStepper*>(self);
  ++stepper.statistics_.evaluations;
  const double* q = N_VGetArrayPointer(y);
  double* rate = N_VGetArrayPointer(y_rate);
  const int nq = stepper.nq_, nv = stepper.nv_;
  const int work = nq + nv, internal = work + stepper.nw_;
  if (stepper.nz_ > 0) stepper.system_.set_internal(q + internal);
  const SolveStatus status = stepper.system_.rates(t, q, q + nq, rate, rate + nq, rate + work, rate + internal);
  return status == SolveStatus::failed || !all_finite(rate, stepper.size_);  // 1: try again with a shorter step
}

void CvodeStepper::attach_solvers() {
  if (method_ == Method::adams) {
    nonlinear_solver_.reset(SUNNonlinSol_FixedPoint(y_.get(), 0, context_.get()));
    CVodeSetNonlinearSolver(memory_, nonlinear_solver_.get());
    return;
  }
  if (size_ <= largest_dense) {
    matrix_.reset(SUNDenseMatrix(size_, size_, context_.get()));
    linear_solver_.reset(SUNLinSol_Dense(y_.get(), matrix_.get(), context_.get()));
  } else {
    linear_solver_.reset(SUNLinSol_SPGMR(y_.get(), SUN_PREC_NONE, 0, context_.get()));
  }
  CVodeSetLinearSolver(memory_, linear_solver_.get(), matrix_.get());
}

// Hands the starting state to CVODE.
bool CvodeStepper::begin() {
  const Energy energy = system_.energy(state_.t, state_.q.data(), state_.v.data());
  Eigen::Map<Eigen::VectorXd>(values(absolute_), size_) = absolute_tolerances(system_, tolerance_, energy.kinetic);
  Eigen::Map<Eigen::VectorXd>(values(y_), size_) << state_.q, state_.v, state_.work, state_.internal;
  bool good = false;
  if (!initialised_) {
    set_up();
    good = CVodeInit(memory_, right_hand_side, state_.t, y_.get()) == CV_SUCCESS;
    CVodeSetUserData(memory_, this);
    attach_solvers();
    CVodeSetMaxHnilWarns(memory_, -1);
    initialised_ = true;
  } else {
    keep_counts();
    good = CVodeReInit(memory_, state_.t, y_.get()) == CV_SUCCESS;
  }
  CVodeSVtolerances(memory_, tolerance_, absolute_.get());
  CVodeSetInitStep(memory_, first_step_);
  system_.accept(state_.t, state_.q.data(), state_.v.data());
  fresh_ = !good;
  corrected_ = false;
  return good;
}

StepOutcome CvodeStepper::advance(double t_limit) {
  if (fresh_ && t_limit - state_.t < 4 * smallest_step(state_.t, t_limit)) {
    if (step_within_rounding(t_limit)) return {};
    return failure("the equations of motion cannot be solved");
  }
  return SundialsStepper::advance(t_limit);
}

int CvodeStepper::solve(double t_limit, double& t) {
  return CVode(memory_, t_limit, y_.get(), &t, CV_ONE_STEP);
}

std::string CvodeStepper::explain(int flag) const {
  switch (flag) {
    case CV_ERR_FAILURE:
      return fmt::format("no step satisfies the tolerance {:g}", tolerance_);
    case CV_CONV_FAILURE:
      return "the iteration for the step does not converge; the motion may be too stiff";
    case CV_FIRST_RHSFUNC_ERR:
      return "the equations of motion cannot be solved at the starting point";
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
    case CV_RHSFUNC_FAIL:
      return "the equations of motion cannot be solved, however short the step";
    default:
      return "the step was not done";
  }
}

const char* CvodeStepper::finish() {
  return correct_drift() ? nullptr : "the constraints cannot be satisfied after the step";
}

// CVODE refuses intervals of a few units in the last place; there the state moves by its rate.
bool CvodeStepper::step_within_rounding(double t_limit) {
  const double h = t_limit - state_.t;
  Eigen::Map<Eigen::VectorXd> y(values(y_), size_);
  y << state_.q, state_.v, state_.work, state_.internal;
  if (right_hand_side(state_.t, y_.get(), dense_.get(), this) != 0) return false;
  y += h * Eigen::Map<Eigen::VectorXd>(values(dense_), size_);
  step_begin_ = state_.t;
  state_ = {t_limit, y.head(nq_), y.segment(nq_, nv_), y.segment(nq_ + nv_, nw_), y.tail(nz_)};
  count_step(h);
  return true;
}

// Copies the new state out, unit quaternions and projected when it has drifted, and lets the history of CVODE know.
bool CvodeStepper::correct_drift() {
  const Eigen::Map<const Eigen::VectorXd> y(values(y_), size_);
  state_.q = y.head(nq_);
  state_.v = y.segment(nq_, nv_);
  state_.work = y.segment(nq_ + nv_, nw_);
  state_.internal = y.tail(nz_);
  corrected_ = nq_ != nv_;
  if (corrected_) system_.normalise(state_.q.data());
  if (projecting_) {
    if (nz_ > 0) system_.set_internal(state_.internal.data());
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
  taken_back_ = -correction_.head(nq_);
  double t, gamma, rl1;
  N_Vector present, yn, fn,
      zn1;  // `present` is the first column of the Nordsieck array: the solution at the end of the step
  void* self;
  if (CVodeGetNonlinearSystemData(memory_, &t, &present, &yn, &fn, &gamma, &rl1, &zn1, &self) != CV_SUCCESS)
    return false;
  Eigen::Map<Eigen::VectorXd>(N_VGetArrayPointer(present), size_) += correction_;
  return true;
}

void CvodeStepper::interpolate(double t, State& out) {
  if (!interpolated(t)) {
    out = state_;
    return;
  }
  Eigen::Map<Eigen::VectorXd> y(values(dense_), size_);
  // The correction moved the whole polynomial; taken back at the beginning of the step, the output stays continuous.
  if (corrected_) y -= (state_.t - t) / (state_.t - step_begin_) * correction_;
  out.t = t;
  out.q = y.head(nq_);
  out.v = y.segment(nq_, nv_);
  out.work = y.segment(nq_ + nv_, nw_);
  out.internal = y.tail(nz_);
  if (nq_ != nv_) system_.normalise(out.q.data());
}

CvodeStepper::Corrections CvodeStepper::corrections() const {
  return {corrected_ ? taken_back_.data() : nullptr, nullptr};
}

StepOutcome CvodeStepper::failure(const std::string& what) {
  const char* remedy =
      method_ == Method::adams
          ? "Look for forces that are not finite or a singular configuration; stiff motion needs bdf or "
            "generalized-alpha"
          : "Look for forces that are not finite or a singular configuration, or loosen the tolerance";
  return fail(method_ == Method::adams ? "adams" : "bdf", what, remedy, library_says());
}

}  // namespace carom::inline smooth_integrators
