#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <functional>
#include <memory>

#include "result_scene.h"

namespace carom {
namespace {

using namespace scene;
using testing::HasSubstr;

/// Runs `work` in a child and returns its exit status, or minus the signal that ended it. What the child prints on
/// stderr, up to the end of its exit handlers, goes to `messages`.
int in_child(const std::filesystem::path& messages, const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen(messages.c_str(), "w", stderr)) _exit(99);
    alarm(60);
    exit(work());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// Records until something throws; 0 when that was a ResultError with the wanted text.
int record_until_error(const std::filesystem::path& path, const std::string& wanted) {
  try {
    ResultWriter writer(path, slider_crank());
    for (std::size_t i = 0; i < 10'000'000; ++i) {
      record(writer, i, i + 1);
      if (i % 5000 == 0) writer.add_event({sample_time(i), "contact", "c", {1, 2}});
      if (i % 300 == 0) writer.flush();
    }
    return 1;
  } catch (const ResultError& error) {
    return std::strstr(error.what(), wanted.c_str()) && std::strstr(error.what(), path.c_str()) ? 0 : 2;
  }
}

void expect_samples(const ResultReader& reader, std::size_t at_least) {
  ASSERT_GE(reader.sample_count(), at_least);
  const auto times = reader.times();
  const auto names = reader.quantities();
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto column = reader.column(names[k]);
    for (std::size_t i = 0; i < column.size(); ++i) {
      ASSERT_EQ(times[i], sample_time(i));
      ASSERT_EQ(column[i], sample(i)[k]) << names[k] << " at " << i;
    }
  }
}

class KilledAfter : public testing::TestWithParam<std::size_t> {};

TEST_P(KilledAfter, EveryFlushedSampleIsReadable) {
  const Folder folder;
  const std::size_t flushed = GetParam();
  const int status = in_child(folder / "messages", [&] {
    ResultWriter writer(folder / "run.h5", slider_crank());
    record(writer, 0, flushed);
    writer.add_event({0.5, "contact", "contact:ball/floor", {1, 2}});
    writer.flush();
    record(writer, flushed, flushed + 77);
    raise(SIGKILL);
    return 0;
  });
  ASSERT_EQ(status, -SIGKILL);
  const ResultReader reader(folder / "run.h5");
  EXPECT_EQ(reader.status(), status_unfinished);
  EXPECT_EQ(reader.statistics_json(), "");
  EXPECT_EQ(reader.header(), slider_crank());
  expect_samples(reader, flushed);
  ASSERT_EQ(reader.events().size(), 1u);
  EXPECT_EQ(reader.events()[0].subject, "contact:ball/floor");
}

INSTANTIATE_TEST_SUITE_P(Samples, KilledAfter, testing::Values(0, 1, 31, 2047, 2048, 2049, 4096, 50'000));

TEST(Interruption, AtAnyMomentLeavesWholeSamples) {
  const Folder folder;
  for (int trial = 0; trial < 12; ++trial) {
    int report[2];
    ASSERT_EQ(pipe(report), 0);
    const pid_t child = fork();
    if (child == 0) {
      ResultWriter writer(folder / "run.h5", slider_crank());
      for (std::size_t i = 0;; ++i) {
        record(writer, i, i + 1);
        if (i % 97 != 0) continue;
        writer.flush();
        const std::size_t flushed = i + 1;
        if (write(report[1], &flushed, sizeof flushed) < 0) _exit(1);
      }
    }
    close(report[1]);
    std::size_t flushed = 0;
    ASSERT_EQ(read(report[0], &flushed, sizeof flushed), ssize_t(sizeof flushed));
    usleep(3000 + 4111 * trial);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    for (std::size_t later; read(report[0], &later, sizeof later) == ssize_t(sizeof later);) flushed = later;
    close(report[0]);
    expect_samples(ResultReader(folder / "run.h5"), flushed);
    if (HasFatalFailure()) return;
  }
}

TEST(Interruption, AReaderMayLookOnWhileTheRunGoes) {
  const Folder folder;
  ResultWriter writer(folder / "run.h5", slider_crank());
  record(writer, 0, 3000);
  writer.flush();
  {
    const ResultReader reader(folder / "run.h5");
    EXPECT_EQ(reader.status(), status_unfinished);
    expect_samples(reader, 3000);
  }
  record(writer, 3000, 6000);
  writer.flush();
  const ResultReader reader(folder / "run.h5");
  expect_samples(reader, 6000);
  EXPECT_EQ(reader.sample_count(), 6000u);
  writer.finish("", "complete");
}

TEST(Interruption, AWriterThatIsDroppedKeepsItsSamples) {
  const Folder folder;
  {
    ResultWriter writer(folder / "run.h5", slider_crank());
    record(writer, 0, 10);
  }
  const ResultReader reader(folder / "run.h5");
  EXPECT_EQ(reader.sample_count(), 10u);
  EXPECT_EQ(reader.status(), status_unfinished);
}

// Until this one has samples on the disk.
TEST(Interruption, AnOlderResultStaysUntilThereAreSamples) {
  const Folder folder;
  const auto samples_there = [&] { return ResultReader(folder / "run.h5").sample_count(); };
  {
    ResultWriter older(folder / "run.h5", slider_crank());
    EXPECT_TRUE(older.is_in_place());
    record(older, 0, 7);
    older.finish("", "complete");
  }
  {
    ResultWriter newer(folder / "run.h5", slider_crank());
    newer.flush();
    EXPECT_FALSE(newer.is_in_place());
    EXPECT_EQ(samples_there(), 7u);
    record(newer, 0, 3);
    EXPECT_EQ(samples_there(), 7u);
    newer.flush();
    EXPECT_TRUE(newer.is_in_place());
    EXPECT_EQ(samples_there(), 3u);
  }
  EXPECT_EQ(samples_there(), 3u);
  const int status = in_child(folder / "messages", [&] {
    ResultWriter killed(folder / "run.h5", slider_crank());
    record(killed, 0, 5);
    raise(SIGKILL);
    return 0;
  });
  ASSERT_EQ(status, -SIGKILL);
  EXPECT_EQ(samples_there(), 3u);
  // A result may have none, when it is finished; and what the killed one left goes.
  ResultWriter(folder / "run.h5", slider_crank()).finish("", "failed: at the start");
  EXPECT_EQ(samples_there(), 0u);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

TEST(Interruption, ASecondWriterIsRefusedWhileTheFirstWorks) {
  const Folder folder;
  ResultWriter first(folder / "run.h5", slider_crank());
  record(first, 0, 10);
  EXPECT_THAT(error_of([&] { ResultWriter(folder / "run.h5", slider_crank()); }),
              HasSubstr("another run is writing it"));
  first.finish("", "complete");
  EXPECT_EQ(ResultReader(folder / "run.h5").sample_count(), 10u);
  EXPECT_NO_THROW(ResultWriter(folder / "run.h5", slider_crank()));
}

class LimitedSize : public testing::TestWithParam<rlim_t> {};

TEST_P(LimitedSize, IsReportedOnceAndClosesQuietly) {
  const Folder folder;
  const int status = in_child(folder / "messages", [&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {GetParam(), GetParam()};
    setrlimit(RLIMIT_FSIZE, &limit);
    return record_until_error(folder / "run.h5", "File too large");
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(bytes(folder / "messages"), "");
  if (GetParam() < 500'000) return;
  const ResultReader reader(folder / "run.h5");
  EXPECT_EQ(reader.status(), status_unfinished);
  expect_samples(reader, 2048);
}

INSTANTIATE_TEST_SUITE_P(Bytes, LimitedSize,
                         testing::Values(0, 1000, 5000, 20'000, 100'000, 500'000, 1'000'001, 4'000'000));

TEST(Interruption, AFullDiskIsReportedAndLeavesTheFlushedSamples) {
  const Folder folder;
  std::filesystem::create_directory(folder / "disk");
  if (mount("tmpfs", (folder / "disk").c_str(), "tmpfs", 0, "size=1m") != 0) GTEST_SKIP() << "cannot mount a tmpfs";
  const std::unique_ptr<const std::filesystem::path, void (*)(const std::filesystem::path*)> unmount(
      new std::filesystem::path(folder / "disk"), [](const std::filesystem::path* disk) {
        umount(disk->c_str());
        delete disk;
      });
  const auto path = folder / "disk" / "run.h5";
  EXPECT_EQ(in_child(folder / "messages", [&] { return record_until_error(path, "No space left on device"); }), 0);
  EXPECT_EQ(bytes(folder / "messages"), "");
  const ResultReader reader(path);
  EXPECT_EQ(reader.status(), status_unfinished);
  expect_samples(reader, 2048);
}

// How many samples and events were taken before the first error, as "samples events"; flushed after every so many
// samples, 0: never.
int record_and_count(const std::filesystem::path& folder, std::size_t flush_interval) {
  std::size_t samples = 0, events = 0;
  const std::string error = error_of([&] {
    ResultWriter writer(folder / "run.h5", slider_crank());
    for (std::size_t i = 0; i < 1'000'000; ++i) {
      record(writer, i, i + 1);
      ++samples;
      if (i % 11 == 0) {
        writer.add_event({sample_time(i), "contact", "c", {1, 1.0 * static_cast<double>(i)}});
        ++events;
      }
      if (flush_interval > 0 && i % flush_interval == 0) writer.flush();
    }
  });
  std::ofstream(folder / "counts") << samples << " " << events;
  return error.find("File too large") == std::string::npos ? 1 : 0;
}

class FullAfter : public testing::TestWithParam<std::size_t> {};

// Whatever needs more room when the disk is full, samples or events, and whenever they were flushed.
TEST_P(FullAfter, EverySampleAndEventBeforeTheFailureIsKept) {
  for (rlim_t size = 300'000; size < 1'500'000; size += 61'357) {
    const Folder folder;
    const int status = in_child(folder / "messages", [&] {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit = {size, size};
      setrlimit(RLIMIT_FSIZE, &limit);
      return record_and_count(folder.path(), GetParam());
    });
    ASSERT_EQ(status, 0) << size;
    std::size_t samples = 0, events = 0;
    std::ifstream(folder / "counts") >> samples >> events;
    const ResultReader reader(folder / "run.h5");
    EXPECT_GT(samples, 1000u) << size;
    EXPECT_EQ(reader.sample_count(), samples) << size;
    EXPECT_EQ(reader.events().size(), events) << size;
    expect_samples(reader, samples);
  }
}

INSTANTIATE_TEST_SUITE_P(FlushedEvery, FullAfter, testing::Values(0, 300, 1777));

TEST(Interruption, AFailedWriterTakesNoMore) {
  const Folder folder;
  const int status = in_child(folder / "messages", [&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {300'000, 300'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    ResultWriter writer(folder / "run.h5", slider_crank());
    if (error_of([&] { record(writer, 0, 100'000); }).find("ulimit -f") == std::string::npos) return 1;
    if (error_of([&] { record(writer, 0, 1); }).find("takes no more") == std::string::npos) return 2;
    writer.flush();
    writer.finish("", "complete");
    ResultWriter(folder / "other.h5", slider_crank()).finish("", "complete");
    return ResultReader(folder / "other.h5").status() == "complete" ? 0 : 3;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(bytes(folder / "messages"), "");
}

}  // namespace
}  // namespace carom
