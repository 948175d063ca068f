#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/problem.h"
#include "integrators/nonsmooth/nonsmooth_integrator.h"
#include "random_scenes.h"

// The nonsmooth method: whatever the step, bodies do not overlap at its end, and none is on the other side of another.
namespace carom {
namespace {

using check::Scene;

constexpr int samples = 200;         // of the way between two states
constexpr double most_turned = 0.4;  // rad, in a step, of ways that are looked at

struct Passage {
  double deepest = 0;  // overlap at the end of a step, in units of what is allowed
  double through = 0;  // greatest overlap on the straight way of a step, in units of the smaller solid
  int impacts = 0;
  std::string where, failure;
};

class StepFollower {
 public:
  StepFollower(const Scene& scene, int steps) : scene_(scene), model_(scene.model), steps_(steps) {
    model_.solver.method = "nonsmooth";
    model_.solver.constraints = "projection";
    model_.solver.step = model_.solver.end / steps;
    turn_little();
    system_ = System::create(model_);
  }

  Passage follow() {
    State state = system_->initial_state();
    if (system_->active_constraints() > 0) {
      system_->project_position(state.t, state.q.data(), 1e-12, 20);
      system_->project_velocity(state.t, state.q.data(), state.v.data());
    }
    const auto integrator = make_nonsmooth_integrator(*system_, model_.solver);
    integrator->start(state);
    for (int k = 0; k < steps_; ++k) {
      before_ = integrator->state().q;
      const StepOutcome outcome = integrator->step(model_.solver.end);
      if (!outcome.accepted()) {
        found_.failure = outcome.reason;
        break;
      }
      after_ = integrator->state().q;
      t_ = integrator->state().t;
      for (const check::Meeting& meeting : scene_.meetings) look(meeting);
      if (integrator->state().t >= model_.solver.end) break;
    }
    found_.impacts = static_cast<int>(integrator->contact_statistics().impacts);
    return found_;
  }

 private:
  // A trial path is straight: steps may be as long as they like, but bodies turn by part of a turn in one.
  void turn_little() {
    constexpr double most = 0.3;           // rad
    constexpr double most_of_arms = 0.05;  // whose ways are arcs, up to a hundred times longer than what they carry
    if (!model_.joints.empty()) {
      double fastest = 0;
      for (const BodyModel& body : model_.bodies) {
        const double reach = body.position.norm();
        fastest = std::max(fastest, body.angular_velocity.norm());
        if (reach > 0) fastest = std::max(fastest, 3 * std::sqrt(model_.gravity.norm() / reach));
      }
      model_.solver.step = std::min(model_.solver.step, most_of_arms / fastest);
    }
    // A journal that has left its bore at an end has no wall any more.
    for (const check::Solid& solid : scene_.solids) {
      if (solid.kind == check::Kind::bore)
        model_.solver.step = std::min(model_.solver.step, 0.1 * std::min(solid.length, solid.radius) / scene_.speed);
    }
    for (BodyModel& body : model_.bodies) {
      const double turn = body.angular_velocity.norm() * model_.solver.step;
      if (turn > most) body.angular_velocity *= most / turn;
    }
  }

  void look(const check::Meeting& meeting) {
    const check::Solid &a = scene_.solids[meeting.a], &b = scene_.solids[meeting.b];
    const double size = std::min(a.smallest() > 0 ? a.smallest() : 1e300, b.smallest() > 0 ? b.smallest() : 1e300);
    const double at_end = overlap_at(a, b, after_);
    const double allowed = 1e-6 * size + check::blur(a, b) + 1e-12;
    if (at_end / allowed > found_.deepest) {
      found_.deepest = at_end / allowed;
      if (found_.deepest > 1)
        found_.where = fmt::format("{} overlaps by {:.3g} m at t = {:.9g} s", meeting.name, at_end, t_);
    }
    // A wall has no far side to come out at.
    if (a.is_wall() || b.is_wall()) return;
    if (turned(a.body) + turned(b.body) > most_turned) return;
    double deepest = 0;
    for (int k = 1; k < samples; ++k) {
      const double part = static_cast<double>(k) / samples;
      between_ = before_ + part * (after_ - before_);
      deepest = std::max(deepest, overlap_at(a, b, between_));
    }
    if (deepest / size > found_.through) {
      found_.through = deepest / size;
      if (found_.through > 0.5)
        found_.where += fmt::format("; {} goes through {:.3g} m deep before t = {:.9g} s", meeting.name, deepest, t_);
    }
  }

  // rad, in the step. The way of what an impact has set spinning is not straight, and not what the step went.
  double turned(int body) const {
    if (body == 0) return 0;
    if (model_.planar) return std::abs(after_[3 * body - 1] - before_[3 * body - 1]);
    const auto q = 7 * (body - 1) + 3;
    return 2 * std::acos(std::min(1.0, std::abs(before_.segment<4>(q).dot(after_.segment<4>(q)))));
  }

  double overlap_at(const check::Solid& a, const check::Solid& b, const Eigen::VectorXd& q) const {
    const bool planar = model_.planar;
    return check::overlap(a, check::pose_of(a, q.data(), planar), b, check::pose_of(b, q.data(), planar));
  }

  const Scene& scene_;
  Model model_;
  int steps_;
  std::unique_ptr<System> system_;
  Eigen::VectorXd before_, after_, between_;
  double t_ = 0;
  Passage found_;
};

void follow_all(std::uint64_t first, std::uint64_t count) {
  int scenes = 0, with_impacts = 0, failed = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Scene scene = check::random_scene(seed);
    const Passage found = StepFollower(scene, 3 + static_cast<int>(seed % 61)).follow();
    ++scenes;
    with_impacts += found.impacts > 0 ? 1 : 0;
    failed += found.failure.empty() ? 0 : 1;
    if (!found.failure.empty()) fmt::print("scene {} ({}): {}\n", seed, scene.what, found.failure);
    EXPECT_LE(found.deepest, 1) << "scene " << seed << " (" << scene.what << "): " << found.where;
    EXPECT_LE(found.through, 0.5) << "scene " << seed << " (" << scene.what << "): " << found.where;
  }
  fmt::print("{} scenes, {} with impacts, {} not finished\n", scenes, with_impacts, failed);
  EXPECT_GT(with_impacts, scenes / 4);
  EXPECT_LT(failed, 1 + scenes / 20);
}

TEST(NothingPassesThrough, InTwoHundredRandomScenes) {
  follow_all(1, 200);
}

TEST(NothingPassesThrough, DISABLED_InTenThousandRandomScenes) {
  follow_all(check::number_from("CAROM_FIRST_SCENE", 1'000'000), check::number_from("CAROM_SCENES", 10'000));
}

}  // namespace
}  // namespace carom
