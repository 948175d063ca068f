#include "studies/read_quantities.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "recording/select_quantities.h"
#include "simulation/model_lyapunov.h"
#include "studies/lyapunov_quantity.h"
#include "studies/study_run.h"

namespace carom::inline studies {
namespace {

using Kind = ParameterKind;
using Names = StudyReading::Names;

const std::vector<ParameterDescription>& section_rows() {
  static const std::vector<ParameterDescription> rows = {
      {.name = "event", .kind = Kind::text},
      {.name = "kind", .kind = Kind::text},
      {.name = "crossing", .kind = Kind::text},
      {.name = "direction", .kind = Kind::choice, .choices = {"up", "down", "both"}}};
  return rows;
}

const std::vector<ParameterDescription>& woehler_rows() {
  static const std::vector<ParameterDescription> rows = {
      {.name = "cycles", .required = true, .minimum = 0, .minimum_allowed = false},
      {.name = "exponent", .required = true, .minimum = 0, .minimum_allowed = false}};
  return rows;
}

std::vector<ParameterDescription> quantity_rows() {
  Names names;
  for (const ReductionDescription& each : reductions()) names.push_back(each.name);
  return {{.name = "name", .kind = Kind::text},
          {.name = "reduce", .kind = Kind::choice, .choices = names},
          {.name = "percent", .minimum = 0, .maximum = 100},
          {.name = "exponent", .minimum = 0, .minimum_allowed = false},
          {.name = "rating", .unit = "N", .minimum = 0, .minimum_allowed = false},
          {.name = "kind", .kind = Kind::text},
          {.name = "how", .kind = Kind::choice, .choices = {"separation", "variation"}},
          {.name = "separation", .minimum = 1e-9, .maximum = 1e-2},
          {.name = "from", .unit = "s"},
          {.name = "to", .unit = "s"},
          {.name = "every", .kind = Kind::integer, .minimum = 1},
          {.name = "unit", .kind = Kind::text}};
}

}  // namespace

void QuantityReader::read(const Node& table, const KeyPath& key) {
  const Settings settings =
      read_keys(reading_, table, quantity_rows(), {"of", "value", "interval", "at", "woehler", "models"}, key);
  StudyQuantity quantity;
  quantity.name = settings.text("name");
  quantity.unit = settings.text("unit");
  quantity.reduce = settings.text("reduce");
  quantity.percent = settings.number("percent", quantity.percent);
  quantity.exponent = settings.number("exponent", quantity.exponent);
  quantity.rating = settings.number("rating");
  quantity.kind = settings.text("kind");
  quantity.how = settings.text("how", quantity.how);
  quantity.separation = settings.number("separation", quantity.separation);
  if (settings.has("from")) quantity.from = settings.number("from");
  if (settings.has("to")) quantity.to = settings.number("to");
  quantity.every = static_cast<std::size_t>(settings.number("every", 1));
  read_models_of(table, quantity, key / "models");
  check_name(table, quantity.name, key / "name");
  const Node* value = table.find("value");
  if (value && (table.find("of") || table.find("reduce"))) {
    reading_.complain(*value, key / "value", {"`value` and `of` or `reduce`", "one way to compute it", ""});
  } else if (value) {
    read_value_of(*value, quantity, key / "value");
  } else {
    read_reduction(table, quantity, key);
  }
  study_.quantities.push_back(std::move(quantity));
}

void QuantityReader::read_models_of(const Node& table, StudyQuantity& quantity, const KeyPath& key) {
  Names files;
  for (const StudyModel& model : study_.models) files.push_back(model.file);
  const Names wanted = shared_.texts(table, "models", key);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const auto found = std::find(files.begin(), files.end(), wanted[k]);
    if (found != files.end()) {
      quantity.models.push_back(static_cast<std::size_t>(found - files.begin()));
    } else {
      reading_.complain(
          StudyReading::item_of(*table.find("models"), k), key,
          {quoted_text(wanted[k]), "models of the study: " + alternatives(files), did_you_mean(wanted[k], files)});
    }
  }
}

