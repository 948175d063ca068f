#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <string_view>

#include "base/protected_files.h"

namespace carom::inline base {

struct WriteFileOptions {
  Recognise written_by_carom = bears_mark;  // which older files may be replaced
  bool sync = true;                         // the file is on the disk, not only with the operating system
};

/// A file that is put there in full or not at all: its bytes go to a new file beside the place, which then takes the
/// name, so that an older file is there until the new one is complete. What is no plain file (a pipe, a terminal) is
/// written to as it is.
///
/// Every writer of Carom goes through here, but for result files and journals, which grow (see OutputFile). Errors are
/// ResultErrors that name the file, the cause and a remedy.
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& path, const WriteFileOptions& options = {});
  ~NewFile();  // a file that was not put in place leaves nothing behind
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Where the bytes go; it is not good any more once a write has failed, which put_in_place() reports.
  std::ostream& stream();
  void put_in_place();

 private:
  class Buffer;
  std::filesystem::path path_, target_, partial_;  // as given; what it leads to; beside it, empty if there is none
  bool sync_, nameless_ = false;
  std::unique_ptr<Buffer> buffer_;
  std::unique_ptr<std::ostream> stream_;
};

/// The same with all bytes at once.
void write_file(const std::filesystem::path& path, std::string_view bytes, const WriteFileOptions& options = {});

/// What was put into a folder stays there after a power cut. Systems that cannot do it are taken as they are.
void sync_folder_of(const std::filesystem::path& file);

}  // namespace carom::inline base
