#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>

#include "base/problem.h"
#include "model_io/read_model.h"
#include "verification/verify.h"

// Models whose motion is known in closed form, or by equations written here: what is said of their answers is true.
namespace carom {
namespace {

using testing::HasSubstr;

Model model_of(const std::string& text) {
  ProblemList problems;
  Model model = read_model_text(text, "model.toml", problems);
  EXPECT_EQ(problems.errors(), 0) << problems.text();
  return model;
}

const VerifiedAnswer* find(const Verification& verification, const std::string& subject, const std::string& what,
                           const std::string& part = "") {
  for (const VerifiedAnswer& each : verification.answers)
    if (each.answer.subject == subject && each.answer.what == what && each.answer.part == part) return &each;
  ADD_FAILURE() << "no " << subject << ", " << what << " " << part;
  return nullptr;
}

// The value of the model's run differs from the truth by less than the digits say.
void expect_honest(const Verification& verification, const std::string& subject, const std::string& what,
                   const std::string& part, double truth) {
  const VerifiedAnswer* answer = find(verification, subject, what, part);
  ASSERT_TRUE(answer);
  const double error = std::abs(of_role(answer->readings, Role::model).value - truth) / answer->judgement.scale;
  EXPECT_LE(error, std::pow(10, -answer->judgement.digits))
      << answer->answer.title() << " " << part << ": " << answer->judgement.text;
}

struct Pendulum {
  double length = 1, mass = 1, inertia = 0.1, amplitude = 1;
  std::string solver = "end = 3";

