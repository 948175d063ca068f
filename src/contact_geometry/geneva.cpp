#include "contact_geometry/made_outlines.h"

// External Geneva drives: the slotted wheel about the origin with a slot along x, and the disc of the driver, which
// locks the wheel while the pin is outside. The pin itself is a disc of its own.
namespace carom::inline contact_geometry {

namespace {

struct GenevaSizes {
  int slots;
  double distance, pin, play, crank, wheel, lock;
};

GenevaSizes geneva_sizes(const Settings& keys) {
  GenevaSizes sizes{};
  sizes.slots = static_cast<int>(keys.number("slots"));
  sizes.distance = keys.number("center_distance");
  sizes.pin = keys.number("pin_diameter") / 2;
  sizes.play = keys.number("slot_clearance", 0);
  if (sizes.slots < 3) refuse_outline(fmt::format("a geneva wheel of {} slots; it needs 3 or more", sizes.slots));
  sizes.crank = sizes.distance * std::sin(M_PI / sizes.slots);
  sizes.wheel = sizes.distance * std::cos(M_PI / sizes.slots);
  sizes.lock = keys.number("lock_radius", sizes.crank - 2 * sizes.pin);
  if (!(sizes.pin > 0 && sizes.lock > 0 && sizes.lock < sizes.crank - sizes.pin - sizes.play))
    refuse_outline(
        fmt::format("a lock of {:.6g} m in radius; expected more than 0 and less than crank less pin, {:.6g} m; "
                    "change `lock_radius` or `pin_diameter`",
                    sizes.lock, sizes.crank - sizes.pin - sizes.play));
  return sizes;
}

// From the mouth of the slot at angle 0, lower side, inwards, round its end, out again, along the tip and the lock.
void take_geneva_wheel(const Settings& keys, Shape<2>& shape) {
  const GenevaSizes sizes = geneva_sizes(keys);
  const double half = sizes.pin + sizes.play / 2, bottom = sizes.distance - sizes.crank, step = 2 * M_PI / sizes.slots;
  const double deep = bottom - sizes.play, mouth = std::sqrt(sizes.wheel * sizes.wheel - half * half);
  if (!(deep > half))
    refuse_outline("slots that meet in the middle; make `pin_diameter` smaller or `center_distance` larger");
  // The lock is an arc about the place of the driver when it locks, half-way between two slots.
  const double gap = sizes.lock + sizes.play / 2;
  const Eigen::Vector2d driver = polar(sizes.distance, step / 2);
  const double cosine =
      (sizes.wheel * sizes.wheel + sizes.distance * sizes.distance - gap * gap) / (2 * sizes.wheel * sizes.distance);
  if (!(cosine < 1)) refuse_outline("a lock that does not reach the wheel; make `lock_radius` larger");
  const double reach = std::acos(std::min(1.0, cosine)), from = std::asin(half / sizes.wheel), to = step / 2 - reach;
  if (!(to > from)) refuse_outline("a lock that cuts into the slots; make `lock_radius` or `pin_diameter` smaller");
  const Eigen::Vector2d origin = Eigen::Vector2d::Zero(), first = polar(sizes.wheel, to),
                        second = polar(sizes.wheel, step - to);
  const OutlineLoop part = {CurvePiece::line({mouth, -half}, {deep, -half}),
                            CurvePiece::arc_between({deep, -half}, {deep, half}, {deep, 0}, false),
                            CurvePiece::line({deep, half}, {mouth, half}),
                            CurvePiece::arc(origin, sizes.wheel, from, to - from),
                            CurvePiece::arc_between(first, second, driver, false),
                            CurvePiece::arc(origin, sizes.wheel, step - to, to - from)};
  std::vector<OutlineLoop> loops = {repeat_about(part, sizes.slots)};
  add_bore(keys, deep - half, loops);
  shape.data = made_outline(std::move(loops), keys);
}

// m, how far tips of the wheel get from where its centre is when the pin is in the middle, in the axes of the driver,
// wherever they are within the disc.
double moon_radius(const GenevaSizes& sizes, double from, double to) {
  constexpr int turns = 200, along = 20;
  const double end = M_PI / 2 - M_PI / sizes.slots, part = sizes.crank / sizes.distance;
  double most = sizes.wheel;
  for (int k = -turns; k <= turns; ++k) {
    const double alpha = end * k / turns;
    const double beta = std::atan2(part * std::sin(alpha), 1 - part * std::cos(alpha));
    // The driver at the origin, the wheel on the x axis; the pin at the angle alpha, the slot at π − beta.
    const Eigen::Vector2d wheel(sizes.distance, 0), middle = polar(sizes.distance, alpha);
    for (int slot = 0; slot < sizes.slots; ++slot) {
      for (int j = -along; j <= along; ++j) {
        const double off = (j < 0 ? -1 : 1) * (from + (to - from) * std::abs(j) / along);
        const Eigen::Vector2d tip = wheel + polar(sizes.wheel, M_PI - beta + 2 * M_PI * slot / sizes.slots + off);
        if (tip.norm() < sizes.lock) most = std::max(most, (tip - middle).norm());
      }
    }
  }
  return most;
}

// A disc with a moon cut out around the pin, which is at angle 0, for the tips of the wheel.
void take_geneva_driver(const Settings& keys, Shape<2>& shape) {
  const GenevaSizes sizes = geneva_sizes(keys);
  const double gap = sizes.lock + sizes.play / 2;
  const double edge =
      (sizes.wheel * sizes.wheel + sizes.distance * sizes.distance - gap * gap) / (2 * sizes.wheel * sizes.distance);
  const double to = M_PI / sizes.slots - std::acos(std::min(1.0, edge));
  const double from = std::asin((sizes.pin + sizes.play / 2) / sizes.wheel);
  const double radius = moon_radius(sizes, from, to) + sizes.play + 0.01 * sizes.pin, lock = sizes.lock;
  const Eigen::Vector2d wheel(sizes.distance, 0);
  const double cosine = (lock * lock + sizes.distance * sizes.distance - radius * radius) / (2 * lock * sizes.distance);
  if (!(cosine > -1 && cosine < 1)) refuse_outline("a lock without room for the wheel; change `lock_radius`");
  const double open = std::acos(cosine);
  const Eigen::Vector2d low = polar(lock, -open), high = polar(lock, open);
  std::vector<OutlineLoop> loops = {{CurvePiece::arc_between(high, low, Eigen::Vector2d::Zero(), true),
                                     CurvePiece::arc_between(low, high, wheel, false)}};
  add_bore(keys, sizes.distance - radius, loops);
  shape.data = made_outline(std::move(loops), keys);
}

ShapeDescription<2> geneva_part(const char* name) {
  ShapeDescription<2> shape = describe_as_outline(name);
  shape.required = {"slots", "center_distance", "pin_diameter"};
  shape.optional = {"slot_clearance", "lock_radius", "bore_diameter", "edge_radius"};
  return shape;
}

}  // namespace

ShapeDescription<2> describe_geneva_wheel() {
  ShapeDescription<2> shape = geneva_part("geneva_wheel");
  shape.keys = {{.name = "slots",
                 .kind = ParameterKind::integer,
                 .meaning = "of a geneva wheel: their number",
                 .minimum = 1,
                 .maximum = 1000},
                {.name = "center_distance",
                 .unit = "m",
                 .meaning = "of a geneva wheel from its driver",
                 .minimum = 0,
                 .minimum_allowed = false},
                {.name = "pin_diameter",
                 .unit = "m",
                 .meaning = "of the pin of a geneva driver",
                 .minimum = 0,
                 .minimum_allowed = false},
                {.name = "slot_clearance",
                 .unit = "m",
                 .meaning = "of a geneva drive: by which slots are wider than the pin, and locks wider than the disc",
                 .default_text = "0",
                 .minimum = 0},
                {.name = "lock_radius",
                 .unit = "m",
                 .meaning = "of the disc of a geneva driver that holds the wheel",
                 .default_text = "crank less diameter of the pin",
                 .minimum = 0,
                 .minimum_allowed = false},
                bore_key()};
  shape.take = take_guarded<take_geneva_wheel>;
  return shape;
}

ShapeDescription<2> describe_geneva_driver() {
  ShapeDescription<2> shape = geneva_part("geneva_driver");
  shape.take = take_guarded<take_geneva_driver>;
  return shape;
}

}  // namespace carom::inline contact_geometry
