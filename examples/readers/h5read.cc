// h5read, h5readatt and h5info for Octave, which has no such functions, as MATLAB has them: what carom_read.m needs of them.
// To make h5read.oct, in the folder of this file, with the packages octave-dev and libhdf5-dev:
//   mkoctfile $(pkg-config --cflags --libs hdf5-serial) h5read.cc
#include <hdf5.h>
#include <octave/oct.h>
#include <octave/oct-map.h>

#include <cstring>
#include <string>
#include <vector>

namespace {

// Closes what it holds; an invalid one is an error.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const char* what) : id_(id), close_(close) {
    if (id < 0) error("h5read: cannot open %s", what);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close_(id_); }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// A file whose run goes on, or was killed, opens for readers beside the writer only.
hid_t open_file(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  return file >= 0 ? file : H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
}

// First dimension last, as MATLAB counts: rows of HDF5 are columns of the result.
dim_vector dimensions(hid_t space) {
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> size(std::max(rank, 1), 1);
  if (rank > 0) H5Sget_simple_extent_dims(space, size.data(), nullptr);
  dim_vector result(1, 1);
  if (rank == 1) result = dim_vector(size[0], 1);
  if (rank == 2) result = dim_vector(size[1], size[0]);
  if (rank > 2) error("h5read: more than two dimensions");
  return result;
}

// `count` values that lie `stride` bytes apart, each `type`: an array, a cell array of texts, or a structure.
octave_value values(hid_t type, const char* bytes, std::size_t stride, const dim_vector& size) {
  const octave_idx_type count = size.numel();
  switch (H5Tget_class(type)) {
    case H5T_FLOAT: {
      NDArray result(size);
      for (octave_idx_type k = 0; k < count; ++k) std::memcpy(&result.xelem(k), bytes + k * stride, sizeof(double));
      return result;
    }
    case H5T_INTEGER: {
      uint64NDArray result(size);
      for (octave_idx_type k = 0; k < count; ++k) std::memcpy(&result.xelem(k), bytes + k * stride, sizeof(std::uint64_t));
      return result;
    }
    case H5T_STRING: {
      Cell result(size);
      const std::size_t longest = H5Tget_size(type);
      for (octave_idx_type k = 0; k < count; ++k)
        result.xelem(k) = octave_value(std::string(bytes + k * stride, strnlen(bytes + k * stride, longest)));
      return result;
    }
    case H5T_ARRAY: {
      const Handle base(H5Tget_super(type), H5Tclose, "the type of an array");
      const octave_idx_type each = H5Tget_size(type) / sizeof(double);
      NDArray result(dim_vector(each, count));
      for (octave_idx_type k = 0; k < count; ++k)
        std::memcpy(result.fortran_vec() + k * each, bytes + k * stride, each * sizeof(double));
      return result;
    }
    case H5T_COMPOUND: {
      octave_scalar_map result;
      for (int k = 0; k < H5Tget_nmembers(type); ++k) {
        const Handle member(H5Tget_member_type(type, k), H5Tclose, "a member");
        char* name = H5Tget_member_name(type, k);
        result.setfield(name, values(member, bytes + H5Tget_member_offset(type, k), stride, size));
        H5free_memory(name);
      }
      return result;
    }
    default:
      error("h5read: a type that results of Carom do not have");
  }
}

// Numbers of the file as they are here: double or unsigned of 64 bits.
hid_t type_here(hid_t of) {
  const H5T_class_t kind = H5Tget_class(of);
  if (kind == H5T_INTEGER) return H5Tcopy(H5T_NATIVE_UINT64);
  if (kind == H5T_FLOAT) return H5Tcopy(H5T_NATIVE_DOUBLE);
  return H5Tcopy(of);
}

std::string text(const octave_value_list& arguments, int number) {
  return arguments(number).xstring_value("h5read: names of files, objects and attributes are texts");
}

}  // namespace

DEFUN_DLD(h5read, arguments, , "data = h5read (FILE, DATASET)") {
  if (arguments.length() != 2) print_usage();
  const Handle file(open_file(text(arguments, 0)), H5Fclose, text(arguments, 0).c_str());
  const Handle data(H5Dopen2(file, text(arguments, 1).c_str(), H5P_DEFAULT), H5Dclose, text(arguments, 1).c_str());
  const Handle space(H5Dget_space(data), H5Sclose, "its size"), in_file(H5Dget_type(data), H5Tclose, "its type");
  const Handle type(type_here(in_file), H5Tclose, "its type");
  const dim_vector size = dimensions(space);
  std::vector<char> bytes(H5Tget_size(type) * size.numel());
  if (!bytes.empty() && H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    error("h5read: cannot read %s", text(arguments, 1).c_str());
  return values(type, bytes.data(), H5Tget_size(type), size);
}

DEFUN_DLD(h5readatt, arguments, , "value = h5readatt (FILE, OBJECT, ATTRIBUTE)") {
  if (arguments.length() != 3) print_usage();
  const Handle file(open_file(text(arguments, 0)), H5Fclose, text(arguments, 0).c_str());
  const Handle attribute(H5Aopen_by_name(file, text(arguments, 1).c_str(), text(arguments, 2).c_str(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, text(arguments, 2).c_str());
  const Handle space(H5Aget_space(attribute), H5Sclose, "its size"), in_file(H5Aget_type(attribute), H5Tclose, "its type");
  const Handle type(type_here(in_file), H5Tclose, "its type");
  const bool empty = H5Sget_simple_extent_type(space) == H5S_NULL;
  const bool single = H5Sget_simple_extent_type(space) == H5S_SCALAR;
  const dim_vector size = empty ? dim_vector(0, 0) : dimensions(space);
  std::vector<char> bytes(H5Tget_size(type) * size.numel());
  if (!empty && H5Aread(attribute, type, bytes.data()) < 0) error("h5readatt: cannot read %s", text(arguments, 2).c_str());
  const octave_value result = values(type, bytes.data(), H5Tget_size(type), size);
  return single && result.iscell() ? octave_value(result.cell_value().xelem(0)) : result;
}

DEFUN_DLD(h5info, arguments, , "info = h5info (FILE, DATASET), with ChunkSize alone") {
  if (arguments.length() != 2) print_usage();
  const Handle file(open_file(text(arguments, 0)), H5Fclose, text(arguments, 0).c_str());
  const Handle data(H5Dopen2(file, text(arguments, 1).c_str(), H5P_DEFAULT), H5Dclose, text(arguments, 1).c_str());
  const Handle creation(H5Dget_create_plist(data), H5Pclose, "its layout");
  hsize_t chunk[2] = {0, 0};
  const int rank = H5Pget_chunk(creation, 2, chunk);
  RowVector size(std::max(rank, 0));
  for (int k = 0; k < rank; ++k) size.xelem(k) = chunk[rank - 1 - k];
  octave_scalar_map result;
  result.setfield("ChunkSize", size);
  return octave_value(result);
}
