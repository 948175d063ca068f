#include <limits>

#include "bindings.h"
#include "contact_laws/stiffness.h"
#include "durability/contact_wear.h"
#include "durability/load_life.h"
#include "force_recovery/contact_forces.h"
#include "force_recovery/recover_forces.h"
#include "force_recovery/step_impulses.h"
#include "simulation/recorded_model.h"

// Forces behind impulses, stresses, life and wear, from result files.
namespace carom::python {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// A table as a dict of columns, filled row by row.
class Columns {
 public:
  void add(const char* name, double value) {
    for (auto& [known, numbers] : columns_) {
      if (known == name) return numbers.push_back(value);
    }
    columns_.push_back({name, {value}});
  }
  void put_into(py::dict& table) {
    for (auto& [name, numbers] : columns_) table[py::str(name)] = array_of(std::move(numbers));
  }

 private:
  std::vector<std::pair<std::string, std::vector<double>>> columns_;
};

PulseLaw law_named(const std::string& name) {
  const NormalLawDescription* law = find_normal_law(name);
  if (law) return {law, {}};
  ProblemList problems;
  problems.add(Problem{.key = "law",
                       .found = "\"" + name + "\"",
                       .expected = "a normal force law",
                       .remedy = "carom.contact_law_types() lists them"});
  throw InputError(problems);
}

void add_forces(Columns& columns, const RecoveredImpact& one) {
  const bool known = one.unknown.empty();
  columns.add("time", one.time);
  columns.add("impulse", one.resolved ? unknown : one.impulse);
  columns.add("tangential_impulse", one.resolved ? unknown : one.tangential_impulse);
  columns.add("impact_speed", one.impact.speed);
  columns.add("effective_mass", one.resolved ? unknown : one.impact.mass);
  columns.add("restitution", one.resolved ? one.pulse.restitution : one.impact.restitution);
  columns.add("peak_force", known ? one.pulse.peak_force : unknown);
  columns.add("duration", known ? one.pulse.duration : unknown);
  columns.add("penetration", known ? one.pulse.max_penetration : unknown);
  columns.add("dissipated", known ? one.dissipated : unknown);
  const HertzPatch patch = one.patch.value_or(HertzPatch{unknown, unknown, unknown, unknown});
  const StressMaxima stress = one.patch ? stress_maxima(patch, one.poisson) : StressMaxima{};
  columns.add("max_pressure", patch.max_pressure);
  columns.add("major_half_axis", patch.major_half_axis);
  columns.add("minor_half_axis", patch.minor_half_axis);
  columns.add("max_shear", one.patch ? stress.shear.value : unknown);
  columns.add("max_shear_depth", one.patch ? stress.shear.depth : unknown);
  columns.add("max_octahedral_shear", one.patch ? stress.octahedral.value : unknown);
  columns.add("max_octahedral_shear_depth", one.patch ? stress.octahedral.depth : unknown);
}

py::dict forces(const std::filesystem::path& file, const std::vector<std::string>& contacts, const std::string& law,
                bool cubic) {
  const ResultReader result(file);
  Recovery recovery{.profile = cubic ? PulseProfile::cubic : PulseProfile::exact, .law = {}, .contacts = contacts};
  if (!law.empty()) recovery.law = law_named(law);
  const auto impacts = recover_forces(result, model_of(result), recovery);
  py::list names, reasons;
  Columns columns;
  for (const RecoveredImpact& one : impacts) {
    names.append(one.contact), reasons.append(one.unknown);
    add_forces(columns, one);
  }
  py::dict table;
  table["contact"] = names, table["unknown"] = reasons;
  columns.put_into(table);
  return table;
}

py::dict pulse(const std::filesystem::path& file, const std::vector<std::string>& contacts, int samples) {
  const ResultReader result(file);
  const auto impacts = recover_forces(result, model_of(result), {.contacts = contacts});
  const RecoveredImpact* hardest = nullptr;
  for (const RecoveredImpact& one : impacts) {
    if (one.unknown.empty() && !one.resolved && one.passed_from.empty() &&
        (!hardest || one.pulse.peak_force > hardest->pulse.peak_force))
      hardest = &one;
  }
  if (!hardest) throw ResultError("there is no impact in " + file.string() + " whose force can be followed over time");
  Columns columns;
  for (const PulseSample& sample : pulse_history(hardest->impact, PulseProfile::exact, samples, hardest->law)) {
    columns.add("time", sample.time), columns.add("penetration", sample.penetration);
    columns.add("rate", sample.rate), columns.add("force", sample.force);
  }
  py::dict table;
  columns.put_into(table);
  return table;
}

py::list split_impulses(const std::filesystem::path& file, const std::vector<std::string>& contacts, bool in_three) {
  const ResultReader result(file);
  py::list all;
  for (StepImpulses& steps : step_impulses(result, model_of(result), contacts)) {
    ImpulseParts parts = split(steps, in_three);
    py::dict table;
    table["contact"] = steps.contact;
    table["time"] = array_of(std::move(steps.time));
    table["normal"] = array_of(std::move(steps.normal));
    table["tangential"] = array_of(std::move(steps.tangential));
    table["continuous"] = array_of(std::move(parts.continuous));
    table["impact"] = array_of(std::move(parts.impact));
    if (in_three) table["isolated"] = array_of(std::move(parts.isolated));
    table["continuous_force"] = array_of(std::move(parts.force));
    all.append(table);
  }
  return all;
}

py::list wear(const std::filesystem::path& file, const std::vector<std::string>& contacts, double repeats,
              double from) {
  const ResultReader result(file);
  WearRequest request{.contacts = contacts, .from = from, .repeats = repeats};
  py::list all;
  for (const ContactWear& each : contact_wear(result, model_of(result), request)) {
    py::dict one;
    one["contact"] = each.contact;
    one["force_distance"] = each.force_distance;
    one["materials"] = py::make_tuple(each.materials[0], each.materials[1]);
    one["missing"] = each.missing;
    const bool known = each.missing.empty();
    one["volumes"] = py::make_tuple(known ? each.volumes[0] : unknown, known ? each.volumes[1] : unknown);
    one["bearing_depth"] = each.joint ? each.largest_bearing_depth() : unknown;
    one["journal_depth"] = each.joint ? each.largest_journal_depth() : unknown;
    one["bearing_angle"] = each.joint ? each.bearing_angle() : unknown;
    one["mean_growth"] = each.joint ? each.joint->mean_growth() : unknown;
    all.append(one);
  }
  return all;
}

// Keys of a ball bearing in SI; its steel as young and poisson.
BallBearing bearing_of(const py::dict& given) {
  BallBearing bearing;
  bearing.rows = given.contains("rows") ? given["rows"].cast<int>() : 1;
  bearing.balls = given["balls"].cast<int>();
  bearing.ball_diameter = given["ball_diameter"].cast<double>();
  bearing.pitch_diameter = given["pitch_diameter"].cast<double>();
  bearing.contact_angle = given.contains("contact_angle") ? given["contact_angle"].cast<double>() : 0;
  const double groove = given.contains("groove") ? given["groove"].cast<double>() : 0.52;
  if (bearing.balls < 1 || !(bearing.ball_diameter > 0) || !(bearing.pitch_diameter > bearing.ball_diameter) ||
      !(groove > 0.5) || !(groove <= 1))
    throw py::value_error(
        "a ball bearing needs balls ≥ 1, a positive ball_diameter below pitch_diameter, and a groove above 0.5 and up "
        "to 1");
  bearing.inner_groove_radius = bearing.outer_groove_radius = groove * bearing.ball_diameter;
  if (bearing.rows == 2) bearing.reduction_factor = 0.9;
  return bearing;
}

template <class T>
std::optional<T> given_in(const py::dict& request, const char* key) {
  if (!request.contains(key) || request[key].is_none()) return std::nullopt;
  return request[key].cast<T>();
}

LifeRequest request_of(const py::dict& given) {
  LifeRequest request;
  request.load = given["load"].cast<std::vector<std::string>>();
  request.from = given_in<double>(given, "from").value_or(request.from);
  request.to = given_in<double>(given, "to").value_or(request.to);
  request.rating = given_in<double>(given, "rating");
  request.speed = given_in<double>(given, "speed");
  request.speed_quantity = given_in<std::string>(given, "speed_quantity").value_or("");
  request.reliability = given_in<double>(given, "reliability").value_or(0.9);
  request.a_iso = given_in<double>(given, "a_iso").value_or(1);
  if (given_in<bool>(given, "roller").value_or(false)) request.exponent = roller_life_exponent;
  request.bins = given_in<std::size_t>(given, "bins").value_or(20);
  if (const auto bearing = given_in<py::dict>(given, "bearing")) {
    request.bearing = bearing_of(*bearing);
    request.ball_loads = given_in<std::vector<std::string>>(given, "ball_loads").value_or(std::vector<std::string>{});
    const double young = given_in<double>(*bearing, "young").value_or(207e9),
                 poisson = given_in<double>(*bearing, "poisson").value_or(0.3);
    request.composite_modulus = composite_modulus(young, poisson, young, poisson);
  }
  if (const auto line = given_in<std::vector<double>>(given, "woehler")) {
    if (line->size() < 3 || line->size() > 4) throw py::value_error("woehler is (range, cycles, exponent[, limit])");
    request.line = [line](const std::string&) {
      return WoehlerLine{(*line)[0], (*line)[1], (*line)[2], line->size() > 3 ? (*line)[3] : 0.0};
    };
  }
  return request;
}

template <class T>
py::object or_none(const std::optional<T>& value) {
  return value ? py::cast(*value) : py::object(py::none());
}

py::dict life(const std::filesystem::path& file, const py::dict& given) {
  const ResultReader result(file);
  LifeRequest request = request_of(given);
  std::optional<Model> model;
  if (given_in<bool>(given, "pressure").value_or(false)) model = model_of(result), request.pressure_in = &*model;
  LoadLife found = find_life(result, request);
  Columns cycles;
  for (const CountedCycle& cycle : found.cycles)
    cycles.add("range", cycle.range), cycles.add("mean", cycle.mean), cycles.add("count", cycle.count);
  py::dict counted, all;
  cycles.put_into(counted);
  all["quantity"] = found.load.name, all["unit"] = found.load.unit;
  all["cycles"] = counted;
  all["equivalent"] = found.equivalent, all["exponent"] = found.exponent;
  all["rating"] = or_none(found.rating);
  all["L10"] = found.rating ? py::cast(found.revolutions) : py::object(py::none());
  all["Lnm"] = found.rating ? py::cast(found.factor * found.revolutions) : py::object(py::none());
  all["speed"] = or_none(found.speed);
  const bool hours = found.rating && found.speed && *found.speed > 0;
  all["L10h"] = hours ? py::cast(life_in_hours(found.revolutions, *found.speed)) : py::object(py::none());
  all["L10_from_stresses"] = or_none(found.from_stresses);
  all["damage"] = or_none(found.damage);
  return all;
}

}  // namespace

void bind_postprocessing(py::module_& module) {
  module.def("forces", &forces, py::arg("file"), py::arg("contacts"), py::arg("law"), py::arg("cubic"));
  module.def("pulse", &pulse, py::arg("file"), py::arg("contacts"), py::arg("samples"));
  module.def("split_impulses", &split_impulses, py::arg("file"), py::arg("contacts"), py::arg("in_three"));
  module.def("wear", &wear, py::arg("file"), py::arg("contacts"), py::arg("repeats"), py::arg("start"));
  module.def("life", &life, py::arg("file"), py::arg("request"));
}

}  // namespace carom::python
