// Carom's non-smooth method on the scenes of rigid balls.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "dynamics/system_of.h"
#include "impulse_scenes.h"
#include "integrators/nonsmooth/nonsmooth_integrator.h"

namespace carom::benchmarks {
namespace {

Eigen::Vector3d vector_of(const Vector3& v) {
  return {v[0], v[1], v[2]};
}

// One law for each kind of surface; walls are named, so that a pair can say which of them it means.
Model model_of(const BallScene& scene) {
  Model model;
  model.gravity = {0, 0, -scene.gravity};
  model.ground.name = "ground";
  const auto add_pair = [&](const std::string& name, const std::string& partner, const std::string& shape,
                            const SurfaceLaw& law) {
    ContactModel contact;
    contact.name = name;
    contact.restitution = law.restitution;
    contact.friction = "tanh";
    contact.friction_settings.set("coefficient", law.friction);
    model.contacts.push_back(contact);
    PairModel pair;
    pair.name = name;
    pair.bodies = {"*", partner};
    pair.shapes = {"", shape};
    pair.contact = name;
    model.pairs.push_back(pair);
  };
  add_pair("balls", "*", "", scene.between);
  for (std::size_t w = 0; w < scene.walls.size(); ++w) {
    const Wall& wall = scene.walls[w];
    Geometry plane;
    plane.name = "wall" + std::to_string(w);
    plane.shape = "plane";
    plane.orientation = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), vector_of(wall.normal));
    plane.position = wall.distance * vector_of(wall.normal);
    model.ground.geometry.push_back(plane);
    add_pair(plane.name, "ground", plane.name, wall.law);
  }
  Geometry sphere;
  sphere.shape = "sphere";
  sphere.settings.set("radius", scene.radius);
  for (std::size_t b = 0; b < scene.balls.size(); ++b) {
    const Ball& ball = scene.balls[b];
    BodyModel body;
    body.name = "b" + std::to_string(b);
    body.mass = scene.mass;
    body.inertia = scene.inertia * Eigen::Matrix3d::Identity();
    body.position = vector_of(ball.position);
    body.velocity = vector_of(ball.velocity), body.angular_velocity = vector_of(ball.angular_velocity);
    body.velocity_given = body.angular_velocity_given = true;
    body.geometry = {sphere};
    model.bodies.push_back(std::move(body));
  }
  return model;
}

class CaromWorld final : public World {
 public:
  CaromWorld(const BallScene& scene, const WorldSettings& settings) : model_(model_of(scene)), step_(scene.step) {
    model_.solver.method = ContactMethod::nonsmooth;
    model_.solver.step = scene.step;
    model_.solver.end = std::numeric_limits<double>::infinity();
    if (settings.tolerance > 0) model_.solver.contact_tolerance = settings.tolerance;
    system_ = System::create(model_);
    integrator_ = make_nonsmooth_integrator(*system_, model_.solver);
    integrator_->start(system_->initial_state());
  }

  void step() override {
    const double end = static_cast<double>(++steps_) * step_;
    while (integrator_->state().t < end) {
      const StepOutcome outcome = integrator_->step(end);
      if (!outcome.accepted()) throw std::runtime_error(outcome.reason);
    }
    integrator_->impacts().clear();
  }

  void look(std::vector<Ball>& balls) const override {
    const State& state = integrator_->state();
    balls.resize(model_.bodies.size());
    for (std::size_t b = 0; b < balls.size(); ++b) {
      const auto q = state.q.segment<7>(7 * b);
      const auto v = state.v.segment<6>(6 * b);
      const Eigen::Vector3d angular_velocity =
          Eigen::Quaterniond(q[3], q[4], q[5], q[6]) * Eigen::Vector3d(v.tail<3>());
      balls[b] = {
          {q[0], q[1], q[2]}, {v[0], v[1], v[2]}, {angular_velocity[0], angular_velocity[1], angular_velocity[2]}};
    }
  }

  long contacts() const override { return static_cast<long>(closed().size()); }

  double gauss_seidel_iterations() const override {
    return static_cast<double>(integrator_->contact_statistics().gauss_seidel_iterations) / static_cast<double>(steps_);
  }

  bool tell(std::vector<Push>& pushes) override {
    step();
    pushes.clear();
    ContactSet<3>& set = contact_set();
    for (const NonsmoothContact<3>& contact : closed()) {
      const Eigen::Vector3d& impulse = set.nonsmooth_memory(contact.point).impulse;
      const Eigen::Vector3d& n = contact.normal;
      Push push{.a = contact.a - 1,
                .b = contact.b - 1,
                .normal = {n[0], n[1], n[2]},
                .impulse = {impulse[0], impulse[1], impulse[2]},
                .friction = set.nonsmooth_law(contact.law).friction};
      if (contact.b == 0) {
        std::swap(push.a, push.b);
        for (int i = 0; i < 3; ++i) push.normal[i] *= -1, push.impulse[i] *= -1;
      }
      pushes.push_back(push);
    }
    return true;
  }

 private:
  ContactSet<3>& contact_set() const { return system_->spatial()->contact_set(); }
  // Those that the last step took note of.
  std::vector<NonsmoothContact<3>> closed() const {
    ContactSet<3>& set = contact_set();
    const State& state = integrator_->state();
    Bodies<3> bodies;
    system_->spatial()->place(state.q.data(), state.v.data(), bodies);
    std::vector<NonsmoothContact<3>> near;
    set.find_nonsmooth(bodies, model_.bodies.empty() ? 0 : 0.1 * set.gap_scale(), near);
    std::erase_if(near,
                  [&](const auto& each) { return set.nonsmooth_memory(each.point).step != set.nonsmooth_step(); });
    return near;
  }

  Model model_;
  double step_;
  long steps_ = 0;
  std::unique_ptr<System> system_;
  std::unique_ptr<NonsmoothIntegrator> integrator_;
};

}  // namespace

const char* const contestant_name = "Carom";

std::unique_ptr<World> make_world(const BallScene& scene, const WorldSettings& settings) {
  return std::make_unique<CaromWorld>(scene, settings);
}

}  // namespace carom::benchmarks
