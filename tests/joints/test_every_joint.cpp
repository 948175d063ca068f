#include <functional>
#include <map>

#include <gtest/gtest.h>
#include <Eigen/QR>

#include "../support/build_model.h"
#include "../support/probe.h"
#include "joints/joint.h"

// What must hold for every joint of the catalogue. A new joint is checked by being listed, once it has a sample here.
namespace carom {
namespace {

using build::Element;

struct Sample {
  int removed_planar, removed_spatial;                       // degrees of freedom that the joint takes away
  std::function<void(Element&)> complete = [](Element&) {};  // keys of its own
};

std::vector<BodyModel> bodies(bool planar);

// A wavy closed curve that starts where the other joints are, on whichever body.
void add_curve(Element& joint) {
  const std::vector<BodyModel> all = bodies(true);
  const auto on_body = [&](const std::string& name) {
    const Eigen::Vector3d world(0.4, 0.1, 0);
    for (const BodyModel& body : all) {
      if (body.name == name) return Eigen::Vector3d(body.orientation.conjugate() * (world - body.position));
    }
    return world;
  };
  const auto names = joint.settings.names("bodies");
  const Eigen::Vector3d origin(0.05, -0.02, 0), start = on_body(names[0]) - origin;
  std::vector<Eigen::Vector3d> curve;
  for (int k = 0; k < 16; ++k) {
    const double angle = 2 * M_PI * k / 16, radius = 0.8 * (1 + 0.1 * std::cos(3 * angle));
    curve.emplace_back(start + Eigen::Vector3d(radius * std::cos(angle) - 0.88, radius * std::sin(angle), 0));
  }
  joint.points(origin, on_body(names[1])).with("curve", curve);
}

const std::map<std::string, Sample>& samples() {
  static const std::map<std::string, Sample> all = {
      {"coupler",
       {1, 1,
        [](Element& joint) {
          joint.with("coefficients", std::vector<double>{1, -2, 0.5});
        }}},
      {"cylindrical", {0, 4}},
      {"distance",
       {1, 1,
        [](Element& joint) {
          joint.ends({0.4, 0.1, 0}, {0.9, -0.3, 0});
        }}},
      {"fixed", {3, 6}},
      {"gear", {1, 1, [](Element& joint) { joint.with("ratio", -1.7); }}},
      {"planar", {0, 3}},
      {"point-on-curve", {1, 0, add_curve}},
      {"point-on-line", {1, 2}},
      {"prismatic", {2, 5}},
      {"revolute", {2, 5}},
      {"screw", {0, 5, [](Element& joint) { joint.with("pitch", 0.3); }}},
      {"spherical", {0, 3}},
      {"universal",
       {0, 4,
        [](Element& joint) {
          joint.with("axis2", std::vector<double>{-0.5, 0.2, 0.4});
        }}},
  };
  return all;
}

const std::vector<double> axis_in_space = {0.4, 0.6, 0.2};

Element place(Element element, bool planar) {
  element.at(planar ? std::vector<double>{0.4, 0.1} : std::vector<double>{0.4, 0.1, -0.2});
  return element.axis(planar ? std::vector<double>{0.6, -0.8} : axis_in_space);
}

std::vector<BodyModel> bodies(bool planar) {
  std::vector<BodyModel> result = {
      build::Body("a", 1.3, {0.2, 0.3, 0.4}).at(0.1, 0.3, -0.1).turned(0.4).centre(0.05, -0.1, planar ? 0 : 0.2),
      build::Body("b", 0.7, {0.5, 0.25, 0.35}).at(0.8, -0.2, 0.3).turned(-1.1).centre(-0.2, 0.07, planar ? 0 : 0.1),
      build::Body("c", 0.9, {0.15, 0.25, 0.3}).at(-0.3, 0.5, 0.2).turned(2.2)};
  if (planar) {
    for (BodyModel& body : result) body.position.z() = 0;
  } else {
    result[0].orientation = Eigen::Quaterniond(0.8, 0.3, -0.4, 0.2).normalized();
    result[1].orientation = Eigen::Quaterniond(0.2, -0.7, 0.4, 0.5).normalized();
    result[2].orientation = Eigen::Quaterniond(-0.5, 0.6, 0.3, 0.1).normalized();
  }
  return result;
}

// The joint between two floating bodies, or on the ground; ties hold together joints between a and each of the others.
Model model_of(const JointDescription& type, bool planar, const std::string& first = "a",
               const std::string& second = "b") {
  Model model = planar ? build::planar_model({0, 0}) : build::spatial_model({0, 0, 0});
  model.bodies = bodies(planar);
  Element joint("joint", type.name);
  if (type.ties_joints) {
    model.joints.push_back(place(Element("pin", "revolute").between("a", "b"), planar));
    model.joints.push_back(Element("slide", "prismatic")
                               .between("a", "c")
                               .at(planar ? std::vector<double>{0, 0.2} : std::vector<double>{0, 0.2, 0})
                               .axis(planar ? std::vector<double>{1, 0} : std::vector<double>{1, 0, 1}));
    std::vector<std::string> constrained = {"pin", "slide.translation"};
    if (type.name == "coupler") {
      model.joints.push_back(Element("ground pin", "revolute")
                                 .between("ground", "a")
                                 .at(planar ? std::vector<double>{0, 0} : std::vector<double>{0, 0, 0}));
      constrained.push_back("ground pin");
    }
    joint.with("joints", constrained);
  } else {
    joint = place(joint.between(first, second), planar);
  }
  samples().at(type.name).complete(joint);
  model.joints.push_back(joint);
  return model;
}

struct Case {
  const JointDescription* type;
  bool planar;
};
void PrintTo(const Case& each_case, std::ostream* out) {
  *out << each_case.type->name;
}

std::vector<Case> cases() {
  std::vector<Case> result;
  for (const JointDescription& type : joint_catalogue()) {
    if (type.planar) result.push_back({&type, true});
    if (type.spatial) result.push_back({&type, false});
  }
  return result;
}

class EveryJoint : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(samples().contains(GetParam().type->name))
        << "add a sample of " << GetParam().type->name << " to this test";
  }
  const JointDescription& type() const { return *GetParam().type; }
  bool planar() const { return GetParam().planar; }
  Model model() const { return model_of(type(), planar()); }