void QuantityReader::check_name(const Node& table, const std::string& name, const KeyPath& key) {
  const Node* node = table.find("name");
  const auto letter = [](char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_'; };
  const bool sound = !name.empty() && letter(name.front()) &&
                     std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || ('0' <= c && c <= '9'); });
  if (!sound) {
    if (node && !node->as<std::string>()) return;  // reported
    return reading_.complain(
        node ? *node : table, key,
        {node ? found_text(*node) : "nothing", "a name of letters, digits and _ that does not start with a digit", ""});
  }
  const Names& reserved = StudyReading::table_columns();
  const bool taken = std::any_of(study_.quantities.begin(), study_.quantities.end(),
                                 [&](const StudyQuantity& each) { return each.name == name; }) ||
                     std::find(study_.parameters.begin(), study_.parameters.end(), name) != study_.parameters.end() ||
                     std::find(reserved.begin(), reserved.end(), name) != reserved.end();
  if (taken)
    reading_.complain(*node, key,
                      {quoted_text(name) + ", which is taken",
                       "a name that no parameter, no other quantity and no column of the table has", ""});
}

void QuantityReader::read_value_of(const Node& node, StudyQuantity& quantity, const KeyPath& key) {
  const auto* text = node.as<std::string>();
  if (!text || !text->starts_with('='))
    return reading_.complain(node, key,
                             {found_text(node), "an expression over parameters and quantities: \"=peak/mean\"", ""});
  ExpressionArguments arguments = shared_.parameters_as_arguments();
  for (const StudyQuantity& each : study_.quantities) arguments.names.push_back(each.name);
  if (auto expression = read_expression(reading_, node, arguments, key)) quantity.expression = std::move(*expression);
  // What depends on parameters alone can be looked at beforehand.
  if (auto known = Expression::compile(std::string_view(*text).substr(1), study_.parameters, {});
      auto* expression = std::get_if<Expression>(&known))
    known_.push_back({&node, key, std::move(*expression)});
}

void QuantityReader::check_known() {
  if (known_.empty()) return;
  const StudyPlan plan(study_);
  for (const std::size_t index : {std::size_t{0}, plan.size() - 1}) {
    ProblemList ignored;  // a run that cannot be is recorded as failed
    const Model model = model_of_run(study_, plan, index, ignored);
    if (ignored.errors() > 0) continue;
    std::vector<double> values;
    for (const std::string& name : study_.parameters) values.push_back(model.parameters.at(name));
    for (const KnownValue& each : known_) {
      const double value = each.expression.value(values);
      if (!std::isfinite(value))
        return reading_.complain(*each.node, each.key,
                                 {fmt::format("{}, which is {} in run {}", found_text(*each.node),
                                              std::isnan(value) ? "no number" : "infinite", index + 1),
                                  "a formula with a finite value", "look at its parameters with --list"});
    }
  }
}

void QuantityReader::read_reduction(const Node& table, StudyQuantity& quantity, const KeyPath& key) {
  if (!table.find("reduce"))
    return reading_.complain(
        table, key / "reduce",
        {"nothing", "how one number comes out of the samples", "add `reduce`, or `value` with an expression"});
  const ReductionDescription* reduction = find_reduction(quantity.reduce);
  if (!reduction) return;  // reported
  if (is_lyapunov(quantity)) return read_lyapunov(table, quantity, key);
  quantity.of = shared_.texts(table, "of", key);
  if (!table.find("of"))
    return reading_.complain(
        table, key / "of", {"nothing", "a recorded quantity, such as \"joint:pin.normal_force\"", "add the key `of`"});
  quantity.is_list = reduction->is_list;
  if (quantity.reduce == "trace" && (quantity.of == Names{trace_of_time} || quantity.of == Names{trace_of_turns}))
    return read_trace_of_time(table, quantity, key);
  if (const Node* at = table.find("at")) {
    read_section(*at, quantity, *reduction, key / "at");
  } else if (reduction->of_points && !study_.steady.period) {
    reading_.complain(table, key / "reduce",
                      {quoted_text(quantity.reduce), "a [steady] section with the `period` of a turn",
                       "add it, or `at` with an event or a crossing"});
  }
  if (quantity.reduce == "life" && !table.find("rating"))
    reading_.complain(table, key / "rating", {"nothing", "the dynamic load rating in N", "add the key `rating`"});
  if (quantity.reduce == "count_events") return check_subject(table, quantity, key);
  check_channels(table, quantity, *reduction, key / "of");
  if (quantity.reduce == "damage") read_woehler(table, quantity, key / "woehler");
}

