#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "outline_io/chain_loops.h"
#include "outline_io/dxf_spline.h"
#include "outline_io/path_text.h"

// Readers of SVG and DXF, against places worked out by hand.
namespace carom {
namespace {

double area_of(const OutlineLoop& loop) {
  double sum = 0;
  const GaussRule& rule = gauss_rule();
  for (const CurvePiece& piece : loop) {
    for (std::size_t k = 0; k < rule.at.size(); ++k) {
      const CurvePoint point = piece.at(rule.at[k]);
      sum += rule.weight[k] * cross_of(point.position, point.first) / 2;
    }
  }
  return sum;
}

template <typename Read>
std::string complaint(const Read& read) {
  try {
    read();
    return "taken";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(Svg, ReadsShapesAndTransforms) {
  const char* text = R"svg(<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" width="100mm" viewBox="0 0 200 200">
  <g transform="translate(10,20) rotate(90)" id="parts">
    <rect x="0" y="0" width="30" height="10" rx="2"/>
    <circle id="hole" cx="5" cy="5" r="2"/>
    <ellipse cx="0" cy="0" rx="3" ry="1"/>
    <polygon points="0,0 4,0 4,3"/>
  </g>
  <path id="lever" transform="scale(2)" d="m0,0 h10 v5 z"/>
</svg>)svg";
  const DrawnCurves all = read_svg(text, "");
  EXPECT_NEAR(all.unit, 0.5e-3, 1e-18);
  ASSERT_EQ(all.closed.size(), 5U);
  EXPECT_NEAR(std::abs(area_of(all.closed[0])), 300 - (4 - M_PI) * 4, 1e-9);
  EXPECT_NEAR(std::abs(area_of(all.closed[1])), 4 * M_PI, 1e-6);
  // (5, 5) turned by 90° is (−5, 5), moved (5, 25), and y goes up.
  EXPECT_NEAR((all.closed[1][0].c[0] - Eigen::Vector2d(5, -25)).norm(), 0, 1e-12);
  EXPECT_NEAR(std::abs(area_of(all.closed[4])), 4 * 25, 1e-12);
  EXPECT_EQ(read_svg(text, "hole").closed.size(), 1U);
  EXPECT_EQ(read_svg(text, "parts").closed.size(), 4U);
  EXPECT_NE(complaint([&] { read_svg(text, "arm"); }).find("`arm`"), std::string::npos);
}

TEST(Svg, RefusesWhatIsNone) {
  EXPECT_NE(complaint([] { read_svg("<svg><path d='M 0 0 L'/></svg>", ""); }).find("number is missing"),
            std::string::npos);
  EXPECT_NE(complaint([] { read_svg("<svg><g></svg>", ""); }).find("line 1"), std::string::npos);
  EXPECT_NE(complaint([] { read_svg("", ""); }).find("no XML"), std::string::npos);
  EXPECT_NE(complaint([] { read_svg("<html/>", ""); }).find("no SVG"), std::string::npos);
}

TEST(Path, HasAllCommands) {
  const PathLoops loops = read_path("M0 0 H4 V2 C4 3 3 4 2 4 S 0 3 0 2 Z m 1 1 l 1 0 0 .5 q -.5 .5 -1 0 t -.1-.2 z", 1);
  ASSERT_EQ(loops.closed.size(), 2U);
  EXPECT_TRUE(loops.open.empty());
  EXPECT_NEAR((loops.closed[0][3].end() - Eigen::Vector2d(0, 2)).norm(), 0, 1e-15);
  const CurvePiece arc = elliptic_arc({3, 0}, {0, 2}, {3, 2}, 0, false, true);
  EXPECT_NEAR((arc.at(0.5).position - Eigen::Vector2d(3 * std::sqrt(0.5), 2 * std::sqrt(0.5))).norm(), 0, 1e-14);
}

std::string dxf(const std::string& entities, int units = 4) {
  return "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n" + std::to_string(units) +
         "\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n" + entities + "0\nENDSEC\n0\nEOF\n";
}
std::string line(double x1, double y1, double x2, double y2, const char* layer = "0") {
  return "0\nLINE\n8\n" + std::string(layer) + "\n10\n" + std::to_string(x1) + "\n20\n" + std::to_string(y1) +
         "\n11\n" + std::to_string(x2) + "\n21\n" + std::to_string(y2) + "\n";
}

TEST(Dxf, ChainsLoosePieces) {
  // A stadium: two lines and two arcs, in disorder.
  const std::string text = dxf(line(0, 0, 10, 0) + "0\nARC\n8\n0\n10\n0\n20\n2\n40\n2\n50\n90\n51\n270\n" +
                               line(0, 4, 10, 4) + "0\nARC\n8\n0\n10\n10\n20\n2\n40\n2\n50\n270\n51\n90\n");
  DrawnCurves curves = read_dxf(text, "");
  EXPECT_DOUBLE_EQ(curves.unit, 1e-3);
  const auto loops = chain_loops(std::move(curves.open), 1e-6);
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_NEAR(std::abs(area_of(loops[0])), 40 + 4 * M_PI, 1e-9);
}

TEST(Dxf, ReadsPolylinesEllipsesAndSplines) {
  const std::string bulged = "0\nLWPOLYLINE\n8\ncut\n90\n2\n70\n1\n10\n0\n20\n0\n42\n1\n10\n2\n20\n0\n42\n1\n";
  const std::string old =
      "0\nPOLYLINE\n8\n0\n70\n1\n0\nVERTEX\n8\n0\n10\n0\n20\n0\n0\nVERTEX\n8\n0\n10\n3\n20\n0\n0\nVERTEX\n8\n0\n10\n0\n"
      "20\n4\n0\nSEQEND\n";
  const std::string ellipse = "0\nELLIPSE\n8\n0\n10\n0\n20\n0\n11\n3\n21\n0\n40\n0.5\n41\n0\n42\n6.283185307179586\n";
  const DrawnCurves curves = read_dxf(dxf(bulged + old + ellipse + "0\nMTEXT\n8\n0\n"), "");
  ASSERT_EQ(curves.closed.size(), 3U);
  EXPECT_NEAR(std::abs(area_of(curves.closed[0])), M_PI, 1e-9);
  EXPECT_NEAR(std::abs(area_of(curves.closed[1])), 6, 1e-12);
  EXPECT_NEAR(std::abs(area_of(curves.closed[2])), 4.5 * M_PI, 1e-6);
  EXPECT_EQ(curves.left_out, std::vector<std::string>{"MTEXT"});
  EXPECT_EQ(read_dxf(dxf(bulged + old), "cut").closed.size(), 1U);
  EXPECT_NE(complaint([&] { read_dxf(dxf(bulged), "milling"); }).find("`cut`"), std::string::npos);
}

// A quarter of a circle as a rational curve of the second degree, and a cubic over two spans.
TEST(Dxf, SplinesAreTheirCurves) {
  DxfSpline quarter{2, {0, 0, 0, 1, 1, 1}, {1, std::sqrt(0.5), 1}, {{1, 0}, {1, 1}, {0, 1}}, {}};
  for (const CurvePiece& piece : pieces_of_spline(quarter)) {
    for (const double u : {0.0, 0.3, 0.7, 1.0}) EXPECT_NEAR(piece.at(u).position.norm(), 1, 1e-11);
  }
  DxfSpline cubic{3, {0, 0, 0, 0, 1, 2, 2, 2, 2}, {}, {{0, 0}, {1, 2}, {2, 0}, {3, 2}, {4, 0}}, {}};
  const OutlineLoop pieces = pieces_of_spline(cubic);
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_NEAR((pieces[0].end() - pieces[1].start()).norm(), 0, 1e-15);
  EXPECT_NEAR((pieces[0].at(1).second - pieces[1].at(0).second).norm(), 0, 1e-13);
  EXPECT_NEAR(pieces[0].end().x(), 2, 1e-15);
  EXPECT_NEAR(pieces[0].end().y(), 0.5 * 0 + 0.25 * 2 + 0.25 * 2, 1e-15);
}

TEST(Dxf, RefusesWhatIsNone) {
  EXPECT_NE(complaint([] { read_dxf("hello\nworld\n", ""); }).find("group code"), std::string::npos);
  EXPECT_NE(complaint([] { read_dxf("0\nSECTION\n2\nHEADER\n0\nENDSEC\n0\nEOF\n", ""); }).find("no entities"),
            std::string::npos);
  EXPECT_NE(complaint([] { read_dxf(dxf("0\nLINE\n10\nx\n20\n0\n11\n1\n21\n1\n"), ""); }).find("number"),
            std::string::npos);
  EXPECT_NE(
      complaint([] { chain_loops(read_dxf(dxf(line(0, 0, 1, 0) + line(1, 0, 1, 1)), "").open, 1e-6); }).find("ends at"),
      std::string::npos);
  EXPECT_NE(complaint([] {
              chain_loops(read_dxf(dxf(line(0, 0, 1, 0) + line(1, 0, 1, 1) + line(1, 0, 2, 1)), "").open, 1e-6);
            }).find("more than two"),
            std::string::npos);
}

}  // namespace
}  // namespace carom
