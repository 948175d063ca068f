#include <algorithm>

#include "base/write_file.h"
#include "contact_problem_io/problem_file.h"
#include "recording/hdf5_support.h"

namespace carom::inline contact_problem_io {

using namespace hdf5;

namespace {

constexpr std::size_t growth = 1 << 16;  // bytes, of the file in memory
constexpr const char* written_by = "written_by";
constexpr int compressed_columns = -1;  // FCLIB's mark; its merit function reads no other storage

// No clock in the file.
Handle timeless(hid_t kind) {
  Handle creation = make(H5Pcreate(kind), H5Pclose);
  check(H5Pset_obj_track_times(creation.get(), false));
  return creation;
}

Handle create_group(hid_t parent, const char* name) {
  return make(H5Gcreate2(parent, name, H5P_DEFAULT, timeless(H5P_GROUP_CREATE).get(), H5P_DEFAULT), H5Gclose);
}

void write_array(hid_t parent, const char* name, hid_t stored, hid_t native, std::size_t count, const void* values) {
  const hsize_t size = count;
  const Handle space = make(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Handle dataset =
      make(H5Dcreate2(parent, name, stored, space.get(), H5P_DEFAULT, timeless(H5P_DATASET_CREATE).get(), H5P_DEFAULT),
           H5Dclose);
  if (count > 0) check(H5Dwrite(dataset.get(), native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
}

void write_numbers(hid_t parent, const char* name, const double* values, std::size_t count) {
  write_array(parent, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, values);
}

void write_numbers(hid_t parent, const char* name, const std::vector<double>& values) {
  write_numbers(parent, name, values.data(), values.size());
}

void write_integers(hid_t parent, const char* name, const std::vector<int>& values) {
  write_array(parent, name, H5T_STD_I32LE, H5T_NATIVE_INT, values.size(), values.data());
}

// FCLIB's readers take texts with a closing zero.
void write_dataset_text(hid_t parent, const char* name, const std::string& text) {
  const Handle type = make(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type.get(), text.size() + 1));
  const Handle space = make(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle dataset = make(
      H5Dcreate2(parent, name, type.get(), space.get(), H5P_DEFAULT, timeless(H5P_DATASET_CREATE).get(), H5P_DEFAULT),
      H5Dclose);
  check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()));
}

void write_matrix(hid_t parent, const char* name, const Eigen::MatrixXd& matrix) {
  const int rows = static_cast<int>(matrix.rows()), columns = static_cast<int>(matrix.cols());
  std::vector<int> pointers = {0}, places;
  std::vector<double> values;
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) {
      if (matrix(i, j) == 0) continue;
      places.push_back(i);
      values.push_back(matrix(i, j));
    }
    pointers.push_back(static_cast<int>(values.size()));
  }
  const Handle group = create_group(parent, name);
  write_integers(group.get(), "nzmax", {static_cast<int>(values.size())});
  write_integers(group.get(), "m", {rows});
  write_integers(group.get(), "n", {columns});
  write_integers(group.get(), "nz", {compressed_columns});
  write_integers(group.get(), "p", pointers);
  write_integers(group.get(), "i", places);
  write_numbers(group.get(), "x", values);
}

void write_solution(hid_t group, const StoredSolution& solution) {
  write_numbers(group, "u", solution.u);
  write_numbers(group, "r", solution.r);
}

void write_all(hid_t file, const StoredProblem& problem) {
  const Handle local = create_group(file, "fclib_local");
  write_integers(local.get(), "spacedim", {problem.dimension});
  write_matrix(local.get(), "W", problem.delassus);
  const Handle vectors = create_group(local.get(), "vectors");
  write_numbers(vectors.get(), "q", problem.free_velocity.data(), problem.rows());
  write_numbers(vectors.get(), "mu", problem.friction);
  const Handle info = create_group(local.get(), "info");
  write_dataset_text(info.get(), "title", problem.info.title);
  write_dataset_text(info.get(), "description", problem.info.description);
  write_dataset_text(info.get(), "math_info", problem.info.mathematics);
  if (problem.solution) write_solution(create_group(file, "solution").get(), *problem.solution);
  if (problem.guesses.empty()) return;
  const Handle guesses = create_group(file, "guesses");
  write_integers(guesses.get(), "number_of_guesses", {static_cast<int>(problem.guesses.size())});
  for (std::size_t k = 0; k < problem.guesses.size(); ++k)
    write_solution(create_group(guesses.get(), std::to_string(k + 1).c_str()).get(), problem.guesses[k]);
}

// The bytes of the file; it is made in memory, so that a failed write cannot leave a part of it.
std::string file_image(const StoredProblem& problem) {
  const Handle access = make(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  check(H5Pset_fapl_core(access.get(), growth, false));
  check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG));
  const Handle file =
      make(H5Fcreate("contact_problem", H5F_ACC_TRUNC, timeless(H5P_FILE_CREATE).get(), access.get()), H5Fclose);
  write_all(file.get(), problem);
  write_attribute(file.get(), written_by, std::string(written_mark));
  check(H5Fflush(file.get(), H5F_SCOPE_GLOBAL));
  std::string image(static_cast<std::size_t>(check(H5Fget_file_image(file.get(), nullptr, 0))), '\0');
  check(H5Fget_file_image(file.get(), image.data(), image.size()));
  return image;
}

bool is_written_problem(const std::filesystem::path& path) {
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, file_access().get()), H5Fclose);
  return file.valid() && H5Aexists(file.get(), written_by) > 0;
}

}  // namespace

void write_problem_file(const std::filesystem::path& path, const StoredProblem& problem) {
  silence_errors();
  std::string image;
  try {
    image = file_image(problem);
  } catch (const CallFailed& call) {
    throw ResultError("cannot write the contact problem " + path.string() + ": " + call.failure.text);
  }
  write_file(path, image, {.written_by_carom = is_written_problem});
}

}  // namespace carom::inline contact_problem_io
