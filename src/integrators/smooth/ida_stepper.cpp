#include "integrators/smooth/ida_stepper.h"

#include <cmath>

#include <fmt/format.h>
#include <ida/ida.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "integrators/smooth/step_control.h"
#include "math/dense_decompositions.h"

namespace carom::inline smooth_integrators {
namespace {

constexpr double velocity_regularisation = 1e-13;  // both relative to (G M⁻¹ Gᵀ)ᵢᵢ
constexpr double position_regularisation = 1e-9;   // μ is nearly zero, so more does no harm here
constexpr double nonlinear_accuracy = 0.05;        // of the tolerance
const double gauss_point = std::sqrt(0.6);

using VectorMap = Eigen::Map<Eigen::VectorXd>;
using ConstVectorMap = Eigen::Map<const Eigen::VectorXd>;

}  // namespace

const IdaStepper::Library& IdaStepper::library() {
  static const Library library = {"IDA",
                                  IDASetErrHandlerFn,
                                  IDASetMaxErrTestFails,
                                  IDASetMaxStep,
                                  IDASetStopTime,
                                  IDAGetDky,
                                  IDAGetLastOrder,
                                  IDAGetNumErrTestFails,
                                  IDAGetNumStepSolveFails,
                                  IDAGetNumLinSolvSetups,
                                  IDAGetNumNonlinSolvIters};
  return library;
}

IdaStepper::IdaStepper(System& system, const SolverSettings& settings)
    : SundialsStepper(system, settings, library()),
      rows_(system.constraint_size()),
      size_(nq_ + nv_ + 2 * rows_ + nz_),
      absolute_(absolute_tolerances(system, settings.tolerance)) {
  if (size_ > largest_system) {
    Problem problem;
    problem.key = "solver.constraints";
    problem.found = fmt::format("index2 with integrator bdf for {} unknowns", size_);
    problem.expected = fmt::format("at most {} unknowns (its matrices are dense)", largest_system);
    problem.remedy = "use generalized-alpha with index2, or bdf with projection";
    ProblemList problems;
    problems.add(problem);
    throw InputError(problems);
  }
  for (auto* vector : {&y_, &y_rate_, &differential_, &dense_}) vector->reset(N_VNew_Serial(size_, context_.get()));
  VectorMap(values(differential_), size_).setZero();
  VectorMap(values(differential_), size_).head(nq_ + nv_).setOnes();
  VectorMap(values(differential_), size_).tail(nz_).setOnes();
  mass_ = Eigen::MatrixXd(system.mass());
  mass_inverse_ = inverse_of(mass_);
  for (auto* vector : {&load_, &velocity_}) vector->setZero(nv_);
  for (auto* vector : {&changed_, &difference_}) vector->setZero(size_);
  gap_.setZero(rows_);
  correction_.setZero(nq_ + nv_);
  previous_correction_.setZero(nq_ + nv_);
  sample_rate_.setZero(nq_ + nv_);
  work_begin_.setZero(nw_);
  for (auto& power : power_) power.setZero(nw_);
  sample_ = {0, Eigen::VectorXd::Zero(nq_), Eigen::VectorXd::Zero(nv_), Eigen::VectorXd::Zero(nw_)};
  find_unused_rows();
  memory_ = IDACreate(context_.get());
}

IdaStepper::~IdaStepper() {
  IDAFree(&memory_);
}

// Unused rows of the blocks are zero everywhere; a row in use may vanish at one configuration, hardly at two.
void IdaStepper::find_unused_rows() {
  const State state = system_.initial_state();
  sample_.q = state.q;
  row_weight_.setZero(rows_);
  for (const double turn : {0.0, 0.1}) {
    velocity_.setConstant(turn);
    system_.retract(state.q.data(), velocity_.data(), sample_.q.data());
    const Eigen::MatrixXd jacobian = system_.constraint_jacobian(state.t, sample_.q.data());
    row_weight_ = row_weight_.cwiseMax((jacobian * mass_inverse_).cwiseProduct(jacobian).rowwise().sum());
  }
  unused_.assign(rows_, false);
  for (int i = 0; i < rows_; ++i) unused_[i] = row_weight_[i] == 0;
}

bool IdaStepper::evaluate(double t, const double* y, const double* y_rate, double* result) {
  const double *q = y, *v = y + nq_, *lambda = y + nq_ + nv_, *mu = lambda + rows_;
  VectorMap r_q(result, nq_), r_v(result + nq_, nv_), r_lambda(result + nq_ + nv_, rows_),
      r_mu(result + nq_ + nv_ + rows_, rows_);
  if (nz_ > 0) {
    const double* const internal = mu + rows_;
    VectorMap r_z(r_mu.data() + rows_, nz_);
    system_.set_internal(internal);
    system_.internal_rates(t, q, v, r_z.data());
    r_z = ConstVectorMap(y_rate + size_ - nz_, nz_) - r_z;
  }
  system_.loads(t, q, v, load_);
  r_v.noalias() = mass_ * ConstVectorMap(y_rate + nq_, nv_);
  r_v -= load_;
  velocity_ = ConstVectorMap(v, nv_);
  if (rows_ > 0) {
    system_.position_residual(t, q, gap_);
    r_mu = gap_ - position_regularisation * row_weight_.cwiseProduct(ConstVectorMap(mu, rows_));
    system_.velocity_residual(t, q, v, gap_);
    r_lambda = gap_ - velocity_regularisation * row_weight_.cwiseProduct(ConstVectorMap(lambda, rows_));
    const auto& jacobian = system_.constraint_jacobian(t, q);
    r_v.noalias() += jacobian.transpose() * ConstVectorMap(lambda, rows_);
    load_.noalias() = jacobian.transpose() * ConstVectorMap(mu, rows_);
    velocity_.noalias() -= mass_inverse_ * load_;
    for (int i = 0; i < rows_; ++i) {
      if (!unused_[i]) continue;
      r_lambda[i] = lambda[i];
      r_mu[i] = mu[i];
    }
  }
  system_.position_rate(q, velocity_.data(), r_q.data());
  r_q = ConstVectorMap(y_rate, nq_) - r_q;
  return all_finite(result, size_);
}

int IdaStepper::residual(double t, N_Vector y, N_Vector y_rate, N_Vector result, void* self) {
  auto& stepper = *static_cast<IdaStepper*>(self);
  ++stepper.statistics_.evaluations;
  return stepper.evaluate(t, N_VGetArrayPointer(y), N_VGetArrayPointer(y_rate), N_VGetArrayPointer(result)) ? 0 : 1;
}

// Differences for positions and velocities; the multipliers enter linearly and their columns are exact, or else the
// regularisation would drown in rounding.
int IdaStepper::jacobian(double t, double c, N_Vector y, N_Vector y_rate, N_Vector result, SUNMatrix matrix, void* self,
                         N_Vector, N_Vector, N_Vector) {
  auto& stepper = *static_cast<IdaStepper*>(self);
  const int nq = stepper.nq_, nv = stepper.nv_, rows = stepper.rows_, size = stepper.size_;
  const double* y_data = N_VGetArrayPointer(y);
  const double* rate = N_VGetArrayPointer(y_rate);
  const ConstVectorMap base(N_VGetArrayPointer(result), size);
  Eigen::Map<Eigen::MatrixXd> full(SUNDenseMatrix_Data(matrix), size, size);
  full.setZero();
  stepper.changed_ = ConstVectorMap(y_data, size);
  const int nz = stepper.nz_, first = size - nz;
  for (int j = 0; j < size; j = j + 1 == nq + nv ? first : j + 1) {
    const double absolute = stepper.absolute_[j < first ? j : nq + nv + stepper.nw_ + j - first];
    const double step = 1e-8 * std::max(std::abs(y_data[j]), absolute / stepper.tolerance_);
    stepper.changed_[j] = y_data[j] + step;
    const double actual = stepper.changed_[j] - y_data[j];
    if (!stepper.evaluate(t, stepper.changed_.data(), rate, stepper.difference_.data())) return 1;
    stepper.changed_[j] = y_data[j];
    full.col(j) = (stepper.difference_ - base) / actual;
  }
  stepper.statistics_.evaluations += nq + nv + nz;
  full.bottomRightCorner(nz, nz).diagonal().array() += c;
  full.topLeftCorner(nq, nq).diagonal().array() += c;
  full.block(nq, nq, nv, nv) += c * stepper.mass_;
  const auto& constraint = stepper.system_.constraint_jacobian(t, y_data);
  full.block(nq, nq + nv, nv, rows) = Eigen::MatrixXd(constraint.transpose());
  for (int i = 0; i < rows; ++i) {
    const int lambda = nq + nv + i, mu = lambda + rows;
    stepper.velocity_.noalias() = stepper.mass_inverse_ * full.col(lambda).segment(nq, nv);
    stepper.system_.position_rate(y_data, stepper.velocity_.data(), stepper.difference_.data());
    full.col(mu).head(nq) = stepper.difference_.head(nq);
    full(lambda, lambda) = stepper.unused_[i] ? 1 : -velocity_regularisation * stepper.row_weight_[i];
    full(mu, mu) = stepper.unused_[i] ? 1 : -position_regularisation * stepper.row_weight_[i];
  }
  return 0;
}

// Multipliers follow from the motion; they must not decide when the Newton iteration ends.
int IdaStepper::weights(N_Vector y, N_Vector weight, void* self) {
  const auto& stepper = *static_cast<IdaStepper*>(self);
  const int motion = stepper.nq_ + stepper.nv_, rows = stepper.rows_;
  const ConstVectorMap value(N_VGetArrayPointer(y), stepper.size_);
  VectorMap w(N_VGetArrayPointer(weight), stepper.size_);
  w.head(motion) = (stepper.absolute_.head(motion) + stepper.tolerance_ * value.head(motion).cwiseAbs()).cwiseInverse();
  const int nz = stepper.nz_;
  w.tail(nz) = (stepper.absolute_.tail(nz) + stepper.tolerance_ * value.tail(nz).cwiseAbs()).cwiseInverse();
  if (rows == 0) return 0;
  const double largest = value.segment(motion, rows).lpNorm<Eigen::Infinity>();
  w.segment(motion, rows).setConstant(100 / (1 + largest));
  w.segment(motion + rows, rows).setOnes();
  return 0;
}

// Consistent values of everything from the index-1 form; then hands them to IDA.
bool IdaStepper::begin() {
  VectorMap y(values(y_), size_), rate(values(y_rate_), size_);
  y.setZero();
  rate.setZero();
  y.head(nq_) = state_.q;
  y.segment(nq_, nv_) = state_.v;
  y.tail(nz_) = state_.internal;
  ++statistics_.evaluations;
  if (nz_ > 0) system_.set_internal(state_.internal.data());
  if (system_.rates(state_.t, state_.q.data(), state_.v.data(), rate.data(), rate.data() + nq_, power_[0].data(),
                    nz_ > 0 ? rate.data() + size_ - nz_ : nullptr) == SolveStatus::failed ||
      !all_finite(rate.data(), size_))
    return false;
  y.segment(nq_ + nv_, rows_) = system_.multipliers(state_.t, state_.q.data(), state_.v.data());
  bool good = false;
  if (!initialised_) {
    set_up();
    good = IDAInit(memory_, residual, state_.t, y_.get(), y_rate_.get()) == IDA_SUCCESS;
    IDASetUserData(memory_, this);
    IDAWFtolerances(memory_, weights);
    matrix_.reset(SUNDenseMatrix(size_, size_, context_.get()));
    linear_solver_.reset(SUNLinSol_Dense(y_.get(), matrix_.get(), context_.get()));
    IDASetLinearSolver(memory_, linear_solver_.get(), matrix_.get());
    IDASetJacFn(memory_, jacobian);
    IDASetId(memory_, differential_.get());
    IDASetSuppressAlg(memory_, SUNTRUE);
    IDASetNonlinConvCoef(memory_, nonlinear_accuracy);
    initialised_ = true;
  } else {
    keep_counts();
    good = IDAReInit(memory_, state_.t, y_.get(), y_rate_.get()) == IDA_SUCCESS;
  }
  IDASetInitStep(memory_, first_step_);
  system_.accept(state_.t, state_.q.data(), state_.v.data());
  correction_.setZero();
  fresh_ = !good;
  return good;
}

int IdaStepper::solve(double t_limit, double& t) {
  return IDASolve(memory_, t_limit, &t, y_.get(), y_rate_.get(), IDA_ONE_STEP);
}

std::string IdaStepper::explain(int flag) const {
  switch (flag) {
    case IDA_ERR_FAIL:
      return fmt::format("no step satisfies the tolerance {:g}", tolerance_);
    case IDA_CONV_FAIL:
    case IDA_LSETUP_FAIL:
    case IDA_LSOLVE_FAIL:
      return "the Newton iteration of the step does not converge";
    case IDA_FIRST_RES_FAIL:
    case IDA_REP_RES_ERR:
    case IDA_RES_FAIL:
      return "the equations of motion cannot be evaluated, however short the step";
    default:
      return "the step was not done";
  }
}

const char* IdaStepper::finish() {
  work_begin_ = state_.work;
  previous_correction_.swap(correction_);
  if (!polish()) return "the constraints cannot be satisfied after the step";
  return sum_up_work() ? nullptr : "the equations of motion cannot be solved inside the step";
}

// What Newton left of the constraints is taken away from the state that is shown; IDA keeps its own.
bool IdaStepper::polish() {
  const ConstVectorMap y(values(y_), size_);
  state_.q = y.head(nq_);
  state_.v = y.segment(nq_, nv_);
  state_.internal = y.tail(nz_);
  correction_.setZero();
  system_.normalise(state_.q.data());
  if (rows_ == 0) return true;
  if (nz_ > 0) system_.set_internal(state_.internal.data());
  system_.position_residual(state_.t, state_.q.data(), gap_);
  const double drift = gap_.lpNorm<Eigen::Infinity>();
  system_.velocity_residual(state_.t, state_.q.data(), state_.v.data(), gap_);
  const double velocity_drift = gap_.lpNorm<Eigen::Infinity>();
  statistics_.largest_position_drift = std::max(statistics_.largest_position_drift, drift);
  statistics_.largest_velocity_drift = std::max(statistics_.largest_velocity_drift, velocity_drift);
  if (drift <= drift_tolerance_ && velocity_drift <= drift_tolerance_) return true;
  ++statistics_.projections;
  if (!system_.project_position(state_.t, state_.q.data(), drift_tolerance_).converged) return false;
  if (!system_.project_velocity(state_.t, state_.q.data(), state_.v.data()).converged) return false;
  correction_.head(nq_) = state_.q - y.head(nq_);
  correction_.tail(nv_) = state_.v - y.segment(nq_, nv_);
  return true;
}

// Positions and velocities inside the step, into sample_.
bool IdaStepper::motion_at(double t) {
  if (!interpolated(t)) return false;
  const double x = (t - step_begin_) / (state_.t - step_begin_);
  VectorMap y(values(dense_), size_);
  y.head(nq_ + nv_) += (1 - x) * previous_correction_ + x * correction_;
  sample_.q = y.head(nq_);
  sample_.v = y.segment(nq_, nv_);
  sample_.internal = y.tail(nz_);
  system_.normalise(sample_.q.data());
  return true;
}

bool IdaStepper::sum_up_work() {
  if (nw_ == 0) return true;
  const double h = state_.t - step_begin_;
  for (int k = 0; k < 3; ++k) {
    const double t = step_begin_ + 0.5 * h * (1 + (k - 1) * gauss_point);
    ++statistics_.evaluations;
    if (!motion_at(t)) return false;
    if (nz_ > 0) system_.set_internal(sample_.internal.data());
    if (system_.rates(t, sample_.q.data(), sample_.v.data(), sample_rate_.data(), sample_rate_.data() + nq_,
                      power_[k].data()) == SolveStatus::failed)
      return false;
  }
  state_.work = work_begin_ + h / 18 * (5 * power_[0] + 8 * power_[1] + 5 * power_[2]);
  return true;
}

void IdaStepper::interpolate(double t, State& out) {
  if (!motion_at(t)) {
    out = state_;
    return;
  }
  out.t = t;
  out.q = sample_.q;
  out.v = sample_.v;
  out.internal = sample_.internal;
  // The parabola through the powers at the Gauss points, integrated from the beginning of the step.
  const double h = state_.t - step_begin_, x = 2 * (t - step_begin_) / h - 1, s = gauss_point;
  out.work = work_begin_ + 0.5 * h *
                               ((x + 1) * power_[1] + (x * x - 1) / (4 * s) * (power_[2] - power_[0]) +
                                (x * x * x + 1) / (3 * s * s) * (0.5 * (power_[0] + power_[2]) - power_[1]));
}

IdaStepper::Corrections IdaStepper::corrections() const {
  return {previous_correction_.data(), correction_.data()};
}

StepOutcome IdaStepper::failure(const std::string& what) {
  return fail("bdf (index2)", what,
              "Look for forces that are not finite or a singular configuration, or loosen the tolerance",
              library_says());
}

}  // namespace carom::inline smooth_integrators
