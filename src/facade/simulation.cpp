#include "carom/simulation.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "base/nearest_name.h"
#include "facade/translate.h"
#include "model_io/live_parameters.h"
#include "simulation/live_values.h"
#include "simulation/simulation.h"

namespace carom::v1 {
namespace {

// A model whose motion can be followed.
carom::Model dynamic(carom::Model model) {
  if (model.solver.analysis == carom::Analysis::dynamic) return model;
  carom::ProblemList problems;
  problems.add(carom::Problem{.file = model.file,
                              .key = "solver.analysis",
                              .found = "\"" + carom::name_of(model.solver.analysis) + "\"",
                              .expected = "\"dynamic\", for a simulation",
                              .remedy = "use simulate"});
  throw carom::InputError(problems);
}

carom::Documents documents_of(const Model& model) {
  carom::ProblemList problems;
  const auto& given = ModelAccess::impl(model);
  return given.unchanged() && !given.file.empty()
             ? carom::read_documents(given.file, problems)
             : carom::read_documents(model.text(), built_in_cpp, given.folder, problems);
}

// "body:rod.vx" as {"rod", "vx"}; bodies without such a name are refused.
std::pair<std::string, std::string> body_component(const std::string& quantity) {
  const std::size_t dot = quantity.rfind('.');
  if (!quantity.starts_with("body:") || dot == std::string::npos)
    throw carom::ResultError("`" + quantity + "` cannot be set: only positions and velocities of bodies can");
  return {quantity.substr(5, dot - 5), quantity.substr(dot + 1)};
}

// Where a component stands among those that can be set; −1: it cannot.
int place_in(const std::vector<std::string>& components, const std::string& component) {
  const auto found = std::find(components.begin(), components.end(), component);
  return found == components.end() ? -1 : static_cast<int>(found - components.begin());
}

const std::vector<std::string> planar_components = {"x", "y", "angle", "vx", "vy", "omega"};
const std::vector<std::string> spatial_components = {"x",  "y",  "z",  "qw", "qx", "qy", "qz",
                                                     "vx", "vy", "vz", "wx", "wy", "wz"};

// The state of one body from what is recorded of it.
void put_planar(const std::vector<double>& numbers, const carom::BodyModel& body, int index, carom::State& state) {
  const Eigen::Vector2d centre = Eigen::Rotation2Dd(numbers[2]) * body.center_of_mass.head<2>();
  state.q.segment<3>(3 * index) << numbers[0] + centre.x(), numbers[1] + centre.y(), numbers[2];
  state.v.segment<3>(3 * index) << numbers[3], numbers[4], numbers[5];
}

void put_spatial(const std::vector<double>& numbers, const carom::BodyModel& body, int index, carom::State& state) {
  const Eigen::Quaterniond turn = Eigen::Quaterniond(numbers[3], numbers[4], numbers[5], numbers[6]).normalized();
  const Eigen::Vector3d centre = Eigen::Vector3d(numbers[0], numbers[1], numbers[2]) + turn * body.center_of_mass;
  const Eigen::Vector3d angular_velocity = turn.inverse() * Eigen::Vector3d(numbers[10], numbers[11], numbers[12]);
  state.q.segment<7>(7 * index) << centre, turn.w(), turn.x(), turn.y(), turn.z();
  state.v.segment<6>(6 * index) << numbers[7], numbers[8], numbers[9], angular_velocity;
}

void take_numbers(const char* what, const std::vector<double>& numbers, Eigen::VectorXd& to) {
  if (static_cast<Eigen::Index>(numbers.size()) != to.size())
    throw carom::ComputationError(fmt::format("{} {} given where the model has {}", numbers.size(), what, to.size()));
  if (!std::all_of(numbers.begin(), numbers.end(), [](double each) { return std::isfinite(each); }))
    throw carom::ComputationError(fmt::format("{} that are not finite cannot be set", what));
  std::copy(numbers.begin(), numbers.end(), to.begin());
}

SimulationEvent event_of(const carom::EventRecord& record, const std::vector<carom::EventKind>& kinds) {
  SimulationEvent event{record.time, record.kind, record.subject, {}};
  const auto kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const auto& each) { return each.name == record.kind; });
  for (std::size_t k = 0; kind != kinds.end() && k < record.values.size(); ++k)
    event.values[kind->values[k].name] = record.values[k];
  return event;
}

}  // namespace

struct Snapshot::Impl {
  carom::SimulationSnapshot inner;
  std::map<std::string, std::string> parameters;
  double allowance = 0;  // J
};

