#include "recording/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "base/write_file.h"

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
  // Nothing is put together in larger blocks of the file: a flush gives up what is left of such a block, so that its
  // moments could be seen in the layout.
  *features = H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_SUPPORTS_SWMR_IO |
              H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
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

int opened(const std::filesystem::path& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (descriptor < 0) throw CallFailed{{errno, std::strerror(errno)}};
  return descriptor;
}

// False: another program has locked it.
bool lock(int descriptor) {
#ifdef F_OFD_SETLK
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return ::fcntl(descriptor, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
#else
  return true;
#endif
}

// The file that has this name, locked; −1: there is none and none was to be made.
int locked(const std::filesystem::path& path, int flags) {
  for (;;) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno == ENOENT && !(flags & O_CREAT)) return -1;
    if (descriptor < 0) throw CallFailed{{errno, std::strerror(errno)}};
    const bool free = lock(descriptor);
    struct stat held = {}, named = {};
    const bool there = ::fstat(descriptor, &held) == 0 && ::stat(path.c_str(), &named) == 0 &&
                       held.st_ino == named.st_ino && held.st_dev == named.st_dev;
    if (free && there) return descriptor;
    ::close(descriptor);
    if (!free) throw CallFailed{{EAGAIN, "the file is in use"}};
    // It was replaced in between.
  }
}

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path) : target_(path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    descriptor_ = opened(path, O_RDWR);
    is_plain_ = false;
    return;
  }
  try {
    take_place();
    begin_beside();
  } catch (...) {
    if (place_ >= 0) ::close(place_);
    throw;
  }
}

// Locks an older file that has the name, so that of two programs that begin at the same time one is refused.
void OutputFile::take_place() {
  std::error_code ignored;
  if (std::filesystem::exists(target_, ignored)) target_ = std::filesystem::canonical(target_, ignored);
  place_ = locked(target_, O_RDWR);
}

// The file beside is locked, too: where there is no older one, it is what two programs meet at. One that is there is of
// a program that was killed.
void OutputFile::begin_beside() {
  const std::filesystem::path partial = target_.parent_path() / ("." + target_.filename().string() + ".part");
  descriptor_ = locked(partial, O_RDWR | O_CREAT);
  partial_ = partial;
  struct stat old = {};
  if (place_ >= 0 && ::fstat(place_, &old) == 0) ::fchmod(descriptor_, old.st_mode & 0777);
}

void OutputFile::put_in_place() {
  sync();
  check();
  if (partial_.empty()) return;
  if (::rename(partial_.c_str(), target_.c_str()) != 0) throw CallFailed{{errno, std::strerror(errno)}};
  sync_folder_of(target_);
  partial_.clear();
  if (place_ >= 0) ::close(place_);
  place_ = -1;
}

OutputFile::~OutputFile() {
  if (!partial_.empty()) ::unlink(partial_.c_str());
  if (place_ >= 0) ::close(place_);
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
  size_ = synced_size_ = 0;
  committed_.clear();
  waiting_.clear();
  if (error_number_ == 0 && ::ftruncate(descriptor_, 0) < 0) fail(errno);
}

// The first failure. What was committed lies over what is there already and needs no room.
void OutputFile::fail(int error_number) {
  if (error_number_ != 0) return;
  error_number_ = error_number;
  write_all(committed_);
}

