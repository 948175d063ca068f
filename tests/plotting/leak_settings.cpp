// With the address sanitizer: fontconfig keeps what it has read about the fonts until the end of the program.
extern "C" {
[[gnu::visibility("default")]] const char* __lsan_default_suppressions();
[[gnu::visibility("default")]] const char* __lsan_default_options();

const char* __lsan_default_suppressions() {
  return "leak:libfontconfig";
}
const char* __lsan_default_options() {
  return "print_suppressions=0";
}
}
