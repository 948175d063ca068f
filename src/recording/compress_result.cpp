#include "recording/compress_result.h"

#include <algorithm>
#include <vector>

#include "recording/hdf5_support.h"
#include "recording/output_file.h"

namespace carom::inline recording {

using namespace hdf5;

namespace {

constexpr unsigned effort = 4;  // of 9: higher ones take several times as long for some per cent

void copy_attributes(hid_t from, hid_t to) {
  H5O_info_t info = {};
  check(H5Oget_info2(from, &info, H5O_INFO_NUM_ATTRS));
  for (hsize_t k = 0; k < info.num_attrs; ++k) {
    const Handle attribute =
        make(H5Aopen_by_idx(from, ".", H5_INDEX_NAME, H5_ITER_INC, k, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    std::string name(check(H5Aget_name(attribute.get(), 0, nullptr)), '\0');
    check(H5Aget_name(attribute.get(), name.size() + 1, name.data()));
    const Handle type = make(H5Aget_type(attribute.get()), H5Tclose);
    const Handle space = make(H5Aget_space(attribute.get()), H5Sclose);
    const Handle copy = make(H5Acreate2(to, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    std::vector<char> value(H5Tget_size(type.get()) * check(H5Sget_simple_extent_npoints(space.get())));
    if (value.empty()) continue;
    check(H5Aread(attribute.get(), type.get(), value.data()));
    check(H5Awrite(copy.get(), type.get(), value.data()));
  }
}

/// A dataset and the size of its blocks.
struct Rows {
  Handle type, space, creation;
  int rank = 1;
  hsize_t size[2] = {0, 1}, chunk[2] = {1, 1};

  explicit Rows(hid_t dataset)
      : type(make(H5Dget_type(dataset), H5Tclose)),
        space(make(H5Dget_space(dataset), H5Sclose)),
        creation(make(H5Dget_create_plist(dataset), H5Pclose)),
        rank(check(H5Sget_simple_extent_ndims(space.get()))) {
    check(H5Sget_simple_extent_dims(space.get(), size, nullptr));
    check(H5Pget_chunk(creation.get(), rank, chunk));
  }
  std::size_t row_bytes() const { return H5Tget_size(type.get()) * (rank == 2 ? size[1] : 1); }
};

void copy_rows(const Rows& rows, hid_t from, hid_t to) {
  std::vector<char> block(rows.chunk[0] * rows.row_bytes());
  for (hsize_t first = 0; first < rows.size[0]; first += rows.chunk[0]) {
    const hsize_t start[2] = {first, 0};
    const hsize_t count[2] = {std::min(rows.chunk[0], rows.size[0] - first), rows.size[1]};
    const Handle memory = make(H5Screate_simple(rows.rank, count, nullptr), H5Sclose);
    check(H5Sselect_hyperslab(rows.space.get(), H5S_SELECT_SET, start, nullptr, count, nullptr));
    check(H5Dread(from, rows.type.get(), memory.get(), rows.space.get(), H5P_DEFAULT, block.data()));
    check(H5Dwrite(to, rows.type.get(), memory.get(), rows.space.get(), H5P_DEFAULT, block.data()));
  }
}

void copy_dataset(hid_t from, hid_t to_parent, const std::string& name) {
  const Rows rows(from);
  check(H5Pset_alloc_time(rows.creation.get(), H5D_ALLOC_TIME_INCR));
  check(H5Pset_shuffle(rows.creation.get()));
  check(H5Pset_deflate(rows.creation.get(), effort));
  const Handle to = make(H5Dcreate2(to_parent, name.c_str(), rows.type.get(), rows.space.get(), H5P_DEFAULT,
                                    rows.creation.get(), H5P_DEFAULT),
                         H5Dclose);
  copy_attributes(from, to.get());
  copy_rows(rows, from, to.get());
}

void copy_group(hid_t from, hid_t to) {
  copy_attributes(from, to);
  H5G_info_t info = {};
  check(H5Gget_info(from, &info));
  for (hsize_t k = 0; k < info.nlinks; ++k) {
    const auto name_of = [&](char* text, std::size_t size) {
      return check(H5Lget_name_by_idx(from, ".", H5_INDEX_NAME, H5_ITER_INC, k, text, size, H5P_DEFAULT));
    };
    std::string name(name_of(nullptr, 0), '\0');
    name_of(name.data(), name.size() + 1);
    const Handle object = make(H5Oopen(from, name.c_str(), H5P_DEFAULT), H5Oclose);
    if (H5Iget_type(object.get()) == H5I_DATASET) {
      copy_dataset(object.get(), to, name);
      continue;
    }
    const Handle creation = make(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    check(H5Pset_obj_track_times(creation.get(), false));
    const Handle group = make(H5Gcreate2(to, name.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Gclose);
    copy_group(object.get(), group.get());
  }
}

void compress(const std::filesystem::path& path) {
  Handle source = make(H5Fopen(path.c_str(), H5F_ACC_RDONLY, file_access().get()), H5Fclose);
  OutputFile output(path);
  const Handle creation = make(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(creation.get(), false));
  Handle target = make(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), output.access().get()), H5Fclose);
  {
    const Handle from = make(H5Gopen2(source.get(), "/", H5P_DEFAULT), H5Gclose);
    const Handle to = make(H5Gopen2(target.get(), "/", H5P_DEFAULT), H5Gclose);
    copy_group(from.get(), to.get());
  }
  check(target.reset() ? 0 : -1);
  check(source.reset() ? 0 : -1);
  output.put_in_place();
}

}  // namespace

std::string compress_result(const std::filesystem::path& path) {
  silence_errors();
  if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0) return "this HDF5 library was built without zlib";
  try {
    compress(path);
  } catch (const CallFailed& call) {
    return call.failure.text;
  }
  return {};
}

}  // namespace carom::inline recording