  // Released at rest, hanging down at angle −amplitude.
  std::string text() const {
    return fmt::format(
        "[model]\nname = \"Pendulum\"\nplane = \"xy\"\ngravity = [0, -9.81]\n[[body]]\nname = \"rod\"\nmass = {}\n"
        "inertia = {}\nposition = [{}, {}]\n[[joint]]\nname = \"pivot\"\ntype = \"revolute\"\n"
        "bodies = [\"ground\", \"rod\"]\nat = [0, 0]\n[solver]\n{}\n",
        mass, inertia, length * std::sin(amplitude), -length * std::cos(amplitude), solver);
  }
  // rad, from hanging down: 2 asin(k cd(ω t)), k = sin(amplitude/2).
  double angle(double t) const {
    const double k = std::sin(amplitude / 2);
    const double w = std::sqrt(mass * 9.81 * length / (inertia + mass * length * length)) * t;
    return 2 * std::asin(k * boost::math::jacobi_cd(k, w));
  }
};

// The claim of all: over models and tolerances at random, with fixed steps and without.
TEST(Verify, ClaimsNoMoreDigitsOfAPendulumThanAreTrue) {
  std::mt19937 random(20);
  std::uniform_real_distribution<double> unit(0, 1);
  int claimed = 0;
  for (int run = 0; run < 24; ++run) {
    Pendulum pendulum{.length = 0.2 + 2 * unit(random),
                      .mass = 0.1 + 5 * unit(random),
                      .inertia = 0.01 + unit(random),
                      .amplitude = 0.2 + 2.6 * unit(random)};
    const double end = 1 + 9 * unit(random), tolerance = std::pow(10, -5 - 6 * unit(random));
    const std::vector<std::string> ways = {
        fmt::format("tolerance = {}", tolerance), fmt::format("integrator = \"rk\"\ntolerance = {}", tolerance),
        fmt::format("integrator = \"bdf\"\ntolerance = {}", tolerance),
        fmt::format("integrator = \"generalized-alpha\"\nstep = {}", 2e-3 * (1 + unit(random))),
        fmt::format("method = \"nonsmooth\"\nstep = {}", 2e-3 * (1 + unit(random)))};
    pendulum.solver = fmt::format("end = {}\n{}", end, ways[static_cast<std::size_t>(run) % ways.size()]);
    SCOPED_TRACE(pendulum.text());
    const Verification verification = verify(model_of(pendulum.text()), {.threads = 2});
    EXPECT_TRUE(verification.complete());
    EXPECT_FALSE(verification.motion.chaotic);
    const double angle = pendulum.angle(end), length = pendulum.length;
    expect_honest(verification, "body:rod", "position at the end", "angle", angle - pendulum.amplitude);
    expect_honest(verification, "body:rod", "position at the end", "x", length * std::sin(angle));
    expect_honest(verification, "body:rod", "position at the end", "y", -length * std::cos(angle));
    expect_honest(verification, "energy", "at the end", "potential", -pendulum.mass * 9.81 * length * std::cos(angle));
    claimed += find(verification, "body:rod", "position at the end", "angle")->judgement.digits;
  }
  EXPECT_GT(claimed, 24 * 3);  // honest, and not by saying nothing
}

// m (v²/l + g cos θ) is largest where the rod hangs down, between samples.
TEST(Verify, ClaimsNoMoreDigitsOfALargestForceThanSamplesShow) {
  for (const double every : {0.4, 0.05, 0.001}) {
    Pendulum pendulum{.length = 1, .mass = 2, .inertia = 1e-9, .amplitude = 1.2};
    pendulum.solver = fmt::format("end = 3\n[output]\nevery = {}", every);
    const Verification verification = verify(model_of(pendulum.text()));
    expect_honest(verification, "joint:pivot", "largest force", "", 2 * 9.81 * (3 - 2 * std::cos(1.2)));
    const Standing standing = find(verification, "joint:pivot", "largest force")->judgement.standing;
    EXPECT_EQ(standing == Standing::samples, every == 0.4);
  }
}

TEST(Verify, FindsTheOrderOfFixedSteps) {
  const auto order = [](const std::string& solver) {
    Pendulum pendulum{.solver = "end = 2\n" + solver};
    const Verification verification = verify(model_of(pendulum.text()));
    EXPECT_EQ(verification.refinement, Refinement::step);
    return find(verification, "body:rod", "position at the end", "angle")->judgement.order.value_or(0);
  };
  EXPECT_NEAR(order("integrator = \"generalized-alpha\"\nstep = 0.01"), 2, 0.1);
  EXPECT_NEAR(order("method = \"nonsmooth\"\nstep = 0.01"), 2, 0.2);
}

// Between impacts a ball flies on a parabola, v₊ = −e v₋: where it is after some of them is known.
TEST(Verify, ClaimsNoMoreDigitsOfABouncingBallThanAreTrue) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int run = 0; run < 12; ++run) {
    const double height = 0.2 + unit(random), e = 0.5 + 0.45 * unit(random), g = 9.81;
    const double first = std::sqrt(2 * height / g), end = first * (1 + 2 * e * (1 + 0.9 * e * unit(random)));
    const double step = 1e-3 * (0.3 + unit(random));
    const std::string text = fmt::format(
        "[model]\nname = \"Ball\"\nplane = \"xy\"\ngravity = [0, -9.81]\n[[ground.geometry]]\nname = \"floor\"\n"
        "shape = \"plane\"\n[[body]]\nname = \"ball\"\nmass = 1\ninertia = 0.1\nposition = [0, {}]\n"
        "[[body.geometry]]\nname = \"skin\"\nshape = \"sphere\"\nradius = 0.1\n[contact.hard]\nrestitution = {}\n"
        "[[pair]]\nname = \"bounce\"\nbodies = [\"ground\", \"ball\"]\ncontact = \"hard\"\n"
        "[solver]\nmethod = \"nonsmooth\"\nend = {}\nstep = {}\n",
        height + 0.1, e, end, step);
    SCOPED_TRACE(text);
    double t = first, speed = e * g * first;
    while (t + 2 * speed / g < end) t += 2 * speed / g, speed *= e;
    const double flight = end - t;
    const Verification verification = verify(model_of(text));
    expect_honest(verification, "body:ball", "position at the end", "y",
                  0.1 + speed * flight - g * flight * flight / 2);
    expect_honest(verification, "body:ball", "velocity at the end", "vy", speed - g * flight);
  }
}

// Two point masses on rods of 1 m, released level: equations of motion by hand.
void double_pendulum(std::span<const double> x, std::span<double> rates) {
  const double a = x[0], b = x[1], u = x[2], w = x[3], g = 9.81, s = std::sin(a - b), c = std::cos(a - b);
  const double denominator = 2 - c * c;
  rates[0] = u, rates[1] = w;
  rates[2] = (-2 * g * std::sin(a) + g * std::sin(b) * c - s * (w * w + u * u * c)) / denominator;
  rates[3] = (2 * g * std::sin(a) * c - 2 * g * std::sin(b) + s * (2 * u * u + w * w * c)) / denominator;
}

