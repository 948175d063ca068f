#include "mesh_scenes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

namespace carom::benchmarks {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Ring = std::vector<Vector2d>;

constexpr double density = 7850;  // kg/m³

// Layers of points between an outer and an inner line with as many points, at several heights: what is bounded by both
// and the two planes. Closed lines make rings; open ones are closed by walls at their ends.
class Extrusion {
 public:
  Extrusion(const Ring& outer, const Ring& inner, double height, int radial, int axial, bool closed)
      : outer_(outer),
        inner_(inner),
        height_(height),
        radial_(radial),
        axial_(axial),
        count_(static_cast<int>(outer.size())),
        closed_(closed) {}

  Part make() {
    const int pieces = closed_ ? count_ : count_ - 1;
    for (int i = 0; i < pieces; ++i) {
      const int next = (i + 1) % count_;
      for (int r = 0; r < radial_; ++r) {
        add_quad({i, r, axial_}, {next, r, axial_}, {next, r + 1, axial_}, {i, r + 1, axial_});
        add_quad({i, r + 1, 0}, {next, r + 1, 0}, {next, r, 0}, {i, r, 0});
      }
      for (int z = 0; z < axial_; ++z) {
        add_quad({i, 0, z}, {next, 0, z}, {next, 0, z + 1}, {i, 0, z + 1});
        add_quad({i, radial_, z + 1}, {next, radial_, z + 1}, {next, radial_, z}, {i, radial_, z});
      }
    }
    if (!closed_) {
      for (int r = 0; r < radial_; ++r) {
        for (int z = 0; z < axial_; ++z) {
          add_quad({0, r, z + 1}, {0, r + 1, z + 1}, {0, r + 1, z}, {0, r, z});
          const int last = count_ - 1;
          add_quad({last, r, z}, {last, r + 1, z}, {last, r + 1, z + 1}, {last, r, z + 1});
        }
      }
    }
    return std::move(part_);
  }

 private:
  using Place = std::array<int, 3>;  // along the line, from the outer to the inner one, upwards

  int point(const Place& place) {
    const long key = (static_cast<long>(place[0]) * (radial_ + 1) + place[1]) * (axial_ + 1) + place[2];
    if (number_.empty()) number_.assign(static_cast<std::size_t>(count_) * (radial_ + 1) * (axial_ + 1), -1);
    int& number = number_[static_cast<std::size_t>(key)];
    if (number < 0) {
      const double share = static_cast<double>(place[1]) / radial_;
      const Vector2d at = (1 - share) * outer_[place[0]] + share * inner_[place[0]];
      number = static_cast<int>(part_.points.size());
      part_.points.emplace_back(at.x(), at.y(), height_ * (static_cast<double>(place[2]) / axial_ - 0.5));
    }
    return number;
  }
  void add_quad(const Place& a, const Place& b, const Place& c, const Place& d) {
    const int p = point(a), q = point(b), r = point(c), s = point(d);
    part_.triangles.push_back({p, q, r});
    part_.triangles.push_back({p, r, s});
  }

