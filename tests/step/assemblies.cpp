#include "assemblies.h"

#include <random>

#include <BRepBuilderAPI_Transform.hxx>
#include <gp_Quaternion.hxx>

namespace carom::making {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

TopoDS_Shape moved(const TopoDS_Shape& shape, const Isometry3d& by) {
  const Eigen::Quaterniond turn(by.linear());
  gp_Trsf transformation;
  transformation.SetRotation(gp_Quaternion(turn.x(), turn.y(), turn.z(), turn.w()));
  transformation.SetTranslationPart(
      gp_Vec(1000 * by.translation().x(), 1000 * by.translation().y(), 1000 * by.translation().z()));
  return BRepBuilderAPI_Transform(shape, transformation, Standard_True).Shape();
}

// A block with a hole across it, cut in two and put together again, so that the wall of the hole is two faces.
TopoDS_Shape halved_lug(double radius, double width) {
  const double half = 2 * radius;
  const TopoDS_Shape hole = cylinder({0, 0, -width}, Vector3d::UnitZ(), radius, 3 * width);
  const TopoDS_Shape left = cut(box({-half, -half, -width / 2}, {0, half, width / 2}), hole);
  const TopoDS_Shape right = cut(box({0, -half, -width / 2}, {half, half, width / 2}), hole);
  return fuse(left, right);
}

TopoDS_Shape lug(double radius, double width, const Vector3d& at = Vector3d::Zero()) {
  const double half = 2 * radius;
  return cut(box(at + Vector3d(-half, -half, -width / 2), at + Vector3d(half, half, width / 2)),
             cylinder(at - Vector3d(0, 0, width), Vector3d::UnitZ(), radius, 3 * width));
}

// A pin with heads on both sides of a lug.
TopoDS_Shape headed_pin(double radius, double width) {
  const double gap = 1e-4, head = 3e-3;
  const TopoDS_Shape shaft =
      cylinder({0, 0, -width / 2 - gap - head}, Vector3d::UnitZ(), radius, width + 2 * gap + 2 * head);
  const TopoDS_Shape low = cylinder({0, 0, -width / 2 - gap - head}, Vector3d::UnitZ(), 1.4 * radius, head);
  const TopoDS_Shape high = cylinder({0, 0, width / 2 + gap}, Vector3d::UnitZ(), 1.4 * radius, head);
  return fuse(fuse(shaft, low), high);
}

TopoDS_Shape plain_pin(double radius, double length) {
  return cylinder({0, 0, -length / 2}, Vector3d::UnitZ(), radius, length);
}

// A pin with a flat along part of it.
TopoDS_Shape keyed_pin(double radius, double length) {
  return cut(plain_pin(radius, length), box({0.9 * radius, -radius, -length}, {2 * radius, radius, length}));
}

class MachineMaker {
 public:
  Machine make() {
    for (int k = 0; k < 10; ++k) add_pin(fmt_name("headed", k), k, true);
    for (int k = 0; k < 5; ++k) add_halved(k);
    for (int k = 0; k < 5; ++k) add_keyed(k);
    for (int k = 0; k < 5; ++k) add_through_two(k);
    for (int k = 0; k < 6; ++k) add_slide(k);
    for (int k = 0; k < 4; ++k) add_ball(k);
    add_decoys();
    machine_.text = writer_.text();
    return std::move(machine_);
  }

 private:
  static std::string fmt_name(const std::string& what, int k) { return what + std::to_string(k); }

  Isometry3d random_pose(double far) {
    std::uniform_real_distribution<double> number(-1, 1);
    Isometry3d pose = Isometry3d::Identity();
    Eigen::Quaterniond turn(number(random_), number(random_), number(random_), number(random_));
    pose.linear() = turn.normalized().toRotationMatrix();
    pose.translation() = far * Vector3d(number(random_), number(random_), number(random_));
    return pose;
  }