void OutputFile::read(std::uint64_t address, std::size_t size, char* bytes) const {
  std::memset(bytes, 0, size);
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = ::pread(descriptor_, bytes + done, size - done, static_cast<off_t>(address + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;  // past the end reads as zeros; what was not written to the disk follows below
    done += static_cast<std::size_t>(count);
  }
  for (const Pieces* pieces : {&committed_, &waiting_}) {
    auto next = pieces->upper_bound(address);
    if (next != pieces->begin()) --next;
    for (; next != pieces->end() && next->first < address + size; ++next) {
      const std::uint64_t first = std::max(address, next->first);
      const std::uint64_t last = std::min<std::uint64_t>(address + size, next->first + next->second.bytes.size());
      if (first < last)
        std::memcpy(bytes + (first - address), next->second.bytes.data() + (first - next->first), last - first);
    }
  }
}

void OutputFile::write(std::uint64_t address, std::size_t size, const char* bytes) {
  size_ = std::max<std::uint64_t>(size_, address + size);
  if (error_number_ == 0 && address >= synced_size_) {
    if (const int error = write_through(address, size, bytes); error != 0) fail(error);
  }
  if (error_number_ != 0 || address < synced_size_) keep(waiting_, address, size, bytes, ++turn_);
}

// 0, or errno.
int OutputFile::write_through(std::uint64_t address, std::size_t size, const char* bytes) const {
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = ::pwrite(descriptor_, bytes + done, size - done, static_cast<off_t>(address + done));
    if (count > 0) done += static_cast<std::size_t>(count);
    if (count == 0) return EIO;
    if (count < 0 && errno != EINTR) return errno;
  }
  return 0;
}

// In the order of the library, by which a program that is killed meanwhile leaves a file that can be read.
void OutputFile::write_all(const Pieces& pieces) {
  std::pmr::vector<Pieces::const_iterator> ordered(&pool_);
  for (auto each = pieces.cbegin(); each != pieces.cend(); ++each) ordered.push_back(each);
  std::sort(ordered.begin(), ordered.end(), [](auto a, auto b) { return a->second.turn < b->second.turn; });
  for (const auto& each : ordered) {
    const int error = write_through(each->first, each->second.bytes.size(), each->second.bytes.data());
    if (error != 0 && error_number_ == 0) error_number_ = error;
  }
}

// Pieces under the new one become one with it.
void OutputFile::keep(Pieces& pieces, std::uint64_t address, std::size_t size, const char* bytes, std::uint64_t turn) {
  const auto end_of = [](const auto& entry) { return entry->first + entry->second.bytes.size(); };
  auto first = pieces.upper_bound(address);
  if (first != pieces.begin() && end_of(std::prev(first)) > address) --first;
  std::uint64_t begin = address, end = address + size;
  auto last = first;
  for (; last != pieces.end() && last->first < address + size; ++last) {
    begin = std::min(begin, last->first);
    end = std::max(end, end_of(last));
  }
  if (first != last && std::next(first) == last && begin == first->first && end == end_of(first)) {
    std::copy_n(bytes, size, first->second.bytes.data() + (address - begin));
    first->second.turn = turn;
    return;
  }
  Piece merged{std::pmr::vector<char>(end - begin, &pool_), turn};
  for (auto each = first; each != last; ++each)
    std::copy(each->second.bytes.begin(), each->second.bytes.end(), merged.bytes.data() + (each->first - begin));
  std::copy_n(bytes, size, merged.bytes.data() + (address - begin));
  pieces.erase(first, last);
  pieces.emplace(begin, std::move(merged));
}

void OutputFile::commit() {
  if (error_number_ != 0) return;
  for (const auto& [address, piece] : waiting_)
    keep(committed_, address, piece.bytes.size(), piece.bytes.data(), piece.turn);
  waiting_.clear();
}

void OutputFile::sync_descriptor() {
  // What cannot sync, such as a pipe, is taken as it is.
  if (error_number_ == 0 && ::fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP)
    fail(errno);
}

void OutputFile::sync() {
  commit();
  sync_descriptor();
  if (error_number_ != 0) return;
  write_all(committed_);
  if (!committed_.empty()) sync_descriptor();
  if (error_number_ != 0) return;
  committed_.clear();
  synced_size_ = is_plain_ ? size_ : 0;
}

void OutputFile::resize(std::uint64_t size) {
  if (error_number_ == 0 && size != size_ && ::ftruncate(descriptor_, static_cast<off_t>(size)) < 0) fail(errno);
  size_ = size;
  synced_size_ = std::min(synced_size_, size);
}

}  // namespace carom::hdf5
