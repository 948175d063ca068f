#include <map>

#include <gtest/gtest.h>

#include "../support/build_model.h"
#include "../support/probe.h"
#include "force_elements/force_element.h"

// What must hold for every force element of the catalogue. A new one is checked by being listed, once it has samples
// here.
namespace carom {
namespace {

using build::Element;
using Numbers = std::vector<double>;

Function both(const std::string& text) {
  return build::function(text, {"x", "v"});
}

// Elements named "element" between the floating bodies a and b, of every kind that the type offers.
std::vector<Element> samples(const std::string& type, bool planar) {
  const auto point = [&](double x, double y, double z) { return planar ? Numbers{x, y} : Numbers{x, y, z}; };
  const auto functions = [&](int count) {
    std::vector<Function> result;
    for (int k = 0; k < count; ++k) result.push_back(build::function(std::to_string(k + 1) + "*cos(3*t) + 2"));
    return result;
  };
  const Element base("element", type);
  Element line = base;
  line.between("a", "b").points({0.1, 0.2, planar ? 0 : -0.1}, {-0.2, 0.1, planar ? 0 : 0.15});
  if (type == "spring") {
    return {Element(line).with("stiffness", 90.0).with("free_length", 0.3).with("preload", 4.0),
            Element(line).with("stiffness", 90.0).with("damping", 7.0),
            Element(line).with("free_length", 0.3).with("force", both("20*x + 30*x^3 + 2*v*abs(v)")),
            Element(line).with("free_length", 0.3).with("force", both("20*x + 30*x^3 + 5*sin(9*x)")),
            Element(line).with("preload", 2.0).with("force", both("6 - 3*v"))};
  }
  if (type == "ligament") return {Element(line).with("stiffness", 500.0).with("free_length", 0.2)};
  if (type == "bushing") {
    Element mount = base;
    mount.between("a", "b")
        .at(point(0.3, 0.1, 0.2))
        .with("stiffness", planar ? Numbers{100, 250} : Numbers{100, 250, 170})
        .with("rotational_stiffness", planar ? Numbers{5} : Numbers{5, 9, 7});
    Element lossy = mount;
    lossy.with("damping", Numbers{3}).with("rotational_damping", Numbers{0.7});
    Element turned = lossy;
    if (!planar) turned.axis({0.3, -0.5, 0.6});
    return {mount, lossy, turned};
  }
  if (type == "torsion-spring") {
    const auto about = [&](Element element) { return element.with("joint", std::string("pin")); };
    return {about(base).with("stiffness", 8.0).with("free_angle", 0.3),
            about(base).with("stiffness", 8.0).with("damping", 0.9), about(base).with("torque", both("3*x + x^3 + v")),
            about(base).with("free_angle", 0.3).with("torque", both("3*x + sin(2*x)"))};
  }
  const Function wave = build::function("3*cos(3*t) + 2");
  const Element pin = Element(base).with("joint", std::string("pin"));
  if (type == "dc-motor") {
    const Element motor = Element(pin)
                              .with("voltage", wave)
                              .with("resistance", 0.7)
                              .with("torque_constant", 0.4)
                              .with("friction", 0.02)
                              .with("ratio", 3.0);
    return {motor, Element(motor).with("inductance", 0.05)};
  }
  if (type == "synchronous-motor") {
    return {Element(pin)
                .with("voltage_d", wave)
                .with("voltage_q", Function::constant(4))
                .with("resistance", 0.7)
                .with("inductance_d", 0.02)
                .with("inductance_q", 0.03)
                .with("flux", 0.3)
                .with("pole_pairs", 2.0)};
  }
  if (type == "torque-speed-motor")
    return {Element(pin).with("torque", build::function("5 - 2*v", {"v"})).with("throttle", wave)};
  if (type == "clutch" || type == "brake") return {Element(pin).with("capacity", wave).with("give", 0.1)};
  const Element gas = Element(line).with("area", 1e-2).with("volume", 1e-2);
  if (type == "gas-spring") {
    return {Element(gas).with("pressure", 3e5), Element(gas).with("pressure", 3e5).with("exponent", 1.0)};
  }
  if (type == "pneumatic-cylinder") {
    return {Element(gas)
                .with("pressure", 3e5)
                .with("supply_pressure", 6e5)
                .with("inlet", Function::constant(2e-5))
                .with("outlet", Function::constant(1e-5))};
  }
  if (type == "hydraulic-cylinder") {
    return {Element(line)
                .with("area", 2e-5)
                .with("rod_area", 1e-5)
                .with("stroke", 3.0)
                .with("supply_pressure", 1e6)
                .with("valve", 1e-8)
                .with("bulk_modulus", 1e8)
                .with("leakage", 1e-13)
                .with("opening", build::function("0.5*cos(3*t)"))};
  }
  if (type == "force") {
    std::vector<Element> result;
    for (const std::string axes : {"world", "body"}) {
      result.push_back(Element(base)
                           .with("body", std::string("b"))
                           .with("point", point(0.2, -0.1, 0.3))
                           .with("force", functions(planar ? 2 : 3))
                           .with("axes", axes));
    }
    return result;
  }
  if (type == "torque") {
    std::vector<Element> result;
    for (const std::string axes : {"world", "body"}) {
      result.push_back(
          Element(base).with("body", std::string("b")).with("torque", functions(planar ? 1 : 3)).with("axes", axes));
    }
    return result;
  }
  return {};
}

Model model_of(const Element& element, bool planar) {
  Model model = planar ? build::planar_model({0, 0}) : build::spatial_model({0, 0, 0});
  model.bodies = {build::Body("a", 1.3, {0.2, 0.3, 0.4}).at(0.1, 0.3).turned(0.4).centre(0.05, -0.1, planar ? 0 : 0.2),
                  build::Body("b", 0.7, {0.5, 0.25, 0.35}).at(0.8, -0.2).turned(-0.3).centre(-0.2, 0.07)};
  if (!planar) {
    model.bodies[0].orientation = Eigen::Quaterniond(0.8, 0.3, -0.4, 0.2).normalized();
    model.bodies[1].orientation = Eigen::Quaterniond(0.7, 0.1, -0.2, 0.4).normalized();
  }
  if (element.settings.has("joint")) {
    const Numbers at = planar ? Numbers{0.4, 0.1} : Numbers{0.4, 0.1, 0.2};
    model.joints = {
        Element("pin", "revolute").between("a", "b").at(at).axis(planar ? Numbers{1, 0} : Numbers{0.2, 0.5, 0.4})};
  }
  model.forces = {element};
  return model;
}

struct Case {
  const ForceElementDescription* type;
  bool planar;
};
void PrintTo(const Case& each_case, std::ostream* out) {
  *out << each_case.type->name;
}

std::vector<Case> cases() {
  std::vector<Case> result;
  for (const ForceElementDescription& type : force_element_catalogue()) {
    if (type.planar) result.push_back({&type, true});
    if (type.spatial) result.push_back({&type, false});
  }
  return result;
}

class EveryForceElement : public ::testing::TestWithParam<Case> {
 protected:
  // Every sample in a few positions on its way.
  template <class Check>
  void each(const Check& check) {
    const std::vector<Element> elements = samples(GetParam().type->name, GetParam().planar);
    ASSERT_FALSE(elements.empty()) << "add a sample of " << GetParam().type->name << " to this test";
    for (std::size_t k = 0; k < elements.size(); ++k) {
      for (const unsigned seed : {1u, 2u, 3u}) {
        SCOPED_TRACE("sample " + std::to_string(k) + ", position " + std::to_string(seed));
        Probe probe(model_of(elements[k], GetParam().planar));
        probe.state.t = 0.2;
        probe.scatter(seed, 0.2);
        for (Eigen::Index z = 0; z < probe.state.internal.size(); ++z)
          probe.state.internal[z] += 0.3 * std::sin(static_cast<double>(z + seed));
        probe.system->set_internal(probe.state.internal.data());
        check(probe);
      }
    }
  }
  static Eigen::VectorXd loads(Probe& probe, const Eigen::VectorXd& q, const Eigen::VectorXd& v) {
    Eigen::VectorXd f;
    probe.system->loads(probe.state.t, q.data(), v.data(), f);
    return f;
  }
};

TEST_P(EveryForceElement, TangentsAreTheDerivativesOfTheLoads) {
  each([](Probe& probe) {
    constexpr double h = 1e-5;
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(probe.system->constraint_size());
    Eigen::SparseMatrix<double> stiffness, damping;
    const State& state = probe.state;
    probe.system->tangents(state.t, state.q.data(), state.v.data(), none, stiffness, damping);
    const double scale = std::max(1.0, Eigen::MatrixXd(stiffness).cwiseAbs().maxCoeff());
    for (int k = 0; k < probe.system->velocity_size(); ++k) {
      const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(probe.system->velocity_size(), k);
      const Eigen::VectorXd by_position =
          (loads(probe, probe.moved(step), state.v) - loads(probe, probe.moved(-step), state.v)) / (-2 * h);
      const Eigen::VectorXd by_velocity =
          (loads(probe, state.q, state.v + step) - loads(probe, state.q, state.v - step)) / (-2 * h);
      EXPECT_LT((by_position - Eigen::VectorXd(stiffness.col(k))).cwiseAbs().maxCoeff(), 1e-7 * scale)
          << "position " << k;
      EXPECT_LT((by_velocity - Eigen::VectorXd(damping.col(k))).cwiseAbs().maxCoeff(), 1e-7 * scale)
          << "velocity " << k;
    }
  });
}

// Whatever the forces do is either stored or booked as power: f·v = power − dE/dt for every velocity that joints allow.
TEST_P(EveryForceElement, PowerAndEnergyAccountForTheWorkOfItsForces) {
  each([](Probe& probe) {
    constexpr double h = 1e-5;
    const State& state = probe.state;
    probe.v_rate.setZero();
    const Eigen::VectorXd f = loads(probe, state.q, state.v);
    // States of its own change meanwhile.
    Eigen::VectorXd rates = Eigen::VectorXd::Zero(state.internal.size());
    probe.system->internal_rates(state.t, state.q.data(), state.v.data(), rates.data());
    const auto stored = [&](double at) {
      probe.system->set_internal(Eigen::VectorXd(state.internal + at * rates).data());
      return probe.system->energy(state.t, probe.moved(at * state.v).data(), Eigen::VectorXd(0 * state.v).data())
          .potential;
    };
    const double storing = (stored(h) - stored(-h)) / (2 * h);
    probe.system->set_internal(state.internal.data());
    probe.rates();
    EXPECT_NEAR(f.dot(state.v), probe.power.sum() - storing,
                1e-7 * std::max({1.0, f.cwiseAbs().maxCoeff(), probe.power.cwiseAbs().sum()}));
  });
}

TEST_P(EveryForceElement, ConservativeForcesAreTheGradientOfTheEnergy) {
  each([](Probe& probe) {
    if (probe.system->work_size() > 0) return;
    constexpr double h = 1e-5;
    const Eigen::VectorXd rest = Eigen::VectorXd::Zero(probe.system->velocity_size());
    const Eigen::VectorXd f = loads(probe, probe.state.q, rest);
    const auto stored = [&](const Eigen::VectorXd& step) {
      return probe.system->energy(probe.state.t, probe.moved(step).data(), rest.data()).potential;
    };
    const bool turns_only = probe.system->constraint_size() > 0;  // its angle has a meaning only where the axes agree
    for (int k = 0; k < f.size(); ++k) {
      if (turns_only && (probe.planar() ? k % 3 != 2 : true)) continue;
      const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(f.size(), k);
      EXPECT_NEAR(f[k], (stored(-step) - stored(step)) / (2 * h), 1e-7 * std::max(1.0, f.cwiseAbs().maxCoeff())) << k;
    }
  });
}

TEST_P(EveryForceElement, ActionIsReaction) {
  const std::string name = GetParam().type->name;
  if (name == "force" || name == "torque") return;  // these act from outside
  each([](Probe& probe) {
    // The gyroscopic load of a body is no force of the element.
    const Eigen::VectorXd rest = Eigen::VectorXd::Zero(probe.system->velocity_size());
    Eigen::VectorXd moving = probe.state.v;
    if (!probe.planar()) {
      for (Eigen::Index b = 0; b < moving.size() / 6; ++b)
        moving.segment<3>(6 * b + 3) = 1.3 * Eigen::Vector3d::Unit(b % 3);  // about principal axes
    }
    for (const Eigen::VectorXd& v : {rest, moving}) {
      const Eigen::VectorXd f = loads(probe, probe.state.q, v);
      EXPECT_GT(f.cwiseAbs().maxCoeff(), 1e-3);
      EXPECT_LT(probe.resultant(f).cwiseAbs().maxCoeff(), 1e-12 * f.cwiseAbs().maxCoeff());
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryForceElement, ::testing::ValuesIn(cases()), [](const auto& each_case) {
  std::string name = each_case.param.type->name + (each_case.param.planar ? "_in_the_plane" : "_in_space");
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace carom
