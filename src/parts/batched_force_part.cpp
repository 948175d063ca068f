#include <algorithm>
#include <cstddef>
#include <map>

#include "parts/describe_part.h"
#include "parts/part_keys.h"
#include "parts/placed_force.h"

namespace carom::inline parts {
namespace {

template <int D>
class BatchMember;

// The elements of a kind in one system, and the tangents that were worked out last.
template <int D>
struct MemberBatch {
  explicit MemberBatch(const BatchedForcePart& part) : loads(part) {}

  ForceBatch loads;
  std::vector<const BatchMember<D>*> members;  // null: it is gone
  // The place and time of the tangents, and for each element what it had asked for.
  Bodies<D> tangent_bodies;
  double tangent_time = 0;
  std::vector<ForceTangents<D>> tangents;
  Bodies<D> moved;  // while they are worked out
  std::vector<v1::ForceState> trials;
};

// Elements of a system are made one after the other, in the order of the model: the first of a kind begins a batch, the
// next ones join it. One that is made apart from that order has a batch of its own.
template <int D>
std::shared_ptr<MemberBatch<D>> batch_for(const BatchedForcePart& part, const ForceElementContext& context) {
  struct Latest {
    const Model* model = nullptr;
    std::ptrdiff_t element = 0;
    std::weak_ptr<MemberBatch<D>> batch;
  };
  thread_local std::map<std::string, Latest> all;
  const auto& forces = context.model.forces;
  const auto own = std::find_if(forces.begin(), forces.end(),
                                [&](const ElementModel& each) { return each.name == context.element.name; });
  const bool first =
      std::none_of(forces.begin(), own, [&](const ElementModel& each) { return each.type == part.name; });
  Latest& latest = all[part.name];
  std::shared_ptr<MemberBatch<D>> batch = latest.batch.lock();
  const std::ptrdiff_t element = own - forces.begin();
  if (first || !batch || latest.model != &context.model || element <= latest.element)
    batch = std::make_shared<MemberBatch<D>>(part);
  latest = {&context.model, element, batch};
  return batch;
}

template <int D>
class BatchMember final : public PlacedForce<D> {
  using Base = PlacedForce<D>;
  using Base::title_, Base::at_, Base::lever, Base::state_of;
  using Dofs = typename Space<D>::Dofs;

 public:
  BatchMember(const BatchedForcePart& part, const ForceElementContext& context)
      : Base(part, context), batch_(batch_for<D>(part, context)) {
    place_ = batch_->loads.join(values_of(part.keys, context.element.settings));
    batch_->members.push_back(this);
  }
  ~BatchMember() override { batch_->members[place_] = nullptr; }
  BatchMember(const BatchMember&) = delete;
  BatchMember& operator=(const BatchMember&) = delete;

  bool tangents(const Bodies<D>& bodies, double t, ForceTangents<D>& result) const override {
    if (at_[0].body == at_[1].body) return false;
    if (!knows_tangents(bodies, t) && !guarded(
                                          title_, [&] { return work_out_tangents(bodies, t); }, false))
      return false;
    result = batch_->tangents[place_];
    return true;
  }

  bool is_conservative() const override { return false; }
  std::vector<OutputDescription> outputs() const override { return {}; }
  void output(const Bodies<D>&, double, double*) const override {}

 private:
  v1::ForceAction action_in(const Bodies<D>& bodies, const v1::ForceState& state) const override {
    const auto& members = batch_->members;
    return batch_->loads.action(place_, state, [&](std::size_t k) {
      return members[k] ? members[k]->state_of(bodies, state.time) : v1::ForceState{};
    });
  }

  static bool same(const BodyState<D>& one, const BodyState<D>& other) {
    if (one.position != other.position || one.velocity != other.velocity ||
        one.angular_velocity != other.angular_velocity)
      return false;
    if constexpr (D == 2) {
      return one.angle == other.angle;
    } else {
      return one.orientation.matrix() == other.orientation.matrix();
    }
  }

  bool knows_tangents(const Bodies<D>& bodies, double t) const {
    const MemberBatch<D>& all = *batch_;
    if (all.tangents.size() != all.members.size() || t != all.tangent_time ||
        bodies.size() != all.tangent_bodies.size())
      return false;
    return std::all_of(at_.begin(), at_.end(),
                       [&](const Attachment& each) { return same(bodies[each.body], all.tangent_bodies[each.body]); });
  }

