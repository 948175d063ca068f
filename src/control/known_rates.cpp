#include "control/known_rates.h"

#include <algorithm>
#include <optional>

#include "control/quantity.h"
#include "control/signal_order.h"

namespace carom::inline control {
namespace {

using Kind = MeasuredQuantity::Kind;

int rates_of_measured(const Model& model, const ElementModel& signal) {
  const MeasuredQuantity quantity = find_quantity(model, signal);
  const std::string& component = quantity.component;
  switch (quantity.kind) {
    case Kind::body:
      return component == "x" || component == "y" || component == "z" || component == "angle" ? 1 : 0;
    case Kind::joint:
    case Kind::motion:
    case Kind::markers:
      return component.ends_with("rate") ? 0 : 1;
    default:
      return 0;
  }
}

// Blocks may stand in loops: a signal that is met again on its own way leaves as many rates as the rest of the way.
class RateSearch {
 public:
  explicit RateSearch(const Model& model) : model_(model), open_(model.signals.size()) {}

  KnownRates of_function(const Function& function) {
    KnownRates result;
    for (const std::string& name : function.signals()) {
      if (const int index = signal_index(model_, name); index >= 0) take(of_signal(index), result);
    }
    return result;
  }

 private:
  static void take(const KnownRates& each, KnownRates& all) {
    if (each.count < all.count) all.count = each.count, all.by = each.by;
    if (all.jumps_by.empty()) all.jumps_by = each.jumps_by;
  }

  KnownRates of_signal(int index) {
    const ElementModel& signal = model_.signals[index];
    const BlockDescription* const type = find_block(signal.type);
    if (open_[index] || !type) return {};
    if (signal.type == measured_type) return {rates_of_measured(model_, signal), signal.name, ""};
    if (signal.type == output_type) {
      const int source = signal_index(model_, signal.settings.text("block"));
      return source >= 0 ? of_signal(source) : KnownRates{};
    }
    open_[index] = true;
    KnownRates result;
    for (const std::string& name : signals_used(signal.settings)) {
      if (const int used = signal_index(model_, name); used >= 0) take(of_signal(used), result);
    }
    open_[index] = false;
    if (!type->make) return result;
    const auto block = type->make(signal.settings);
    result.count = std::min(result.count + block->added_rates(), all_rates);
    if (block->added_rates() > 0) result.jumps_by.clear();
    if (block->most_rates() < result.count) result.count = block->most_rates(), result.by = signal.name;
    if (block->jumps()) result.jumps_by = signal.name;
    return result;
  }

  const Model& model_;
  std::vector<bool> open_;
};

}  // namespace

KnownRates known_rates(const Model& model, const Function& function) {
  return RateSearch(model).of_function(function);
}

}  // namespace carom::inline control
