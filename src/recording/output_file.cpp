#include "recording/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace carom::hdf5 {

namespace {

/// What HDF5 holds for an open file: its own part first, as it demands.
struct DriverFile {
  H5FD_t common;
  OutputFile* output;
  haddr_t end;  // of the addresses given out
};

OutputFile& output_of(const H5FD_t* file) {
  return *reinterpret_cast<const DriverFile*>(file)->output;
}

H5FD_t* open_driver(const char*, unsigned flags, hid_t access, haddr_t) {
  auto* const output = *static_cast<OutputFile* const*>(H5Pget_driver_info(access));
  if (flags & H5F_ACC_TRUNC) output->clear();
  return &(new DriverFile{.common = {}, .output = output, .end = 0})->common;
}

herr_t close_driver(H5FD_t* file) {
  delete reinterpret_cast<DriverFile*>(file);
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  const std::less<OutputFile*> before;
  return before(&output_of(b), &output_of(a)) - before(&output_of(a), &output_of(b));
}

herr_t query(const H5FD_t*, unsigned long* features) {
  *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
              H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_end(const H5FD_t* file, H5FD_mem_t) {
  return reinterpret_cast<const DriverFile*>(file)->end;
}

herr_t set_end(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  reinterpret_cast<DriverFile*>(file)->end = end;
  return 0;
}

haddr_t get_size(const H5FD_t* file, H5FD_mem_t) {
  return output_of(file).size();
}

herr_t read_driver(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* bytes) {
  output_of(file).read(address, size, static_cast<char*>(bytes));
  return 0;
}

herr_t write_driver(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* bytes) {
  output_of(file).write(address, size, static_cast<const char*>(bytes));
  return 0;
}

herr_t truncate_driver(H5FD_t* file, hid_t, hbool_t) {
  output_of(file).resize(get_end(file, H5FD_MEM_DEFAULT));
  return 0;
}

// HDF5 marks a file as being written only if its driver can lock; the lock that counts is the OutputFile's own.
herr_t lock_driver(H5FD_t*, hbool_t) {
  return 0;
}
herr_t unlock_driver(H5FD_t*) {
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t driver = {};
  driver.name = "carom_output";
  driver.maxaddr = static_cast<haddr_t>(INT64_MAX);
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(OutputFile*);  // NOLINT(bugprone-sizeof-expression): the pointer itself is handed on
  driver.open = open_driver;
  driver.close = close_driver;
  driver.cmp = compare;
  driver.query = query;
  driver.get_eoa = get_end;
  driver.set_eoa = set_end;
  driver.get_eof = get_size;
  driver.read = read_driver;
  driver.write = write_driver;
  driver.truncate = truncate_driver;
  driver.lock = lock_driver;
  driver.unlock = unlock_driver;
  const H5FD_mem_t kinds[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(kinds), std::end(kinds), driver.fl_map);
  return driver;
}

hid_t driver_id() {
  static const H5FD_class_t driver = driver_class();
  static const hid_t id = H5FDregister(&driver);
  return check(id);
}

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path) {
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw CallFailed{{errno, std::strerror(errno)}};
  struct stat status = {};
  if (::fstat(descriptor_, &status) == 0) size_ = static_cast<std::uint64_t>(status.st_size);
#ifdef F_OFD_SETLK
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (::fcntl(descriptor_, F_OFD_SETLK, &lock) < 0 && (errno == EAGAIN || errno == EACCES)) {
    ::close(descriptor_);
    throw CallFailed{{EAGAIN, "the file is in use"}};
  }
#endif
}

OutputFile::~OutputFile() {
  ::close(descriptor_);
}

Handle OutputFile::access() {
  Handle access = file_access();
  OutputFile* const self = this;
  hdf5::check(H5Pset_driver(access.get(), driver_id(), &self));
  return access;
}

void OutputFile::check() const {
  if (error_number_ != 0) throw CallFailed{{error_number_, std::strerror(error_number_)}};
}

void OutputFile::clear() {
  size_ = 0;
  if (error_number_ == 0 && ::ftruncate(descriptor_, 0) < 0) error_number_ = errno;
}

void OutputFile::read(std::uint64_t address, std::size_t size, char* bytes) const {
  std::memset(bytes, 0, size);
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = ::pread(descriptor_, bytes + done, size - done, static_cast<off_t>(address + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;  // past the end reads as zeros; what was not written to the disk follows below
    done += static_cast<std::size_t>(count);
  }
  for (const Piece& piece : kept_) {
    const std::uint64_t first = std::max(address, piece.address);
    const std::uint64_t last = std::min<std::uint64_t>(address + size, piece.address + piece.bytes.size());
    if (first < last)
      std::memcpy(bytes + (first - address), piece.bytes.data() + (first - piece.address), last - first);
  }
}

void OutputFile::write(std::uint64_t address, std::size_t size, const char* bytes) {
  size_ = std::max<std::uint64_t>(size_, address + size);
  for (std::size_t done = 0; error_number_ == 0 && done < size;) {
    const ssize_t count = ::pwrite(descriptor_, bytes + done, size - done, static_cast<off_t>(address + done));
    if (count > 0) done += static_cast<std::size_t>(count);
    if (count == 0) error_number_ = EIO;
    if (count < 0 && errno != EINTR) error_number_ = errno;
  }
  if (error_number_ != 0) kept_.push_back({address, {bytes, bytes + size}});
}

void OutputFile::resize(std::uint64_t size) {
  if (error_number_ == 0 && size != size_ && ::ftruncate(descriptor_, static_cast<off_t>(size)) < 0) {
    error_number_ = errno;
  }
  size_ = size;
}

}  // namespace carom::hdf5
