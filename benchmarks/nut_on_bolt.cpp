// A nut on an upright bolt, both meshes with an ISO thread, under its own weight:
//   nut_on_bolt FOLDER FRICTION END [STEP]
// FOLDER holds bolt_thread.stl and nut_thread.stl of examples/parts/thread.py with its defaults (M10 × 1.5). Prints how
// far it has turned and sunk beside the closed form: with the lead angle λ and the friction angle φ' of the flank,
// tan φ' = μ / cos 30°, at the radius r of the contact
//   θ'' = m g r tan(λ − φ') / (I + m r² tan λ tan(λ − φ')),
// which is nothing where φ' > λ.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>

#include "contact_geometry/triangle_mesh.h"
#include "contact_scenes.h"
#include "dynamics/system_of.h"
#include "integrators/nonsmooth/nonsmooth_integrator.h"

namespace carom::benchmarks {
namespace {

constexpr double pitch = 1.5e-3, gravity = 9.81, density = 7850, millimetre = 1e-3;
constexpr double inner_radius = 4.188e-3, outer_radius = 5e-3;  // m, between which the flanks touch
constexpr int raised = 4;                                       // pitches

ModelFile read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {.name = path,
          .bytes = std::make_shared<const std::string>(std::istreambuf_iterator<char>(file),
                                                       std::istreambuf_iterator<char>())};
}

Geometry mesh_of_file(const ModelFile& file) {
  Geometry mesh;
  mesh.shape = "mesh";
  mesh.settings.set("file", file);
  mesh.settings.set("unit", millimetre);
  return mesh;
}

struct Nut {
  double mass = 0;
  Eigen::Matrix3d inertia;
  Eigen::Vector3d centre;
};

Nut weigh(const ModelFile& file) {
  const MeshIntegrals all =
      integrals_of(TriangleMesh(close_surface(read_triangles(file.content(), file.name)), millimetre));
  return {density * all.volume, density * all.inertia, all.centre};
}

Model model_of(const std::string& folder, double friction, double step, Nut& nut) {
  const ModelFile bolt_file = read(folder + "/bolt_thread.stl"), nut_file = read(folder + "/nut_thread.stl");
  nut = weigh(nut_file);
  Model model;
  model.gravity = {0, 0, -gravity};
  model.ground.name = "ground";
  model.ground.geometry = {mesh_of_file(bolt_file)};
  ContactModel contact;
  contact.name = "steel";
  contact.restitution = 0;
  contact.friction = "tanh";
  contact.friction_settings.set("coefficient", friction);
  model.contacts = {contact};
  PairModel pair;
  pair.name = "thread";
  pair.bodies = {"nut", "ground"};
  pair.contact = contact.name;
  model.pairs = {pair};
  BodyModel body;
  body.name = "nut";
  body.mass = nut.mass;
  body.inertia = nut.inertia;
  body.position = nut.centre + raised * pitch * Eigen::Vector3d::UnitZ();
  body.geometry = {mesh_of_file(nut_file)};
  body.geometry[0].position = -nut.centre;
  model.bodies = {body};
  model.solver.method = ContactMethod::nonsmooth;
  model.solver.step = step;
  model.solver.end = std::numeric_limits<double>::infinity();
  return model;
}

// rad/s², with contact at a radius.
double acceleration(const Nut& nut, double friction, double radius) {
  const double lead = std::atan(pitch / (2 * std::numbers::pi * radius));
  const double angle = std::atan(friction / std::cos(std::numbers::pi / 6));
  if (angle >= lead) return 0;
  const double drive = nut.mass * radius * std::tan(lead - angle);
  return drive * gravity / (nut.inertia(2, 2) + drive * radius * std::tan(lead));
}

void run(const std::string& folder, double friction, double end, double step) {
  Nut nut;
  const Model model = model_of(folder, friction, step, nut);
  const auto system = System::create(model);
  const auto integrator = make_nonsmooth_integrator(*system, model.solver);
  integrator->start(system->initial_state());
  const State& state = integrator->state();
  const double height = state.q[2];
  double turned = 0, last = 0, seconds = 0;
  const auto report = [&] {
    const Eigen::Quaterniond q(state.q[3], state.q[4], state.q[5], state.q[6]);
    std::printf("  %6.3f s  turned %8.3f°  sunk %8.4f mm (by the pitch %8.4f)  tilted %6.3f°  %7.2f ms a step\n",
                state.t, turned * 180 / std::numbers::pi, 1e3 * (height - state.q[2]),
                -1e3 * turned * pitch / (2 * std::numbers::pi),
                std::acos(std::min(1.0, (q * Eigen::Vector3d::UnitZ()).z())) * 180 / std::numbers::pi,
                1e3 * seconds * step / std::max(step, state.t));
    std::fflush(stdout);
  };
  const long steps = std::lround(end / step), every = std::max(1L, steps / 10);
  for (long k = 1; k <= steps; ++k) {
    const Stopwatch watch;
    while (state.t < static_cast<double>(k) * step) {
      const StepOutcome outcome = integrator->step(static_cast<double>(k) * step);
      if (!outcome.accepted()) throw std::runtime_error(outcome.reason);
    }
    seconds += watch.seconds();
    const double angle = 2 * std::atan2(state.q[6], state.q[3]);
    turned += std::remainder(angle - last, 2 * std::numbers::pi);
    last = angle;
    if (k % every == 0) report();
  }
  std::printf("  closed form: turned between %.3f° and %.3f°; %ld steps halved\n",
              -0.5 * acceleration(nut, friction, inner_radius) * end * end * 180 / std::numbers::pi,
              -0.5 * acceleration(nut, friction, outer_radius) * end * end * 180 / std::numbers::pi,
              integrator->contact_statistics().halved_steps);
}

}  // namespace
}  // namespace carom::benchmarks

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: %s FOLDER FRICTION END [STEP]\n", argv[0]);
    return 2;
  }
  try {
    carom::benchmarks::run(argv[1], std::atof(argv[2]), std::atof(argv[3]), argc > 4 ? std::atof(argv[4]) : 1e-3);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "nut_on_bolt: %s\n", problem.what());
    return 1;
  }
  return 0;
}
