#pragma once

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "recording/result_types.h"

// What the writer and the reader share: ownership of HDF5 identifiers, errors, attributes and the names in the file.
namespace carom::hdf5 {

inline constexpr const char* format_name = "carom result";
inline constexpr std::int64_t format_version = 1;
inline constexpr const char* status_running = "running";

/// Owns one identifier and closes it with the function that belongs to its kind.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }

  hid_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }

  /// Closes now; false if the library reports an error.
  bool reset() {
    const hid_t id = std::exchange(id_, H5I_INVALID_HID);
    return id < 0 || close_(id) >= 0;
  }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// Keeps HDF5 from printing its error stack on the calling thread, from now on: also at the end of the program, when
/// the library complains about what a damaged file left behind. Called at every entry to the room; starts from an empty
/// stack.
void silence_errors();

/// What went wrong in the last failed call, from the system's error number in the error stack if it holds one.
struct Failure {
  int error_number = 0;  // errno, or 0 if the cause is not the operating system
  std::string text;
};
Failure last_failure();

/// "cannot write result file PATH: CAUSE; REMEDY".
std::string write_error_message(const std::filesystem::path& path, const Failure& failure);

/// Thrown inside the room when a call fails; the public functions turn it into a ResultError with path and remedy.
struct CallFailed {
  Failure failure;
};

/// Passes a good identifier or status on and throws CallFailed for a bad one.
template <class Result>
Result check(Result result) {
  if (result < 0) throw CallFailed{last_failure()};
  return result;
}

inline Handle make(hid_t id, Handle::Close close) {
  return Handle(check(id), close);
}

/// File access for both sides: newest format, and no locks, which some network file systems do not have.
Handle file_access();

/// UTF-8 text in a fixed number of bytes, including the closing zero. Texts of variable length would lie in a part of
/// the file that has no checksums, where one wrong byte can make the library crash.
Handle string_type(std::size_t bytes);

void write_attribute(hid_t object, const char* name, const std::string& text);
void write_attribute(hid_t object, const char* name, const std::vector<std::string>& texts);
void write_attribute(hid_t object, const char* name, std::uint64_t number);
std::string read_text(hid_t object, const char* name);
std::vector<std::string> read_texts(hid_t object, const char* name);
std::uint64_t read_number(hid_t object, const char* name);

/// Names, units and meanings as three attributes; `prefix` sets several lists on one object apart.
void write_components(hid_t object, const std::string& prefix, const std::vector<Component>& components);
std::vector<Component> read_components(hid_t object, const std::string& prefix);

/// Name of the dataset of a group: the group's name with '%' and '/' escaped.
std::string dataset_name(const std::string& group);

/// One row of /events, in memory and in the file.
struct EventRow {
  double time;
  char kind[max_event_kind_length + 1];
  char subject[max_event_subject_length + 1];
  double values[max_event_values];
};
/// With as many values as asked for; the struct has room for all.
Handle event_type(std::size_t values = max_event_values);
/// How many values the rows of /events have in a file; older files have fewer.
std::size_t event_values(hid_t dataset);

}  // namespace carom::hdf5