  // The next group of parts, in a pose of its own on a lattice.
  void begin() {
    pose_ = random_pose(0.01);
    pose_.translation() += 0.5 * Vector3d(groups_ % 8, groups_ / 8, 0);
    ++groups_;
  }

  // A part drawn in the axes of the group; its own axes are others.
  void add(const std::string& name, const TopoDS_Shape& shape, const Isometry3d& shift = Isometry3d::Identity()) {
    const Isometry3d own = random_pose(0.2);
    const int part = writer_.add_part(name, moved(shape, own.inverse()), 7850);
    writer_.place(part, pose_ * shift * own, name);
  }
  void expect(FitKind kind, const std::string& hole, const std::string& inside, const Vector3d& centre, double diameter,
              double clearance, double length, double height = 0) {
    machine_.fits.push_back(
        {kind, hole, inside, pose_ * centre, pose_.linear() * Vector3d::UnitZ(), diameter, clearance, length, height});
  }

  void add_pin(const std::string& name, int k, bool heads) {
    begin();
    const double radius = 3e-3 + 1.1e-3 * k, width = 8e-3 + 1e-3 * k, clearance = 5e-6 + 7e-6 * k;
    add(name + "_lug", lug(radius, width));
    add(name + "_pin", heads ? headed_pin(radius - clearance, width) : plain_pin(radius - clearance, 2 * width));
    expect(heads ? FitKind::pin : FitKind::sleeve, name + "_lug", name + "_pin", Vector3d::Zero(), 2 * radius,
           clearance, width);
  }

  void add_halved(int k) {
    begin();
    const double radius = 5e-3 + 2e-3 * k, width = 0.02, clearance = 1e-5 * (k + 1);
    const std::string name = fmt_name("halved", k);
    add(name + "_lug", halved_lug(radius, width));
    add(name + "_pin", plain_pin(radius - clearance, 3 * width));
    expect(FitKind::sleeve, name + "_lug", name + "_pin", Vector3d::Zero(), 2 * radius, clearance, width);
  }

  // The pin sticks half-way in its hole; the last ones are drawn without clearance.
  void add_keyed(int k) {
    begin();
    const double radius = 8e-3 + 1e-3 * k, width = 0.03, clearance = k > 2 ? 0 : 2e-5;
    const std::string name = fmt_name("keyed", k);
    Isometry3d shift = Isometry3d::Identity();
    shift.translation().z() = width / 2;
    add(name + "_lug", lug(radius, width));
    add(name + "_pin", keyed_pin(radius - clearance, width), shift);
    expect(FitKind::sleeve, name + "_lug", name + "_pin", {0, 0, width / 4}, 2 * radius, clearance, width / 2);
  }

  void add_through_two(int k) {
    begin();
    const double radius = 6e-3 + 1e-3 * k, width = 0.01, apart = 0.03, clearance = 1.5e-5;
    const std::string name = fmt_name("hinge", k);
    add(name + "_one", lug(radius, width, {0, 0, -apart / 2}));
    add(name + "_two", lug(radius, width, {0, 0, apart / 2}));
    add(name + "_pin", plain_pin(radius - clearance, 2 * apart));
    for (const double side : {-1, 1}) {
      expect(FitKind::sleeve, name + (side < 0 ? "_one" : "_two"), name + "_pin", {0, 0, side * apart / 2}, 2 * radius,
             clearance, width);
    }
  }

  TopoDS_Shape guide(double width, double height, double length) const {
    return cut(box({-width, -height, -length / 2}, {width, height, length / 2}),
               box({-width / 2, -height / 2, -length}, {width / 2, height / 2, length}));
  }
  TopoDS_Shape block(double width, double height, double length) const {
    return box({-width / 2, -height / 2, -length / 2}, {width / 2, height / 2, length / 2});
  }

