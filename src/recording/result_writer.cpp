#include "recording/result_writer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <set>

#include "base/protected_files.h"
#include "recording/block_checksum.h"
#include "recording/hdf5_support.h"
#include "recording/output_file.h"
#include "recording/result_reader.h"

namespace carom::inline recording {

using namespace hdf5;

namespace {

constexpr std::size_t group_block_bytes = std::size_t{64} << 10;  // of one group's chunk
constexpr std::size_t total_block_bytes = std::size_t{1} << 20;   // of all groups' chunks together
constexpr std::size_t least_samples_per_block = 32, most_samples_per_block = 4096;
constexpr std::size_t most_block_bytes = std::size_t{256} << 20;  // of all groups' chunks where so many are expected
constexpr std::size_t least_events_per_block = 64, most_events_per_block = 4096;
constexpr std::size_t groups_per_event = 4;
constexpr std::size_t checksum_chunk_bytes = 4096;

void require(bool condition, const std::string& message) {
  if (!condition) throw ResultError(message);
}

void check_header(const ResultHeader& header) {
  std::set<std::string> names;
  for (const ChannelGroup& group : header.groups) {
    require(!group.name.empty(), "a recorded group has no name");
    require(names.insert(group.name).second, "the group " + group.name + " is recorded twice");
    require(!group.components.empty(), "the group " + group.name + " has no components");
    std::set<std::string> components;
    for (const Component& component : group.components) {
      require(components.insert(component.name).second, group.name + "." + component.name + " is recorded twice");
    }
  }
  std::set<std::string> kinds;
  for (const EventKind& kind : header.event_kinds) {
    require(!kind.name.empty() && kind.name.size() <= max_event_kind_length,
            "the name of an event kind must have 1 to 31 bytes: '" + kind.name + "'");
    require(kinds.insert(kind.name).second, "the event kind " + kind.name + " is described twice");
    require(kind.values.size() <= max_event_values,
            "the event kind " + kind.name + " has more than " + std::to_string(max_event_values) + " values");
  }
}

/// Samples in one block: one chunk of every dataset. Equal for all of them, so that chunks lie in the file in an order
/// that does not depend on the moments of flushing. Each block costs a look at every dataset: where samples are large,
/// those of a run go into as few as there is room for, and a short run takes no room for more than it has.
std::size_t samples_per_block(const std::vector<ChannelGroup>& groups, std::size_t expected) {
  std::size_t widest = 1, total = 1;
  for (const ChannelGroup& group : groups) {
    widest = std::max(widest, group.components.size());
    total += group.components.size();
  }
  const std::size_t fitting = std::min(group_block_bytes / widest, total_block_bytes / total) / sizeof(double);
  if (fitting >= least_samples_per_block || expected == 0)
    return std::bit_floor(std::clamp(fitting, least_samples_per_block, most_samples_per_block));
  const std::size_t most = std::max(most_block_bytes / total / sizeof(double), least_samples_per_block);
  const std::size_t blocks = (expected + most - 1) / most;
  return (expected + blocks - 1) / blocks;
}

/// Events in one block: to begin one takes a look at all datasets.
std::size_t events_per_block(const std::vector<ChannelGroup>& groups) {
  return std::bit_floor(std::clamp(groups.size() / groups_per_event, least_events_per_block, most_events_per_block));
}

/// A chunked dataset that grows along its first dimension. Rows that exist but were never written read as `fill`.
Handle create_growing(hid_t parent, const std::string& name, hid_t type, std::size_t columns, std::size_t block,
                      const void* fill) {
  const int rank = columns == 0 ? 1 : 2;
  const hsize_t size[2] = {0, columns};
  const hsize_t limit[2] = {H5S_UNLIMITED, columns};
  const hsize_t chunk[2] = {block, columns};
  const Handle space = make(H5Screate_simple(rank, size, limit), H5Sclose);
  const Handle creation = make(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_chunk(creation.get(), rank, chunk));
  check(H5Pset_obj_track_times(creation.get(), false));
  check(H5Pset_fill_value(creation.get(), type, fill));
  // A block is given its place as soon as its first sample comes, whether or not a flush follows.
  check(H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY));
  check(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_ALLOC));
  return make(H5Dcreate2(parent, name.c_str(), type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Dclose);
}

/// Copies a text into a fixed field, cutting between characters and marking the cut.
template <std::size_t size>
void copy_text(const std::string& text, char (&field)[size]) {
  std::memset(field, 0, size);
  if (text.size() < size) {
    std::memcpy(field, text.data(), text.size());
    return;
  }
  const char mark[] = "…";
  std::size_t end = size - sizeof mark;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  std::memcpy(field, text.data(), end);
  std::memcpy(field + end, mark, sizeof mark);
}

}  // namespace

