#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/units.h"
#include "control/block.h"
#include "control/known_rates.h"
#include "control/quantity.h"
#include "control/signal_order.h"
#include "documents/document.h"
#include "model_io/field_tables.h"
#include "model_io/validation.h"

// Signals: their names, what they measure, whether their blocks are sound, and whether they can be worked out.
namespace carom::inline model_io {

// Of a linear analysis.
void Validation::check_inputs_and_outputs() {
  for (const auto* names : {&model_.solver.inputs, &model_.solver.outputs}) {
    const bool input = names == &model_.solver.inputs;
    const KeyPath key = KeyPath::section("solver") / (input ? "inputs" : "outputs");
    for (std::size_t k = 0; k < names->size(); ++k) {
      const std::string& name = (*names)[k];
      const int index = signal_index(model_, name);
      if (index >= 0 && (!input || model_.signals[index].type == held_type)) continue;
      std::vector<std::string> known;
      for (const ElementModel& signal : model_.signals) known.push_back(signal.name);
      error(key.item(k),
            {index < 0 ? quoted_text(name) + ", which is no signal" : quoted_text(name) + ", which follows from others",
             input ? "a signal of type `held`" : "a signal", did_you_mean(name, known)});
    }
    if (!names->empty() && model_.solver.analysis != Analysis::linear)
      report(Severity::warning, key, {"inputs or outputs of another analysis", "analysis = \"linear\"", ""});
  }
}

void Validation::check_signals() {
  check_inputs_and_outputs();
  if (model_.signals.empty()) return;
  TakenNames names;
  const int before = problems_.errors();
  for (std::size_t k = 0; k < model_.signals.size(); ++k) {
    const ElementModel& signal = model_.signals[k];
    if (signal.implied) continue;
    entry_ = signal.where;
    const KeyPath key = KeyPath::entry(KeyPath::section("signal"), k, signal.name);
    check_name(signal.name, key, "signal", names);
    check_signal_name(signal.name, key);
    check_signal(signal, key);
  }
  if (problems_.errors() > before) return;
  const SignalOrder order = order_signals(model_);
  if (order.loop.empty()) return check_signal_drives();
  const auto first = static_cast<std::size_t>(signal_index(model_, order.loop.front()));
  entry_ = model_.signals[first].where;
  std::string way;
  for (const std::string& name : order.loop) way += "`" + name + "` uses ";
  error(KeyPath::entry(KeyPath::section("signal"), first, order.loop.front()),
        {way + "`" + order.loop.front() + "`: an algebraic loop", "a block with a state somewhere on the way",
         "put a first-order-lag, an integrator or a sample-and-hold between two of them"});
}

// The constraint of a drive takes the position with two rates; those of its signals must be there before accelerations
// are, which follow from it.
void Validation::check_signal_drives() {
  for (std::size_t k = 0; k < model_.motions.size(); ++k) {
    const MotionModel& motion = model_.motions[k];
    if (motion.value.signals().empty()) continue;
    entry_ = motion.where;
    const KeyPath key = KeyPath::entry(KeyPath::section("motion"), k, motion.name);
    const bool position = motion.level == MotionLevel::position, speed = motion.level == MotionLevel::speed;
    const std::string what = position ? "position" : speed ? "speed" : "acceleration";
    const std::string smooth = position ? "put a second-order-lag before the drive, or let it say the speed"
                                        : "put a first-order-lag or an integrator before the drive";
    const int asked = position ? 2 : speed ? 1 : 0;
    if (model_.solver.analysis != Analysis::dynamic && model_.solver.analysis != Analysis::statics)
      error(key / what, {"a drive by the signal " + quoted_text(motion.value.signals().front()),
                         "a drive by a function of time alone in this analysis",
                         "use analysis = \"dynamic\", which follows the states of signals"});
    const KnownRates rates = known_rates(model_, motion.value);
    if (rates.count < asked)
      error(key / what,
            {fmt::format("the signal `{}`, {} of which follows from the forces that the drive changes", rates.by,
                         rates.count == 0 ? "the rate" : "the second rate"),
             position ? "signals whose first and second rates are known" : "signals whose rate is known", smooth});
    else if (position && !rates.jumps_by.empty())
      error(key / what, {fmt::format("the signal `{}`, which jumps", rates.jumps_by),
                         "a position that a mechanism can follow", smooth});
  }
}

// Expressions must be able to say it, and mean it.
void Validation::check_signal_name(const std::string& name, const KeyPath& key) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  const bool word = !name.empty() && letter(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c));
  });
  if (!name.empty() && !word)
    return error(key / "name", {quoted_text(name), "a word of letters, digits and underscores", ""});
  for (const char* const taken : {"t", "x", "v", "pi", "e"}) {
    if (name == taken)
      error(key / "name", {quoted_text(name) + ", which means something else in expressions", "another name", ""});
  }
  if (model_.parameters.contains(name))
    error(key / "name", {quoted_text(name) + ", which is a parameter, too", "another name", ""});
}