  // Rows against differences of the residual, along every freedom.
  static void check_jacobian(Probe& probe) {
    constexpr double h = 1e-5;
    const Eigen::MatrixXd jacobian = probe.system->constraint_jacobian(probe.state.t, probe.state.q.data());
    Eigen::VectorXd ahead, behind;
    for (int k = 0; k < probe.system->velocity_size(); ++k) {
      const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(probe.system->velocity_size(), k);
      probe.system->position_residual(probe.state.t, probe.moved(step).data(), ahead);
      probe.system->position_residual(probe.state.t, probe.moved(-step).data(), behind);
      const double error = ((ahead - behind) / (2 * h) - jacobian.col(k)).cwiseAbs().maxCoeff();
      EXPECT_LT(error, 1e-8) << "freedom " << k;
    }
  }
};

TEST_P(EveryJoint, IsClosedInTheConfigurationOfTheFile) {
  Probe probe(model());
  Eigen::VectorXd g;
  probe.system->position_residual(0, probe.state.q.data(), g);
  EXPECT_LT(g.cwiseAbs().maxCoeff(), 1e-14);
}

TEST_P(EveryJoint, JacobianIsTheDerivativeOfTheResidual) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    Probe probe(model());
    probe.scatter(seed, 0.2);
    Eigen::VectorXd g;
    probe.system->position_residual(0, probe.state.q.data(), g);
    ASSERT_LT(g.cwiseAbs().maxCoeff(), 1e-13);
    check_jacobian(probe);
  }
}

