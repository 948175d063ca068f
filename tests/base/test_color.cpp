#include <gtest/gtest.h>

#include "base/color.h"

namespace carom {
namespace {

TEST(Color, IsSixHexadecimalDigits) {
  EXPECT_EQ(parse_color("#4080c0"), 0x4080c0);
  EXPECT_EQ(parse_color("#FFFFFF"), 0xffffff);
  EXPECT_EQ(parse_color("#000000"), 0);
  for (const char* const text :
       {"", "#", "red", "#48c", "4080c0", "#4080c", "#4080c00", "#4080cg", "#-080c0", "#+080c0", "# 080c0"})
    EXPECT_FALSE(parse_color(text)) << text;
}

}  // namespace
}  // namespace carom
