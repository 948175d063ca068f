#pragma once

#include <memory>
#include <type_traits>

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

// Owners of what SUNDIALS allocates.
namespace carom::inline smooth_integrators {

struct SundialsRelease {
  void operator()(_SUNContext* context) const { SUNContext_Free(&context); }
  void operator()(_generic_N_Vector* vector) const { N_VDestroy(vector); }
  void operator()(_generic_SUNMatrix* matrix) const { SUNMatDestroy(matrix); }
  void operator()(_generic_SUNLinearSolver* solver) const { SUNLinSolFree(solver); }
  void operator()(_generic_SUNNonlinearSolver* solver) const { SUNNonlinSolFree(solver); }
};

template <class Handle>
using SundialsOwner = std::unique_ptr<std::remove_pointer_t<Handle>, SundialsRelease>;

inline SundialsOwner<SUNContext> make_sundials_context() {
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  return SundialsOwner<SUNContext>(context);
}

}  // namespace carom::inline smooth_integrators
