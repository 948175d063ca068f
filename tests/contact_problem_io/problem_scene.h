#pragma once

#include <random>

#include "contact_problem_io/mixed_problem.h"
#include "contact_problem_io/problem_file.h"
#include "recording/hdf5_support.h"

// Small contact problems, and files of them that are written dataset by dataset, so that each can be wrong.
namespace carom::scene {

inline Eigen::MatrixXd random_matrix(std::mt19937& random, int rows, int columns) {
  std::normal_distribution<double> normal;
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); });
}

inline StoredProblem random_stored(int contacts, int dimension, unsigned seed) {
  std::mt19937 random(seed);
  StoredProblem problem;
  problem.dimension = dimension;
  const int rows = dimension * contacts;
  const Eigen::MatrixXd h = random_matrix(random, rows, rows + 3);
  problem.delassus = h * h.transpose();
  problem.delassus = (problem.delassus.array().abs() < 1).select(0, problem.delassus);  // some zeros
  problem.delassus.diagonal().array() += rows;
  problem.free_velocity = random_matrix(random, rows, 1);
  for (int c = 0; c < contacts; ++c) problem.friction.push_back(0.1 * (c % 8));
  problem.info = {"random", "made for a test, with μ from 0 to 0.7", "positive definite"};
  return problem;
}

// A file open for writing, in FCLIB's layout; closed when this is.
class FclibFile {
 public:
  explicit FclibFile(const std::filesystem::path& path)
      : file_(hdf5::make(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose)) {}

  // Groups on the way are made; a dataset that is there is replaced.
  void integers(const std::string& name, const std::vector<int>& values) {
    write(name, H5T_STD_I32LE, H5T_NATIVE_INT, values.size(), values.data());
  }
  void numbers(const std::string& name, const std::vector<double>& values) {
    write(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.size(), values.data());
  }
  void numbers(const std::string& name, const Eigen::VectorXd& values) {
    numbers(name, std::vector<double>(values.begin(), values.end()));
  }
  // Claims a size without data behind it.
  void claim(const std::string& name, hid_t type, hsize_t size) {
    remove(name);
    const hsize_t chunk = 1000;
    const hdf5::Handle space = hdf5::make(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const hdf5::Handle creation = hdf5::make(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    hdf5::check(H5Pset_chunk(creation.get(), 1, &chunk));
    hdf5::make(H5Dcreate2(file_.get(), name.c_str(), type, space.get(), parents().get(), creation.get(), H5P_DEFAULT),
               H5Dclose);
  }
  void remove(const std::string& name) {
    hdf5::silence_errors();
    H5Ldelete(file_.get(), name.c_str(), H5P_DEFAULT);
  }
  enum class Storage { triplets, columns, rows };
  void matrix(const std::string& name, const Eigen::MatrixXd& matrix, Storage storage) {
    const bool by_rows = storage == Storage::rows;
    const int outer = static_cast<int>(by_rows ? matrix.rows() : matrix.cols());
    const int inner = static_cast<int>(by_rows ? matrix.cols() : matrix.rows());
    std::vector<int> first = {0}, place, owner;
    std::vector<double> value;
    for (int k = 0; k < outer; ++k) {
      for (int l = 0; l < inner; ++l) {
        const double each = by_rows ? matrix(k, l) : matrix(l, k);
        if (each == 0) continue;
        place.push_back(l), owner.push_back(k), value.push_back(each);
      }
      first.push_back(static_cast<int>(value.size()));
    }
    const int count = static_cast<int>(value.size());
    integers(name + "/nzmax", {count});
    integers(name + "/m", {static_cast<int>(matrix.rows())});
    integers(name + "/n", {static_cast<int>(matrix.cols())});
    integers(name + "/nz", {storage == Storage::triplets ? count : storage == Storage::columns ? -1 : -2});
    integers(name + "/p", storage == Storage::triplets ? owner : first);
    integers(name + "/i", place);
    numbers(name + "/x", value);
  }
  void local(const StoredProblem& problem, Storage storage = Storage::triplets) {
    integers("/fclib_local/spacedim", {problem.dimension});
    matrix("/fclib_local/W", problem.delassus, storage);
    numbers("/fclib_local/vectors/q", problem.free_velocity);
    numbers("/fclib_local/vectors/mu", problem.friction);
  }

 private:
  static hdf5::Handle parents() {
    hdf5::Handle links = hdf5::make(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    hdf5::check(H5Pset_create_intermediate_group(links.get(), 1));
    return links;
  }
  void write(const std::string& name, hid_t stored, hid_t native, hsize_t count, const void* values) {
    remove(name);
    const hdf5::Handle space = hdf5::make(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const hdf5::Handle dataset = hdf5::make(
        H5Dcreate2(file_.get(), name.c_str(), stored, space.get(), parents().get(), H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
    if (count > 0) hdf5::check(H5Dwrite(dataset.get(), native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  }

  hdf5::Handle file_;
};

}  // namespace carom::scene
