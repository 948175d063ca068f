// Carom's non-smooth method on the scene of concave parts.
#include <limits>
#include <stdexcept>
#include <string>

#include "dynamics/system_of.h"
#include "integrators/nonsmooth/nonsmooth_integrator.h"
#include "mesh_scenes.h"

namespace carom::benchmarks {
namespace {

ModelFile file_of(const Part& part) {
  std::string text;
  const auto add = [&](const char* word, const auto& numbers) {
    text += word;
    for (int k = 0; k < 3; ++k) text += ' ' + numbers(k);
    text += '\n';
  };
  for (const auto& p : part.points) {
    add("v", [&](int k) {
      std::array<char, 32> number{};
      std::snprintf(number.data(), number.size(), "%.17g", p[k]);
      return std::string(number.data());
    });
  }
  for (const auto& t : part.triangles) add("f", [&](int k) { return std::to_string(t[k] + 1); });
  return {.name = "part.obj", .bytes = std::make_shared<const std::string>(std::move(text))};
}

Model model_of(const PartScene& scene) {
  Model model;
  model.gravity = {0, 0, -scene.gravity};
  model.ground.name = "ground";
  ContactModel contact;
  contact.name = "steel";
  contact.restitution = scene.restitution;
  contact.friction = "tanh";
  contact.friction_settings.set("coefficient", scene.friction);
  model.contacts.push_back(contact);
  for (const char* partner : {"*", "ground"}) {
    PairModel pair;
    pair.name = std::string("parts and ") + partner;
    pair.bodies = {"*", partner};
    pair.contact = contact.name;
    model.pairs.push_back(pair);
  }
  for (const Wall& wall : scene.walls) {
    Geometry plane;
    plane.name = "wall" + std::to_string(model.ground.geometry.size());
    plane.shape = "plane";
    plane.orientation = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), wall.normal);
    plane.position = wall.distance * wall.normal;
    model.ground.geometry.push_back(plane);
  }
  std::vector<Geometry> meshes;
  for (const Part& part : scene.parts) {
    Geometry mesh;
    mesh.shape = "mesh";
    mesh.settings.set("file", file_of(part));
    mesh.settings.set("unit", 1.0);
    meshes.push_back(mesh);
  }
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const Part& part = scene.parts[scene.part_of[b]];
    BodyModel body;
    body.name = "b" + std::to_string(b);
    body.mass = part.mass;
    body.inertia = part.inertia.asDiagonal();
    body.position = scene.bodies[b].position;
    body.orientation = scene.bodies[b].orientation;
    body.geometry = {meshes[scene.part_of[b]]};
    model.bodies.push_back(std::move(body));
  }
  return model;
}

class CaromWorld final : public World {
 public:
  explicit CaromWorld(const PartScene& scene) : model_(model_of(scene)), step_(scene.step) {
    model_.solver.method = ContactMethod::nonsmooth;
    model_.solver.step = scene.step;
    model_.solver.end = std::numeric_limits<double>::infinity();
    system_ = System::create(model_);
    integrator_ = make_nonsmooth_integrator(*system_, model_.solver);
    integrator_->start(system_->initial_state());
  }
  ~CaromWorld() override {
    const NonsmoothStatistics& n = integrator_->contact_statistics();
    std::fprintf(stderr,
                 "  %ld steps of parts, %ld rejected, %ld not settled, %ld pushed through, %ld with overlaps left\n",
                 integrator_->statistics().steps, n.halved_steps, n.unsettled, n.passages, n.left_overlaps);
  }
  CaromWorld(const CaromWorld&) = delete;
  CaromWorld& operator=(const CaromWorld&) = delete;

  void step() override {
    const double end = static_cast<double>(++steps_) * step_;
    while (integrator_->state().t < end) {
      const StepOutcome outcome = integrator_->step(end);
      if (!outcome.accepted()) throw std::runtime_error(outcome.reason);
    }
    integrator_->impacts().clear();
  }

  void look(std::vector<Placed>& bodies) const override {
    const State& state = integrator_->state();
    bodies.resize(model_.bodies.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const auto q = state.q.segment<7>(static_cast<Eigen::Index>(7 * b));
      const auto v = state.v.segment<6>(static_cast<Eigen::Index>(6 * b));
      Placed& body = bodies[b];
      body.position = q.head<3>(), body.velocity = v.head<3>();
      body.orientation = Eigen::Quaterniond(q[3], q[4], q[5], q[6]);
      body.angular_velocity = body.orientation * Eigen::Vector3d(v.tail<3>());
    }
  }

  long contacts() const override {
    ContactSet<3>& set = system_->spatial()->contact_set();
    const State& state = integrator_->state();
    Bodies<3> bodies;
    system_->spatial()->place(state.q.data(), state.v.data(), bodies);
    std::vector<NonsmoothContact<3>> near;
    set.find_nonsmooth(bodies, 0.1 * set.gap_scale(), near);
    std::erase_if(near,
                  [&](const auto& each) { return set.nonsmooth_memory(each.point).step != set.nonsmooth_step(); });
    return static_cast<long>(near.size());
  }

 private:
  Model model_;
  double step_;
  long steps_ = 0;
  std::unique_ptr<System> system_;
  std::unique_ptr<NonsmoothIntegrator> integrator_;
};

}  // namespace

const char* const contestant_name = "Carom";

std::unique_ptr<World> make_world(const PartScene& scene) {
  return std::make_unique<CaromWorld>(scene);
}

}  // namespace carom::benchmarks
