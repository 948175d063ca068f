#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <memory_resource>
#include <vector>

#include "recording/hdf5_support.h"

namespace carom::hdf5 {

/// A file that HDF5 writes through, made so that a failed write cannot hurt the library.
///
/// HDF5 1.10 may crash or never end when it closes a file whose last writes failed. Here the first failure is
/// remembered, the file on the disk is left as it is from then on, and later writes go to memory, where HDF5 reads them
/// back: it closes in good order, and its caller asks check() after every step.
///
/// Between two calls of sync() nothing on the disk changes that was there at the last one: such writes wait in memory,
/// new parts of the file are written at once. sync() first brings the new parts to the disk and then writes what
/// waited, so that a power cut leaves the file as the last sync() left it, but for the moment in which that is written.
///
/// It is begun beside its place and takes its name by put_in_place(): until then an older file stays as it is.
///
/// The file stays open and locked against a second writer while this object lives. Locks of this kind (of the open file
/// description) do not disturb readers; a file system without locks is written without one.
class OutputFile {
 public:
  /// Throws CallFailed.
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();  // a file that was not put in place leaves nothing behind
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Access properties with which HDF5 creates and opens this file; it must outlive the HDF5 file.
  Handle access();

  /// From now on the file has its name. Throws CallFailed.
  void put_in_place();
  bool is_in_place() const { return partial_.empty(); }
  bool replaces_older() const { return place_ >= 0; }

  /// What was written so far makes sense by itself: after a failure the file on the disk is left in this state.
  void commit();

  /// The same, and all that was written is on the disk, and readers see it. A failure is remembered for check().
  void sync();

  /// Throws CallFailed if a write has failed.
  void check() const;

  // What HDF5's driver needs. No function reports an error: it is remembered.
  void clear();
  void read(std::uint64_t address, std::size_t size, char* bytes) const;
  void write(std::uint64_t address, std::size_t size, const char* bytes);
  void resize(std::uint64_t size);
  std::uint64_t size() const { return size_; }

 private:
  static constexpr std::size_t room_size = std::size_t{4} << 20;  // bytes

  struct Piece {
    std::pmr::vector<char> bytes;
    std::uint64_t turn;  // of its last write
  };

  using Pieces = std::pmr::map<std::uint64_t, Piece>;  // by address, none over another

  void take_place();
  void begin_beside();
  void keep(Pieces& pieces, std::uint64_t address, std::size_t size, const char* bytes, std::uint64_t turn);
  int write_through(std::uint64_t address, std::size_t size, const char* bytes) const;
  void write_all(const Pieces& pieces);
  void fail(int error_number);
  void sync_descriptor();

  std::filesystem::path target_, partial_;  // partial_: empty once the file is in place
  int place_ = -1;                          // the older file, locked until it is replaced; −1: there is none
  bool is_plain_ = true;                    // no device, no pipe
  int descriptor_ = -1;
  int error_number_ = 0;  // errno of the first failure
  std::uint64_t size_ = 0;
  std::uint64_t synced_size_ = 0;  // up to here the disk is left as it is until the next sync
  // Room for what waits, so that samples are taken without allocation; rarely more is needed.
  std::unique_ptr<char[]> room_ = std::make_unique_for_overwrite<char[]>(room_size);
  std::pmr::monotonic_buffer_resource arena_{room_.get(), room_size};
  std::pmr::unsynchronized_pool_resource pool_{
      {.max_blocks_per_chunk = 1 << 12, .largest_required_pool_block = 1 << 20}, &arena_};
  Pieces committed_{&pool_}, waiting_{&pool_};  // the second since the last commit, or after a failure for ever
  std::uint64_t turn_ = 0;
};

}  // namespace carom::hdf5
