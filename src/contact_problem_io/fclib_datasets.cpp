#include "contact_problem_io/fclib_datasets.h"

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "base/problem.h"
#include "base/protected_files.h"
#include "contact_problem_io/problem_file.h"

namespace carom::inline contact_problem_io {

using namespace hdf5;

namespace {

constexpr std::size_t longest_text = 100'000;  // bytes
constexpr std::size_t widest = 16;             // bytes, of a number
constexpr int compressed_rows = -2;            // as `nz`; −1: compressed columns
constexpr const char* give_a_problem = "give a contact problem in the FCLIB layout (HDF5)";

}  // namespace

FclibDatasets::FclibDatasets(const std::filesystem::path& path) : path_(path) {
  silence_errors();
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) refuse("", "a folder", "a file", give_a_problem);
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) refuse("", std::strerror(errno), "a file that can be read", "check the name and the permissions");
  note_read_file(path);
  std::array<char, 8> signature = {};
  stream.read(signature.data(), signature.size());
  if (std::memcmp(signature.data(), "\x89HDF\r\n\x1a\n", signature.size()) != 0)
    refuse("", stream.gcount() == 0 ? "an empty file" : "no HDF5 file", "an HDF5 file", give_a_problem);
  file_ = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, file_access().get()), H5Fclose);
  if (!file_.valid())
    refuse("", "a truncated or damaged file (" + last_failure().text + ")", "an HDF5 file", "copy it again");
}

void FclibDatasets::refuse(const std::string& name, const std::string& found, const std::string& expected,
                           const std::string& remedy) const {
  ProblemList problems;
  problems.add({.file = path_.string(), .key = name, .found = found, .expected = expected, .remedy = remedy});
  throw InputError(problems);
}

