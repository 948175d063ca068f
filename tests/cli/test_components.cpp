#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "command_line.h"
#include "page_parts.h"

// What recorded quantities mean: in the program and on the page, which is made of the program's own tables.
namespace carom::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// The number below the title that begins like this.
double cell_below(const std::string& head, const std::string& row, const std::string& title) {
  std::istringstream titles(head), cells(row);
  for (std::string name, cell; std::getline(titles, name, ',') && std::getline(cells, cell, ',');) {
    if (name == title || name.starts_with(title + " ")) return std::stod(cell);
  }
  return -1;
}

TEST(Components, ThePageListsThoseOfTheProgram) {
  const Folder folder;
  const Outcome reference = carom(folder, {"info", "--components"});
  ASSERT_EQ(reference.code, 0) << reference.err;
  const std::string page = contents(fs::path(CAROM_SOURCE_DIR) / "docs/guide/results.md");
  EXPECT_EQ(between(page, "<!-- made by: carom info --components -->\n\n", "\n<!-- end of what is made -->"),
            reference.out)
      << "write it anew: tools/docs/components";
  EXPECT_THAT(reference.out,
              AllOf(HasSubstr("| `status` | – | both | 0: open, 1: sticks, 2: slips, 3: rolls"),
                    HasSubstr("| `tangential_force` | N | both | a magnitude"), HasSubstr("| `qw` | – | space |"),
                    HasSubstr("along x of the body that has the bearing"), HasSubstr("#### Events `impact`")));
}

TEST(Components, EveryForceElementIsThere) {
  const Folder folder;
  const auto schema = nlohmann::json::parse(carom(folder, {"schema"}).out);
  const std::string reference = carom(folder, {"info", "--components"}).out;
  int found = 0;
  for (const char* type : {"bushing", "force", "ligament", "spring", "torque", "torsion-spring"}) {
    EXPECT_THAT(schema.dump(), HasSubstr("\"" + std::string(type) + "\""));
    EXPECT_THAT(reference, HasSubstr("`force:NAME` of type `" + std::string(type) + "`"));
    ++found;
  }
  EXPECT_EQ(count_of(reference, "`force:NAME` of type"), found);
}

TEST(Components, InfoTellsWhatAQuantityMeans) {
  const Folder folder;
  folder.write("model.toml", ball);
  ASSERT_EQ(carom(folder, {"run", "model.toml", "-o", "r.h5", "--quiet"}).code, 0);
  const Outcome one = carom(folder, {"info", "r.h5", "contact:bounce.mode"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(one.out,
            "contact:bounce\n  mode  0: free flight, 1: impact, 2: continuous contact, of the longest contact\n");
  const Outcome all = carom(folder, {"info", "r.h5", "--components"});
  EXPECT_THAT(all.out, AllOf(HasSubstr("body:ball\n"), HasSubstr("\nenergy\n"), HasSubstr("px [m]")));
  const Outcome wrong = carom(folder, {"info", "r.h5", "body:bal.x"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean body:ball.x"));
  EXPECT_THAT(carom(folder, {"info"}).err, HasSubstr("RESULT is required"));
}

// The same number of impacts wherever one looks.
TEST(Components, ImpactsAreCountedTheSameEverywhere) {
  const Folder folder;
  std::string model = replaced(ball, "[solver]", "[solver]\nmethod = \"nonsmooth\"\nstep = 0.002");
  // A second ball falls on the first, which rests: the closed contact with the floor passes the impulse on.
  model = replaced(replaced(model, "position = [0, 0, 0.3]", "position = [0, 0, 0.1]"), "velocity = [0.5, 0, 0]\n", "");
  model = replaced(model, "[contact.bounce]", R"toml([[body]]
name = "second"
mass = 1
inertia = [4e-3, 4e-3, 4e-3]
position = [0, 0, 0.5]
geometry = [{ shape = "sphere", name = "skin", radius = "10 cm" }]

[[pair]]
name = "balls"
bodies = ["ball", "second"]
contact = "bounce"

[contact.bounce])toml");
  folder.write("model.toml", model);
  const auto summary = nlohmann::json::parse(carom(folder, {"run", "model.toml", "-o", "r.h5", "--json"}).out);
  const long impacts = summary["nonsmooth"]["impacts"];
  EXPECT_GT(summary["nonsmooth"]["passed_on"], 0);
  EXPECT_GT(impacts, 2);
  EXPECT_THAT(carom(folder, {"info", "r.h5"}).out, HasSubstr("events      " + std::to_string(impacts) + " impacts"));
  const auto forces = nlohmann::json::parse(carom(folder, {"forces", "r.h5", "--json"}).out);
  EXPECT_EQ(forces["impacts"].size(), static_cast<std::size_t>(impacts));
  ASSERT_EQ(carom(folder, {"report", "r.h5", "-o", "page.html"}).code, 0);
  EXPECT_THAT(contents(folder / "page.html"), HasSubstr(" " + std::to_string(impacts) + " impacts"));
  folder.write("study.toml", R"toml([study]
name = "one run"
model = "model.toml"

[[quantity]]
name = "hits"
of = "contact:*"
reduce = "count_events"
)toml");
  const Outcome study = carom(folder, {"study", "study.toml", "-o", "out"});
  ASSERT_EQ(study.code, 0) << study.err;
  std::istringstream table(contents(folder / "out.csv"));
  std::string head, row;
  std::getline(table, head);
  std::getline(table, row);
  EXPECT_EQ(cell_below(head, row, "hits"), impacts) << head << "\n" << row;
  EXPECT_EQ(cell_below(head, row, "contacts"), impacts) << head << "\n" << row;
}

}  // namespace
}  // namespace carom::cli
