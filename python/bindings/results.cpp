#include <algorithm>
#include <cmath>
#include <limits>

#include "bindings.h"
#include "facade/result_file.h"
#include "simulation/recorded_model.h"

namespace carom::python {
namespace {

const char* status_name(v1::Status status) {
  switch (status) {
    case v1::Status::complete:
      return "complete";
    case v1::Status::interrupted:
      return "interrupted";
    case v1::Status::failed:
      return "failed";
    case v1::Status::unfinished:
      break;
  }
  return "unfinished";
}

void bind_summary(py::module_& module) {
  using S = v1::Summary;
  py::class_<S>(module, "Summary", R"(What happened in a run. Of an unfinished one only the status is known.

>>> summary = result.summary
>>> summary.status, summary.contacts
('complete', 1)
>>> summary.largest_residual < 1e-6 * summary.largest_energy
True
)")
      .def_property_readonly(
          "status", [](const S& all) { return status_name(all.status); }, "complete, interrupted, failed or unfinished")
      .def_readonly("reason", &S::reason, "of a failure")
      .def_readonly("model", &S::model, "its name")
      .def_readonly("analysis", &S::analysis, "what was computed: dynamics, kinematics, statics, linear")
      .def_readonly("integrator", &S::integrator, "that was used")
      .def_readonly("constraints", &S::constraints, "how they were kept")
      .def_readonly("method", &S::method, "of contact: compliant or nonsmooth")
      .def_readonly("time", &S::time, "s, reached")
      .def_readonly("end", &S::end, "s, asked for")
      .def_readonly("samples", &S::samples, "that were recorded")
      .def_readonly("steps", &S::steps, "of the integrator")
      .def_readonly("rejected_steps", &S::rejected_steps, "that were taken again, shorter")
      .def_readonly("evaluations", &S::evaluations, "of the equations of motion")
      .def_readonly("degrees_of_freedom", &S::degrees_of_freedom, "of the model")
      .def_readonly("position_drift", &S::position_drift, "largest violation of the constraints")
      .def_readonly("velocity_drift", &S::velocity_drift, "largest violation of their rates")
      .def_readonly("kinetic", &S::kinetic, "J, at the end")
      .def_readonly("potential", &S::potential, "J, at the end")
      .def_readonly("supplied", &S::supplied, "J, put in by drives and loads")
      .def_readonly("dissipated", &S::dissipated, "J, lost in contacts, dampers and friction")
      .def_readonly("largest_residual", &S::largest_residual, "J, of the energy balance over the run")
      .def_readonly("largest_energy", &S::largest_energy, "J, to compare the residual with")
      .def_readonly("contacts", &S::contacts, "that began, at all points; by the nonsmooth method: impacts")
      .def_readonly("peak_force", &S::peak_force, "N, largest normal force of a contact")
      .def_readonly("peak_contact", &S::peak_contact, "where it acted")
      .def_readonly("peak_time", &S::peak_time, "s, when it acted")
      .def_readonly("largest_penetration", &S::largest_penetration, "m, at the end of any step")
      .def_readonly("deepest_contact", &S::deepest_contact, "where")
      .def_property_readonly(
          "works",
          [](const S& all) {
            py::dict works;
            for (const v1::Work& each : all.works) works[py::str(each.element)] = each.work;
            return works;
          },
          "J, done on the system by each element")
      .def_property_readonly(
          "modes",
          [](const S& all) {
            py::list modes;
            for (const v1::Mode& each : all.modes) modes.append(py::make_tuple(each.frequency, each.damping_ratio));
            return modes;
          },
          "frequency in Hz and damping ratio of each mode, of a linear analysis")
      .def_readonly("verdict", &S::verdict, "of a static analysis: stable, unstable, …")
      .def_readonly("warnings", &S::warnings, "what a user should know");
}

// One array a field; texts as lists.
py::dict event_table(const std::vector<v1::Event>& events) {
  const std::size_t count = events.size();
  const auto numbers = [&](double v1::Event::*member) {
    std::vector<double> column(count);
    for (std::size_t k = 0; k < count; ++k) column[k] = events[k].*member;
    return array_of(std::move(column));
  };
  py::list kinds, contacts;
  for (const v1::Event& event : events) kinds.append(event.kind), contacts.append(event.contact);
  py::dict table;
  table["time"] = numbers(&v1::Event::time);
  table["kind"] = kinds;
  table["contact"] = contacts;
  table["begin"] = numbers(&v1::Event::begin);
  table["approach_speed"] = numbers(&v1::Event::approach_speed);
  table["separation_speed"] = numbers(&v1::Event::separation_speed);
  table["impulse"] = numbers(&v1::Event::impulse);
  table["peak_force"] = numbers(&v1::Event::peak_force);
  table["duration"] = numbers(&v1::Event::duration);
  table["penetration"] = numbers(&v1::Event::penetration);
  return table;
}

py::dict contact_table(const std::vector<v1::ContactSummary>& contacts) {
  py::list names;
  std::vector<double> events, forces, largest, total, depth;
  for (const v1::ContactSummary& each : contacts) {
    names.append(each.name);
    events.push_back(static_cast<double>(each.events));
    forces.push_back(each.peak_force);
    largest.push_back(each.largest_impulse);
    total.push_back(each.total_impulse);
    depth.push_back(each.largest_penetration);
  }
  py::dict table;
  table["contact"] = names;
  table["events"] = array_of(std::move(events));
  table["peak_force"] = array_of(std::move(forces));
  table["largest_impulse"] = array_of(std::move(largest));
  table["total_impulse"] = array_of(std::move(total));
  table["largest_penetration"] = array_of(std::move(depth));
  return table;
}

// All components of a group, one row a sample: only what is asked for is read from the file.
py::array_t<double> group_rows(const v1::Result& result, const std::string& group) {
  const ResultReader reader(result.file());
  const auto& groups = reader.header().groups;
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& each) { return each.name == group; });
  if (found == groups.end()) throw ResultError("there is no group `" + group + "` in " + result.file().string());
  const std::size_t rows = reader.sample_count(), columns = found->components.size();
  py::array_t<double> values({rows, columns});
  if (rows > 0)
    reader.read_rows(static_cast<std::size_t>(found - groups.begin()), 0, rows,
                     {values.mutable_data(), rows * columns});
  return values;
}

}  // namespace

