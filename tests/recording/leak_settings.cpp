// With the address sanitizer: HDF5 1.10 loses memory of its own when it opens a damaged file, and so do the children
// that the tests start afterwards. They must not print about it either: their stderr is checked to be empty.
extern "C" {
[[gnu::visibility("default")]] const char* __lsan_default_suppressions();
[[gnu::visibility("default")]] const char* __lsan_default_options();

const char* __lsan_default_suppressions() {
  return "leak:libhdf5_serial";
}
const char* __lsan_default_options() {
  return "print_suppressions=0";
}
}