TEST_P(EveryJoint, HoldsBodiesToTheGroundOnEitherSide) {
  if (type().ties_joints) return;
  for (const auto& [first, second] : {std::pair{"ground", "b"}, std::pair{"b", "ground"}}) {
    Probe probe(model_of(type(), planar(), first, second));
    Eigen::VectorXd g;
    probe.system->position_residual(0, probe.state.q.data(), g);
    EXPECT_LT(g.cwiseAbs().maxCoeff(), 1e-14) << first;
    probe.scatter(4, 0.2);
    check_jacobian(probe);
  }
}

TEST_P(EveryJoint, RemovesTheExpectedFreedoms) {
  Probe probe(model());
  probe.scatter(1, 0.1);
  const Sample& sample = samples().at(type().name);
  const Eigen::MatrixXd jacobian = probe.system->constraint_jacobian(0, probe.state.q.data());
  const auto rank = static_cast<int>(Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(jacobian).setThreshold(1e-10).rank());
  EXPECT_EQ(rank, probe.system->active_constraints());
  int others = 0;
  if (type().ties_joints) others = (planar() ? 2 + 2 : 5 + 5) + (type().name == "coupler" ? (planar() ? 2 : 5) : 0);
  EXPECT_EQ(rank - others, planar() ? sample.removed_planar : sample.removed_spatial);
  EXPECT_TRUE(probe.system->redundant_rows(0, probe.state.q.data()).empty());
}

// G v + g_t stays zero along the motion only if the bias γ is right.
TEST_P(EveryJoint, BiasKeepsTheVelocitiesConsistent) {
  constexpr double h = 1e-4;
  for (const unsigned seed : {1u, 2u, 3u}) {
    Probe probe(model());
    probe.scatter(seed, 0.2);
    probe.state.v *= 3;
    ASSERT_EQ(probe.rates(), SolveStatus::regular);
    Eigen::VectorXd ahead, behind;
    const State later = probe.after(h), earlier = probe.after(-h);
    probe.system->velocity_residual(later.t, later.q.data(), later.v.data(), ahead);
    probe.system->velocity_residual(earlier.t, earlier.q.data(), earlier.v.data(), behind);
    const double scale = std::max(1.0, probe.v_rate.cwiseAbs().maxCoeff());
    EXPECT_LT((ahead - behind).cwiseAbs().maxCoeff() / (2 * h), 1e-5 * scale) << seed;
  }
}

