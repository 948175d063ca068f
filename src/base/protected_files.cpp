#include "base/protected_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/file_error.h"

namespace carom::inline base {
namespace {

using Identity = std::pair<dev_t, ino_t>;  // whatever name or link leads to it

struct Protection {
  std::mutex mutex = {};  // studies read models in several threads
  bool on = false, force = false;
  std::set<Identity> read = {};
  std::set<std::filesystem::path> written = {};
};

Protection& protection() {
  static Protection all;
  return all;
}

std::filesystem::path full_name(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path name = std::filesystem::weakly_canonical(path, error);
  return error ? path : name;
}

}  // namespace

void protect_files(bool force) {
  const std::lock_guard lock(protection().mutex);
  protection().on = true;
  protection().force = force;
}

bool replaces_by_force() {
  const std::lock_guard lock(protection().mutex);
  return protection().force;
}

void note_read_file(const std::filesystem::path& path) {
  const std::lock_guard lock(protection().mutex);
  if (!protection().on) return;
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode))
    protection().read.insert({status.st_dev, status.st_ino});
}

void may_replace(const std::filesystem::path& path) {
  const std::lock_guard lock(protection().mutex);
  if (protection().on) protection().written.insert(full_name(path));
}

bool bears_mark(const std::filesystem::path& path) {
  constexpr std::streamoff most = 4096;
  std::ifstream stream(path, std::ios::binary);
  std::string head(most, '\0'), tail(most, '\0');
  stream.read(head.data(), most);
  head.resize(static_cast<std::size_t>(stream.gcount()));
  if (head.find(written_mark) != std::string::npos) return true;
  stream.clear();
  stream.seekg(0, std::ios::end);
  stream.seekg(-std::min<std::streamoff>(most, stream.tellg()), std::ios::end);
  stream.read(tail.data(), most);
  return tail.find(written_mark) != std::string::npos;
}

void require_replaceable(const std::filesystem::path& path, const Recognise& written_by_carom) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) return;
  {
    const std::lock_guard lock(protection().mutex);
    if (!protection().on || protection().force || protection().written.count(full_name(path)) > 0) return;
    if (protection().read.count({status.st_dev, status.st_ino}) > 0)
      throw ResultError(
          fmt::format("{} is read by this command and would be lost; give another name, or --force", path.string()));
  }
  if (!written_by_carom(path))
    throw ResultError(fmt::format(
        "{} is there and is not known as a file of this kind that Carom wrote; give another name, or --force to "
        "replace it",
        path.string()));
}

}  // namespace carom::inline base