void bind_results(py::module_& module) {
  bind_summary(module);
  py::class_<v1::Quantity>(module, "Quantity", R"(Name, unit and meaning of something recorded.

>>> result.describe()[0]
<carom.Quantity body:ball.x [m]>
)")
      .def_readonly("name", &v1::Quantity::name, "group.component, such as body:crank.x")
      .def_readonly("unit", &v1::Quantity::unit, "empty: dimensionless")
      .def_readonly("meaning", &v1::Quantity::meaning, "what it is, in words")
      .def("__repr__", [](const v1::Quantity& each) {
        return "<carom.Quantity " + each.name + (each.unit.empty() ? "" : " [" + each.unit + "]") + ">";
      });
  py::class_<v1::Result>(module, "ResultFile", "The samples of a run, in a result file.")
      .def(py::init<const std::filesystem::path&>(), py::arg("file"))
      .def_property_readonly("file", &v1::Result::file)
      .def_property_readonly("summary", &v1::Result::summary)
      .def_property_readonly("sample_count", &v1::Result::sample_count)
      .def_property_readonly("quantities", &v1::Result::quantities)
      .def("times", [](const v1::Result& result) { return array_of(result.times()); })
      .def(
          "column", [](const v1::Result& result, const std::string& name) { return array_of(result.column(name)); },
          py::arg("quantity"))
      .def("group", &group_rows, py::arg("group"))
      .def("unit", &v1::Result::unit, py::arg("quantity"))
      .def("model_text", &v1::Result::model_text)
      .def("statistics", [](const v1::Result& result) { return ResultReader(result.file()).statistics_json(); })
      .def(
          "events",
          [](const v1::Result& result, const std::string& contact) {
            return event_table(contact.empty() ? result.events() : result.events(contact));
          },
          py::arg("contact") = "")
      .def("contacts", [](const v1::Result& result) { return contact_table(result.contacts()); });
}

}  // namespace carom::python
