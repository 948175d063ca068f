// Simbody on the contact scenes: the loose pin as a force element of its own, the spheres with Simbody's own contact.
#include <Simbody.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "contact_scenes.h"

namespace carom::benchmarks {
namespace {

using SimTK::MobilizedBody;
using SimTK::Real;
using SimTK::Stage;
using SimTK::State;
using SimTK::Transform;
using SimTK::Vec3;

// The law of the loose pin. The approach speed of the present contact is part of the state, so that Simbody knows when
// forces must be evaluated anew.
class LoosePin : public SimTK::Force::Custom::Implementation {
 public:
  struct Gap {
    Vec3 normal, bearing;
    Real penetration = 0, rate = 0, slip = 0;
  };

  LoosePin(const SimTK::GeneralForceSubsystem& forces, const MobilizedBody& rod, const MobilizedBody& slider)
      : forces_(forces), rod_(rod), slider_(slider) {}

  Real penetration(const State& state) const {
    return (slider_.getBodyOriginLocation(state) - rod_.findStationLocationInGround(state, bearing_)).norm() -
           data_.clearance;
  }

  Gap gap(const State& state) const {
    Gap gap;
    gap.bearing = rod_.findStationLocationInGround(state, bearing_);
    const Vec3 apart = slider_.getBodyOriginLocation(state) - gap.bearing;
    const Vec3 speed = slider_.getBodyOriginVelocity(state) - rod_.findStationVelocityInGround(state, bearing_);
    const Real distance = apart.norm();
    gap.normal = distance > 0 ? apart / distance : Vec3(1, 0, 0);
    gap.penetration = distance - data_.clearance;
    gap.rate = SimTK::dot(speed, gap.normal);
    gap.slip = SimTK::dot(speed, tangent(gap)) - rod_.getBodyAngularVelocity(state)[2] * data_.bearing_radius;
    return gap;
  }

  Real normal_force(const State& state, const Gap& gap) const {
    if (gap.penetration <= 0) return 0;
    const Real elastic = stiffness_ * gap.penetration * std::sqrt(gap.penetration);
    return std::max(0.0, elastic * (1 + data_.hysteresis() * gap.rate / approach(state)));
  }

  void begin(State& state) const {
    const Real speed = std::max(1e-6, gap(state).rate);
    forces_.updDiscreteVariable(state, approach_) = SimTK::Value<Real>(speed);
  }

  void realizeTopology(State& state) const override {
    approach_ = forces_.allocateDiscreteVariable(state, Stage::Dynamics, new SimTK::Value<Real>(1));
  }

  void calcForce(const State& state, SimTK::Vector_<SimTK::SpatialVec>& on_bodies, SimTK::Vector_<Vec3>&,
                 SimTK::Vector&) const override {
    const Gap gap = this->gap(state);
    const Real force = normal_force(state, gap);
    if (force <= 0) return;
    const Real friction = data_.friction * force * std::tanh(gap.slip / data_.slip_scale);
    const Vec3 on_journal = -force * gap.normal - friction * tangent(gap);
    const Vec3 point = gap.bearing + data_.bearing_radius * gap.normal;
    slider_.applyForceToBodyPoint(state, slider_.findStationAtGroundPoint(state, point), on_journal, on_bodies);
    rod_.applyForceToBodyPoint(state, rod_.findStationAtGroundPoint(state, point), -on_journal, on_bodies);
  }

  Real calcPotentialEnergy(const State& state) const override {
    const Real depth = std::max(0.0, penetration(state));
    return 0.4 * stiffness_ * depth * depth * std::sqrt(depth);
  }

 private:
  static Vec3 tangent(const Gap& gap) { return {-gap.normal[1], gap.normal[0], 0}; }
  Real approach(const State& state) const {
    return SimTK::Value<Real>::downcast(forces_.getDiscreteVariable(state, approach_)).get();
  }

