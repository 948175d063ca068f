#include "contact_geometry/made_outlines.h"

namespace carom::inline contact_geometry {

OutlineLoop repeat_about(const OutlineLoop& part, int count) {
  OutlineLoop loop;
  for (int k = 0; k < count; ++k) {
    for (const CurvePiece& piece : part) loop.push_back(turned_piece(piece, 2 * M_PI * k / count));
  }
  return loop;
}

OutlineLoop follow_curve(const std::function<CurvePoint(double)>& curve, int pieces) {
  OutlineLoop loop;
  const double h = 1.0 / pieces;
  const auto at = [&](int k) {
    CurvePoint point = curve(k * h);
    point.first *= h, point.second *= h * h;
    return point;
  };
  CurvePoint before = at(0);
  for (int k = 1; k <= pieces; ++k) {
    const CurvePoint here = at(k);
    loop.push_back(CurvePiece::quintic(before, here));
    before = here;
  }
  return loop;
}

void add_bore(const Settings& keys, double inner, std::vector<OutlineLoop>& loops) {
  const double bore = keys.number("bore_diameter", 0) / 2;
  if (!(bore > 0)) return;
  if (!(bore < inner)) {
    refuse_outline(
        fmt::format("a bore of {:.6g} m in diameter leaves nothing of a part whose teeth or slots end {:.6g} m "
                    "from its centre; make `bore_diameter` smaller",
                    2 * bore, inner));
  }
  loops.push_back({CurvePiece::arc(Eigen::Vector2d::Zero(), bore, 0, 2 * M_PI)});
}

std::shared_ptr<const ShapeData> made_outline(std::vector<OutlineLoop> loops, const Settings& keys) {
  return std::make_shared<OutlineData>(Outline(std::move(loops), keys.number("edge_radius", 0)));
}

ParameterDescription teeth_key() {
  return {.name = "teeth",
          .kind = ParameterKind::integer,
          .meaning = "of a gear, a rack, a ratchet or a sprocket: their number",
          .minimum = 1,
          .maximum = 10000};
}

ParameterDescription bore_key() {
  return {.name = "bore_diameter",
          .unit = "m",
          .meaning = "of a round hole about the origin of a gear, a cam, a ratchet, a geneva wheel or a sprocket",
          .default_text = "no hole",
          .minimum = 0};
}

}  // namespace carom::inline contact_geometry
