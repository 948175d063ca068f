// Bullet on the scenes of rigid balls: its sequential impulses, in single or double precision, as it was built.
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>

#include "impulse_scenes.h"

extern btScalar gContactBreakingThreshold;

namespace carom::benchmarks {
namespace {

btScalar number(double value) {
  return static_cast<btScalar>(value);
}
btVector3 vector_of(const Vector3& v) {
  return {number(v[0]), number(v[1]), number(v[2])};
}

class BulletWorld final : public World {
 public:
  BulletWorld(const BallScene& scene, const WorldSettings& settings)
      : sphere_(number(scene.radius)), step_(scene.step) {
    world_.setGravity({0, 0, number(-scene.gravity)});
    if (settings.iterations > 0) world_.getSolverInfo().m_numIterations = settings.iterations;
    world_.getSolverInfo().m_restitutionVelocityThreshold = 0;
    // Its default suits bodies of a metre; with less it sees fewer contacts that do not touch, and is faster.
    gContactBreakingThreshold = number(std::min(0.02, 0.04 * scene.radius));
    // Values of a pair are the products of those of the bodies.
    const double friction = std::sqrt(scene.between.friction), restitution = std::sqrt(scene.between.restitution);
    for (const Wall& wall : scene.walls) {
      planes_.push_back(std::make_unique<btStaticPlaneShape>(vector_of(wall.normal), number(wall.distance)));
      add(*planes_.back(), 0, 0, {}, friction > 0 ? wall.law.friction / friction : 0,
          restitution > 0 ? wall.law.restitution / restitution : 0);
    }
    for (const Ball& ball : scene.balls) {
      btRigidBody& body = add(sphere_, scene.mass, scene.inertia, ball.position, friction, restitution);
      body.setLinearVelocity(vector_of(ball.velocity));
      body.setAngularVelocity(vector_of(ball.angular_velocity));
      body.setUserIndex(static_cast<int>(balls_.size()));
      balls_.push_back(&body);
    }
  }
  ~BulletWorld() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  BulletWorld(const BulletWorld&) = delete;
  BulletWorld& operator=(const BulletWorld&) = delete;

  void step() override { world_.stepSimulation(number(step_), 0); }

  void look(std::vector<Ball>& balls) const override {
    balls.resize(balls_.size());
    for (std::size_t b = 0; b < balls.size(); ++b) {
      const btVector3 &p = balls_[b]->getCenterOfMassPosition(), &v = balls_[b]->getLinearVelocity(),
                      &w = balls_[b]->getAngularVelocity();
      balls[b] = {{p.x(), p.y(), p.z()}, {v.x(), v.y(), v.z()}, {w.x(), w.y(), w.z()}};
    }
  }

  long contacts() const override {
    long count = 0;
    for_each_contact(
        [&](const btPersistentManifold&, const btManifoldPoint& point) { count += point.getDistance() <= 0 ? 1 : 0; });
    return count;
  }

  // Its last two friction impulses are not known apart when it uses one direction, which it does.
  bool tell(std::vector<Push>& pushes) override {
    step();
    pushes.clear();
    for_each_contact([&](const btPersistentManifold& manifold, const btManifoldPoint& point) {
      if (point.m_appliedImpulse == 0) return;
      const btVector3 on_first = point.m_appliedImpulse * point.m_normalWorldOnB +
                                 point.m_appliedImpulseLateral1 * point.m_lateralFrictionDir1;
      const int first = manifold.getBody0()->getUserIndex(), second = manifold.getBody1()->getUserIndex();
      const double sign = first >= 0 ? 1 : -1;  // the only ball of a contact with a wall is the one that is pushed
      Push push{
          .a = first >= 0 ? second : first, .b = first >= 0 ? first : second, .friction = point.m_combinedFriction};
      for (int i = 0; i < 3; ++i)
        push.normal[i] = sign * point.m_normalWorldOnB[i], push.impulse[i] = sign * on_first[i];
      pushes.push_back(push);
    });
    return true;
  }

 private:
  template <typename Visitor>
  void for_each_contact(const Visitor& visit) const {
    for (int k = 0; k < dispatcher_.getNumManifolds(); ++k) {
      const btPersistentManifold* manifold = dispatcher_.getInternalManifoldPointer()[k];
      for (int c = 0; c < manifold->getNumContacts(); ++c) visit(*manifold, manifold->getContactPoint(c));
    }
  }

  btRigidBody& add(btCollisionShape& shape, double mass, double inertia, const Vector3& position, double friction,
                   double restitution) {
    const btVector3 tensor(number(inertia), number(inertia), number(inertia));
    btRigidBody::btRigidBodyConstructionInfo info(number(mass), nullptr, &shape, tensor);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(vector_of(position));
    info.m_friction = number(friction);
    info.m_restitution = number(restitution);
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
    return *bodies_.back();
  }

  btDefaultCollisionConfiguration configuration_;
  mutable btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broad_phase_, &solver_, &configuration_};
  btSphereShape sphere_;
  double step_;
  std::vector<std::unique_ptr<btStaticPlaneShape>> planes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<btRigidBody*> balls_;
};

}  // namespace

const char* const contestant_name = sizeof(btScalar) == sizeof(float) ? "Bullet, single" : "Bullet, double";

std::unique_ptr<World> make_world(const BallScene& scene, const WorldSettings& settings) {
  return std::make_unique<BulletWorld>(scene, settings);
}

}  // namespace carom::benchmarks