  LooseSliderCrankData data_;
  Real stiffness_ = data_.stiffness();
  Vec3 bearing_{data_.links.rod_length, 0, 0};
  const SimTK::GeneralForceSubsystem& forces_;
  MobilizedBody rod_, slider_;
  mutable SimTK::DiscreteVariableIndex approach_;
};

// The gap closes.
class Onset : public SimTK::TriggeredEventHandler {
 public:
  Onset(const SimTK::MultibodySystem& system, const LoosePin& pin, long& count)
      : TriggeredEventHandler(Stage::Position), system_(system), pin_(pin), count_(count) {
    getTriggerInfo().setTriggerOnFallingSignTransition(false);
    getTriggerInfo().setRequiredLocalizationTimeWindow(1e-12);
  }
  Real getValue(const State& state) const override { return pin_.penetration(state); }
  void handleEvent(State& state, Real, bool&) const override {
    system_.realize(state, Stage::Velocity);
    pin_.begin(state);
    ++count_;
  }

 private:
  const SimTK::MultibodySystem& system_;
  const LoosePin& pin_;
  long& count_;
};

SimTK::Body::Rigid link(double mass, double inertia, double length) {
  const Vec3 centre(length / 2, 0, 0);
  return SimTK::Body::Rigid(
      SimTK::MassProperties(mass, centre, SimTK::Inertia(inertia).shiftFromMassCenter(-centre, mass)));
}

LooseSliderCrankResult run_loose_slider_crank(double accuracy, double turns) {
  const LooseSliderCrankData data;
  const SliderCrankData& m = data.links;
  const double end = turns * data.turn();
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter(system);
  SimTK::GeneralForceSubsystem forces(system);
  MobilizedBody::Pin crank(matter.Ground(), link(m.crank_mass, m.crank_inertia, m.crank_length));
  MobilizedBody::Pin rod(crank, Transform(Vec3(m.crank_length, 0, 0)), link(m.rod_mass, m.rod_inertia, m.rod_length),
                         Transform());
  MobilizedBody::Slider slider(matter.Ground(), link(m.slider_mass, m.slider_inertia, 0));
  const SimTK::Motion::Steady drive(crank, data.speed);
  auto* pin = new LoosePin(forces, rod, slider);  // the force element takes it over
  const SimTK::Force::Custom element(forces, pin);
  LooseSliderCrankResult result;
  system.addEventHandler(new Onset(system, *pin, result.onsets));
  State start = system.realizeTopology();
  system.realizeModel(start);
  slider.setOneQ(start, 0, m.crank_length + m.rod_length);
  crank.setOneU(start, 0, data.speed);
  rod.setOneU(start, 0, data.start_angular_velocity() - data.speed);

  // The cheapest of its integrators here. Longer steps make it no faster and the end less exact.
  SimTK::RungeKuttaFeldbergIntegrator integrator(system);
  integrator.setAccuracy(accuracy);
  integrator.setMaximumStepSize(1e-5);
  integrator.setReturnEveryInternalStep(true);
  SimTK::TimeStepper stepper(system, integrator);
  stepper.initialize(start);
  stepper.setReportAllSignificantStates(true);
  const Stopwatch watch;
  while (stepper.getTime() < end) {
    stepper.stepTo(end);
    const State& state = stepper.getState();
    system.realize(state, Stage::Velocity);
    const LoosePin::Gap gap = pin->gap(state);
    const double force = pin->normal_force(state, gap);
    result.peak_force = std::max(result.peak_force, force);
    if (state.getTime() > end / 4) result.late_force = std::max(result.late_force, force);
    result.penetration = std::max(result.penetration, gap.penetration);
  }
  result.seconds = watch.seconds();
  const State& state = stepper.getState();
  system.realize(state, Stage::Velocity);
  result.steps = integrator.getNumStepsTaken();
  result.right_hand_sides = integrator.getNumRealizations();
  result.slider_position = slider.getOneQ(state, 0), result.slider_velocity = slider.getOneU(state, 0);
  result.rod_angle = std::remainder(crank.getOneQ(state, 0) + rod.getOneQ(state, 0), 2 * M_PI);
  result.rod_angular_velocity = rod.getBodyAngularVelocity(state)[2];
  return result;
}

// Solid where its own x is positive.
Transform half_space(const Vec3& outward, double distance) {
  return {SimTK::Rotation(SimTK::UnitVec3(-outward), SimTK::XAxis), distance * outward};
}

SpheresBoxResult run_spheres_box(const SpheresBoxRun& run) {
  const SpheresBoxData data;
  const SpheresBoxStart place = spheres_box_start(run.count, run.start);
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter(system);
  SimTK::GeneralForceSubsystem forces(system);
  SimTK::GeneralContactSubsystem contacts(system);
  const SimTK::ContactSetIndex set = contacts.createContactSet();
  const SimTK::Force::Gravity weight(forces, matter, Vec3(0, 0, -data.gravity));
  SimTK::HuntCrossleyForce law(forces, contacts, set);
  law.setTransitionVelocity(data.transition_speed);

  const auto add = [&](MobilizedBody& body, const SimTK::ContactGeometry& shape, const Transform& frame) {
    // For two surfaces alike Simbody's law has E* = E / 2^1.5.
    const SimTK::ContactSurfaceIndex surface(contacts.getNumBodies(set));
    contacts.addBody(set, body, shape, frame);
    law.setBodyParameters(surface, data.contact_modulus * std::pow(2.0, 1.5), data.damping, data.friction,
                          data.friction, 0);
  };
  const SimTK::ContactGeometry::HalfSpace wall;
  add(matter.updGround(), wall, half_space(Vec3(0, 0, 1), 0));
  for (const double sign : {1.0, -1.0}) {
    add(matter.updGround(), wall, half_space(Vec3(sign, 0, 0), -place.width / 2));
    add(matter.updGround(), wall, half_space(Vec3(0, sign, 0), -place.width / 2));
  }
  const SimTK::Body::Rigid ball(SimTK::MassProperties(data.mass(), Vec3(0), SimTK::Inertia(data.inertia())));
  const SimTK::ContactGeometry::Sphere sphere(data.radius);
  std::vector<MobilizedBody> balls;
  for (int q = 0; q < run.count; ++q) {
    balls.push_back(MobilizedBody::Free(matter.Ground(), ball));
    add(balls.back(), sphere, Transform());
  }
  State start = system.realizeTopology();
  for (std::size_t q = 0; q < balls.size(); ++q) {
    const auto& c = place.centres[q];
    balls[q].setQToFitTranslation(start, Vec3(c[0], c[1], c[2]));
  }

  // The cheapest of its integrators at this error; the semi-explicit Euler method is cheaper and far less exact.
  SimTK::RungeKutta3Integrator integrator(system);
  integrator.setAccuracy(run.tolerance);
  integrator.setMaximumStepSize(data.largest_step);
  SimTK::TimeStepper stepper(system, integrator);
  stepper.initialize(start);
  SpheresBoxResult result;
  const Stopwatch watch;
  stepper.stepTo(run.end);
  result.seconds = watch.seconds();
  const State& state = stepper.getState();
  system.realize(state, Stage::Velocity);
  result.end = state.getTime();
  result.steps = integrator.getNumStepsTaken();
  result.right_hand_sides = integrator.getNumRealizations();
  result.kinetic = matter.calcKineticEnergy(state);
  for (const MobilizedBody& each : balls) {
    const Vec3 centre = each.getBodyOriginLocation(state);
    result.centres.push_back({centre[0], centre[1], centre[2]});
    result.mean_height += centre[2] / run.count;
  }
  return result;
}

}  // namespace

const Contestant& simbody_contestant() {
  static const Contestant contestant{"Simbody", "contact_scenes_simbody", run_loose_slider_crank, run_spheres_box};
  return contestant;
}

}  // namespace carom::benchmarks