const std::string levelled =
    "[model]\nname = \"Double pendulum\"\nplane = \"xy\"\ngravity = [0, -9.81]\n"
    "[[body]]\nname = \"upper\"\nmass = 1\ninertia = 1e-7\nposition = [0, 1]\n"
    "[[body]]\nname = \"lower\"\nmass = 1\ninertia = 1e-7\nposition = [1, 1]\n"
    "[[joint]]\nname = \"pivot\"\ntype = \"revolute\"\nbodies = [\"ground\", \"upper\"]\nat = [0, 0]\n"
    "[[joint]]\nname = \"elbow\"\ntype = \"revolute\"\nbodies = [\"upper\", \"lower\"]\nat = [0, 1]\n"
    "[solver]\nend = 80\n[output]\nevery = 0.02\n";

TEST(Verify, CallsADoublePendulumChaoticAtItsRate) {
  const Verification verification = verify(model_of(levelled));
  EXPECT_TRUE(verification.motion.chaotic) << verification.motion.text;
  ASSERT_TRUE(verification.motion.exponent);
  // The upper mass above the pivot, the lower one level with it.
  const LyapunovEstimate by_hand =
      lyapunov_by_separation(smooth_flow(double_pendulum, 1e-3), {std::numbers::pi, std::numbers::pi / 2, 0, 0},
                             {.interval = 0.8, .transient = 20, .count = 400, .separation = 1e-8});
  EXPECT_NEAR(verification.motion.exponent->exponent, by_hand.exponent,
              3 * std::hypot(verification.motion.exponent->error, by_hand.error));
  EXPECT_GT(by_hand.exponent, 1);
  // Before they part, a run of tolerance 1e-8 has lost its digits at this rate.
  ASSERT_TRUE(verification.motion.worst()->parts_at);
  EXPECT_GT(*verification.motion.worst()->parts_at, 2);
  EXPECT_LT(*verification.motion.worst()->parts_at, 30);
  const VerifiedAnswer* end = find(verification, "body:lower", "position at the end", "x");
  EXPECT_EQ(end->judgement.standing, Standing::chaotic);
  EXPECT_THAT(end->judgement.text, HasSubstr("only statistics hold: mean"));
  EXPECT_EQ(end->judgement.digits, 0);
}

TEST(Verify, AShortRunOfADoublePendulumHolds) {
  Model model = model_of(levelled);
  model.solver.end = 1;
  const Verification verification = verify(model);
  EXPECT_FALSE(verification.motion.chaotic);
  for (const VerifiedAnswer& each : verification.answers)
    EXPECT_GE(each.judgement.digits, each.answer.what.ends_with("at the end") ? 4 : 0) << each.answer.title();
}

TEST(Verify, RefusesWhatHasNothingToVary) {
  Model model = model_of(Pendulum{.solver = "analysis = \"linear\""}.text());
  EXPECT_THROW(verify(model), InputError);
}

TEST(Verify, AnInterruptedVerificationReportsWhatIsMissing) {
  const std::atomic<bool> interrupted = true;
  const Verification verification = verify(model_of(Pendulum{}.text()), {.interrupted = &interrupted});
  ASSERT_EQ(verification.runs.size(), 1u);
  EXPECT_EQ(verification.runs.front().outcome, VariantOutcome::interrupted);
  EXPECT_FALSE(verification.complete());
}

TEST(Verify, SaysTheSameWhateverTheThreads) {
  const Model model = model_of(Pendulum{}.text());
  const Verification one = verify(model, {.threads = 1}), four = verify(model, {.threads = 4});
  ASSERT_EQ(one.answers.size(), four.answers.size());
  for (std::size_t k = 0; k < one.answers.size(); ++k) {
    EXPECT_EQ(one.answers[k].judgement.text, four.answers[k].judgement.text);
    EXPECT_EQ(one.answers[k].judgement.error, four.answers[k].judgement.error);
  }
}

}  // namespace
}  // namespace carom
