#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "model_io/read_model.h"

namespace carom {
namespace {

// Every file of tests/model_io/bad holds mistakes and, in lines that start with `#>`, all that must be said about them.
const std::filesystem::path folder = std::filesystem::path(CAROM_SOURCE_DIR) / "tests/model_io/bad";

std::vector<std::string> bad_models() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string expected_problems(const std::string& text) {
  std::istringstream lines(text);
  std::string line, result;
  while (std::getline(lines, line)) {
    if (line.starts_with("#> ")) result += line.substr(3) + "\n";
  }
  return result;
}

std::string without_folder(std::string text) {
  const std::string prefix = folder.string() + "/";
  for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
    text.erase(at, prefix.size());
  return text;
}

class BadModel : public testing::TestWithParam<std::string> {};

TEST_P(BadModel, IsExplained) {
  const std::filesystem::path file = folder / (GetParam() + ".toml");
  ProblemList problems;
  read_model(file, problems);
  EXPECT_EQ(without_folder(problems.text()), expected_problems(contents(file)));
}

INSTANTIATE_TEST_SUITE_P(All, BadModel, testing::ValuesIn(bad_models()), [](const auto& each) { return each.param; });

}  // namespace
}  // namespace carom