  const Ring &outer_, &inner_;
  double height_;
  int radial_, axial_, count_;
  bool closed_;
  Part part_;
  std::vector<int> number_;
};

// By tetrahedra from the origin; the points are moved to the mass centre and to principal axes.
void weigh(Part& part) {
  double volume = 0;
  Vector3d centre = Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (const auto& t : part.triangles) {
    const Vector3d &a = part.points[t[0]], &b = part.points[t[1]], &c = part.points[t[2]], sum = a + b + c;
    const double six = a.dot(b.cross(c));
    volume += six / 6;
    centre += six / 24 * sum;
    second += six / 120 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  centre /= volume;
  second -= volume * centre * centre.transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(second);
  Eigen::Matrix3d turn = axes.eigenvectors();
  if (turn.determinant() < 0) turn.col(0) *= -1;
  for (Vector3d& point : part.points) {
    point = (turn.transpose() * (point - centre)).eval();
    part.radius = std::max(part.radius, point.norm());
  }
  part.mass = density * volume;
  part.inertia = density * (Vector3d::Constant(axes.eigenvalues().sum()) - axes.eigenvalues());
}

Part nut() {
  constexpr int count = 96;
  constexpr double across = 17e-3, hole = 5e-3, height = 8e-3;
  Ring outer, inner;
  for (int k = 0; k < count; ++k) {
    const double angle = 2 * std::numbers::pi * k / count, sixth = std::numbers::pi / 3;
    const double from_middle = std::fmod(angle, sixth) - sixth / 2;
    const Vector2d direction(std::cos(angle), std::sin(angle));
    outer.push_back(across / 2 / std::cos(from_middle) * direction);
    inner.push_back(hole * direction);
  }
  return Extrusion(outer, inner, height, 1, 1, true).make();
}

Part bracket() {
  constexpr int pieces = 10;
  constexpr double leg = 30e-3, thick = 4e-3, width = 20e-3;
  Ring outer, inner;
  for (int k = 0; k <= 2 * pieces; ++k) {
    const double part = std::abs(static_cast<double>(k) / pieces - 1);
    const bool first = k < pieces;
    outer.push_back(first ? Vector2d(0, part * leg) : Vector2d(part * leg, 0));
    inner.push_back(first ? Vector2d(thick, thick + part * (leg - thick))
                          : Vector2d(thick + part * (leg - thick), thick));
  }
  return Extrusion(outer, inner, width, 2, 2, false).make();
}

Part gear() {
  constexpr int teeth = 20, of_tooth = 16;
  constexpr double tip = 18e-3, root = 14.5e-3, hole = 5e-3, height = 8e-3;
  // Root, flank, tip, flank: four points each.
  Ring outer, inner;
  for (int k = 0; k < teeth * of_tooth; ++k) {
    const int at = k % of_tooth;
    const double within = at % 4 / 4.0;
    const double radius = at < 4    ? root
                          : at < 8  ? root + within * (tip - root)
                          : at < 12 ? tip
                                    : tip - within * (tip - root);
    const double angle = 2 * std::numbers::pi * k / (teeth * of_tooth);
    outer.emplace_back(radius * Vector2d(std::cos(angle), std::sin(angle)));
    inner.emplace_back(hole * Vector2d(std::cos(angle), std::sin(angle)));
  }
  return Extrusion(outer, inner, height, 2, 2, true).make();
}

// Numbers between 0 and 1, the same everywhere.
class Dice {
 public:
  double next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  unsigned long long state_ = 21;
};

}  // namespace

PartScene poured_parts(int count) {
  constexpr double spacing = 45e-3;
  const int across = count <= 50 ? 3 : 4;
  PartScene scene;
  scene.parts = {nut(), bracket(), gear()};
  for (Part& part : scene.parts) weigh(part);
  Dice dice;
  for (int k = 0; k < count; ++k) {
    const int layer = k / (across * across), row = k / across % across, column = k % across;
    Placed placed;
    placed.position = spacing * Vector3d(column - 0.5 * (across - 1), row - 0.5 * (across - 1), layer + 0.6);
    Eigen::Vector4d q;
    for (int i = 0; i < 4; ++i) q[i] = 2 * dice.next() - 1;
    placed.orientation = Eigen::Quaterniond(q.normalized());
    scene.bodies.push_back(placed);
    scene.part_of.push_back(k % 3);
  }
  const double half = 0.5 * spacing * across;
  scene.walls = {{Vector3d::UnitZ(), 0},
                 {Vector3d::UnitX(), -half},
                 {-Vector3d::UnitX(), -half},
                 {Vector3d::UnitY(), -half},
                 {-Vector3d::UnitY(), -half}};
  return scene;
}

double total_energy(const PartScene& scene, const std::vector<Placed>& bodies) {
  double energy = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Part& part = scene.parts[scene.part_of[b]];
    const Placed& body = bodies[b];
    const Vector3d spin = body.orientation.conjugate() * body.angular_velocity;
    energy += 0.5 * part.mass * body.velocity.squaredNorm() + 0.5 * spin.dot(part.inertia.cwiseProduct(spin)) +
              part.mass * scene.gravity * body.position.z();
  }
  return energy;
}

// A surface in a tree of boxes, halved at the middle of the longest side.
struct OverlapCheck::Surface {
  struct Node {
    Eigen::AlignedBox3d box;
    int first = 0, count = 0;  // triangles of a leaf; else count is 0 and the second child is at `first`
  };
  const Part* part = nullptr;
  std::vector<Vector3d> samples;
  std::vector<int> order;
  std::vector<Node> nodes;

