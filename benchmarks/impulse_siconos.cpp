// Siconos on the scenes of rigid balls: Moreau's and Jean's scheme, contacts found by Bullet, friction by Gauss–Seidel.
// Walls are boxes: contact points on its planes are wrong. A chain, where nothing but the order of the balls matters,
// is beads on a line with Lemke's method instead, which is a quarter of the work.
#include <MechanicsFwd.hpp>  // before all others, which list the classes they visit

#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <SolverOptions.h>
#include <lcp_cst.h>
#include <RigidBodyDS.hpp>
#include <SiconosBulletCollisionManager.hpp>
#include <SiconosContactor.hpp>
#include <SiconosKernel.hpp>
#include <SiconosShape.hpp>

#include "impulse_scenes.h"

namespace carom::benchmarks {
namespace {

constexpr int ball_group = 0;  // walls follow

class SiconosWorld final : public World {
 public:
  SiconosWorld(const BallScene& scene, const WorldSettings& settings)
      : scene_(scene), system_(std::make_shared<NonSmoothDynamicalSystem>(0, 1e9)) {
    SiconosBulletOptions options;
    options.worldScale = 1;
    options.contactBreakingThreshold = 0.04 * scene.radius;
    options.perturbationIterations = 0;
    options.minimumPointsPerturbationThreshold = 0;
    manager_ = std::make_shared<SiconosBulletCollisionManager>(options);
    manager_->useEqualityConstraints(false);
    auto integrator = std::make_shared<MoreauJeanOSI>(0.50001);
    integrator->setIsWSymmetricDefinitePositive(true);
    problem_ = std::make_shared<FrictionContact>(3, SICONOS_FRICTION_3D_NSGS);
    problem_->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] =
        settings.iterations > 0 ? settings.iterations : 1000;
    problem_->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-4;
    problem_->setMaxSize(static_cast<int>(30 * scene.balls.size()) + 200);
    problem_->setMStorageType(NM_SPARSE_BLOCK);
    problem_->setNumericsVerboseMode(false);
    problem_->setKeepLambdaAndYState(true);
    simulation_ = std::make_shared<TimeStepping>(system_, std::make_shared<TimeDiscretisation>(0, scene.step));
    simulation_->insertIntegrator(integrator);
    simulation_->insertNonSmoothProblem(problem_);
    simulation_->insertInteractionManager(manager_);
    simulation_->setNewtonOptions(SICONOS_TS_LINEAR);
    simulation_->setNewtonMaxIteration(1);
    simulation_->setCheckSolverFunction(nullptr);
    add_law(scene.between, ball_group);
    for (std::size_t w = 0; w < scene.walls.size(); ++w) {
      add_law(scene.walls[w].law, static_cast<int>(w) + 1);
      add_wall(scene.walls[w], static_cast<int>(w) + 1);
    }
    sphere_ = std::make_shared<SiconosSphere>(scene.radius);
    sphere_->setInsideMargin(0.1 * scene.radius);
    sphere_->setOutsideMargin(0);
    for (const Ball& ball : scene.balls) add_ball(ball);
  }

  void step() override {
    simulation_->computeOneStep();
    contacts_ = static_cast<long>(problem_->getSizeOutput()) / 3;
    simulation_->nextStep();
    simulation_->clearNSDSChangeLog();  // which keeps all contacts that ever were
  }