void Validation::report_unknown_block(const ElementModel& signal, const KeyPath& key) {
  if (broken(key / "type")) return;
  std::vector<std::string> names;
  for (const BlockDescription& each : block_catalogue()) names.push_back(each.name);
  if (!sources_.given(key / "type") && signal.type.empty())
    return error(key, {"neither `of`, `value` nor `type`", "one of them", ""});
  error(key / "type", {quoted_text(signal.type), alternatives(names), did_you_mean(signal.type, names)});
}

void Validation::check_signal(const ElementModel& signal, const KeyPath& key) {
  const BlockDescription* const type = find_block(signal.type);
  if (!type) return report_unknown_block(signal, key);
  std::vector<ParameterDescription> rows = type->parameters;
  rows.push_back(*find_row(signal_fields().rows(), "unit"));
  check_settings(signal, rows, key);
  if (const std::string unit = signal.settings.text("unit"); !unit.empty() && !dimension_of_unit(unit))
    error(key / "unit", {quoted_text(unit), "a unit", ""});
  if (signal.type == measured_type) return check_measured(signal, *type, key);
  if (signal.type == output_type) return check_output(signal, key);
  const bool sound = std::all_of(rows.begin(), rows.end(), [&](const ParameterDescription& row) {
    return !broken(key / row.name) && (!row.required || signal.settings.has(row.name));
  });
  if (!sound || !type->check) return;  // reported
  if (const std::string fault = type->check(signal.settings); !fault.empty())
    error(key, {fault, "keys that fit each other", ""});
}

void Validation::check_output(const ElementModel& signal, const KeyPath& key) {
  if (!signal.settings.has("block") || !signal.settings.has("number")) return;  // reported
  const std::string name = signal.settings.text("block");
  const int index = signal_index(model_, name);
  const BlockDescription* const type = index < 0 ? nullptr : find_block(model_.signals[index].type);
  std::vector<std::string> known;
  for (const ElementModel& each : model_.signals) known.push_back(each.name);
  if (!type || !type->make)
    return error(key / "block", {quoted_text(name) + (index < 0 ? ", which is no signal" : ", which is no block"),
                                 "a signal of type state-space", index < 0 ? did_you_mean(name, known) : ""});
  const Settings& settings = model_.signals[index].settings;
  if (type->check && !type->check(settings).empty()) return;  // reported there
  const int outputs = type->make(settings)->outputs();
  if (signal.settings.number("number") > outputs)
    error(key / "number", {fmt::format("{:g}", signal.settings.number("number")),
                           fmt::format("one of the outputs of `{}`: 1 to {}", name, outputs), ""});
}

void Validation::check_measured(const ElementModel& signal, const TypeDescription& type, const KeyPath& key) {
  if (broken(key / "of") || !signal.settings.has("of")) return;
  check_references(signal, type.parameters, key);
  const MeasuredQuantity quantity = find_quantity(model_, signal);
  if (!quantity.ok()) return error(key / "of", {quantity.found, quantity.expected, quantity.remedy});
  const auto own = dimension_of_unit(quantity.unit), said = dimension_of_unit(signal.settings.text("unit"));
  if (signal.settings.has("unit") && own && said && !(*own == *said))
    error(key / "unit", {quoted_text(signal.settings.text("unit")), "the unit of the quantity: " + quantity.unit, ""});
}

}  // namespace carom::inline model_io
