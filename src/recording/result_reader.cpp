#include "recording/result_reader.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <thread>
#include <unordered_map>

#include "base/protected_files.h"
#include "recording/block_checksum.h"
#include "recording/hdf5_support.h"
#include "recording/select_quantities.h"

namespace carom::inline recording {

using namespace hdf5;

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& cause) {
  throw ResultError("cannot read result file " + path.string() + ": " + cause);
}

/// Looks at the file before HDF5 does, to tell the plain mistakes apart.
void check_openable(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) fail(path, "it is a folder; give the name of a file");
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail(path, std::string(std::strerror(errno ? errno : EIO)) + "; check the name and the permissions");
  std::array<char, 8> signature = {};
  stream.read(signature.data(), signature.size());
  if (stream.gcount() == 0) fail(path, "it is empty; its run did not get as far as writing");
  if (std::memcmp(signature.data(), "\x89HDF\r\n\x1a\n", signature.size()) != 0) {
    fail(path, "it is not an HDF5 file; give a file written by carom run");
  }
}

/// What the superblock says about a writer: none, one with readers alongside (running, or killed), or one that is just
/// opening or closing the file.
enum class WriterMark { none, alongside, exclusive };

WriterMark writer_mark(const std::filesystem::path& path) {
  constexpr int version_byte = 8, flags_byte = 11;
  constexpr int open_for_write = 1, open_for_swmr_write = 4;
  std::array<char, 12> start = {};
  std::ifstream stream(path, std::ios::binary);
  stream.read(start.data(), start.size());
  if (!stream || start[version_byte] < 3 || (start[flags_byte] & open_for_write) == 0) return WriterMark::none;
  return (start[flags_byte] & open_for_swmr_write) != 0 ? WriterMark::alongside : WriterMark::exclusive;
}

std::size_t row_count(hid_t dataset) {
  const Handle space = make(H5Dget_space(dataset), H5Sclose);
  hsize_t size[2] = {0, 0};
  if (H5Sget_simple_extent_ndims(space.get()) > 2) throw CallFailed{{0, "a dataset has an unknown shape"}};
  check(H5Sget_simple_extent_dims(space.get(), size, nullptr));
  return static_cast<std::size_t>(size[0]);
}

/// Reads `count` rows and `width` columns from (first, column) on; `columns` is 0 for a dataset of one dimension.
void read_block(hid_t dataset, hid_t type, bool matrix, std::size_t first, std::size_t count, std::size_t column,
                std::size_t width, void* values) {
  if (count == 0) return;
  const int rank = matrix ? 2 : 1;
  const hsize_t start[2] = {first, column};
  const hsize_t size[2] = {count, width};
  const Handle memory = make(H5Screate_simple(rank, size, nullptr), H5Sclose);
  const Handle source = make(H5Dget_space(dataset), H5Sclose);
  check(H5Sselect_hyperslab(source.get(), H5S_SELECT_SET, start, nullptr, size, nullptr));
  check(H5Dread(dataset, type, memory.get(), source.get(), H5P_DEFAULT, values));
}

/// Number of leading entries whose time was written; the rest was set aside by a writer that was killed.
template <class Row, class Time>
std::size_t written_rows(const std::vector<Row>& rows, Time time) {
  std::size_t count = rows.size();
  while (count > 0 && std::isnan(time(rows[count - 1]))) --count;
  return count;
}

}  // namespace

struct ResultReader::Impl {
  struct Place {
    std::size_t group, column;
  };

  std::filesystem::path path;
  bool live = false;
  ResultHeader header;
  std::string status;
  std::string statistics;
  std::vector<double> times;
  std::vector<std::string> names;
  std::unordered_map<std::string, Place> places;

  Handle file;
  Handle time;
  Handle events;
  std::vector<Handle> groups;

  std::size_t block_size = 0, event_block_size = 0;       // rows under one checksum
  std::vector<std::uint64_t> checksums, event_checksums;  // of a block: of every group, then of the time
  mutable std::vector<std::vector<bool>> sound;           // blocks of each group that have been looked at

  explicit Impl(const std::filesystem::path& file_path) : path(file_path) {
    check_openable(path);
    open();
    try {
      read_header();
    } catch (const CallFailed& call) {
      fail(path, "the file is damaged (" + call.failure.text + "); run the model again");
    }
    read_times();
  }