  void add_slide(int k) {
    begin();
    const double width = 0.02 + 2e-3 * k, height = k % 2 == 0 ? width : 0.7 * width, clearance = 1e-5 + 5e-6 * k;
    const double length = 0.03, at = 0.01 * k;
    const std::string name = fmt_name("slide", k);
    Isometry3d shift = Isometry3d::Identity();
    shift.translation().z() = at;
    add(name + "_guide", guide(width, height, 0.2));
    add(name + "_block", block(width - 2 * clearance, height - 2 * clearance, length), shift);
    expect(FitKind::slide, name + "_guide", name + "_block", {0, 0, at}, width, clearance, length, height);
  }

  TopoDS_Shape socket(double radius, double open) const {
    const double half = 1.6 * radius;
    return cut(box({-half, -half, -half}, {half, half, open}), ball(Vector3d::Zero(), radius));
  }
  TopoDS_Shape stemmed_ball(double radius) const {
    return fuse(ball(Vector3d::Zero(), radius),
                cylinder(Vector3d::Zero(), Vector3d::UnitZ(), 0.4 * radius, 4 * radius));
  }

  void add_ball(int k) {
    begin();
    const double radius = 0.008 + 2e-3 * k, clearance = 1e-5 * (k + 1);
    const std::string name = fmt_name("ball", k);
    add(name + "_socket", socket(radius, 0.4 * radius));
    add(name + "_ball", stemmed_ball(radius - clearance));
    expect(FitKind::ball, name + "_socket", name + "_ball", Vector3d::Zero(), 2 * radius, clearance, 0);
  }

  // Two parts that do not belong together, or nearly.
  void decoy(const std::string& name, const TopoDS_Shape& hole, const TopoDS_Shape& inside, const Isometry3d& shift,
             bool near) {
    begin();
    add(name + "_hole", hole);
    add(name + "_inside", inside, shift);
    if (near) machine_.near_misses.emplace_back(name + "_hole", name + "_inside");
  }

  void add_decoys() {
    const double radius = 0.01, width = 0.02, c = 2e-5;
    const auto by = [](double x, double z, double angle) {
      Isometry3d shift = Isometry3d::Identity();
      shift.translation() = Vector3d(x, 0, z);
      shift.rotate(Eigen::AngleAxisd(angle, Vector3d::UnitX()));
      return shift;
    };
    decoy("aside", lug(radius, width), plain_pin(radius - c, 2 * width), by(1e-5, 0, 0), true);
    decoy("tilted", lug(radius, width), plain_pin(radius - 10 * c, 2 * width), by(0, 0, 0.003), true);
    decoy("pressed", lug(radius, width), plain_pin(radius + 5e-6, 2 * width), by(0, 0, 0), true);
    decoy("wide", lug(radius, width), plain_pin(0.9 * radius, 2 * width), by(0, 0, 0), true);
    const TopoDS_Shape open = cut(box({-0.02, -0.02, -width / 2}, {0.02, 0, width / 2}),
                                  cylinder({0, 0, -width}, Vector3d::UnitZ(), radius, 3 * width));
    decoy("half", open, plain_pin(radius - c, 2 * width), by(0, 0, 0), true);
    decoy("shallow", socket(radius, -0.2 * radius), stemmed_ball(radius - c), by(0, 0, 0), true);
    decoy("off_ball", socket(radius, 0.4 * radius), stemmed_ball(radius - c), by(1e-5, 0, 0), true);
    decoy("off_slide", guide(0.02, 0.02, 0.1), block(0.02 - 2 * c, 0.02 - 2 * c, 0.03), by(8e-6, 0, 0), true);
    decoy("uneven", guide(0.02, 0.02, 0.1), block(0.02 - 2 * c, 0.02 - 6 * c, 0.03), by(0, 0, 0), true);
    // Nothing at all: before its hole, in a tube that is much too wide, in a channel with one pair of walls.
    decoy("before", lug(radius, width), plain_pin(radius - c, width), by(0, 1.5 * width, 0), false);
    decoy("tube", lug(radius, width), plain_pin(0.5 * radius, 2 * width), by(0, 0, 0), false);
    const TopoDS_Shape channel =
        cut(box({-0.02, -0.02, -0.05}, {0.02, 0.02, 0.05}), box({-0.01, -0.01, -0.1}, {0.01, 0.03, 0.1}));
    decoy("channel", channel, block(0.02 - 2 * c, 0.02 - 2 * c, 0.03), by(0, 0, 0), false);
  }