double Snapshot::time() const {
  return impl_->inner.time;
}

struct Simulation::Impl {
  Impl(const Model& model, const SimulationOptions& given)
      : options(given),
        inner(dynamic(read(model)), {.interrupted = given.interrupt}),
        parameters(documents_of(model)),
        values(inner) {}

  double energy() {
    const carom::State& state = inner.state();
    return inner.system().energy(state.t, state.q.data(), state.v.data()).total();
  }

  // Put on the constraints; what that does to the energy is no error of the motion.
  void put(carom::State state) {
    const double before = energy();
    inner.set_state(std::move(state));
    values.set_allowance(values.allowance() + energy() - before);
  }

  // Impulses are reported since here.
  void begin_piece() {
    inner.system().forget_impulses();
    values.forget();
  }

  // False: it was interrupted on the way.
  bool go_on(double until, carom::Advance how) {
    begin_piece();
    try {
      inner.advance_to(until, how, [this] { report(); });
      return true;
    } catch (const carom::Interrupted&) {
      return false;
    }
  }

  void report() {
    values.forget();
    if (!options.progress) return;
    const carom::SolverSettings& solver = inner.model().solver;
    options.progress({.time = inner.time(), .start = solver.start, .end = solver.end, .steps = inner.steps()});
  }

  SimulationOptions options;
  carom::Simulation inner;
  carom::LiveParameters parameters;
  carom::LiveValues values;
};

Simulation::Simulation(const Model& model, const SimulationOptions& options)
    : impl_(translating_errors([&] { return std::make_unique<Impl>(model, options); })) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&& other) noexcept = default;
Simulation& Simulation::operator=(Simulation&& other) noexcept = default;

double Simulation::time() const {
  return impl_->inner.time();
}

long Simulation::steps() const {
  return impl_->inner.steps();
}

bool Simulation::step() {
  return translating_errors([&] {
    const double last = impl_->inner.last();
    if (!(impl_->inner.state().t < last) || !impl_->go_on(last, carom::Advance::one_step)) return false;
    if (!(impl_->inner.state().t < last)) impl_->inner.arrive(impl_->inner.model().solver.end);
    return true;
  });
}

bool Simulation::advance(double duration) {
  return advance_to(time() + duration);
}

bool Simulation::advance_to(double time) {
  if (!(time >= this->time()) || !std::isfinite(time))
    throw Error(fmt::format("a simulation at t = {:.9g} s cannot advance to {:.9g} s", this->time(), time));
  return translating_errors([&] { return impl_->go_on(time, carom::Advance::all_steps); });
}

double Simulation::value(const std::string& quantity) const {
  return translating_errors([&] { return impl_->values.value(quantity); });
}

std::vector<Quantity> Simulation::quantities() const {
  std::vector<Quantity> result;
  for (const carom::ChannelGroup& group : impl_->values.groups()) {
    for (const carom::Component& each : group.components)
      result.push_back({group.name + "." + each.name, each.unit, each.meaning});
  }
  return result;
}

std::vector<ContactReport> Simulation::contacts() const {
  return translating_errors([&] {
    std::vector<ContactReport> result;
    const bool nonsmooth = impl_->inner.nonsmooth() != nullptr;
    for (const carom::ChannelGroup& group : impl_->values.groups()) {
      const auto has = [&](const std::string& name) {
        return std::any_of(group.components.begin(), group.components.end(),
                           [&](const carom::Component& each) { return each.name == name; });
      };
      if (!has("touching") || !has(nonsmooth ? "gap" : "penetration")) continue;
      const auto value = [&](const char* name) { return impl_->values.value(group.name + "." + name); };
      ContactReport report{.name = group.name, .points = static_cast<int>(value("touching"))};
      report.gap = nonsmooth ? value("gap") : -value("penetration");
      report.force = value(nonsmooth ? "closed_force" : "normal_force");
      report.impulse = nonsmooth ? value("normal_impulse") : 0;
      if (report.points > 0) report.state = ContactState::touching;
      if (nonsmooth) {
        constexpr ContactState states[] = {ContactState::open, ContactState::sticking, ContactState::slipping,
                                           ContactState::rolling};
        report.state = states[static_cast<int>(value("status"))];
      }
      result.push_back(std::move(report));
    }
    return result;
  });
}

