#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "recording/hdf5_support.h"

namespace carom::hdf5 {

/// A file that HDF5 writes through, made so that a failed write cannot hurt the library.
///
/// HDF5 1.10 may crash or never end when it closes a file whose last writes failed. Here the first failure is
/// remembered, the file on the disk is left as it is from then on, and later writes go to memory, where HDF5 reads them
/// back: it closes in good order, and its caller asks check() after every step.
///
/// The file stays open and locked against a second writer while this object lives. Locks of this kind (of the open file
/// description) do not disturb readers; a file system without locks is written without one.
class OutputFile {
 public:
  /// Opens or creates the file, without changing what it holds. Throws CallFailed.
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Access properties with which HDF5 creates and opens this file; it must outlive the HDF5 file.
  Handle access();

  /// Throws CallFailed if a write has failed.
  void check() const;

  // What HDF5's driver needs. No function reports an error: it is remembered.
  void clear();
  void read(std::uint64_t address, std::size_t size, char* bytes) const;
  void write(std::uint64_t address, std::size_t size, const char* bytes);
  void resize(std::uint64_t size);
  std::uint64_t size() const { return size_; }

 private:
  struct Piece {
    std::uint64_t address;
    std::vector<char> bytes;
  };

  int descriptor_ = -1;
  int error_number_ = 0;  // errno of the first failure
  std::uint64_t size_ = 0;
  std::vector<Piece> kept_;  // writes since the failure, oldest first
};

}  // namespace carom::hdf5