struct ResultWriter::Impl {
  struct Group {
    std::size_t columns = 0;
    Handle dataset = {};
    std::vector<double> block = {};  // samples of the current block
  };

  std::filesystem::path path;
  std::vector<EventKind> event_kinds;
  std::size_t value_count = 0;
  std::size_t block_size = 0, event_block_size = 0;

  std::optional<OutputFile> output;  // empty once finished
  Handle file;
  Handle time;
  Handle events;
  Handle row_type;
  Handle checksums, event_checksums;

  std::vector<Group> groups;
  std::vector<double> times;          // of the current block
  std::vector<EventRow> event_block;  // of the current block
  std::size_t block_start = 0;        // sample number of the block's first
  std::size_t written = 0;            // samples of the block that are in the file
  std::size_t event_block_start = 0;  // the same for events
  std::size_t events_written = 0;
  std::vector<std::uint64_t> checksum_row;  // of a block: of every group, then of the time
  bool failed = false;
  bool finished = false;

  Impl(const std::filesystem::path& file_path, const ResultHeader& header, std::size_t expected_samples)
      : path(file_path),
        event_kinds(header.event_kinds),
        block_size(samples_per_block(header.groups, expected_samples)),
        event_block_size(events_per_block(header.groups)),
        output(file_path) {
    times.reserve(block_size);
    event_block.reserve(event_block_size);
    for (const ChannelGroup& group : header.groups) {
      groups.push_back({.columns = group.components.size()});
      groups.back().block.resize(group.components.size() * block_size);
      value_count += group.components.size();
    }
    create(header);
    start(header);
    if (!output->replaces_older()) output->put_in_place();
  }

