#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command_line.h"

namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

// Characters without combining marks, which take no column.
std::size_t columns(const std::string& line) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    if ((byte & 0xC0) != 0x80 && byte != 0xCC) ++count;
  }
  return count;
}

TEST(Laws, TheListFitsAHundredColumns) {
  const Folder folder;
  const Outcome outcome = carom(folder, {"laws"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"flores", "h = 8(1 − e)/(5e)", "exact", "goldsmith", "liu", "elasto-plastic", "threlfall",
                           "0.022 < e ≤ 1", "Multibody Syst. Dyn."})
    EXPECT_THAT(outcome.out, HasSubstr(part));
  std::istringstream lines(outcome.out);
  std::string line;
  while (std::getline(lines, line)) EXPECT_LE(columns(line), 100u) << line;
}

TEST(Laws, OneLawIsExplained) {
  const Folder folder;
  const Outcome normal = carom(folder, {"laws", "kelvin-voigt"});
  EXPECT_EQ(normal.code, 0);
  EXPECT_THAT(normal.out, AllOf(HasSubstr("damping"), HasSubstr("clamped or adhesive"), HasSubstr("0.47201")));
  EXPECT_THAT(carom(folder, {"laws", "hertz"}).out,
              AllOf(HasSubstr("hertz: normal force law"), HasSubstr("hertz: elastic force")));
  EXPECT_THAT(carom(folder, {"laws", "coulomb"}).out, AllOf(HasSubstr("slip_begin"), HasSubstr("default: 1e-4 m/s")));
}

TEST(Laws, AMisspeltLawSuggestsTheNearest) {
  const Folder folder;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"laws", "flroes"}, {"laws", "--json", "flroes"}, {"laws", "--compare", "flroes"}}) {
    const Outcome outcome = carom(folder, words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.err, HasSubstr("unknown law `flroes`; did you mean `flores`?"));
  }
}

TEST(Laws, JsonHoldsTheCatalogues) {
  const Folder folder;
  const auto json = nlohmann::json::parse(carom(folder, {"laws", "--json"}).out);
  EXPECT_EQ(json["normal"].size(), 25u);
  EXPECT_EQ(json["elastic"].size(), 6u);
  EXPECT_EQ(json["friction"].size(), 9u);
  const auto one = nlohmann::json::parse(carom(folder, {"laws", "--json", "hu"}).out);
  ASSERT_EQ(one["normal"].size(), 1u);
  EXPECT_EQ(one["normal"][0]["least_restitution"], 0.022);
  EXPECT_TRUE(one["friction"].empty());
}

TEST(Laws, ComparisonsAreDrawn) {
  const Folder folder;
  EXPECT_EQ(carom(folder, {"laws", "--compare"}).code, 0);
  EXPECT_THAT(contents(folder / "laws.svg"), HasSubstr("<svg"));
  const Outcome some = carom(folder, {"laws", "--compare", "-o", "some.png", "--restitution", "0.4", "flores",
                                      "goldsmith", "kelvin-voigt", "tsuji", "ristow", "hertz"});
  EXPECT_EQ(some.code, 0) << some.err;
  EXPECT_THAT(some.out, HasSubstr("some.png: 6 laws at e = 0.4"));
  EXPECT_THAT(contents(folder / "some.png"), testing::StartsWith("\x89PNG"));
}

TEST(Laws, WhatCannotBeDrawnIsRefused) {
  const Folder folder;
  EXPECT_EQ(carom(folder, {"laws", "--compare", "--restitution", "1.2"}).code, 2);
  EXPECT_EQ(carom(folder, {"laws", "--compare", "--restitution", "0"}).code, 2);
  EXPECT_EQ(carom(folder, {"laws", "--compare", "-o", "laws.gif"}).code, 2);
  EXPECT_EQ(carom(folder, {"laws", "-o", "laws.svg"}).code, 2);
  const Outcome own = carom(folder, {"laws", "--compare", "adams"});
  EXPECT_EQ(own.code, 2);
  EXPECT_THAT(own.err, HasSubstr("`adams` takes its loss from parameters of its own"));
}

}  // namespace
}  // namespace carom::cli
