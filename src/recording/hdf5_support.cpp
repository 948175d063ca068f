#include "recording/hdf5_support.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace carom::hdf5 {

namespace {

// The innermost record that carries "errno = N" names the operating system's reason; HDF5 may have overwritten errno
// itself by the time the call returns.
herr_t collect_cause(unsigned, const H5E_error2_t* record, void* data) {
  auto& failure = *static_cast<Failure*>(data);
  const char* description = record->desc ? record->desc : "";
  if (failure.text.empty()) failure.text = description;
  if (const char* number = std::strstr(description, "errno = "); number && failure.error_number == 0) {
    failure.error_number = std::atoi(number + std::strlen("errno = "));
  }
  return 0;
}

std::string remedy(int error_number) {
  switch (error_number) {
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose another place with -o, or change the permissions";
    case EISDIR:
      return "give the name of a file, not of a folder";
    case ENOENT:
    case ENOTDIR:
      return "create the folder first, or choose another place with -o";
    case ENOSPC:
    case EDQUOT:
      return "free some space, or choose another place with -o; the samples flushed so far can be read";
    case EFBIG:
      return "raise the limit on the size of files (ulimit -f), or record less; the samples flushed so far can be read";
    case EAGAIN:
      return "another run is writing it: wait for it, or choose another name with -o";
    default:
      return "check the disk, or choose another place with -o";
  }
}

Handle scalar_space() {
  return make(H5Screate(H5S_SCALAR), H5Sclose);
}

Handle create_attribute(hid_t object, const char* name, hid_t type, hid_t space) {
  return make(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
}

}  // namespace

void silence_errors() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5Eclear2(H5E_DEFAULT);
}

Failure last_failure() {
  Failure failure;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect_cause, &failure);
  if (failure.error_number != 0) failure.text = std::strerror(failure.error_number);
  if (failure.text.empty()) failure.text = "unknown HDF5 error";
  return failure;
}

std::string write_error_message(const std::filesystem::path& path, const Failure& failure) {
  return "cannot write result file " + path.string() + ": " + failure.text + "; " + remedy(failure.error_number);
}

Handle file_access() {
  Handle access = make(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  check(H5Pset_file_locking(access.get(), false, true));
  check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG));
  return access;
}

Handle string_type(std::size_t bytes) {
  Handle type = make(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type.get(), bytes));
  check(H5Tset_cset(type.get(), H5T_CSET_UTF8));
  return type;
}

void write_attribute(hid_t object, const char* name, const std::string& text) {
  const Handle type = string_type(text.size() + 1);
  const Handle attribute = create_attribute(object, name, type.get(), scalar_space().get());
  check(H5Awrite(attribute.get(), type.get(), text.c_str()));
}

void write_attribute(hid_t object, const char* name, const std::vector<std::string>& texts) {
  std::size_t longest = 0;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  const Handle type = string_type(longest + 1);
  const hsize_t count = texts.size();
  const Handle space = make(count ? H5Screate_simple(1, &count, nullptr) : H5Screate(H5S_NULL), H5Sclose);
  const Handle attribute = create_attribute(object, name, type.get(), space.get());
  if (texts.empty()) return;
  std::string table(texts.size() * (longest + 1), '\0');
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i].copy(table.data() + i * (longest + 1), texts[i].size());
  check(H5Awrite(attribute.get(), type.get(), table.data()));
}

void write_attribute(hid_t object, const char* name, std::uint64_t number) {
  const Handle attribute = create_attribute(object, name, H5T_STD_U64LE, scalar_space().get());
  check(H5Awrite(attribute.get(), H5T_NATIVE_UINT64, &number));
}

std::string read_text(hid_t object, const char* name) {
  const std::vector<std::string> texts = read_texts(object, name);
  return texts.empty() ? std::string() : texts.front();
}

std::vector<std::string> read_texts(hid_t object, const char* name) {
  const Handle attribute = make(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle space = make(H5Aget_space(attribute.get()), H5Sclose);
  const auto count = static_cast<std::size_t>(check(H5Sget_simple_extent_npoints(space.get())));
  if (count == 0) return {};
  const Handle type = make(H5Aget_type(attribute.get()), H5Tclose);
  if (H5Tget_class(type.get()) != H5T_STRING || check(H5Tis_variable_str(type.get())) != 0) {
    throw CallFailed{{0, std::string("the attribute ") + name + " is not a text"}};
  }
  const std::size_t size = H5Tget_size(type.get());
  std::string table(count * size, '\0');
  check(H5Aread(attribute.get(), type.get(), table.data()));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) texts.push_back(table.substr(i * size, strnlen(&table[i * size], size)));
  return texts;
}

std::uint64_t read_number(hid_t object, const char* name) {
  const Handle attribute = make(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  std::uint64_t number = 0;
  check(H5Aread(attribute.get(), H5T_NATIVE_UINT64, &number));
  return number;
}

void write_components(hid_t object, const std::string& prefix, const std::vector<Component>& components) {
  std::vector<std::string> names, units, meanings;
  for (const Component& component : components) {
    names.push_back(component.name);
    units.push_back(component.unit);
    meanings.push_back(component.meaning);
  }
  write_attribute(object, (prefix + "components").c_str(), names);
  write_attribute(object, (prefix + "units").c_str(), units);
  write_attribute(object, (prefix + "meanings").c_str(), meanings);
}

std::vector<Component> read_components(hid_t object, const std::string& prefix) {
  const auto names = read_texts(object, (prefix + "components").c_str());
  const auto units = read_texts(object, (prefix + "units").c_str());
  const auto meanings = read_texts(object, (prefix + "meanings").c_str());
  if (units.size() != names.size() || meanings.size() != names.size()) {
    throw CallFailed{{0, "names, units and meanings differ in number"}};
  }
  std::vector<Component> components;
  for (std::size_t i = 0; i < names.size(); ++i) components.push_back({names[i], units[i], meanings[i]});
  return components;
}

std::string dataset_name(const std::string& group) {
  std::string name;
  for (const char c : group) {
    if (c == '/') {
      name += "%2F";
    } else if (c == '%') {
      name += "%25";
    } else {
      name += c;
    }
  }
  return name == "." ? "%2E" : name;
}

Handle event_type(std::size_t number) {
  Handle type = make(H5Tcreate(H5T_COMPOUND, sizeof(EventRow)), H5Tclose);
  const Handle kind = string_type(max_event_kind_length + 1);
  const Handle subject = string_type(max_event_subject_length + 1);
  const hsize_t count = number;
  const Handle values = make(H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &count), H5Tclose);
  check(H5Tinsert(type.get(), "time", HOFFSET(EventRow, time), H5T_NATIVE_DOUBLE));
  check(H5Tinsert(type.get(), "kind", HOFFSET(EventRow, kind), kind.get()));
  check(H5Tinsert(type.get(), "subject", HOFFSET(EventRow, subject), subject.get()));
  check(H5Tinsert(type.get(), "values", HOFFSET(EventRow, values), values.get()));
  return type;
}

std::size_t event_values(hid_t dataset) {
  const Handle row = make(H5Dget_type(dataset), H5Tclose);
  const int member = H5Tget_member_index(row.get(), "values");
  check(member);
  const Handle values = make(H5Tget_member_type(row.get(), static_cast<unsigned>(member)), H5Tclose);
  hsize_t count = 0;
  check(H5Tget_array_ndims(values.get()) == 1 ? H5Tget_array_dims2(values.get(), &count) : -1);
  return std::min<std::size_t>(count, max_event_values);
}

}  // namespace carom::hdf5
