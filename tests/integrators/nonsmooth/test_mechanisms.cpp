#include "nonsmooth_run.h"

#include "../../support/build_model.h"
#include "dynamics/system_of.h"
#include "integrators/nonsmooth/contact_rows.h"

namespace carom {
namespace {

const std::string pendulum =
    "[model]\nplane = \"xy\"\ngravity = [0, -10]\n"
    "[[body]]\nname = \"bob\"\nmass = 1\ninertia = 0.02\nposition = [0.6, 0]\n"
    "[[joint]]\nname = \"pivot\"\ntype = \"revolute\"\nbodies = [\"ground\", \"bob\"]\nat = [0, 0]\n";

// Without contacts the scheme is generalized-α: second order, and joints hold at both levels.
TEST(Mechanisms, MoveWithSecondOrder) {
  const auto angle = [](double step) {
    NonsmoothRun run(pendulum, step);
    EXPECT_TRUE(run.until(0.5)) << run.reason;
    Eigen::VectorXd residual;
    run.system->position_residual(0.5, run.state().q.data(), residual);
    EXPECT_LE(residual.lpNorm<Eigen::Infinity>(), 1e-9);
    run.system->velocity_residual(0.5, run.state().q.data(), run.state().v.data(), residual);
    EXPECT_LE(residual.lpNorm<Eigen::Infinity>(), 1e-9);
    return run.state().q[2];
  };
  const double exact = angle(1.25e-4);
  double last = 0;
  for (const double step : {4e-3, 2e-3, 1e-3}) {
    const double error = std::abs(angle(step) - exact);
    if (last > 0) {
      EXPECT_NEAR(std::log2(last / error), 2, 0.15) << step;
    }
    last = error;
  }
}

// Twelve balls on a board that turns about a hinge with a spring, beside a plate that a drive shakes.
const std::string lever =
    gravity + flat_floor +
    "[[body]]\nname = \"board\"\nmass = 2\ninertia = [0.01, 0.2, 0.2]\nposition = [0, 0, 0.5]\n"
    "geometry = [{ shape = \"box\", size = [1, 0.6, 0.04] }]\n"
    "[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"board\"]\nat = [0, 0, 0.5]\n"
    "axis = [0, 1, 0]\n"
    "[[force]]\nname = \"spring\"\ntype = \"torsion-spring\"\njoint = \"hinge\"\nstiffness = 20\ndamping = 0.5\n"
    "[[body]]\nname = \"plate\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [0, 0.45, 0.62]\n"
    "geometry = [{ shape = \"box\", size = [1, 0.1, 0.2] }]\n"
    "[[joint]]\nname = \"slide\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"plate\"]\nat = [0, 0.45, 0.62]\n"
    "axis = [0, 1, 0]\n"
    "[[motion]]\nname = \"shake\"\njoint = \"slide\"\nposition = \"=-0.1*sin(10*t)^2\"\n" +
    sphere("ball", "[-0.3, 0.1, 0.63]", "[0, 0, 0]", 0.5) +
    "[body.grid]\ncount = [3, 2, 2]\nspacing = [0.25, 0.21, 0.21]\n";

TEST(Mechanisms, AreSweptAsTheyAreSolved) {
  // With restitution until balls have bounced so often that rounding decides which of them meet first.
  for (const auto& [restitution, end] : {std::pair(0.0, 0.15), {0.5, 0.1}}) {
    const std::string text = lever + contact(restitution, 0.4, "rolling_resistance = 0.002") +
                             pair("balls", "ball*", "ball*") + pair("board", "ball*", "board") +
                             pair("plate", "ball*", "plate");
    NonsmoothRun direct(text, 1e-3, "contact_solver = \"direct\"");
    NonsmoothRun swept(text, 1e-3, "contact_solver = \"iterative\"\ncontact_tolerance = 1e-9");
    ASSERT_TRUE(direct.until(end)) << direct.reason;
    ASSERT_TRUE(swept.until(end)) << swept.reason;
    // The direct solver pushes lasting contacts of mechanisms along the normals of the start of a step.
    EXPECT_LE((direct.state().q - swept.state().q).norm(), 1e-4) << restitution;
    EXPECT_LE((direct.state().v - swept.state().v).norm(), 5e-4) << restitution;
    EXPECT_GT((direct.state().q - direct.system->initial_state().q).norm(), 0.05);
    Eigen::VectorXd residual;
    swept.system->position_residual(swept.state().t, swept.state().q.data(), residual);
    EXPECT_LE(residual.lpNorm<Eigen::Infinity>(), 1e-9);
    swept.system->velocity_residual(swept.state().t, swept.state().q.data(), swept.state().v.data(), residual);
    EXPECT_LE(residual.lpNorm<Eigen::Infinity>(), 1e-9);
  }
}

Model loose_slider_crank() {
  Model model = build::slider_crank(0.05, 0.12, 0);
  model.gravity.setZero();
  ContactModel contact;
  contact.name = "c";
  contact.restitution = 0.5;
  contact.friction_settings.set("coefficient", 0.05);
  model.contacts = {contact};
  ClearanceModel& pin = model.joints[2].clearance.emplace();
  pin.radial = 1e-4;
  pin.bearing_radius = 0.01;
  pin.contact = contact.name;
  model.motions = {build::drive("drive", "main", "50")};
  model.motions[0].level = MotionLevel::speed;
  return model;
}

TEST(Mechanisms, KeepAJournalInItsBearing) {
  NonsmoothRun run(loose_slider_crank(), 1e-4);
  State start = run.system->initial_state();
  run.system->project_velocity(0, start.q.data(), start.v.data());
  run.integrator->start(start);
  double largest = 0, driven = 0;
  for (int k = 0; k < 2000; ++k) {
    ASSERT_TRUE(run.until(run.state().t + 1e-4)) << run.reason;
    const auto& q = run.state().q;
    const Eigen::Vector2d journal(q[6], q[7]);
    const Eigen::Vector2d bearing =
        Eigen::Vector2d(q[3], q[4]) + 0.06 * Eigen::Vector2d(std::cos(q[5]), std::sin(q[5]));
    largest = std::max(largest, (journal - bearing).norm());
    driven = std::max(driven, std::abs(run.state().v[2] - 50));
  }
  EXPECT_LE(largest, 1e-4 + 1e-11);
  EXPECT_GE(largest, 1e-4 - 1e-9);
  EXPECT_LE(driven, 1e-7);
  EXPECT_GT(run.integrator->contact_statistics().impacts, 0);
  EXPECT_LE(run.integrator->contact_statistics().velocity.most, 7);
}

// Rows against differences of the gap along a motion, with bodies turned anyhow.
// A drive pushes a block that a spring holds back: it works against the spring, by way of the contact alone.
TEST(Mechanisms, ReactToContactsInEveryStep) {
  const auto block = [](const std::string& name, const std::string& x) {
    return "[[body]]\nname = \"" + name + "\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [" + x +
           ", 0, 0]\ngeometry = [{ shape = \"sphere\", radius = 0.1 }]\n[[joint]]\nname = \"guide of " + name +
           "\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"" + name + "\"]\nat = [" + x +
           ", 0, 0]\naxis = [1, 0, 0]\n";
  };
  constexpr double speed = 0.5, stiffness = 100;
  NonsmoothRun run(block("pusher", "0") + block("pushed", "0.2") + contact(0, 0) + pair("front", "pusher", "pushed") +
                       "[[motion]]\nname = \"drive\"\njoint = \"guide of pusher\"\nposition = \"=0.5*t\"\n"
                       "[[force]]\nname = \"spring\"\ntype = \"spring\"\nbodies = [\"ground\", \"pushed\"]\n"
                       "points = [[1.2, 0, 0], [0, 0, 0]]\nstiffness = 100\nfree_length = 1\n",
                   1e-3);
  EXPECT_TRUE(run.until(0.1)) << run.reason;
  const double before = run.state().work[0];
  EXPECT_TRUE(run.until(0.3)) << run.reason;
  const double compressed = speed * 0.3, earlier = speed * 0.1;
  EXPECT_NEAR(run.state().work[0] - before, 0.5 * stiffness * (compressed * compressed - earlier * earlier), 1e-6);
}

TEST(Mechanisms, RowsOfAContactAreItsVelocities) {
  NonsmoothRun run(gravity + flat_floor + sphere("a", "[0, 0, 0.3]", "[0.3, -0.2, 0.1]") +
                       sphere("b", "[0.15, 0.05, 0.2]", "[-0.1, 0.4, 0.7]") +
                       contact(0, 0.3, "rolling_resistance = 1e-3\nspinning_resistance = 2e-3") +
                       pair("floor", "*", "ground") + pair("balls", "*", "*"),
                   1e-3);
  auto& system = *run.system->spatial();
  State state = run.system->initial_state();
  state.v << 0.3, -0.2, 0.1, 1, 2, -3, -0.1, 0.4, 0.7, -2, 0.5, 1;
  Bodies<3> bodies, moved;
  std::vector<NonsmoothContact<3>> contacts, later;
  system.place(state.q.data(), state.v.data(), bodies);
  system.contact_set().find_nonsmooth(bodies, 1, contacts);
  ASSERT_EQ(contacts.size(), 3u);
  const double dt = 1e-7;
  const Eigen::VectorXd increment = dt * state.v;
  Eigen::VectorXd q = state.q;
  system.retract(state.q.data(), increment.data(), q.data());
  system.place(q.data(), nullptr, moved);
  later = contacts;
  system.contact_set().update_nonsmooth(moved, later);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const NonsmoothLaw& law = system.contact_set().nonsmooth_law(contacts[c].law);
    ContactRows<3> rows;
    rows.set(contacts[c], law, bodies, ContactRows<3>::normal_of(contacts[c], bodies), ContactRows<3>::Level::velocity);
    ASSERT_EQ(rows.count, 6);
    Eigen::VectorXd u = Eigen::VectorXd::Zero(6);
    if (contacts[c].a > 0) u += rows.on_a * state.v.segment<6>(6 * (contacts[c].a - 1));
    if (contacts[c].b > 0) u += rows.on_b * state.v.segment<6>(6 * (contacts[c].b - 1));
    EXPECT_NEAR(u[0], (later[c].gap - contacts[c].gap) / dt, 1e-6);
    const BodyState<3>&a = bodies[contacts[c].a], &b = bodies[contacts[c].b];
    const Eigen::Vector3d relative = b.velocity_at(contacts[c].lever_b) - a.velocity_at(contacts[c].lever_a);
    const Eigen::Vector3d angular_velocity = b.angular_velocity - a.angular_velocity;
    for (int k : {1, 2}) {
      EXPECT_NEAR(u[k], rows.frame.col(k).dot(relative), 1e-12);
      EXPECT_NEAR(u[2 + k], rows.frame.col(k).dot(angular_velocity), 1e-12);
    }
    EXPECT_NEAR(u[5], contacts[c].normal.dot(angular_velocity), 1e-12);
  }
}

}  // namespace
}  // namespace carom
