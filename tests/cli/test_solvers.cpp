#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "command_line.h"

namespace carom::cli {
namespace {

using testing::HasSubstr;

TEST(SolversCommand, ListsWhatTheCataloguesHold) {
  const Folder folder;
  const Outcome text = carom(folder, {"solvers"});
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* part : {"solver.integrator", "solver.scheme", "solver.contact_solver", "generalized-alpha",
                           "decoupled", "contact_iterations", "Cosimo"})
    EXPECT_THAT(text.out, HasSubstr(part));
  const auto json = nlohmann::json::parse(carom(folder, {"solvers", "--json"}).out);
  EXPECT_EQ(json["integrator"].size(), 5u);
  EXPECT_EQ(json["scheme"][2]["parameters"][0]["name"], "theta");
  EXPECT_EQ(json["scheme"][2]["parameters"][0]["minimum"], 0.5);
}

}  // namespace
}  // namespace carom::cli
