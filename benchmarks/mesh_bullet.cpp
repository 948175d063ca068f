// Bullet on the scene of concave parts: GImpact meshes, in single or double precision, as it was built.
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>

#include "mesh_scenes.h"

extern btScalar gContactBreakingThreshold;

namespace carom::benchmarks {
namespace {

btScalar number(double value) {
  return static_cast<btScalar>(value);
}
btVector3 vector_of(const Eigen::Vector3d& v) {
  return {number(v[0]), number(v[1]), number(v[2])};
}
Eigen::Vector3d vector_of(const btVector3& v) {
  return {v.x(), v.y(), v.z()};
}

class BulletWorld final : public World {
 public:
  explicit BulletWorld(const PartScene& scene) : step_(scene.step), friction_(std::sqrt(scene.friction)) {
    btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_);
    world_.setGravity({0, 0, number(-scene.gravity)});
    // Its default, 20 mm, suits bodies of a metre.
    gContactBreakingThreshold = number(0.2e-3);
    for (const Wall& wall : scene.walls) {
      planes_.push_back(std::make_unique<btStaticPlaneShape>(vector_of(wall.normal), number(wall.distance)));
      planes_.back()->setMargin(0);
      btTransform identity;
      identity.setIdentity();
      add(*planes_.back(), 0, {0, 0, 0}, identity);
    }
    for (const Part& part : scene.parts) {
      triangles_.push_back(std::make_unique<btTriangleMesh>());
      for (const auto& t : part.triangles)
        triangles_.back()->addTriangle(vector_of(part.points[t[0]]), vector_of(part.points[t[1]]),
                                       vector_of(part.points[t[2]]));
    }
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      const Placed& placed = scene.bodies[b];
      const Part& part = scene.parts[scene.part_of[b]];
      // Shapes keep what is theirs alone: one for each body.
      meshes_.push_back(std::make_unique<btGImpactMeshShape>(triangles_[scene.part_of[b]].get()));
      // With a margin it would keep them apart by as much.
      meshes_.back()->setMargin(0);
      meshes_.back()->updateBound();
      const Eigen::Quaterniond& q = placed.orientation;
      bodies_of_scene_.push_back(
          &add(*meshes_.back(), part.mass, vector_of(part.inertia),
               btTransform(btQuaternion(number(q.x()), number(q.y()), number(q.z()), number(q.w())),
                           vector_of(placed.position))));
    }
  }
  ~BulletWorld() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  BulletWorld(const BulletWorld&) = delete;
  BulletWorld& operator=(const BulletWorld&) = delete;

  void step() override { world_.stepSimulation(number(step_), 0); }

  void look(std::vector<Placed>& bodies) const override {
    bodies.resize(bodies_of_scene_.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const btRigidBody& body = *bodies_of_scene_[b];
      const btQuaternion q = body.getOrientation();
      bodies[b] = {.position = vector_of(body.getCenterOfMassPosition()),
                   .velocity = vector_of(body.getLinearVelocity()),
                   .orientation = Eigen::Quaterniond(q.w(), q.x(), q.y(), q.z()).normalized(),
                   .angular_velocity = vector_of(body.getAngularVelocity())};
    }
  }

  long contacts() const override {
    long count = 0;
    for (int k = 0; k < dispatcher_.getNumManifolds(); ++k)
      count += dispatcher_.getInternalManifoldPointer()[k]->getNumContacts();
    return count;
  }

 private:
  btRigidBody& add(btCollisionShape& shape, double mass, const btVector3& inertia, const btTransform& placed) {
    btRigidBody::btRigidBodyConstructionInfo info(number(mass), nullptr, &shape, inertia);
    info.m_startWorldTransform = placed;
    info.m_friction = number(friction_);
    info.m_restitution = 0;
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
  double step_, friction_;
  std::vector<std::unique_ptr<btStaticPlaneShape>> planes_;
  std::vector<std::unique_ptr<btTriangleMesh>> triangles_;
  std::vector<std::unique_ptr<btGImpactMeshShape>> meshes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<btRigidBody*> bodies_of_scene_;
};

}  // namespace

const char* const contestant_name = sizeof(btScalar) == sizeof(float) ? "Bullet, single" : "Bullet, double";

std::unique_ptr<World> make_world(const PartScene& scene) {
  return std::make_unique<BulletWorld>(scene);
}

}  // namespace carom::benchmarks
