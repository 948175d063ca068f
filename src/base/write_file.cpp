#include "base/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <streambuf>
#include <string>

#include <fmt/format.h>

#include "base/file_error.h"

namespace carom::inline base {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, int error) {
  throw_write_error(fmt::format("cannot write {}: {}; check the folder, its permissions and the space on the disk",
                                path.string(), std::strerror(error)),
                    error);
}

// 0, or errno. Pipes and some file systems cannot sync, which is no fault of the file.
int sync_descriptor(int descriptor) {
  if (::fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP) return 0;
  return errno;
}

}  // namespace

void throw_write_error(const std::string& message, int error_number) {
  for (const int begun : {ENOSPC, EDQUOT, EFBIG, EIO}) {
    if (error_number == begun) throw WriteFailed(message);
  }
  throw ResultError(message);
}

// Hands bytes on as they come: writers bring them in large pieces.
class NewFile::Buffer : public std::streambuf {
 public:
  explicit Buffer(int descriptor) : descriptor_(descriptor) {}
  ~Buffer() override { close(); }

  int error() const { return error_; }
  int descriptor() const { return descriptor_; }
  void fail(int error) {
    if (error_ == 0) error_ = error;
  }
  void close() {
    if (descriptor_ >= 0 && ::close(descriptor_) != 0) fail(errno);
    descriptor_ = -1;
  }

 protected:
  std::streamsize xsputn(const char* bytes, std::streamsize size) override {
    std::streamsize done = 0;
    while (done < size && error_ == 0) {
      const ssize_t count = ::write(descriptor_, bytes + done, static_cast<std::size_t>(size - done));
      if (count > 0) done += count;
      if (count < 0 && errno != EINTR) fail(errno);
    }
    return done;
  }
  int_type overflow(int_type c) override {
    const char byte = traits_type::to_char_type(c);
    return xsputn(&byte, 1) == 1 ? c : traits_type::eof();
  }

 private:
  int descriptor_;
  int error_ = 0;  // errno of the first failure
};

NewFile::NewFile(const std::filesystem::path& path, const WriteFileOptions& options)
    : path_(path), target_(path), sync_(options.sync) {
  require_replaceable(path, options.written_by_carom);
  struct stat old = {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  int descriptor = -1;
  if (exists && !S_ISREG(old.st_mode)) {
    descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    // A link keeps pointing to the file that is replaced.
    std::error_code ignored;
    if (exists) target_ = std::filesystem::canonical(path, ignored);
    if (exists && ::access(target_.c_str(), W_OK) != 0) refuse(path, errno);
    partial_ = target_.parent_path() / fmt::format(".{}.{}.part", target_.filename().string(), ::getpid());
    ::unlink(partial_.c_str());  // of a program that was killed and had the same number
#ifdef O_TMPFILE
    // Without a name as yet, where the file system can: a program that is killed then leaves nothing behind.
    const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
    descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    nameless_ = descriptor >= 0;
#endif
    if (descriptor < 0) descriptor = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 && exists) ::fchmod(descriptor, old.st_mode & 0777);
  }
  if (descriptor < 0) {
    partial_.clear();
    refuse(path, errno);
  }
  buffer_ = std::make_unique<Buffer>(descriptor);
  stream_ = std::make_unique<std::ostream>(buffer_.get());
}

NewFile::~NewFile() {
  if (!partial_.empty()) ::unlink(partial_.c_str());
}

std::ostream& NewFile::stream() {
  return *stream_;
}

void NewFile::put_in_place() {
  if (sync_ && !partial_.empty() && buffer_->error() == 0) buffer_->fail(sync_descriptor(buffer_->descriptor()));
  if (nameless_ && buffer_->error() == 0) {
    const std::string source = fmt::format("/proc/self/fd/{}", buffer_->descriptor());
    if (::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, partial_.c_str(), AT_SYMLINK_FOLLOW) != 0) buffer_->fail(errno);
  }
  buffer_->close();
  if (buffer_->error() == 0 && !partial_.empty() && ::rename(partial_.c_str(), target_.c_str()) != 0)
    buffer_->fail(errno);
  if (buffer_->error() != 0) refuse(path_, buffer_->error());
  if (sync_ && !partial_.empty()) sync_folder_of(target_);
  partial_.clear();
  may_replace(path_);
}

void write_file(const std::filesystem::path& path, std::string_view bytes, const WriteFileOptions& options) {
  NewFile file(path, options);
  file.stream().write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.put_in_place();
}

void sync_folder_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  sync_descriptor(descriptor);
  ::close(descriptor);
}

}  // namespace carom::inline base
