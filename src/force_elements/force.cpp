#include "force_elements/force_element.h"

namespace carom::inline force_elements {
namespace {

// A force at a point of one body, given by functions of time in world or body axes.
template <int D>
class PointForce final : public ForceElement<D> {
 public:
  explicit PointForce(const ForceElementContext& context) {
    const Settings& settings = context.element.settings;
    const Attachment attachment = attach_single(context.model, settings);
    body_ = attachment.body;
    point_ = attachment.point.template head<D>();
    in_body_axes_ = settings.text("axes", "world") == "body";
    components_ = settings.functions("force");
    components_.resize(D);
  }

  std::vector<int> bodies() const override { return {body_}; }

  double apply(const Bodies<D>& bodies, double t, Loads<D>& loads) const override {
    const VectorOf<D> force = world_force(bodies, t), lever = bodies[body_].lever(point_);
    loads.add_force(bodies, body_, lever, force);
    return force.dot(bodies[body_].velocity_at(lever));
  }

  double energy(const Bodies<D>&, double) const override { return 0; }
  bool is_conservative() const override { return false; }

  std::vector<OutputDescription> outputs() const override {
    std::vector<OutputDescription> result = {{"fx", "N", "force along world x"}, {"fy", "N", "force along world y"}};
    if (D == 3) result.push_back({"fz", "N", "force along world z"});
    return result;
  }

  void output(const Bodies<D>& bodies, double t, double* values) const override {
    Eigen::Map<VectorOf<D>>(values, D) = world_force(bodies, t);
  }

 private:
  VectorOf<D> world_force(const Bodies<D>& bodies, double t) const {
    VectorOf<D> force;
    for (int k = 0; k < D; ++k) force[k] = components_[k].value(t);
    return in_body_axes_ ? VectorOf<D>(bodies[body_].orientation * force) : force;
  }

  int body_ = 0;
  VectorOf<D> point_;
  bool in_body_axes_ = false;
  std::vector<Function> components_;
};

template <int D>
std::unique_ptr<ForceElement<D>> make_force(const ForceElementContext& context) {
  return std::make_unique<PointForce<D>>(context);
}

}  // namespace

ForceElementDescription describe_force() {
  auto parameters = single_end_parameters();
  for (auto& row : given_load_parameters("force", "N", "the components, functions of time"))
    parameters.push_back(std::move(row));
  return {{.name = "force",
           .summary = "A force at a point of a body, each component a function of time.",
           .reference = "Newton's second law",
           .parameters = parameters},
          make_force<2>,
          make_force<3>,
          true};
}

}  // namespace carom::inline force_elements