void QuantityReader::read_section(const Node& node, StudyQuantity& quantity, const ReductionDescription& reduction,
                                  const KeyPath& key) {
  if (!reduction.of_points)
    return reading_.complain(
        node, key,
        {"`at` with " + quoted_text(quantity.reduce),
         "it with poincare, poincare_spread, zero_one, motion or turns_to_repeat", "leave it out"});
  if (!node.as<Node::Table>())
    return reading_.complain(node, key, {found_text(node), "a table { event = … } or { crossing = …, value = … }", ""});
  const Settings settings = read_keys(reading_, node, section_rows(), {"value"}, key);
  StudySection section{
      .event = settings.text("event"), .kind = settings.text("kind"), .crossing = settings.text("crossing")};
  if (section.event.empty() == section.crossing.empty())
    return reading_.complain(node, key,
                             {section.event.empty() ? "neither `event` nor `crossing`" : "`event` and `crossing`",
                              "one of them", "for example at = { event = \"joint:pin\" }"});
  const std::string direction = settings.text("direction", "up");
  section.way = direction == "up" ? Crossing::rising : direction == "down" ? Crossing::falling : Crossing::both;
  if (section.event.empty()) {
    const std::string unit = unit_of(*node.find("crossing"), section.crossing, quantity, key / "crossing");
    if (const Node* value = node.find("value"))
      section.value = read_quantity(reading_, *value, unit, "the level that is passed", key / "value").value_or(0);
  } else {
    check_contact(*node.find("event"), section.event, quantity, key / "event");
    if (const Node* kind = node.find("kind")) check_kind(*kind, section.kind, quantity, key / "kind");
  }
  quantity.at = std::move(section);
}

void QuantityReader::read_woehler(const Node& table, StudyQuantity& quantity, const KeyPath& key) {
  const Node* node = table.find("woehler");
  if (!node || !node->as<Node::Table>())
    return reading_.complain(node ? *node : table, key,
                             {node ? found_text(*node) : "nothing", "the line of the material",
                              "for example woehler = { range = \"400 MPa\", cycles = 1e6, exponent = 9 }"});
  const Settings settings = read_keys(reading_, *node, woehler_rows(), {"range", "limit"}, key);
  require_keys(reading_, *node, woehler_rows(), key);
  const auto& units = shared_.channels_of(quantity.models.empty() ? 0 : quantity.models.front()).units;
  const auto unit = quantity.of.empty() ? units.end() : units.find(quantity.of.front());
  if (unit == units.end()) return;  // reported
  const auto range = [&](const char* name) {
    const Node* value = node->find(name);
    return value ? read_quantity(reading_, *value, unit->second, "a range of the quantity", key / name) : std::nullopt;
  };
  quantity.woehler = {.reference_range = range("range").value_or(0),
                      .reference_cycles = settings.number("cycles"),
                      .exponent = settings.number("exponent"),
                      .endurance_limit = range("limit").value_or(0)};
  if (!(quantity.woehler->reference_range > 0))
    reading_.complain(*node, key / "range",
                      {node->find("range") ? found_text(*node->find("range")) : "nothing",
                       "a range above 0, which the material bears for `cycles`", ""});
}

std::string QuantityReader::unit_of(const Node& at, const std::string& name, const StudyQuantity& quantity,
                                    const KeyPath& key) {
  std::string unit;
  for (std::size_t m = 0; m < study_.models.size(); ++m) {
    if (!quantity.asked_of(m)) continue;
    const StudyChannels& channels = shared_.channels_of(m);
    const auto found = channels.units.find(name);
    if (found != channels.units.end()) {
      if (unit.empty()) unit = found->second;
      continue;
    }
    const Names close = close_names(name, channels.names, 4);
    reading_.complain(at, key,
                      {quoted_text(name) + ", which " + study_.models[m].file + " does not have",
                       "a quantity that can be recorded", close.empty() ? "" : "near it: " + alternatives(close)});
    break;
  }
  return unit;
}

void QuantityReader::read_lyapunov(const Node& table, StudyQuantity& quantity, const KeyPath& key) {
  if (quantity.unit.empty()) quantity.unit = find_reduction(quantity.reduce)->unit;
  if (const Node* of = table.find("of"))
    reading_.complain(*of, key / "of",
                      {found_text(*of), "nothing: the exponent is that of the whole model", "leave it out"});
  if (const Node* node = table.find("interval")) {
    quantity.interval = shared_.read_time(*node, key / "interval");
  } else if (!study_.steady.period) {
    reading_.complain(table, key / "interval",
                      {"nothing", "the time after which the difference of two motions is made small again",
                       "add `interval`, or the `period` of a turn to [steady]"});
  }
  for (std::size_t m = 0; m < study_.models.size(); ++m) {
    const StudyModel& model = study_.models[m];
    if (!quantity.asked_of(m)) continue;
    const std::string why = quantity.how == "variation" ? not_smooth_because(model.base) : "";
    if (!why.empty())
      reading_.complain(
          *table.find("how"), key / "how",
          {"\"variation\"", "a smooth model, and of " + model.file + " " + why, "use how = \"separation\""});
  }
}

