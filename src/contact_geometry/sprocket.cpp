#include "contact_geometry/made_outlines.h"

// A sprocket for roller chains about the origin, a space at angle 0. A roller sits in an arc of its own size; straight
// flanks lead from there to the tip circle.
namespace carom::inline contact_geometry {

namespace {

void take_sprocket(const Settings& keys, Shape<2>& shape) {
  const int teeth = static_cast<int>(keys.number("teeth"));
  const double pitch = keys.number("pitch"), roller = keys.number("roller_diameter") / 2;
  const double seat = keys.number("seat_radius", 1.01 * roller), lean = keys.number("flank_angle", M_PI / 12);
  if (teeth < 5) refuse_outline(fmt::format("a sprocket of {} teeth; it needs 5 or more", teeth));
  if (!(roller < pitch / 2)) refuse_outline("rollers that overlap; `roller_diameter` must be less than `pitch`");
  if (!(seat >= roller))
    refuse_outline(fmt::format("a `seat_radius` of {:.6g} m below that of the roller, {:.6g} m", seat, roller));
  const double step = 2 * M_PI / teeth, circle = pitch / (2 * std::sin(step / 2));
  const double tip = keys.number("outer_diameter", 2 * (circle + 0.6 * roller)) / 2;
  // The bottom of the seat is that of the roller; above, the flank leans outwards from the radius by its angle.
  const Eigen::Vector2d centre(circle - roller + seat, 0), along = polar(1, lean), up(-along.y(), along.x());
  const Eigen::Vector2d start = centre + seat * up;
  const double middle = start.dot(along), square = middle * middle - start.squaredNorm() + tip * tip;
  const double way = square > 0 ? -middle + std::sqrt(square) : -1;
  const Eigen::Vector2d end = start + way * along;
  if (!(way > 0)) refuse_outline("a tip circle below the rollers; make `outer_diameter` larger");
  if (!(angle_of(end) < step / 2))
    refuse_outline("teeth that come to a point; make `outer_diameter` or `flank_angle` smaller");
  const Eigen::Vector2d low(start.x(), -start.y()), tip_low(end.x(), -end.y());
  const OutlineLoop part = {CurvePiece::line(tip_low, low), CurvePiece::arc_between(low, start, centre, false),
                            CurvePiece::line(start, end),
                            CurvePiece::arc(Eigen::Vector2d::Zero(), tip, angle_of(end), step - 2 * angle_of(end))};
  std::vector<OutlineLoop> loops = {repeat_about(part, teeth)};
  add_bore(keys, circle - roller, loops);
  shape.data = made_outline(std::move(loops), keys);
}

}  // namespace

ShapeDescription<2> describe_sprocket() {
  const auto length = [](std::string name, std::string meaning, std::string default_text) {
    return ParameterDescription{.name = std::move(name),
                                .unit = "m",
                                .meaning = std::move(meaning),
                                .default_text = std::move(default_text),
                                .minimum = 0,
                                .minimum_allowed = false};
  };
  ShapeDescription<2> shape = describe_as_outline("sprocket");
  shape.required = {"teeth", "pitch", "roller_diameter"};
  shape.optional = {"seat_radius", "flank_angle", "outer_diameter", "bore_diameter", "edge_radius"};
  shape.keys = {teeth_key(),
                length("pitch", "of a chain on a sprocket: distance of its rollers", ""),
                length("roller_diameter", "of a chain on a sprocket", ""),
                length("seat_radius", "of a sprocket: of the arc in which a roller sits", "1.01 radii of the roller"),
                {.name = "flank_angle",
                 .unit = "rad",
                 .meaning = "of a sprocket: of its flanks from the radius",
                 .default_text = "15 deg",
                 .minimum = 0.02,
                 .maximum = 1},
                bore_key()};
  shape.take = take_guarded<take_sprocket>;
  return shape;
}

}  // namespace carom::inline contact_geometry
