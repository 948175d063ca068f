#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstring>
#include <limits>

#include "result_scene.h"

namespace carom {
namespace {

using namespace scene;
using testing::AllOf;
using testing::HasSubstr;

std::string writing(const std::filesystem::path& path, const ResultHeader& header = slider_crank()) {
  return error_of([&] { ResultWriter(path, header); });
}

std::string reading(const std::filesystem::path& path) {
  return error_of([&] { ResultReader{path}; });
}

void write_run(const std::filesystem::path& path) {
  ResultWriter writer(path, slider_crank());
  record(writer, 0, 5000);
  writer.finish("", "complete");
}

TEST(WriterErrors, NamePathCauseAndRemedy) {
  const Folder folder;
  EXPECT_THAT(writing(folder.path()), AllOf(HasSubstr(folder.path().string()), HasSubstr("Is a directory"),
                                            HasSubstr("give the name of a file")));
  EXPECT_THAT(writing(folder / "missing/run.h5"),
              AllOf(HasSubstr("missing/run.h5"), HasSubstr("No such file"), HasSubstr("create the folder")));
  std::ofstream(folder / "file") << "x";
  EXPECT_THAT(writing(folder / "file/run.h5"), HasSubstr("Not a directory"));
}

TEST(WriterErrors, PermissionsAreReported) {
  const Folder folder;
  write_run(folder / "mine.h5");
  chmod((folder / "mine.h5").c_str(), 0444);
  std::filesystem::create_directory(folder / "closed");
  chmod((folder / "closed").c_str(), 0555);
  chmod(folder.path().c_str(), 0755);
  const pid_t child = fork();
  if (child == 0) {
    if (getuid() == 0 && setuid(65534) != 0) _exit(9);
    const bool file = writing(folder / "mine.h5").find("Permission denied") != std::string::npos;
    const bool place = writing(folder / "closed/run.h5").find("change the permissions") != std::string::npos;
    _exit(file && place ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(ResultReader(folder / "mine.h5").sample_count(), 5000u);
}

TEST(WriterErrors, AWrongHeaderLeavesAnOlderFileAlone) {
  const Folder folder;
  write_run(folder / "run.h5");
  ResultHeader header = slider_crank();
  header.groups.push_back(header.groups[0]);
  EXPECT_THAT(writing(folder / "run.h5", header), HasSubstr("body:crank is recorded twice"));
  EXPECT_THAT(writing(folder / "run.h5", {.groups = {{"g", {}}}}), HasSubstr("has no components"));
  EXPECT_THAT(writing(folder / "run.h5", {.groups = {{"", {}}}}), HasSubstr("has no name"));
  EXPECT_THAT(writing(folder / "run.h5", {.groups = {{"g", {{"x", "", ""}, {"x", "", ""}}}}}), HasSubstr("g.x"));
  EXPECT_THAT(writing(folder / "run.h5", {.event_kinds = {{std::string(40, 'k'), {}}}}), HasSubstr("31 bytes"));
  EXPECT_THAT(writing(folder / "run.h5", {.event_kinds = {{"k", std::vector<Component>(17)}}}), HasSubstr("16 values"));
  EXPECT_EQ(ResultReader(folder / "run.h5").sample_count(), 5000u);
}

TEST(WriterErrors, WrongSamplesAndEventsAreRefused) {
  const Folder folder;
  ResultWriter writer(folder / "run.h5", slider_crank());
  EXPECT_THAT(error_of([&] { writer.append(0, std::vector<double>(5)); }), HasSubstr("5 values was given for 6"));
  EXPECT_THAT(error_of([&] { writer.append(std::numeric_limits<double>::quiet_NaN(), sample(0)); }),
              HasSubstr("not finite"));
  EXPECT_THAT(error_of([&] { writer.add_event({0, "explosion", "", {}}); }), HasSubstr("unknown kind 'explosion'"));
  EXPECT_THAT(error_of([&] { writer.add_event({0, "contact", "", {1}}); }), HasSubstr("has 2 values"));
  writer.finish("", "complete");
  EXPECT_THAT(error_of([&] { writer.append(0, sample(0)); }), HasSubstr("takes no more"));
  writer.finish("", "failed: again");
  EXPECT_EQ(ResultReader(folder / "run.h5").status(), "complete");
}

TEST(ReaderErrors, FilesThatAreNotResults) {
  const Folder folder;
  EXPECT_THAT(reading(folder / "none.h5"), AllOf(HasSubstr("none.h5"), HasSubstr("No such file")));
  EXPECT_THAT(reading(folder.path()), HasSubstr("it is a folder"));
  std::ofstream(folder / "text.h5") << "time,x\n0,1\n";
  EXPECT_THAT(reading(folder / "text.h5"), HasSubstr("not an HDF5 file"));
  std::ofstream(folder / "empty.h5").flush();
  EXPECT_THAT(reading(folder / "empty.h5"), HasSubstr("it is empty"));
  H5Fclose(H5Fcreate((folder / "other.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_THAT(reading(folder / "other.h5"), HasSubstr("not a Carom result"));
}

TEST(ReaderErrors, TruncatedFiles) {
  const Folder folder;
  write_run(folder / "run.h5");
  const std::string whole = bytes(folder / "run.h5");
  for (const double part : {0.0005, 0.01, 0.1, 0.5, 0.9, 0.999}) {
    const auto size = static_cast<std::size_t>(part * static_cast<double>(whole.size()));
    std::ofstream(folder / "part.h5", std::ios::binary) << whole.substr(0, size);
    EXPECT_THAT(reading(folder / "part.h5"), HasSubstr("truncated or damaged")) << part;
  }
}

TEST(ReaderErrors, TruncatedCopiesOfAnUnfinishedFile) {
  const Folder folder;
  ResultWriter writer(folder / "run.h5", slider_crank());
  record(writer, 0, 20'000);
  writer.flush();
  const std::string whole = bytes(folder / "run.h5");
  std::ofstream(folder / "whole.h5", std::ios::binary) << whole;
  EXPECT_EQ(ResultReader(folder / "whole.h5").sample_count(), 20'000u);
  for (const double part : {0.001, 0.01, 0.1, 0.5, 0.9, 0.95}) {
    const auto size = static_cast<std::size_t>(part * static_cast<double>(whole.size()));
    std::ofstream(folder / "part.h5", std::ios::binary) << whole.substr(0, size);
    EXPECT_THAT(reading(folder / "part.h5"), HasSubstr("damaged")) << part;
  }
}

TEST(ReaderErrors, FlippedBytesNeverCrash) {
  const Folder folder;
  {
    ResultWriter writer(folder / "run.h5", slider_crank());
    record(writer, 0, 10);
    writer.finish("", "complete");
  }
  const std::string whole = bytes(folder / "run.h5");
  for (std::size_t place = 0; place < whole.size(); place += 1 + place / 40) {
    std::string damaged = whole;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x55);
    std::ofstream(folder / "damaged.h5", std::ios::binary) << damaged;
    try {
      const ResultReader reader(folder / "damaged.h5");
      for (const std::string& name : reader.quantities()) reader.column(name);
    } catch (const ResultError&) {
    }
  }
}

// What a reader gets out of a file, or that it is refused.
std::string all_numbers(const std::filesystem::path& path) {
  std::string text;
  try {
    const ResultReader reader(path);
    const auto add = [&](const std::vector<double>& values) {
      text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
    };
    add(reader.times());
    for (const std::string& name : reader.quantities()) add(reader.column(name));
    for (const EventRecord& event : reader.events()) {
      text += event.kind + event.subject;
      add(event.values);
    }
    return text;
  } catch (const ResultError&) {
    return "refused";
  }
}

TEST(ReaderErrors, DamageIsReportedAndNeverReadAsNumbers) {
  const Folder folder;
  {
    ResultWriter writer(folder / "run.h5", slider_crank());
    record(writer, 0, 5000);
    for (int k = 0; k < 100; ++k) writer.add_event({sample_time(9), "contact", "contact:a/b", {1, 1.0 * k}});
    writer.finish("{}", "complete");
  }
  const std::string whole = bytes(folder / "run.h5"), sound = all_numbers(folder / "run.h5");
  ASSERT_NE(sound, "refused");
  std::size_t refused = 0;
  for (std::size_t k = 0; k < 400; ++k) {
    const std::size_t place = k * 7919 * 31 % whole.size();
    std::string damaged = whole;
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << k % 8));
    if (k % 4 == 3) damaged.replace(place, std::min<std::size_t>(512, whole.size() - place), 512, '\0');
    std::ofstream(folder / "damaged.h5", std::ios::binary) << damaged;
    const std::string read = all_numbers(folder / "damaged.h5");
    refused += read == "refused" ? 1 : 0;
    EXPECT_TRUE(read == "refused" || read == sound) << "damaged at " << place;
  }
  EXPECT_GT(refused, 200u);
}

TEST(ReaderErrors, DamagedSamplesAreNamedWithTheirTime) {
  const Folder folder;
  {
    ResultWriter writer(folder / "run.h5", slider_crank());
    record(writer, 0, 5000);
    writer.finish("{}", "complete");
  }
  std::string damaged = bytes(folder / "run.h5");
  const double value = sample(4500)[1];  // body:crank.y
  const std::size_t place = damaged.find(std::string(reinterpret_cast<const char*>(&value), sizeof value));
  ASSERT_NE(place, std::string::npos);
  damaged[place] = static_cast<char>(damaged[place] ^ 1);
  std::ofstream(folder / "run.h5", std::ios::binary) << damaged;
  const ResultReader reader(folder / "run.h5");
  EXPECT_EQ(reader.column("energy.kinetic").size(), 5000u);
  EXPECT_THAT(error_of([&] { reader.column("body:crank.x"); }),
              AllOf(HasSubstr("run.h5"), HasSubstr("body:crank"), HasSubstr("from t = "), HasSubstr("checksum"),
                    HasSubstr("run the model again")));
}

TEST(ReaderErrors, UnknownQuantitiesListCloseNames) {
  const Folder folder;
  write_run(folder / "run.h5");
  const ResultReader reader(folder / "run.h5");
  EXPECT_THAT(error_of([&] { reader.column("body:cranck.x"); }),
              AllOf(HasSubstr("'body:cranck.x'"), HasSubstr("did you mean body:crank.x, body:crank.y?")));
  EXPECT_THAT(error_of([&] { reader.component("kinetic"); }), HasSubstr("did you mean energy.kinetic?"));
  EXPECT_THAT(error_of([&] { reader.column("zzzzzzzzzzzzzz"); }), HasSubstr("carom info"));
  std::vector<double> values(6);
  EXPECT_THAT(error_of([&] { reader.read_rows(0, 4999, 2, values); }), HasSubstr("rows outside"));
  EXPECT_THAT(error_of([&] { reader.read_rows(9, 0, 2, values); }), HasSubstr("no such group"));
}

}  // namespace
}  // namespace carom