  // Spins come in the axes of the balls.
  void look(std::vector<Ball>& balls) const override {
    balls.resize(bodies_.size());
    for (std::size_t b = 0; b < balls.size(); ++b) {
      const SiconosVector &q = *bodies_[b]->q(), &v = *bodies_[b]->twist();
      const double w = q(3), x = q(4), y = q(5), z = q(6);
      const double turn[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                                 {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                                 {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
      balls[b] = {{q(0), q(1), q(2)}, {v(0), v(1), v(2)}, {}};
      for (int i = 0; i < 3; ++i)
        balls[b].angular_velocity[i] = turn[i][0] * v(3) + turn[i][1] * v(4) + turn[i][2] * v(5);
    }
  }

  long contacts() const override { return contacts_; }

 private:
  void add_law(const SurfaceLaw& law, int group) {
    manager_->insertNonSmoothLaw(std::make_shared<NewtonImpactFrictionNSL>(law.restitution, 0, law.friction, 3),
                                 ball_group, group);
  }

  static SP::SiconosContactorSet contactor(const SP::SiconosShape& shape, int group) {
    auto set = std::make_shared<SiconosContactorSet>();
    set->push_back(std::make_shared<SiconosContactor>(shape, SP::SiconosVector(), group));
    return set;
  }

  void add_wall(const Wall& wall, int group) {
    constexpr double side = 10;
    auto box = std::make_shared<SiconosBox>(side, side, side);
    box->setInsideMargin(0.01);
    box->setOutsideMargin(0);
    auto place = std::make_shared<SiconosVector>(7);
    place->zero();
    for (int i = 0; i < 3; ++i) (*place)(i) = wall.normal[i] * (wall.distance - side / 2);
    (*place)(3) = 1;
    manager_->insertStaticContactorSet(contactor(box, group), place);
  }

  void add_ball(const Ball& ball) {
    auto place = std::make_shared<SiconosVector>(7), twist = std::make_shared<SiconosVector>(6);
    place->zero(), twist->zero();
    for (int i = 0; i < 3; ++i)
      (*place)(i) = ball.position[i], (*twist)(i) = ball.velocity[i], (*twist)(3 + i) = ball.angular_velocity[i];
    (*place)(3) = 1;
    auto inertia = std::make_shared<SimpleMatrix>(3, 3);
    inertia->zero();
    for (int i = 0; i < 3; ++i) (*inertia)(i, i) = scene_.inertia;
    auto body = std::make_shared<RigidBodyDS>(place, twist, scene_.mass, inertia);
    body->setContactors(contactor(sphere_, ball_group));
    body->setUseContactorInertia(false);
    auto weight = std::make_shared<SiconosVector>(3);
    weight->zero();
    (*weight)(2) = -scene_.mass * scene_.gravity;
    body->setFExtPtr(weight);
    system_->insertDynamicalSystem(body);
    bodies_.push_back(body);
  }

  BallScene scene_;
  SP::NonSmoothDynamicalSystem system_;
  SP::SiconosBulletCollisionManager manager_;
  SP::FrictionContact problem_;
  SP::TimeStepping simulation_;
  SP::SiconosSphere sphere_;
  std::vector<SP::RigidBodyDS> bodies_;
  long contacts_ = 0;
};

class BeadsWorld final : public World {
 public:
  explicit BeadsWorld(const BallScene& scene) : system_(std::make_shared<NonSmoothDynamicalSystem>(0, 1e9)) {
    for (const Ball& ball : scene.balls) {
      auto place = std::make_shared<SiconosVector>(1), speed = std::make_shared<SiconosVector>(1);
      (*place)(0) = ball.position[0], (*speed)(0) = ball.velocity[0];
      auto mass = std::make_shared<SimpleMatrix>(1, 1);
      (*mass)(0, 0) = scene.mass;
      beads_.push_back(std::make_shared<LagrangianLinearTIDS>(place, speed, mass));
      system_->insertDynamicalSystem(beads_.back());
    }
    auto law = std::make_shared<NewtonImpactNSL>(scene.between.restitution);
    for (std::size_t k = 1; k < beads_.size(); ++k) {
      auto difference = std::make_shared<SimpleMatrix>(1, 2);
      (*difference)(0, 0) = -1, (*difference)(0, 1) = 1;
      auto apart = std::make_shared<SiconosVector>(1);
      (*apart)(0) = -2 * scene.radius;
      auto relation = std::make_shared<LagrangianLinearTIR>(difference, apart);
      system_->link(std::make_shared<Interaction>(law, relation), beads_[k - 1], beads_[k]);
    }
    simulation_ = std::make_shared<TimeStepping>(system_, std::make_shared<TimeDiscretisation>(0, scene.step));
    simulation_->insertIntegrator(std::make_shared<MoreauJeanOSI>(0.5));
    simulation_->insertNonSmoothProblem(std::make_shared<LCP>(SICONOS_LCP_LEMKE));
  }

  void step() override {
    simulation_->computeOneStep();
    simulation_->nextStep();
  }

  void look(std::vector<Ball>& balls) const override {
    balls.assign(beads_.size(), Ball{});
    for (std::size_t b = 0; b < balls.size(); ++b) {
      balls[b].position[0] = (*beads_[b]->q())(0);
      balls[b].velocity[0] = (*beads_[b]->velocity())(0);
    }
  }

  long contacts() const override { return static_cast<long>(beads_.size()) - 1; }

 private:
  SP::NonSmoothDynamicalSystem system_;
  SP::TimeStepping simulation_;
  std::vector<SP::LagrangianDS> beads_;
};

}  // namespace

const char* const contestant_name = "Siconos";

std::unique_ptr<World> make_world(const BallScene& scene, const WorldSettings& settings) {
  if (scene.walls.empty()) return std::make_unique<BeadsWorld>(scene);
  return std::make_unique<SiconosWorld>(scene, settings);
}

}  // namespace carom::benchmarks
