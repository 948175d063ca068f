#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <Eigen/Sparse>

#include "recording/hdf5_support.h"

namespace carom::inline contact_problem_io {

// The datasets of one FCLIB file, with everything checked that a file can have wrong. Names are paths inside the file,
// such as /fclib_local/W/nz. All functions throw InputError with file, dataset, what was found and what was expected.
class FclibDatasets {
 public:
  explicit FclibDatasets(const std::filesystem::path& path);

  bool has(const std::string& name) const;  // false, too, where a group on the way is missing
  // One integer in [least, most].
  int integer(const std::string& name, long least, long most) const;
  // Exactly `count` finite numbers; `because` reports where the count comes from.
  std::vector<double> numbers(const std::string& name, std::size_t count, const std::string& because) const;
  // Triplets, compressed columns or compressed rows. Entries at the same place are added, as CSparse does.
  Eigen::SparseMatrix<double> matrix(const std::string& name, long most_rows, long most_columns) const;
  // Empty where there is none, or one of variable length, whose storage in old files has no checksums.
  std::string text(const std::string& name) const;

  [[noreturn]] void refuse(const std::string& name, const std::string& found, const std::string& expected,
                           const std::string& remedy = "") const;

 private:
  hdf5::Handle open(const std::string& name) const;
  std::size_t size_of(hid_t dataset, const std::string& name) const;
  void check_kind(hid_t dataset, const std::string& name, bool integers) const;
  std::vector<int> indices(const std::string& name, std::size_t least_count) const;
  std::vector<double> values(const std::string& name, std::size_t least_count) const;
  std::vector<Eigen::Triplet<double>> triplets(const std::string& name, int rows, int columns, int count) const;
  std::vector<Eigen::Triplet<double>> compressed(const std::string& name, int rows, int columns, bool by_rows) const;

  std::filesystem::path path_;
  hdf5::Handle file_;
};

}  // namespace carom::inline contact_problem_io
