#include "simbody_peer.h"

#include <Simbody.h>

#include <chrono>
#include <cstddef>
#include <ctime>
#include <stdexcept>

namespace carom::benchmarks {
namespace {

using SimTK::Real;
using SimTK::State;
using SimTK::Transform;
using SimTK::Vec3;

Vec3 vec(Point p) {
  return {p.x, p.y, 0};
}

// A body with its origin where its mobilizer acts: Simbody's nodes are cheapest when that frame is the body frame.
SimTK::Body::Rigid rigid(double mass, double inertia, Vec3 centre) {
  const SimTK::Inertia central(inertia);
  return SimTK::Body::Rigid(SimTK::MassProperties(mass, centre, central.shiftFromMassCenter(-centre, mass)));
}

std::unique_ptr<SimTK::Integrator> make(SimbodyIntegrator method, const SimTK::MultibodySystem& system) {
  switch (method) {
    case SimbodyIntegrator::runge_kutta_merson:
      return std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system);
    case SimbodyIntegrator::runge_kutta_fehlberg:
      return std::make_unique<SimTK::RungeKuttaFeldbergIntegrator>(system);
    case SimbodyIntegrator::cpodes_bdf:
      return std::make_unique<SimTK::CPodesIntegrator>(system, SimTK::CPodes::BDF);
    case SimbodyIntegrator::cpodes_adams:
      return std::make_unique<SimTK::CPodesIntegrator>(system, SimTK::CPodes::Adams);
  }
  return nullptr;
}

}  // namespace

class SimbodyModel::implementation {
 public:
  implementation(Mechanism which, SimbodyTopology topology) {
    if (which == Mechanism::slider_crank)
      build_slider_crank(topology);
    else
      build_andrews(topology);
  }

  SimbodyResult run(double accuracy, SimbodyIntegrator method, SimbodyProjection projection) const {
    constexpr int step_limit = 20'000;
    const auto integrator = make(method, system_);
    integrator->setAccuracy(accuracy);
    integrator->setProjectEveryStep(projection == SimbodyProjection::every_step);
    integrator->setInternalStepLimit(step_limit);
    integrator->setFinalTime(end_time_);
    integrator->initialize(start_);
    system_.realize(integrator->getState(), SimTK::Stage::Dynamics);
    const Real before = system_.calcEnergy(integrator->getState());
    integrator->resetAllStatistics();
    const std::clock_t cpu_begin = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    while (integrator->getTime() < end_time_)
      if (integrator->stepTo(end_time_) == SimTK::Integrator::ReachedStepLimit)
        throw std::runtime_error("more than 20,000 steps");
    const auto end = std::chrono::steady_clock::now();
    const std::clock_t cpu_end = std::clock();

    SimbodyResult result;
    const State& state = integrator->getState();
    system_.realize(state, SimTK::Stage::Dynamics);
    result.coordinates = coordinates(state);
    result.steps = integrator->getNumStepsTaken();
    result.right_hand_sides = integrator->getNumRealizations();
    result.seconds = std::chrono::duration<double>(end - begin).count();
    result.cpu_seconds = static_cast<double>(cpu_end - cpu_begin) / CLOCKS_PER_SEC;
    result.energy_change = (system_.calcEnergy(state) - before) / before;
    return result;
  }

  double rhs_per_second(long n) const {
    State state = start_;
    const SimTK::Vector y = state.getY();
    const auto evaluate = [&](long count) {
      for (long i = 0; i < count; ++i) {
        state.setTime(0);
        state.updY() = y;
        system_.realize(state, SimTK::Stage::Acceleration);
      }
    };
    evaluate(10);  // warm up
    const auto begin = std::chrono::steady_clock::now();
    evaluate(n);
    const auto end = std::chrono::steady_clock::now();
    return static_cast<double>(n) / std::chrono::duration<double>(end - begin).count();
  }

 private:
  // A body, its centre of mass in its own frame, and the bodies before it (nearest the ground last), whose pin angles
  // add up to its own.
  struct placed {
    SimTK::MobilizedBody body;
    Vec3 centre;
    std::vector<SimTK::MobilizedBody> turning;
  };

  std::vector<BodyCoordinates> coordinates(const State& state) const {
    std::vector<BodyCoordinates> result;
    for (const placed& p : bodies_) {
      const Vec3 centre = p.body.findStationLocationInGround(state, p.centre);
      Real angle = 0;
      for (const auto& pin : p.turning) angle += pin.getOneQ(state, 0);
      result.push_back({centre[0], centre[1], angle});
    }
    return result;
  }

  // A point of one body on the line through a point of the other along z: the two equations of a planar joint.
  static void close(SimTK::MobilizedBody& one, Point on_one, SimTK::MobilizedBody& other, Point on_other) {
    SimTK::Constraint::PointOnLine(one, SimTK::UnitVec3(SimTK::ZAxis), vec(on_one), other, vec(on_other));
  }

