// ODE on the scene of concave parts: triangle meshes, its quick step.
#include <ode/ode.h>

#include <array>
#include <cstdarg>

#include "mesh_scenes.h"

namespace carom::benchmarks {
namespace {

constexpr int most_points = 64;  // of a pair

class OdeWorld final : public World {
 public:
  explicit OdeWorld(const PartScene& scene)
      : scene_(scene), corners_(scene.parts.size()), indices_(scene.parts.size()) {
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    // In every other step it reports that a table of its own was too small.
    dSetMessageHandler([](int, const char*, va_list) {});
    world_ = dWorldCreate();
    group_ = dJointGroupCreate(0);
    space_ = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    dWorldSetGravity(world_, 0, 0, -scene.gravity);
    dWorldSetAutoDisableFlag(world_, 0);
    for (const Wall& wall : scene.walls)
      dCreatePlane(space_, wall.normal[0], wall.normal[1], wall.normal[2], wall.distance);
    for (std::size_t p = 0; p < scene.parts.size(); ++p) {
      for (const auto& point : scene.parts[p].points)
        for (int k = 0; k < 3; ++k) corners_[p].push_back(static_cast<float>(point[k]));
      for (const auto& triangle : scene.parts[p].triangles)
        for (const int corner : triangle) indices_[p].push_back(static_cast<dTriIndex>(corner));
      data_.push_back(dGeomTriMeshDataCreate());
      dGeomTriMeshDataBuildSingle(data_.back(), corners_[p].data(), 3 * sizeof(float),
                                  static_cast<int>(corners_[p].size() / 3), indices_[p].data(),
                                  static_cast<int>(indices_[p].size()), 3 * sizeof(dTriIndex));
    }
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) add(scene.bodies[b], scene.part_of[b]);
  }
  ~OdeWorld() override {
    dJointGroupDestroy(group_);
    dSpaceDestroy(space_);
    for (const dTriMeshDataID data : data_) dGeomTriMeshDataDestroy(data);
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

  void look(std::vector<Placed>& bodies) const override {
    bodies.resize(bodies_.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const dReal *p = dBodyGetPosition(bodies_[b]), *v = dBodyGetLinearVel(bodies_[b]),
                  *w = dBodyGetAngularVel(bodies_[b]), *q = dBodyGetQuaternion(bodies_[b]);
      bodies[b] = {.position = {p[0], p[1], p[2]},
                   .velocity = {v[0], v[1], v[2]},
                   .orientation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]),
                   .angular_velocity = {w[0], w[1], w[2]}};
    }
  }

  long contacts() const override { return contacts_; }

 private:
  void add(const Placed& placed, int number) {
    const Part& part = scene_.parts[number];
    const dBodyID body = dBodyCreate(world_);
    dMass mass;
    dMassSetParameters(&mass, part.mass, 0, 0, 0, part.inertia[0], part.inertia[1], part.inertia[2], 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, placed.position[0], placed.position[1], placed.position[2]);
    const Eigen::Quaterniond& turn = placed.orientation;
    const dQuaternion q = {turn.w(), turn.x(), turn.y(), turn.z()};
    dBodySetQuaternion(body, q);
    const dGeomID mesh = dCreateTriMesh(space_, data_[number], nullptr, nullptr, nullptr);
    dGeomSetBody(mesh, body);
    bodies_.push_back(body);
  }

  void meet(dGeomID a, dGeomID b) {
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (body_a == nullptr && body_b == nullptr) return;
    std::array<dContact, most_points> points;
    const int count = dCollide(a, b, most_points, &points[0].geom, sizeof(dContact));
    for (int k = 0; k < count; ++k) {
      dContact& contact = points[k];
      contact.surface.mode = dContactApprox1;
      contact.surface.mu = scene_.friction;
      dJointAttach(dJointCreateContact(world_, group_, &contact), body_a, body_b);
      ++contacts_;
    }
  }

  PartScene scene_;
  std::vector<std::vector<float>> corners_;
  std::vector<std::vector<dTriIndex>> indices_;
  std::vector<dTriMeshDataID> data_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID group_;
  std::vector<dBodyID> bodies_;
  long contacts_ = 0;
};

}  // namespace

const char* const contestant_name = "ODE quick step";

std::unique_ptr<World> make_world(const PartScene& scene) {
  return std::make_unique<OdeWorld>(scene);
}

}  // namespace carom::benchmarks
