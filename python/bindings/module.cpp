#include "bindings.h"

PYBIND11_MODULE(_carom, module) {
  using namespace carom::python;
  module.doc() = "The compiled half of the package `carom`.";
  bind_errors(module);
  bind_catalogues(module);
  bind_results(module);
  bind_models(module);
  bind_simulation(module);
  bind_callback_costs(module);
  bind_parts(module);
  bind_vectorised_forces(module);
  bind_controllers(module);
  bind_postprocessing(module);
  bind_motions(module);
  bind_studies(module);
  bind_drawings(module);
}
