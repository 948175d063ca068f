#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "outline_io/chain_loops.h"
#include "outline_io/path_text.h"

// Drawings with random damage are read or refused with a reason.
namespace carom {
namespace {

const std::string svg_text =
    "<svg width=\"10mm\" viewBox=\"0 0 10 10\"><g transform=\"rotate(30 1 1) scale(2)\"><path d=\"M0 0 L1 0 A1 1 0 0 1 "
    "0 1 Z\"/>"
    "<rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" rx=\"1\"/><line x1=\"0\" y1=\"0\" x2=\"1\" y2=\"1\"/></g></svg>";
const std::string dxf_text =
    "0\nSECTION\n2\nENTITIES\n0\nLINE\n8\n0\n10\n0\n20\n0\n11\n1\n21\n0\n0\nSPLINE\n71\n3\n40\n0\n40\n0\n40\n0\n40\n0\n"
    "40\n1\n40\n1\n40\n1\n40\n1\n"
    "10\n0\n20\n0\n10\n1\n20\n2\n10\n2\n20\n0\n10\n3\n20\n1\n0\nLWPOLYLINE\n70\n1\n10\n0\n20\n0\n42\n0."
    "5\n10\n1\n20\n0\n0\nENDSEC\n0\nEOF\n";
const std::string path_text =
    "M 0 0 L 1 0 C 1 1 2 2 3 1 S 1 1 0.5 3 Q 1 2 0 2 T 0 1 A 2 1 30 1 0 -1 0 H 2 V 1 Z m 1 1 l 1 0 0 1 z";

std::string damaged(std::string text, std::mt19937& random) {
  static const std::string some = "0123456789.-+eE MLHVCSQTAZmlz<>/\"=()\n,";
  const int changes = 1 + static_cast<int>(random() % 4);
  for (int k = 0; k < changes && !text.empty(); ++k) {
    const std::size_t at = random() % text.size();
    switch (random() % 4) {
      case 0:
        text[at] = some[random() % some.size()];
        break;
      case 1:
        text.erase(at, 1 + random() % 8);
        break;
      case 2:
        text.insert(at, 1, some[random() % some.size()]);
        break;
      default:
        text.insert(at, text.substr(at, 1 + random() % 30));
    }
  }
  return text;
}

TEST(RandomDrawings, AreReadOrRefused) {
  std::mt19937 random(5);
  int refused = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    const int kind = trial % 3;
    const std::string text = damaged(kind == 0 ? svg_text : kind == 1 ? dxf_text : path_text, random);
    try {
      DrawnCurves curves;
      if (kind == 2) {
        curves.open = read_path(text, 1).open;
      } else {
        curves = kind == 0 ? read_svg(text, "") : read_dxf(text, "");
      }
      chain_loops(std::move(curves.open), 1e-6);
    } catch (const std::invalid_argument& error) {
      ++refused;
      EXPECT_FALSE(std::string(error.what()).empty());
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_LT(refused, 6000);
}

}  // namespace
}  // namespace carom
