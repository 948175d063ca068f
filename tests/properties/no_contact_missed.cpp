#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/problem.h"
#include "integrators/smooth/contact_stepper.h"
#include "random_scenes.h"

// No contact is missed: bodies that meet at random are followed on the motion that integrators give, sampled densely,
// and no two of them may lie deeper in each other than the tolerance unless their contact has started.
namespace carom {
namespace {

using check::Pose;
using check::Scene;

constexpr int most_steps = 250;      // of one scene
constexpr int most_samples = 5'000;  // of one step
constexpr int samples_of_touching = 8;

struct Found {
  int steps = 0, contacts = 0;
  double deepest = 0;  // in units of what is allowed
  std::string where, failure;
  long iterations = 0;
};

// m/s, of the points of all bodies.
double speed_of(const Scene& scene, const State& state) {
  double most = 0;
  for (const check::Solid& solid : scene.solids) {
    if (solid.body == 0) continue;
    const int size = scene.model.planar ? 3 : 6, d = scene.model.planar ? 2 : 3;
    const auto v = state.v.segment(size * (solid.body - 1), size);
    most = std::max(most, v.head(d).norm() + v.tail(size - d).norm() * (solid.at.norm() + solid.extent()));
  }
  return most;
}

class Follower {
 public:
  explicit Follower(const Scene& scene)
      : scene_(scene), system_(System::create(scene.model)), rest_(scene.meetings.size(), 0) {}

  Found follow() {
    State state = system_->initial_state();
    put_on_constraints(state);
    const auto integrator = make_integrator(*system_, scene_.model.solver);
    ContactStepper stepper(*system_, scene_.model.solver);
    if (!stepper.start(state).empty()) {
      found_.failure = "overlaps at the start";
      return found_;
    }
    integrator->start(state);
    std::vector<ContactEvent> events;
    while (integrator->state().t < scene_.model.solver.end && found_.steps < most_steps) {
      const StepOutcome outcome = stepper.advance(
          *integrator, scene_.model.solver.end, [this](Integrator& method, double t) { look(method, t); }, events);
      if (!outcome.accepted()) {
        found_.failure = outcome.reason;
        break;
      }
      ++found_.steps;
    }
    found_.contacts = static_cast<int>(stepper.statistics().begun);
    if (found_.deepest > 1)
      found_.where +=
          fmt::format("; {} contacts, {} started too deep, the deepest {:.3g} m at {}; tolerance {:.3g}",
                      found_.contacts, stepper.statistics().too_deep, stepper.statistics().deepest_beginning,
                      stepper.statistics().deepest_beginning_contact, scene_.model.solver.tolerance);
    found_.iterations = stepper.statistics().search_iterations;
    return found_;
  }

 private:
  void put_on_constraints(State& state) {
    if (system_->active_constraints() == 0) return;
    system_->project_position(state.t, state.q.data(), 1e-12, 20);
    system_->project_velocity(state.t, state.q.data(), state.v.data());
  }

  bool is_of(int point, const check::Meeting& meeting) const {
    const std::string name = system_->contacts()->contact_name(point) + " ";
    return name.starts_with(meeting.name + " ") || name.starts_with(meeting.other_name + " ");
  }

  bool is_touching(const check::Meeting& meeting) const {
    const ContactPoints& contacts = *system_->contacts();
    for (int k = 0; k < contacts.contact_points(); ++k) {
      if (contacts.touches(k) && is_of(k, meeting)) return true;
    }
    return false;
  }

  // Of a pair that touches already, with the points of several corners: none of them is deeper than those that touch,
  // or have touched and are not out yet.
  void look_between_corners(Integrator& integrator, double begin, double h,
                            const std::vector<const check::Meeting*>& touching) {
    ContactPoints& contacts = *system_->contacts();
    has_touched_.resize(contacts.contact_points(), false);
    for (const check::Meeting* meeting : touching) {
      const check::Solid &a = scene_.solids[meeting->a], &b = scene_.solids[meeting->b];
      if (!a.cornered && !b.cornered) continue;
      std::vector<int> points;
      for (int k = 0; k < contacts.contact_points(); ++k) {
        if (is_of(k, *meeting)) points.push_back(k);
      }
      integrator.interpolate(begin, sample_);
      contacts.read_contacts(sample_, readings_);
      for (const int k : points)
        has_touched_[k] = contacts.touches(k) || (has_touched_[k] && readings_[k].penetration > 0);
      for (int part = 0; part < samples_of_touching; ++part) {
        integrator.interpolate(begin + h * part / samples_of_touching, sample_);
        contacts.read_contacts(sample_, readings_);
        double known = 0;
        for (const int k : points) {
          // A corner behind both walls of a notch is deeper than behind either.
          if (has_touched_[k]) known += std::max(0.0, readings_[k].penetration);
        }
        compare(*meeting, depth_of(*meeting), known);
      }
    }
  }

