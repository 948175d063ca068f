#include "recording/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "recording/result_types.h"

namespace carom {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, int error) {
  throw ResultError(fmt::format("cannot write {}: {}; check the folder, its permissions and the space on the disk",
                                path.string(), std::strerror(error)));
}

// 0, or errno.
int write_and_close(int descriptor, std::string_view bytes) {
  int error = 0;
  while (!bytes.empty() && error == 0) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) error = errno;
  }
  if (::close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  struct stat old = {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    const int error = descriptor < 0 ? errno : write_and_close(descriptor, bytes);
    if (error != 0) refuse(path, error);
    return;
  }
  // A link keeps pointing to the file that is replaced.
  std::error_code ignored;
  const std::filesystem::path target = exists ? std::filesystem::canonical(path, ignored) : path;
  if (exists && ::access(target.c_str(), W_OK) != 0) refuse(path, errno);
  const std::filesystem::path partial =
      target.parent_path() / fmt::format(".{}.{}.part", target.filename().string(), ::getpid());
  const int descriptor = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) refuse(path, errno);
  if (exists) ::fchmod(descriptor, old.st_mode & 0777);
  int error = write_and_close(descriptor, bytes);
  if (error == 0 && ::rename(partial.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(partial.c_str());
    refuse(path, error);
  }
}

}  // namespace carom
