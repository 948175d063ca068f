#include "viewing/bearing_solids.h"

#include <algorithm>
#include <cmath>

#include "bearings/designations.h"
#include "bearings/quasi_static.h"
#include "model/ring_frames.h"

namespace carom::inline viewing {
namespace {

constexpr int steel = 0xAEB6C2, cage_color = 0xB9904A;

// A ring about z: from one radius to another, from one height to another.
Solid tube(double inner, double outer, double low, double high, int sides) {
  Solid solid;
  const double radii[] = {inner, outer, outer, inner}, heights[] = {low, low, high, high};
  for (int corner = 0; corner < 4; ++corner) {
    for (const Eigen::Vector2d& point : circle_points(radii[corner], sides))
      solid.points.emplace_back(point.x(), point.y(), heights[corner]);
  }
  for (int corner = 0; corner < 4; ++corner) {
    const int here = corner * sides, there = (corner + 1) % 4 * sides;
    for (int k = 0; k < sides; ++k) {
      const int next = (k + 1) % sides;
      solid.faces.push_back({here + k, here + next, there + next, there + k});
    }
  }
  solid.edges = crease_lines(solid);
  return solid;
}

struct Section {
  double bore = 0, outside = 0, width = 0;  // m
};

// By the standard, or as wide and thick as rings usually are.
Section section_of(const Settings& settings, const RollingGeometry& geometry) {
  const auto known = find_designation(settings.text("designation"));
  const double size = geometry.element_diameter, pitch = geometry.pitch_diameter;
  const double rows = static_cast<double>(geometry.rows.size() - 1) * settings.number("row_distance");
  if (known) return {known->bore, known->outer, known->width + rows};
  return {std::max(0.2 * pitch, pitch - 1.7 * size), pitch + 1.7 * size,
          rows + (geometry.balls() ? 1.6 * size : 1.25 * geometry.length)};
}

// Axes of the bearing in those of a body: x where azimuths count from.
Eigen::Matrix3d frame_of(const Model& model, const Settings& settings, const Attachment& at) {
  if (settings.has("markers")) return at.frame;
  const Eigen::Matrix3d turn = body_at(model, at.body).orientation.toRotationMatrix();
  return turn.transpose() * bearing_axes(turn * at.frame.col(2));
}

void add_rings(const RollingGeometry& geometry, const Section& section, int sides, DrawnBearing& drawn) {
  const double pitch = geometry.pitch_diameter / 2, element = geometry.element_diameter / 2, half = section.width / 2;
  if (geometry.type == BearingType::thrust_ball) {
    // Washers on both sides; the outer race is the lower one where the inner is pushed along the axis.
    const double direction = geometry.rows.front().direction, near = 0.55 * element;
    for (const int side : {0, 1}) {
      const double sign = side == 0 ? direction : -direction;
      drawn.ring[side] = tube(section.bore / 2, section.outside / 2, std::min(sign * near, sign * half),
                              std::max(sign * near, sign * half), sides);
    }
  } else {
    drawn.ring[0] = tube(pitch + (geometry.balls() ? 0.55 : 1.0) * element, section.outside / 2, -half, half, sides);
    drawn.ring[1] = tube(section.bore / 2, pitch - (geometry.balls() ? 0.55 : 1.0) * element, -half, half, sides);
  }
  for (const BearingRow& row : geometry.rows)
    append(drawn.cage, tube(pitch - 0.15 * element, pitch + 0.15 * element, row.position - 0.3 * element,
                            row.position + 0.3 * element, sides));
}

}  // namespace

DrawnBearing drawn_bearing(const Model& model, const BearingModel& bearing, int sides) {
  const Settings& settings = bearing.element.settings;
  RollingGeometry geometry = stated_geometry(settings);
  geometry.first_angle = bearing.first_angle;
  DrawnBearing drawn;
  drawn.radius = geometry.element_diameter / 2, drawn.length = geometry.balls() ? 0 : geometry.length;
  add_rings(geometry, section_of(settings, geometry), sides, drawn);
  const AttachmentPair pair = attach_pair(model, settings);
  const auto origin_of = [&](int side) {
    return Eigen::Vector3d(pair.at[side].point + body_at(model, pair.at[side].body).center_of_mass);
  };
  const Eigen::Matrix3d frame = frame_of(model, settings, pair.at[0]);
  for (const BearingRow& row : geometry.rows) {
    // A ball in four points has two lines of contact, and loads of each.
    const int lines = geometry.type == BearingType::four_point ? 2 : 1;
    for (int k = 0; k < lines * geometry.elements; ++k) {
      const double angle = geometry.first_angle + 2 * M_PI * k / geometry.elements;
      const Eigen::Vector3d outwards(std::cos(angle), std::sin(angle), 0);
      const double lean = geometry.balls() ? 0 : row.direction * geometry.contact_angle;
      drawn.elements.push_back(
          {origin_of(0) + frame * (geometry.pitch_diameter / 2 * outwards + row.position * Eigen::Vector3d::UnitZ()),
           frame * (std::cos(lean) * Eigen::Vector3d::UnitZ() - std::sin(lean) * outwards)});
    }
  }
  for (const int side : {0, 1}) {
    drawn.body[side] = pair.at[side].body;
    place(drawn.ring[side], origin_of(side), Eigen::Quaterniond(frame_of(model, settings, pair.at[side])));
  }
  place(drawn.cage, origin_of(0), Eigen::Quaterniond(frame));
  return drawn;
}

double bearing_reach(const BearingModel& bearing) {
  const Settings& settings = bearing.element.settings;
  const Section section = section_of(settings, stated_geometry(settings));
  return std::hypot(section.outside, section.width) / 2;
}

void add_bearings(const Model& model, int sides, std::vector<DrawnPart>& parts) {
  for (const BearingModel& bearing : model.bearings) {
    if (!bearing.is_element) continue;
    DrawnBearing drawn = drawn_bearing(model, bearing, sides);
    for (const int side : {0, 1}) parts.push_back({drawn.body[side], steel, std::move(drawn.ring[side])});
    parts.push_back({drawn.body[0], cage_color, std::move(drawn.cage)});
    for (const DrawnElement& element : drawn.elements) {
      Solid solid =
          drawn.length > 0 ? cylinder_solid(drawn.radius, drawn.length, sides / 2) : ball_solid(drawn.radius, sides);
      place(solid, element.center, Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), element.axis));
      parts.push_back({drawn.body[0], steel, std::move(solid)});
    }
  }
}

}  // namespace carom::inline viewing