void QuantityReader::read_trace_of_time(const Node& table, StudyQuantity& quantity, const KeyPath& key) {
  const bool turns = quantity.of.front() == trace_of_turns;
  if (quantity.unit.empty()) quantity.unit = turns ? "1" : "s";
  if (turns && !study_.steady.period)
    reading_.complain(*table.find("of"), key / "of",
                      {quoted_text(trace_of_turns), "a [steady] section with the `period` of a turn", "add it"});
}

void QuantityReader::check_channels(const Node& table, StudyQuantity& quantity, const ReductionDescription& reduction,
                                    const KeyPath& key) {
  for (std::size_t k = 0; k < quantity.of.size(); ++k) {
    const std::string unit = unit_of(StudyReading::item_of(*table.find("of"), k), quantity.of[k], quantity, key);
    if (k > 0 || !quantity.unit.empty()) continue;
    quantity.unit = reduction.unit == "*"    ? unit
                    : reduction.unit == "*s" ? unit + (unit.empty() ? "s" : " s")
                                             : reduction.unit;
  }
}

void QuantityReader::check_subject(const Node& table, StudyQuantity& quantity, const KeyPath& key) {
  if (quantity.unit.empty()) quantity.unit = "1";
  for (std::size_t k = 0; k < quantity.of.size(); ++k)
    check_contact(StudyReading::item_of(*table.find("of"), k), quantity.of[k], quantity, key / "of");
  if (const Node* kind = table.find("kind")) check_kind(*kind, quantity.kind, quantity, key / "kind");
}

void QuantityReader::check_contact(const Node& at, const std::string& asked, const StudyQuantity& quantity,
                                   const KeyPath& key) {
  const auto touches_in = [&](std::size_t m) {
    return quantity.asked_of(m) && may_touch(study_.models[m].base, shared_.channels_of(m), asked);
  };
  const bool pattern = asked.find('*') != std::string::npos;
  for (std::size_t m = 0; pattern && m < study_.models.size(); ++m) {
    if (touches_in(m)) return;
  }
  for (std::size_t m = 0; m < study_.models.size(); ++m) {
    if (!quantity.asked_of(m) || touches_in(m)) continue;
    const StudyModel& model = study_.models[m];
    const StudyChannels& channels = shared_.channels_of(m);
    const Names& groups = channels.contact_groups;
    Names close = close_names(asked, groups, 4);
    if (close.empty()) close = close_names(asked, channels.contacts, 4);
    if (close.empty()) close = groups;
    if (close.size() > 6) close.resize(6);
    const bool exists = std::find(channels.groups.begin(), channels.groups.end(), asked) != channels.groups.end();
    return reading_.complain(
        at, key,
        {fmt::format("{}, which {} {}", quoted_text(asked), exists ? "touches nothing in" : "is no contact of",
                     model.file),
         "what touches, a joint with clearance or a [[pair]], such as \"joint:pin\" or \"contact:*\"",
         close.empty() ? "the model has neither" : "it has " + alternatives(close)});
  }
}

void QuantityReader::check_kind(const Node& at, const std::string& kind, const StudyQuantity& quantity,
                                const KeyPath& key) {
  if (kind.empty()) return;
  for (std::size_t m = 0; m < study_.models.size(); ++m) {
    if (!quantity.asked_of(m)) continue;
    Names kinds;
    for (const std::string& method : study_.methods) {
      Model model = study_.models[m].base;
      if (!method.empty()) model.solver.method = find_named<ContactMethod>(method).value_or(model.solver.method);
      const Names own = find_channels(model).event_kinds;
      kinds.insert(kinds.end(), own.begin(), own.end());
    }
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) continue;
    return reading_.complain(at, key,
                             {quoted_text(kind) + ", which no event of " + study_.models[m].file + " is",
                              kinds.empty() ? "a model with contacts" : "a kind of event: " + alternatives(kinds),
                              did_you_mean(kind, kinds)});
  }
}

}  // namespace carom::inline studies
