# Every library comes from a Debian package; tools/packages lists them.
find_package(PkgConfig REQUIRED)
find_package(Eigen3 3.4 REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(SUNDIALS 6 REQUIRED COMPONENTS cvode ida nvecserial sunmatrixdense sunlinsoldense sunlinsolspgmr)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
pkg_check_modules(TOMLPLUSPLUS REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(UDUNITS REQUIRED IMPORTED_TARGET udunits)
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo)
pkg_check_modules(HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)
find_package(CLI11 REQUIRED)

find_path(SUITESPARSE_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse REQUIRED)
add_library(carom_suitesparse INTERFACE)
target_include_directories(carom_suitesparse SYSTEM INTERFACE ${SUITESPARSE_INCLUDE_DIR})
target_link_libraries(carom_suitesparse INTERFACE klu btf amd colamd suitesparseconfig)

# Header-only use of system libraries must not trip our warnings.
set_target_properties(Eigen3::Eigen PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES
  "$<TARGET_PROPERTY:Eigen3::Eigen,INTERFACE_INCLUDE_DIRECTORIES>")