  void look(Integrator& integrator, double until) {
    const double begin = integrator.step_begin(), h = until - begin;
    if (!(h > 0)) return;
    std::vector<const check::Meeting*> free, touching;
    for (std::size_t k = 0; k < scene_.meetings.size(); ++k) {
      if (is_touching(scene_.meetings[k])) {
        rest_[k] = std::numeric_limits<double>::infinity();
        touching.push_back(&scene_.meetings[k]);
      } else {
        free.push_back(&scene_.meetings[k]);
      }
    }
    look_between_corners(integrator, begin, h, touching);
    if (free.empty()) return;
    double fastest = 0;
    for (int k = 0; k <= 4; ++k) {
      integrator.interpolate(begin + h * k / 4, sample_);
      fastest = std::max(fastest, speed_of(scene_, sample_));
    }
    const double wanted = h * fastest / (0.04 * scene_.size);
    const int samples =
        std::isfinite(wanted) ? static_cast<int>(std::clamp(wanted, 8.0, 1.0 * most_samples)) : most_samples;
    // The end belongs to the next step, in which a contact that starts there is one: a journal that comes back into its
    // bore overlaps all at once.
    for (int k = 0; k < samples; ++k) {
      integrator.interpolate(begin + h * k / samples, sample_);
      for (const check::Meeting* meeting : free) {
        // A damped contact ends before the surfaces have parted; from there on they only part.
        const double depth = depth_of(*meeting);
        double& rest = rest_[meeting - scene_.meetings.data()];
        rest = std::min(rest, std::max(0.0, depth));
        compare(*meeting, depth, rest);
      }
    }
  }

  double depth_of(const check::Meeting& meeting) const {
    const check::Solid &a = scene_.solids[meeting.a], &b = scene_.solids[meeting.b];
    const bool planar = scene_.model.planar;
    return check::overlap(a, check::pose_of(a, sample_.q.data(), planar), b,
                          check::pose_of(b, sample_.q.data(), planar));
  }

  // `known`, m: the overlap of contacts that are there or were.
  void compare(const check::Meeting& meeting, double depth, double known) {
    const check::Solid &a = scene_.solids[meeting.a], &b = scene_.solids[meeting.b];
    const bool planar = scene_.model.planar;
    const Pose pose_a = check::pose_of(a, sample_.q.data(), planar),
               pose_b = check::pose_of(b, sample_.q.data(), planar);
    const double rounding = 1e-13 * (1 + pose_a.centre.norm() + pose_b.centre.norm());
    const double allowed = known + scene_.model.solver.penetration_tolerance + check::blur(a, b) + rounding;
    if (depth / allowed <= found_.deepest) return;
    found_.deepest = depth / allowed;
    found_.where =
        fmt::format("{} at t = {:.9g} s, {:.3g} m deep, {:.3g} m allowed", meeting.name, sample_.t, depth, allowed);
  }