  explicit Surface(const Part& of) : part(&of) {
    constexpr double sample = 0.5e-3;  // m
    samples = of.points;
    for (const auto& t : of.triangles) {
      for (int k = 0; k < 3; ++k) {
        if (t[k] > t[(k + 1) % 3]) continue;  // each edge once
        const Vector3d &from = of.points[t[k]], to = of.points[t[(k + 1) % 3]];
        const int pieces = static_cast<int>(std::ceil((to - from).norm() / sample));
        for (int i = 1; i < pieces; ++i) samples.emplace_back(from + (to - from) * i / pieces);
      }
    }
    order.resize(of.triangles.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<int>(k);
    build(0, static_cast<int>(order.size()));
  }
  const Vector3d& corner(int triangle, int k) const { return part->points[part->triangles[triangle][k]]; }
  Vector3d middle(int t) const { return (corner(t, 0) + corner(t, 1) + corner(t, 2)) / 3; }

  int build(int first, int last) {
    const int own = static_cast<int>(nodes.size());
    nodes.emplace_back();
    Eigen::AlignedBox3d box;
    for (int k = first; k < last; ++k)
      for (int c = 0; c < 3; ++c) box.extend(corner(order[k], c));
    nodes[own].box = box;
    if (last - first <= 4) {
      nodes[own].first = first, nodes[own].count = last - first;
      return own;
    }
    int axis = 0;
    box.sizes().maxCoeff(&axis);
    const int half = (first + last) / 2;
    std::nth_element(order.begin() + first, order.begin() + half, order.begin() + last,
                     [&](int a, int b) { return middle(a)[axis] < middle(b)[axis]; });
    build(first, half);
    nodes[own].first = build(half, last);
    return own;
  }

  static Vector3d nearest_on(const Vector3d& p, const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    const Vector3d normal = (b - a).cross(c - a), foot = p - normal * (normal.dot(p - a) / normal.squaredNorm());
    const std::array<const Vector3d*, 3> corners = {&a, &b, &c};
    bool within = true;
    Vector3d best = a;
    double least = 1e300;
    for (int k = 0; k < 3; ++k) {
      const Vector3d &from = *corners[k], along = *corners[(k + 1) % 3] - from;
      if (normal.dot(along.cross(p - from)) < 0) within = false;
      const Vector3d on = from + std::clamp(along.dot(p - from) / along.squaredNorm(), 0.0, 1.0) * along;
      if ((on - p).squaredNorm() < least) least = (on - p).squaredNorm(), best = on;
    }
    return within ? foot : best;
  }

  // m².
  void nearest(int node, const Vector3d& p, double& least) const {
    const Node& here = nodes[node];
    if (here.box.squaredExteriorDistance(p) >= least) return;
    for (int k = here.first; k < here.first + here.count; ++k) {
      const Vector3d on = nearest_on(p, corner(order[k], 0), corner(order[k], 1), corner(order[k], 2));
      least = std::min(least, (on - p).squaredNorm());
    }
    if (here.count == 0) nearest(node + 1, p, least), nearest(here.first, p, least);
  }

  // Crossings of a ray.
  int crossings(int node, const Vector3d& p, const Vector3d& d) const {
    const Node& here = nodes[node];
    double from = 0, to = 1e300;
    for (int k = 0; k < 3; ++k) {
      const double one = (here.box.min()[k] - p[k]) / d[k], two = (here.box.max()[k] - p[k]) / d[k];
      from = std::max(from, std::min(one, two)), to = std::min(to, std::max(one, two));
    }
    if (from > to) return 0;
    if (here.count == 0) return crossings(node + 1, p, d) + crossings(here.first, p, d);
    int count = 0;
    for (int k = here.first; k < here.first + here.count; ++k) {
      const Vector3d &a = corner(order[k], 0), u = corner(order[k], 1) - a, v = corner(order[k], 2) - a;
      const Vector3d h = d.cross(v), s = p - a, q = s.cross(u);
      const double scale = u.dot(h);
      if (scale == 0) continue;
      const double x = s.dot(h) / scale, y = d.dot(q) / scale;
      count += x >= 0 && y >= 0 && x + y <= 1 && v.dot(q) / scale > 0 ? 1 : 0;
    }
    return count;
  }
  bool contains(const Vector3d& p) const {
    int votes = 0;
    for (const Vector3d& d :
         {Vector3d(0.531, 0.711, 0.459), Vector3d(-0.613, 0.239, 0.753), Vector3d(0.173, -0.907, 0.383)})
      votes += crossings(0, p, d) % 2;
    return votes >= 2;
  }
};

OverlapCheck::OverlapCheck(const PartScene& scene) : scene_(scene) {
  for (const Part& part : scene.parts) surfaces_.emplace_back(part);
}
OverlapCheck::~OverlapCheck() = default;

// m, of the deepest point of one body in another; 0: none is.
double OverlapCheck::depth(int inside, int outside, const std::vector<Placed>& bodies) const {
  const Surface &from = surfaces_[scene_.part_of[inside]], &to = surfaces_[scene_.part_of[outside]];
  const Eigen::Quaterniond back = bodies[outside].orientation.conjugate(), turn = back * bodies[inside].orientation;
  const Eigen::Matrix3d axes = turn.toRotationMatrix();
  const Vector3d offset = back * (bodies[inside].position - bodies[outside].position);
  double deepest = 0;
  for (const Vector3d& sample : from.samples) {
    const Vector3d p = offset + axes * sample;
    if (!to.nodes[0].box.contains(p) || !to.contains(p)) continue;
    double least = 1e300;
    to.nearest(0, p, least);
    deepest = std::max(deepest, std::sqrt(least));
  }
  return deepest;
}

Overlaps OverlapCheck::of(const std::vector<Placed>& bodies) const {
  Overlaps all;
  const auto add = [&](double depth) {
    if (!(depth > 0)) return;
    ++all.pairs;
    all.sum += depth;
    all.deepest = std::max(all.deepest, depth);
  };
  const int count = static_cast<int>(bodies.size());
  for (int a = 0; a < count; ++a) {
    const Part& part = scene_.parts[scene_.part_of[a]];
    for (int b = 0; b < a; ++b) {
      if ((bodies[a].position - bodies[b].position).norm() < part.radius + scene_.parts[scene_.part_of[b]].radius)
        add(std::max(depth(a, b, bodies), depth(b, a, bodies)));
    }
    for (const Wall& wall : scene_.walls) {
      double least = 0;
      for (const Vector3d& point : part.points)
        least = std::min(least, wall.normal.dot(bodies[a].position + bodies[a].orientation * point) - wall.distance);
      add(-least);
    }
  }
  return all;
}

}  // namespace carom::benchmarks
