#include "contact_geometry/groove.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "contact_geometry/outline_of_shape.h"
#include "contact_geometry/pair.h"
#include "contact_geometry/profile_search.h"
#include "contact_geometry/shape_description.h"

namespace carom::inline contact_geometry {

namespace {

constexpr double sharper = 1.2;  // than the samples of a curve tell

CurvePlace place_at(const CurvePoint& at, const Eigen::Vector2d& point) {
  CurvePlace place;
  place.position = at.position;
  place.tangent = at.first.normalized();
  place.normal = outward_of(at.first);
  place.height = place.normal.dot(point - at.position);
  place.curvature = cross(at.first, at.second)[0] / std::pow(at.first.squaredNorm(), 1.5);
  return place;
}

// On the straight line that continues an open curve.
CurvePlace place_beyond(const CurvePoint& end, const Eigen::Vector2d& point) {
  CurvePlace place = place_at(end, point);
  place.position += place.tangent.dot(point - end.position) * place.tangent;
  place.curvature = 0;
  return place;
}

CurvePlace place_on(const Shape<2>& groove, const Shape<2>& pin, const BodyState<2>& body_a,
                    const BodyState<2>& body_b) {
  const Eigen::Vector2d apart = centre_of<2>(pin, body_b) - centre_of<2>(groove, body_a);
  return nearest_place(*groove.profile, to_shape<2>(groove, body_a, apart));
}

void evaluate_groove(const Shape<2>& groove, const Shape<2>& pin, const BodyState<2>& body_a,
                     const BodyState<2>& body_b, ContactPoint<2>* points, double*) {
  const CurvePlace place = place_on(groove, pin, body_a, body_b);
  const Eigen::Vector2d across = to_world<2>(groove, body_a, place.normal), centre = centre_of<2>(pin, body_b);
  for (const int wall : {0, 1}) {
    const Eigen::Vector2d inward = wall == 0 ? Eigen::Vector2d(-across) : across;
    const double room = groove.half[1] + (wall == 0 ? -place.height : place.height);  // from the wall to the centre
    points[wall] = {room - pin.radius, inward, centre - room * inward, centre - pin.radius * inward};
  }
}

Eigen::Vector2d middle(const Shape<2>& groove, const Shape<2>& pin, const BodyState<2>& body_a,
                       const BodyState<2>& body_b) {
  const CurvePlace place = place_on(groove, pin, body_a, body_b);
  return centre_of<2>(groove, body_a) + to_world<2>(groove, body_a, place.position);
}

double groove_clearance(const Shape<2>& groove, const Shape<2>& pin) {
  return groove.half[1] - pin.radius;
}

double groove_sharpness(const Shape<2>& groove) {
  return groove.radius > 0 ? sharper / groove.radius : 0;
}

double groove_thickness(const Shape<2>& groove) {
  return groove.data ? outline_of(groove).thickness() : 0;
}

void take(const Settings& keys, Shape<2>& groove) {
  make_groove(keys.points("points"), keys.boolean("closed", true), keys.number("width"), groove);
  make_walls(groove);
}

ShapeSurface surface(const Shape<2>& groove, int) {
  ShapeSurface result;
  if (!groove.profile) return result;
  for (const auto& line : groove_lines(*groove.profile, 2 * groove.half[1])) {
    std::vector<int>& indices = result.lines.emplace_back();
    for (const Eigen::Vector2d& point : line) {
      indices.push_back(static_cast<int>(result.points.size()));
      result.points.emplace_back(point.x(), point.y(), 0);
    }
  }
  return result;
}

}  // namespace

double CurvePlace::bend() const {
  constexpr double least = 1e-9;  // at the centre of curvature every direction is nearest
  return curvature / std::max(least, 1 + curvature * height);
}

CurvePlace nearest_place(const Profile& curve, const Eigen::Vector2d& point) {
  CurvePlace nearest;
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](const CurvePlace& place) {
    const double distance = (point - place.position).squaredNorm();
    if (distance < least) least = distance, nearest = place;
  };
  const auto along = [&](const CurvePoint& at) { return at.first.dot(point - at.position); };
  const auto slope = [&](const CurvePoint& at) { return at.second.dot(point - at.position) - at.first.squaredNorm(); };
  const auto everywhere = [](const Profile::Sample&, const Profile::Sample&) { return true; };
  for_each_nearest(curve, along, slope, everywhere, [&](double s) { consider(place_at(curve.at(s), point)); });
  if (!curve.is_closed()) {
    const CurvePoint begin = curve.at(0), end = curve.at(curve.end());
    if (along(begin) <= 0) consider(place_beyond(begin, point));
    if (along(end) >= 0) consider(place_beyond(end, point));
  }
  if (std::isfinite(least)) return nearest;
  // At the centre of a circle all places are alike.
  return place_at(curve.at(0), point);
}