  StepWriter writer_;
  Machine machine_;
  std::mt19937 random_{20};
  Isometry3d pose_ = Isometry3d::Identity();
  int groups_ = 0;
};

// Solids that do not overlap, for mass by hand: upright boxes and cylinders, and holes in them.
struct Solids {
  TopoDS_Shape shape;
  double volume = 0, about_origin = 0;  // m³; m⁵, about z
  Eigen::Vector2d first = Eigen::Vector2d::Zero();

  void count(double piece, const Eigen::Vector2d& at, double about_own) {
    volume += piece;
    first += piece * at;
    about_origin += piece * (about_own + at.squaredNorm());
  }
  void take(const TopoDS_Shape& piece, bool hole) {
    shape = shape.IsNull() ? piece : hole ? cut(shape, piece) : fuse(shape, piece);
  }
  void add_box(const Vector3d& low, const Vector3d& high, bool hole = false) {
    const Vector3d edges = high - low;
    count((hole ? -1 : 1) * edges.prod(), ((low + high) / 2).head<2>(), edges.head<2>().squaredNorm() / 12);
    take(box(low, high), hole);
  }
  void add_cylinder(double x, double low, double high, double radius, bool hole = false) {
    count((hole ? -1 : 1) * M_PI * radius * radius * (high - low), {x, 0}, radius * radius / 2);
    take(cylinder({x, 0, low}, Vector3d::UnitZ(), radius, high - low), hole);
  }
  Engine::Body body(double density) const {
    Engine::Body result;
    result.mass = density * volume;
    result.centre = first / volume;
    result.inertia = density * (about_origin - volume * result.centre.squaredNorm());
    return result;
  }
};

}  // namespace

Machine make_machine() {
  return MachineMaker().make();
}

Engine make_engine(double density) {
  const double crank_x = 0.05, pin_x = 0.17;
  // The frame: a plate with the main bearing, and a guide for the slider in front of it.
  Solids frame, crank, rod, slider;
  frame.add_box({-0.03, -0.03, -0.05}, {0.03, 0.03, -0.02});
  frame.add_cylinder(0, -0.05, -0.02, 0.015, true);
  frame.add_box({0.09, -0.03, 0.03}, {0.26, 0.03, 0.09});
  frame.add_box({0.09, -0.02, 0.04}, {0.26, 0.02, 0.08}, true);
  crank.add_box({-0.02, -0.015, -0.01}, {0.065, 0.015, 0});
  crank.add_cylinder(0, -0.05, -0.01, 0.015);
  crank.add_cylinder(crank_x, 0, 0.02, 0.012);
  rod.add_box({0.035, -0.016, 0}, {0.19, 0.016, 0.015});
  rod.add_cylinder(crank_x, 0, 0.015, 0.012, true);
  rod.add_cylinder(pin_x, 0, 0.015, 0.010, true);
  slider.add_box({0.15, -0.02, 0.04}, {0.19, 0.02, 0.08});
  slider.add_cylinder(pin_x, -0.005, 0.04, 0.009975);
  StepWriter writer;
  for (const auto& [name, solids] :
       {std::pair("ground", &frame), {"crank", &crank}, {"rod", &rod}, {"slider", &slider}})
    writer.place(writer.add_part(name, solids->shape, density), StepWriter::Pose::Identity(), name);
  return {writer.text(), crank.body(density), rod.body(density), slider.body(density)};
}

}  // namespace carom::making