  const Scene& scene_;
  std::unique_ptr<System> system_;
  State sample_;
  std::vector<double> rest_;       // m, overlap that a contact left, by meeting
  std::vector<bool> has_touched_;  // by point; and is not out yet
  std::vector<ContactReading> readings_;
  Found found_;
};

struct Tally {
  int scenes = 0, with_contacts = 0, failed = 0;
  long iterations = 0, steps = 0, contacts = 0;
};

Tally follow_all(std::uint64_t first, std::uint64_t count, Scene (*make)(std::uint64_t) = check::random_scene) {
  Tally tally;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Scene scene = make(seed);
    Found found;
    try {
      found = Follower(scene).follow();
    } catch (const InputError& error) {
      ADD_FAILURE() << "scene " << seed << " (" << scene.what << "): " << error.what();
      continue;
    }
    ++tally.scenes;
    tally.with_contacts += found.contacts > 0 ? 1 : 0;
    tally.failed += found.failure.empty() ? 0 : 1;
    if (found.iterations > 1000 + 200L * found.steps)
      fmt::print("scene {} ({}): {} instants searched in {} steps\n", seed, scene.what, found.iterations, found.steps);
    if (!found.failure.empty() && std::getenv("CAROM_SCENES") != nullptr)
      fmt::print("scene {} ({}): {}\n", seed, scene.what, found.failure);
    tally.iterations += found.iterations, tally.steps += found.steps, tally.contacts += found.contacts;
    EXPECT_LE(found.deepest, 1) << "scene " << seed << " (" << scene.what << "): " << found.where;
    check::show_progress(tally.scenes, count);
  }
  fmt::print("{} scenes, {} with contacts ({}), {} steps, {} instants searched, {} not finished\n", tally.scenes,
             tally.with_contacts, tally.contacts, tally.steps, tally.iterations, tally.failed);
  return tally;
}

TEST(NoContactIsMissed, InThreeHundredRandomScenes) {
  const Tally tally = follow_all(1, 300);
  EXPECT_GT(tally.with_contacts, tally.scenes / 3);
  EXPECT_LT(tally.failed, tally.scenes / 20);
}

TEST(NoContactIsMissed, InScenesOfSolids) {
  const Tally tally = follow_all(1, 150, check::random_solids);
  EXPECT_GT(tally.with_contacts, tally.scenes / 4);
  EXPECT_LT(tally.failed, tally.scenes / 20);
}

TEST(NoContactIsMissed, InScenesOfTrueCorners) {
  const Tally tally = follow_all(1, 200, check::random_corners);
  EXPECT_GT(tally.with_contacts, tally.scenes / 3);
  EXPECT_LT(tally.failed, tally.scenes / 20);
}

TEST(NoContactIsMissed, InScenesOfGrooves) {
  const Tally tally = follow_all(1, 16, check::random_grooves);
  EXPECT_GT(tally.with_contacts, tally.scenes / 2);
  EXPECT_LT(tally.failed, 1 + tally.scenes / 20);
}

TEST(NoContactIsMissed, InScenesOfMeshes) {
  const Tally tally = follow_all(1, 40, check::random_meshes);
  EXPECT_GT(tally.with_contacts, tally.scenes / 4);
  EXPECT_LT(tally.failed, tally.scenes / 20);
}

// A cone that went far through a face between two instants.
TEST(NoContactIsMissed, InASceneOfMeshesInWhichOneWas) {
  EXPECT_EQ(follow_all(84, 1, check::random_meshes).failed, 0);
}

// Wheels with teeth whose slots change numbers while the step is cut; a journal that comes back beside its bore.
TEST(NoContactIsMissed, InScenesInWhichOneWas) {
  for (const std::uint64_t seed : {1'006'054, 1'008'301, 1'006'386}) EXPECT_EQ(follow_all(seed, 1).failed, 0);
}

// Corners that slide from a side to the next one, or onto an arc, while states on both are tried; a tip in an arc; the
// end of an arc behind a side of the corner that lies in it. A pendulum that meets in long steps what shorter ones
// pass.
TEST(NoContactIsMissed, InScenesOfTrueCornersInWhichOneWas) {
  for (const std::uint64_t seed : {1'003'579, 1'004'158, 1'004'552, 1'004'904, 1'005'678, 1'005'727})
    EXPECT_EQ(follow_all(seed, 1, check::random_corners).failed, 0);
}

// The end of a side on the curved wall of a groove, which lies nearer to the next side there.
TEST(NoContactIsMissed, InASceneOfGroovesInWhichOneWas) {
  EXPECT_EQ(follow_all(1'000'408, 1, check::random_grooves).failed, 0);
}

TEST(NoContactIsMissed, DISABLED_InTenThousandRandomScenes) {
  const Tally tally =
      follow_all(check::number_from("CAROM_FIRST_SCENE", 1'000'000), check::number_from("CAROM_SCENES", 12'000));
  EXPECT_GT(tally.with_contacts, tally.scenes / 3);
  EXPECT_LT(tally.failed, tally.scenes / 20);
}

TEST(NoContactIsMissed, DISABLED_InTenThousandScenesOfTrueCorners) {
  const Tally tally = follow_all(check::number_from("CAROM_FIRST_SCENE", 1'000'000),
                                 check::number_from("CAROM_SCENES", 10'000), check::random_corners);
  EXPECT_GT(tally.with_contacts, tally.scenes / 3);
  EXPECT_LT(tally.failed, tally.scenes / 20);
}

TEST(NoContactIsMissed, DISABLED_InThousandScenesOfGrooves) {
  const Tally tally = follow_all(check::number_from("CAROM_FIRST_SCENE", 1'000'000),
                                 check::number_from("CAROM_SCENES", 1'000), check::random_grooves);
  EXPECT_GT(tally.with_contacts, tally.scenes / 2);
  EXPECT_LT(tally.failed, tally.scenes / 20);
}

TEST(NoContactIsMissed, DISABLED_InTenThousandScenesOfSolids) {
  const Tally tally = follow_all(check::number_from("CAROM_FIRST_SCENE", 1'000'000),
                                 check::number_from("CAROM_SCENES", 10'000), check::random_solids);
  EXPECT_GT(tally.with_contacts, tally.scenes / 4);
  EXPECT_LT(tally.failed, tally.scenes / 20);
}

TEST(NoContactIsMissed, DISABLED_InTenThousandScenesOfMeshes) {
  const Tally tally = follow_all(check::number_from("CAROM_FIRST_SCENE", 1'000'000),
                                 check::number_from("CAROM_SCENES", 10'000), check::random_meshes);
  EXPECT_GT(tally.with_contacts, tally.scenes / 4);
  EXPECT_LT(tally.failed, tally.scenes / 20);
}

}  // namespace
}  // namespace carom