std::vector<SimulationEvent> Simulation::events() {
  std::vector<SimulationEvent> result;
  const std::vector<carom::EventKind>& kinds = impl_->values.event_kinds();
  for (const carom::ContactEvent& each : impl_->inner.contact_events())
    result.push_back(event_of(carom::to_record(each), kinds));
  for (const auto& [impact, pulse] : impl_->inner.impacts())
    result.push_back(event_of(carom::to_record(impact, pulse), kinds));
  for (const carom::HappenedEvent& each : impl_->inner.events())
    result.push_back(event_of(carom::to_record(each), kinds));
  impl_->inner.contact_events().clear();
  impl_->inner.impacts().clear();
  impl_->inner.events().clear();
  return result;
}

std::vector<std::string> Simulation::warnings() {
  return std::exchange(impl_->inner.remarks(), {});
}

void Simulation::set(const std::string& quantity, double value) {
  set(std::map<std::string, double>{{quantity, value}});
}

void Simulation::set(const std::map<std::string, double>& values) {
  translating_errors([&] {
    const carom::Model& model = impl_->inner.model();
    const auto& components = model.planar ? planar_components : spatial_components;
    std::map<std::string, std::vector<double>> bodies;  // all components, of those that are changed
    for (const auto& [quantity, value] : values) {
      impl_->values.value(quantity);  // refuses unknown names
      const auto [body, component] = body_component(quantity);
      const int place = place_in(components, component);
      if (place < 0) throw carom::ResultError(fmt::format("`{}` cannot be set: it follows from the motion", quantity));
      if (!std::isfinite(value)) throw carom::ResultError(fmt::format("`{}` cannot be {}", quantity, value));
      auto [entry, added] = bodies.try_emplace(body);
      for (std::size_t k = 0; added && k < components.size(); ++k)
        entry->second.push_back(impl_->values.value("body:" + body + "." + components[k]));
      entry->second[static_cast<std::size_t>(place)] = value;
    }
    carom::State state = impl_->inner.state();
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
      const auto changed = bodies.find(model.bodies[k].name);
      if (changed == bodies.end()) continue;
      (model.planar ? put_planar : put_spatial)(changed->second, model.bodies[k], static_cast<int>(k), state);
    }
    impl_->put(std::move(state));
  });
}

std::vector<double> Simulation::positions() const {
  const Eigen::VectorXd& q = impl_->inner.state().q;
  return {q.begin(), q.end()};
}

std::vector<double> Simulation::velocities() const {
  const Eigen::VectorXd& v = impl_->inner.state().v;
  return {v.begin(), v.end()};
}

void Simulation::set_state(const std::vector<double>& positions, const std::vector<double>& velocities) {
  translating_errors([&] {
    carom::State state = impl_->inner.state();
    take_numbers("positions", positions, state.q);
    take_numbers("velocities", velocities, state.v);
    impl_->put(std::move(state));
  });
}

void Simulation::set_parameter(const std::string& name, const Value& value) {
  translating_errors([&] {
    // A text of a model file has its quotes.
    std::string text = value.text();
    if (text.size() > 1 && text.front() == '"') text = text.substr(1, text.size() - 2);
    const auto known = impl_->parameters.set();
    if (const auto same = known.find(name); same != known.end() && same->second == text) return;
    const carom::Model changed = impl_->parameters.with(name, text);
    const double before = impl_->energy();
    try {
      impl_->inner.replace_forces(changed);
    } catch (...) {
      impl_->parameters.take_back(known);
      throw;
    }
    impl_->values.set_allowance(impl_->values.allowance() + impl_->energy() - before);
  });
}

double Simulation::parameter(const std::string& name) const {
  const auto& all = impl_->inner.model().parameters;
  if (const auto found = all.find(name); found != all.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [each, value] : all) names.push_back(each);
  throw ResultError("there is no parameter `" + name + "` in this model " + did_you_mean(name, names));
}

Snapshot Simulation::snapshot() {
  return translating_errors([&] {
    Snapshot snapshot;
    snapshot.impl_ = std::make_shared<const Snapshot::Impl>(
        Snapshot::Impl{impl_->inner.snapshot(), impl_->parameters.set(), impl_->values.allowance()});
    impl_->values.rebind();
    return snapshot;
  });
}

void Simulation::restore(const Snapshot& snapshot) {
  translating_errors([&] {
    if (!snapshot.impl_ || snapshot.impl_->inner.model.text != impl_->inner.model().text)
      throw Error("a snapshot of another model cannot be restored");
    impl_->inner.restore(snapshot.impl_->inner);
    impl_->parameters.take_back(snapshot.impl_->parameters);
    impl_->values.rebind();
    impl_->values.set_allowance(snapshot.impl_->allowance);
  });
}

}  // namespace carom::v1
