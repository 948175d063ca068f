#include "open_browser.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace carom {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// A new folder that only this user can enter; empty: there is none to be had.
std::filesystem::path private_folder() {
  std::error_code failed;
  const std::string own = variable("XDG_RUNTIME_DIR");
  const auto parent = own.empty() ? std::filesystem::temp_directory_path(failed) : std::filesystem::path(own);
  std::string name = (parent / "carom-view-XXXXXX").string();
  return mkdtemp(name.data()) ? std::filesystem::path(name) : std::filesystem::path();
}

}  // namespace

bool can_open_browser() {
  return isatty(STDOUT_FILENO) != 0 && !(variable("DISPLAY") + variable("WAYLAND_DISPLAY")).empty();
}

BrowserPage::BrowserPage(const std::string& address) : folder_(private_folder()) {
  if (folder_.empty()) return;  // the address was printed
  const std::filesystem::path file = folder_ / "viewer.html";
  std::ofstream(file) << "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Carom</title>"
                         "<meta name=\"referrer\" content=\"no-referrer\">"
                         "<meta http-equiv=\"refresh\" content=\"0;url="
                      << address << "\"></head><body><a href=\"" << address << "\">The viewer</a></body></html>\n";
  if (fork() != 0) return;
  setsid();
  if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
  execlp("xdg-open", "xdg-open", file.c_str(), nullptr);
  _exit(1);  // a missing xdg-open is no misfortune
}

BrowserPage::~BrowserPage() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

}  // namespace carom
