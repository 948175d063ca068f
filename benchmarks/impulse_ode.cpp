// ODE on the scenes of rigid balls: its quick step (Gauss–Seidel iterations), contacts made anew in each step.
#include <ode/ode.h>

#include <cstdint>
#include <utility>

#include "impulse_scenes.h"

namespace carom::benchmarks {
namespace {

class OdeWorld final : public World {
 public:
  OdeWorld(const BallScene& scene, const WorldSettings& settings) : scene_(scene) {
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    world_ = dWorldCreate();
    group_ = dJointGroupCreate(0);
    space_ = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    dWorldSetGravity(world_, 0, 0, -scene.gravity);
    dWorldSetAutoDisableFlag(world_, 0);
    if (settings.iterations > 0) dWorldSetQuickStepNumIterations(world_, settings.iterations);
    for (Wall& wall : scene_.walls) {
      const dGeomID plane = dCreatePlane(space_, wall.normal[0], wall.normal[1], wall.normal[2], wall.distance);
      dGeomSetData(plane, &wall.law);
    }
    for (const Ball& ball : scene_.balls) add(ball);
  }
  ~OdeWorld() override {
    dJointGroupDestroy(group_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }
  OdeWorld(const OdeWorld&) = delete;
  OdeWorld& operator=(const OdeWorld&) = delete;

  void step() override {
    contacts_ = 0;
    dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) { static_cast<OdeWorld*>(self)->meet(a, b); });
    dWorldQuickStep(world_, scene_.step);
    dJointGroupEmpty(group_);
  }

  void look(std::vector<Ball>& balls) const override {
    balls.resize(bodies_.size());
    for (std::size_t b = 0; b < balls.size(); ++b) {
      const dReal *p = dBodyGetPosition(bodies_[b]), *v = dBodyGetLinearVel(bodies_[b]),
                  *w = dBodyGetAngularVel(bodies_[b]);
      balls[b] = {{p[0], p[1], p[2]}, {v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
    }
  }

  long contacts() const override { return contacts_; }

  bool tell(std::vector<Push>& pushes) override {
    told_ = &pushes;
    pushes.clear();
    forces_.assign(8 * bodies_.size() + 100, dJointFeedback{});
    step();
    told_ = nullptr;
    // Of the first of the two bodies, or of the only one, which stands first then.
    for (std::size_t k = 0; k < pushes.size(); ++k) {
      const double sign = pushes[k].a >= 0 ? -1 : 1;
      for (int i = 0; i < 3; ++i) pushes[k].impulse[i] = sign * forces_[k].f1[i] * scene_.step;
    }
    return true;
  }

 private:
  void add(const Ball& ball) {
    const dBodyID body = dBodyCreate(world_);
    dMass mass;
    dMassSetParameters(&mass, scene_.mass, 0, 0, 0, scene_.inertia, scene_.inertia, scene_.inertia, 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, ball.position[0], ball.position[1], ball.position[2]);
    dBodySetLinearVel(body, ball.velocity[0], ball.velocity[1], ball.velocity[2]);
    dBodySetAngularVel(body, ball.angular_velocity[0], ball.angular_velocity[1], ball.angular_velocity[2]);
    const dGeomID sphere = dCreateSphere(space_, scene_.radius);
    dGeomSetBody(sphere, body);
    dGeomSetData(sphere, &scene_.between);
    dBodySetData(body, reinterpret_cast<void*>(static_cast<std::intptr_t>(bodies_.size())));
    bodies_.push_back(body);
  }

  void meet(dGeomID a, dGeomID b) {
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (body_a == nullptr && body_b == nullptr) return;
    dContact contact;
    if (dCollide(a, b, 1, &contact.geom, sizeof contact) == 0) return;
    const auto* law = static_cast<const SurfaceLaw*>(dGeomGetData(body_a == nullptr ? a : b));
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = law->friction;
    if (law->restitution > 0) {
      contact.surface.mode |= dContactBounce;
      contact.surface.bounce = law->restitution;
      contact.surface.bounce_vel = 0;
    }
    const dJointID joint = dJointCreateContact(world_, group_, &contact);
    dJointAttach(joint, body_a, body_b);
    if (told_ != nullptr && told_->size() < forces_.size()) {
      dJointSetFeedback(joint, &forces_[told_->size()]);
      Push push{.friction = law->friction};
      // The normal points into the first of the two.
      push.a = number_of(body_a), push.b = number_of(body_b);
      for (int i = 0; i < 3; ++i) push.normal[i] = -contact.geom.normal[i];
      if (push.b < 0) {
        std::swap(push.a, push.b);
        for (int i = 0; i < 3; ++i) push.normal[i] *= -1;
      }
      told_->push_back(push);
    }
    ++contacts_;
  }

  static int number_of(dBodyID body) {
    return body == nullptr ? -1 : static_cast<int>(reinterpret_cast<std::intptr_t>(dBodyGetData(body)));
  }

  BallScene scene_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID group_;
  std::vector<dBodyID> bodies_;
  long contacts_ = 0;
  std::vector<Push>* told_ = nullptr;  // while it reports
  std::vector<dJointFeedback> forces_;
};

}  // namespace

const char* const contestant_name = "ODE quick step";

std::unique_ptr<World> make_world(const BallScene& scene, const WorldSettings& settings) {
  return std::make_unique<OdeWorld>(scene, settings);
}

}  // namespace carom::benchmarks
