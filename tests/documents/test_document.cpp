#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "../support/temporary_folder.h"
#include "documents/any_quantity.h"
#include "documents/check_value.h"
#include "documents/document.h"

namespace carom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Node parsed(const std::string& text) {
  Node root;
  Problem problem;
  EXPECT_TRUE(check_text(text, problem) && parse_toml(text, 0, root, problem)) << to_text(problem);
  return root;
}

TEST(Document, KeepsOrderKindsAndPlaces) {
  const Node root = parsed("b = 3\na = [1.5, \"5 kg\"]\n\n[solver]\n  end = true\n");
  const auto* table = root.as<Node::Table>();
  ASSERT_NE(table, nullptr);
  ASSERT_EQ(table->size(), 3u);
  EXPECT_EQ((*table)[0].key, "b");
  EXPECT_EQ(std::get<std::int64_t>((*table)[0].value.value), 3);
  const auto* list = root.find("a")->as<Node::List>();
  ASSERT_NE(list, nullptr);
  EXPECT_EQ(std::get<double>((*list)[0].value), 1.5);
  EXPECT_EQ((*list)[1].where.line, 2);
  EXPECT_EQ((*list)[1].where.column, 11);
  const Node* end = root.find("solver")->find("end");
  ASSERT_NE(end, nullptr);
  EXPECT_EQ(end->where.line, 5);
  EXPECT_EQ(root.find("missing"), nullptr);
  EXPECT_EQ(found_text(*root.find("a")), "a list of 2");
}

TEST(Document, IsRefusedWithItsPlace) {
  Node root;
  Problem problem;
  EXPECT_FALSE(parse_toml("a = 1\nb = = 2\n", 0, root, problem));
  EXPECT_EQ(problem.where.line, 2);
  EXPECT_FALSE(check_text(std::string_view("a = 1\nb = \"\0\"", 13), problem));
  EXPECT_EQ(problem.where.line, 2);
  EXPECT_FALSE(check_text("a = \"\xff\"", problem));
  EXPECT_FALSE(check_text("a = " + std::string(100000, '['), problem));
}

TEST(Document, ComesAfterWhatItIncludes) {
  const TemporaryFolder folder;
  const auto write = [&](const char* name, const char* text) { std::ofstream(folder.path() / name) << text; };
  write("top.toml", "include = [\"left.toml\", \"right.toml\"]\n");
  write("left.toml", "include = [\"base.toml\"]\n");
  write("right.toml", "include = [\"base.toml\"]\n");
  write("base.toml", "[model]\n");
  ProblemList problems;
  const Documents documents = read_documents(folder.path() / "top.toml", problems);
  EXPECT_TRUE(problems.empty()) << problems.text();
  std::vector<std::string> names;
  for (const Document& each : documents.all)
    names.push_back(std::filesystem::path(documents.files[each.file]).filename().string());
  EXPECT_THAT(names, ElementsAre("base.toml", "left.toml", "right.toml", "top.toml"));
}

TEST(CheckValue, NamesWhatIsFoundAndExpected) {
  const ParameterDescription row{.name = "mass", .unit = "kg", .minimum = 0, .minimum_allowed = false};
  EXPECT_FALSE(check_value(row, 2.0, true));
  const auto complaint = check_value(row, -3.0, true);
  ASSERT_TRUE(complaint);
  EXPECT_THAT(complaint->found, HasSubstr("-3"));
  EXPECT_THAT(complaint->expected, HasSubstr("kg"));
  EXPECT_THAT(complaint->expected, HasSubstr("> 0"));
  EXPECT_TRUE(check_value(row, std::nan(""), true));
}

TEST(NumberText, ReadsBackToTheSameValue) {
  for (const double value : {0.1, 1e300, -2.5e-17, 3.0, 1.0 / 3}) EXPECT_EQ(std::stod(number_text(value)), value);
}

}  // namespace
}  // namespace carom