  void build_slider_crank(SimbodyTopology topology) {
    const SliderCrankData m;
    const Point crank_pin{m.crank_length, 0};
    const Point rod_pin{m.rod_length, 0};
    const Vec3 crank_centre(m.crank_length / 2, 0, 0);
    const Vec3 rod_centre(m.rod_length / 2, 0, 0);
    SimTK::Force::Gravity(forces_, matter_, Vec3(0, -m.gravity, 0));

    SimTK::MobilizedBody& ground = matter_.Ground();
    SimTK::MobilizedBody::Pin crank(ground, rigid(m.crank_mass, m.crank_inertia, crank_centre));
    SimTK::Body::Rigid rod_body = rigid(m.rod_mass, m.rod_inertia, rod_centre);
    const SimTK::Body::Rigid slider_body = rigid(m.slider_mass, m.slider_inertia, Vec3(0));
    if (topology == SimbodyTopology::lumped) {
      const double mass = m.rod_mass + m.slider_mass;
      const double x = (m.rod_mass * m.rod_length / 2 + m.slider_mass * m.rod_length) / mass;
      const double inertia = m.rod_inertia + m.rod_mass * m.slider_mass / mass * m.rod_length * m.rod_length / 4;
      rod_body = rigid(mass, inertia, Vec3(x, 0, 0));
    }
    SimTK::MobilizedBody::Pin rod(crank, Transform(vec(crank_pin)), rod_body, Transform());
    bodies_ = {{crank, crank_centre, {crank}}, {rod, rod_centre, {rod, crank}}};

    const double crank_speed = m.initial_speed;
    const double rod_speed = -m.initial_speed * m.crank_length / m.rod_length;
    if (topology == SimbodyTopology::grounded) {
      SimTK::MobilizedBody::Slider slider(ground, slider_body);
      close(rod, rod_pin, slider, {});
      bodies_.push_back({slider, Vec3(0), {}});
      start_ = system_.realizeTopology();
      slider.setOneQ(start_, 0, m.crank_length + m.rod_length);
    } else if (topology == SimbodyTopology::hanging) {
      SimTK::MobilizedBody::Pin slider(rod, Transform(vec(rod_pin)), slider_body, Transform());
      SimTK::Constraint::PointInPlane(ground, SimTK::UnitVec3(SimTK::YAxis), 0, slider, Vec3(0));
      SimTK::Constraint::ConstantAngle(ground, SimTK::UnitVec3(SimTK::XAxis), slider, SimTK::UnitVec3(SimTK::YAxis));
      bodies_.push_back({slider, Vec3(0), {slider, rod, crank}});
      start_ = system_.realizeTopology();
      slider.setOneU(start_, 0, -rod_speed);
    } else {
      SimTK::Constraint::PointInPlane(ground, SimTK::UnitVec3(SimTK::YAxis), 0, rod, vec(rod_pin));
      bodies_.push_back({rod, vec(rod_pin), {}});
      start_ = system_.realizeTopology();
    }
    crank.setOneQ(start_, 0, m.initial_angle);
    crank.setOneU(start_, 0, crank_speed);
    rod.setOneU(start_, 0, rod_speed - crank_speed);
    end_time_ = m.end_time;
  }

