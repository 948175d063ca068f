#pragma once

#include <memory>
#include <string>

#include "step/assembly.h"
#include "step/transfer.h"

namespace carom::inline step {

struct StepOptions {
  double chord = 0;           // m, farthest distance of triangles from the true surface; 0: 1/1000 of the part's size
  bool solids_apart = false;  // every solid is a part of its own, not every product
};

// Why this installation cannot read STEP files; empty: it can. Starts the program that reads them.
std::string step_reader_fault();

// Reads a file by its content, in a process of its own, so that a file that Open CASCADE cannot bear ends that process
// alone. The same content is read once. Throws StepError.
std::shared_ptr<const StepAssembly> read_step(const std::shared_ptr<const std::string>& content,
                                              const StepOptions& options);

}  // namespace carom::inline step
