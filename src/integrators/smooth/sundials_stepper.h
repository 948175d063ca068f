#pragma once

#include "integrators/smooth/smooth_integrator.h"
#include "integrators/smooth/sundials_memory.h"

namespace carom::inline smooth_integrators {

// What CVODE and IDA have in common here: one internal step at a time, restarts that keep the counts, complaints of the
// library in the reason of a failure.
class SundialsStepper : public SmoothIntegrator {
 public:
  SundialsStepper(const SundialsStepper&) = delete;
  SundialsStepper& operator=(const SundialsStepper&) = delete;

  void start(const State& state) final;

  int degree() const final;
  void controls(int first, int count, double* out) const final;

 protected:
  using ErrorHandler = void(int code, const char* module, const char* function, char* message, void* data);

  // Functions of the two libraries that differ by name only.
  struct Library {
    const char* name;
    int (*set_error_handler)(void* memory, ErrorHandler* handler, void* data);
    int (*set_max_error_test_failures)(void* memory, int count);
    int (*set_max_step)(void* memory, double h);
    int (*set_stop_time)(void* memory, double t);
    int (*dense_output)(void* memory, double t, int derivative, N_Vector out);
    int (*last_order)(void* memory, int* order);
    int (*count_error_test_failures)(void* memory, long* count);
    int (*count_step_failures)(void* memory, long* count);
    int (*count_setups)(void* memory, long* count);
    int (*count_iterations)(void* memory, long* count);
  };

  SundialsStepper(System& system, const SolverSettings& settings, const Library& library);

  StepOutcome advance(double t_limit) override;

  // What a step consists of. begin hands the starting state over, solve does one internal step to t and returns the
  // library's flag, finish takes the new state out.
  virtual bool begin() = 0;
  virtual int solve(double t_limit, double& t) = 0;
  virtual const char* finish() = 0;  // what went wrong; nullptr: nothing
  virtual std::string explain(int flag) const = 0;
  virtual StepOutcome failure(const std::string& what) = 0;

  // What is added to the polynomial of the library at both ends of the step, entries of q; linear between. Null:
  // nothing.
  struct Corrections {
    const double *at_start = nullptr, *at_end = nullptr;
  };
  virtual Corrections corrections() const = 0;

  void set_up();                     // choices that are made once
  void keep_counts();                // to be called before the library is started again
  bool interpolated(double t);       // into dense_; false outside the last step
  std::string library_says() const;  // its last complaint, or nothing
  static double* values(const SundialsOwner<N_Vector>& vector) { return N_VGetArrayPointer(vector.get()); }

  const Library& library_;
  SundialsOwner<SUNContext> context_;
  SundialsOwner<N_Vector> y_, dense_;
  SundialsOwner<SUNMatrix> matrix_;
  SundialsOwner<SUNLinearSolver> linear_solver_;
  void* memory_ = nullptr;    // of the library
  bool initialised_ = false;  // the library has its vectors

 private:
  static void remember_complaint(int code, const char* module, const char* function, char* message, void* self);
  void update_statistics();
  void read_derivatives() const;

  // Positions at the end of the step and their derivatives by θ over k!, one column each, of the step that ended last.
  mutable Eigen::MatrixXd taylor_;
  mutable int taylor_order_ = -1;  // −1: they have not been read
  std::string complaint_;
  int tiny_steps_ = 0;                                                    // in a row
  long rejected_before_ = 0, setups_before_ = 0, iterations_before_ = 0;  // before the last restart
};

}  // namespace carom::inline smooth_integrators