  void open() {
    const Handle access = file_access();
    Failure failure;
    for (int attempt = 0; attempt < 5 && !file.valid(); ++attempt) {
      if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const WriterMark mark = writer_mark(path);
      live = mark == WriterMark::alongside;
      // A reader alongside a writer tries again when a checksum does not fit, sleeping twice as long each time from 1
      // ns on; 24 attempts wait 20 ms in all, the library's own 100 would never end on a damaged file.
      if (live) check(H5Pset_metadata_read_attempts(access.get(), 24));
      const unsigned mode = live ? H5F_ACC_RDONLY | H5F_ACC_SWMR_READ : H5F_ACC_RDONLY;
      file = Handle(H5Fopen(path.c_str(), mode, access.get()), H5Fclose);
      if (!file.valid()) failure = last_failure();
      if (mark == WriterMark::none) break;
    }
    if (!file.valid()) {
      fail(path, "the file is truncated or damaged, or its run was killed before the first sample (" + failure.text +
                     "); copy it again or run the model again");
    }
    if (H5Aexists(file.get(), "format") == 0 || !has_format()) {
      fail(path, "it is an HDF5 file, but not a Carom result; give a file written by carom run");
    }
  }

  bool has_format() const {
    try {
      return read_text(file.get(), "format") == format_name;
    } catch (const CallFailed& call) {
      fail(path, "the file is truncated or damaged (" + call.failure.text + "); copy it again or run the model again");
    }
  }

  void read_header() {
    const hid_t root = file.get();
    if (const auto number = read_number(root, "format_version"); number != format_version) {
      fail(path, "its format version is " + std::to_string(number) + " and this program reads version " +
                     std::to_string(format_version) + "; use the version of Carom that wrote it");
    }
    header.version = read_text(root, "version");
    header.model_text = read_text(root, "model");
    header.model_file = read_text(root, "model_file");
    header.settings_json = read_text(root, "settings");
    header.seed = read_number(root, "seed");
    status = read_text(root, "status");
    if (live || status == status_running) status = status_unfinished;
    if (check(H5Aexists(root, "statistics")) > 0) statistics = read_text(root, "statistics");

    const Handle samples = make(H5Gopen2(root, "samples", H5P_DEFAULT), H5Gclose);
    for (const std::string& name : read_texts(samples.get(), "groups")) {
      groups.push_back(make(H5Dopen2(samples.get(), dataset_name(name).c_str(), H5P_DEFAULT), H5Dclose));
      header.groups.push_back({name, read_components(groups.back().get(), "")});
    }
    time = make(H5Dopen2(root, "time", H5P_DEFAULT), H5Dclose);
    events = make(H5Dopen2(root, "events", H5P_DEFAULT), H5Dclose);
    for (const std::string& name : read_texts(events.get(), "kinds")) {
      header.event_kinds.push_back({name, read_components(events.get(), name + " ")});
    }
    read_checksums();
    for (std::size_t group = 0; group < header.groups.size(); ++group) {
      for (std::size_t column = 0; column < header.groups[group].components.size(); ++column) {
        names.push_back(header.groups[group].name + "." + header.groups[group].components[column].name);
        places.emplace(names.back(), Place{group, column});
      }
    }
  }

  /// Older files have none.
  void read_checksums() {
    const auto read = [&](const char* name, hid_t of, std::size_t columns, std::size_t& block) {
      std::vector<std::uint64_t> sums;
      if (check(H5Lexists(file.get(), name, H5P_DEFAULT)) == 0) return sums;
      const Handle dataset = make(H5Dopen2(file.get(), name, H5P_DEFAULT), H5Dclose);
      sums.resize(row_count(dataset.get()) * columns);
      read_block(dataset.get(), H5T_NATIVE_UINT64, true, 0, sums.size() / columns, 0, columns, sums.data());
      hsize_t chunk[2] = {1, 1};
      const Handle creation = make(H5Dget_create_plist(of), H5Pclose);
      check(H5Pget_chunk(creation.get(), 1, chunk));
      block = static_cast<std::size_t>(chunk[0]);
      return sums;
    };
    checksums = read("checksums", time.get(), groups.size() + 1, block_size);
    event_checksums = read("event_checksums", events.get(), 1, event_block_size);
    sound.assign(groups.size(), std::vector<bool>(checksums.size() / (groups.size() + 1), false));
  }