  // Differences with the step of those that the system takes of one element after the other, here of all at once: the
  // body at one end of each is moved.
  bool work_out_tangents(const Bodies<D>& bodies, double t) const {
    constexpr double step = 1e-6;
    MemberBatch<D>& all = *batch_;
    ForceTangents<D> none;
    for (auto* blocks : {none.stiffness, none.damping})
      for (int row = 0; row < 2; ++row) blocks[row][0].setZero(), blocks[row][1].setZero();
    all.tangents.assign(all.members.size(), none);
    all.tangent_bodies.clear();
    all.moved = bodies;
    all.trials.assign(all.members.size(), {});
    for (int end = 0; end < 2; ++end) {
      for (int k = 0; k < Space<D>::dofs; ++k) {
        for (const double side : {1.0, -1.0}) {
          for (const bool by_speed : {false, true}) {
            const auto move = [&](const BodyState<D>& body) { return moved_by(body, k, side * step, by_speed); };
            take_difference(bodies, t, end, move, [&](std::size_t place, int row, int column, const Dofs& load) {
              ForceTangents<D>& one = all.tangents[place];
              (by_speed ? one.damping : one.stiffness)[row][column].col(k) -= side * load / (2 * step);
            });
          }
        }
      }
    }
    all.tangent_bodies = bodies, all.tangent_time = t;
    return true;
  }

  static BodyState<D> moved_by(const BodyState<D>& body, int k, double step, bool by_speed) {
    if (!by_speed) return displaced(body, k, step);
    BodyState<D> result = body;
    if (k < D) {
      result.velocity[k] += step;
    } else {
      result.angular_velocity += step * body.orientation.angular_to_world(AngularOf<D>(AngularOf<D>::Unit(k - D)));
    }
    return result;
  }

  // One call with the body at one end of every element moved; `take` gets the loads on both bodies.
  template <class Move, class Take>
  void take_difference(const Bodies<D>& bodies, double t, int end, Move move, Take take) const {
    MemberBatch<D>& all = *batch_;
    Bodies<D>& moved = all.moved;
    std::vector<v1::ForceState>& states = all.trials;
    const auto with_moved = [&](const BatchMember& member, auto&& look) {
      const int body = member.at_[end].body;
      if (body > 0) moved[body] = move(bodies[body]);
      look();
      if (body > 0) moved[body] = bodies[body];
    };
    for (std::size_t k = 0; k < all.members.size(); ++k) {
      if (const BatchMember* member = all.members[k])
        with_moved(*member, [&] { states[k] = member->state_of(moved, t); });
      all.loads.put_trial(states[k], k);
    }
    const std::span<const double> loads = all.loads.trial_loads(t);
    for (std::size_t k = 0; k < all.members.size(); ++k) {
      const BatchMember* member = all.members[k];
      if (!member || member->at_[end].body == 0) continue;
      const v1::ForceAction action = ForceBatch::action_of(loads.data() + batch_load_size * k, states[k]);
      const int column = end == 1 && member->at_[0].body > 0 ? 1 : 0;
      with_moved(*member, [&] {
        for (int r = 0, row = 0; r < 2; ++r) {
          if (member->at_[r].body > 0) take(k, row++, column, member->load_on(moved, r, action));
        }
      });
    }
  }

  Dofs load_on(const Bodies<D>& bodies, int end, const v1::ForceAction& action) const {
    const VectorOf<D> force = vector_of(action.other[end].force).template head<D>();
    const AngularOf<D> torque = angular_velocity_of<D>(vector_of(action.other[end].torque));
    Dofs load;
    load.template head<D>() = force;
    load.template tail<Space<D>::rotational_dofs>() =
        bodies[at_[end].body].orientation.angular_to_body(AngularOf<D>(cross(lever(bodies, end), force) + torque));
    return load;
  }

  std::shared_ptr<MemberBatch<D>> batch_;
  std::size_t place_ = 0;
};

}  // namespace

ForceElementDescription describe_part(const BatchedForcePart& part) {
  ForceElementDescription description = describe_force_keys(part);
  description.make_planar = [part](const ForceElementContext& context) -> std::unique_ptr<ForceElement<2>> {
    return std::make_unique<BatchMember<2>>(part, context);
  };
  description.make_spatial = [part](const ForceElementContext& context) -> std::unique_ptr<ForceElement<3>> {
    return std::make_unique<BatchMember<3>>(part, context);
  };
  return description;
}

}  // namespace carom::inline parts
