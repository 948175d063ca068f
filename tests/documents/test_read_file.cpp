#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "documents/reading.h"
#include "documents/write_fields.h"

// Keys that name a file.
namespace carom {
namespace {

using testing::HasSubstr;

class FileKey : public testing::Test {
 protected:
  FileKey() : folder_(testing::TempDir() + "carom_file_key") {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "part.stl", std::ios::binary) << bytes_;
  }
  ~FileKey() override { std::filesystem::remove_all(folder_); }

  Settings read(const std::string& text) {
    documents_ = read_documents(text, "model.toml", folder_, problems_);
    Reading reading(documents_, problems_);
    const std::vector<ParameterDescription> rows = {{.name = "file", .kind = ParameterKind::file},
                                                    {.name = "other", .kind = ParameterKind::file}};
    return read_keys(reading, documents_.all.front().root, rows, {}, KeyPath::section("geometry"));
  }

  const std::string bytes_ = std::string("solid\0\xff\n", 8);
  std::filesystem::path folder_;
  Documents documents_;
  ProblemList problems_;
};

TEST_F(FileKey, HoldsTheBytesOfTheFile) {
  const Settings settings = read("file = \"part.stl\"\nother = \"./part.stl\"\n");
  EXPECT_TRUE(problems_.all().empty());
  EXPECT_EQ(settings.file("file").content(), bytes_);
  EXPECT_EQ(settings.file("file").name, "part.stl");
  EXPECT_EQ(settings.file("other").content(), bytes_);
}

TEST_F(FileKey, IsReadOnceHoweverOftenItIsNamed) {
  const Settings settings = read("file = \"part.stl\"\nother = \"part.stl\"\n");
  EXPECT_EQ(settings.file("file").bytes, settings.file("other").bytes);
}

TEST_F(FileKey, ReportsAMissingFileAtItsPlace) {
  const Settings settings = read("\nfile = \"prat.stl\"\n");
  EXPECT_FALSE(settings.has("file"));
  ASSERT_EQ(problems_.all().size(), 1);
  EXPECT_EQ(problems_.all().front().where.line, 2);
  EXPECT_THAT(problems_.all().front().found, HasSubstr("no such file"));
  EXPECT_THAT(problems_.all().front().found, HasSubstr("prat.stl"));
  EXPECT_EQ(problems_.all().front().remedy, "did you mean `part.stl`?");
}

TEST_F(FileKey, RefusesWhatIsNoName) {
  read("file = 3\n");
  ASSERT_EQ(problems_.all().size(), 1);
  EXPECT_THAT(problems_.all().front().expected, HasSubstr("name of a file"));
}

}  // namespace
}  // namespace carom