// Reactions do no work, and between floating bodies they have no resultant.
TEST_P(EveryJoint, ReactionsAreWorklessAndInternal) {
  Probe probe(model());
  probe.scatter(2, 0.2);
  ASSERT_EQ(probe.rates(), SolveStatus::regular);
  const Eigen::VectorXd reaction =
      -(probe.system->constraint_jacobian(0, probe.state.q.data()).transpose() * probe.multipliers());
  const double size = std::max(1e-3, reaction.cwiseAbs().maxCoeff());
  EXPECT_GT(reaction.cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT(std::abs(reaction.dot(probe.state.v)), 1e-12 * size);
  if (type().name != "coupler") {
    EXPECT_LT(probe.resultant(reaction).cwiseAbs().maxCoeff(), 1e-12 * size);
  }
  if (type().ties_joints) return;
  // What is recorded is what the second body feels.
  const int first = probe.dofs_per_body();
  EXPECT_NEAR(probe.recorded(probe.state, "joint:joint.fx"), reaction[first], 1e-12 * size);
  EXPECT_NEAR(probe.recorded(probe.state, "joint:joint.fy"), reaction[first + 1], 1e-12 * size);
}

TEST_P(EveryJoint, GeometricStiffnessIsTheDerivativeOfTheReactions) {
  constexpr double h = 1e-5;
  Probe probe(model());
  probe.scatter(3, 0.2);
  probe.state.v.setZero();
  System& system = *probe.system;
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(system.constraint_size());
  for (Eigen::Index k = 0; k < lambda.size(); ++k) lambda[k] = std::sin(1.0 + static_cast<double>(k));
  Eigen::SparseMatrix<double> stiffness, damping;
  system.tangents(0, probe.state.q.data(), probe.state.v.data(), lambda, stiffness, damping);
  const auto reaction = [&](const Eigen::VectorXd& step) {
    return Eigen::VectorXd(system.constraint_jacobian(0, probe.moved(step).data()).transpose() * lambda);
  };
  for (int k = 0; k < system.velocity_size(); ++k) {
    const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(system.velocity_size(), k);
    const Eigen::VectorXd expected = (reaction(step) - reaction(-step)) / (2 * h);
    EXPECT_LT((expected - Eigen::VectorXd(stiffness.col(k))).cwiseAbs().maxCoeff(), 1e-7) << "freedom " << k;
  }
}

TEST_P(EveryJoint, RatesOfItsCoordinatesAreTheirDerivatives) {
  constexpr double h = 1e-4;
  Probe probe(model());
  probe.scatter(1, 0.2);
  probe.rates();
  for (const std::string& coordinate : type().coordinates) {
    const std::string name = "joint:joint." + coordinate;
    const double ahead = probe.recorded(probe.after(h), name), behind = probe.recorded(probe.after(-h), name);
    const double rate = probe.recorded(probe.state, name + "_rate");
    EXPECT_GT(std::abs(rate), 1e-3);
    EXPECT_NEAR((ahead - behind) / (2 * h), rate, 1e-6) << coordinate;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryJoint, ::testing::ValuesIn(cases()), [](const auto& each_case) {
  std::string name = each_case.param.type->name + (each_case.param.planar ? "_in_the_plane" : "_in_space");
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(JointCoordinates, RotationsInSpaceCountTurns) {
  for (const bool planar : {true, false}) {
    Probe probe(model_of(*find_joint("revolute"), planar));
    const double start = probe.recorded(probe.state, "joint:joint.rotation");
    for (int k = 0; k < 40; ++k) {
      Eigen::VectorXd turn = Eigen::VectorXd::Zero(probe.system->velocity_size());
      if (planar) {
        turn[5] = 0.7;
      } else {
        const Eigen::Vector3d axis = Eigen::Vector3d(axis_in_space.data()).normalized();
        const Eigen::VectorXd& q = probe.state.q;
        turn.segment<3>(9) = 0.7 * (Eigen::Quaterniond(q[10], q[11], q[12], q[13]).normalized().conjugate() * axis);
      }
      probe.state.q = probe.moved(turn);
      probe.system->accept(0, probe.state.q.data(), probe.state.v.data());
    }
    EXPECT_NEAR(probe.recorded(probe.state, "joint:joint.rotation") - start, 28, 1e-11);
    probe.system->forget_turns(probe.state.q.data());
    const double plain = probe.recorded(probe.state, "joint:joint.rotation");
    EXPECT_NEAR(std::remainder(plain - start - 28, 2 * M_PI), 0, 1e-11);
    if (!planar) {
      EXPECT_LE(std::abs(plain), M_PI);
    }
  }
}

// In the plane, angles keep their full turns; a weld or a slide does not mind them.
TEST(JointCoordinates, FullTurnsDoNotOpenAWeldInThePlane) {
  for (const char* name : {"fixed", "prismatic"}) {
    Model model = model_of(*find_joint(name), true);
    model.bodies[1].angle += 6 * M_PI;
    Probe probe(model);
    Eigen::VectorXd g;
    probe.system->position_residual(0, probe.state.q.data(), g);
    EXPECT_LT(g.cwiseAbs().maxCoeff(), 1e-13) << name;
  }
}

}  // namespace
}  // namespace carom