  void create(const ResultHeader& header) {
    const Handle creation = make(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    check(H5Pset_obj_track_times(creation.get(), false));
    file = make(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), output->access().get()), H5Fclose);
    write_attribute(file.get(), "format", std::string(format_name));
    write_attribute(file.get(), "format_version", static_cast<std::uint64_t>(format_version));
    write_attribute(file.get(), "version", header.version);
    write_attribute(file.get(), "model", header.model_text);
    write_attribute(file.get(), "model_file", header.model_file);
    write_attribute(file.get(), "settings", header.settings_json);
    write_attribute(file.get(), "seed", header.seed);
    write_attribute(file.get(), "status", std::string(status_running));

    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::string> names;
    const Handle group_creation = make(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    check(H5Pset_obj_track_times(group_creation.get(), false));
    const Handle samples =
        make(H5Gcreate2(file.get(), "samples", H5P_DEFAULT, group_creation.get(), H5P_DEFAULT), H5Gclose);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const ChannelGroup& group = header.groups[i];
      names.push_back(group.name);
      const Handle dataset =
          create_growing(samples.get(), dataset_name(group.name), H5T_IEEE_F64LE, groups[i].columns, block_size, &nan);
      write_components(dataset.get(), "", group.components);
    }
    write_attribute(samples.get(), "groups", names);
    const Handle time_dataset = create_growing(file.get(), "time", H5T_IEEE_F64LE, 0, block_size, &nan);
    write_components(time_dataset.get(), "", {{"time", "s", "time of the samples"}});
    create_events(header);
    create_checksums();
  }

  /// Damage of the samples is noticed by checksums of whole blocks, which lie apart from them: a filter of the library
  /// would spoil a block that is just being written when the program is killed.
  void create_checksums() {
    const std::size_t columns = groups.size() + 1;
    checksum_row.resize(columns);
    const std::uint64_t none = 0;
    const std::size_t rows = std::max<std::size_t>(checksum_chunk_bytes / sizeof none / columns, 1);
    create_growing(file.get(), "checksums", H5T_STD_U64LE, columns, rows, &none);
    create_growing(file.get(), "event_checksums", H5T_STD_U64LE, 1, checksum_chunk_bytes / sizeof none / 8, &none);
  }

  void create_events(const ResultHeader& header) {
    row_type = event_type();
    EventRow fill = {};
    fill.time = std::numeric_limits<double>::quiet_NaN();
    const Handle dataset = create_growing(file.get(), "events", row_type.get(), 0, event_block_size, &fill);
    std::vector<std::string> names;
    for (const EventKind& kind : header.event_kinds) {
      names.push_back(kind.name);
      write_components(dataset.get(), kind.name + " ", kind.values);
    }
    write_attribute(dataset.get(), "kinds", names);
  }

  /// From here on readers may look at any time, and a killed writer leaves a file that can be read.
  void start(const ResultHeader& header) {
    check(H5Fstart_swmr_write(file.get()));
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const std::string name = "samples/" + dataset_name(header.groups[i].name);
      groups[i].dataset = make(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    }
    time = make(H5Dopen2(file.get(), "time", H5P_DEFAULT), H5Dclose);
    events = make(H5Dopen2(file.get(), "events", H5P_DEFAULT), H5Dclose);
    checksums = make(H5Dopen2(file.get(), "checksums", H5P_DEFAULT), H5Dclose);
    event_checksums = make(H5Dopen2(file.get(), "event_checksums", H5P_DEFAULT), H5Dclose);
  }

  static void extend(hid_t dataset, std::size_t columns, std::size_t rows) {
    const hsize_t size[2] = {rows, columns};
    check(H5Dset_extent(dataset, size));
  }

  /// Writes `count` rows from row `first` on.
  static void write_rows(hid_t dataset, hid_t type, std::size_t columns, std::size_t first, std::size_t count,
                         const void* rows) {
    extend(dataset, columns, first + count);
    const int rank = columns == 0 ? 1 : 2;
    const hsize_t start[2] = {first, 0};
    const hsize_t size[2] = {count, columns};
    const Handle memory = make(H5Screate_simple(rank, size, nullptr), H5Sclose);
    const Handle target = make(H5Dget_space(dataset), H5Sclose);
    check(H5Sselect_hyperslab(target.get(), H5S_SELECT_SET, start, nullptr, size, nullptr));
    check(H5Dwrite(dataset, type, memory.get(), target.get(), H5P_DEFAULT, rows));
  }

  void require_open() const {
    if (finished || failed) throw ResultError("result file " + path.string() + " is closed and takes no more");
  }

  /// A disk may be full at any time. Room is taken for a whole block of samples or events before the first of them is
  /// kept, and what has its room already is written before more is asked for: nothing that was recorded before the
  /// failure is lost with it.
  void reserve_block() {
    write_events();
    for (const Group& group : groups) extend(group.dataset.get(), group.columns, block_start + 1);
    extend(time.get(), 0, block_start + 1);
    extend(checksums.get(), checksum_row.size(), block_start / block_size + 1);
    if (block_size > 1) check(H5Fflush(file.get(), H5F_SCOPE_LOCAL));  // else the sample follows at once
    output->check();
    output->commit();
  }

  void reserve_event_block() {
    write_samples();
    extend(events.get(), 0, event_block_start + 1);
    extend(event_checksums.get(), 1, event_block_start / event_block_size + 1);
    check(H5Fflush(file.get(), H5F_SCOPE_LOCAL));
    output->check();
    output->commit();
  }

  void write_samples() {
    const std::size_t count = times.size() - written;
    if (count == 0) return;
    const std::size_t first = block_start + written;
    for (const Group& group : groups) {
      write_rows(group.dataset.get(), H5T_NATIVE_DOUBLE, group.columns, first, count,
                 group.block.data() + written * group.columns);
    }
    if (times.size() == block_size) write_checksums();
    // All at once: flushing one dataset takes a look at all of them.
    check(H5Fflush(file.get(), H5F_SCOPE_LOCAL));
    // Time comes last: a sample whose time is in the file is whole.
    write_rows(time.get(), H5T_NATIVE_DOUBLE, 0, first, count, times.data() + written);
    check(H5Dflush(time.get()));
    output->check();
    output->commit();
    if (!output->is_in_place()) output->put_in_place();
    written = times.size();
    if (written == block_size) {
      block_start += block_size;
      written = 0;
      times.clear();
    }
  }

  /// Of the samples of the current block.
  void write_checksums() {
    const std::size_t count = times.size();
    if (count == 0) return;
    for (std::size_t k = 0; k < groups.size(); ++k)
      checksum_row[k] = block_checksum(groups[k].block.data(), count * groups[k].columns * sizeof(double));
    checksum_row.back() = block_checksum(times.data(), count * sizeof(double));
    write_rows(checksums.get(), H5T_NATIVE_UINT64, checksum_row.size(), block_start / block_size, 1,
               checksum_row.data());
  }

  void write_event_checksum() {
    if (event_block.empty()) return;
    const std::uint64_t sum = block_checksum(event_block.data(), event_block.size() * sizeof(EventRow));
    write_rows(event_checksums.get(), H5T_NATIVE_UINT64, 1, event_block_start / event_block_size, 1, &sum);
  }

  void write_events() {
    const std::size_t count = event_block.size() - events_written;
    if (count == 0) return;
    write_rows(events.get(), row_type.get(), 0, event_block_start + events_written, count,
               event_block.data() + events_written);
    if (event_block.size() == event_block_size) {
      write_event_checksum();
      check(H5Dflush(event_checksums.get()));
    }
    check(H5Dflush(events.get()));
    output->check();
    output->commit();
    events_written = event_block.size();
    if (events_written == event_block_size) {
      event_block_start += event_block_size;
      events_written = 0;
      event_block.clear();
    }
  }

  /// Copies a sample into the block; the caller makes room before and writes a full block after.
  void buffer(double sample_time, std::span<const double> values) {
    const double* next = values.data();
    for (Group& group : groups) {
      std::copy_n(next, group.columns, group.block.data() + times.size() * group.columns);
      next += group.columns;
    }
    times.push_back(sample_time);
  }

  void add_event(const EventRecord& event) {
    if (event_block.empty()) reserve_event_block();
    EventRow row = {};
    row.time = event.time;
    copy_text(event.kind, row.kind);
    copy_text(event.subject, row.subject);
    std::fill(std::begin(row.values), std::end(row.values), std::numeric_limits<double>::quiet_NaN());
    std::copy(event.values.begin(), event.values.end(), row.values);
    event_block.push_back(row);
    if (event_block.size() == event_block_size) write_events();
  }

  void flush() {
    write_samples();
    write_events();
  }

  void flush_to_disk() {
    flush();
    output->sync();
    output->check();
  }

  void close_datasets() {
    for (Group& group : groups) check(group.dataset.reset() ? 0 : -1);
    check(time.reset() ? 0 : -1);
    check(events.reset() ? 0 : -1);
    check(checksums.reset() ? 0 : -1);
    check(event_checksums.reset() ? 0 : -1);
  }

  /// Ends the mode for readers alongside, in which attributes may not be written, and opens the file once more.
  void finish(const std::string& statistics_json, const std::string& status) {
    flush();
    write_checksums();  // of what is there of the last blocks
    write_event_checksum();
    close_datasets();
    check(file.reset() ? 0 : -1);
    output->check();
    file = make(H5Fopen(path.c_str(), H5F_ACC_RDWR, output->access().get()), H5Fclose);
    write_attribute(file.get(), "statistics", statistics_json);
    check(H5Adelete(file.get(), "status"));
    write_attribute(file.get(), "status", status);
    check(file.reset() ? 0 : -1);
    output->put_in_place();
    output.reset();
    finished = true;
  }
};

