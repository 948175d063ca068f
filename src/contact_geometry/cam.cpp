#include "contact_geometry/made_outlines.h"
#include "math/spline.h"

// The cam that gives a follower its lift over one turn, about the origin. The angle is that of the follower's line, in
// the axes of the cam.
namespace carom::inline contact_geometry {

namespace {

constexpr int pieces_of_cam = 720;

struct Lift {
  double value, rate, bend;  // by the angle
};

// A table is continued over several turns, so that its spline is as smooth at its ends as between them.
std::function<Lift(double)> periodic_lift(const Function& law) {
  const double turn = 2 * M_PI;
  if (const auto table = law.table_points(); table && table->interpolation == Interpolation::cubic) {
    std::vector<double> x, y;
    const std::size_t own = table->x.size() - 1;
    if (own < 3 || std::abs(table->x.front()) > 1e-9 || std::abs(table->x.back() - turn) > 1e-6)
      refuse_outline("a lift by a table of 4 points or more, from 0 to one turn");
    const int copies = 1 + static_cast<int>(30 / own);
    for (int copy = -copies; copy <= copies; ++copy) {
      for (std::size_t k = 0; k < own; ++k) x.push_back(table->x[k] + turn * copy), y.push_back(table->y[k]);
    }
    x.push_back(turn * (copies + 1)), y.push_back(table->y[0]);
    const Spline spline = Spline::through(x, y, Interpolation::cubic);
    return [spline](double angle) {
      const auto jet = spline.derivatives(angle);
      return Lift{jet.value, jet.first, jet.second};
    };
  }
  return [law](double angle) {
    const auto jet = law.derivatives(angle);
    return Lift{jet.value, jet.first, jet.second};
  };
}

// In the turning axes of the follower: A along its line, B across; with their first and second derivatives.
struct Guide {
  double a, a1, a2, b, b1, b2;
  Eigen::Vector2d place(double angle) const { return polar(a, angle) + polar(b, angle + M_PI / 2); }
  Eigen::Vector2d first(double angle) const { return polar(a1 - b, angle) + polar(a + b1, angle + M_PI / 2); }
  Eigen::Vector2d second(double angle) const {
    return polar(a2 - 2 * b1 - a, angle) + polar(2 * a1 + b2 - b, angle + M_PI / 2);
  }
};

// What the edge of a roller whose centre goes along the guide leaves of the cam.
CurvePoint under_roller(const Guide& guide, double angle, double roller) {
  const Eigen::Vector2d first = guide.first(angle), second = guide.second(angle);
  const double speed = first.norm(), curvature = cross_of(first, second) / (speed * speed * speed);
  const double left = 1 - roller * curvature;
  if (!(left > 0)) {
    refuse_outline(
        fmt::format("a cam that its roller would cut away at {:.1f} deg: the path of the roller's centre has a "
                    "radius of {:.6g} m there; make `roller_radius` smaller or `base_radius` larger",
                    angle * 180 / M_PI, 1 / curvature));
  }
  return {guide.place(angle) - roller * right_of(first / speed), left * first, Eigen::Vector2d::Zero()};
}

CurvePiece hermite(const CurvePoint& from, const CurvePoint& to, double span) {
  return CurvePiece::cubic(from.position, from.position + span / 3 * from.first, to.position - span / 3 * to.first,
                           to.position);
}

std::function<CurvePoint(double)> cam_curve(const Settings& keys) {
  const double base = keys.number("base_radius"), roller = keys.number("roller_radius", 0);
  const std::string follower = keys.text("follower", "roller");
  if (follower == "oscillating") {
    const double distance = keys.number("pivot_distance"), arm = keys.number("arm_length");
    if (!keys.has("swing") || !(distance > 0) || !(arm > 0))
      refuse_outline("an oscillating follower needs `swing`, `pivot_distance` and `arm_length`");
    const double cosine = (distance * distance + arm * arm - std::pow(base + roller, 2)) / (2 * distance * arm);
    if (!(std::abs(cosine) < 1))
      refuse_outline(
          "an arm that does not reach the base circle; check `pivot_distance`, `arm_length` and `base_radius`");
    const auto swing = periodic_lift(keys.function("swing"));
    return [=](double angle) {
      const Lift lift = swing(angle);
      const double psi = std::acos(cosine) + lift.value, s = arm * std::sin(psi), c = arm * std::cos(psi);
      const double rate = lift.rate, square = rate * rate;
      return under_roller(
          {distance - c, s * rate, c * square + s * lift.bend, -s, -c * rate, s * square - c * lift.bend}, angle,
          roller);
    };
  }
  if (!keys.has("lift")) refuse_outline("a cam needs its `lift` over the angle");
  const auto lift = periodic_lift(keys.function("lift"));
  if (follower == "flat") {
    return [=](double angle) -> CurvePoint {
      const Lift now = lift(angle);
      const double radius = base + now.value + now.bend;
      if (!(radius > 0)) {
        refuse_outline(
            fmt::format("a cam that its flat follower would cut away at {:.1f} deg, by {:.6g} m; make "
                        "`base_radius` larger",
                        angle * 180 / M_PI, -radius));
      }
      return {polar(base + now.value, angle) + polar(now.rate, angle + M_PI / 2), polar(radius, angle + M_PI / 2),
              Eigen::Vector2d::Zero()};
    };
  }
  const double offset = keys.number("offset", 0), square = std::pow(base + roller, 2) - offset * offset;
  if (!(square > 0)) refuse_outline("an `offset` larger than the base circle");
  return [=](double angle) {
    const Lift now = lift(angle);
    return under_roller({std::sqrt(square) + now.value, now.rate, now.bend, offset, 0, 0}, angle, roller);
  };
}

void take_cam(const Settings& keys, Shape<2>& shape) {
  const auto curve = cam_curve(keys);
  OutlineLoop loop;
  const double span = 2 * M_PI / pieces_of_cam;
  const CurvePoint start = curve(0), end = curve(2 * M_PI);
  if ((start.position - end.position).norm() > 1e-7 * keys.number("base_radius"))
    refuse_outline(fmt::format("a lift that does not come back: it differs by {:.3g} m after one turn",
                               (start.position - end.position).norm()));
  CurvePoint before = start;
  for (int k = 1; k <= pieces_of_cam; ++k) {
    const CurvePoint here = k == pieces_of_cam ? start : curve(k * span);
    loop.push_back(hermite(before, here, span));
    before = here;
  }
  double inner = start.position.norm();
  for (const CurvePiece& piece : loop) inner = std::min(inner, piece.start().norm());
  std::vector<OutlineLoop> loops = {std::move(loop)};
  add_bore(keys, inner, loops);
  shape.data = made_outline(std::move(loops), keys);
}

}  // namespace

ShapeDescription<2> describe_cam() {
  const auto length = [](std::string name, std::string meaning, std::string default_text) {
    return ParameterDescription{
        .name = std::move(name), .unit = "m", .meaning = std::move(meaning), .default_text = std::move(default_text)};
  };
  ShapeDescription<2> shape = describe_as_outline("cam");
  shape.required = {"base_radius"};
  shape.optional = {"follower",       "lift",       "swing",         "roller_radius", "offset",
                    "pivot_distance", "arm_length", "bore_diameter", "edge_radius"};
  shape.keys = {
      length("base_radius", "of a cam: of the circle below its lift", ""),
      {.name = "follower",
       .kind = ParameterKind::choice,
       .meaning = "of a cam: a flat plate or a roller that moves along a line, or a roller on an arm that swings",
       .default_text = "roller",
       .choices = {"flat", "roller", "oscillating"}},
      {.name = "lift",
       .kind = ParameterKind::function,
       .unit = "m",
       .meaning = "of the follower of a cam, over the angle of its line in the axes of the cam, from 0 to one "
                  "turn; a table is continued smoothly",
       .arguments = {"angle"},
       .argument_units = {"rad"}},
      {.name = "swing",
       .kind = ParameterKind::function,
       .unit = "rad",
       .meaning = "of an oscillating follower: angle of its arm from where it rests on the base circle",
       .arguments = {"angle"},
       .argument_units = {"rad"}},
      length("roller_radius", "of the follower of a cam; 0: an edge", "0"),
      length("offset", "of the line of a roller from the axis of its cam", "0"),
      length("pivot_distance", "of the arm of an oscillating follower from the axis of the cam", ""),
      length("arm_length", "of an oscillating follower, to the centre of its roller", ""),
      bore_key()};
  shape.keys.front().minimum = 0, shape.keys.front().minimum_allowed = false;
  shape.take = take_guarded<take_cam>;
  return shape;
}

}  // namespace carom::inline contact_geometry
