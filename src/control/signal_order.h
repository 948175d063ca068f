#pragma once

#include <string>
#include <vector>

#include "model/model.h"

namespace carom::inline control {

// The functions of a signal, a force or a drive: which signals they use.
std::vector<std::string> signals_used(const Settings& settings);

// In which order the signals of a model can be worked out. Where some depend on each other without a block between
// them that has a state, there is none.
struct SignalOrder {
  std::vector<int> order;         // signals, by their numbers; unless there is a loop
  std::vector<std::string> loop;  // names of signals, each of which uses the next, the last one the first
};
SignalOrder order_signals(const Model& model);

// The number of a signal, −1: there is none of this name.
int signal_index(const Model& model, const std::string& name);

}  // namespace carom::inline control
