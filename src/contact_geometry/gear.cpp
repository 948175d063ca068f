#include "contact_geometry/made_outlines.h"

// Involute gears about the origin, teeth at angle 0; and racks along x, teeth up, pitch line y = 0.
namespace carom::inline contact_geometry {

namespace {

constexpr double least_roll = 0.03;  // rad: flanks go on straight below, where the involute leaves its base circle

struct GearSizes {
  double module, angle, shift, addendum, dedendum, backlash, fillet, relief, relief_height;
  bool fillet_given;
  int teeth;
  double pitch() const { return module * teeth / 2; }
  double base() const { return pitch() * std::cos(angle); }
  double roll(double radius) const {
    const double part = radius / base();
    return std::sqrt(std::max(0.0, part * part - 1));
  }
  // rad, half of a tooth on the base circle; `slack` is taken from its thickness, m.
  double half_tooth(double slack) const {
    const double thickness = module * (M_PI / 2 + 2 * shift * std::tan(angle)) - slack;
    return thickness / (2 * pitch()) + std::tan(angle) - angle;
  }
};

GearSizes gear_sizes(const Settings& keys) {
  GearSizes sizes{};
  sizes.module = keys.number("module");
  sizes.angle = keys.number("pressure_angle", M_PI / 9);
  sizes.shift = keys.number("profile_shift", 0);
  sizes.addendum = keys.number("addendum", sizes.module);
  sizes.dedendum = keys.number("dedendum", 1.25 * sizes.module);
  sizes.backlash = keys.number("backlash", 0);
  sizes.fillet_given = keys.has("fillet_radius");
  sizes.fillet = keys.number("fillet_radius", 0.3 * sizes.module);
  sizes.relief = keys.number("tip_relief", 0);
  sizes.relief_height = keys.number("relief_height", 0.6 * sizes.module);
  sizes.teeth = static_cast<int>(keys.number("teeth"));
  if (sizes.backlash >= 0.5 * M_PI * sizes.module)
    refuse_outline(fmt::format("a `backlash` of {:.6g} m takes the teeth away, which are {:.6g} m thick",
                               sizes.backlash, M_PI * sizes.module / 2));
  return sizes;
}

// The lower flank of a tooth, from roll angle to roll angle, outwards. β: where the involute leaves the base circle.
CurvePiece involute_piece(double base, double beta, double from, double to) {
  CurvePiece piece;
  piece.kind = CurvePiece::Kind::involute;
  piece.c[1] = polar(base, beta);
  piece.c[2] = polar(base, beta + M_PI / 2);
  piece.phase = from;
  piece.turn = to - from;
  return piece;
}

// The same with a parabola taken off its tip, in four pieces: e − (φ − c(φ)/r) e', c = relief ((φ − φ₁)/(φ₂ − φ₁))².
OutlineLoop relieved_flank(double base, double beta, double from, double to, double relief) {
  const double span = to - from, c = relief / base;
  return follow_curve(
      [=](double u) {
        const double phi = from + span * u;
        const Eigen::Vector2d e = polar(base, beta + phi), across = polar(base, beta + phi + M_PI / 2);
        const double string = phi - c * u * u, rate = span - 2 * c * u, bend = -2 * c;
        return CurvePoint{
            e - string * across, span * across - rate * across + span * string * e,
            span * ((span - rate) * (-e)) - bend * across + span * rate * e + span * span * string * across};
      },
      4);
}

// Half a tooth of an external gear: from the middle of the space before it to its tip, whose middle is at angle 0.
OutlineLoop half_external_tooth(const GearSizes& sizes) {
  const double base = sizes.base(), tip = sizes.pitch() + sizes.addendum + sizes.shift * sizes.module;
  const double root = sizes.pitch() - sizes.dedendum + sizes.shift * sizes.module;
  const double beta = -sizes.half_tooth(sizes.backlash / 2), last = sizes.roll(tip);
  if (!(root > 0))
    refuse_outline(fmt::format("a gear whose root is {:.6g} m from its centre; it needs more teeth", root));
  if (!(tip > base)) refuse_outline("teeth that end below the base circle; make `addendum` larger");
  if (beta + last - std::atan(last) >= 0) {
    refuse_outline(
        fmt::format("teeth that come to a point below the tip circle of {:.6g} m; make `addendum`, "
                    "`profile_shift` or `backlash` smaller",
                    tip));
  }
  const double least_shift = 1 - sizes.teeth * std::pow(std::sin(sizes.angle), 2) / 2;
  if (sizes.shift < least_shift - 0.05) {
    refuse_outline(
        fmt::format("{} teeth with a `profile_shift` of {:.3g} are undercut by the cutter, which is not modelled; "
                    "shift the profile by {:.3g} or more",
                    sizes.teeth, sizes.shift, least_shift));
  }
  // The fillet touches the root circle and the flank: the involute, or the straight line below it.
  for (double fillet = sizes.fillet;; fillet *= 0.9) {
    const double on_involute = sizes.roll(root + fillet) > 0 ? sizes.roll(root + fillet) - fillet / base : 0;
    const double first = std::max(on_involute, least_roll);
    const CurvePoint start = involute_piece(base, beta, first, last).at(0);
    const Eigen::Vector2d along = start.first.normalized(), out = right_of(along);
    Eigen::Vector2d centre = start.position + fillet * out;
    double down = 0;
    if (on_involute < least_roll) {
      const double middle = along.dot(centre),
                   square = middle * middle - centre.squaredNorm() + std::pow(root + fillet, 2);
      if (square >= 0) down = -middle + std::sqrt(square);
      centre += down * along;
    }
    const double half = M_PI / sizes.teeth + angle_of(centre);  // of the root circle that is left
    if (!(half > 0)) {
      if (sizes.fillet_given || fillet < 1e-3 * sizes.module)
        refuse_outline(
            fmt::format("a `fillet_radius` of {:.6g} m has no room between the teeth; make it smaller", sizes.fillet));
      continue;
    }
    OutlineLoop part;
    const Eigen::Vector2d foot = root / (root + fillet) * centre, low = centre - fillet * out;
    part.push_back(CurvePiece::arc(Eigen::Vector2d::Zero(), root, -M_PI / sizes.teeth, half));
    part.push_back(CurvePiece::arc_between(foot, low, centre, false));
    if ((start.position - low).norm() > 1e-7 * sizes.module) part.push_back(CurvePiece::line(low, start.position));
    const double relieved = sizes.relief > 0 ? std::max(first + 1e-3, sizes.roll(tip - sizes.relief_height)) : last;
    part.push_back(involute_piece(base, beta, first, relieved));
    if (sizes.relief > 0) {
      for (const CurvePiece& piece : relieved_flank(base, beta, relieved, last, sizes.relief)) part.push_back(piece);
    }
    const Eigen::Vector2d top = part.back().end();
    part.push_back(CurvePiece::arc(Eigen::Vector2d::Zero(), top.norm(), angle_of(top), -angle_of(top)));
    return part;
  }
}

// The half and its mirror image.
OutlineLoop whole_tooth(OutlineLoop half) {
  const std::size_t count = half.size();
  for (std::size_t k = count; k-- > 0;) half.push_back(mirrored_piece(half[k]));
  return half;
}

// Halves of arcs about the origin become one.
OutlineLoop joined_arcs(const OutlineLoop& loop) {
  OutlineLoop result;
  const auto is_same = [](const CurvePiece& one, const CurvePiece& two) {
    const auto side = [](const CurvePiece& piece) { return piece.turn * cross_of(piece.c[1], piece.c[2]) > 0; };
    return one.is_arc() && two.is_arc() && one.c[0].norm() + two.c[0].norm() < 1e-12 * one.radius() &&
           std::abs(one.radius() - two.radius()) < 1e-12 * one.radius() && side(one) == side(two);
  };
  const auto join = [](const CurvePiece& one, const CurvePiece& two) {
    return CurvePiece::arc_between(one.start(), two.end(), Eigen::Vector2d::Zero(),
                                   one.turn * cross_of(one.c[1], one.c[2]) > 0);
  };
  for (const CurvePiece& piece : loop) {
    if (!result.empty() && is_same(result.back(), piece)) {
      result.back() = join(result.back(), piece);
    } else {
      result.push_back(piece);
    }
  }
  if (result.size() > 2 && is_same(result.back(), result.front())) {
    result.front() = join(result.back(), result.front());
    result.pop_back();
  }
  return result;
}

void take_gear(const Settings& keys, Shape<2>& shape) {
  const GearSizes sizes = gear_sizes(keys);
  if (sizes.teeth < 4) refuse_outline(fmt::format("a gear of {} teeth; it needs 4 or more", sizes.teeth));
  std::vector<OutlineLoop> loops = {joined_arcs(repeat_about(whole_tooth(half_external_tooth(sizes)), sizes.teeth))};
  add_bore(keys, sizes.pitch() - sizes.dedendum + sizes.shift * sizes.module, loops);
  shape.data = made_outline(std::move(loops), keys);
}

// The teeth of a ring are the spaces of an external gear.
void take_internal_gear(const Settings& keys, Shape<2>& shape) {
  const GearSizes sizes = gear_sizes(keys);
  const double base = sizes.base(), tip = sizes.pitch() - sizes.addendum + sizes.shift * sizes.module;
  const double root = sizes.pitch() + sizes.dedendum + sizes.shift * sizes.module;
  const double beta = -sizes.half_tooth(-sizes.backlash / 2), first = sizes.roll(tip), last = sizes.roll(root);
  if (first < least_roll) {
    refuse_outline(
        fmt::format("teeth of a ring that reach below its base circle of {:.6g} m; it needs more teeth, or a "
                    "smaller `addendum`",
                    base));
  }
  if (beta + last - std::atan(last) >= 0)
    refuse_outline("spaces of a ring that come to a point; make `dedendum` smaller");
  const CurvePiece flank = involute_piece(base, beta, first, last);
  const double low = angle_of(flank.start()), high = angle_of(flank.end());
  if (!(low > -M_PI / sizes.teeth)) refuse_outline("teeth of a ring that come to a point; make `addendum` smaller");
  OutlineLoop half = {CurvePiece::arc(Eigen::Vector2d::Zero(), tip, -M_PI / sizes.teeth, low + M_PI / sizes.teeth),
                      flank, CurvePiece::arc(Eigen::Vector2d::Zero(), root, high, -high)};
  const double outside = keys.number("outer_diameter", 2 * (root + 2 * sizes.module)) / 2;
  if (!(outside > root))
    refuse_outline(fmt::format("an `outer_diameter` of {:.6g} m within the roots of the teeth at {:.6g} m", 2 * outside,
                               2 * root));
  shape.data = made_outline({{CurvePiece::arc(Eigen::Vector2d::Zero(), outside, 0, 2 * M_PI)},
                             joined_arcs(repeat_about(whole_tooth(half), sizes.teeth))},
                            keys);
}

void take_rack(const Settings& keys, Shape<2>& shape) {
  const GearSizes sizes = gear_sizes(keys);
  const double step = M_PI * sizes.module, slope = std::tan(sizes.angle);
  const double half = step / 4 - sizes.backlash / 4, top = half - sizes.addendum * slope,
               foot = half + sizes.dedendum * slope;
  if (!(top > 0)) refuse_outline("teeth of a rack that come to a point; make `addendum` smaller");
  if (!(foot < step / 2)) refuse_outline("teeth of a rack that meet at their roots; make `dedendum` smaller");
  const double base = -sizes.dedendum - keys.number("bar_height", 2 * sizes.module), width = step * sizes.teeth / 2;
  std::vector<Eigen::Vector2d> points = {{-width, base}, {width, base}, {width, -sizes.dedendum}};
  for (int k = sizes.teeth - 1; k >= 0; --k) {
    const double x = (k - (sizes.teeth - 1) / 2.0) * step;
    points.insert(points.end(), {{x + foot, -sizes.dedendum},
                                 {x + top, sizes.addendum},
                                 {x - top, sizes.addendum},
                                 {x - foot, -sizes.dedendum}});
  }
  points.emplace_back(-width, -sizes.dedendum);
  OutlineLoop loop;
  for (std::size_t k = 0; k < points.size(); ++k)
    loop.push_back(CurvePiece::line(points[k], points[(k + 1) % points.size()]));
  shape.data = made_outline({loop}, keys);
}

ParameterDescription length_key(std::string name, std::string meaning, std::string default_text) {
  return {.name = std::move(name),
          .unit = "m",
          .meaning = std::move(meaning),
          .default_text = std::move(default_text),
          .minimum = 0};
}

}  // namespace

ShapeDescription<2> describe_gear() {
  ShapeDescription<2> shape = describe_as_outline("gear");
  shape.required = {"module", "teeth"};
  shape.optional = {"pressure_angle", "profile_shift", "addendum",      "dedendum",      "backlash",
                    "fillet_radius",  "tip_relief",    "relief_height", "bore_diameter", "edge_radius"};
  shape.keys = {
      {.name = "module",
       .unit = "m",
       .meaning = "of an involute gear: pitch diameter over number of teeth",
       .minimum = 0,
       .minimum_allowed = false},
      teeth_key(),
      {.name = "pressure_angle",
       .unit = "rad",
       .meaning = "of an involute gear, at its pitch circle",
       .default_text = "20 deg",
       .minimum = 0.05,
       .maximum = 0.8},
      {.name = "profile_shift",
       .meaning = "of an involute gear: by how many modules the cutter is moved outwards",
       .default_text = "0",
       .minimum = -2,
       .maximum = 2},
      length_key("addendum", "of an involute gear: height of its teeth above the pitch circle", "one module"),
      length_key("dedendum", "of an involute gear: depth of its spaces below the pitch circle", "1.25 modules"),
      length_key("backlash",
                 "of a pair of gears, along the pitch circle, of which every gear takes half from its teeth", "0"),
      length_key("fillet_radius", "of an external gear, at the roots of its teeth",
                 "0.3 modules, or as much as has room"),
      length_key("tip_relief",
                 "of an external gear: what is taken off the flank at the tip, growing with the square of the way",
                 "0"),
      length_key("relief_height", "of an external gear: how far below the tip the relief starts", "0.6 modules"),
      bore_key()};
  shape.take = take_guarded<take_gear>;
  return shape;
}

ShapeDescription<2> describe_internal_gear() {
  ShapeDescription<2> shape = describe_as_outline("internal_gear");
  shape.required = {"module", "teeth"};
  shape.optional = {"pressure_angle", "profile_shift",  "addendum",   "dedendum",
                    "backlash",       "outer_diameter", "edge_radius"};
  shape.keys = {length_key("outer_diameter", "of an internal gear, a ratchet or a sprocket",
                           "of an internal gear its roots and four modules")};
  shape.take = take_guarded<take_internal_gear>;
  return shape;
}

ShapeDescription<2> describe_rack() {
  ShapeDescription<2> shape = describe_as_outline("rack");
  shape.required = {"module", "teeth"};
  shape.optional = {"pressure_angle", "addendum", "dedendum", "backlash", "bar_height", "edge_radius"};
  shape.keys = {length_key("bar_height", "of a rack: of the bar below its teeth", "two modules")};
  shape.take = take_guarded<take_rack>;
  return shape;
}

}  // namespace carom::inline contact_geometry