namespace {

/// Runs one operation with HDF5 kept quiet and turns its failure into a ResultError with path, cause and remedy.
template <class Operation>
void guarded(const std::filesystem::path& path, bool& failed, Operation&& operation) {
  silence_errors();
  try {
    operation();
  } catch (const CallFailed& call) {
    failed = true;
    throw_write_error(write_error_message(path, call.failure), call.failure.error_number);
  }
}

}  // namespace

ResultWriter::ResultWriter(const std::filesystem::path& path, const ResultHeader& header,
                           std::size_t expected_samples) {
  check_header(header);
  require_replaceable(path, is_result_file);
  bool failed = false;
  guarded(path, failed, [&] { impl_ = std::make_unique<Impl>(path, header, expected_samples); });
  may_replace(path);
}

ResultWriter::~ResultWriter() {
  if (!impl_) return;
  silence_errors();
  try {
    if (!impl_->failed && !impl_->finished) impl_->flush_to_disk();
  } catch (...) {
    // Nobody is left to tell; what was flushed before is in the file.
  }
  impl_.reset();
}

ResultWriter::ResultWriter(ResultWriter&&) noexcept = default;

ResultWriter& ResultWriter::operator=(ResultWriter&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

void ResultWriter::append(double time, std::span<const double> values) {
  impl_->require_open();
  if (values.size() != impl_->value_count) {
    throw ResultError("a sample of " + std::to_string(values.size()) + " values was given for " +
                      std::to_string(impl_->value_count) + " recorded components");
  }
  if (!std::isfinite(time)) throw ResultError("the time of a sample is not finite");
  if (impl_->times.empty()) guarded(impl_->path, impl_->failed, [&] { impl_->reserve_block(); });
  impl_->buffer(time, values);
  if (impl_->times.size() == impl_->block_size) guarded(impl_->path, impl_->failed, [&] { impl_->write_samples(); });
}

void ResultWriter::add_event(const EventRecord& event) {
  impl_->require_open();
  require(std::isfinite(event.time), "the time of an event is not finite");
  const auto kind = std::find_if(impl_->event_kinds.begin(), impl_->event_kinds.end(),
                                 [&](const EventKind& known) { return known.name == event.kind; });
  require(kind != impl_->event_kinds.end(), "event of unknown kind '" + event.kind + "'");
  require(event.values.size() == kind->values.size(),
          "an event of kind '" + event.kind + "' has " + std::to_string(kind->values.size()) + " values");
  guarded(impl_->path, impl_->failed, [&] { impl_->add_event(event); });
}

void ResultWriter::flush() {
  if (impl_->finished || impl_->failed) return;
  guarded(impl_->path, impl_->failed, [&] { impl_->flush_to_disk(); });
}

void ResultWriter::finish(const std::string& statistics_json, const std::string& status) {
  if (impl_->finished || impl_->failed) return;
  guarded(impl_->path, impl_->failed, [&] { impl_->finish(statistics_json, status); });
}

bool ResultWriter::is_in_place() const {
  return impl_->finished || impl_->output->is_in_place();
}

std::size_t ResultWriter::sample_count() const {
  return impl_->block_start + impl_->times.size();
}

std::size_t ResultWriter::value_count() const {
  return impl_->value_count;
}

}  // namespace carom::inline recording