double smallest_radius(const Profile& curve) {
  double most = 0;
  const auto samples = curve.samples();
  for (std::size_t k = 0; k + 1 < samples.size(); ++k) {
    const double h = samples[k + 1].s - samples[k].s;
    for (const double part : {0.0, 0.5, 1.0}) most = std::max(most, std::abs(curve.curvature(samples[k].s + part * h)));
  }
  return most > 0 ? 1 / most : std::numeric_limits<double>::infinity();
}

void make_groove(const std::vector<Eigen::Vector3d>& points, bool closed, double width, Shape<2>& groove) {
  groove.kind = groove_kind;
  groove.half = Eigen::Vector2d(0, width / 2);
  std::vector<Eigen::Vector2d> flat;
  for (const Eigen::Vector3d& point : points) flat.push_back(point.head<2>());
  try {
    groove.profile = std::make_shared<const Profile>(Profile::through(std::move(flat), closed));
  } catch (const std::invalid_argument&) {
    return;  // the checks of a model tell
  }
  const double radius = smallest_radius(*groove.profile);
  groove.radius = std::isfinite(radius) ? radius : 0;
}

std::string make_walls(Shape<2>& groove) {
  if (!groove.profile || !(groove.half[1] > 0)) return "a groove without a curve or width";
  try {
    groove.data = std::make_shared<OutlineData>(Outline(*groove.profile, groove.half[1]));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

std::vector<std::vector<Eigen::Vector2d>> groove_lines(const Profile& curve, double width) {
  const int count = std::clamp(static_cast<int>(curve.samples().size()), 64, 512);
  std::vector<std::vector<Eigen::Vector2d>> lines;
  const std::vector<double> sides = width > 0 ? std::vector<double>{0.5, -0.5} : std::vector<double>{0};
  for (const double side : sides) {
    std::vector<Eigen::Vector2d>& line = lines.emplace_back();
    const auto put = [&](double s, double beyond) {
      const CurvePoint at = curve.at(s);
      line.push_back(at.position + beyond * at.first.normalized() + side * width * outward_of(at.first));
    };
    if (!curve.is_closed()) put(0, -width);
    for (int k = 0; k <= count; ++k) put(curve.end() * k / count, 0);
    if (!curve.is_closed()) put(curve.end(), width);
  }
  return lines;
}

ShapeDescription<2> describe_groove() {
  return {.kind = groove_kind,
          .name = "groove",
          .required = {"points", "width"},
          .optional = {"closed"},
          .form = ShapeForm::walls,
          .endless = true,
          .take = take,
          .bounding_radius = without_end<2>,
          .thickness = groove_thickness,
          .turning_radius = does_not_turn<2>,
          .sharpness = groove_sharpness,
          .surface = surface};
}

PairDescription<2> describe_groove_sphere() {
  return {.a = groove_kind,
          .b = ShapeKind::sphere,
          .name = "groove_sphere",
          .summary =
              "a pin in a curved groove: slot 0 the wall on the right of the curve, which is the outer one of a "
              "closed curve, slot 1 the other",
          .points = fixed_count<2, 2>,
          .memory = fixed_count<2, 0>,
          .evaluate = evaluate_groove,
          .effective_radius = no_effective_radius<2>,
          .clearance = groove_clearance,
          .middle = middle};
}

}  // namespace carom::inline contact_geometry
