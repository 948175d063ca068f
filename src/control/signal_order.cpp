#include "control/signal_order.h"

#include <algorithm>

#include "control/block.h"

namespace carom::inline control {
namespace {

// Of a force whose outputs are measured: those depend on what it depends on.
const ElementModel* measured_force(const Model& model, const std::string& quantity) {
  const std::string start = "force:";
  if (!quantity.starts_with(start)) return nullptr;
  const std::string name = quantity.substr(start.size(), quantity.rfind('.') - start.size());
  const auto found =
      std::find_if(model.forces.begin(), model.forces.end(), [&](const auto& force) { return force.name == name; });
  return found == model.forces.end() ? nullptr : &*found;
}

std::vector<int> needs_of(const Model& model, const ElementModel& signal) {
  std::vector<std::string> names;
  const BlockDescription* const type = find_block(signal.type);
  if (signal.type == measured_type) {
    if (const ElementModel* force = measured_force(model, signal.settings.text("of")))
      names = signals_used(force->settings);
  } else if (signal.type == output_type) {
    names = {signal.settings.text("block")};
  } else if (type && (!type->make || type->make(signal.settings)->feeds_through())) {
    names = signals_used(signal.settings);
  }
  std::vector<int> needs;
  for (const std::string& name : names) {
    if (const int index = signal_index(model, name); index >= 0) needs.push_back(index);
  }
  return needs;
}

class Sorting {
 public:
  explicit Sorting(const Model& model) : model_(model), needs_(model.signals.size()), mark_(model.signals.size()) {
    for (std::size_t k = 0; k < needs_.size(); ++k) needs_[k] = needs_of(model, model.signals[k]);
  }
  SignalOrder sort() {
    for (std::size_t k = 0; k < needs_.size(); ++k) {
      if (visit(static_cast<int>(k))) continue;
      return {{}, loop_};
    }
    return {order_, {}};
  }

 private:
  enum class Mark { unseen, open, done };
  // False: it leads back to one that is being visited. By a stack of its own: chains may be long.
  bool visit(int start) {
    if (mark_[start] == Mark::done) return true;
    std::vector<std::pair<int, std::size_t>> path = {{start, 0}};
    mark_[start] = Mark::open;
    while (!path.empty()) {
      auto& [signal, next] = path.back();
      if (next == needs_[signal].size()) {
        mark_[signal] = Mark::done;
        order_.push_back(signal);
        path.pop_back();
        continue;
      }
      const int needed = needs_[signal][next++];
      if (mark_[needed] == Mark::open) {
        const auto first =
            std::find_if(path.begin(), path.end(), [&](const auto& each) { return each.first == needed; });
        for (auto each = first; each != path.end(); ++each) loop_.push_back(model_.signals[each->first].name);
        return false;
      }
      if (mark_[needed] == Mark::unseen) mark_[needed] = Mark::open, path.emplace_back(needed, 0);
    }
    return true;
  }

  const Model& model_;
  std::vector<std::vector<int>> needs_;
  std::vector<Mark> mark_;
  std::vector<int> order_;
  std::vector<std::string> loop_;
};

}  // namespace

std::vector<std::string> signals_used(const Settings& settings) {
  std::vector<std::string> names;
  const auto add = [&](const Function& function) {
    names.insert(names.end(), function.signals().begin(), function.signals().end());
  };
  for (const std::string& key : settings.keys()) {
    const Value& value = *settings.find(key);
    if (const auto* single = std::get_if<Function>(&value)) add(*single);
    if (const auto* several = std::get_if<std::vector<Function>>(&value)) {
      for (const Function& each : *several) add(each);
    }
  }
  return names;
}

SignalOrder order_signals(const Model& model) {
  return Sorting(model).sort();
}

int signal_index(const Model& model, const std::string& name) {
  const auto found =
      std::find_if(model.signals.begin(), model.signals.end(), [&](const auto& signal) { return signal.name == name; });
  return found == model.signals.end() ? -1 : static_cast<int>(found - model.signals.begin());
}

}  // namespace carom::inline control