  void build_andrews(SimbodyTopology topology) {
    using pin = SimTK::MobilizedBody::Pin;
    const AndrewsData m;
    const auto geometry = andrews_bodies(m);
    SimTK::MobilizedBody& ground = matter_.Ground();
    const auto body = [&](int k, Vec3 origin = Vec3(0)) {
      const auto i = static_cast<std::size_t>(k - 1);
      return rigid(m.mass[i], m.inertia[i], vec(geometry[i].centre) - origin);
    };
    const auto centre = [&](int k) { return vec(geometry[static_cast<std::size_t>(k - 1)].centre); };
    const auto outer = [&](int k) { return geometry[static_cast<std::size_t>(k - 1)].outer; };
    const AndrewsAngles& q = andrews_start;

    pin k1(ground, body(1));
    pin k3(ground, Transform(vec(m.b)), body(3), Transform());
    pin k5(ground, Transform(vec(m.a)), body(5), Transform());
    pin k7(ground, Transform(vec(m.a)), body(7), Transform());
    SimTK::Force::TwoPointLinearSpring(forces_, ground, vec(m.c), k3, vec(andrews_spring_point(m)), m.spring_stiffness,
                                       m.spring_free_length);
    SimTK::Force::MobilityConstantForce(forces_, k1, 0, m.drive_moment);
    pin k2, k4, k6;
    if (topology == SimbodyTopology::grounded) {
      k2 = pin(k1, Transform(vec(outer(1))), body(2), Transform());
      k4 = pin(k5, Transform(vec(outer(5))), body(4), Transform());
      k6 = pin(k7, Transform(vec(outer(7))), body(6), Transform());
      close(k2, outer(2), k3, outer(3));
      close(k2, outer(2), k4, outer(4));
      close(k2, outer(2), k6, outer(6));
      bodies_ = {{k1, centre(1), {k1}}, {k2, centre(2), {k2, k1}}, {k3, centre(3), {k3}}, {k4, centre(4), {k4, k5}},
                 {k5, centre(5), {k5}}, {k6, centre(6), {k6, k7}}, {k7, centre(7), {k7}}};
    } else {
      // The frames of K2, K4 and K6 now lie at P.
      const Vec3 p2 = vec(outer(2)), p4 = vec(outer(4)), p6 = vec(outer(6));
      k2 = pin(k3, Transform(vec(outer(3))), body(2, p2), Transform());
      k4 = pin(k3, Transform(vec(outer(3))), body(4, p4), Transform());
      k6 = pin(k3, Transform(vec(outer(3))), body(6, p6), Transform());
      close(k1, outer(1), k2, {-p2[0], -p2[1]});
      close(k5, outer(5), k4, {-p4[0], -p4[1]});
      close(k7, outer(7), k6, {-p6[0], -p6[1]});
      bodies_ = {{k1, centre(1), {k1}},          {k2, centre(2) - p2, {k2, k3}}, {k3, centre(3), {k3}},
                 {k4, centre(4) - p4, {k4, k3}}, {k5, centre(5), {k5}},          {k6, centre(6) - p6, {k6, k3}},
                 {k7, centre(7), {k7}}};
    }
    start_ = system_.realizeTopology();
    const double base = topology == SimbodyTopology::grounded ? 0 : 1;
    k1.setOneQ(start_, 0, q[0]);
    k3.setOneQ(start_, 0, q[2]);
    k5.setOneQ(start_, 0, q[4]);
    k7.setOneQ(start_, 0, q[6]);
    k2.setOneQ(start_, 0, q[1] + base * (q[0] - q[2]));
    k4.setOneQ(start_, 0, q[3] + base * (q[4] - q[2]));
    k6.setOneQ(start_, 0, q[5] + base * (q[6] - q[2]));
    end_time_ = m.end_time;
  }

  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_{system_};
  SimTK::GeneralForceSubsystem forces_{system_};
  std::vector<placed> bodies_;
  State start_;
  double end_time_ = 0;
};

SimbodyModel::SimbodyModel(Mechanism which, SimbodyTopology topology)
    : implementation_(std::make_unique<implementation>(which, topology)) {}
SimbodyModel::~SimbodyModel() = default;
SimbodyModel::SimbodyModel(SimbodyModel&&) noexcept = default;
SimbodyModel& SimbodyModel::operator=(SimbodyModel&&) noexcept = default;

SimbodyResult SimbodyModel::run(double accuracy, SimbodyIntegrator method, SimbodyProjection projection) const {
  return implementation_->run(accuracy, method, projection);
}

double SimbodyModel::rhs_per_second(long n) const {
  return implementation_->rhs_per_second(n);
}

const char* name(SimbodyIntegrator method) {
  switch (method) {
    case SimbodyIntegrator::runge_kutta_merson:
      return "Runge-Kutta-Merson";
    case SimbodyIntegrator::runge_kutta_fehlberg:
      return "Runge-Kutta-Fehlberg";
    case SimbodyIntegrator::cpodes_bdf:
      return "CPodes BDF";
    case SimbodyIntegrator::cpodes_adams:
      return "CPodes Adams";
  }
  return "";
}

const char* name(SimbodyProjection projection) {
  return projection == SimbodyProjection::every_step ? "every step" : "when needed";
}

const char* name(SimbodyTopology topology) {
  switch (topology) {
    case SimbodyTopology::grounded:
      return "grounded";
    case SimbodyTopology::hanging:
      return "hanging";
    case SimbodyTopology::lumped:
      return "lumped";
  }
  return "";
}

std::vector<SimbodyTopology> simbody_topologies(Mechanism which) {
  if (which == Mechanism::slider_crank)
    return {SimbodyTopology::grounded, SimbodyTopology::hanging, SimbodyTopology::lumped};
  return {SimbodyTopology::grounded, SimbodyTopology::hanging};
}

SimbodyResult run(Mechanism which, double accuracy, SimbodyIntegrator method, SimbodyProjection projection) {
  return SimbodyModel(which, SimbodyTopology::grounded).run(accuracy, method, projection);
}

double rhs_per_second(Mechanism which, long n) {
  return SimbodyModel(which, SimbodyTopology::grounded).rhs_per_second(n);
}

}  // namespace carom::benchmarks