  /// Throws CallFailed where the rows of a block are not those that were written.
  static void check_rows(const void* rows, std::size_t size, std::uint64_t wanted) {
    if (size > 0 && block_checksum(rows, size) != wanted)
      throw CallFailed{{0, "their checksum does not fit: bytes have changed"}};
  }

  /// Rows under a checksum: the last block of a finished run may have fewer than the others. None: it cannot be
  /// checked, because a writer is at work on the block, or was killed then.
  std::size_t rows_of_block(std::size_t block, std::size_t size, std::size_t rows) const {
    const std::size_t count = std::min(size, rows - std::min(rows, block * size));
    return live && count < size ? 0 : count;
  }

  void check_block(std::size_t group, std::size_t block) const {
    if (block >= sound[group].size() || sound[group][block]) return;
    const std::size_t columns = header.groups[group].components.size();
    std::vector<double> rows(rows_of_block(block, block_size, times.size()) * columns);
    read_block(groups[group].get(), H5T_NATIVE_DOUBLE, true, block * block_size, rows.size() / columns, 0, columns,
               rows.data());
    check_rows(rows.data(), rows.size() * sizeof(double), checksums[block * (groups.size() + 1) + group]);
    sound[group][block] = true;
  }

  void read_times() {
    try {
      times.resize(row_count(time.get()));
      read_block(time.get(), H5T_NATIVE_DOUBLE, false, 0, times.size(), 0, 1, times.data());
      times.resize(written_rows(times, [](double t) { return t; }));
      for (std::size_t block = 0; (block + 1) * (groups.size() + 1) <= checksums.size(); ++block)
        check_rows(times.data() + std::min(times.size(), block * block_size),
                   rows_of_block(block, block_size, times.size()) * sizeof(double),
                   checksums[block * (groups.size() + 1) + groups.size()]);
      for (const Handle& group : groups) {
        if (live) check(H5Drefresh(group.get()));  // opened before the time: the writer may have gone on in between
        check_samples(group.get(), true, times.size());
      }
      check_samples(time.get(), false, times.size());
    } catch (const CallFailed& call) {
      fail(path, "the file is truncated or damaged (" + call.failure.text + "); copy it again or run the model again");
    }
  }

  /// A dataset must hold the samples that time announces. The library reads past the end of a file that a killed writer
  /// left as zeros, so a copy cut short is noticed here: chunks lie in the file in the order of their samples.
  void check_samples(hid_t dataset, bool matrix, std::size_t count) const {
    if (row_count(dataset) < count) throw CallFailed{{0, "samples are missing"}};
    if (!live || count == 0) return;
    const hsize_t place[2] = {count - 1, 0};
    const Handle creation = make(H5Dget_create_plist(dataset), H5Pclose);
    hsize_t chunk[2] = {1, 1};
    check(H5Pget_chunk(creation.get(), matrix ? 2 : 1, chunk));
    const hsize_t corner[2] = {place[0] / chunk[0] * chunk[0], 0};
    unsigned filters = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t size = 0;
    check(H5Dget_chunk_info_by_coord(dataset, corner, &filters, &address, &size));
    if (address == HADDR_UNDEF || address + size > std::filesystem::file_size(path)) {
      throw CallFailed{{0, "its end is missing"}};
    }
  }

  Place find(const std::string& quantity) const {
    const auto found = places.find(quantity);
    if (found != places.end()) return found->second;
    std::string message = "result file " + path.string() + " holds no quantity '" + quantity + "'";
    const std::vector<std::string> close = close_names(quantity, names);
    for (std::size_t i = 0; i < close.size(); ++i) message += (i == 0 ? "; did you mean " : ", ") + close[i];
    throw ResultError(message + (close.empty() ? "; carom info lists what it holds" : "?"));
  }

  void read(std::size_t group, std::size_t first, std::size_t count, std::size_t column, std::size_t width,
            double* values) const {
    silence_errors();
    const std::size_t step = block_size > 0 ? block_size : std::max<std::size_t>(count, 1);
    std::size_t at = first;
    try {
      for (; at < first + count;) {
        const std::size_t next = std::min(first + count, (at / step + 1) * step);
        check_block(group, at / step);
        read_block(groups[group].get(), H5T_NATIVE_DOUBLE, true, at, next - at, column, width,
                   values + (at - first) * width);
        at = next;
      }
    } catch (const CallFailed& call) {
      fail(path, "the samples of " + header.groups[group].name + " from t = " + std::to_string(times[at]) +
                     " s on cannot be read (" + call.failure.text + "); copy the file again or run the model again");
    }
  }

