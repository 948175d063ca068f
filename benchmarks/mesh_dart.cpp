// DART on the scene of concave parts: meshes by FCL, its default boxed LCP solver.
#include <dart/collision/CollisionResult.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/MeshShape.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "mesh_scenes.h"

namespace carom::benchmarks {
namespace {

// DART reads meshes from files alone.
dart::dynamics::ShapePtr shape_of(const Part& part, int number) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("carom_part_" + std::to_string(number) + ".obj");
  {
    std::ofstream text(file);
    text.precision(17);
    for (const auto& p : part.points) text << "v " << p.x() << ' ' << p.y() << ' ' << p.z() << '\n';
    for (const auto& t : part.triangles) text << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
  }
  const aiScene* scene = dart::dynamics::MeshShape::loadMesh(file.string());
  auto shape = std::make_shared<dart::dynamics::MeshShape>(Eigen::Vector3d::Ones(), scene);
  std::filesystem::remove(file);
  return shape;
}

class DartWorld final : public World {
 public:
  explicit DartWorld(const PartScene& scene) : world_(dart::simulation::World::create()) {
    world_->setGravity({0, 0, -scene.gravity});
    world_->setTimeStep(scene.step);
    std::vector<dart::dynamics::ShapePtr> shapes;
    for (std::size_t p = 0; p < scene.parts.size(); ++p)
      shapes.push_back(shape_of(scene.parts[p], static_cast<int>(p)));
    // FCL has no half space that meets meshes: walls are thick boxes.
    for (const Wall& wall : scene.walls) add_wall(wall, scene.friction);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      const Placed& placed = scene.bodies[b];
      const Part& part = scene.parts[scene.part_of[b]];
      const auto skeleton = dart::dynamics::Skeleton::create("part" + std::to_string(b));
      const auto made = skeleton->createJointAndBodyNodePair<dart::dynamics::FreeJoint>();
      dart::dynamics::BodyNode* body = made.second;
      dart::dynamics::Inertia inertia;
      inertia.setMass(part.mass);
      inertia.setMoment(part.inertia.asDiagonal());
      body->setInertia(inertia);
      give_shape(*body, shapes[scene.part_of[b]], scene.friction);
      Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
      pose.linear() = placed.orientation.toRotationMatrix();
      pose.translation() = placed.position;
      made.first->setPositions(dart::dynamics::FreeJoint::convertToPositions(pose));
      skeleton->setMobile(true);
      world_->addSkeleton(skeleton);
      bodies_.push_back(body);
    }
  }

  void step() override { world_->step(); }

  void look(std::vector<Placed>& bodies) const override {
    bodies.resize(bodies_.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const Eigen::Isometry3d& pose = bodies_[b]->getWorldTransform();
      bodies[b] = {.position = pose.translation(),
                   .velocity = bodies_[b]->getLinearVelocity(),
                   .orientation = Eigen::Quaterniond(pose.linear()),
                   .angular_velocity = bodies_[b]->getAngularVelocity()};
    }
  }

  long contacts() const override { return static_cast<long>(world_->getLastCollisionResult().getNumContacts()); }

 private:
  static void give_shape(dart::dynamics::BodyNode& body, const dart::dynamics::ShapePtr& shape, double friction) {
    dart::dynamics::ShapeNode* node =
        body.createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(shape);
    node->getDynamicsAspect()->setFrictionCoeff(friction);
    node->getDynamicsAspect()->setRestitutionCoeff(0);
  }

  void add_wall(const Wall& wall, double friction) {
    constexpr double thick = 0.5, wide = 3;
    const auto skeleton = dart::dynamics::Skeleton::create("wall" + std::to_string(walls_++));
    const auto made = skeleton->createJointAndBodyNodePair<dart::dynamics::WeldJoint>();
    give_shape(*made.second, std::make_shared<dart::dynamics::BoxShape>(Eigen::Vector3d(wide, wide, thick)), friction);
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.linear() = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), wall.normal).toRotationMatrix();
    pose.translation() = (wall.distance - 0.5 * thick) * wall.normal;
    made.first->setTransformFromParentBodyNode(pose);
    skeleton->setMobile(false);
    world_->addSkeleton(skeleton);
  }

  dart::simulation::WorldPtr world_;
  std::vector<dart::dynamics::BodyNode*> bodies_;
  int walls_ = 0;
};

}  // namespace

const char* const contestant_name = "DART";

std::unique_ptr<World> make_world(const PartScene& scene) {
  return std::make_unique<DartWorld>(scene);
}

}  // namespace carom::benchmarks
