#include <array>

#include "force_elements/force_element.h"

namespace carom::inline force_elements {
namespace {

// Linear springs and dampers along and about the axes of a frame on the first body.
//
// Rotations are measured by the rotation vector ψ of body 2 against body 1, valid to half a turn; the torque is the
// gradient of ½ ψᵀ K ψ, so that the spring part conserves energy at any angle. Forces act at the attachment point of
// body 2.
template <int D>
class Bushing final : public ForceElement<D> {
 public:
  explicit Bushing(const ForceElementContext& context) {
    const Settings& settings = context.element.settings;
    const AttachmentPair pair = attach_pair(context.model, settings);
    body_i_ = pair.at[0].body, body_j_ = pair.at[1].body;
    point_i_ = pair.at[0].point.template head<D>(), point_j_ = pair.at[1].point.template head<D>();
    if constexpr (D == 3) {
      frame_i_ = pair.at[0].frame, frame_j_ = pair.at[1].frame;
      if (!settings.has("axis") && !settings.has("axes") && !settings.has("markers")) use_body_axes(context.model);
    } else {
      zero_ = body_at(context.model, body_j_).angle - body_at(context.model, body_i_).angle;
    }
    stiffness_ = components<D>(settings.numbers("stiffness"));
    damping_ = components<D>(settings.numbers("damping"));
    rotational_stiffness_ = components<Space<D>::rotational_dofs>(settings.numbers("rotational_stiffness"));
    rotational_damping_ = components<Space<D>::rotational_dofs>(settings.numbers("rotational_damping"));
  }

  std::vector<int> bodies() const override {
    std::vector<int> result;
    if (body_i_ > 0) result.push_back(body_i_);
    if (body_j_ > 0) result.push_back(body_j_);
    return result;
  }

  double apply(const Bodies<D>& bodies, double, Loads<D>& loads) const override {
    const Strain strain = evaluate(bodies);
    const VectorOf<D> force_i =
        to_world(bodies, stiffness_.cwiseProduct(strain.shift) + damping_.cwiseProduct(strain.shift_rate));
    const AngularOf<D> torque_i =
        turn_to_world(bodies, elastic_torque(strain) + rotational_damping_.cwiseProduct(strain.turn_rate));
    loads.add_force(bodies, body_j_, bodies[body_j_].lever(point_j_), -force_i);
    // The same point in space carries the force on body 1: no net couple.
    loads.add_force(bodies, body_i_, bodies[body_j_].point_position(point_j_) - bodies[body_i_].position, force_i);
    loads.add_torque(bodies, body_i_, torque_i);
    loads.add_torque(bodies, body_j_, -torque_i);
    return -(damping_.cwiseProduct(strain.shift_rate)).dot(strain.shift_rate) -
           (rotational_damping_.cwiseProduct(strain.turn_rate)).dot(strain.turn_rate);
  }

  double energy(const Bodies<D>& bodies, double) const override {
    const Strain strain = evaluate(bodies);
    return 0.5 * stiffness_.cwiseProduct(strain.shift).dot(strain.shift) +
           0.5 * rotational_stiffness_.cwiseProduct(strain.turn).dot(strain.turn);
  }

  bool is_conservative() const override { return damping_.isZero(0) && rotational_damping_.isZero(0); }

  std::vector<OutputDescription> outputs() const override {
    if constexpr (D == 2) {
      return {{"dx", "m", "displacement along x of body 1"},
              {"dy", "m", "displacement along y of body 1"},
              {"turn", "rad", "relative angle"}};
    }
    return {{"dx", "m", "displacement along x of the bushing"},
            {"dy", "m", "displacement along y of the bushing"},
            {"dz", "m", "displacement along z of the bushing"},
            {"rx", "rad", "rotation vector, x"},
            {"ry", "rad", "rotation vector, y"},
            {"rz", "rad", "rotation vector, z"}};
  }

  void output(const Bodies<D>& bodies, double, double* values) const override {
    const Strain strain = evaluate(bodies);
    Eigen::Map<VectorOf<D>> shift(values);
    Eigen::Map<AngularOf<D>> turn(values + D);
    shift = strain.shift;
    turn = strain.turn;
  }

 private:
  struct Strain {  // in the axes of the frame on body 1
    VectorOf<D> shift, shift_rate;
    AngularOf<D> turn, turn_rate;
  };

  template <int N>
  static Eigen::Matrix<double, N, 1> components(const std::vector<double>& given) {
    Eigen::Matrix<double, N, 1> result = Eigen::Matrix<double, N, 1>::Zero();
    for (int k = 0; k < N && !given.empty(); ++k) result[k] = given.size() == 1 ? given[0] : given[k];
    return result;
  }