  std::vector<EventRecord> read_events() const {
    silence_errors();
    std::vector<EventRow> rows;
    try {
      rows.resize(row_count(events.get()));
      read_block(events.get(), event_type(event_values(events.get())).get(), false, 0, rows.size(), 0, 1, rows.data());
      rows.resize(written_rows(rows, [](const EventRow& row) { return row.time; }));
      for (std::size_t block = 0; block < event_checksums.size(); ++block)
        check_rows(rows.data() + std::min(rows.size(), block * event_block_size),
                   rows_of_block(block, event_block_size, rows.size()) * sizeof(EventRow), event_checksums[block]);
    } catch (const CallFailed& call) {
      fail(path, "the events cannot be read (" + call.failure.text + "); copy the file again or run the model again");
    }
    std::vector<EventRecord> records;
    for (const EventRow& row : rows) {
      const auto kind = std::find_if(header.event_kinds.begin(), header.event_kinds.end(),
                                     [&](const EventKind& known) { return known.name == row.kind; });
      const std::size_t count = kind == header.event_kinds.end() ? 0 : kind->values.size();
      records.push_back({row.time, row.kind, row.subject, {row.values, row.values + count}});
    }
    return records;
  }
};

bool is_result_file(const std::filesystem::path& path) {
  silence_errors();
  try {
    check_openable(path);
    const bool live = writer_mark(path) != WriterMark::none;
    const Handle file(
        H5Fopen(path.c_str(), live ? H5F_ACC_RDONLY | H5F_ACC_SWMR_READ : H5F_ACC_RDONLY, file_access().get()),
        H5Fclose);
    return file.valid() && H5Aexists(file.get(), "format") > 0 && read_text(file.get(), "format") == format_name;
  } catch (const ResultError&) {
    return false;
  } catch (const CallFailed&) {
    return false;
  }
}

ResultReader::ResultReader(const std::filesystem::path& path) {
  silence_errors();
  note_read_file(path);
  try {
    impl_ = std::make_unique<Impl>(path);
  } catch (const CallFailed& call) {
    fail(path, call.failure.text);
  }
}

ResultReader::~ResultReader() = default;
ResultReader::ResultReader(ResultReader&&) noexcept = default;
ResultReader& ResultReader::operator=(ResultReader&&) noexcept = default;

const std::filesystem::path& ResultReader::path() const {
  return impl_->path;
}
const ResultHeader& ResultReader::header() const {
  return impl_->header;
}
std::string ResultReader::status() const {
  return impl_->status;
}
std::string ResultReader::statistics_json() const {
  return impl_->statistics;
}
std::size_t ResultReader::sample_count() const {
  return impl_->times.size();
}
std::vector<std::string> ResultReader::quantities() const {
  return impl_->names;
}
std::vector<double> ResultReader::times() const {
  return impl_->times;
}

Component ResultReader::component(const std::string& quantity) const {
  const Impl::Place place = impl_->find(quantity);
  return impl_->header.groups[place.group].components[place.column];
}

std::vector<double> ResultReader::column(const std::string& quantity) const {
  const Impl::Place place = impl_->find(quantity);
  std::vector<double> values(sample_count());
  impl_->read(place.group, 0, values.size(), place.column, 1, values.data());
  return values;
}

void ResultReader::read_rows(std::size_t group, std::size_t first, std::size_t count, std::span<double> values) const {
  if (group >= impl_->groups.size()) throw ResultError("result file " + path().string() + " holds no such group");
  const std::size_t columns = impl_->header.groups[group].components.size();
  if (first > sample_count() || count > sample_count() - first || values.size() != count * columns) {
    throw ResultError("rows outside result file " + path().string() + " were asked for");
  }
  impl_->read(group, first, count, 0, columns, values.data());
}

std::vector<EventRecord> ResultReader::events() const {
  return impl_->read_events();
}

}  // namespace carom::inline recording
