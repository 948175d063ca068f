#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Choices of a model that the program tells apart, and the names that model files have for them. What is looked up in a
// catalogue (laws, integrators, schemes, joints) goes by its name instead.
namespace carom::inline model {

// What is computed.
enum class Analysis { dynamic, kinematic, statics, linear };
constexpr std::array<std::string_view, 4> names_of(Analysis) {
  return {"dynamic", "kinematic", "static", "linear"};
}

// How contact is treated.
enum class ContactMethod { compliant, nonsmooth };
constexpr std::array<std::string_view, 2> names_of(ContactMethod) {
  return {"compliant", "nonsmooth"};
}

// How smooth integrators keep the constraints.
enum class ConstraintTreatment { projection, baumgarte, index2 };
constexpr std::array<std::string_view, 3> names_of(ConstraintTreatment) {
  return {"projection", "baumgarte", "index2"};
}

// How the start of a contact is met: by root finding, by shorter steps, by linear interpolation, not at all.
enum class PenetrationControl { locate, reject, interpolate, off };
constexpr std::array<std::string_view, 4> names_of(PenetrationControl) {
  return {"locate", "reject", "interpolate", "off"};
}

// Several impacts at one instant: passed on one after the other, or Newton's law for all together.
enum class ImpactOrder { sequential, simultaneous };
constexpr std::array<std::string_view, 2> names_of(ImpactOrder) {
  return {"sequential", "simultaneous"};
}

// What the coefficient of restitution is a ratio of: normal velocities (Newton), normal impulses (Poisson), or its
// square, works of the normal impulse (Stronge).
enum class RestitutionLaw { newton, poisson, energetic };
constexpr std::array<std::string_view, 3> names_of(RestitutionLaw) {
  return {"newton", "poisson", "energetic"};
}

// How surfaces of triangles press on each other: over the areas in which they overlap, or in single points.
enum class ContactRegion { automatic, area, points };
constexpr std::array<std::string_view, 3> names_of(ContactRegion) {
  return {"auto", "area", "points"};
}

// Impacts slower than minimum_speed: as fast as that, or without damping.
enum class SlowContact { floor, elastic };
constexpr std::array<std::string_view, 2> names_of(SlowContact) {
  return {"floor", "elastic"};
}

// The line of a beam: from point to point, an arc through three points, a spline through all.
enum class LineShape { straight, arc, spline };
constexpr std::array<std::string_view, 3> names_of(LineShape) {
  return {"straight", "arc", "spline"};
}

// Of a ball bearing: springs between neighbouring balls, a body with pockets, a full complement.
enum class CageType { springs, rigid, none };
constexpr std::array<std::string_view, 3> names_of(CageType) {
  return {"springs", "rigid", "none"};
}

// What a rolling bearing is.
enum class BearingType {
  deep_groove,
  angular_contact,
  four_point,
  thrust_ball,
  cylindrical_roller,
  tapered_roller,
  needle,
  spherical_roller
};
constexpr std::array<std::string_view, 8> names_of(BearingType) {
  return {"deep-groove",        "angular-contact", "four-point", "thrust-ball",
          "cylindrical-roller", "tapered-roller",  "needle",     "spherical-roller"};
}
constexpr bool has_balls(BearingType type) {
  return type <= BearingType::thrust_ball;
}

// How a rolling bearing in space is computed: its elements in equilibrium at each instant, or bodies of their own.
enum class BearingDetail { quasi_static, dynamic };
constexpr std::array<std::string_view, 2> names_of(BearingDetail) {
  return {"quasi-static", "dynamic"};
}

// How the rows of a bearing face each other: all alike, with lines of contact that spread, or that meet.
enum class BearingArrangement { tandem, back_to_back, face_to_face };
constexpr std::array<std::string_view, 3> names_of(BearingArrangement) {
  return {"tandem", "back-to-back", "face-to-face"};
}

// The section of a roller: straight, crowned along an arc, or along a logarithm.
enum class RollerProfile { straight, circular, logarithmic };
constexpr std::array<std::string_view, 3> names_of(RollerProfile) {
  return {"straight", "circular", "logarithmic"};
}

// The torque by which a rolling bearing resists its rotation.
enum class BearingFriction { none, palmgren };
constexpr std::array<std::string_view, 2> names_of(BearingFriction) {
  return {"none", "palmgren"};
}

// What a motion drives of a body; nothing where it drives a joint.
enum class BodyCoordinate { none, x, y, z, angle };
constexpr std::array<std::string_view, 5> names_of(BodyCoordinate) {
  return {"", "x", "y", "z", "angle"};
}

template <class T>
concept Enumeration = requires(T value) {
  names_of(value);
};

template <Enumeration T>
std::string name_of(T value) {
  return std::string(names_of(value)[static_cast<std::size_t>(value)]);
}

// Nothing where no value has the name.
template <Enumeration T>
std::optional<T> find_named(std::string_view name) {
  const auto names = names_of(T{});
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<T>(found - names.begin());
}

// All that a file may say.
template <Enumeration T>
std::vector<std::string> choices_of() {
  std::vector<std::string> choices;
  for (const std::string_view name : names_of(T{})) {
    if (!name.empty()) choices.emplace_back(name);
  }
  return choices;
}

}  // namespace carom::inline model