// HDF5 wants every group on the way to be there.
bool FclibDatasets::has(const std::string& name) const {
  for (std::size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {
    if (H5Lexists(file_.get(), name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return H5Oexists_by_name(file_.get(), name.c_str(), H5P_DEFAULT) > 0;
  }
}

Handle FclibDatasets::open(const std::string& name) const {
  if (!has(name)) refuse(name, "nothing", "this dataset", "write the file again, or take another");
  Handle dataset(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) refuse(name, "no dataset, or a damaged one (" + last_failure().text + ")", "a dataset");
  return dataset;
}

std::size_t FclibDatasets::size_of(hid_t dataset, const std::string& name) const {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const hssize_t count = space.valid() ? H5Sget_simple_extent_npoints(space.get()) : -1;
  if (count < 0 || H5Sget_simple_extent_ndims(space.get()) > 1)
    refuse(name, "an array of several dimensions", "a list");
  if (count > most_matrix_entries)
    refuse(name, fmt::format("{} entries", count), fmt::format("at most {}", most_matrix_entries),
           "larger problems are not read");
  return static_cast<std::size_t>(count);
}

// The library sets memory aside for whatever size of an entry or of a chunk the file names.
void FclibDatasets::check_kind(hid_t dataset, const std::string& name, bool integers) const {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  const H5T_class_t kind = type.valid() ? H5Tget_class(type.get()) : H5T_NO_CLASS;
  const bool fits = (kind == H5T_INTEGER || (!integers && kind == H5T_FLOAT)) && H5Tget_size(type.get()) <= widest;
  if (!fits) refuse(name, "entries of another type", integers ? "integers" : "numbers", "write the file again");
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  if (creation.valid() && H5Pget_layout(creation.get()) != H5D_CHUNKED) return;
  hsize_t chunk = 0;
  if (!creation.valid() || H5Pget_chunk(creation.get(), 1, &chunk) != 1 || chunk > most_matrix_entries)
    refuse(name, "pieces of an unknown size", "a list", "write the file again");
}

std::vector<int> FclibDatasets::indices(const std::string& name, std::size_t least_count) const {
  const Handle dataset = open(name);
  const std::size_t count = size_of(dataset.get(), name);
  check_kind(dataset.get(), name, true);
  if (count < least_count)
    refuse(name, fmt::format("{} entries", count), fmt::format("{}, by the sizes of the matrix", least_count),
           "the file was cut short, or its sizes are wrong");
  std::vector<int> result(count);
  if (count > 0 && H5Dread(dataset.get(), H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.data()) < 0)
    refuse(name, "damaged data (" + last_failure().text + ")", "integers", "copy the file again");
  return result;
}

std::vector<double> FclibDatasets::values(const std::string& name, std::size_t least_count) const {
  const Handle dataset = open(name);
  const std::size_t count = size_of(dataset.get(), name);
  check_kind(dataset.get(), name, false);
  if (count < least_count)
    refuse(name, fmt::format("{} numbers", count), fmt::format("{}", least_count),
           "the file was cut short, or its sizes are wrong");
  std::vector<double> result(count);
  if (count > 0 && H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.data()) < 0)
    refuse(name, "damaged data (" + last_failure().text + ")", "numbers", "copy the file again");
  for (std::size_t k = 0; k < least_count; ++k) {
    if (!std::isfinite(result[k]))
      refuse(name, fmt::format("{} as entry {}", result[k], k), "finite numbers", "correct what wrote the file");
  }
  return result;
}

int FclibDatasets::integer(const std::string& name, long least, long most) const {
  const std::vector<int> all = indices(name, 1);
  if (all.front() < least || all.front() > most)
    refuse(name, fmt::format("{}", all.front()), fmt::format("an integer from {} to {}", least, most),
           all.front() > most ? "larger problems are not read" : "correct what wrote the file");
  return all.front();
}

std::vector<double> FclibDatasets::numbers(const std::string& name, std::size_t count,
                                           const std::string& because) const {
  std::vector<double> result = values(name, 0);
  if (result.size() != count)
    refuse(name, fmt::format("{} numbers", result.size()), fmt::format("{}, {}", count, because),
           "the sizes in the file do not fit together");
  for (std::size_t k = 0; k < count; ++k) {
    if (!std::isfinite(result[k]))
      refuse(name, fmt::format("{} as entry {}", result[k], k), "finite numbers", "correct what wrote the file");
  }
  return result;
}

std::vector<Eigen::Triplet<double>> FclibDatasets::triplets(const std::string& name, int rows, int columns,
                                                            int count) const {
  const std::vector<int> row = indices(name + "/i", count), column = indices(name + "/p", count);
  const std::vector<double> value = values(name + "/x", count);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(count);
  for (int k = 0; k < count; ++k) {
    if (row[k] < 0 || row[k] >= rows)
      refuse(name + "/i", fmt::format("row {} as entry {}", row[k], k), fmt::format("0 to {}", rows - 1),
             "in triplets i holds rows and p columns");
    if (column[k] < 0 || column[k] >= columns)
      refuse(name + "/p", fmt::format("column {} as entry {}", column[k], k), fmt::format("0 to {}", columns - 1),
             "in triplets i holds rows and p columns");
    entries.emplace_back(row[k], column[k], value[k]);
  }
  return entries;
}

std::vector<Eigen::Triplet<double>> FclibDatasets::compressed(const std::string& name, int rows, int columns,
                                                              bool by_rows) const {
  const int outer = by_rows ? rows : columns, inner = by_rows ? columns : rows;
  const std::vector<int> first = indices(name + "/p", static_cast<std::size_t>(outer) + 1);
  for (int k = 0; k <= outer; ++k) {
    if (first[k] < (k == 0 ? 0 : first[k - 1]) || (k == 0 && first[k] != 0))
      refuse(name + "/p", fmt::format("{} as entry {}", first[k], k), "pointers that begin with 0 and never fall",
             "correct what wrote the file");
  }
  const int count = first[outer];
  if (count > most_matrix_entries)
    refuse(name + "/p", fmt::format("{} entries", count), fmt::format("at most {}", most_matrix_entries),
           "larger problems are not read");
  const std::vector<int> place = indices(name + "/i", count);
  const std::vector<double> value = values(name + "/x", count);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(count);
  for (int k = 0; k < outer; ++k) {
    for (int e = first[k]; e < first[k + 1]; ++e) {
      if (place[e] < 0 || place[e] >= inner)
        refuse(name + "/i", fmt::format("{} {} as entry {}", by_rows ? "column" : "row", place[e], e),
               fmt::format("0 to {}", inner - 1), "correct what wrote the file");
      entries.emplace_back(by_rows ? k : place[e], by_rows ? place[e] : k, value[e]);
    }
  }
  return entries;
}

Eigen::SparseMatrix<double> FclibDatasets::matrix(const std::string& name, long most_rows, long most_columns) const {
  const int rows = integer(name + "/m", 0, most_rows), columns = integer(name + "/n", 0, most_columns);
  const int kind = integer(name + "/nz", compressed_rows, most_matrix_entries);
  const auto entries =
      kind >= 0 ? triplets(name, rows, columns, kind) : compressed(name, rows, columns, kind == compressed_rows);
  Eigen::SparseMatrix<double> result(rows, columns);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

std::string FclibDatasets::text(const std::string& name) const {
  if (!has(name)) return "";
  const Handle dataset(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) return "";
  const Handle type(H5Dget_type(dataset.get()), H5Tclose), space(H5Dget_space(dataset.get()), H5Sclose);
  if (!type.valid() || !space.valid() || H5Sget_simple_extent_npoints(space.get()) != 1) return "";
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0) return "";
  const std::size_t size = H5Tget_size(type.get());
  if (size == 0 || size > longest_text) return "";
  std::string bytes(size, '\0');
  if (H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) return "";
  bytes.resize(strnlen(bytes.data(), size));
  return bytes;
}

}  // namespace carom::inline contact_problem_io