  void use_body_axes(const Model& model) {
    const Eigen::Matrix3d world = body_at(model, body_i_).orientation.toRotationMatrix();
    frame_i_.setIdentity();
    frame_j_ = body_at(model, body_j_).orientation.conjugate().toRotationMatrix() * world;
  }

  VectorOf<D> to_world(const Bodies<D>& bodies, const VectorOf<D>& a) const {
    if constexpr (D == 2) {
      return bodies[body_i_].orientation * a;
    } else {
      return bodies[body_i_].orientation * Eigen::Vector3d(frame_i_ * a);
    }
  }
  AngularOf<D> turn_to_world(const Bodies<D>& bodies, const AngularOf<D>& a) const {
    if constexpr (D == 2) {
      return a;
    } else {
      return to_world(bodies, a);
    }
  }

  Strain evaluate(const Bodies<D>& bodies) const {
    const BodyState<D>&i = bodies[body_i_], &j = bodies[body_j_];
    const VectorOf<D> lever_j = j.lever(point_j_), lever_i = j.position + lever_j - i.position;
    VectorOf<D> shift = i.orientation.back(lever_i) - point_i_;
    VectorOf<D> shift_rate = i.orientation.back(j.velocity_at(lever_j) - i.velocity_at(lever_i));
    Strain strain;
    if constexpr (D == 2) {
      strain = {shift, shift_rate, AngularOf<2>(j.angle - i.angle - zero_),
                AngularOf<2>(j.angular_velocity - i.angular_velocity)};
    } else {
      const Eigen::Matrix3d relative =
          frame_i_.transpose() * i.orientation.matrix().transpose() * j.orientation.matrix() * frame_j_;
      const Eigen::AngleAxisd turn(relative);
      strain = {frame_i_.transpose() * shift, frame_i_.transpose() * shift_rate, turn.angle() * turn.axis(),
                frame_i_.transpose() * i.orientation.back(j.angular_velocity - i.angular_velocity)};
    }
    return strain;
  }

  // Gradient of the energy with respect to an added rotation of body 2: T⁻ᵀ(ψ) K ψ, with T⁻¹ the inverse of the left
  // tangent of exp.
  AngularOf<D> elastic_torque(const Strain& strain) const {
    const AngularOf<D> moment = rotational_stiffness_.cwiseProduct(strain.turn);
    if constexpr (D == 2) {
      return moment;
    } else {
      const double angle = strain.turn.norm();
      const double factor = angle < 1e-4 ? 1.0 / 12 : (1 - 0.5 * angle / std::tan(0.5 * angle)) / (angle * angle);
      const Eigen::Vector3d once = strain.turn.cross(moment);
      return moment + 0.5 * once + factor * strain.turn.cross(once);
    }
  }

  int body_i_ = 0, body_j_ = 0;
  VectorOf<D> point_i_, point_j_, stiffness_, damping_;
  AngularOf<D> rotational_stiffness_, rotational_damping_;
  Eigen::Matrix3d frame_i_ = Eigen::Matrix3d::Identity(), frame_j_ = Eigen::Matrix3d::Identity();
  double zero_ = 0;
};

template <int D>
std::unique_ptr<ForceElement<D>> make_bushing(const ForceElementContext& context) {
  return std::make_unique<Bushing<D>>(context);
}

}  // namespace

ForceElementDescription describe_bushing() {
  auto parameters = placement_rows("a marker on each body; the bushing's axes are those of the first");
  parameters.push_back({.name = "axis",
                        .kind = ParameterKind::vector,
                        .meaning = "z axis of the bushing, world",
                        .default_text = "axes of the first body"});
  const auto add = [&](const char* name, const char* unit, const char* meaning) {
    parameters.push_back({.name = name,
                          .kind = ParameterKind::numbers,
                          .unit = unit,
                          .meaning = meaning,
                          .default_text = "0",
                          .minimum = 0});
  };
  add("stiffness", "N/m", "along x, y, z");
  add("damping", "N s/m", "along x, y, z");
  add("rotational_stiffness", "N m/rad", "about x, y, z");
  add("rotational_damping", "N m s/rad", "about x, y, z");
  return {{.name = "bushing",
           .summary = "Springs and dampers along and about three axes (planar: two and one) fixed on the first body. "
                      "One number serves all axes.",
           .reference = "rotation vector energy: Géradin and Cardona, Flexible Multibody Dynamics, 2001, ch. 4",
           .parameters = parameters},
          make_bushing<2>,
          make_bushing<3>};
}

}  // namespace carom::inline force_elements
