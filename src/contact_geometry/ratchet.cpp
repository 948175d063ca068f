#include "contact_geometry/made_outlines.h"

// A ratchet wheel about the origin: steep faces that hold against turning counter-clockwise, straight backs.
namespace carom::inline contact_geometry {

namespace {

void take_ratchet(const Settings& keys, Shape<2>& shape) {
  const int teeth = static_cast<int>(keys.number("teeth"));
  const double tip = keys.number("outer_diameter") / 2, depth = keys.number("tooth_depth"),
               rake = keys.number("rake", 0);
  if (teeth < 3) refuse_outline(fmt::format("a ratchet of {} teeth; it needs 3 or more", teeth));
  if (!(depth > 0 && depth < tip))
    refuse_outline(fmt::format("a `tooth_depth` of {:.6g} m; expected less than the radius, {:.6g} m", depth, tip));
  const double root = tip - depth;
  // The face leans by the rake from the radius: where it meets the root circle.
  const Eigen::Vector2d top = polar(tip, 0), inward = -polar(1, rake);
  const double middle = top.dot(inward), square = middle * middle - tip * tip + root * root;
  if (!(square > 0)) refuse_outline("a `rake` so large that the face of a tooth does not reach its root");
  const Eigen::Vector2d foot = top + (-middle - std::sqrt(square)) * inward;
  const double step = 2 * M_PI / teeth;
  if (!(std::abs(angle_of(foot)) < 0.9 * step)) refuse_outline("a `rake` so large that teeth cut each other");
  const Eigen::Vector2d next = Eigen::Rotation2Dd(step) * top;
  // From the tip down the face, then up the back to the next tip.
  const OutlineLoop tooth = {CurvePiece::line(top, foot), CurvePiece::line(foot, next)};
  std::vector<OutlineLoop> loops = {repeat_about(tooth, teeth)};
  add_bore(keys, root * std::cos(step / 2), loops);
  shape.data = made_outline(std::move(loops), keys);
}

}  // namespace

ShapeDescription<2> describe_ratchet() {
  ShapeDescription<2> shape = describe_as_outline("ratchet");
  shape.required = {"teeth", "outer_diameter", "tooth_depth"};
  shape.optional = {"rake", "bore_diameter", "edge_radius"};
  shape.keys = {teeth_key(),
                {.name = "tooth_depth",
                 .unit = "m",
                 .meaning = "of a ratchet: of its teeth",
                 .minimum = 0,
                 .minimum_allowed = false},
                {.name = "rake",
                 .unit = "rad",
                 .meaning = "of a ratchet: angle of the faces of its teeth from the radius, so that a pawl is drawn in",
                 .default_text = "0",
                 .minimum = -0.7,
                 .maximum = 0.7},
                bore_key()};
  shape.take = take_guarded<take_ratchet>;
  return shape;
}

}  // namespace carom::inline contact_geometry
